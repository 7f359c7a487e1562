"""What a deal scores, in whole tenths of a point."""

from games.rules.ruleset import Ruleset


def deal_score(ruleset: Ruleset, call: int, took: int) -> int:
    """The tenths that a call scores when its player took this many tricks.

    >>> from games.rules.ruleset import PRESETS
    >>> [deal_score(PRESETS["classic"], 4, took) for took in (3, 4, 6)]
    [-40, 40, 42]
    >>> [deal_score(PRESETS["call-bridge"], 8, took) for took in (7, 8, 9, 10)]
    [-80, 130, 130, -80]
    """
    over = took - call
    if over < 0:
        return -10 * call if ruleset.broken == "call" else 10 * over
    if ruleset.overtricks_allowed is not None and over > ruleset.overtricks_allowed:
        return -10 * call
    points = call
    if ruleset.bonus_from is not None and ruleset.bonus_score is not None and call >= ruleset.bonus_from:
        points = ruleset.bonus_score
    return 10 * points + ruleset.overtrick * over


def tenths_text(tenths: int) -> str:
    """Tenths of a point as text with one decimal; a hyphen is the minus sign.

    >>> tenths_text(31), tenths_text(-40), tenths_text(-5), tenths_text(0)
    ('3.1', '-4.0', '-0.5', '0.0')
    """
    points, tenth = divmod(abs(tenths), 10)
    return f"{'-' if tenths < 0 else ''}{points}.{tenth}"
