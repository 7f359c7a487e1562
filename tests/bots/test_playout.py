"""The bots' own engine against the rules, which are the authority: legal cards, what a card tells, scores, winners."""

from __future__ import annotations

import random

import pytest

from games import rules
from games.bots import mind, playout
from games.rules import PRESETS, Ruleset

VARIANTS: list[dict[str, object]] = [
    {"cut": cut, "overtrump": over, "losing_spade": losing, "head": head, "spade_first_lead": lead}
    for cut in (True, False)
    for over in (True, False)
    for losing in ("forced", "free")
    for head in ("until_trumped", "always", "never")
    for lead in (True, False)
]


def rulesets() -> list[Ruleset]:
    """The presets, and a house set for every way of playing cards."""
    return [*PRESETS.values(), *(PRESETS["official"].changed(**variant) for variant in VARIANTS)]


def position(chance: random.Random, ruleset: Ruleset, players: int) -> tuple[int, list[int], bool]:
    """A hand, the cards down before it, and whether the deal's first lead is due, at random."""
    size = chance.randint(1, len(rules.deck(players)) // players)
    down = chance.randint(0, players - 1)
    cards = chance.sample(rules.deck(players), size + down)
    return rules.hand_of(cards[down:]), cards[:down], chance.random() < 0.3


def trick_of(cards: list[int]) -> tuple[int, int, int]:
    """Led suit, highest card of it, highest spade that cut, as the engine has a trick."""
    if not cards:
        return -1, -1, -1
    led = cards[0] // 13
    cuts = [card for card in cards if card // 13 == 3 and led != 3]
    return led, max(card for card in cards if card // 13 == led), max(cuts, default=-1)


def test_legal_cards_are_those_of_the_rules():
    chance = random.Random(1)
    every = rulesets()
    for _ in range(30_000):
        ruleset = chance.choice(every)
        players = chance.choice(ruleset.players)
        hand, cards, first = position(chance, ruleset, players)
        numbers = mind.numbers_of(ruleset, players, last=False)
        own = playout.legal_cards(numbers, hand, *trick_of(cards), int(first))
        assert own == rules.legal_plays(ruleset, hand, cards, first_lead=first).cards, (ruleset, hand, cards)


def test_a_card_tells_which_cards_its_player_cannot_have():
    chance = random.Random(2)
    every = rulesets()
    for _ in range(3_000):
        ruleset = chance.choice(every)
        players = chance.choice(ruleset.players)
        _hand, cards, first = position(chance, ruleset, players)
        numbers = mind.numbers_of(ruleset, players, last=False)
        free = [card for card in rules.deck(players) if card not in cards]
        card = chance.choice(free)
        told = playout.excluded(numbers, card, *trick_of(cards), int(first))
        for other in free:
            pair = rules.hand_of([card, other])
            legal = rules.legal_plays(ruleset, pair, cards, first_lead=first).cards
            assert (told >> other & 1) == (not legal >> card & 1), (ruleset, cards, card, other)


def test_scores_are_those_of_the_rules():
    for ruleset in [*PRESETS.values(), PRESETS["kal"].changed(broken="shortfall")]:
        for players in ruleset.players:
            numbers = mind.numbers_of(ruleset, players, last=False)
            for call in ruleset.call_range(players):
                for took in range(rules.tricks_in_deal(players) + 1):
                    assert playout.score(numbers, call, took) == rules.deal_score(ruleset, call, took)


@pytest.mark.parametrize("name", PRESETS)
def test_whole_deals_played_out_end_as_in_the_rules(name: str):
    """Every card that the rule of thumb plays is legal, and the tricks go to whom the rules give them."""
    ruleset = PRESETS[name]
    chance = random.Random(3)
    for number in range(12):
        players = chance.choice(ruleset.players)
        deal = rules.DealState.start(ruleset, number % players, rules.shuffle(bytes([number] * 32), players))
        for seat in deal.order():
            deal = deal.call(seat, chance.choice(ruleset.call_range(players)[:4]))
        numbers = mind.numbers_of(ruleset, players, last=False)
        hands, took, first = list(deal.hands), [0] * players, deal.turn
        assert first is not None
        playout.finish(
            numbers,
            hands,
            [0] * players,
            took,
            [call or 0 for call in deal.calls],
            rules.hand_of(rules.deck(players)),
            first,
            -1,
            -1,
            -1,
            0,
            0,
            1,
        )
        while deal.turn is not None:
            sight = rules.sight_of(deal, deal.turn, totals=(0,) * players, deal_number=1, length=5)
            deal = deal.play(deal.turn, mind.thumb_card(sight))
        assert sum(took) == rules.tricks_in_deal(players)
        assert not any(hands)
