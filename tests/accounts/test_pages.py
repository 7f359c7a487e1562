"""One's own page, what others see, the base of all pages and the pages that refuse."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest
from django.contrib.auth import get_user
from django.template.loader import render_to_string
from django.test import Client, RequestFactory

from accounts.models import User
from tests.accounts.conftest import PASSWORD

GUEST_PAGES = [
    "/people/join/",
    "/people/sign-in/",
    "/people/inactive/",
    "/people/password/reset/",
    "/people/password/reset/sent/",
    "/people/password/reset/done/",
    "/people/password/reset/1-abc-def/",
    "/people/nobody/",
]
OWN_PAGES = ["/people/me/", "/people/password/", "/people/sign-out/"]
INLINE = re.compile(r"<style|<script(?![^>]* src=)|\sstyle=|\son[a-z]+=|javascript:|\shx-on|js:")


def html_classes(page: str) -> set[str]:
    found = re.search(r'<html lang="en"(?: class="([^"]*)")?>', page)
    assert found
    return set((found[1] or "").split())


@pytest.mark.parametrize("address", GUEST_PAGES + OWN_PAGES)
def test_pages_keep_to_the_policy(client: Client, asha: User, address: str) -> None:
    if address in OWN_PAGES:
        client.force_login(asha)
    answer = client.get(address)
    page = answer.content.decode()
    policy = answer["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert not INLINE.search(page)
    assert not re.search(r'(?:src|href|action)="(?:https?:)?//', page)


@pytest.mark.parametrize("address", ["/people/join/", "/people/sign-in/", "/people/password/reset/"])
def test_every_field_has_its_label_and_says_what_is_wrong(client: Client, db: None, address: str) -> None:
    page = client.post(address, {}).content.decode()
    assert not INLINE.search(page)
    assert 'role="alert"' in page
    fields = [
        dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
        for tag in re.findall(r"<input[^>]*>", page)
        if 'type="hidden"' not in tag
    ]
    assert fields
    for field in fields:
        assert f'<label for="{field["id"]}">' in page
        assert field["autocomplete"]
        for part in field.get("aria-describedby", "").split():
            assert f'id="{part}"' in page
        if field.get("aria-invalid"):
            assert f"{field['id']}_error" in field["aria-describedby"]
            assert f'href="#{field["id"]}"' in page
    assert any(field.get("aria-invalid") for field in fields)


def test_a_guest_sees_the_defaults(client: Client, db: None) -> None:
    page = client.get("/people/sign-in/").content.decode()
    assert html_classes(page) == set()
    assert "Register" in page


@pytest.mark.parametrize(
    ("chosen", "classes"),
    [
        ({"theme": "auto", "deck": "two", "card_back": "vermilion"}, set()),
        ({"theme": "dark", "deck": "four", "card_back": "peacock"}, {"dark", "four", "back-peacock"}),
        ({"theme": "light", "deck": "two", "card_back": "night"}, {"light", "back-night"}),
    ],
)
def test_looks_are_kept_and_are_classes_of_every_page(
    client: Client, asha: User, chosen: dict[str, str], classes: set[str]
) -> None:
    client.force_login(asha)
    assert client.post("/people/me/looks/", chosen)["Location"] == "/people/me/"
    page = client.get("/people/me/").content.decode()
    assert html_classes(page) == classes
    assert 'role="status"' in page
    assert html_classes(client.get("/people/password/").content.decode()) == classes


def test_looks_that_do_not_exist(client: Client, asha: User) -> None:
    client.force_login(asha)
    wrong = {"theme": 'x" onload="', "deck": "two", "card_back": "night"}
    assert client.post("/people/me/looks/", wrong).status_code == 422
    asha.refresh_from_db()
    assert asha.look == ""


def test_storing_looks_does_not_undo_what_another_process_stored(client: Client, asha: User) -> None:
    client.force_login(asha)
    client.get("/people/me/")
    User.objects.filter(pk=asha.pk).update(email="elsewhere@example.org")
    client.post("/people/me/looks/", {"theme": "dark", "deck": "two", "card_back": "night"})
    asha.refresh_from_db()
    assert (asha.theme, asha.email) == ("dark", "elsewhere@example.org")


def test_others_see_the_name_and_nothing_private(client: Client, asha: User) -> None:
    page = client.get(asha.get_absolute_url()).content.decode()
    assert "Asha Rai" in page
    assert "example.org" not in page
    asha.is_active = False
    asha.save()
    assert client.get(asha.get_absolute_url()).status_code == 404


def test_changes_take_a_post(client: Client, asha: User) -> None:
    client.force_login(asha)
    assert client.get("/people/me/looks/").status_code == 405
    assert client.get("/people/me/address/").status_code == 405


def test_every_page_leads_back_to_the_table(asha: User) -> None:
    request = RequestFactory().get("/")
    request.user = asha
    tables = [
        SimpleNamespace(code="abcdefghjk", name="<Patan>", status="playing"),
        SimpleNamespace(code="mnpqrstuvw", name="Later", status="open"),
    ]
    page = render_to_string("base.html", {"user": asha, "my_tables": tables}, request)
    assert "You are playing at <strong>&lt;Patan&gt;</strong>" in page
    assert 'href="/t/abcdefghjk/"' in page
    assert "has not started" in page


def test_the_token_is_inherited_by_what_htmx_sends(client: Client, db: None) -> None:
    page = client.get("/people/sign-in/").content.decode()
    assert re.search(r'<body[^>]* hx-headers:inherited=\'{"X-CSRFToken": "\w{64}"}\'', page)


@pytest.mark.parametrize(
    "page", ["400.html", "403.html", "403_csrf.html", "404.html", "429.html", "500.html"]
)
def test_refusals_stand_without_a_request(page: str) -> None:
    words = render_to_string(page)
    assert 'href="/"' in words
    assert not INLINE.search(words)


def test_a_page_that_is_not_there_knows_who_asks(client: Client, asha: User) -> None:
    client.force_login(asha)
    answer = client.get("/people/nobody/")
    assert answer.status_code == 404
    assert "Nothing here" in answer.content.decode()
    assert "Your page, Asha Rai" in answer.content.decode()


def test_a_foreign_session_signs_nobody_in(asha: User) -> None:
    client = Client()
    client.cookies["sessionid"] = "a" * 32
    assert client.get("/people/me/").status_code == 302
    assert not get_user(client.request(PATH_INFO="/people/sign-in/").wsgi_request).is_authenticated
    assert asha.check_password(PASSWORD)
