"""The form that opens a table: all that may be chosen can be, and nothing else gets through."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.http import QueryDict

from accounts.models import User
from games.bots import LEVELS
from games.forms import OpenTableForm
from games.models import Ruleset
from games.rules import OPTIONS, PRESETS
from games.rules import Ruleset as Rules

EVERY_MATCH = [
    (slug, players, deals)
    for slug, rules in PRESETS.items()
    for players in rules.players
    for deals in rules.deals
]


def sent(form: OpenTableForm, **changes: str) -> dict[str, str]:
    """What a browser sends when a drawn form is answered with these changes: a disabled control sends nothing."""
    answers = {name: control.value for name, control in form.controls.items() if not control.reason}
    return {**answers, **changes}


def opened(host: User, data: dict[str, str]) -> dict[str, Any]:
    """What a table is opened with; the form must take the answers."""
    form = OpenTableForm(data, user=host)
    assert form.is_valid(), form.errors
    return form.table_arguments()


def refused(host: User, data: dict[str, str]) -> list[tuple[str, str]]:
    """The controls at fault and the codes of the reasons; each reason must be a sentence."""
    form = OpenTableForm(data, user=host)
    assert not form.is_valid()
    for _control, sentence in form.problems:
        assert re.fullmatch(r"\S.*\.", sentence), sentence
    return [(name, error.code) for name, errors in form.errors.as_data().items() for error in errors]


@pytest.mark.parametrize(("slug", "players", "deals"), EVERY_MATCH)
def test_every_match_of_every_preset_can_be_opened(host: User, slug: str, players: int, deals: int) -> None:
    query = {"rules": slug, "players": str(players), "deals": str(deals)}
    drawn = OpenTableForm(user=host, initial=query)
    assert len(drawn.seats) == players
    rules = PRESETS[slug]
    assert opened(host, sent(drawn)) == {
        "name": "Asha's table",
        "ruleset": Ruleset.objects.get(slug=slug),
        "rules": rules,
        "rules_name": Ruleset.objects.get(slug=slug).name,
        "players": players,
        "length": deals,
        "call_clock": rules.call_clock,
        "card_clock": rules.card_clock,
        "pace": "normal",
        "public": True,
        "watchable": True,
        "bots": {},
        "seat": 0,
        "stake": 0,
        "asks_for": 0,
    }


def test_what_is_not_sent_is_as_the_form_showed_it_at_first(host: User) -> None:
    assert opened(host, {}) == opened(host, sent(OpenTableForm(user=host)))
    assert opened(host, {"rules": "official"})["players"] == 4


def test_a_control_with_one_choice_says_why(host: User) -> None:
    controls = OpenTableForm(user=host, initial={"rules": "classic"}).controls
    assert controls["players"].reason == "Classic is for 4 players."
    assert controls["deals"].reason == "A match of Classic has 5 deals."
    controls = OpenTableForm(user=host, initial={"rules": "official"}).controls
    assert controls["players"].reason == ""
    assert [option.value for option in controls["deals"].options] == ["5", "9", "13"]


@pytest.mark.parametrize(
    ("data", "control"),
    [
        ({"rules": "bridge"}, "rules"),
        ({"rules": "kal", "players": "3"}, "players"),
        ({"rules": "official", "players": "6"}, "players"),
        ({"rules": "official", "players": "٤"}, "players"),
        ({"rules": "official", "players": "4.0"}, "players"),
        ({"rules": "kal", "deals": "4"}, "deals"),
        ({"rules": "strict", "deals": "1"}, "deals"),
        ({"rules": "classic", "highest": "9"}, "highest"),
        ({"clock": "5"}, "clock"),
        ({"pace": "instant"}, "pace"),
        ({"public": "maybe"}, "public"),
        ({"watchable": "1"}, "watchable"),
        ({"house": "on"}, "house"),
        ({"seat_1": "me"}, "seat_1"),
        ({"seat_0": "grandmaster"}, "seat_0"),
        ({"seat_2": "grandmaster"}, "seat_2"),
        ({"seat_2": "\x00"}, "seat_2"),
    ],
)
def test_forged_choices_are_refused_with_a_sentence(host: User, data: dict[str, str], control: str) -> None:
    assert refused(host, data) == [(control, "not_a_choice")]


def test_a_seat_the_table_has_not_is_refused(host: User) -> None:
    assert refused(host, {"rules": "kal", "seat_4": "normal"}) == [("__all__", "no_seat")]
    assert opened(host, {"rules": "kal", "seat_4": "open"})["bots"] == {}


def test_only_classic_leaves_the_highest_call_open(host: User) -> None:
    plain = opened(host, {"rules": "classic", "highest": "8"})
    assert (plain["rules"], plain["rules_name"]) == (PRESETS["classic"], "Classic")
    high = opened(host, {"rules": "classic", "highest": "13"})
    assert high["rules"] == PRESETS["classic"].changed(max_call=13)
    assert (high["ruleset"].slug, high["rules_name"]) == ("classic", "Classic 13")
    for slug in PRESETS:
        form = OpenTableForm(user=host, initial={"rules": slug})
        assert ("highest" in form.fields) == (slug in OPTIONS)
    assert refused(host, {"rules": "kal", "highest": "13"}) == [("__all__", "no_option")]


def test_bots_take_the_seats_they_are_given(host: User) -> None:
    made = opened(host, {"rules": "official", "players": "5", "seat_1": LEVELS[0], "seat_4": LEVELS[-1]})
    assert (made["seat"], made["bots"]) == (0, {1: LEVELS[0], 4: LEVELS[-1]})


def test_a_host_may_only_watch_and_then_all_seats_are_to_be_had(host: User) -> None:
    made = opened(host, {"rules": "kal", "seat_0": LEVELS[0], "seat_3": LEVELS[0]})
    assert (made["seat"], made["bots"]) == (None, {0: LEVELS[0], 3: LEVELS[0]})
    assert opened(host, {"rules": "kal", "seat_0": "open"})["seat"] is None
    assert refused(host, {"seat_0": "open", "watchable": "no"}) == [("watchable", "unseen")]
    assert opened(host, {"watchable": "no"})["watchable"] is False


@pytest.mark.parametrize(
    ("slug", "clock", "seconds"),
    [
        ("kal", "rules", (None, None)),
        ("kal", "none", (None, None)),
        ("kal", "15", (30, 15)),
        ("kal", "30", (60, 30)),
        ("strict", "rules", (30, 15)),
        ("strict", "none", (None, None)),
        ("strict", "15", (30, 15)),
    ],
)
def test_clocks(host: User, slug: str, clock: str, seconds: tuple[int | None, int | None]) -> None:
    made = opened(host, {"rules": slug, "clock": clock})
    assert (made["call_clock"], made["card_clock"]) == seconds
    # The clock is the table's, not the rules': it makes no house set.
    assert made["ruleset"].slug == slug


def test_a_clock_is_offered_once(host: User) -> None:
    def offered(slug: str) -> list[str]:
        return [
            option.value
            for option in OpenTableForm(user=host, initial={"rules": slug}).controls["clock"].options
        ]

    assert offered("kal") == ["rules", "15", "30"]
    assert offered("strict") == ["rules", "none", "30"]


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("", "Asha's table"),
        ("   ", "Asha's table"),
        ("  Patan   evenings ", "Patan evenings"),
        ("Cafe\u0301", "Caf\u00e9"),
        ("कमलाको टेबल", "कमलाको टेबल"),
        ("\u0995\u09cd\u200d\u09b7", "\u0995\u09cd\u200d\u09b7"),  # Bengali is spelt with a joiner
        ("x" * 40, "x" * 40),
        ("<b>bold</b>", "<b>bold</b>"),
    ],
)
def test_names_of_tables(host: User, typed: str, kept: str) -> None:
    assert opened(host, {"name": typed})["name"] == kept


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("x" * 41, "title_long"),
        ("over\u202eride", "title_character"),
        ("isolate\u2066", "title_character"),
        ("nul\x00", "title_character"),
        ("zero\u200bwidth", "title_character"),
        ("private \ue000", "title_character"),
        ("a" + "\u0301" * 9, "title_marks"),
        ("...", "title_empty"),
        ("\u200d", "title_empty"),
    ],
)
def test_names_that_are_none(host: User, typed: str, code: str) -> None:
    assert refused(host, {"name": typed}) == [("name", code)]
    assert refused(host, {"house": "yes", "house_name": typed, "rule_tie": "extra"}) == [("house_name", code)]


def test_an_address_fills_in_what_makes_sense_and_nothing_else(host: User) -> None:
    query = QueryDict(
        "rules=kal&players=9&deals=3&pace=fast&clock=x&name=%E2%80%AEx&seat_1=normal&seat_2=zz&zz=1"
    )
    form = OpenTableForm(user=host, initial=query)
    values = {name: control.value for name, control in form.controls.items()}
    assert (values["rules"], values["players"], values["deals"], values["pace"]) == ("kal", "4", "3", "fast")
    assert (values["clock"], values["name"]) == ("rules", "Asha's table")
    assert (values["seat_1"], values["seat_2"]) == ("normal", "open")
    assert form.problems == []


def test_a_refused_form_keeps_what_was_typed(host: User) -> None:
    form = OpenTableForm({"rules": "official", "players": "5", "name": "x" * 41, "pace": "zz"}, user=host)
    assert not form.is_valid()
    controls = form.controls
    assert controls["name"].value == "x" * 41
    assert controls["name"].error
    assert (controls["players"].value, controls["pace"].value) == ("5", "normal")


def test_retired_rules_are_not_on_offer(host: User) -> None:
    Ruleset.objects.filter(slug="kal").update(retired=True)
    assert refused(host, {"rules": "kal"}) == [("rules", "not_a_choice")]
    Ruleset.objects.update(retired=True)
    assert ("__all__", "nothing_on_offer") in refused(host, {})


def test_a_stored_house_set_is_on_offer_like_a_preset(host: User) -> None:
    rules: Rules = PRESETS["kal"].changed(players=[3], deals=[7], tie="extra")
    stored = Ruleset.objects.create(slug="ours", name="Ours", fields=rules.to_dict())
    made = opened(host, {"rules": "ours"})
    assert (made["ruleset"], made["rules"], made["players"], made["length"]) == (stored, rules, 3, 7)
    assert refused(host, {"rules": "ours", "highest": "13"}) == [("__all__", "no_option")]


def test_the_form_costs_four_queries(host: User, django_assert_num_queries: Any) -> None:
    """Rulesets, stakes, the rulesets they are bound to, and what the host has."""
    with django_assert_num_queries(4):
        assert OpenTableForm({"rules": "official", "house": "yes", "rule_tie": "extra"}, user=host).is_valid()
