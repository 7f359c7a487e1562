"""Two at once, with real threads on PostgreSQL. Each race is lost where the lock or the constraint is taken out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from threading import Barrier, BrokenBarrierError, Thread
from typing import Any

import pytest
from django.db import OperationalError, connection

from accounts import coins
from accounts.coins import Move, Reason
from accounts.models import Account, Transfer, User
from tests.coins.conftest import balances
from tests.flush import triggers_lifted

pytestmark = [pytest.mark.postgres(only=True), pytest.mark.django_db(transaction=True)]

TODAY = date(2026, 3, 2)
IN_VAIN, SURELY = 0.5, 20.0
"""Seconds one waits for the other: where a lock holds that one back, and the first goes on alone; where it comes."""


def at_once(*works: Callable[[], Any]) -> list[Any]:
    """Do all of these, each in a thread and on a connection of its own; what each returned or raised."""
    outcomes: list[Any] = [None] * len(works)

    def run(place: int) -> None:
        try:
            outcomes[place] = works[place]()
        except Exception as error:
            outcomes[place] = error
        finally:
            connection.close()

    threads = [Thread(target=run, args=[place]) for place in range(len(works))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


@pytest.fixture
def meet(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """``meet(owner, name, seconds)``: two threads that come out of that function wait there for each other, once."""

    def after(owner: Any, name: str, seconds: float) -> None:
        function, barrier = getattr(owner, name), Barrier(2)

        def wrapped(*args: Any, **kwargs: Any) -> Any:
            result = function(*args, **kwargs)
            # Whoever waited in vain went on; from then on nobody waits any more.
            try:
                barrier.wait(seconds)
            except BrokenBarrierError:
                return result
            barrier.abort()
            return result

        monkeypatch.setattr(owner, name, wrapped)

    return after


@pytest.fixture
def unlocked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Accounts are read without being held."""
    monkeypatch.setattr(coins, "lock", lambda accounts: {each.pk: fresh(each) for each in accounts})


def fresh(account: Account) -> Account:
    return Account.objects.get(pk=account.pk)


