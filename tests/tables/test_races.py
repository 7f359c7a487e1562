"""Everybody at once, with real threads on the real database: one of them wins, nothing happens twice."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connections
from django.utils import timezone

from accounts import coins
from accounts.models import Account, User
from games import actions, rules
from games.actions import house
from games.errors import Refusal
from games.models import Action, Deal, Ruleset, Seat, Table
from games.state import read, store

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]


@pytest.fixture
def people(transactional_db: None) -> list[User]:
    """Six people, in a database that every thread sees."""
    return [
        User.objects.create_user(username=name, password="x")
        for name in ("Asha", "Bimal", "Chet", "Devi", "Ekta", "Fani")
    ]


def table_of(user: User, preset: str = "kal", **changes: Any) -> Table:
    ruleset = Ruleset.objects.get(slug=preset)
    arguments: dict[str, Any] = {
        "name": "A table",
        "ruleset": ruleset,
        "rules": ruleset.rules,
        "rules_name": ruleset.name,
        "players": 4,
        "length": 1,
        "call_clock": ruleset.rules.call_clock,
        "card_clock": ruleset.rules.card_clock,
        "pace": "fast",
        "public": True,
        "watchable": True,
        "bots": {},
        "seat": 0,
    }
    return actions.open_table(user, **{**arguments, **changes})


def match_of(people: list[User], preset: str = "kal", **changes: Any) -> Table:
    stake = changes.get("stake", 0)
    table = table_of(people[0], preset, **changes)
    for index in store.fresh(table.pk).free:
        actions.take_seat(table.pk, people[index], index, agreed=stake)
    return table


def at_once(*works: Callable[[], Any]) -> list[Any]:
    """Run all of these at the same moment; what each gave, or the refusal it met. Anything else fails the test."""
    gate = threading.Barrier(len(works))

    def run(work: Callable[[], Any]) -> Any:
        gate.wait()
        try:
            return work()
        except Refusal as refusal:
            return refusal
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(run, works))


def refusals(results: list[Any]) -> int:
    return sum(isinstance(result, Refusal) for result in results)


def test_the_same_call_from_many_tabs(people: list[User]) -> None:
    table = match_of(people)
    person = people[store.fresh(table.pk).turn]
    call = lambda: actions.call(table.pk, person.pk, 3, deal=1, number=0)  # noqa: E731
    assert refusals(at_once(*[call] * 6)) == 5
    assert Action.objects.count() == 1
    assert Table.objects.get(pk=table.pk).version == store.fresh(table.pk).version


def test_two_different_cards_at_once(people: list[User]) -> None:
    table = match_of(people, "relaxed")
    while (state := store.fresh(table.pk)).phase == "calling":
        house.act_for(state, Action.BOT)
    person = people[state.turn]
    cards = rules.cards_of(state.deal.legal().cards)[:4]
    number = state.deal.number
    plays = [
        lambda card=card: actions.play(table.pk, person.pk, card, deal=1, number=number) for card in cards
    ]
    assert refusals(at_once(*plays)) == len(cards) - 1
    assert Action.objects.filter(kind="play").count() == 1


def test_the_player_and_the_clock_at_once(people: list[User]) -> None:
    table = match_of(people, "strict")
    state = store.fresh(table.pk)
    Table.objects.filter(pk=table.pk).update(turn_at=timezone.now() - timedelta(seconds=31))
    store.clear()
    person = people[state.turn]
    at_once(
        lambda: actions.call(table.pk, person.pk, 5, deal=1, number=0),
        *[lambda: actions.tick(table.pk)] * 4,
    )
    assert Action.objects.count() == 1


def test_the_last_seat_is_taken_once(people: list[User]) -> None:
    table = table_of(people[0])
    for index in (1, 2):
        actions.take_seat(table.pk, people[index], index)
    results = at_once(*[lambda p=person: actions.take_seat(table.pk, p, 3) for person in people[3:]])
    assert refusals(results) == 2
    assert Deal.objects.count() == 1
    assert Seat.objects.filter(table=table, playing=True).count() == 4


def test_two_tables_starting_at_once_do_not_both_get_him(people: list[User]) -> None:
    first = table_of(people[0], bots={1: "normal", 2: "normal"})
    second = table_of(people[1], bots={1: "normal", 2: "normal"})
    wanted = people[2]
    at_once(
        lambda: actions.take_seat(first.pk, wanted, 3),
        lambda: actions.take_seat(second.pk, wanted, 3),
    )
    assert Seat.objects.filter(user=wanted, playing=True).count() == 1
    assert Table.objects.filter(status=Table.PLAYING).count() == 1
    actions.tidy()
    assert Seat.objects.filter(user=wanted).count() == 1


def test_everybody_presses_next_at_once(people: list[User]) -> None:
    table = match_of(people, length=3)
    while (state := store.fresh(table.pk)).phase != "scored":
        house.act_for(state, Action.BOT)
    at_once(*[lambda p=person: actions.next_deal(table.pk, p, 1) for person in people[:4]])
    state = store.fresh(table.pk)
    assert (state.deal_number, state.phase) == (2, "calling")
    assert Deal.objects.count() == 2


def test_the_desk_cancels_while_the_last_card_is_played(people: list[User]) -> None:
    table = match_of(people, stake=50, asks_for=50)
    while (state := store.fresh(table.pk)).deal.number < 55:
        house.act_for(state, Action.BOT)
    person, card = people[state.turn], rules.cards_of(state.deal.legal().cards)[0]
    at_once(
        lambda: actions.play(table.pk, person.pk, card, deal=1, number=55),
        lambda: actions.cancel_by_house(table.pk, people[5], "a test"),
        lambda: actions.declare_draw(table.pk, people[5], "a test"),
    )
    after = Table.objects.get(pk=table.pk)
    assert after.status in (Table.FINISHED, Table.CANCELLED)
    assert Account.objects.get(code=table.code).balance == 0
    assert sum(coins.balance(each) for each in people[:4]) == 4000
    assert read(after).deal.number == (56 if after.status == Table.FINISHED else 55)


def test_all_of_it_at_once_leaves_a_table_that_folds(people: list[User]) -> None:
    """A storm of everything: whatever wins, the stored actions are a legal deal."""
    table = match_of(people, "strict")
    for _round in range(30):
        state = store.fresh(table.pk)
        if state.phase not in ("calling", "playing"):
            break
        person = people[state.turn]
        number = state.deal.number
        Table.objects.filter(pk=table.pk).update(turn_at=timezone.now() - timedelta(seconds=31))
        store.clear()
        if state.phase == "calling":
            own = lambda: actions.call(table.pk, person.pk, 2, deal=1, number=number)  # noqa: B023, E731
        else:
            card = rules.cards_of(state.deal.legal().cards)[0]
            own = lambda: actions.play(table.pk, person.pk, card, deal=1, number=number)  # noqa: B023, E731
        at_once(own, own, lambda: actions.tick(table.pk), lambda: actions.cancel(table.pk, people[0], True))
        after = read(Table.objects.get(pk=table.pk))
        # One by the player or the clock; the next player's only card may have followed by itself.
        assert after.deal.number in (number + 1, number + 2)


def test_four_rematches_at_once_are_one(people: list[User]) -> None:
    table = match_of(people)
    while (state := store.fresh(table.pk)).status == Table.PLAYING:
        house.act_for(state, Action.BOT)
    again = at_once(*[lambda p=person: actions.rematch(table.pk, p) for person in people[:4]])
    assert len({each.pk for each in again}) == 1
    assert Table.objects.count() == 2


def test_play_now_pressed_twice(people: list[User]) -> None:
    tables = at_once(*[lambda: actions.play_now(people[0])] * 2)
    assert len({table.pk for table in tables}) == 1
    assert Seat.objects.filter(user=people[0], playing=True).count() == 1


def test_the_late_player_acts_while_the_others_hurry_him(people: list[User]) -> None:
    table = match_of(people, "classic")
    state = store.fresh(table.pk)
    Table.objects.filter(pk=table.pk).update(late=True, turn_at=timezone.now() - timedelta(seconds=121))
    store.clear()
    late = state.turn
    at_once(
        lambda: actions.call(table.pk, people[late].pk, 3, deal=1, number=0),
        *[lambda p=people[i]: actions.nudge(table.pk, p, state.moment) for i in range(4) if i != late],
    )
    assert Action.objects.count() == 1


def test_the_last_coins_are_staked_at_one_table(people: list[User]) -> None:
    tables = [table_of(person, stake=600, asks_for=600) for person in (people[0], people[0])]
    for table in tables:
        actions.take_seat(table.pk, people[0], 0, agreed=600)
        actions.take_seat(table.pk, people[1], 1, agreed=600)
        actions.take_seat(table.pk, people[2], 2, agreed=600)
    at_once(
        lambda: actions.take_seat(tables[0].pk, people[3], 3, agreed=600),
        lambda: actions.take_seat(tables[1].pk, people[4], 3, agreed=600),
    )
    playing = Table.objects.filter(status=Table.PLAYING)
    assert playing.count() == 1
    assert Account.objects.get(code=playing.get().code).balance == 2400
    assert [coins.balance(each) for each in people[:3]] == [400] * 3
    assert sum(coins.balance(each) for each in people[3:5]) == 1400
