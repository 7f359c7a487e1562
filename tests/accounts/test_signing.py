"""Signing up, in and out."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import SESSION_KEY
from django.core.management import call_command
from django.test import Client

from accounts.adapter import Adapter
from accounts.models import User
from tests.accounts.conftest import PASSWORD, NewPerson

JOIN, IN, OUT = "/people/join/", "/people/sign-in/", "/people/sign-out/"


def join(client: Client, name: str, **changed: str) -> Any:
    form = {"username": name, "password1": PASSWORD, "password2": PASSWORD, "email": ""}
    return client.post(JOIN, form | changed)


def sign_in(client: Client, name: str, password: str = PASSWORD, **more: str) -> Any:
    return client.post(IN, {"login": name, "password": password} | more)


@pytest.mark.django_db
def test_joining_signs_in_and_needs_no_address(client: Client) -> None:
    answer = join(client, "  प्रकाश  ")
    assert answer.status_code == 302
    assert answer["Location"] == "/"
    person = User.objects.get()
    assert (person.username, person.email) == ("प्रकाश", "")
    assert client.session[SESSION_KEY] == str(person.pk)


@pytest.mark.django_db
def test_a_name_is_kept_in_normal_form(client: Client) -> None:
    join(client, "Zoe\u0308")
    assert User.objects.get().username == "Zoë"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("ASHA RAI", "too like one that is"),
        ("asharai", "too like one that is"),
        ("Asha Ra1", "too like one that is"),
        ("Bot Asha", "kept for the house"),
        ("Asha.Rai", "letters and digits"),
        ("Ashaराय", "one script"),
        ("A" * 25, "at most 24"),
    ],
)
def test_refused_names_are_told_why_and_kept_in_the_form(
    client: Client, asha: User, name: str, words: str
) -> None:
    answer = join(client, name, email="new@example.org")
    page = answer.content.decode()
    assert words in page
    assert f'value="{name}"' in page
    assert 'value="new@example.org"' in page
    assert PASSWORD not in page
    assert User.objects.count() == 1


def test_two_who_take_a_name_at_once(client: Client, asha: User, monkeypatch: pytest.MonkeyPatch) -> None:
    checked = Adapter.clean_username
    monkeypatch.setattr(
        Adapter, "clean_username", lambda self, username, shallow=False: checked(self, username, shallow=True)
    )
    answer = join(client, "ASHARAI")
    assert answer.status_code == 200
    assert "too like one that is" in answer.content.decode()
    assert User.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize("password", ["short-7", "password123", "1234567890", "prakash thapa"])
def test_weak_passwords(client: Client, password: str) -> None:
    answer = join(client, "Prakash Thapa", password1=password, password2=password)
    assert answer.status_code == 200
    assert not User.objects.exists()


def test_an_address_in_use_is_no_secret_to_be_found_out(client: Client, asha: User) -> None:
    assert join(client, "Ravi Rai", email=asha.email).status_code == 302
    assert User.objects.filter(email=asha.email).count() == 2


@pytest.mark.parametrize("name", ["Asha Rai", "ASHA RAI", "asharai", "  asha rai "])
def test_any_case_signs_in(client: Client, asha: User, name: str) -> None:
    assert sign_in(client, name).status_code == 302
    assert client.session[SESSION_KEY] == str(asha.pk)


@pytest.mark.parametrize(
    ("name", "password"), [("Asha Rai", "wrong"), ("Nobody", PASSWORD), ("x" * 200, PASSWORD)]
)
def test_a_wrong_name_and_a_wrong_password_are_answered_alike(
    client: Client, asha: User, name: str, password: str
) -> None:
    answer = sign_in(client, name, password)
    assert answer.status_code == 200
    assert "do not belong together" in answer.content.decode()
    assert SESSION_KEY not in client.session


def test_a_closed_account_does_not_sign_in(client: Client, new_person: NewPerson) -> None:
    new_person("Asha Rai", is_active=False)
    assert sign_in(client, "Asha Rai")["Location"] == "/people/inactive/"
    assert SESSION_KEY not in client.session
    assert "closed" in client.get("/people/inactive/").content.decode()


@pytest.mark.parametrize(
    "elsewhere",
    [
        *("https://evil.example/", "//evil.example/", "/\\evil.example", "https:evil.example"),
        *("javascript:alert(1)", "http://sub.localhost/"),
    ],
)
def test_next_leads_nowhere_else(client: Client, asha: User, elsewhere: str) -> None:
    assert sign_in(client, "Asha Rai", next=elsewhere)["Location"] == "/"


def test_next_leads_back(client: Client, asha: User) -> None:
    asked = client.get("/people/me/")
    assert asked["Location"] == "/people/sign-in/?next=/people/me/"
    assert 'name="next" value="/people/me/"' in client.get(asked["Location"]).content.decode()
    assert sign_in(client, "Asha Rai", next="/people/me/")["Location"] == "/people/me/"


def test_signing_out_takes_a_post(client: Client, asha: User, endings: list[Any]) -> None:
    client.force_login(asha)
    key = client.session.session_key
    cookie = client.cookies["sessionid"].value
    assert client.get(OUT).status_code == 200
    assert client.get("/people/me/").status_code == 200
    assert endings == []
    assert client.post(OUT)["Location"] == "/"
    assert endings == [(asha.pk, key)]
    client.cookies["sessionid"] = cookie
    assert client.get("/people/me/").status_code == 302


def test_signing_out_and_in_without_a_token_is_refused(asha: User) -> None:
    careful = Client(enforce_csrf_checks=True)
    careful.force_login(asha)
    answer = careful.post(OUT)
    assert answer.status_code == 403
    assert "Nothing was changed" in answer.content.decode()
    assert careful.get("/people/me/").status_code == 200


@pytest.mark.django_db
def test_no_page_answers_with_the_password(client: Client) -> None:
    form = {"username": "x", "password1": PASSWORD, "password2": "other"}
    answer = client.post(
        JOIN, form, headers={"accept": "application/json", "x-requested-with": "XMLHttpRequest"}
    )
    assert answer["Content-Type"].startswith("text/html")
    assert PASSWORD not in answer.content.decode()


def test_the_desk_has_the_same_door(client: Client, asha: User) -> None:
    assert client.get("/desk/login/?next=/desk/")["Location"] == "/people/sign-in/?next=%2Fdesk%2F"
    client.force_login(asha)
    assert client.get("/desk/login/").status_code == 403


@pytest.mark.django_db
def test_the_host_may_take_a_reserved_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)
    call_command("createsuperuser", "--noinput", "--username", "admin", verbosity=0)
    assert User.objects.get().is_superuser


def test_a_look_alike_made_at_the_desk_is_refused(admin_client: Client, asha: User) -> None:
    form = {"username": "Asha-Rai", "password1": PASSWORD, "password2": PASSWORD, "usable_password": "true"}
    assert "too like one that is" in admin_client.post("/desk/accounts/user/add/", form).content.decode()
    admin_client.post("/desk/accounts/user/add/", form | {"username": "Ravi"})
    assert User.objects.get(username="Ravi").check_password(PASSWORD)
