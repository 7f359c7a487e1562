"""What the desk does to a table: cancel, declare a draw, help a stuck one, suspend a person."""

from __future__ import annotations

from typing import Any

import pytest

from accounts import coins
from accounts.models import Transfer, User
from games import actions
from games.models import Action, Table
from games.state import store

from .test_between import play_deal
from .test_refusals import refused
from .test_stakes import balances, escrow


@pytest.mark.parametrize(("verb", "ending"), [("cancel_by_house", "house"), ("declare_draw", "drawn")])
def test_every_stake_goes_back_with_who_and_why(
    staked: Any, people: list[User], verb: str, ending: str
) -> None:
    table = staked()
    getattr(actions, verb)(table.pk, people[5], "the power was out")
    state = store.fresh(table.pk)
    assert (state.status, state.ending) == (Table.CANCELLED, ending)
    assert balances(people) == [1000] * 4
    assert escrow(table) == 0
    refunds = Transfer.objects.filter(reason="refund")
    assert {(each.actor_id, each.note) for each in refunds} == {(people[5].pk, "the power was out")}
    refused("stale", lambda: getattr(actions, verb)(table.pk, people[5], "again"))
    assert refunds.count() == 4


def test_an_open_table_is_closed(open_table: Any, people: list[User]) -> None:
    table = open_table(people[0])
    assert actions.cancel_by_house(table.pk, people[5], "spam").status == Table.CLOSED
    refused("stale", lambda: actions.declare_draw(table.pk, people[5], "spam"))


def test_a_stuck_table_is_helped_once(full_table: Any, people: list[User]) -> None:
    table = full_table()
    state = store.fresh(table.pk)
    actions.act_for_stuck(table.pk, state.moment)
    assert Action.objects.get().by == Action.DESK
    refused("stale", lambda: actions.act_for_stuck(table.pk, state.moment))
    state = play_deal(table)
    assert state.phase == "scored"
    assert actions.act_for_stuck(table.pk, state.moment).deal_number == 2


def test_a_suspended_person_counts_as_departed(staked: Any, open_table: Any, people: list[User]) -> None:
    waiting = open_table(people[1])
    table = staked()
    person = User.objects.get(pk=people[0].pk)
    person.is_active = False
    person.save(update_fields=["is_active"])
    state = store.fresh(table.pk)
    assert state.seat_of(people[0].pk).left
    assert coins.balance(people[0]) == 950
    person = User.objects.get(pk=people[1].pk)
    person.is_active = False
    person.save(update_fields=["is_active"])
    assert store.fresh(waiting.pk).status == Table.CLOSED
