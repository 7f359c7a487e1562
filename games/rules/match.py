"""A match: how the deal passes on, when the match is over, and who has won it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from games.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended. `best` are the seats at the top, ascending.

    `won`: the one in `best` wins; `shared`: all in `best` win; `draw`: nobody wins, all in `best` are named.
    """

    kind: Literal["won", "shared", "draw"]
    best: tuple[int, ...]


def next_dealer(ruleset: Ruleset, players: int, dealer: int) -> int:
    """The seat that deals after this one.

    >>> from games.rules.ruleset import PRESETS
    >>> next_dealer(PRESETS["classic"], 4, 3), next_dealer(PRESETS["call-bridge"], 4, 0)
    (0, 3)
    """
    return (dealer + ruleset.deal_step) % players


def match_over(ruleset: Ruleset, length: int, scores_by_deal: Sequence[Sequence[int]]) -> bool:
    """Whether no further deal follows.

    `length` is the number of deals agreed on; `scores_by_deal` has, for every deal scored so far, what each
    seat scored in it, in tenths. Where ties are settled by extra deals, the match goes on until one seat
    alone leads.

    >>> from games.rules.ruleset import PRESETS
    >>> level = [(30, 10), (-10, 10)]
    >>> match_over(PRESETS["kal"], 2, level), match_over(PRESETS["strict"], 2, level)
    (True, False)
    >>> match_over(PRESETS["strict"], 2, [*level, (20, 10)])
    True
    """
    if len(scores_by_deal) < length:
        return False
    if ruleset.tie != "extra":
        return True
    totals = [sum(scores) for scores in zip(*scores_by_deal, strict=True)]
    return len(_best(totals)) == 1


def outcome(ruleset: Ruleset, totals: Sequence[int]) -> Outcome:
    """How a match ends on these totals, in tenths by seat.

    >>> from games.rules.ruleset import PRESETS
    >>> outcome(PRESETS["kal"], [31, 20, 31, -5])
    Outcome(kind='draw', best=(0, 2))

    Raises ValueError where the match goes on instead: level at the top with ties settled by extra deals.
    """
    best = _best(totals)
    if len(best) == 1:
        return Outcome("won", best)
    if ruleset.tie == "extra":
        raise ValueError("a match level at the top goes on under this ruleset")
    return Outcome("shared" if ruleset.tie == "share" else "draw", best)


def standings(totals: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """(place, seat) from the highest total down; level seats have the same place, in the order of the seats.

    >>> standings([31, 20, 31, -5])
    ((1, 0), (1, 2), (3, 1), (4, 3))
    """
    places = ((1 + sum(other > total for other in totals), seat) for seat, total in enumerate(totals))
    return tuple(sorted(places))


def _best(totals: Sequence[int]) -> tuple[int, ...]:
    top = max(totals)
    return tuple(seat for seat, total in enumerate(totals) if total == top)
