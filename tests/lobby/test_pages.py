"""The lobby's page and the page that opens a table, as a browser asks for them."""

from __future__ import annotations

import re

import pytest
from django.core.management import call_command
from django.test import Client

from accounts.models import User
from games.models import Ruleset, Table
from games.rules import PRESETS
from tests.lobby.conftest import PutTable


@pytest.fixture
def page(host: User, client: Client) -> Client:
    """The host's browser."""
    client.force_login(host)
    return client


def test_the_lobby_shows_tables_presets_and_a_way_in(client: Client, put_table: PutTable) -> None:
    put_table("Bela", None, None, name="Patan evenings")
    put_table("Chitra", "bot", "bot", name="A long match", status=Table.PLAYING, deal=1)
    html = client.get("/").content.decode()
    assert "Patan evenings" in html
    assert "A long match" in html
    assert 'action="/play-now/"' in html
    assert 'hx-ws:connect="/ws/lobby/"' in html
    for slug in PRESETS:
        assert f"/tables/new/?rules={slug}" in html
    assert "No account" not in html


def test_pages_hold_nothing_that_the_policy_forbids(page: Client, put_table: PutTable) -> None:
    put_table("Bela", None, None)
    for address in ("/", "/tables/new/", "/tables/new/?rules=kal&house=yes"):
        html = page.get(address).content.decode()
        assert not re.search(r"\sstyle=|<style|\son\w+=|<script(?![^>]*\ssrc=)|javascript:|hx-on", html)


def test_every_control_of_the_form_is_drawn_once_and_labelled(page: Client) -> None:
    html = page.get("/tables/new/?rules=official&players=5&house=yes").content.decode()
    ids = re.findall(r'\sid="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    inputs = set(re.findall(r'<input(?![^>]*type="hidden")[^>]*\sid="([^"]+)"', html))
    assert inputs == set(re.findall(r'<label for="([^"]+)"', html))
    assert len(inputs) > 60


def test_choices_travel_in_addresses_and_the_token_does_not(page: Client) -> None:
    html = page.get("/tables/new/").content.decode()
    form = html[html.index("<form") : html.index("</form>")]
    assert re.search(r'<button[^>]* name="csrfmiddlewaretoken"', form)
    assert not re.search(r'<input[^>]* name="csrfmiddlewaretoken"', form)


def test_an_address_full_of_nonsense_is_a_plain_form(page: Client) -> None:
    answer = page.get(
        "/tables/new/?rules=%00&players=-1&deals=x&house=yes&drawn=x&rule_min_call=%F0&seat_0=%E2%80%AE"
    )
    assert answer.status_code == 200


def test_a_table_is_opened(page: Client) -> None:
    answer = page.post("/tables/new/", {"rules": "kal", "deals": "3", "seat_1": "normal", "public": "no"})
    table = Table.objects.get()
    assert answer.status_code == 302
    assert answer["Location"] == f"/t/{table.code}/"
    assert (table.rules_name, table.length, table.public, table.seats.count()) == ("Kal", 3, False, 2)


def test_a_refused_form_says_why_and_opens_nothing(page: Client) -> None:
    answer = page.post("/tables/new/", {"rules": "kal", "players": "3", "name": "<b>" * 20})
    html = answer.content.decode()
    assert answer.status_code == 422
    assert "Kal is for 4 players." in html
    assert '<a href="#c-players">' in html
    assert "<b>" not in html
    assert not Table.objects.exists()


def test_presets_are_there_after_migrating_and_load_once(db: None) -> None:
    assert [ruleset.slug for ruleset in Ruleset.objects.all()] == list(PRESETS)
    house = Ruleset.objects.create(
        slug="ours", name="Ours", fields=PRESETS["kal"].changed(tie="extra").to_dict()
    )
    Ruleset.objects.filter(slug="kal").update(name="Damaged")
    call_command("load_presets", verbosity=0)
    assert Ruleset.objects.get(slug="kal").name == "Kal"
    assert Ruleset.objects.count() == len(PRESETS) + 1
    assert Ruleset.objects.get(slug="ours") == house
