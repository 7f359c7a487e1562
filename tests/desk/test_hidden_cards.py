"""No page of the desk names a card of a running deal that has not been played."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games import actions, rules
from games.admin.log import SUITS
from games.models import Action, Deal, Table
from games.state import store
from tests.tables.test_whole_matches import cards_named

from .conftest import let_wait

FACE = re.compile(f"(10|[2-9JQKA])([{SUITS}])")


def named(html: str) -> set[rules.Card]:
    """Every card that a page names, in words, in code or by its sign."""
    found = cards_named(html)
    for rank, sign in FACE.findall(html):
        found.add(rules.parse_card(rank.replace("10", "T") + "CDHS"[SUITS.index(sign)]))
    return found


def pages(owner: Client, table: Table) -> str:
    """All that the desk says of a table."""
    url = reverse("admin:games_table_change", args=[table.pk])
    lists = [
        reverse("admin:index"),
        reverse("admin:games_table_changelist"),
        reverse("admin:games_table_history", args=[table.pk]),
        reverse("admin:admin_logentry_changelist"),
    ]
    asks = [reverse(f"admin:games_table_{verb}", args=[table.pk]) for verb in ("cancel", "draw", "act")]
    return "".join(owner.get(address).content.decode() for address in [url, *lists, *asks])


@pytest.mark.parametrize(("preset", "seed"), [("kal", 1), ("strict", 2)])
def test_only_what_lies_open(
    preset: str, seed: int, full_table: Any, people: list[User], owner: Client
) -> None:
    chance = random.Random(seed)
    table = full_table(preset, length=3)
    while (state := store.fresh(table.pk)).phase != "scored":
        assert state.deal is not None
        if state.deal.number % 14 == 3:
            let_wait(table, minutes=5)
            played = {card for _seat, card in state.deal.plays}
            shown = named(pages(owner, table))
            assert shown == played, rules.hand_text(rules.hand_of(shown ^ played))
        _act(table, people, chance)
    assert named(pages(owner, table)) == set(rules.deck(4))


def _act(table: Table, people: list[User], chance: random.Random) -> None:
    state = store.fresh(table.pk)
    assert state.deal is not None
    assert state.turn is not None
    moment = {"deal": state.deal_number, "number": state.deal.number}
    who = people[state.turn].pk
    if state.phase == "calling":
        actions.call(table.pk, who, chance.randint(1, 4), **moment)
    else:
        actions.play(table.pk, who, chance.choice(rules.cards_of(state.deal.legal().cards)), **moment)


def test_that_a_card_was_the_only_one_is_told_after_the_deal(full_table: Any, owner: Client) -> None:
    table = full_table("strict")
    deal = Deal.objects.get(table=table)
    actions.act_for_stuck(table.pk, store.fresh(table.pk).moment)
    Action.objects.filter(deal=deal).update(by=Action.SINGLE)
    url = reverse("admin:games_table_change", args=[table.pk])
    assert "the only legal card" not in owner.get(url).content.decode()
    while store.fresh(table.pk).phase != "scored":
        actions.act_for_stuck(table.pk, store.fresh(table.pk).moment)
    assert "the only legal card" in owner.get(url).content.decode()


def test_the_history_names_no_card(full_table: Any, owner: Client) -> None:
    table = full_table("kal")
    for _step in range(6):
        let_wait(table, minutes=5)
        state = store.fresh(table.pk)
        shown = {"reason": "stuck", "shown": f"playing {state.moment}"}
        owner.post(reverse("admin:games_table_act", args=[table.pk]), shown)
    assert LogEntry.objects.count() == 6
    assert not named("".join(entry.get_change_message() for entry in LogEntry.objects.all()))
