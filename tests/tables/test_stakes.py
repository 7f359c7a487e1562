"""Coins at the table: in with the first deal, out by the contract, each exactly once, whatever happens in between."""

from __future__ import annotations

from typing import Any

import pytest

from accounts import coins
from accounts.models import Account, Transfer, User
from games import actions, rules
from games.actions import house
from games.models import Action, Seat, Table
from games.stakes import payouts
from games.state import TableState, store

from .test_between import play_deal
from .test_refusals import refused


def balances(people: list[User], number: int = 4) -> list[int]:
    return [coins.balance(person) for person in people[:number]]


def escrow(table: Table) -> int:
    return Account.objects.get(code=table.code).balance


def test_the_stakes_go_to_escrow_with_the_first_deal(
    staked: Any, open_table: Any, people: list[User]
) -> None:
    waiting = open_table(people[0], stake=50, asks_for=50)
    assert store.fresh(waiting.pk).taken == ()
    actions.take_seat(waiting.pk, people[0], 0, agreed=50)
    assert balances(people) == [1000] * 4
    table = staked()
    assert balances(people) == [950] * 4
    assert escrow(table) == 200


def test_the_winner_gets_the_pot(staked: Any, people: list[User]) -> None:
    table = staked(length=1)
    state = play_deal(table)
    assert state.status == Table.FINISHED
    outcome = rules.outcome(state.rules, state.totals)
    expected = [950 + 200 * (outcome.best == (seat,)) for seat in range(4)]
    if outcome.kind == "draw":
        expected = [1000] * 4
    assert balances(people) == expected
    assert escrow(table) == 0


def ended(state: TableState, totals: list[int], **changes: Any) -> TableState:
    """The state as if the match had ended on these totals."""
    from dataclasses import replace

    scored = [replace(state.scored[0], scores=tuple(totals))]
    return replace(state, scored=tuple(scored), status=Table.FINISHED, ending=Table.PLAYED, **changes)


@pytest.mark.parametrize(
    ("preset", "totals", "clause", "paid"),
    [
        ("classic", [31, 20, 10, -5], "won", {0: 200}),
        ("classic", [31, 31, 10, -5], "shared", {0: 100, 1: 100}),
        ("kal", [31, 31, 10, -5], "draw", {0: 50, 1: 50, 2: 50, 3: 50}),
        ("kal", [10, 11, 12, 13], "won", {3: 200}),
    ],
)
def test_the_clauses(staked: Any, preset: str, totals: list[int], clause: str, paid: dict[int, int]) -> None:
    table = staked(preset, length=1)
    state = ended(play_deal(table), totals)
    found = payouts(state)
    assert {each.clause for each in found} == {clause}
    assert {each.seat: each.amount for each in found} == paid


def test_left_over_coins_go_in_the_order_of_the_turn_from_the_last_dealer(staked: Any) -> None:
    table = staked("classic", stake=50, length=1)
    state = play_deal(table)
    state = ended(state, [31, 31, 31, 0], stake=50)
    assert sorted(each.amount for each in payouts(state)) == [66, 67, 67]
    dealer = state.deal.dealer
    order = [(dealer + 1 + step) % 4 for step in range(4)]
    winners = [seat for seat in order if seat < 3]
    amounts = {each.seat: each.amount for each in payouts(state)}
    assert [amounts[seat] for seat in winners] == [67, 67, 66]


def test_a_stop_wants_everybody_absent_ones_included(staked: Any, people: list[User]) -> None:
    table = staked()
    Seat.objects.filter(table=table, index=3).update(away=True)
    store.clear()
    for person in people[:3]:
        actions.cancel(table.pk, person, True)
    assert store.fresh(table.pk).status == Table.PLAYING
    assert actions.cancel(table.pk, people[3], True).status == Table.CANCELLED
    assert balances(people) == [1000] * 4
    assert escrow(table) == 0
    assert store.fresh(table.pk).ending == Table.AGREED


