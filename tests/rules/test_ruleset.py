"""Rulesets: the presets as the page of rules has them, what makes no sense, and the way to JSON and back."""

import dataclasses
import json
import pickle
from typing import Any

import pytest
from hypothesis import given

from games.rules import OPTIONS, PRESETS, Ruleset, RulesetError, preset_names
from tests.rules.strategies import examples, rulesets

NAMES = ("classic", "official", "custom", "kal", "relaxed", "strict", "call-bridge")
CW, ACW = "clockwise", "anticlockwise"
# The table of the page of rules, row by row; the columns are NAMES.
TABLE: dict[str, list[Any]] = {
    "players": [[4], [3, 4, 5], [3, 4, 5], [4], [4], [4], [4]],
    "deals": [[5], [5, 9, 13], [5, 9, 13], [5, 3, 1], [5], [5, 3], [5, 10]],
    "min_call": [1, 2, 1, 1, 1, 1, 2],
    "max_call": [8, None, None, 8, 8, 13, 13],
    "head": ["until_trumped", "until_trumped", "never", "until_trumped", "never", "always", "never"],
    "cut": [True, True, True, True, True, True, True],
    "overtrump": [True, True, True, True, True, True, True],
    "losing_spade": ["forced", "free", "free", "free", "free", "free", "free"],
    "spade_first_lead": [True, True, True, True, True, True, True],
    "overtrick": [1, 0, 0, 1, 0, 1, 0],
    "overtricks_allowed": [None, 1, 1, None, None, None, 1],
    "bonus_from": [None, None, None, None, None, None, 8],
    "bonus_score": [None, None, None, None, None, None, 13],
    "broken": ["call", "call", "call", "call", "call", "call", "call"],
    "redeal": [[], [], [], [], [], [], []],
    "tie": ["share", "share", "share", "draw", "share", "extra", "share"],
    "turn": [CW, CW, CW, CW, ACW, CW, ACW],
    "deal": [CW, CW, CW, CW, CW, CW, ACW],
    "call_clock": [None, None, None, None, None, 30, None],
    "card_clock": [None, None, None, None, None, 15, None],
    "forced_card_plays": [False, False, False, False, False, True, False],
    "nudge": [*["after_120_s"] * 3, "never", *["after_120_s"] * 3],
}


def test_the_presets_are_those_of_the_page_of_rules() -> None:
    assert preset_names() == tuple(PRESETS) == NAMES
    for column, name in enumerate(NAMES):
        assert list(PRESETS[name].to_dict().items()) == [(field, row[column]) for field, row in TABLE.items()]
        PRESETS[name].check()
    assert {name: dict(fields) for name, fields in OPTIONS.items()} == {"classic": {"max_call": (8, 13)}}


def test_a_preset_cannot_be_changed() -> None:
    classic = PRESETS["classic"]
    before = classic.to_dict()
    with pytest.raises(dataclasses.FrozenInstanceError):
        classic.max_call = 13  # type: ignore[misc]
    with pytest.raises(TypeError):
        PRESETS["classic"] = PRESETS["kal"]  # type: ignore[index]
    with pytest.raises(TypeError):
        OPTIONS["classic"]["max_call"] = (13,)  # type: ignore[index]
    classic.to_dict()["deals"].append(7)  # type: ignore[attr-defined]
    assert classic.changed(max_call=13) != classic
    assert classic.to_dict() == before


def test_a_ruleset_is_a_value() -> None:
    assert PRESETS["kal"].changed() == PRESETS["kal"]
    assert len({PRESETS["kal"].changed(), PRESETS["kal"], PRESETS["strict"]}) == 2


@examples(100)
@given(rulesets())
def test_a_ruleset_goes_to_json_and_back(ruleset: Ruleset) -> None:
    assert Ruleset.from_dict(json.loads(json.dumps(ruleset.to_dict()))) == ruleset


