"""The walk among the worlds: it never leaves what is possible, and finds what the calls tell."""

from __future__ import annotations

import random

from games.bots import mind, playout
from games.rules import PRESETS, Sight
from tests.bots.conftest import sight, some_deal


def worlds(view: Sight, number: int, seed: int) -> list[list[int]]:
    """So many worlds of the walk, each the hands by seat."""
    known = mind.know(view)
    tight, holders, needs, loose = mind._tight(known)
    players = view.players
    hands, room, rooms, chance = [0] * players, [0] * players, [0] * 32, [seed]
    found = []
    for index in range(number):
        playout.another(
            known.rules, view.seat, index, tight, holders, needs, len(tight), loose, len(loose), known.counts,
            known.allowed, known.played, known.calls, mind.value_table(view.ruleset, players),
            list(mind.centres(view.ruleset, players)), list(mind.fits()), hands, room, rooms, chance,
        )  # fmt: skip
        found.append(list(hands))
    return found


def test_every_world_is_possible():
    chance = random.Random(8)
    for number in range(30):
        ruleset = list(PRESETS.values())[number % len(PRESETS)]
        players = chance.choice(ruleset.players)
        deal = some_deal(ruleset, players, number, chance.randint(players, 8 * players))
        if deal.turn is None:
            continue
        view = sight(deal)
        known = mind.know(view)
        for hands in worlds(view, 30, number + 1):
            together = 0
            for seat, hand in enumerate(hands):
                if seat != view.seat:
                    assert hand.bit_count() == view.counts[seat]
                    assert hand & ~known.allowed[seat] == 0
                    together |= hand
            assert together == known.unseen


def test_who_called_high_is_given_the_better_hand():
    deal = some_deal(PRESETS["kal"], 4, 2, 0)
    for seat, call in zip(deal.order(), (6, 1, 1, 2), strict=True):
        deal = deal.call(seat, call)
    leader, *low = deal.order()[:3]
    view = sight(deal)
    while view.seat == leader:  # whoever looks must not be the one who called
        deal = deal.play(leader, next(card for card in range(52) if deal.legal().cards >> card & 1))
        view = sight(deal)
    table = mind.value_table(view.ruleset, 4)
    played = mind.know(view).played

    def mean(seat: int) -> float:
        found = worlds(view, 300, 5)
        return sum(playout.value_of(table, hands[seat] | played[seat]) for hands in found) / len(found)

    other = next(seat for seat in low if seat != view.seat)
    assert mean(leader) > mean(other) + 1.5 * playout.UNIT


def test_every_possible_world_comes_up_where_nothing_is_told():
    """Three cards hidden in three hands, no calls to fit: all six ways about as often."""
    rules = mind.numbers_of(PRESETS["kal"], 4, last=False)
    hands, seen = [0] * 4, {}
    table, centres, fits = [0] * playout.FEATURES, [0] * 18, list(mind.fits())
    room, rooms, chance = [0] * 4, [0] * 32, [77]
    for index in range(6000):
        playout.another(
            rules, 0, index, [0], [0], [0], 0, [3, 17, 40], 3, [1, 1, 1, 1], [(1 << 52) - 1] * 4, [0] * 4, [0] * 4,
            table, centres, fits, hands, room, rooms, chance,
        )  # fmt: skip
        seen[tuple(hands[1:])] = seen.get(tuple(hands[1:]), 0) + 1
    assert len(seen) == 6
    assert min(seen.values()) > 800
