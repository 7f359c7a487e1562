"""No card of another hand is in any viewer's HTML until the deal is scored, nor any way to look back."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

from games import rules
from games.board import words
from games.state import TableState
from tests.board.made import all_html, dealt, regions, table, through

TABLES = [
    *((preset, 4) for preset in ("classic", "kal", "relaxed", "strict")),
    ("official", 3),
    ("custom", 5),
]
SINGLE = "single"


WORDS = {words.card_name("en", card): card for card in rules.deck(4)}
CODES = re.compile(r"(?<![0-9A-Za-z])[2-9TJQKA][CDHS](?![0-9A-Za-z])")
NAMES = re.compile(r"(?:10|[2-9]|jack|queen|king|ace) of (?:clubs|diamonds|hearts|spades)", re.IGNORECASE)
DRAWN = re.compile(r'<i class="mini ([cdhs])"[^>]*>(10|[2-9JQKA])<svg')


def named(html: str) -> set[rules.Card]:
    """The cards that a piece of HTML names: by their code in any attribute, in words, or drawn in a sentence."""
    found = {rules.parse_card(code) for code in CODES.findall(html)}
    found |= {WORDS[name.lower()] for name in NAMES.findall(html)}
    return found | {
        rules.parse_card(rank.replace("10", "T") + suit.upper()) for suit, rank in DRAWN.findall(html)
    }


def may_be_named(state: TableState, viewer: int | None) -> set[rules.Card]:
    """What a viewer may see: the hand he holds, the tricks on the table, the plays among the last six lines."""
    deal = state.deal
    assert deal is not None
    seen = {card for _seat, card in deal.trick}
    if len(deal.trick) <= 1:
        seen |= {card for _seat, card in deal.last_trick}
    seen |= {card for _seat, card in deal.plays[-6:]}
    if viewer is not None:
        seen |= set(rules.cards_of(deal.hands[viewer]))
    return seen


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_a_viewer_is_shown_his_hand_and_the_table_and_nothing_else(preset: str, players: int) -> None:
    for state in through(dealt(table(preset, players), seed=players + len(preset)))[:-1]:
        for viewer in (*range(players), None):
            assert named(all_html(state, viewer)) <= may_be_named(state, viewer)


def test_one_sees_all_of_ones_own_hand() -> None:
    for state in through(dealt(table()))[:-1]:
        assert state.deal is not None
        for viewer in range(4):
            assert set(rules.cards_of(state.deal.hands[viewer])) <= named(regions(state, viewer)["hand"])


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_other_hidden_cards_make_no_other_page(preset: str, players: int) -> None:
    chance = random.Random(players)
    for state in through(dealt(table(preset, players)))[:-1:3]:
        deal = state.deal
        assert deal is not None
        for viewer in (0, None):
            others = [seat for seat in range(players) if seat != viewer]
            unseen = [card for seat in others for card in rules.cards_of(deal.hands[seat])]
            chance.shuffle(unseen)
            hands = list(deal.hands)
            for seat in others:
                count = hands[seat].bit_count()
                hands[seat] = rules.hand_of(unseen[:count])
                del unseen[:count]
            redrawn = replace(state, deal=replace(deal, hands=tuple(hands), dealt=tuple(hands)))
            assert regions(redrawn, viewer) == regions(state, viewer)


def test_that_a_card_was_the_only_one_is_told_to_its_owner_alone() -> None:
    state = through(dealt(table("strict")))[20]
    assert state.deal is not None
    last = replace(state.acts[-1], by=SINGLE)
    state = replace(state, acts=(*state.acts[:-1], last))
    for viewer in (0, 1, 2, 3, None):
        assert ("the only one allowed" in all_html(state, viewer)) == (viewer == last.seat)


def test_hands_are_open_once_the_deal_is_scored() -> None:
    state = through(dealt(table()))[-1]
    assert state.deal is not None
    shown = regions(state, None)["stage"]
    assert named(shown) == {card for hand in state.deal.dealt for card in rules.cards_of(hand)}
