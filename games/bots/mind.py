"""From a sight to a decision: what is known of the hidden cards, what a hand is worth, and which end is best.

Everything is worked out from the sight and a seed, so the same two give the same card on every machine.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from games.bots import kernel, playout
from games.bots.playout import NONE, POSITION, UNIT
from games.rules import Card, Hand, Ruleset, Sight, cards_of, deck, hand_of, lowest_card, suit_mask

VALUES: dict[str, dict[str, list[int]]] = {
    key: {"table": value["table"], "spread": [value["spread"]]}
    for key, value in json.loads(Path(__file__).with_name("values.json").read_text()).items()
}
STEPS = 144
"""Eighths of a trick that a hand's value is looked up by: up to 18 tricks."""
FIT_SPREAD = 0.4
"""How far from the middle of its call a hand's value lies, in tricks: what calls tell of hands."""
LEAST_FIT = 8
EDGE = 90
"""In so many of 256 worlds a bot that plays worlds out takes a trick more than the rule of thumb would for it."""
AIM = 0.75
"""Where a trick too many breaks a call, players aim: their tricks spread by so much of what they would otherwise."""


@dataclass(frozen=True)
class Known:
    """What a seat knows, as the numbers `playout` takes; lists by seat unless said otherwise."""

    rules: list[int]
    position: list[int]
    calls: list[int]
    """0: not made yet."""
    took: list[int]
    totals: list[int]
    voids: list[int]
    """Bits of the suits a seat cannot have."""
    allowed: list[Hand]
    """The cards a seat may have by how it played, and by how little is out."""
    played: list[Hand]
    counts: list[int]
    unseen: Hand


def numbers_of(rules: Ruleset, players: int, *, last: bool) -> list[int]:
    """A ruleset as the list that `playout` calls `rules`."""
    numbers = [0] * playout.RULES
    numbers[playout.PLAYERS] = players
    numbers[playout.STEP] = rules.turn_step(players) % players
    numbers[playout.HEAD] = ("never", "until_trumped", "always").index(rules.head)
    numbers[playout.CUT] = int(rules.cut)
    numbers[playout.OVERTRUMP] = int(rules.overtrump)
    numbers[playout.FORCED] = int(rules.losing_spade == "forced")
    numbers[playout.SPADE_LEAD] = int(rules.spade_first_lead)
    numbers[playout.OVERTRICK] = rules.overtrick
    numbers[playout.ALLOWED] = NONE if rules.overtricks_allowed is None else rules.overtricks_allowed
    numbers[playout.BONUS_FROM] = NONE if rules.bonus_from is None else rules.bonus_from
    numbers[playout.BONUS] = rules.bonus_score or 0
    numbers[playout.SHORTFALL] = int(rules.broken == "shortfall")
    numbers[playout.TIE] = int(rules.tie == "draw")
    numbers[playout.LAST] = int(last)
    return numbers


def know(sight: Sight) -> Known:
    """Everything the seat to act can tell from its sight."""
    assert sight.seat is not None
    players = sight.players
    rules = numbers_of(sight.ruleset, players, last=sight.deal_number >= sight.length)
    whole = hand_of(deck(players))
    allowed, played = [whole] * players, [0] * players
    shown = [0] * players
    led, high, trump, winner, down, gone = -1, -1, -1, 0, 0, 0
    for number, (seat, card) in enumerate(sight.plays):
        if down == players:
            led, high, trump, down = -1, -1, -1, 0
        allowed[seat] &= ~playout.excluded(rules, card, led, high, trump, int(number == 0))
        played[seat] |= 1 << card
        gone |= 1 << card
        suit = card // 13
        if down == 0:
            led, high, winner = suit, card, seat
        elif suit == led:
            if card > high:
                high = card
                winner = seat if trump < 0 else winner
        else:
            shown[seat] |= 1 << led
            if suit == 3 and card > trump:
                trump, winner = card, seat
        down += 1
    if down == players:
        led, high, trump, down = -1, -1, -1, 0
    unseen = whole & ~gone & ~sight.hand
    voids = []
    for seat in range(players):
        # What a seat may have is what it has not shown to lack; its own hand is as unknown to the others.
        allowed[seat] &= whole & ~gone if seat == sight.seat else unseen
        voids.append(sum(1 << suit for suit in range(4) if not allowed[seat] & suit_mask(suit)))
    position = [0] * POSITION
    position[playout.SEAT] = sight.seat
    position[playout.LED], position[playout.HIGH], position[playout.TRUMP] = led, high, trump
    position[playout.WINNER], position[playout.DOWN] = winner, down
    position[playout.LEFT] = whole & ~gone
    position[playout.HAND] = sight.hand
    position[playout.TURN] = (sight.dealer + rules[playout.STEP]) % players
    position[playout.FIRST] = int(not sight.plays)
    return Known(
        rules=rules,
        position=position,
        calls=[call or 0 for call in sight.calls],
        took=list(sight.took),
        totals=list(sight.totals),
        voids=voids,
        allowed=allowed,
        played=played,
        counts=list(sight.counts),
        unseen=unseen,
    )


