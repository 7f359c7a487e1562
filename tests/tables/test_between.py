"""Between the deals and after the match: Next, cancelling, the rematch."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone

from accounts.models import User
from games import actions
from games.actions import house
from games.clockwork import due
from games.models import Action, Seat, Table
from games.state import TableState, store

from .test_refusals import refused


def play_deal(table: Table) -> TableState:
    """Play the deal to its end, by bots for everybody."""
    state = store.fresh(table.pk)
    while state.turn is not None and state.phase in ("calling", "playing"):
        house.act_for(state, Action.BOT)
        state = store.fresh(table.pk)
    return state


def test_the_next_deal_waits_for_everybody_here(full_table: Any, people: list[User]) -> None:
    table = full_table(bots={3: "normal"})
    state = play_deal(table)
    dealer = state.deal.dealer
    assert state.phase == "scored"
    assert due(state) is None
    for person in people[:2]:
        actions.next_deal(table.pk, person, 1)
        actions.next_deal(table.pk, person, 1)
    assert store.fresh(table.pk).phase == "scored"
    state = actions.next_deal(table.pk, people[2], 1)
    assert (state.phase, state.deal_number, state.deal.dealer) == ("calling", 2, (dealer + 1) % 4)
    refused("stale", lambda: actions.next_deal(table.pk, people[0], 1))


def test_who_leaves_or_goes_away_is_not_waited_for(full_table: Any, people: list[User]) -> None:
    table = full_table()
    play_deal(table)
    actions.next_deal(table.pk, people[0], 1)
    actions.next_deal(table.pk, people[1], 1)
    actions.leave(table.pk, people[2])
    assert store.fresh(table.pk).deal_number == 1
    Seat.objects.filter(table=table, index=3).update(last_seen=timezone.now() - timedelta(seconds=46))
    actions.notice_away(table.pk)
    assert store.fresh(table.pk).deal_number == 2


def test_at_a_table_with_clocks_the_next_deal_comes_after_twenty_seconds(full_table: Any) -> None:
    table = full_table("strict")
    state = play_deal(table)
    assert due(state).why == "next"
    assert (due(state).at - state.turn_at).total_seconds() == 20


def test_where_only_bots_play_it_starts_by_itself(open_table: Any, people: list[User], settings: Any) -> None:
    settings.PACE = 1.0
    for host, (pace, seconds) in zip(people, (("slow", 5), ("normal", 5), ("fast", 2.5)), strict=False):
        table = open_table(host, bots=dict.fromkeys(range(4), "normal"), seat=None, pace=pace)
        state = play_deal(table)
        assert due(state).why == "next"
        assert (due(state).at - state.turn_at).total_seconds() == seconds
        Table.objects.filter(pk=table.pk).update(turn_at=state.turn_at - timedelta(seconds=6))
        store.clear()
        actions.tick(table.pk)
        assert store.fresh(table.pk).deal_number == 2


def test_cancelling_wants_all_who_are_here(full_table: Any, people: list[User]) -> None:
    table = full_table()
    for person in people[:3]:
        actions.cancel(table.pk, person, True)
    actions.cancel(table.pk, people[0], False)
    actions.cancel(table.pk, people[3], True)
    assert store.fresh(table.pk).status == Table.PLAYING
    assert actions.cancel(table.pk, people[0], True).status == Table.CANCELLED
    assert not Seat.objects.filter(playing=True).exists()
    refused("stale", lambda: actions.call(table.pk, people[0].pk, 2, deal=1, number=0))


def test_cancelling_does_not_wait_for_who_left(full_table: Any, people: list[User]) -> None:
    table = full_table()
    actions.leave(table.pk, people[3])
    for person in people[:3]:
        actions.cancel(table.pk, person, True)
    assert store.fresh(table.pk).status == Table.CANCELLED


def test_the_rematch_is_one_table_for_all(full_table: Any, people: list[User]) -> None:
    table = full_table(bots={2: "normal"}, length=1)
    assert play_deal(table).status == Table.FINISHED
    first = actions.rematch(table.pk, people[0])
    again = actions.rematch(table.pk, people[1])
    assert first.pk == again.pk
    assert store.fresh(table.pk).rematch == first.code
    assert not first.public
    state = store.fresh(first.pk)
    assert [seat.name for seat in state.taken] == ["Asha", "Bishnu", state.seats[2].name]
    assert state.seats[2].bot
    refused("not_seated", lambda: actions.rematch(table.pk, people[5]))
    actions.rematch(table.pk, people[3])
    assert store.fresh(first.pk).phase == "calling"


def test_a_match_left_to_bots_goes_on_to_its_end(full_table: Any, people: list[User]) -> None:
    table = full_table(length=3)
    for person in people[:4]:
        actions.leave(table.pk, person)
    for _ in range(3 * 56 + 2):
        Table.objects.filter(pk=table.pk).update(turn_at=timezone.now() - timedelta(seconds=60))
        store.clear()
        actions.tick(table.pk)
    state = store.fresh(table.pk)
    assert state.status == Table.FINISHED
    assert len(state.scored) == 3


def test_a_rematch_that_closed_is_offered_again(
    full_table: Any, people: list[User], django_capture_on_commit_callbacks: Any
) -> None:
    table = full_table(length=1)
    play_deal(table)
    first = actions.rematch(table.pk, people[0])
    with django_capture_on_commit_callbacks(execute=True):
        actions.leave(first.pk, people[0])
    assert store.fresh(first.pk).status == Table.CLOSED
    assert store.fresh(table.pk).rematch == ""
    second = actions.rematch(table.pk, people[1])
    assert second.pk != first.pk
    assert actions.rematch(table.pk, people[2]).pk == second.pk
