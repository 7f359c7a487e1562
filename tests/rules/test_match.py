"""The deal passing on, ends and standings."""

import pytest

from games.rules import PRESETS, Outcome, match_over, next_dealer, outcome, standings


@pytest.mark.parametrize(
    ("name", "players", "dealers"),
    [
        ("classic", 4, [2, 3, 0, 1, 2]),
        ("relaxed", 4, [2, 3, 0, 1, 2]),
        ("call-bridge", 4, [2, 1, 0, 3, 2]),
        ("official", 3, [2, 0, 1, 2, 0]),
        ("official", 5, [2, 3, 4, 0, 1]),
    ],
)
def test_the_deal_passes_on(name: str, players: int, dealers: list[int]) -> None:
    found = [dealers[0]]
    while len(found) < len(dealers):
        found.append(next_dealer(PRESETS[name], players, found[-1]))
    assert found == dealers


def test_a_match_has_all_its_deals_and_no_more() -> None:
    lead = (130, 0, 0, 0)
    for name in ("classic", "kal", "strict"):
        assert [match_over(PRESETS[name], 3, [lead] * count) for count in range(5)] == [False] * 3 + [
            True
        ] * 2


def test_extra_deals_go_on_until_one_alone_leads() -> None:
    strict = PRESETS["strict"]
    level = [(10, 10, 0, 0), (0, 0, 5, 0), (10, 10, 0, 0)]
    assert not match_over(strict, 3, level)
    assert not match_over(strict, 3, [*level, (10, 10, -40, -40)])
    # The one who leads need not be one of those who were level.
    overtaken = [*level, (-10, -10, 31, 0)]
    assert match_over(strict, 3, overtaken)
    assert outcome(strict, [10, 10, 36, 0]) == Outcome("won", (2,))
    for name in ("classic", "kal"):
        assert match_over(PRESETS[name], 3, level)


def test_outcomes() -> None:
    assert outcome(PRESETS["classic"], [-10, -5, -5, -20]) == Outcome("shared", (1, 2))
    assert outcome(PRESETS["kal"], [-10, -5, -5, -20]) == Outcome("draw", (1, 2))
    for name in PRESETS:
        assert outcome(PRESETS[name], [1, 0, 0]) == Outcome("won", (0,))
    with pytest.raises(ValueError, match="goes on"):
        outcome(PRESETS["strict"], [0, 0, 0, 0])


def test_standings() -> None:
    assert standings([10, 30, 30, 20]) == ((1, 1), (1, 2), (3, 3), (4, 0))
    assert standings([0, 0, 0]) == ((1, 0), (1, 1), (1, 2))
    assert standings([5, 31, 5, -40, 5]) == ((1, 1), (2, 0), (2, 2), (2, 4), (5, 3))
