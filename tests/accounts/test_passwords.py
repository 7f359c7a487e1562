"""Changing and resetting the password, and the address that serves for it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth import SESSION_KEY
from django.core import mail
from django.core.mail import EmailMessage
from django.test import Client

from accounts import mailing
from accounts.models import User
from tests.accounts.conftest import PASSWORD, NewPerson

NEW = "heron-77-green"
RESET, ADDRESS = "/people/password/reset/", "/people/me/address/"
OnCommit = Callable[..., Any]


def link_in(message: EmailMessage) -> str:
    found = re.search(r"http://testserver(/\S+)", str(message.body))
    assert found
    return found[1]


def is_signed_in(client: Client) -> bool:
    return client.get("/people/me/").status_code == 200


def test_changing_it_ends_the_other_sessions(
    client: Client, asha: User, endings: list[Any], django_capture_on_commit_callbacks: OnCommit
) -> None:
    other = Client()
    for each in (client, other):
        each.force_login(asha)
        assert is_signed_in(each)
    with django_capture_on_commit_callbacks(execute=True):
        answer = client.post(
            "/people/password/", {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
        )
    assert answer["Location"] == "/people/me/"
    assert endings == [(asha.pk, None)]
    assert is_signed_in(client)
    assert not is_signed_in(other)


def test_changing_it_takes_the_present_one(client: Client, asha: User) -> None:
    client.force_login(asha)
    answer = client.post("/people/password/", {"oldpassword": "guess", "password1": NEW, "password2": NEW})
    assert "not your present password" in answer.content.decode()
    asha.refresh_from_db()
    assert asha.check_password(PASSWORD)


def test_a_lost_one_is_set_anew_by_mail(client: Client, asha: User, prompt_post: None) -> None:
    elsewhere = Client()
    elsewhere.force_login(asha)
    assert client.post(RESET, {"email": "Asha@Example.org"})["Location"] == "/people/password/reset/sent/"
    (message,) = mail.outbox
    assert message.to == ["asha@example.org"]
    assert "Asha Rai" in message.body
    link = link_in(message)
    page = client.get(link)["Location"]
    assert link.rsplit("-", 1)[1] not in page  # the key is out of the address once it was used
    assert client.get(page).status_code == 200
    assert (
        client.post(page, {"password1": NEW, "password2": NEW})["Location"] == "/people/password/reset/done/"
    )
    asha.refresh_from_db()
    assert asha.check_password(NEW)
    assert not is_signed_in(elsewhere)
    assert "no longer works" in Client().get(link).content.decode()


def test_an_unknown_address_is_answered_alike_and_gets_no_mail(
    client: Client, asha: User, prompt_post: None
) -> None:
    known, unknown = (
        client.post(RESET, {"email": f"{who}@example.org"}, follow=True) for who in ("asha", "ravi")
    )
    assert known.redirect_chain == unknown.redirect_chain
    without_tokens = [re.sub(rb"\w{64}", b"", answer.content) for answer in (known, unknown)]
    assert without_tokens[0] == without_tokens[1]
    assert [message.to for message in mail.outbox] == [["asha@example.org"]]


def test_a_shared_address_gets_a_link_for_each_name(
    client: Client, asha: User, new_person: NewPerson, prompt_post: None
) -> None:
    new_person("Ravi", asha.email)
    new_person("Closed", asha.email, is_active=False)
    client.post(RESET, {"email": asha.email})
    assert len({link_in(message) for message in mail.outbox}) == 2


def test_a_new_address_kills_the_old_ones_links(client: Client, asha: User, prompt_post: None) -> None:
    client.post(RESET, {"email": asha.email})
    asha.email = "new@example.org"
    asha.save()
    assert "no longer works" in client.get(link_in(mail.outbox[0])).content.decode()


@pytest.mark.django_db
def test_without_an_address_the_page_says_whom_to_ask(client: Client) -> None:
    for page in (RESET, RESET + "sent/"):
        assert "the host of the house" in client.get(page).content.decode()


def test_mail_is_posted_beside_the_request_and_a_broken_server_breaks_no_page(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    mailing.post(EmailMessage("Subject", "Body", to=["a@example.org"])).result(timeout=5)
    assert len(mail.outbox) == 1

    def refuse(self: EmailMessage) -> None:
        raise ConnectionRefusedError

    monkeypatch.setattr(EmailMessage, "send", refuse)
    mailing.post(EmailMessage("Subject", "Secret link", to=["a@example.org"])).result(timeout=5)
    assert "could not be sent" in caplog.text
    assert "Secret link" not in caplog.text


def test_the_address_is_changed_and_removed_with_the_password(client: Client, asha: User) -> None:
    client.force_login(asha)
    for password, email, stored in (
        ("guess", "evil@example.org", "asha@example.org"),
        (PASSWORD, "New@Example.org", "new@example.org"),
        (PASSWORD, "no address", "new@example.org"),
        (PASSWORD, "", ""),
    ):
        answer = client.post(ADDRESS, {"email": email, "password": password})
        asha.refresh_from_db()
        assert asha.email == stored
        assert answer.status_code == (302 if asha.email == email.lower() else 422)
        assert PASSWORD not in answer.content.decode()


def test_only_ones_own_address(client: Client, asha: User) -> None:
    assert client.post(ADDRESS, {"email": "", "password": PASSWORD}).status_code == 302
    asha.refresh_from_db()
    assert asha.email == "asha@example.org"
    assert SESSION_KEY not in client.session
