"""Points, by example."""

from typing import Any

import pytest

from games.rules import PRESETS, deal_score, tenths_text

# preset, changes, call, tricks taken, points
SCORES: list[tuple[str, dict[str, Any], int, int, str]] = [
    ("classic", {}, 4, 3, "-4.0"),
    ("classic", {}, 4, 4, "4.0"),
    ("classic", {}, 4, 6, "4.2"),
    ("classic", {}, 1, 13, "2.2"),
    ("classic", {}, 1, 0, "-1.0"),
    ("relaxed", {}, 3, 5, "3.0"),
    ("official", {}, 4, 5, "4.0"),
    ("official", {}, 4, 6, "-4.0"),
    ("official", {"overtrick": 1}, 4, 5, "4.1"),
    ("official", {"overtricks_allowed": 0}, 4, 5, "-4.0"),
    ("official", {"broken": "shortfall"}, 4, 2, "-2.0"),
    ("official", {"broken": "shortfall"}, 4, 6, "-4.0"),
    ("kal", {"broken": "shortfall"}, 8, 0, "-8.0"),
    ("call-bridge", {}, 7, 7, "7.0"),
    ("call-bridge", {}, 8, 8, "13.0"),
    ("call-bridge", {}, 9, 10, "13.0"),
    ("call-bridge", {}, 8, 10, "-8.0"),
    ("call-bridge", {}, 13, 12, "-13.0"),
    ("kal", {"bonus_from": 8, "bonus_score": 16}, 8, 10, "16.2"),
    ("kal", {"bonus_from": 8, "bonus_score": 16, "broken": "shortfall"}, 8, 7, "-1.0"),
]


@pytest.mark.parametrize(("name", "changes", "call", "took", "points"), SCORES)
def test_score(name: str, changes: dict[str, Any], call: int, took: int, points: str) -> None:
    assert tenths_text(deal_score(PRESETS[name].changed(**changes), call, took)) == points


def test_points_of_less_than_one() -> None:
    assert [tenths_text(tenths) for tenths in (-12, -9, -1, 0, 1, 10)] == [
        "-1.2",
        "-0.9",
        "-0.1",
        "0.0",
        "0.1",
        "1.0",
    ]