def test_only_people_sit_and_they_agree_first(open_table: Any, people: list[User]) -> None:
    refused("people_only", lambda: open_table(people[0], stake=50, asks_for=50, bots={1: "normal"}))
    table = open_table(people[0], stake=50, asks_for=50)
    refused("contract", lambda: actions.take_seat(table.pk, people[0], 0))
    refused("contract", lambda: actions.take_seat(table.pk, people[0], 0, agreed=10))
    actions.take_seat(table.pk, people[0], 0, agreed=50)
    refused("people_only", lambda: actions.add_bot(table.pk, people[0], 1, "normal"))
    friendly = open_table(people[1])
    refused("contract", lambda: actions.take_seat(friendly.pk, people[2], 2, agreed=50))


def test_who_cannot_cover_it_cannot_sit(open_table: Any, people: list[User]) -> None:
    refused("not_enough", lambda: open_table(people[0], stake=50, asks_for=5000))
    table = open_table(people[0], stake=800, asks_for=900)
    poor = people[1]
    coins.transfer(coins.wallet_of(poor), coins.mint(), 150, reason="desk_take", key="test")
    refused("not_enough", lambda: actions.take_seat(table.pk, poor, 1, agreed=800))


def test_who_can_no_longer_cover_it_is_unseated_and_the_table_waits(
    open_table: Any, people: list[User]
) -> None:
    table = open_table(people[0], stake=800, asks_for=800)
    for index in range(3):
        actions.take_seat(table.pk, people[index], index, agreed=800)
    coins.transfer(coins.wallet_of(people[1]), coins.mint(), 300, reason="desk_take", key="test")
    actions.take_seat(table.pk, people[3], 3, agreed=800)
    state = store.fresh(table.pk)
    assert state.status == Table.OPEN
    assert state.free == (1,)
    assert balances(people) == [1000, 700, 1000, 1000]
    assert not Transfer.objects.filter(reason="stake").exists()


def test_the_last_coins_go_to_one_table(open_table: Any, people: list[User]) -> None:
    tables = [open_table(people[0], stake=600, asks_for=600) for _ in range(2)]
    for table in tables:
        actions.take_seat(table.pk, people[0], 0, agreed=600)
    for index in (1, 2, 3):
        actions.take_seat(tables[0].pk, people[index], index, agreed=600)
    assert store.fresh(tables[0].pk).status == Table.PLAYING
    assert balances(people) == [400] * 4


def test_settling_twice_pays_once(staked: Any, people: list[User]) -> None:
    from games.actions import stakes

    table = staked(length=1)
    state = play_deal(table)
    before = balances(people)
    stakes.settle(state)
    assert balances(people) == before


def test_a_crash_in_the_last_play_moves_nothing(
    staked: Any, people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    from games.actions import stakes

    table = staked(length=1)
    state = store.fresh(table.pk)
    while state.deal.number < 55:
        house.act_for(state, Action.BOT)
        state = store.fresh(table.pk)

    def crash(*args: Any) -> None:
        raise RuntimeError("the worker died")

    with monkeypatch.context() as patched:
        patched.setattr(stakes, "settle", crash)
        with pytest.raises(RuntimeError):
            house.act_for(state, Action.BOT)
    assert escrow(table) == 200
    assert store.fresh(table.pk).status == Table.PLAYING
    house.act_for(store.fresh(table.pk), Action.BOT)
    assert escrow(table) == 0
    assert sum(balances(people)) == 4000


def test_play_now_never_stakes(open_table: Any, people: list[User]) -> None:
    table = open_table(people[0], stake=50, asks_for=50)
    actions.take_seat(table.pk, people[0], 0, agreed=50)
    assert actions.play_now(people[1]).pk != table.pk


def test_the_rematch_is_agreed_to_again(staked: Any, people: list[User]) -> None:
    table = staked(length=1)
    play_deal(table)
    again = actions.rematch(table.pk, people[0], agreed=50)
    assert (again.stake, again.asks_for) == (50, 50)
    refused("contract", lambda: actions.rematch(table.pk, people[1]))
    for person in people[1:4]:
        actions.rematch(table.pk, person, agreed=50)
    assert store.fresh(again.pk).status == Table.PLAYING
