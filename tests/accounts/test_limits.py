"""How often one may knock. The limits are counted in the database's cache table."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import pytest
from allauth.core.internal import ratelimit
from django.contrib.auth import SESSION_KEY
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from tests.accounts.conftest import PASSWORD


def limits(settings: Settings, **changed: str) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | changed


def sign_in(client: Client, name: str, password: str = PASSWORD, **more: Any) -> Any:
    return client.post("/people/sign-in/", {"login": name, "password": password}, **more)


def test_a_name_that_failed_too_often_must_wait(
    client: Client, asha: User, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits(settings, login_failed="3/5m/key")
    for name in ("Asha Rai", "ASHARAI", "asha_rai"):
        assert sign_in(client, name, "guess").status_code == 200
    answer = sign_in(client, "Asha Rai")
    assert answer.status_code == 429
    assert answer["Retry-After"] == "300"
    assert "Wait five minutes" in answer.content.decode()
    assert 'value="Asha Rai"' in answer.content.decode()
    later = SimpleNamespace(time=lambda: time.time() + 301, monotonic=time.monotonic, sleep=time.sleep)
    monkeypatch.setattr(ratelimit, "time", later)
    assert sign_in(client, "Asha Rai").status_code == 302
    assert client.session[SESSION_KEY] == str(asha.pk)


def test_signing_in_rightly_is_not_counted(client: Client, asha: User, settings: Settings) -> None:
    limits(settings, login_failed="1/5m/key")
    for _ in range(3):
        assert sign_in(Client(), "Asha Rai").status_code == 302


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("limit", "address", "form", "wait"),
    [
        ("signup", "/people/join/", {"username": "x"}, 60),
        ("login", "/people/sign-in/", {"login": "x"}, 60),
        ("reset_password", "/people/password/reset/", {"email": "a@example.org"}, 300),
    ],
)
def test_too_many_requests(
    client: Client, settings: Settings, limit: str, address: str, form: dict[str, str], wait: int
) -> None:
    limits(settings, **{limit: "2/m/ip"})
    assert client.post(address, form).status_code < 400
    assert client.post(address, form).status_code < 400
    answer = client.post(address, form)
    assert answer.status_code == 429
    assert answer["Retry-After"] == str(wait)
    assert ("Wait a minute" if wait == 60 else "Wait five minutes") in answer.content.decode()
    assert client.get(address).status_code == 200


@pytest.mark.parametrize(
    ("limit", "address", "form"),
    [
        ("change_password", "/people/password/", {"oldpassword": "guess"}),
        ("manage_email", "/people/me/address/", {"email": "", "password": "guess"}),
    ],
)
def test_guessing_the_password_of_an_open_session(
    client: Client, asha: User, settings: Settings, limit: str, address: str, form: dict[str, str]
) -> None:
    limits(settings, **{limit: "1/m/user"})
    client.force_login(asha)
    assert client.post(address, form).status_code in (200, 422)
    assert client.post(address, form).status_code == 429


@pytest.mark.django_db
def test_a_forwarded_address_counts_behind_a_proxy_only(client: Client, settings: Settings) -> None:
    limits(settings, signup="1/m/ip")

    def knock(forwarded: str) -> int:
        answer = client.post("/people/join/", {"username": "x"}, headers={"x-forwarded-for": forwarded})
        return int(answer.status_code)

    assert [knock("198.51.100.1"), knock("198.51.100.2")] == [200, 429]
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    assert [knock("198.51.100.1"), knock("198.51.100.2")] == [200, 200]
    assert knock("203.0.113.9, 198.51.100.2") == 429  # what a client writes before the proxy's own is nothing
