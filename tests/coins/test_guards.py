"""What the database itself refuses, whoever asks."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction

from accounts import coins, guards
from accounts.models import Account, Transfer, User
from tests.coins.conftest import Raw, balances
from tests.flush import triggers_lifted

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]

INSERT = (
    "INSERT INTO accounts_transfer (source_id, target_id, amount, reason, {key}, note, {table}, at)"
    " VALUES (%s, %s, %s, 'stake', %s, '', '', CURRENT_TIMESTAMP)"
)


def insert_sql() -> str:
    """The INSERT with its columns quoted as this database wants them."""
    quote = connection.ops.quote_name
    return INSERT.format(key=quote("key"), table=quote("table"))


def refused(raw: Raw, sql: str, *values: Any) -> str:
    """The sentence with which the database refuses this; nothing may have changed by it."""
    before = balances(), list(Transfer.objects.order_by("pk").values())
    with pytest.raises(IntegrityError) as error, transaction.atomic():
        raw(sql, *values)
    assert (balances(), list(Transfer.objects.order_by("pk").values())) == before
    return str(error.value)


@pytest.mark.parametrize(
    ("sql", "sentence"),
    [
        ("UPDATE accounts_transfer SET amount = amount + 1", "a transfer is never changed"),
        ("UPDATE accounts_transfer SET note = 'mine'", "a transfer is never changed"),
        ("DELETE FROM accounts_transfer WHERE id = (SELECT max(id) FROM accounts_transfer)", "never deleted"),
        ("UPDATE accounts_account SET balance = balance + 1 WHERE kind = 'wallet'", "only a transfer moves"),
        ("UPDATE accounts_account SET balance = 0", "only a transfer moves"),
        ("DELETE FROM accounts_account", "an account is never deleted"),
        ("UPDATE accounts_account SET kind = 'mint' WHERE kind = 'escrow'", "stays whose it is"),
        ("UPDATE accounts_account SET code = 'mine' WHERE kind = 'escrow'", "stays whose it is"),
        ("INSERT INTO accounts_account (kind, balance, code) VALUES ('escrow', 5, 'new')", "begins empty"),
    ],
)
def test_raw_sql_cannot_change_the_books(raw: Raw, people: list[User], sql: str, sentence: str) -> None:
    coins.stake("t1", people, 50)
    assert sentence in refused(raw, sql)


def test_a_wallet_is_not_handed_to_another_person(raw: Raw, people: list[User]) -> None:
    wallet = coins.wallet_of(people[0])
    heir = User.objects.bulk_create([User(username="Heir", username_key="heir")])[0]
    heir = User.objects.get(username_key=heir.username_key)
    sentence = refused(raw, "UPDATE accounts_account SET user_id = %s WHERE id = %s", heir.pk, wallet.pk)
    assert "stays whose it is" in sentence


def test_a_raw_transfer_moves_the_balances(raw: Raw, wallets: list[Account]) -> None:
    escrow = coins.escrow_of("t1")
    raw(insert_sql(), wallets[0].pk, escrow.pk, 300, "by hand")
    assert balances()[wallets[0].pk] == 700
    assert balances()[escrow.pk] == 300


@pytest.mark.parametrize("amount", [0, -5, 1001])
def test_a_raw_transfer_of_too_much_or_nothing_is_refused(
    raw: Raw, wallets: list[Account], amount: int
) -> None:
    refused(raw, insert_sql(), wallets[0].pk, coins.escrow_of("t1").pk, amount, "by hand")


def test_coins_do_not_pass_between_people_nor_between_tables(raw: Raw, wallets: list[Account]) -> None:
    one, other = coins.escrow_of("t1"), coins.escrow_of("t2")
    raw(insert_sql(), wallets[0].pk, one.pk, 10, "stake")
    for source, target in [(wallets[0], wallets[1]), (one, other), (coins.mint(), one), (one, one)]:
        assert "a wallet at exactly one end" in refused(raw, insert_sql(), source.pk, target.pk, 5, "by hand")


def test_an_account_is_of_one_kind_and_there_is_one_mint(raw: Raw, asha: User) -> None:
    insert = "INSERT INTO accounts_account (kind, balance, user_id, code) VALUES (%s, 0, %s, %s)"
    refused(raw, insert, "mint", None, None)
    refused(raw, insert, "escrow", None, None)
    refused(raw, insert, "escrow", asha.pk, "t9")
    refused(raw, insert, "wallet", asha.pk, None)
    refused(raw, insert, "wallet", None, "t9")


@pytest.mark.skipif(connection.vendor != "sqlite", reason="only SQLite replaces rows")
def test_nothing_is_replaced(raw: Raw, wallets: list[Account]) -> None:
    first = Transfer.objects.earliest("pk")
    replace = insert_sql().replace("INSERT", "INSERT OR REPLACE")
    assert "never replaced" in refused(raw, replace, coins.mint().pk, wallets[0].pk, 1, first.key)
    with_id = replace.replace("(source_id", "(id, source_id").replace("VALUES (", f"VALUES ({first.pk}, ")
    assert "never replaced" in refused(raw, with_id, coins.mint().pk, wallets[0].pk, 1, "another key")
    account = "INSERT OR REPLACE INTO accounts_account (id, kind, balance) VALUES (%s, 'wallet', 0)"
    assert "never replaced" in refused(raw, account, wallets[0].pk)


@pytest.mark.postgres(only=True)
@pytest.mark.parametrize("table", guards.TABLES)
def test_nothing_is_truncated(raw: Raw, wallets: list[Account], table: str) -> None:
    connection.check_constraints()  # TRUNCATE waits for no deferred ones
    assert "never deleted" in refused(raw, f"TRUNCATE {table} CASCADE")


def test_the_models_are_held_too(asha: User) -> None:
    wallet = coins.wallet_of(asha)
    wallet.balance += 1
    with pytest.raises(IntegrityError), transaction.atomic():
        wallet.save()
    movement = Transfer.objects.earliest("pk")
    with pytest.raises(IntegrityError), transaction.atomic():
        movement.save()
    with pytest.raises(IntegrityError), transaction.atomic():
        movement.delete()


def test_a_guard_that_is_gone_is_missed() -> None:
    assert guards.missing() == []
    guards.lift(connection)
    assert guards.missing() == sorted(guards.NAMES)
    guards.install(connection)
    assert guards.missing() == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("turn", ["first", "second"])
def test_the_flush_after_a_test_leaves_the_guards_in_place(turn: str, raw: Raw) -> None:
    assert guards.missing() == []
    assert not Transfer.objects.exists()
    asha = User.objects.create_user("Asha")
    assert coins.balance(asha) == 1000
    assert "never deleted" in refused(raw, "DELETE FROM accounts_transfer")


@pytest.mark.django_db(transaction=True)
def test_the_flush_puts_back_what_the_migrations_had_made() -> None:
    before = definitions()
    User.objects.create_user("Asha")
    call_command("flush", interactive=False, verbosity=0)
    assert definitions() == before
    assert len(before) >= len(guards.NAMES)


@pytest.mark.django_db(transaction=True)
def test_a_flush_that_fails_leaves_the_guards_in_place() -> None:
    before = definitions()
    lifted = triggers_lifted(connection)
    lifted.__enter__()
    assert len(guards.missing()) == len(guards.NAMES)
    assert not lifted.__exit__(RuntimeError, RuntimeError("the flush fails"), None)
    assert definitions() == before


def definitions() -> list[tuple[Any, ...]]:
    """Every trigger with all that makes it."""
    if connection.vendor == "postgresql":
        sql = "SELECT tgname, tgenabled, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1"
    else:
        sql = "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY 1"
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetchall()


def test_a_deleted_persons_history_stays_and_his_coins_go_back(people: list[User]) -> None:
    asha = people[0]
    coins.stake("t1", people, 50)
    wallet = coins.wallet_of(asha)
    movements = Transfer.objects.filter(source=wallet).count()
    asha.delete()
    wallet.refresh_from_db()
    assert (wallet.user, wallet.balance) == (None, 0)
    assert Transfer.objects.filter(source=wallet).count() == movements + 1
    coins.refund("t1")
    wallet.refresh_from_db()
    assert wallet.balance == 50


def test_who_was_here_before_there_were_coins_gets_the_first_ones(
    raw: Raw, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with triggers_lifted(connection):
        raw("DELETE FROM accounts_transfer")
        raw("DELETE FROM accounts_account")
        connection.check_constraints()  # none may be deferred when PostgreSQL's triggers are put back
    settings.COIN_GRANT = 700
    User.objects.bulk_create([User(username=f"N{n}", username_key=f"n{n}") for n in range(3)])
    migration = import_module("accounts.migrations.0004_guards_and_grants")
    monkeypatch.setattr(migration, "BATCH", 2)
    migration.grant(apps, None)
    assert sorted(balances().values()) == [-2100, 700, 700, 700]
    for user in User.objects.all():
        assert coins.wallet_of(user).balance == 700
    assert sorted(balances().values()) == [-2100, 700, 700, 700]
