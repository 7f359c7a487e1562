"""House sets made while a table is opened: every rule can be changed, and nonsense is refused with its reason."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.models import User
from games.forms import OpenTableForm
from games.models import Ruleset
from games.rules import PRESETS
from tests.lobby.test_forms import opened, refused, sent

# Every field of a ruleset: what to send, and what Kal then is.
CHANGES: list[tuple[dict[str, str], dict[str, Any]]] = [
    ({"players": "3"}, {"players": [3]}),
    ({"players": "5"}, {"players": [5]}),
    ({"deals": "25"}, {"deals": [25]}),
    ({"rule_min_call": "2"}, {"min_call": 2}),
    ({"rule_max_call": "13"}, {"max_call": 13}),
    ({"rule_max_call": ""}, {"max_call": None}),
    ({"rule_head": "always"}, {"head": "always"}),
    ({"rule_cut": "no"}, {"cut": False}),
    ({"rule_overtrump": "no"}, {"overtrump": False}),
    ({"rule_losing_spade": "forced"}, {"losing_spade": "forced"}),
    ({"rule_spade_first_lead": "no"}, {"spade_first_lead": False}),
    ({"rule_overtrick": "0"}, {"overtrick": 0}),
    ({"rule_overtrick": "2,5"}, {"overtrick": 25}),
    ({"rule_overtricks_allowed": "0"}, {"overtricks_allowed": 0}),
    ({"rule_bonus_from": "8", "rule_bonus_score": "13"}, {"bonus_from": 8, "bonus_score": 13}),
    ({"rule_broken": "shortfall"}, {"broken": "shortfall"}),
    ({"rule_redeal_no_spade": "yes"}, {"redeal": ["no_spade"]}),
    (
        {"rule_redeal_four_aces": "yes", "rule_redeal_no_honour": "yes"},
        {"redeal": ["no_honour", "four_aces"]},
    ),
    ({"rule_tie": "extra"}, {"tie": "extra"}),
    ({"rule_turn": "anticlockwise"}, {"turn": "anticlockwise"}),
    ({"rule_deal": "anticlockwise"}, {"deal": "anticlockwise"}),
    ({"rule_call_clock": "45"}, {"call_clock": 45}),
    ({"rule_card_clock": "3600"}, {"card_clock": 3600}),
    ({"rule_forced_card_plays": "yes"}, {"forced_card_plays": True}),
    ({"rule_nudge": "after_120_s"}, {"nudge": "after_120_s"}),
]


def changing(host: User, slug: str, **query: str) -> OpenTableForm:
    """The form as drawn for somebody who changes this ruleset."""
    return OpenTableForm(user=host, initial={"rules": slug, "house": "yes", **query})


@pytest.mark.parametrize("slug", PRESETS)
def test_a_preset_that_is_not_changed_is_the_preset(host: User, slug: str) -> None:
    rules = PRESETS[slug]
    for players in rules.players:
        made = opened(host, sent(changing(host, slug, players=str(players))))
        assert (made["rules"], made["ruleset"].slug, made["rules_name"]) == (
            rules,
            slug,
            Ruleset.objects.get(slug=slug).name,
        )


@pytest.mark.parametrize(("answers", "changes"), CHANGES)
def test_every_rule_can_be_changed(host: User, answers: dict[str, str], changes: dict[str, Any]) -> None:
    drawn = changing(host, "kal", players=answers.get("players", "4"))
    made = opened(host, sent(drawn, **answers))
    expected = PRESETS["kal"].changed(**{"players": [4], "deals": [5], **changes})
    assert made["rules"] == expected
    assert (made["ruleset"], made["rules_name"]) == (None, "Kal, changed")
    assert (made["call_clock"], made["card_clock"]) == (expected.call_clock, expected.card_clock)
    assert made["players"] in expected.players
    assert made["length"] in expected.deals


def test_the_changes_cover_the_fields_of_a_ruleset() -> None:
    assert {name for _answers, changes in CHANGES for name in changes} == set(PRESETS["kal"].to_dict())


def test_a_house_set_has_the_name_its_maker_gives_it(host: User) -> None:
    made = opened(host, sent(changing(host, "kal"), rule_tie="extra", house_name=" Our  way "))
    assert made["rules_name"] == "Our way"
    assert Ruleset.objects.count() == len(PRESETS)


def test_classic_to_thirteen_is_classic_however_it_was_asked_for(host: User) -> None:
    made = opened(host, sent(changing(host, "classic"), rule_max_call="13"))
    assert (made["ruleset"].slug, made["rules_name"]) == ("classic", "Classic 13")
    other = opened(host, sent(changing(host, "classic"), rule_max_call="12"))
    assert other["ruleset"] is None


def test_another_clock_for_the_table_than_for_the_rules(host: User) -> None:
    made = opened(host, sent(changing(host, "kal"), rule_card_clock="20", clock="30"))
    assert (made["call_clock"], made["card_clock"]) == (60, 30)
    assert (made["rules"].call_clock, made["rules"].card_clock) == (None, 20)


@pytest.mark.parametrize(
    ("slug", "answers", "faults"),
    [
        ("kal", {"rule_min_call": "9"}, [("rule_min_call", "min_above_max")]),
        ("kal", {"rule_bonus_from": "8"}, [("rule_bonus_score", "bonus_incomplete")]),
        ("call-bridge", {"rule_bonus_from": ""}, [("rule_bonus_from", "bonus_incomplete")]),
        ("kal", {"rule_min_call": "14", "rule_max_call": ""}, [("rule_min_call", "out_of_range")]),
        ("kal", {"rule_min_call": ""}, [("rule_min_call", "out_of_range")]),
        ("kal", {"rule_min_call": "-1"}, [("rule_min_call", "out_of_range")]),
        ("kal", {"rule_min_call": "1e0"}, [("rule_min_call", "out_of_range")]),
        ("kal", {"rule_min_call": "१"}, [("rule_min_call", "out_of_range")]),
        ("kal", {"rule_max_call": "18"}, [("rule_max_call", "out_of_range")]),
        ("kal", {"rule_overtrick": "0.25"}, [("rule_overtrick", "out_of_range")]),
        ("kal", {"rule_overtrick": "100.1"}, [("rule_overtrick", "out_of_range")]),
        ("kal", {"rule_overtrick": "nan"}, [("rule_overtrick", "out_of_range")]),
        ("kal", {"rule_call_clock": "0"}, [("rule_call_clock", "out_of_range")]),
        ("kal", {"rule_card_clock": "99999999999999999999"}, [("rule_card_clock", "out_of_range")]),
        ("kal", {"rule_head": "sometimes"}, [("rule_head", "not_a_choice")]),
        ("kal", {"rule_cut": "true"}, [("rule_cut", "not_a_choice")]),
        ("kal", {"rule_redeal_no_spade": "on"}, [("rule_redeal_no_spade", "not_a_choice")]),
        ("kal", {"deals": "0"}, [("deals", "out_of_range")]),
        ("kal", {"deals": "26"}, [("deals", "out_of_range")]),
        ("kal", {"players": "2"}, [("players", "not_a_choice")]),
    ],
)
def test_nonsense_is_refused_with_the_reason(
    host: User, slug: str, answers: dict[str, str], faults: list[tuple[str, str]]
) -> None:
    assert refused(host, sent(changing(host, slug), **answers)) == faults


def test_a_lowest_call_the_table_cannot_reach_is_refused(host: User) -> None:
    stored = PRESETS["kal"].changed(min_call=11, max_call=None)
    Ruleset.objects.create(slug="high", name="High", fields=stored.to_dict())
    data = {"rules": "high", "house": "yes", "players": "5"}
    assert refused(host, data) == [("rule_min_call", "min_above_tricks")]


def test_fields_of_the_rules_count_only_where_the_rules_are_changed(host: User) -> None:
    made = opened(host, {"rules": "kal", "house": "no", "rule_tie": "extra", "rule_cut": "forged"})
    assert made["rules"] == PRESETS["kal"]


def test_the_form_shows_what_redeals_cost_at_this_number_of_players(host: User) -> None:
    four = changing(host, "official", players="4").controls
    assert "about 5.1 % of deals" in str(four["rule_redeal_no_spade"].help)
    assert "about 7.6 % of deals" in str(four["rule_redeal_no_honour"].help)
    assert "about 1.1 % of deals" in str(four["rule_redeal_four_aces"].help)
    five = changing(host, "official", players="5").controls
    assert "about 16.6 % of deals" in str(five["rule_redeal_no_spade"].help)


def test_the_form_shows_what_was_changed(host: User) -> None:
    form = changing(host, "kal", rule_tie="extra", rule_overtrick="0.2", rule_max_call="")
    assert {name for name, control in form.controls.items() if control.changed} == {
        "rule_tie",
        "rule_overtrick",
        "rule_max_call",
    }
    assert {group.key: group.changed for group in form.rule_groups} == {
        "calls": 1,
        "play": 0,
        "score": 2,
        "deal": 0,
        "time": 0,
    }


def test_choosing_other_rules_takes_the_changes_along_and_only_those(host: User) -> None:
    answers = sent(changing(host, "strict"), drawn="strict", rule_cut="no", rules="relaxed")
    made = opened(host, answers)
    assert made["rules"] == PRESETS["relaxed"].changed(cut=False)
    assert made["rules_name"] == "Relaxed, changed"
    named = opened(host, {**answers, "house_name": "Our way"})
    assert named["rules_name"] == "Our way"
