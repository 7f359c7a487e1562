"""The check of the ledger finds what is wrong, and only that."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from accounts import coins, guards, ledger_check
from accounts.ledger_check import Fault, Figure
from accounts.models import Account, User
from tests.coins.conftest import Raw

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]


@pytest.fixture
def unguarded(raw: Raw) -> Iterator[Raw]:
    """Raw SQL with the guards taken away."""
    guards.lift(connection)
    return raw


def sentences() -> list[str]:
    """What the check finds, but for the guards."""
    return [fault.sentence for fault in ledger_check.check().faults if "guard" not in fault.sentence]


def test_sound_books(people: list[User]) -> None:
    coins.stake("t1", people, 50)
    report = ledger_check.check()
    assert report.sound
    assert {figure.name: figure.value for figure in report.figures} == {
        "accounts": 6,
        "transfers": 8,
        "coins minted": 4000,
        "coins in wallets": 3800,
        "coins in escrow": 200,
        "all balances together": 0,
    }


def test_the_command_prints_the_figures(people: list[User]) -> None:
    out = StringIO()
    call_command("check_ledger", stdout=out)
    assert "4,000  coins minted" in out.getvalue()
    assert "The ledger is right." in out.getvalue()


def test_the_command_fails_with_the_rows(people: list[User], unguarded: Raw) -> None:
    wallet = coins.wallet_of(people[1])
    unguarded("UPDATE accounts_account SET balance = balance + 7 WHERE id = %s", wallet.pk)
    out = StringIO()
    with pytest.raises(CommandError) as error:
        call_command("check_ledger", stdout=out)
    assert error.value.returncode == 1
    assert f"account {wallet.pk}, Bishnu: The balance is 1007, but the transfers make 1000." in out.getvalue()
    assert "All balances together are 7, not zero." in out.getvalue()
    assert "The ledger is right." not in out.getvalue()


def test_a_deleted_transfer_is_found(asha: User, unguarded: Raw) -> None:
    unguarded("DELETE FROM accounts_transfer WHERE target_id = %s", coins.wallet_of(asha).pk)
    assert sentences() == [
        "The balance is -4000, but the transfers make -3000.",
        "The balance is 1000, but the transfers make 0.",
    ]


def test_a_balance_below_zero_is_found(asha: User, raw: Raw, monkeypatch: pytest.MonkeyPatch) -> None:
    wallet = coins.wallet_of(asha)
    wallet.balance = -3
    monkeypatch.setattr(Account.objects, "select_related", lambda *names: FakeRows([wallet]))
    assert "The balance is below zero: -3." in sentences()


class FakeRows(list[Account]):
    """Accounts as no sound database holds them."""

    def order_by(self, *names: str) -> FakeRows:
        return self

    def iterator(self) -> Iterator[Account]:
        return iter(self)


def test_every_missing_guard_is_named(unguarded: Raw) -> None:
    faults = ledger_check.check().faults
    assert [fault.row for fault in faults] == [f"trigger {name}" for name in sorted(guards.NAMES)]


def test_others_add_checks_of_their_own(people: list[User], monkeypatch: pytest.MonkeyPatch) -> None:
    def tables() -> Iterator[Figure | Fault]:
        yield Figure("tables", 12)
        yield Fault("Its escrow is not empty.", "table t1")

    monkeypatch.setattr(ledger_check, "checks", [*ledger_check.checks, tables])
    report = ledger_check.check()
    assert report.figures[-1] == Figure("tables", 12)
    assert report.faults == (Fault("Its escrow is not empty.", "table t1"),)
    assert not report.sound


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite alone has one writer")
def test_the_check_does_not_wait_for_a_writer(asha: User) -> None:
    writer = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    try:
        assert ledger_check.check().sound
    finally:
        writer.close()


@pytest.mark.django_db(transaction=True)
def test_all_checks_see_one_moment(people: list[User], monkeypatch: pytest.MonkeyPatch) -> None:
    from threading import Thread

    def elsewhere() -> None:
        coins.stake("t1", people, 50)
        connection.close()

    def meanwhile() -> Iterator[Figure | Fault]:
        thread = Thread(target=elsewhere)
        thread.start()
        thread.join()
        yield Figure(
            "in escrow afterwards",
            sum(Account.objects.values_list("balance", flat=True).filter(kind="escrow")),
        )

    monkeypatch.setattr(ledger_check, "checks", [ledger_check.balances, meanwhile])
    assert ledger_check.check().figures[-1].value == 0
    assert ledger_check.check().figures[-1].value == 200
