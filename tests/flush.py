"""Emptying the database after a transactional test, though some tables refuse to be emptied.

Their triggers are lifted for the flush alone, in its own transaction, and put back as the migrations had made them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.operations import BaseDatabaseOperations


@contextmanager
def triggers_lifted(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Within the block no trigger of ours fires; afterwards, or when it fails, all are as they were."""
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT tgrelid::regclass::text, quote_ident(tgname) FROM pg_trigger"
                " WHERE NOT tgisinternal AND tgenabled = 'O'"
            )
            found = cursor.fetchall()
            lift = [f"ALTER TABLE {table} DISABLE TRIGGER {name}" for table, name in found]
            restore = [f"ALTER TABLE {table} ENABLE TRIGGER {name}" for table, name in found]
        else:
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            found = cursor.fetchall()
            lift = [f'DROP TRIGGER "{name}"' for name, _sql in found]
            restore = [sql for _name, sql in found]
        for statement in lift:
            cursor.execute(statement)
        yield
        for statement in restore:
            cursor.execute(statement)


@pytest.fixture(scope="session", autouse=True)
def _flush_past_triggers() -> Iterator[None]:
    flush = BaseDatabaseOperations.execute_sql_flush

    def lifted(self: Any, sql_list: list[str]) -> None:
        with triggers_lifted(connections[self.connection.alias]):
            flush(self, sql_list)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BaseDatabaseOperations, "execute_sql_flush", lifted)
        yield