# ---------------------------------------------------------------- values and calls


def value_table(rules: Ruleset, players: int) -> list[int]:
    """The fitted table that hands are valued by here."""
    return VALUES[f"{players}/{rules.head}"]["table"]


def value(rules: Ruleset, players: int, hand: Hand) -> int:
    """The tricks a dealt hand is worth, in 1024ths.

    >>> from games.rules import PRESETS, parse_hand
    >>> value(PRESETS["kal"], 4, parse_hand("AS KS QS 9S 4S AH KH 3H AC 5C 2C 9D 4D")) > 5 * 1024
    True
    """
    return playout.value_of(value_table(rules, players), hand)


@lru_cache(maxsize=64)
def calls_by_value(rules: Ruleset, players: int) -> tuple[int, ...]:
    """The best call for a hand's value, by eighths of a trick, taking the tricks as spread normally about it."""
    spread = VALUES[f"{players}/{rules.head}"]["spread"][0] / UNIT
    if rules.overtricks_allowed is not None:
        spread *= AIM
    numbers = numbers_of(rules, players, last=False)
    calls = rules.call_range(players)
    most = len(deck(players)) // players
    best = []
    for step in range(STEPS):
        middle = (step + 0.5) / 8
        if rules.overtricks_allowed is None:
            chances = _spread(middle, spread, most)
            worth = {
                call: sum(chances[took] * playout.score(numbers, call, took) for took in range(most + 1))
                for call in calls
            }
        else:
            # With a call made, the next tricks are dodged: what is aimed at lies nearer to the call.
            worth = {}
            for call in calls:
                aim = call + rules.overtricks_allowed / 2
                chances = _spread(middle + (aim - middle) * 0.35, spread, most)
                worth[call] = sum(
                    chances[took] * playout.score(numbers, call, took) for took in range(most + 1)
                )
        best.append(max(calls, key=lambda call: (worth[call], -call)))
    return tuple(best)


def _spread(middle: float, spread: float, most: int) -> list[float]:
    def up_to(tricks: float) -> float:
        return 0.5 * (1 + math.erf((tricks - middle) / (spread * math.sqrt(2))))

    chances = [up_to(took + 0.5) - up_to(took - 0.5) for took in range(most + 1)]
    chances[0], chances[most] = up_to(0.5), 1 - up_to(most - 0.5)
    return chances


def call_by_value(rules: Ruleset, players: int, worth: int) -> int:
    """The call for a hand worth this many 1024ths of a trick."""
    return calls_by_value(rules, players)[max(0, min(STEPS - 1, worth >> 7))]


@lru_cache(maxsize=64)
def centres(rules: Ruleset, players: int) -> tuple[int, ...]:
    """By call, the value in the middle of the hands that make it; calls no value makes go on in whole tricks."""
    by_value = calls_by_value(rules, players)
    middles: dict[int, int] = {}
    for call in set(by_value):
        steps = [step for step, best in enumerate(by_value) if best == call]
        low, high = max(steps[0], steps[-1] - 12), min(steps[-1], steps[0] + 12)
        middles[call] = 128 * (low + high + 1) // 2
    made = sorted(middles)
    found = []
    for call in range(18):
        near = min(made, key=lambda other: (abs(other - call), other))
        found.append(middles[near] + UNIT * (call - near))
    return tuple(found)


@lru_cache(maxsize=1)
def fits() -> tuple[int, ...]:
    """By 16ths of a trick off the middle, how likely the call still is; a call off all measure is never impossible."""
    weights = (round(playout.FIT * math.exp(-((step / 16) ** 2) / (2 * FIT_SPREAD**2))) for step in range(64))
    return tuple(max(LEAST_FIT, weight) for weight in weights)


# ---------------------------------------------------------------- the rule of thumb


def thumb_call(sight: Sight, shift: int = 0) -> int:
    """The call by the value of the hand, corrected for what was called before; `shift` in 1024ths of a trick."""
    worth = value(sight.ruleset, sight.players, sight.hand) + shift
    return call_by_value(sight.ruleset, sight.players, worth)


def thumb_card(sight: Sight) -> Card:
    """The card by the rule of thumb."""
    assert sight.legal is not None
    return _thumb_card(know(sight), sight.legal.cards)


def _thumb_card(known: Known, legal: Hand) -> Card:
    if legal & (legal - 1) == 0:
        return lowest_card(legal)
    rules, at = known.rules, known.position
    seat = at[playout.SEAT]
    to_come = rules[playout.PLAYERS] - 1 - at[playout.DOWN]
    return playout.pick(
        rules,
        at[playout.HAND],
        legal,
        at[playout.LED],
        at[playout.HIGH],
        at[playout.TRUMP],
        at[playout.LEFT] & ~at[playout.HAND],
        playout.wanted(rules, known.calls[seat], known.took[seat]),
        to_come,
        playout.dangers(rules, known.voids, seat, to_come),
    )


# ---------------------------------------------------------------- worlds


@dataclass(frozen=True)
class Estimate:
    """What every choice is worth to a seat by the worlds played out, in tenths; `best` is what it would do."""

    best: int
    worth: dict[int, float]