@contextmanager
def without(kind: str, part: str) -> Iterator[None]:
    """The database without one constraint: of this kind (``c`` or ``u``), with this part in its name."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT conrelid::regclass::text, quote_ident(conname), pg_get_constraintdef(oid)"
            " FROM pg_constraint WHERE contype = %s AND conname LIKE %s",
            [kind, f"%{part}%"],
        )
        ((table, name, definition),) = cursor.fetchall()
        cursor.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
    try:
        yield
    finally:
        with triggers_lifted(connection), connection.cursor() as cursor:
            cursor.execute("TRUNCATE accounts_transfer, accounts_account")
            cursor.execute(f"ALTER TABLE {table} ADD CONSTRAINT {name} {definition}")


# ---------------------------------------------------------------- the same key twice


def stake_twice(wallet: Account) -> list[Any]:
    escrow = coins.escrow_of("t1")

    def work() -> Transfer:
        return coins.transfer(wallet, escrow, 30, reason=Reason.STAKE, key="k")

    return at_once(work, work)


def test_the_same_key_twice_at_once_moves_once(wallets: list[Account], meet: Any) -> None:
    meet(coins, "_made", IN_VAIN)
    one, other = stake_twice(wallets[0])
    assert one == other
    assert balances()[wallets[0].pk] == 970


@pytest.mark.usefixtures("unlocked")
def test_it_does_without_the_lock_too(wallets: list[Account], meet: Any) -> None:
    meet(coins, "_made", SURELY)
    one, other = stake_twice(wallets[0])
    assert one == other
    assert balances()[wallets[0].pk] == 970


@pytest.mark.usefixtures("unlocked")
def test_it_moves_twice_without_lock_and_constraint(wallets: list[Account], meet: Any) -> None:
    with without("u", "accounts_transfer_key"):
        meet(coins, "_made", SURELY)
        one, other = stake_twice(wallets[0])
        assert one.pk != other.pk
        assert balances()[wallets[0].pk] == 940


def test_the_same_key_for_two_things_at_once_is_an_error_for_one(wallets: list[Account], meet: Any) -> None:
    one, other = coins.escrow_of("t1"), coins.escrow_of("t2")
    meet(coins, "_made", IN_VAIN)
    outcomes = at_once(
        lambda: coins.transfer(wallets[0], one, 30, reason=Reason.STAKE, key="k"),
        lambda: coins.transfer(wallets[1], other, 40, reason=Reason.STAKE, key="k"),
    )
    assert sorted(type(each).__name__ for each in outcomes) == ["KeyConflict", "Transfer"]
    assert Transfer.objects.filter(key="k").count() == 1


# ---------------------------------------------------------------- the last coins


def stake_at_two_tables(user: User) -> list[Any]:
    wallet = coins.wallet_of(user)
    one, other = coins.escrow_of("t1"), coins.escrow_of("t2")
    return at_once(
        lambda: coins.transfer(wallet, one, 1000, reason=Reason.STAKE, key="k1"),
        lambda: coins.transfer(wallet, other, 1000, reason=Reason.STAKE, key="k2"),
    )


def test_the_last_coins_are_spent_once(asha: User, meet: Any) -> None:
    meet(coins, "_made", IN_VAIN)
    outcomes = stake_at_two_tables(asha)
    assert sorted(type(each).__name__ for each in outcomes) == ["NotEnough", "Transfer"]
    assert coins.balance(asha) == 0


@pytest.mark.usefixtures("unlocked")
def test_they_are_without_the_lock_too(asha: User, meet: Any) -> None:
    meet(coins, "_made", SURELY)
    outcomes = stake_at_two_tables(asha)
    assert sorted(type(each).__name__ for each in outcomes) == ["NotEnough", "Transfer"]
    assert coins.balance(asha) == 0


def test_they_are_spent_twice_without_the_constraint(asha: User, meet: Any) -> None:
    with without("c", "account_not_below_zero"):
        meet(coins, "_made", IN_VAIN)
        stake_at_two_tables(asha)
        assert coins.balance(asha) == -1000


# ---------------------------------------------------------------- the day's refill


@pytest.fixture
def poor(asha: User) -> User:
    """Asha, when all is lost."""
    coins.transfer(coins.wallet_of(asha), coins.mint(), 1000, reason=Reason.DESK_TAKE, key="lost")
    return asha


def refill_twice(user: User) -> list[Any]:
    return at_once(lambda: coins.refill(user, TODAY), lambda: coins.refill(user, TODAY))


def test_a_refill_asked_for_twice_at_once_is_one(poor: User, meet: Any) -> None:
    meet(coins, "refill_due", IN_VAIN)
    outcomes = refill_twice(poor)
    assert [type(each).__name__ for each in outcomes if each is not None] == ["Transfer"]
    assert coins.balance(poor) == 200


@pytest.mark.usefixtures("unlocked")
def test_without_lock_and_constraint_it_is_two(poor: User, meet: Any) -> None:
    with without("u", "accounts_transfer_key"):
        meet(coins, "refill_due", SURELY)
        meet(coins, "_made", SURELY)
        refill_twice(poor)
        assert coins.balance(poor) == 400


# ---------------------------------------------------------------- settling


@pytest.fixture
def staked(people: list[User]) -> list[User]:
    """The four, with 50 coins each at table t1."""
    coins.stake("t1", people, 50)
    return people


def settle_twice(people: list[User]) -> list[Any]:
    winner = coins.wallet_of(people[0]).pk
    return at_once(
        lambda: coins.settle("t1", {winner: 200}, Reason.WIN), lambda: coins.refund("t1", note="by the desk")
    )


def test_a_table_settled_and_refunded_at_once_pays_once(staked: list[User], meet: Any) -> None:
    meet(coins, "lock", IN_VAIN)
    outcomes = settle_twice(staked)
    assert sorted(type(each).__name__ for each in outcomes) == ["KeyConflict", "list"]
    assert Account.objects.get(code="t1").balance == 0
    assert sum(balances().values()) == 0


@pytest.mark.usefixtures("unlocked")
def test_without_the_lock_and_the_constraint_it_pays_twice(staked: list[User], meet: Any) -> None:
    with without("c", "account_not_below_zero"), without_keys():
        meet(coins, "lock", SURELY)
        settle_twice(staked)
        assert Account.objects.get(code="t1").balance == -200


@contextmanager
def without_keys() -> Iterator[None]:
    """Every movement under a key of its own."""
    with pytest.MonkeyPatch.context() as patch:
        create = Transfer.objects.create
        patch.setattr(coins, "_made", lambda moves: {})
        patch.setattr(
            Transfer.objects,
            "create",
            lambda **words: create(**{**words, "key": f"{words['reason']}/{words['key']}"}),
        )
        yield


# ---------------------------------------------------------------- the order of the locks


def stake_in_turns(wallets: list[Account]) -> list[Any]:
    one, other = coins.escrow_of("t1"), coins.escrow_of("t2")
    moves = [Move(wallet, one, 5, Reason.STAKE, f"t1/{wallet.pk}") for wallet in wallets[:2]]
    contrary = [Move(wallet, other, 5, Reason.STAKE, f"t2/{wallet.pk}") for wallet in wallets[1::-1]]
    return at_once(lambda: coins.move_many(moves), lambda: coins.move_many(contrary))


def test_two_who_want_the_same_accounts_do_not_wait_for_each_other(wallets: list[Account], meet: Any) -> None:
    meet(Transfer.objects, "create", IN_VAIN)
    assert [type(each).__name__ for each in stake_in_turns(wallets)] == ["list", "list"]


@pytest.mark.usefixtures("unlocked")
def test_they_do_without_the_lock(wallets: list[Account], meet: Any) -> None:
    meet(Transfer.objects, "create", SURELY)
    assert any(isinstance(each, OperationalError) for each in stake_in_turns(wallets))


# ---------------------------------------------------------------- the first coins


def test_a_wallet_opened_twice_at_once_is_one(transactional_db: None, meet: Any) -> None:
    User.objects.bulk_create([User(username="Late", username_key="late")])
    late = User.objects.get(username="Late")
    coins.mint()
    meet(coins, "mint", SURELY)
    one, other = at_once(lambda: coins.wallet_of(late), lambda: coins.wallet_of(late))
    assert one == other
    assert Transfer.objects.filter(target__user=late).count() == 1
    assert coins.balance(late) == 1000
