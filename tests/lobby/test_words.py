"""Rulesets in plain words: every field is described, and two rulesets that differ read differently."""

from __future__ import annotations

import re
from typing import Any

import pytest

from games import words
from games.rules import PRESETS, RulesetError

KAL = PRESETS["kal"]
DIFFERENT: dict[str, list[dict[str, Any]]] = {
    "players": [{"players": [3]}, {"players": [3, 4]}],
    "deals": [{"deals": [1]}, {"deals": [5, 3]}],
    "min_call": [{"min_call": 2}, {"min_call": 8}],
    "max_call": [{"max_call": None}, {"max_call": 13}],
    "head": [{"head": "always"}, {"head": "never"}],
    "cut": [{"cut": False}],
    "overtrump": [{"overtrump": False}, {"overtrump": False, "cut": False}],
    "losing_spade": [{"losing_spade": "forced"}],
    "spade_first_lead": [{"spade_first_lead": False}],
    "overtrick": [{"overtrick": 0}, {"overtrick": 2}],
    "overtricks_allowed": [{"overtricks_allowed": 0}, {"overtricks_allowed": 1}, {"overtricks_allowed": 2}],
    "bonus_from": [{"bonus_from": 8, "bonus_score": 13}, {"bonus_from": 7, "bonus_score": 13}],
    "bonus_score": [{"bonus_from": 8, "bonus_score": 16}],
    "broken": [{"broken": "shortfall"}],
    "redeal": [{"redeal": [reason]} for reason in words.REDEAL_REASONS],
    "tie": [{"tie": "share"}, {"tie": "extra"}],
    "turn": [{"turn": "anticlockwise"}],
    "deal": [{"deal": "anticlockwise"}, {"deal": "anticlockwise", "turn": "anticlockwise"}],
    "call_clock": [{"call_clock": 30}, {"call_clock": 31}],
    "card_clock": [{"card_clock": 15}, {"card_clock": 15, "call_clock": 30}],
    "forced_card_plays": [{"forced_card_plays": True}],
    "nudge": [{"nudge": "after_120_s"}],
}


def test_every_field_is_there() -> None:
    assert list(DIFFERENT) == list(KAL.to_dict())
    assert list(words.RULE_LABELS) == list(KAL.to_dict())


def test_rulesets_that_differ_read_differently() -> None:
    variants = [KAL, *(KAL.changed(**changes) for each in DIFFERENT.values() for changes in each)]
    summaries = {tuple(words.ruleset_summary(ruleset)) for ruleset in variants}
    assert len(summaries) == len(variants)


@pytest.mark.parametrize("slug", PRESETS)
def test_a_summary_is_made_of_sentences(slug: str) -> None:
    for sentence in words.ruleset_summary(PRESETS[slug], 4):
        assert re.fullmatch(r"[A-Z][^%{}]*\.", sentence), sentence
    assert "_" not in " ".join(words.ruleset_summary(PRESETS[slug]))


def test_a_summary_says_what_redeals_cost_where_the_players_are_known() -> None:
    redealing = KAL.changed(redeal=["no_spade", "four_aces"])
    assert any("about 6.1 % of deals" in sentence for sentence in words.ruleset_summary(redealing, 4))
    assert not any("%" in sentence for sentence in words.ruleset_summary(redealing))


def test_what_is_special_about_each_preset_differs_and_is_short() -> None:
    lines = {slug: words.ruleset_line(ruleset) for slug, ruleset in PRESETS.items()}
    assert len(set(lines.values())) == len(PRESETS)
    assert all(len(line) < 150 for line in lines.values())
    assert "8 or more scores 13" in lines["call-bridge"]
    assert "clock" in lines["strict"]
    assert "anticlockwise" in lines["relaxed"]


def test_lists_are_read_as_people_say_them() -> None:
    assert [words.either([3]), words.either([3, 4]), words.either([3, 4, 5])] == ["3", "3 or 4", "3, 4 or 5"]


def test_clocks_are_read_in_full() -> None:
    assert words.clock_text(None, None) == "no clock"
    assert words.clock_text(30, 15) == "15 s a card, 30 s a call"
    assert words.clock_text(30, None) == "30 s a call"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"min_call": 9}, "The lowest call, 9, is above the highest, 8."),
        ({"min_call": 14, "max_call": None}, "The lowest call, 14, is above the 13 tricks of a deal."),
        (
            {"min_call": 11, "max_call": None, "players": [3, 5]},
            "With 5 players a deal has 10 tricks; the lowest call is 11.",
        ),
        ({"bonus_from": 8}, "A bonus needs both: the call it begins at, and what it scores."),
        ({"deals": []}, "Deals: choose at least one."),
        ({"deals": [26]}, "Deals: from 1 to 25."),
        ({"deals": [5, 5]}, "Deals: 5 stands there twice."),
        ({"tie": "toss"}, "Level at the top: that is not one of the choices."),
        ({"min_call": "2"}, "Lowest call: that is not one of the choices."),
        ({"stakes": 5}, "The rules: that is not one of the choices."),
    ],
)
def test_a_ruleset_that_makes_no_sense_is_refused_in_words(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(RulesetError) as caught:
        KAL.changed(**changes)
    assert words.ruleset_refusal(caught.value) == sentence
