"""Hands that are dealt again, and how often that happens."""

from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, factorial, prod

import pytest

from games.rules import PRESETS, deck, parse_hand, redeal_odds, redeal_reason, shuffle

REASONS = ("no_spade", "no_honour", "four_aces")
ALL_REASONS = PRESETS["kal"].changed(redeal=list(REASONS))
CHOICES = [chosen for count in range(4) for chosen in combinations(REASONS, count)]
PLAIN = "AS KH 5D 4C"


@pytest.mark.parametrize(
    ("hand", "reason"),
    [
        ("AC KD 2H", "no_spade"),
        ("JS TS 2H", "no_honour"),
        ("AC AD AH AS 2S", "four_aces"),
        ("JC TC 2H", "no_spade"),
        ("2S QH 3D", None),
        ("AC AD AS KH", None),
    ],
)
def test_reason(hand: str, reason: str | None) -> None:
    for seats in ([hand, PLAIN, PLAIN], [PLAIN, PLAIN, hand]):
        dealt = [parse_hand(cards) for cards in seats]
        assert redeal_reason(ALL_REASONS, dealt) == reason
        assert redeal_reason(PRESETS["kal"], dealt) is None


def test_the_reason_told_is_the_first_of_the_ruleset() -> None:
    dealt = [parse_hand("AC AD AH AS"), parse_hand("KC"), parse_hand("JS")]
    for order in (REASONS, REASONS[::-1]):
        assert redeal_reason(PRESETS["kal"].changed(redeal=list(order)), dealt) == order[0]


def counted(players: int, reasons: tuple[str, ...]) -> Fraction:
    """The odds by counting, hand after hand, every way to deal the kinds of cards that gives no reason."""
    size = len(deck(players)) // players
    # Kinds: ace of spades, other spade honours, low spades, other aces, other honours, all else.
    kinds = (1, 2, 10, 3, 6, len(deck(players)) - 22)

    def stands(spade_ace: int, spade_honours: int, low_spades: int, aces: int, honours: int) -> bool:
        return not (
            ("no_spade" in reasons and spade_ace + spade_honours + low_spades == 0)
            or ("no_honour" in reasons and spade_ace + spade_honours + aces + honours == 0)
            or ("four_aces" in reasons and spade_ace + aces == 4)
        )

    @cache
    def ways(hands: int, left: tuple[int, ...]) -> int:
        if hands == 0:
            return 1
        total = 0
        for held in holdings(left[:5], size):
            rest = size - sum(held)
            if rest <= left[5] and stands(*held):
                taken = (*held, rest)
                after = ways(hands - 1, tuple(have - gone for have, gone in zip(left, taken, strict=True)))
                total += after * prod(comb(have, gone) for have, gone in zip(left, taken, strict=True))
        return total

    return 1 - Fraction(ways(players, kinds), factorial(size * players) // factorial(size) ** players)


def holdings(left: tuple[int, ...], size: int) -> list[tuple[int, ...]]:
    """Every choice of how many of each kind, of `size` cards at most."""
    if not left:
        return [()]
    return [
        (count, *rest) for count in range(min(left[0], size) + 1) for rest in holdings(left[1:], size - count)
    ]


@pytest.mark.parametrize("reasons", CHOICES, ids="+".join)
def test_the_odds_are_exact(reasons: tuple[str, ...]) -> None:
    assert redeal_odds(3, reasons) == counted(3, reasons)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_odds_are_those_of_the_shuffle(players: int) -> None:
    rounds = 5000
    deals = [shuffle(number.to_bytes(32, "big"), players) for number in range(rounds)]
    for reasons in CHOICES:
        ruleset = ALL_REASONS.changed(redeal=list(reasons))
        again = sum(redeal_reason(ruleset, dealt) is not None for dealt in deals)
        odds = float(redeal_odds(players, reasons))
        # Within four standard deviations; the seeds are fixed, so that this cannot fail by chance later.
        assert abs(again - rounds * odds) <= 4 * (rounds * odds * (1 - odds)) ** 0.5, reasons


def test_the_odds_at_a_table_of_four() -> None:
    # One hand lacks spades in C(39, 13) of C(52, 13) cases; two hands at once are counted twice in that.
    single = 4 * Fraction(comb(39, 13), comb(52, 13))
    double = 6 * Fraction(comb(39, 13) * comb(26, 13), comb(52, 13) * comb(39, 13))
    triple = 4 * Fraction(comb(39, 13) * comb(26, 13), comb(52, 13) * comb(39, 13) * comb(26, 13))
    assert redeal_odds(4, ["no_spade"]) == single - double + triple
    assert redeal_odds(4, ["four_aces"]) == 4 * Fraction(comb(48, 9), comb(52, 13))
    assert [round(float(redeal_odds(4, [reason])), 4) for reason in REASONS] == [0.0511, 0.0755, 0.0106]
    assert redeal_odds(4, []) == 0


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match="no_luck"):
        redeal_odds(4, ["no_luck"])
    with pytest.raises(ValueError, match="players"):
        redeal_odds(6, ["no_spade"])
