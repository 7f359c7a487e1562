"""What a process remembers of sessions and people, and how soon it forgets."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import connection, connections
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts import backends, memo, sessions
from accounts.memo import Memo
from accounts.models import User
from accounts.sessions import SessionStore

OnCommit = Callable[..., Any]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The memory's clock; set ``now``."""
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr(memo, "time", SimpleNamespace(monotonic=lambda: clock.now))
    return clock


def reads(client: Client) -> list[str]:
    """The queries about sessions and people that a page costs."""
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert client.get("/people/sign-out/").status_code == 200
    return [
        query["sql"]
        for query in queries
        if "django_session" in query["sql"] or 'FROM "accounts_user"' in query["sql"]
    ]


def test_a_warm_request_asks_for_neither_session_nor_person(client: Client, asha: User) -> None:
    client.force_login(asha)
    assert len(reads(client)) == 2
    assert reads(client) == []


def test_after_five_seconds_both_are_read_again(client: Client, asha: User, clock: SimpleNamespace) -> None:
    client.force_login(asha)
    assert len(reads(client)) == 2
    clock.now = 4.9
    assert reads(client) == []
    clock.now = 5.0
    assert len(reads(client)) == 2


def test_what_another_process_did_is_seen_in_time(client: Client, asha: User, clock: SimpleNamespace) -> None:
    client.force_login(asha)
    reads(client)
    User.objects.filter(pk=asha.pk).update(is_active=False)  # past this process's signals
    assert client.get("/people/sign-out/").status_code == 200
    clock.now = 5.0
    assert client.get("/people/sign-out/").status_code == 302


def test_closing_an_account_takes_effect_at_once(
    client: Client, asha: User, endings: list[Any], django_capture_on_commit_callbacks: OnCommit
) -> None:
    client.force_login(asha)
    reads(client)
    with django_capture_on_commit_callbacks(execute=True):
        asha.is_active = False
        asha.save()
    assert client.get("/people/me/").status_code == 302
    assert endings == [(asha.pk, None)]


def test_storing_anything_else_ends_nothing(
    asha: User, endings: list[Any], django_capture_on_commit_callbacks: OnCommit
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        again = User.objects.get(pk=asha.pk)
        again.theme = "dark"
        again.save()
        again.save(update_fields=["deck"])
        User.objects.only("username").get(pk=asha.pk).save(update_fields=["username"])
    assert endings == []


def test_a_new_name_is_seen_at_once(client: Client, asha: User) -> None:
    client.force_login(asha)
    reads(client)
    asha.username = "Usha"
    asha.save(update_fields=["username"])
    assert "Usha" in client.get("/people/me/").content.decode()
    assert User.objects.get(username_key="usha") == asha


def test_a_deleted_person_is_gone(client: Client, asha: User) -> None:
    client.force_login(asha)
    reads(client)
    asha.delete()
    assert client.get("/people/me/").status_code == 302


def test_each_caller_has_a_person_of_his_own(asha: User) -> None:
    backend = backends.Backend()
    first, second = backend.get_user(asha.pk), backend.get_user(asha.pk)
    assert first is not None
    assert second is not None
    first.username = "Changed"
    assert second.username == "Asha Rai"
    assert not hasattr(second, "_perm_cache")


@pytest.mark.django_db
def test_a_session_is_forgotten_when_saved_deleted_or_flushed() -> None:
    store = SessionStore()
    store["n"] = 1
    store.create()
    key = store.session_key
    assert SessionStore(key)["n"] == 1
    store["n"] = 2
    store.save()
    assert SessionStore(key)["n"] == 2
    store.cycle_key()
    assert "n" not in SessionStore(key)
    key = store.session_key
    assert SessionStore(key)["n"] == 2
    SessionStore(key).flush()
    assert "n" not in SessionStore(key)


@pytest.mark.django_db
def test_what_a_request_does_to_its_session_stays_its_own() -> None:
    store = SessionStore()
    store["list"] = [1]
    store.create()
    SessionStore(store.session_key)["list"].append(2)
    SessionStore(store.session_key)["list"].append(3)
    assert SessionStore(store.session_key)["list"] == [1]


@pytest.mark.django_db
def test_an_ended_session_is_not_revived_by_a_reader_that_was_late(monkeypatch: pytest.MonkeyPatch) -> None:
    store = SessionStore()
    store[SESSION_KEY] = "1"
    store.create()
    key = store.session_key
    assert key is not None
    late = SessionStore(key)
    decode = late.decode

    def ended_meanwhile(data: Any) -> dict[str, Any]:
        SessionStore(key).delete()
        return decode(data)

    monkeypatch.setattr(late, "decode", ended_meanwhile)
    assert late.load() == {SESSION_KEY: "1"}
    assert SessionStore(key).load() == {}


@pytest.mark.django_db(transaction=True)
def test_the_asynchronous_ways_forget_too() -> None:
    store = SessionStore()
    store["n"] = 1
    store.create()
    key = store.session_key
    assert SessionStore(key)["n"] == 1
    store["n"] = 2

    async def then_let_go(work: Awaitable[None]) -> None:
        await work
        await sync_to_async(connections.close_all)()  # those of the thread that did it

    asyncio.run(then_let_go(store.asave()))
    assert SessionStore(key)["n"] == 2
    asyncio.run(then_let_go(store.adelete()))
    assert "n" not in SessionStore(key)


@pytest.mark.django_db
def test_an_unknown_key_is_given_up_and_not_remembered() -> None:
    store = SessionStore("x" * 32)
    assert store.load() == {}
    assert store.session_key is None
    assert sessions.remembered.get("x" * 32) is None
    assert not Session.objects.exists()


def test_a_memo_is_bounded_and_drops_the_oldest(clock: SimpleNamespace) -> None:
    small: Memo[int, str] = Memo(2)
    for key in (1, 2, 3):
        small.put(key, str(key), small.generation)
    assert [small.get(key) for key in (1, 2, 3)] == [None, "2", "3"]
    seen = small.generation
    small.drop(2)
    small.put(2, "late", seen)
    assert small.get(2) is None
    small.clear()
    assert small.get(3) is None
