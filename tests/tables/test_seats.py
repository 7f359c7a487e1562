"""Sitting down, leaving, coming back, and playing one match at a time."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import User
from games import actions
from games.models import Seat, Table
from games.state import store
from games.view import view_of

from .test_refusals import refused


def test_a_table_starts_when_its_seats_are_filled(open_table: Any, people: list[User]) -> None:
    table = open_table(people[0], bots={2: "normal"})
    actions.take_seat(table.pk, people[1], 1)
    assert store.fresh(table.pk).status == Table.OPEN
    actions.take_seat(table.pk, people[2], 3)
    state = store.fresh(table.pk)
    assert state.phase == "calling"
    assert state.deal_number == 1
    assert [seat.name for seat in state.taken if not seat.bot] == ["Asha", "Bishnu", "Chandra"]


def test_only_bots_start_at_once(open_table: Any, people: list[User]) -> None:
    table = open_table(people[0], bots=dict.fromkeys(range(4), "normal"), seat=None)
    assert store.fresh(table.pk).phase == "calling"
    assert len({seat.name for seat in store.fresh(table.pk).taken}) == 4


def test_changing_the_seat_and_a_seat_just_taken(open_table: Any, people: list[User]) -> None:
    table = open_table(people[0])
    actions.take_seat(table.pk, people[1], 2)
    assert refused("seat_taken", lambda: actions.take_seat(table.pk, people[2], 2)).status == 409
    actions.take_seat(table.pk, people[1], 3)
    assert store.fresh(table.pk).free == (1, 2)


def test_the_table_passes_on_and_closes(open_table: Any, people: list[User]) -> None:
    table = open_table(people[0])
    actions.take_seat(table.pk, people[1], 2)
    state = actions.leave(table.pk, people[0])
    assert state.host_id == people[1].pk
    assert actions.leave(table.pk, people[1]).status == Table.CLOSED
    refused("not_open", lambda: actions.take_seat(table.pk, people[2], 0))


def test_the_host_removes_somebody_who_does_not_come_back(open_table: Any, people: list[User]) -> None:
    table = open_table(people[0])
    actions.take_seat(table.pk, people[1], 1)
    refused("not_host", lambda: actions.unseat(table.pk, people[1], 0))
    actions.unseat(table.pk, people[0], 1)
    refused("barred", lambda: actions.take_seat(table.pk, people[1], 1))
    actions.add_bot(table.pk, people[0], 1, "normal")
    actions.unseat(table.pk, people[0], 1)
    assert store.fresh(table.pk).free == (1, 2, 3)


def test_when_the_first_starts_the_others_let_go(
    open_table: Any, people: list[User], django_capture_on_commit_callbacks: Any
) -> None:
    first = open_table(people[0])
    second = open_table(people[1])
    third = open_table(people[2])
    for table in (first, second, third):
        for person in people[:3]:
            if store.fresh(table.pk).seat_of(person.pk) is None:
                actions.take_seat(table.pk, person, store.fresh(table.pk).free[0])
    with django_capture_on_commit_callbacks(execute=True):
        actions.take_seat(second.pk, people[3], store.fresh(second.pk).free[0])
    assert store.fresh(second.pk).phase == "calling"
    assert store.fresh(first.pk).status == Table.CLOSED
    assert store.fresh(third.pk).status == Table.CLOSED
    refused("plays_elsewhere", lambda: open_table(people[0]))


def test_who_plays_elsewhere_loses_the_seat_and_the_table_waits(
    full_table: Any, open_table: Any, people: list[User]
) -> None:
    waiting = open_table(people[4])
    actions.take_seat(waiting.pk, people[0], 1)
    full_table()
    # The release has not run (its process died): the database still holds one match a person.
    actions.take_seat(waiting.pk, people[5], 2)
    actions.add_bot(waiting.pk, people[4], 3, "normal")
    state = store.fresh(waiting.pk)
    assert state.status == Table.OPEN
    assert state.free == (1,)
    assert not Seat.objects.filter(table=waiting, playing=True).exists()


def test_the_database_holds_one_match_a_person(full_table: Any, open_table: Any, people: list[User]) -> None:
    full_table()
    other = open_table(people[5])
    with pytest.raises(IntegrityError), transaction.atomic():
        Seat.objects.create(table=other, index=2, user=people[0], name="Asha", playing=True)


def test_leaving_a_match_and_coming_back(full_table: Any, open_table: Any, people: list[User]) -> None:
    table = full_table()
    seat = store.fresh(table.pk).turn
    state = actions.leave(table.pk, people[seat])
    assert state.seats[seat].left
    refused("not_seated", lambda: actions.call(table.pk, people[seat].pk, 2, deal=1, number=0))
    actions.tick(table.pk)
    state = store.fresh(table.pk)
    assert (state.acts[0].seat, state.acts[0].by) == (seat, "absent")
    other = open_table(people[seat], bots={1: "normal", 2: "normal", 3: "normal"})
    refused("plays_elsewhere", lambda: actions.back(table.pk, people[seat]))
    actions.leave(other.pk, people[seat])
    assert not actions.back(table.pk, people[seat]).seats[seat].left


def test_play_now(open_table: Any, people: list[User]) -> None:
    alone = actions.play_now(people[0])
    assert store.fresh(alone.pk).phase == "calling"
    assert actions.play_now(people[0]).pk == alone.pk
    waiting = open_table(people[1])
    assert actions.play_now(people[2]).pk == waiting.pk
    assert store.fresh(waiting.pk).seat_of(people[2].pk) is not None


def test_play_now_passes_by_private_tables_and_deserted_ones(open_table: Any, people: list[User]) -> None:
    open_table(people[0], public=False)
    assert store.fresh(actions.play_now(people[1]).pk).phase == "calling"


def test_nobody_opens_tables_without_end(open_table: Any, people: list[User]) -> None:
    for _ in range(5):
        open_table(people[0])
    refused("too_many_open", lambda: open_table(people[0]))


def test_nobody_keeps_the_house_busy_with_bots_alone(open_table: Any, people: list[User]) -> None:
    only_bots = dict.fromkeys(range(4), "normal")
    for _ in range(2):
        open_table(people[0], bots=only_bots, seat=None)
    refused("too_many_bots", lambda: open_table(people[0], bots=only_bots, seat=None))
    refused("too_many_bots", lambda: actions.play_now(people[0]))
    open_table(people[1], bots=only_bots, seat=None)


def test_play_now_passes_by_who_is_gone(open_table: Any, people: list[User]) -> None:
    ghost = open_table(people[0])
    Seat.objects.filter(table=ghost).update(last_seen=timezone.now() - timedelta(seconds=60))
    assert actions.play_now(people[1]).pk != ghost.pk


def test_sitting_down_twice_is_once(open_table: Any, people: list[User]) -> None:
    table = open_table(people[0])
    actions.take_seat(table.pk, people[1], 2)
    assert actions.take_seat(table.pk, people[1], 2).free == (1, 3)


def test_who_is_not_seated_at_the_start_is_told(full_table: Any, open_table: Any, people: list[User]) -> None:
    from games.actions import seats

    waiting = open_table(people[4], bots={1: "normal", 2: "normal"})
    full_table()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(seats, "may_sit_down", lambda user_id: None)  # both requests were let in at once
        refused("unseated", lambda: actions.take_seat(waiting.pk, people[0], 3))
    assert store.fresh(waiting.pk).free == (3,)


def test_who_left_sees_no_turn_of_his(full_table: Any, people: list[User]) -> None:
    table = full_table()
    seat = store.fresh(table.pk).turn
    actions.leave(table.pk, people[seat])
    view = view_of(store.fresh(table.pk), people[seat].pk)
    assert (view.my_turn, view.calls, view.legal, view.obligation) == (False, (), frozenset(), None)


def test_who_left_finds_the_way_back(full_table: Any, people: list[User], client: Any) -> None:
    table = full_table(public=False)
    actions.leave(table.pk, people[0])
    client.force_login(people[0])
    assert f"/t/{table.code}/" in client.get("/people/me/").content.decode()


def test_a_double_click_opens_one_table(people: list[User], client: Any) -> None:
    client.force_login(people[0])
    for _ in range(2):
        answer = client.post("/tables/new/", {"rules": "kal", "name": "Twice"})
        assert answer.status_code == 302
    assert Table.objects.count() == 1


def test_nobody_gone_stakes(open_table: Any, people: list[User]) -> None:
    table = open_table(people[0], stake=50, asks_for=50)
    for index in range(3):
        actions.take_seat(table.pk, people[index], index, agreed=50)
    Seat.objects.filter(table=table, index=1).update(last_seen=timezone.now() - timedelta(seconds=60))
    actions.take_seat(table.pk, people[3], 3, agreed=50)
    assert store.fresh(table.pk).free == (1,)


def test_an_answers_address_leads_to_the_table(full_table: Any, client: Any) -> None:
    table = full_table()
    assert client.get(f"/t/{table.code}/play/")["Location"] == f"/t/{table.code}/"
    for code in ("%00", "nonesuch22", "a" * 11, "A" * 10):
        assert client.get(f"/t/{code}/").status_code == 404
