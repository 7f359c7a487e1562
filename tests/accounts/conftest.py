"""People for the tests, and ears for what the app tells others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from accounts import mailing
from accounts.models import User
from accounts.signals import ended

PASSWORD = "sparrow-42-blue"

NewPerson = Callable[..., User]


@pytest.fixture
def new_person(db: None) -> NewPerson:
    """Makes a person with ``PASSWORD``."""

    def make(name: str = "Asha Rai", email: str = "", **fields: Any) -> User:
        return User.objects.create_user(name, email, PASSWORD, **fields)

    return make


@pytest.fixture
def asha(new_person: NewPerson) -> User:
    return new_person("Asha Rai", "asha@example.org")


@pytest.fixture
def endings() -> Iterator[list[tuple[int, str | None]]]:
    """The (user id, session key) of every ``ended`` while the test runs."""
    heard: list[tuple[int, str | None]] = []

    def hear(user_id: int, session_key: str | None, **kwargs: Any) -> None:
        heard.append((user_id, session_key))

    ended.connect(hear, weak=False)
    yield heard
    ended.disconnect(hear)


@pytest.fixture
def prompt_post(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mail is in the outbox when the request is answered."""
    monkeypatch.setattr(mailing, "post", mailing._send)
