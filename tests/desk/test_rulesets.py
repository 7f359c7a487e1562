"""Rulesets at the desk: every field has its control, what makes no sense is refused where it is wrong."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games import rules
from games.forms import OpenTableForm
from games.models import Ruleset, Table
from games.rules.ruleset import FIELDS
from games.state import store

from .conftest import Visit, said

ADD = "admin:games_ruleset_add"


@pytest.fixture
def clerk(visit: Visit) -> Client:
    """Somebody of the group "rules"."""
    return visit("rules")


def typed(page: Any) -> dict[str, Any]:
    """What a browser would send for the form as it is shown."""
    sent: dict[str, Any] = {}
    for field in page.context["adminform"].form:
        value = field.value()
        shown = field.field.prepare_value(value)
        if shown is None or shown is False or shown == []:
            continue
        sent[field.html_name] = "on" if shown is True else shown
    return sent


def change(ruleset: Ruleset) -> str:
    return reverse("admin:games_ruleset_change", args=[ruleset.pk])


@pytest.fixture
def ours(db: None) -> Ruleset:
    fields = rules.PRESETS["call-bridge"].changed(redeal=["four_aces"], overtrick=5).to_dict()
    return Ruleset.objects.create(slug="ours", name="Ours", fields=fields)


def test_every_field_has_a_control(clerk: Client, ours: Ruleset) -> None:
    form = clerk.get(change(ours)).context["adminform"].form
    assert set(FIELDS) <= set(form.fields)
    for name in FIELDS:
        assert form.fields[name].label
        assert f'name="{name}"' in str(form[name])


@pytest.mark.parametrize("slug", list(rules.PRESETS))
def test_a_copy_saved_as_it_is_shown_is_the_same(slug: str, clerk: Client, people: list[User]) -> None:
    page = clerk.get(reverse(ADD), {"from": slug})
    assert clerk.post(reverse(ADD), typed(page) | {"name": "A copy"}).status_code == 302
    copy = Ruleset.objects.get(slug="a-copy")
    assert copy.fields == rules.PRESETS[slug].to_dict()
    assert not copy.preset
    assert copy.slug in {value for value, _label in OpenTableForm(user=people[0]).fields["rules"].choices}


def test_a_house_set_is_changed_and_told_so(clerk: Client, ours: Ruleset) -> None:
    data = typed(clerk.get(change(ours)))
    assert clerk.post(change(ours), data).status_code == 302
    ours.refresh_from_db()
    assert ours.rules == rules.PRESETS["call-bridge"].changed(redeal=["four_aces"], overtrick=5)
    data |= {"deals": "7 3", "max_call": "", "redeal": ["no_spade", "four_aces"], "tie": "extra"}
    del data["cut"]
    clerk.post(change(ours), data)
    ours.refresh_from_db()
    wanted = {
        "deals": [7, 3],
        "max_call": None,
        "redeal": ["no_spade", "four_aces"],
        "tie": "extra",
        "cut": False,
    }
    assert {name: ours.fields[name] for name in wanted} == wanted
    message = LogEntry.objects.latest("pk").get_change_message()
    assert "Highest call" in message
    assert "Level at the top" in message


REFUSED = [
    ({"min_call": "9", "max_call": "8"}, "min_call", "The lowest call, 9, is above the highest, 8."),
    ({"players": ""}, "players", "This field is required."),
    ({"players": "4, x"}, "players", "Whole numbers with commas between them."),
    ({"players": "2"}, "players", "Players: from 3 to 5."),
    ({"players": "4, 4"}, "players", "Players: 4 stands there twice."),
    (
        {"players": "4, 5", "min_call": "11", "max_call": "13"},
        "players",
        "With 5 players a deal has 10 tricks",
    ),
    ({"deals": "26"}, "deals", "Deals: from 1 to 25."),
    ({"bonus_from": "8", "bonus_score": ""}, "bonus_score", "A bonus needs both"),
    ({"bonus_from": "", "bonus_score": "8"}, "bonus_from", "A bonus needs both"),
    ({"overtrick": "0.15"}, "overtrick", "decimal place"),
    ({"tie": "fight"}, "tie", "Select a valid choice"),
    ({"card_clock": "0"}, "card_clock", "greater than or equal to 1"),
    ({"name": "kal"}, "name", "There is a ruleset of that name already."),
    ({"name": "a\u202eb"}, "name", "cannot be shown"),
]


@pytest.mark.parametrize(("changes", "field", "reason"), REFUSED)
def test_what_makes_no_sense_is_refused_where_it_is_wrong(
    changes: dict[str, str], field: str, reason: str, clerk: Client, ours: Ruleset
) -> None:
    before = ours.fields
    page = clerk.post(change(ours), typed(clerk.get(change(ours))) | changes)
    assert page.status_code == 200
    assert reason in " ".join(page.context["adminform"].form.errors[field])
    ours.refresh_from_db()
    assert (ours.fields, ours.name) == (before, "Ours")


def test_the_rules_stand_there_in_plain_words(clerk: Client, ours: Ruleset) -> None:
    html = clerk.get(change(ours)).content.decode()
    assert "A made call of 8" in html or "From a call of 8 up it scores 13 instead." in html
    assert "With 4 players about 1.1 % of deals are dealt again." in html


def test_a_preview_follows_what_is_typed_and_stores_nothing(clerk: Client, ours: Ruleset) -> None:
    url = reverse("admin:games_ruleset_preview")
    data = typed(clerk.get(change(ours)))
    page = clerk.post(url, data | {"tie": "extra", "players": "5"})
    assert "further deals are played until one player leads alone" in page.content.decode()
    assert "<html" in page.content.decode()
    part = clerk.post(url, data | {"min_call": "14"}, headers={"X-Requested-With": "desk"})
    assert "The lowest call, 14, is above the highest, 13." in part.content.decode()
    assert "<html" not in part.content.decode()
    ours.refresh_from_db()
    assert ours.fields["tie"] == "share"
    assert Ruleset.objects.count() == 8


def test_a_preset_is_read_only(clerk: Client, owner: Client) -> None:
    kal = Ruleset.objects.get(slug="kal")
    for client in (clerk, owner):
        page = client.get(change(kal))
        assert "is never changed" in page.content.decode()
        assert 'name="min_call"' not in page.content.decode()
        assert client.post(change(kal), {"name": "Mine"}).status_code == 403
    kal.refresh_from_db()
    assert kal.name == "Kal"


def test_retiring_takes_it_off_the_list_and_stops_nothing(
    clerk: Client, full_table: Any, people: list[User]
) -> None:
    table = full_table("kal")
    kal = Ruleset.objects.get(slug="kal")
    url = reverse("admin:games_ruleset_retire", args=[kal.pk])
    page = clerk.get(url)
    assert "Running matches: 1." in " ".join(page.context["question"].says)
    offered = [slug for slug, _name in OpenTableForm(user=people[0]).fields["rules"].choices]
    assert "kal" in offered
    assert "is retired" in said(clerk.post(url, {"retire": "yes"}, follow=True))
    clerk.post(url, {"retire": "yes"})
    kal.refresh_from_db()
    assert kal.retired
    assert LogEntry.objects.count() == 1
    assert "kal" not in [slug for slug, _name in OpenTableForm(user=people[0]).fields["rules"].choices]
    assert store.fresh(table.pk).status == Table.PLAYING
    clerk.post(url, {"retire": "no"})
    kal.refresh_from_db()
    assert not kal.retired


def test_the_list_counts_the_tables(
    clerk: Client, full_table: Any, open_table: Any, people: list[User]
) -> None:
    full_table("kal")
    open_table(people[4], "kal")
    page = clerk.get(reverse("admin:games_ruleset_changelist"))
    counted = {each.slug: (each.opened, each.running, each.used) for each in page.context["cl"].result_list}
    assert counted["kal"] == (1, 1, 2)
    assert counted["classic"] == (0, 0, 0)


def test_names_that_no_address_can_spell_have_one_all_the_same(clerk: Client) -> None:
    data = typed(clerk.get(reverse(ADD), {"from": "kal"}))
    for name in ("\u0939\u093e\u092e\u094d\u0930\u094b", "\u0924\u093f\u092e\u094d\u0930\u094b"):
        assert clerk.post(reverse(ADD), data | {"name": name}).status_code == 302
    assert set(Ruleset.objects.filter(preset=False).values_list("slug", flat=True)) == {"house", "house-2"}
