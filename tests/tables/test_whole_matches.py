"""Whole random matches through the real actions, looked at after every single one.

The state folded from the database must be what the pure rules make of the same calls and plays, and no viewer's page
may name a card that the viewer has no right to know.
"""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from django.db import transaction

from accounts.models import User
from games import actions, board, rules
from games.models import Action, Deal, Table
from games.state import TableState, read, store
from games.view import view_of

PRESETS = [(name, players) for name, preset in rules.PRESETS.items() for players in preset.players]
RANK_WORDS = {"ace": "A", "king": "K", "queen": "Q", "jack": "J", "10": "T"}
SUIT_WORDS = {"spades": "S", "hearts": "H", "diamonds": "D", "clubs": "C"}
CODE = re.compile(r"(?<![A-Za-z0-9])([2-9TJQKA][SHDC])(?![A-Za-z0-9])")
WORDS = re.compile(r"\b(ace|king|queen|jack|10|[2-9]) +of +(spades|hearts|diamonds|clubs)", re.I)
TAG = re.compile(r"<[^>]*>")
FACE = re.compile(r"<b[^>]*>(10|[2-9AKQJ])</b><svg[^>]*><use href=\"#([shdc])\"")


def cards_named(html: str) -> set[rules.Card]:
    """Every card that a piece of HTML shows or names: as a value, in words, or drawn."""
    found = {rules.parse_card(code) for code in CODE.findall(html)}
    # In attributes as they stand; in the text with the tags between its words taken out.
    for rank, suit in WORDS.findall(html) + WORDS.findall(TAG.sub(" ", html)):
        found.add(rules.parse_card(RANK_WORDS.get(rank.lower(), rank) + SUIT_WORDS[suit.lower()]))
    for rank, suit in FACE.findall(html):
        found.add(rules.parse_card(rank.replace("10", "T") + suit.upper()))
    return found


def page(state: TableState, user_id: int | None) -> str:
    """Everything a viewer's board says."""
    return "".join(board.regions(view_of(state, user_id)).values())


def look(table: Table, engine: rules.DealState, people: list[User]) -> None:
    """Compare the stored state with the engine, and every viewer's page with what he may see."""
    state = read(Table.objects.get(pk=table.pk))
    assert state == store.fresh(table.pk)
    assert state.deal == engine
    over = engine.phase == "over"
    open_cards = {card for _seat, card in engine.plays}
    for seat in (*range(state.players), None):
        user_id = people[seat].pk if seat is not None else None
        mine = state.seat_of(user_id)
        allowed = open_cards | (set(rules.cards_of(engine.hands[mine.index])) if mine is not None else set())
        if over:
            allowed = set(rules.deck(state.players))
        shown = cards_named(page(state, user_id))
        assert shown <= allowed, rules.hand_text(rules.hand_of(shown - allowed))
        if mine is not None and not over:
            assert set(rules.cards_of(engine.hands[mine.index])) <= shown


def stored_hands(table: Table) -> tuple[int, Deal, tuple[int, ...]]:
    deal = Deal.objects.filter(table=table, redealt="").latest("number")
    return deal.number, deal, tuple(rules.parse_hand(text) for text in deal.hands)


@pytest.mark.parametrize(("preset", "players"), PRESETS)
def test_every_action_of_a_whole_match(
    preset: str, players: int, full_table: Any, people: list[User], django_capture_on_commit_callbacks: Any
) -> None:
    chance = random.Random(f"{preset}{players}")
    ruleset = rules.PRESETS[preset]
    bots = {players - 1: "normal"}
    table = full_table(preset, players=players, length=2, bots=bots)
    engine = None
    results: list[tuple[int, ...]] = []
    while True:
        number, deal, hands = stored_hands(table)
        assert number == len(results) + 1
        engine = rules.DealState.start(ruleset, deal.dealer, hands)
        look(table, engine, people)
        while engine.phase != "over":
            seat = engine.turn
            assert seat is not None
            with django_capture_on_commit_callbacks(execute=True):
                if seat in bots:
                    actions.tick(table.pk)
                elif engine.phase == "calling":
                    value = chance.choice(list(ruleset.call_range(players)))
                    actions.call(table.pk, people[seat].pk, value, deal=number, number=engine.number)
                else:
                    value = chance.choice(rules.cards_of(engine.legal().cards))
                    actions.play(table.pk, people[seat].pk, value, deal=number, number=engine.number)
            last = Action.objects.filter(deal=deal).latest("number")
            assert last.number == engine.number
            engine = (
                engine.call(seat, last.value) if engine.phase == "calling" else engine.play(seat, last.value)
            )
            look(table, engine, people)
        results.append(engine.scores())
        state = store.fresh(table.pk)
        assert [each.scores for each in state.scored] == results
        if rules.match_over(ruleset, table.length, results):
            break
        with django_capture_on_commit_callbacks(execute=True):
            for seat in range(players):
                if seat not in bots:
                    actions.next_deal(table.pk, people[seat], number)
    table.refresh_from_db()
    assert table.status == Table.FINISHED
    totals = tuple(sum(each) for each in zip(*results, strict=True))
    assert state.totals == totals
    assert view_of(state, None).outcome == rules.outcome(ruleset, totals)
    assert not table.seats.filter(playing=True).exists()


def test_a_rolled_back_action_leaves_nothing(full_table: Any, people: list[User]) -> None:
    table = full_table("kal")
    state = store.fresh(table.pk)
    seat = state.turn
    with transaction.atomic():
        actions.call(table.pk, people[seat].pk, 2, deal=1, number=0)
        transaction.set_rollback(True)
    assert not Action.objects.exists()
    assert store.fresh(table.pk).acts == ()
