"""Moving coins: once by each key, never more than there are, all or nothing."""

from __future__ import annotations

import pytest
from django.db import transaction

from accounts import coins
from accounts.coins import Move, Reason
from accounts.models import Account, Transfer, User
from tests.coins.conftest import balances

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]


def test_the_same_key_moves_once(wallets: list[Account]) -> None:
    escrow = coins.escrow_of("t1")
    first = coins.transfer(wallets[0], escrow, 30, reason=Reason.STAKE, key="k", table="t1")
    again = coins.transfer(wallets[0], escrow, 30, reason=Reason.STAKE, key="k", table="t1")
    assert again.pk == first.pk
    assert balances()[escrow.pk] == 30


@pytest.mark.parametrize("change", ["source", "target", "amount", "reason", "table"])
def test_the_same_key_for_anything_else_is_an_error(wallets: list[Account], change: str) -> None:
    escrow = coins.escrow_of("t1")
    move = {"source": wallets[0], "target": escrow, "amount": 30}
    words = {"reason": str(Reason.STAKE), "key": "k", "table": "t1"}
    first = coins.transfer(**move, **words)
    others = {"source": wallets[1], "target": coins.mint(), "amount": 31, "reason": "refund", "table": "t2"}
    (move if change in move else words)[change] = others[change]
    before = balances()
    with pytest.raises(coins.KeyConflict) as error:
        coins.transfer(**move, **words)
    assert error.value.first == first
    assert error.value.code == "key_conflict"
    assert balances() == before


def test_who_has_not_enough_is_told_and_the_callers_transaction_goes_on(wallets: list[Account]) -> None:
    escrow = coins.escrow_of("t1")
    with transaction.atomic():
        with pytest.raises(coins.NotEnough) as error:
            coins.transfer(wallets[0], escrow, 1001, reason=Reason.STAKE, key="too much")
        coins.transfer(wallets[0], escrow, 1000, reason=Reason.STAKE, key="all")
    assert error.value.account == wallets[0]
    assert error.value.code == "not_enough_coins"
    assert balances()[wallets[0].pk] == 0
    assert not Transfer.objects.filter(key="too much").exists()


def test_several_movements_are_made_all_or_none(wallets: list[Account]) -> None:
    escrow = coins.escrow_of("t1")
    before = balances()
    moves = [Move(wallet, escrow, 600, Reason.STAKE, f"k{wallet.pk}") for wallet in wallets]
    with pytest.raises(coins.NotEnough) as error:
        coins.move_many([*moves, Move(wallets[1], escrow, 600, Reason.STAKE, "again")])
    assert error.value.account == wallets[1]
    assert balances() == before
    assert [each.key for each in coins.move_many(moves)] == [move.key for move in moves]
    assert balances()[escrow.pk] == 2400


def test_a_batch_that_was_made_in_part_makes_the_rest(wallets: list[Account]) -> None:
    escrow = coins.escrow_of("t1")
    moves = [Move(wallet, escrow, 10, Reason.STAKE, f"k{wallet.pk}") for wallet in wallets]
    coins.move_many(moves[:2])
    coins.move_many(moves)
    assert balances()[escrow.pk] == 40


@pytest.mark.parametrize("amount", [0, -1, 2.0, True, None])
def test_an_amount_is_a_whole_number_of_at_least_one(wallets: list[Account], amount: object) -> None:
    with pytest.raises(ValueError, match="no amount of coins"):
        coins.transfer(wallets[0], coins.mint(), amount, reason=Reason.DESK_TAKE, key="k")  # type: ignore[arg-type]


def test_a_transfer_keeps_who_had_it_done_and_why(people: list[User], wallets: list[Account]) -> None:
    made = coins.transfer(
        coins.mint(), wallets[0], 5, reason=Reason.DESK_GRANT, key="k", actor=people[1], note="for the tea"
    )
    made.refresh_from_db()
    assert (made.actor, made.note, made.reason) == (people[1], "for the tea", "desk_grant")
    people[1].delete()
    assert Transfer.objects.get(key="k").actor_id == made.actor_id


# ---------------------------------------------------------------- a table's stakes


def test_stakes_go_to_the_escrow_once_and_a_winner_gets_the_pot(
    people: list[User], wallets: list[Account]
) -> None:
    coins.stake("t1", people, 50)
    coins.stake("t1", people, 50)
    assert coins.staked(people[0]) == 50
    assert [each.source for each in coins.stakes("t1")] == wallets
    paid = coins.settle("t1", {wallets[2].pk: 200}, Reason.WIN)
    assert coins.settle("t1", {wallets[2].pk: 200}, Reason.WIN) == paid
    assert [coins.balance(user) for user in people] == [950, 950, 1150, 950]
    assert coins.staked(people[0]) == 0


def test_a_refund_gives_every_stake_back_once(people: list[User]) -> None:
    coins.stake("t1", people, 50)
    assert len(coins.refund("t1", actor=people[3], note="the lights went out")) == 4
    coins.refund("t1")
    assert [coins.balance(user) for user in people] == [1000] * 4


def test_a_table_is_settled_in_one_way(people: list[User], wallets: list[Account]) -> None:
    coins.stake("t1", people, 50)
    coins.settle("t1", {wallets[0].pk: 100, wallets[1].pk: 100, wallets[2].pk: 0}, Reason.SHARE)
    for other in ({wallets[0].pk: 200}, {wallets[0].pk: 100, wallets[2].pk: 100}):
        with pytest.raises(coins.KeyConflict):
            coins.settle("t1", other, Reason.SHARE)
    with pytest.raises(coins.KeyConflict):
        coins.refund("t1")
    assert [coins.balance(user) for user in people] == [1050, 1050, 950, 950]


@pytest.mark.parametrize("pot", [199, 201, 0])
def test_the_shares_are_the_pot_to_the_coin(people: list[User], wallets: list[Account], pot: int) -> None:
    coins.stake("t1", people, 50)
    with pytest.raises(ValueError, match="not the 200 coins"):
        coins.settle("t1", {wallets[0].pk: pot}, Reason.WIN)


def test_a_friendly_table_has_nothing_to_give_back() -> None:
    assert coins.refund("friendly") == []
    assert not Account.objects.filter(code="friendly").exists()


def test_who_cannot_cover_the_stake_is_named_and_nobody_pays(people: list[User]) -> None:
    coins.stake("t1", [people[2]], 980)
    before = balances()
    with transaction.atomic():
        with pytest.raises(coins.NotEnough) as error:
            coins.stake("t2", people, 50)
        assert error.value.account.user_id == people[2].pk
        coins.stake("t2", [*people[:2], people[3]], 50)
    assert sum(balances().values()) == 0
    assert coins.balance(people[2]) == before[coins.wallet_of(people[2]).pk] == 20