def distinct(legal: Hand, hand: Hand, apart: Hand) -> list[Card]:
    """The legal cards that differ: of neighbours with no card `apart` between them only the lowest.

    >>> from games.rules import parse_hand, card_text
    >>> hand = parse_hand("2H 3H 5H AS")
    >>> [card_text(card) for card in distinct(hand, hand, parse_hand("4H 9H"))]
    ['2H', '5H', 'AS']
    """
    found: list[Card] = []
    last = -1
    for card in cards_of(legal):
        between = ((1 << card) - 1) & ~((1 << (last + 1)) - 1)
        if last < 0 or card // 13 != last // 13 or apart & between:
            found.append(card)
        last = card
    return found


def _tight(known: Known) -> tuple[list[Card], list[int], list[int], list[Card]]:
    """The cards that some seat cannot have, who can have them, what must stay free for them, and the other cards."""
    players, me = known.rules[playout.PLAYERS], known.position[playout.SEAT]
    others = [seat for seat in range(players) if seat != me and known.counts[seat]]
    free = known.unseen
    for seat in others:
        free &= known.allowed[seat]
    tight = [
        (sum(1 << seat for seat in others if known.allowed[seat] >> card & 1), card)
        for card in cards_of(known.unseen & ~free)
    ]
    tight.sort(key=lambda each: (each[0].bit_count(), each))
    holders = [who for who, _card in tight]
    needs = [
        sum(1 for who in holders[index + 1 :] if who & ~seats == 0)
        for index in range(len(tight))
        for seats in range(32)
    ]
    return [card for _who, card in tight], holders, needs, list(cards_of(free))


def search_card(sight: Sight, worlds: int, seed: int) -> Estimate:
    """What each legal card is worth, by playing out so many worlds that fit what the seat knows."""
    assert sight.legal is not None
    known = know(sight)
    legal = sight.legal.cards
    apart = known.unseen | hand_of(card for _seat, card in sight.trick)
    cards = distinct(legal, sight.hand, apart)
    if len(cards) == 1:
        return Estimate(cards[0], {cards[0]: 0.0})
    engine = kernel.engine()
    make = engine.numbers
    players = sight.players
    tight, holders, needs, loose = _tight(known)
    sums = make([0] * len(cards))
    engine.choose(
        make(known.rules),
        make(known.position),
        make(known.calls),
        make(known.took),
        make(known.totals),
        make(known.voids),
        make(known.played),
        make(known.counts),
        make(known.allowed),
        make(tight or [0]),
        make(holders or [0]),
        make(needs or [0]),
        len(tight),
        make(loose or [0]),
        len(loose),
        make(value_table(sight.ruleset, players)),
        make(list(centres(sight.ruleset, players))),
        make(list(fits())),
        make(cards),
        len(cards),
        worlds,
        make([_chance(seed)]),
        sums,
        *(make([0] * size) for size in (players, players, players, 32, players, players)),
    )
    thumb = _thumb_card(known, legal)
    return _estimate(cards, [int(total) for total in sums], worlds, players, thumb)


def _chance(seed: int) -> int:
    """What the generator starts with: 32 bits of the seed, not all of them 0."""
    return (seed ^ seed >> 32) & playout.MASK32 or 1


def _estimate(
    choices: Sequence[int], sums: Sequence[int], worlds: int, players: int, prefer: int
) -> Estimate:
    top = max(sums)
    best = [choice for choice, total in zip(choices, sums, strict=True) if total == top]
    scale = 2 * (players - 1) * worlds
    worth = {choice: total / scale for choice, total in zip(choices, sums, strict=True)}
    return Estimate(prefer if prefer in best else best[0], worth)


def search_call(sight: Sight, worlds: int, seed: int) -> Estimate:
    """What each sensible call is worth, by playing out so many worlds that fit the calls made before."""
    known = know(sight)
    players = sight.players
    allowed = sight.ruleset.call_range(players)
    guess = thumb_call(sight)
    if sight.ruleset.overtricks_allowed is None:
        options = list(allowed)
    else:
        options = [call for call in allowed if abs(call - guess) <= 2]
        bonus = sight.ruleset.bonus_from
        if bonus is not None and bonus in allowed and bonus not in options and guess >= 5:
            options.append(bonus)
    engine = kernel.engine()
    make = engine.numbers
    known.rules[playout.EDGE] = EDGE
    loose = list(cards_of(known.unseen))
    sums = make([0] * len(options))
    engine.choose_call(
        make(known.rules),
        make(known.position),
        make(known.calls),
        make(known.totals),
        make(known.counts),
        make(known.allowed),
        make(loose),
        len(loose),
        make(value_table(sight.ruleset, players)),
        make(list(centres(sight.ruleset, players))),
        make(list(fits())),
        make(list(calls_by_value(sight.ruleset, players))),
        make(options),
        len(options),
        worlds,
        make([_chance(seed)]),
        sums,
        *(make([0] * size) for size in (players, players, players, 32, players, players, players, players)),
        make([0] * 18),
    )
    return _estimate(options, [int(total) for total in sums], worlds, players, guess)