# (base, changes, field, code)
REFUSED: list[tuple[str, dict[str, Any], str, str]] = [
    ("classic", {"bid": 1}, "bid", "unknown_field"),
    ("classic", {"players": 4}, "players", "wrong_type"),
    ("classic", {"players": "4"}, "players", "wrong_type"),
    ("classic", {"players": [True]}, "players", "wrong_type"),
    ("classic", {"players": ["4"]}, "players", "wrong_type"),
    ("classic", {"players": []}, "players", "empty"),
    ("classic", {"players": [2]}, "players", "out_of_range"),
    ("classic", {"players": [4, 6]}, "players", "out_of_range"),
    ("classic", {"players": [4, 4]}, "players", "repeated"),
    ("classic", {"deals": []}, "deals", "empty"),
    ("classic", {"deals": [0]}, "deals", "out_of_range"),
    ("classic", {"deals": [26]}, "deals", "out_of_range"),
    ("classic", {"deals": [5, 3, 5]}, "deals", "repeated"),
    ("classic", {"deals": None}, "deals", "wrong_type"),
    ("classic", {"min_call": 0}, "min_call", "out_of_range"),
    ("classic", {"min_call": None}, "min_call", "wrong_type"),
    ("classic", {"min_call": True}, "min_call", "wrong_type"),
    ("classic", {"min_call": 1.0}, "min_call", "wrong_type"),
    ("classic", {"min_call": 9}, "min_call", "min_above_max"),
    ("classic", {"max_call": 18}, "max_call", "out_of_range"),
    ("classic", {"max_call": "8"}, "max_call", "wrong_type"),
    ("classic", {"min_call": 14, "max_call": None}, "min_call", "min_above_tricks"),
    ("classic", {"min_call": 14, "max_call": 16}, "min_call", "min_above_tricks"),
    ("official", {"min_call": 11}, "players", "players_not_served"),
    ("classic", {"head": "sometimes"}, "head", "not_a_choice"),
    ("classic", {"head": True}, "head", "wrong_type"),
    ("classic", {"cut": 1}, "cut", "wrong_type"),
    ("classic", {"overtrump": None}, "overtrump", "wrong_type"),
    ("classic", {"losing_spade": "Free"}, "losing_spade", "not_a_choice"),
    ("classic", {"spade_first_lead": "false"}, "spade_first_lead", "wrong_type"),
    ("classic", {"overtrick": -1}, "overtrick", "out_of_range"),
    ("classic", {"overtrick": 0.1}, "overtrick", "wrong_type"),
    ("classic", {"overtricks_allowed": -1}, "overtricks_allowed", "out_of_range"),
    ("classic", {"bonus_from": 8}, "bonus_score", "bonus_incomplete"),
    ("classic", {"bonus_score": 13}, "bonus_from", "bonus_incomplete"),
    ("classic", {"bonus_from": 0, "bonus_score": 13}, "bonus_from", "out_of_range"),
    ("classic", {"broken": "half"}, "broken", "not_a_choice"),
    ("classic", {"redeal": "no_spade"}, "redeal", "wrong_type"),
    ("classic", {"redeal": ["no_luck"]}, "redeal", "not_a_choice"),
    ("classic", {"redeal": [["no_spade"]]}, "redeal", "wrong_type"),
    ("classic", {"redeal": ["no_spade", "no_spade"]}, "redeal", "repeated"),
    ("classic", {"tie": "coin"}, "tie", "not_a_choice"),
    ("classic", {"turn": "left"}, "turn", "not_a_choice"),
    ("classic", {"deal": 1}, "deal", "wrong_type"),
    ("classic", {"call_clock": 0}, "call_clock", "out_of_range"),
    ("classic", {"card_clock": 3601}, "card_clock", "out_of_range"),
    ("classic", {"forced_card_plays": 0}, "forced_card_plays", "wrong_type"),
    ("classic", {"nudge": "after_60_s"}, "nudge", "not_a_choice"),
]


@pytest.mark.parametrize(("base", "changes", "field", "code"), REFUSED, ids=lambda value: str(value))
def test_nonsense_is_refused_with_the_reason(
    base: str, changes: dict[str, Any], field: str, code: str
) -> None:
    with pytest.raises(RulesetError) as refusal:
        PRESETS[base].changed(**changes)
    assert (refusal.value.field, refusal.value.code) == (field, code)
    assert str(refusal.value).endswith(".")


@pytest.mark.parametrize("field", TABLE)
def test_every_field_must_be_there(field: str) -> None:
    data = PRESETS["kal"].to_dict()
    del data[field]
    with pytest.raises(RulesetError) as refusal:
        Ruleset.from_dict(data)
    assert (refusal.value.field, refusal.value.code) == (field, "missing_field")


def test_a_reason_carries_its_numbers_and_survives_pickling() -> None:
    with pytest.raises(RulesetError) as refusal:
        PRESETS["official"].changed(min_call=11)
    assert refusal.value.params == {"players": 5, "tricks": 10, "min": 11}
    copy = pickle.loads(pickle.dumps(refusal.value))
    assert (copy.field, copy.code, copy.params, str(copy)) == (
        "players",
        "players_not_served",
        refusal.value.params,
        "The lowest call, 11, is above the 10 tricks with 5 players.",
    )


def test_built_directly_a_ruleset_is_checked_on_demand() -> None:
    nonsense = dataclasses.replace(PRESETS["classic"], min_call=9)
    with pytest.raises(RulesetError):
        nonsense.check()


def test_where_a_deal_has_fewer_tricks_than_the_highest_call_they_are_the_limit() -> None:
    house = PRESETS["strict"].changed(players=[3, 4, 5])
    assert [house.call_range(players)[-1] for players in (3, 4, 5)] == [13, 13, 10]
    assert [PRESETS["official"].call_range(players)[-1] for players in (3, 4, 5)] == [17, 13, 10]
