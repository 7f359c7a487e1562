"""Hands for which a deal is shuffled again, and what that costs in deals.

>>> [f"{float(redeal_odds(4, {reason})):.2%}" for reason in ("no_spade", "no_honour", "four_aces")]
['5.11%', '7.55%', '1.06%']
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, factorial
from typing import Final, get_args

from games.rules.cards import SPADES, Hand, deck, hand_of, rank_of, suit_mask, suit_of, tricks_in_deal
from games.rules.ruleset import RedealReason, Ruleset

_REASONS: Final = get_args(RedealReason)
_SPADE_MASK: Final = suit_mask(SPADES)
_QUEEN: Final = 10
_HONOURS: Final = hand_of(card for card in deck(4) if rank_of(card) >= _QUEEN)
_ACES: Final = hand_of(card for card in deck(4) if rank_of(card) == _QUEEN + 2)


def redeal_reason(ruleset: Ruleset, dealt: Sequence[Hand]) -> RedealReason | None:
    """The first reason of the ruleset for which these hands are dealt again; None: they stand.

    >>> from games.rules.cards import parse_hand
    >>> from games.rules.ruleset import PRESETS
    >>> hands = [parse_hand("2C 3C"), parse_hand("AS KS")]
    >>> redeal_reason(PRESETS["classic"].changed(redeal=["no_honour", "no_spade"]), hands)
    'no_honour'
    >>> redeal_reason(PRESETS["classic"], hands)
    """
    for reason in ruleset.redeal:
        if any(_gives(reason, hand) for hand in dealt):
            return reason
    return None


def _gives(reason: RedealReason, hand: Hand) -> bool:
    if reason == "no_spade":
        return not hand & _SPADE_MASK
    if reason == "no_honour":
        return not hand & _HONOURS
    return hand & _ACES == _ACES


def redeal_odds(players: int, reasons: Iterable[str]) -> Fraction:
    """The exact chance that a shuffled deck gives some hand at least one of these reasons.

    Raises ValueError for a number of players or a reason that does not exist.
    """
    wanted = frozenset(reasons)
    unknown = wanted.difference(_REASONS)
    if unknown:
        raise ValueError(f"no such reason for a redeal: {', '.join(sorted(unknown))}")
    return _odds(players, wanted)


@cache
def _odds(players: int, reasons: frozenset[str]) -> Fraction:
    """By inclusion and exclusion over the events "this hand gives this reason".

    All four aces include a spade and an honour, so a hand with that reason has no other, and at most one
    hand has it. What matters of a set of events is therefore how many hands lack spades, lack honours, lack
    both, and hold the aces. A set of k events counts with the sign (-1) ** k.
    """
    lacking = range(players + 1)
    spades = lacking if "no_spade" in reasons else (0,)
    honours = lacking if "no_honour" in reasons else (0,)
    both = lacking if len(reasons & {"no_spade", "no_honour"}) == 2 else (0,)
    aces = (0, 1) if "four_aces" in reasons else (0,)
    standing = 0
    for s, h, b, a in product(spades, honours, both, aces):
        if s + h + b + a <= players:
            standing += (-1) ** (s + h + 2 * b + a) * _ways(players, s, h, b, a)
    size = tricks_in_deal(players)
    return 1 - Fraction(standing, _shares(*[size] * players))


def _ways(players: int, no_spade: int, no_honour: int, neither: int, aces: int) -> int:
    """The number of deals in which so many hands lack spades, lack honours, lack both or hold the aces,
    summed over all choices of which hands these are.

    Those that lack something take their cards first, one heap for each kind, shared out afterwards; nothing
    is asked of the rest, who share what is left.
    """
    size = tricks_in_deal(players)
    cards = deck(players)
    plain = sum(suit_of(card) != SPADES and rank_of(card) < _QUEEN for card in cards)
    low_spades = _QUEEN
    side_honours = 9 - 3 * aces
    heaps = 0
    if neither * size <= plain:
        left = plain - neither * size
        for taken in range(min(left, no_spade * size) + 1):
            heaps += (
                comb(left, taken)
                * comb(side_honours, no_spade * size - taken)
                * comb(left - taken + low_spades, no_honour * size)
            )
        heaps *= comb(plain, neither * size)
    rest = players - no_spade - no_honour - neither - aces
    choices = _shares(no_spade, no_honour, neither, aces, rest)
    shares = _shares(*[size] * no_spade) * _shares(*[size] * no_honour) * _shares(*[size] * neither)
    return choices * heaps * shares * _shares(*[size] * rest, *[size - 4] * aces)


def _shares(*sizes: int) -> int:
    """In how many ways a heap can be shared out into parts of these sizes, which use it up."""
    ways = factorial(sum(sizes))
    for size in sizes:
        ways //= factorial(size)
    return ways
