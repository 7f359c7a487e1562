"""What may not be done is refused with one sentence, and changes nothing."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games import actions, rules
from games.errors import Refusal
from games.models import Action, Table
from games.state import TableState, store


def called(table: Table, people: list[User]) -> TableState:
    """The table with all calls made."""
    state = store.fresh(table.pk)
    while state.phase == "calling":
        seat = state.turn
        state = actions.call(table.pk, people[seat].pk, 2, deal=1, number=state.deal.number)
    return state


def refused(code: str, work: Any) -> Refusal:
    """Run something that must be refused with this code."""
    with pytest.raises(Refusal) as caught:
        work()
    assert caught.value.code == code
    assert str(caught.value.sentence)
    return caught.value


def test_out_of_turn(full_table: Any, people: list[User]) -> None:
    table = full_table()
    state = store.fresh(table.pk)
    other = people[(state.turn + 1) % 4]
    refused("out_of_turn", lambda: actions.call(table.pk, other.pk, 2, deal=1, number=0))
    assert not Action.objects.exists()


@pytest.mark.parametrize("tricks", [0, 9, 13, 14, 99])
def test_a_call_out_of_range(full_table: Any, people: list[User], tricks: int) -> None:
    table = full_table()
    person = people[store.fresh(table.pk).turn]
    refused("call_range", lambda: actions.call(table.pk, person.pk, tricks, deal=1, number=0))
    assert not Action.objects.exists()


def test_twice_the_same_is_once(full_table: Any, people: list[User]) -> None:
    table = full_table()
    person = people[store.fresh(table.pk).turn]
    actions.call(table.pk, person.pk, 2, deal=1, number=0)
    assert refused("stale", lambda: actions.call(table.pk, person.pk, 2, deal=1, number=0)).status == 409
    assert Action.objects.count() == 1


def test_a_stranger_and_a_watcher_do_not_play(full_table: Any, people: list[User]) -> None:
    table = full_table()
    refused("not_seated", lambda: actions.call(table.pk, people[5].pk, 2, deal=1, number=0))


def test_a_card_not_held_and_a_card_not_legal(full_table: Any, people: list[User]) -> None:
    table = full_table()
    state = called(table, people)
    seat = state.turn
    foreign = rules.cards_of(state.deal.hands[(seat + 1) % 4])[0]
    number = state.deal.number
    refused("not_in_hand", lambda: actions.play(table.pk, people[seat].pk, foreign, deal=1, number=number))
    assert Action.objects.filter(kind="play").count() == 0
    while True:
        state = store.fresh(table.pk)
        seat = state.turn
        illegal = state.deal.hands[seat] & ~state.deal.legal().cards
        if illegal:
            break
        card = rules.lowest_card(state.deal.legal().cards)
        actions.play(table.pk, people[seat].pk, card, deal=1, number=state.deal.number)
    before = Action.objects.count()
    card = rules.cards_of(illegal)[0]
    number = state.deal.number
    refused("not_legal", lambda: actions.play(table.pk, people[seat].pk, card, deal=1, number=number))
    assert Action.objects.count() == before


def test_an_old_memory_does_not_refuse_what_the_database_allows(full_table: Any, people: list[User]) -> None:
    table = full_table()
    old = store.fresh(table.pk)
    person = people[old.turn]
    new = actions.call(table.pk, person.pk, 2, deal=1, number=0)
    store.clear()
    store.put(old)  # another process moved on, this one has not heard of it
    actions.call(table.pk, people[new.turn].pk, 3, deal=1, number=1)
    assert Action.objects.count() == 2


FORGED = [
    ("play", {}),
    ("play", {"card": "AS"}),
    ("play", {"card": "XX", "deal": "1", "number": "0"}),
    ("play", {"card": "AS", "deal": "x", "number": "-1"}),
    ("play", {"card": "AS" * 500, "deal": "1", "number": "4"}),
    ("call", {"call": "", "deal": "1", "number": "0"}),
    ("call", {"call": "٣", "deal": "1", "number": "0"}),
    ("call", {"call": "1e3", "deal": "1", "number": "0"}),
    ("call", {"call": "99999999999999999999", "deal": "1", "number": "0"}),
    ("sit", {"seat": "9"}),
    ("sit", {}),
    ("bot", {"seat": "1", "level": "god"}),
    ("unseat", {"seat": "1"}),
    ("next_deal", {"deal": "1"}),
    ("nudge", {"moment": "0"}),
    ("back", {}),
    ("rematch", {}),
]


@pytest.mark.parametrize(("verb", "fields"), FORGED)
@pytest.mark.parametrize("who", ["player", "stranger"])
def test_forged_requests(
    full_table: Any, people: list[User], verb: str, fields: dict[str, str], who: str
) -> None:
    table = full_table()
    client = Client()
    client.force_login(people[store.fresh(table.pk).turn] if who == "player" else people[5])
    before = store.fresh(table.pk)
    for headers in ({}, {"HX-Request": "true"}):
        answer = client.post(f"/t/{table.code}/{verb}/", fields, headers=headers)
        harmless = (200, 302) if (verb, who) == ("back", "player") else (409, 422)
        assert answer.status_code in harmless
        assert "Traceback" not in answer.content.decode()
    assert store.fresh(table.pk) == before


def test_nobody_signed_in_is_sent_to_sign_in(full_table: Any) -> None:
    table = full_table()
    answer = Client().post(f"/t/{table.code}/call/", {"call": "2", "deal": "1", "number": "0"})
    assert answer.status_code == 302
    assert f"next=/t/{table.code}/" in answer["Location"]


def test_csrf_is_asked_for(full_table: Any, people: list[User]) -> None:
    table = full_table()
    client = Client(enforce_csrf_checks=True)
    client.force_login(people[store.fresh(table.pk).turn])
    answer = client.post(f"/t/{table.code}/call/", {"call": "2", "deal": "1", "number": "0"})
    assert answer.status_code == 403
    assert not Action.objects.exists()


def test_no_such_table(people: list[User]) -> None:
    client = Client()
    client.force_login(people[0])
    assert client.get("/t/nonesuch22/").status_code == 404
    assert client.post("/t/nonesuch22/sit/", {"seat": "0"}).status_code == 404


def test_a_play_costs_few_queries(
    full_table: Any, people: list[User], django_assert_max_num_queries: Any
) -> None:
    table = full_table()
    person = people[store.fresh(table.pk).turn]
    client = Client()
    client.force_login(person)
    client.get(f"/t/{table.code}/")
    fields = {"call": "2", "deal": "1", "number": "0", "v": str(store.fresh(table.pk).version)}
    # The update, the insert, and the two ends of their transaction: no session, no person, no table is read.
    with django_assert_max_num_queries(4):
        answer = client.post(f"/t/{table.code}/call/", fields, headers={"HX-Request": "true"})
    assert answer.status_code == 200


def test_a_table_without_watchers_shows_nothing_to_strangers(full_table: Any, people: list[User]) -> None:
    table = full_table(watchable=False)
    stranger, player = Client(), Client()
    stranger.force_login(people[5])
    player.force_login(people[1])
    for client, status in ((Client(), 403), (stranger, 403), (player, 200)):
        assert client.get(f"/t/{table.code}/").status_code == status
        assert client.get(f"/t/{table.code}/board/").status_code == status
    answer = stranger.post(f"/t/{table.code}/next_deal/", {"deal": "1"})
    assert (answer.status_code, answer["Location"]) == (302, "/")
