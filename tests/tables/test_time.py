"""Clocks, absence, the nudge and the only legal card, with the clock in the test's hand."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from games import actions, rules
from games.actions import house
from games.clockwork import due
from games.models import Action, Pulse, Seat, Table
from games.state import TableState, store

from .test_refusals import refused


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Any:
    """``later(seconds)``: time goes on."""
    real = timezone.now
    offset = [0.0]
    monkeypatch.setattr(timezone, "now", lambda: real() + timedelta(seconds=offset[0]))

    def go_on(seconds: float) -> None:
        offset[0] += seconds

    return go_on


def everybody_is_here(table: Table) -> None:
    Seat.objects.filter(table=table).update(last_seen=timezone.now())


def test_a_run_out_clock_calls_and_plays(full_table: Any, people: list[User], later: Any) -> None:
    table = full_table("strict")
    state = store.fresh(table.pk)
    assert (state.call_clock, state.card_clock) == (30, 15)
    hand = state.deal.hands[state.turn]
    actions.tick(table.pk)
    assert store.fresh(table.pk).acts == ()
    later(30.1)
    actions.tick(table.pk)
    act = store.fresh(table.pk).acts[0]
    assert (act.by, act.value) == (Action.CLOCK, rules.clock_call(state.rules, hand, 4))
    while store.fresh(table.pk).phase == "calling":
        later(30.1)
        actions.tick(table.pk)
    state = store.fresh(table.pk)
    lowest = rules.lowest_card(state.deal.legal().cards)
    later(14)
    actions.tick(table.pk)
    assert len(store.fresh(table.pk).acts) == 4
    later(1.1)
    actions.tick(table.pk)
    act = store.fresh(table.pk).acts[4]
    assert (act.by, act.value) == (Action.CLOCK, lowest)


def test_a_stale_task_does_nothing(full_table: Any, people: list[User], later: Any) -> None:
    table = full_table("strict")
    state = store.fresh(table.pk)
    later(29)
    after = actions.call(table.pk, people[state.turn].pk, 3, deal=1, number=0)
    later(2)
    actions.tick(table.pk, state.version)
    actions.tick(table.pk)
    assert store.fresh(table.pk).acts == after.acts


def test_a_task_run_twice_acts_once(full_table: Any, later: Any) -> None:
    table = full_table("strict")
    version = store.fresh(table.pk).version
    later(31)
    actions.tick(table.pk, version)
    actions.tick(table.pk, version)
    assert Action.objects.count() == 1


def test_an_absent_player_is_noticed_and_played_for(full_table: Any, people: list[User], later: Any) -> None:
    table = full_table()
    state = store.fresh(table.pk)
    seat = state.turn
    later(44)
    actions.sweep()
    assert not store.fresh(table.pk).seats[seat].away
    Seat.objects.filter(table=table).exclude(index=seat).update(last_seen=timezone.now())
    later(2)
    actions.sweep()
    state = store.fresh(table.pk)
    assert [each.away for each in state.seats] == [index == seat for index in range(4)]
    assert due(state).why == "absent"
    actions.tick(table.pk)
    act = store.fresh(table.pk).acts[0]
    assert (act.seat, act.by) == (seat, Action.ABSENT)


def test_within_two_seconds_of_his_turn_even_at_a_slow_pace(
    full_table: Any, people: list[User], settings: Any
) -> None:
    table = full_table("kal", pace="slow")
    settings.PACE = 1.0
    seat = store.fresh(table.pk).turn
    Seat.objects.filter(table=table, index=seat).update(last_seen=timezone.now() - timedelta(seconds=46))
    actions.notice_away(table.pk)
    state = store.fresh(table.pk)
    assert (due(state).at - state.turn_at).total_seconds() < 2


def test_who_is_back_acts_for_himself(full_table: Any, people: list[User], later: Any) -> None:
    table = full_table()
    seat = store.fresh(table.pk).turn
    later(50)
    actions.notice_away(table.pk)
    state = store.fresh(table.pk)
    assert state.seats[seat].away
    # He is back, but the word has not reached the one who is about to act for him.
    Seat.objects.filter(table=table, index=seat).update(last_seen=timezone.now())
    assert house.act_for(state, Action.ABSENT) is None
    assert not Action.objects.exists()
    assert not store.fresh(table.pk).seats[seat].away
    actions.call(table.pk, people[seat].pk, 2, deal=1, number=0)
    assert Action.objects.get().by == Action.PLAYER


def test_a_request_brings_him_back(full_table: Any, people: list[User], later: Any, client: Any) -> None:
    table = full_table()
    later(50)
    actions.notice_away(table.pk)
    client.force_login(people[2])
    client.get(f"/t/{table.code}/")
    assert [seat.away for seat in store.fresh(table.pk).seats] == [True, True, False, True]


def called(table: Table) -> TableState:
    state = store.fresh(table.pk)
    while state.phase == "calling":
        house.act_for(state, Action.ABSENT)
        state = store.fresh(table.pk)
    return state


def test_the_only_legal_card_plays_itself(full_table: Any, people: list[User], later: Any) -> None:
    table = full_table("strict")
    everybody_is_here(table)
    singles = 0
    for number in range(56):
        state = store.fresh(table.pk)
        seat = people[state.turn]
        if state.phase == "calling":
            actions.call(table.pk, seat.pk, 1, deal=1, number=number)
            continue
        legal = rules.cards_of(state.deal.legal().cards)
        if len(legal) == 1:
            assert due(state).why == "single"
            actions.tick(table.pk)
            singles += 1
            assert store.fresh(table.pk).acts[-1].by == Action.SINGLE
        else:
            assert due(state).why == "clock"
            actions.play(table.pk, seat.pk, legal[0], deal=1, number=number)
    assert singles >= 4


def test_only_its_owner_is_told_that_it_was_the_only_card(full_table: Any, people: list[User]) -> None:
    from games.view import view_of

    table = full_table("strict")
    for number in range(56):
        state = store.fresh(table.pk)
        if state.phase == "playing" and due(state).why == "single":
            seat = state.turn
            actions.tick(table.pk)
            state = store.fresh(table.pk)
            if state.phase != "playing":
                break
            said = [
                [line.by for line in view_of(state, who).log if line.kind in ("lead", "play")][-1]
                for who in [person.pk for person in people[:4]] + [None]
            ]
            assert said == [Action.SINGLE if index == seat else Action.PLAYER for index in range(5)]
        elif state.phase == "calling":
            actions.call(table.pk, people[state.turn].pk, 1, deal=1, number=number)
        else:
            card = rules.lowest_card(state.deal.legal().cards)
            actions.play(table.pk, people[state.turn].pk, card, deal=1, number=number)


def test_a_nudge_wants_everybody_and_two_minutes(full_table: Any, people: list[User], later: Any) -> None:
    table = full_table("classic")
    state = store.fresh(table.pk)
    late = state.turn
    others = [people[index] for index in range(4) if index != late]
    refused("stale", lambda: actions.nudge(table.pk, others[0], state.moment))
    later(120.1)
    everybody_is_here(table)
    actions.tick(table.pk)
    state = store.fresh(table.pk)
    assert state.late
    refused("you_are_late", lambda: actions.nudge(table.pk, people[late], state.moment))
    actions.nudge(table.pk, others[0], state.moment)
    actions.nudge(table.pk, others[0], state.moment)
    actions.nudge(table.pk, others[1], state.moment)
    assert not Action.objects.exists()
    actions.nudge(table.pk, others[2], state.moment)
    assert Action.objects.get().by == Action.NUDGE
    assert not store.fresh(table.pk).late


def test_nothing_hurries_anyone_where_the_rules_say_so(
    full_table: Any, people: list[User], later: Any
) -> None:
    table = full_table("kal")
    later(1000)
    everybody_is_here(table)
    actions.tick(table.pk)
    assert not store.fresh(table.pk).late


def test_clocks_start_afresh_after_an_outage(full_table: Any, people: list[User], later: Any) -> None:
    table = full_table("strict")
    actions.sweep()
    later(40)  # nobody swept: the house stood still, and the clock would have run out
    actions.sweep()
    state = store.fresh(table.pk)
    assert state.acts == ()
    assert due(state).at > timezone.now() + timedelta(seconds=29)
    later(8)
    actions.sweep()
    assert not any(seat.away for seat in store.fresh(table.pk).seats)


def test_no_clock_runs_out_while_no_web_process_can_be_reached(full_table: Any, later: Any) -> None:
    table = full_table("strict")
    actions.show_alive()
    for _ in range(6):
        later(9)
        actions.sweep()
        actions.tick(table.pk)
    state = store.fresh(table.pk)
    assert state.acts == ()
    assert not any(seat.away for seat in state.seats)
    actions.show_alive()
    actions.sweep()
    assert due(store.fresh(table.pk)).at > timezone.now() + timedelta(seconds=29)
    assert Pulse.objects.get(name="sweep").at == pytest.approx(timezone.now(), abs=timedelta(seconds=1))


def test_an_open_table_nobody_cares_for_closes(open_table: Any, people: list[User], later: Any) -> None:
    table = open_table(people[0])
    actions.take_seat(table.pk, people[1], 1)
    later(300)
    actions.touch(table.pk, people[1].pk)
    later(301)
    actions.tidy()
    state = store.fresh(table.pk)
    assert [seat.user_id for seat in state.taken] == [people[1].pk]
    assert state.host_id == people[1].pk
    later(601)
    actions.tidy()
    assert store.fresh(table.pk).status == Table.CLOSED


def late_table(full_table: Any, later: Any, **changes: Any) -> tuple[Table, TableState]:
    """A table at which the player to act may be hurried."""
    table = full_table("classic", **changes)
    later(120.1)
    everybody_is_here(table)
    actions.tick(table.pk)
    return table, store.fresh(table.pk)


def test_a_nudge_counts_when_the_last_other_goes_away(
    full_table: Any, people: list[User], later: Any
) -> None:
    table, state = late_table(full_table, later)
    others = [index for index in range(4) if index != state.turn]
    for index in others[:2]:
        actions.nudge(table.pk, people[index], state.moment)
    assert due(store.fresh(table.pk)) is None
    gone = timezone.now() - timedelta(seconds=60)
    Seat.objects.filter(table=table, index=others[2]).update(last_seen=gone)
    actions.notice_away(table.pk)
    assert due(store.fresh(table.pk)).why == "nudge"
    actions.tick(table.pk)
    assert Action.objects.get().by == Action.NUDGE


def test_a_nudge_agreed_to_survives_the_process(
    full_table: Any, people: list[User], later: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from games.actions import match

    table, state = late_table(full_table, later)
    with monkeypatch.context() as patched:
        patched.setattr(match, "tick", lambda table_id: None)  # killed after the vote was written
        for index in range(4):
            if index != state.turn:
                actions.nudge(table.pk, people[index], state.moment)
    assert not Action.objects.exists()
    assert Table.objects.get(pk=table.pk).act_by <= timezone.now()
    actions.tick(table.pk)
    assert Action.objects.get().by == Action.NUDGE


def test_a_phase_without_a_clock_can_be_hurried(full_table: Any, later: Any) -> None:
    table = full_table("classic", call_clock=30, card_clock=None)
    called(table)
    later(121)
    everybody_is_here(table)
    actions.tick(table.pk)
    assert store.fresh(table.pk).late


@pytest.mark.parametrize("seconds", [11, 14, 19])
def test_a_short_outage_gives_clocks_a_fresh_start_too(full_table: Any, later: Any, seconds: int) -> None:
    table = full_table("strict")
    actions.show_alive()
    actions.sweep()
    for _ in range(seconds):  # beat and workers run on, no web process does
        later(1)
        actions.sweep()
    actions.show_alive()
    actions.sweep()
    assert due(store.fresh(table.pk)).at > timezone.now() + timedelta(seconds=29)


def test_nobody_is_late_right_after_an_outage(full_table: Any, later: Any) -> None:
    table = full_table("classic")
    actions.show_alive()
    actions.sweep()
    later(300)
    actions.tick(table.pk)
    assert not store.fresh(table.pk).late
    actions.show_alive()
    actions.sweep()
    actions.tick(table.pk)
    assert not store.fresh(table.pk).late


def test_one_broken_table_does_not_stop_the_sweep(
    full_table: Any, open_table: Any, people: list[User], later: Any
) -> None:
    broken = full_table()
    other = open_table(people[4], bots={1: "normal", 2: "normal", 3: "normal"})
    Table.objects.filter(pk=broken.pk).update(fields={})
    store.clear()
    later(50)
    actions.sweep()
    assert store.fresh(other.pk).seats[0].away


def test_a_clock_never_runs_out_early(full_table: Any, later: Any) -> None:
    table = full_table("strict")
    later((due(store.fresh(table.pk)).at - timezone.now()).total_seconds() - 0.04)
    actions.tick(table.pk)
    assert not Action.objects.exists()
