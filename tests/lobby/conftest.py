"""A host, and tables as rows: the lists of the lobby need no play."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from games.models import Deal, Ruleset, Seat, Table

PutTable = Callable[..., Table]


@pytest.fixture
def host(db: None) -> User:
    """Whoever opens tables."""
    return User.objects.create_user(username="Asha", password="a long password 1")


@pytest.fixture
def put_table(host: User) -> PutTable:
    """A stored table: ``put_table("Asha", "bot", None, status="playing", deal=2, **fields)``, its seats in order."""

    def put(*seats: str | None, deal: int = 0, **fields: Any) -> Table:
        kal = Ruleset.objects.get(slug="kal")
        table = Table.objects.create(
            **{
                "name": "A table",
                "ruleset": kal,
                "rules_name": kal.name,
                "fields": kal.fields,
                "players": len(seats),
                "length": 5,
                "host": host,
                "started_at": timezone.now() if fields.get("status") == Table.PLAYING else None,
                **fields,
            }
        )
        for index, name in enumerate(seats):
            if name == "bot":
                Seat.objects.create(table=table, index=index, name="Bot Tara", bot="normal")
            elif name is not None:
                user = User.objects.filter(username=name).first() or User.objects.create_user(username=name)
                Seat.objects.create(table=table, index=index, name=name, user=user)
        for number in range(1, deal + 1):
            Deal.objects.create(table=table, number=number, dealer=0, seed=b"", shuffle_version=1, hands=[])
        return table

    return put
