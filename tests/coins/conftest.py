"""People with coins, and hands that reach into the database past the code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connection

from accounts import coins, ledger_check
from accounts.models import Account, User

NAMES = ("Asha", "Bishnu", "Chandra", "Dipak")

Raw = Callable[..., None]


@pytest.fixture(scope="package", autouse=True)
def _coins_without_tables() -> Iterator[None]:
    """The tables staked at here are codes alone: only the coins are checked."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ledger_check, "checks", [ledger_check.balances, ledger_check.guarded])
        yield


@pytest.fixture
def people(db: None) -> list[User]:
    """Four people with the first coins each."""
    return [User.objects.create_user(name) for name in NAMES]


@pytest.fixture
def asha(people: list[User]) -> User:
    return people[0]


@pytest.fixture
def wallets(people: list[User]) -> list[Account]:
    """The wallets of the four."""
    return [coins.wallet_of(user) for user in people]


@pytest.fixture
def raw(db: None) -> Raw:
    """Executes SQL as it is: ``raw(sql, *values)``."""

    def execute(sql: str, *values: Any) -> None:
        with connection.cursor() as cursor:
            cursor.execute(sql, values)

    return execute


def balances() -> dict[int, int]:
    """Every account's balance as it is stored."""
    return dict(Account.objects.values_list("pk", "balance"))
