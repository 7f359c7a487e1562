"""The sockets: the whole board on connect, then what changed, for this viewer's eyes only."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from django.conf import settings as django_settings
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games import actions, announce, consumers, rules
from games.actions import presence
from games.consumers import MAY_NOT_WATCH, NO_TABLE, SIGNED_OUT, socket_urls
from games.hub import hub
from games.models import Ruleset, Seat, Table
from games.sockets import guarded
from games.state import store
from tests.tables.test_whole_matches import cards_named

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("valkey")]

HOST = b"table.example"
ORIGIN = b"http://table.example"


@pytest.fixture(autouse=True)
def _fresh_process(settings: Any) -> Iterator[None]:
    settings.PACE = 0.0
    store.clear()
    presence._last.clear()
    yield
    store.clear()


def signed_in(name: str) -> tuple[User, str]:
    """A person and the session cookie of a browser of his."""
    user = User.objects.create_user(username=name, password="a long password 1")
    client = Client()
    client.force_login(user)
    return user, client.cookies[django_settings.SESSION_COOKIE_NAME].value


def open_table(user: User, **changes: Any) -> Table:
    preset = Ruleset.objects.get(slug="kal")
    arguments: dict[str, Any] = {
        "name": "A table",
        "ruleset": preset,
        "rules": preset.rules,
        "rules_name": preset.name,
        "players": 4,
        "length": 5,
        "call_clock": None,
        "card_clock": None,
        "pace": "fast",
        "public": True,
        "watchable": True,
        "bots": {},
        "seat": 0,
    }
    return actions.open_table(user, **{**arguments, **changes})


def match_of_four() -> tuple[Table, list[User], list[str]]:
    """A match of four people that has begun, with the cookie of each."""
    pairs = [signed_in(name) for name in ("Asha", "Bishnu", "Chandra", "Dipak")]
    table = open_table(pairs[0][0])
    for index, (user, _cookie) in enumerate(pairs[1:], start=1):
        actions.take_seat(table.pk, user, index)
    return table, [user for user, _ in pairs], [cookie for _, cookie in pairs]


def socket(path: str, cookie: str | None = None, origin: bytes | None = ORIGIN) -> WebsocketCommunicator:
    """A socket as a browser with this cookie opens it from a page of this origin."""
    headers = [(b"host", HOST)]
    if origin is not None:
        headers.append((b"origin", origin))
    if cookie is not None:
        headers.append((b"cookie", f"{django_settings.SESSION_COOKIE_NAME}={cookie}".encode()))
    return WebsocketCommunicator(guarded(URLRouter(socket_urls)), path, headers=headers)


async def heard(client: WebsocketCommunicator, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The next message of the wanted kind."""
    while True:
        message = json.loads(await client.receive_from(timeout=5))
        if wanted(message):
            return message


def version(at_least: int) -> Callable[[dict[str, Any]], bool]:
    return lambda message: message.get("v", -1) >= at_least


async def do(work: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    return await sync_to_async(work, thread_sensitive=True)(*args, **kwargs)


async def test_the_board_on_connect_and_what_changed_after_a_call() -> None:
    table, people, cookies = await do(match_of_four)
    state = await do(store.fresh, table.pk)
    clients = [socket(f"/ws/t/{table.code}/", cookie) for cookie in [*cookies, None]]
    for client in clients:
        assert (await client.connect())[0]
    boards = [await heard(client, version(state.version)) for client in clients]
    hands = [set(rules.cards_of(hand)) for hand in state.deal.hands]
    for seat, whole in enumerate(boards):
        assert whole["v"] == state.version
        assert cards_named(whole["content"]) == (hands[seat] if seat < 4 else set())
    await do(actions.call, table.pk, people[state.turn].pk, 3, deal=1, number=0)
    for seat, client in enumerate(clients):
        change = await heard(client, version(state.version + 1))
        assert change["v"] == state.version + 1
        assert change["content"]
        assert len(change["content"]) < len(boards[seat]["content"])
        assert cards_named(change["content"]) <= (hands[seat] if seat < 4 else set())
    for client in clients:
        await client.disconnect()


async def test_what_the_page_sends_means_nothing() -> None:
    table, people, cookies = await do(match_of_four)
    client = socket(f"/ws/t/{table.code}/", cookies[0])
    await client.connect()
    for text in ("{", '{"card": "AS"}', "beat" * 1000, "\x00"):
        await client.send_to(text_data=text)
    await client.send_to(bytes_data=b"\xff\xfe")
    state = await do(store.fresh, table.pk)
    await do(actions.call, table.pk, people[state.turn].pk, 3, deal=1, number=0)
    await heard(client, version(state.version + 1))
    await client.disconnect()


@pytest.mark.parametrize(
    "origin", [b"http://evil.example", b"http://table.example.evil.example", b"null", None]
)
async def test_only_pages_of_this_site_open_sockets(origin: bytes | None) -> None:
    table, _people, cookies = await do(match_of_four)
    connected, _code = await socket(f"/ws/t/{table.code}/", cookies[0], origin).connect()
    assert not connected


@pytest.mark.parametrize("path", ["/ws/", "/ws/t/", "/ws/t/%00/", "/ws/t/no such/", "/other/"])
async def test_no_such_address(path: str) -> None:
    connected, _code = await socket(path).connect()
    assert not connected


async def test_no_such_table_and_no_watchers() -> None:
    client = socket("/ws/t/nnnnnnnnnn/")
    await client.connect()
    assert (await client.receive_output(timeout=5))["code"] == NO_TABLE
    user, cookie = await do(signed_in, "Esha")
    table = await do(open_table, user, bots=dict.fromkeys(range(1, 4), "normal"), watchable=False)
    stranger = socket(f"/ws/t/{table.code}/")
    await stranger.connect()
    assert (await stranger.receive_output(timeout=5))["code"] == MAY_NOT_WATCH
    own = socket(f"/ws/t/{table.code}/", cookie)
    await own.connect()
    assert "content" in await heard(own, version(0))
    await own.disconnect()


async def test_signing_out_closes_the_sockets_of_that_session() -> None:
    def prepared() -> tuple[Table, Client, Client]:
        table, people, _cookies = match_of_four()
        first, second = Client(), Client()
        first.force_login(people[0])
        second.force_login(people[0])
        return table, first, second

    table, first, second = await do(prepared)
    name = django_settings.SESSION_COOKIE_NAME
    one = socket(f"/ws/t/{table.code}/", first.cookies[name].value)
    two = socket(f"/ws/t/{table.code}/", second.cookies[name].value)
    for client in (one, two):
        await client.connect()
        await heard(client, version(0))
        await heard(client, lambda message: "beat" in message)
    await do(first.post, "/people/sign-out/")
    output = await one.receive_output(timeout=5)
    assert (output["type"], output["code"]) == ("websocket.close", SIGNED_OUT)
    assert await two.receive_nothing(timeout=0.2)
    await two.disconnect()


async def test_a_lost_word_of_a_sign_out_heals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consumers, "CHECK", 2)
    monkeypatch.setattr(consumers, "BEAT", 0.05)
    table, _people, cookies = await do(match_of_four)
    client = socket(f"/ws/t/{table.code}/", cookies[0])
    await client.connect()
    await heard(client, version(0))
    await do(Session.objects.all().delete)
    while (output := await client.receive_output(timeout=5))["type"] != "websocket.close":
        pass
    assert output["code"] == SIGNED_OUT


async def test_an_answered_beat_is_a_sign_of_life() -> None:
    table, people, cookies = await do(match_of_four)
    client = socket(f"/ws/t/{table.code}/", cookies[1])
    await client.connect()
    await heard(client, version(0))
    await heard(client, lambda message: "beat" in message)

    def everybody_gone() -> None:
        Seat.objects.filter(table=table).update(last_seen=timezone.now() - timedelta(seconds=60))
        actions.notice_away(table.pk)

    await do(everybody_gone)
    before = await do(store.fresh, table.pk)
    assert all(seat.away for seat in before.seats)
    await client.send_to(text_data="beat")
    await heard(client, version(before.version + 1))
    after = await do(store.fresh, table.pk)
    assert [seat.away for seat in after.seats] == [True, False, True, True]
    assert people[1].pk == after.seats[1].user_id
    await client.disconnect()


async def test_a_beat_tells_where_the_table_stands_though_no_word_of_it_came(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A process may die after it wrote and before it announced; a page that hears the next beat asks."""
    table, people, cookies = await do(match_of_four)
    old = await do(store.fresh, table.pk)
    monkeypatch.setattr(announce, "publish", lambda to, message: None)
    monkeypatch.setattr(consumers, "BEAT", 0.05)
    client = socket(f"/ws/t/{table.code}/", cookies[0])
    await client.connect()
    assert (await heard(client, lambda message: "beat" in message))["at"] == old.version
    await do(actions.call, table.pk, people[old.turn].pk, 3, deal=1, number=0)
    await heard(client, lambda message: message.get("at") == old.version + 1)
    await client.disconnect()


async def test_another_process_folds_what_is_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who did not write learns the new state from the announcement alone, where it knew the one before."""
    table, people, cookies = await do(match_of_four)
    client = socket(f"/ws/t/{table.code}/", cookies[0])
    await client.connect()
    old = await do(store.fresh, table.pk)
    await heard(client, version(old.version))
    await heard(client, lambda message: "beat" in message)

    def elsewhere() -> None:
        # The writer remembers in another process's memory; and this process must not read.
        with monkeypatch.context() as patched:
            patched.setattr(store, "put", lambda state: state)
            actions.call(table.pk, people[old.turn].pk, 3, deal=1, number=0)
        monkeypatch.setattr(store, "fresh", None)

    await do(elsewhere)
    await heard(client, version(old.version + 1))
    assert store.peek(table.pk).version == old.version + 1
    await client.disconnect()


async def test_nothing_of_a_socket_stays_behind() -> None:
    table, _people, cookies = await do(match_of_four)
    clients = [socket(f"/ws/t/{table.code}/", cookie) for cookie in cookies]
    clients += [socket("/ws/lobby/"), socket("/ws/t/nnnnnnnnnn/")]
    for client in clients:
        await client.connect()
    for client in clients[:5]:
        await heard(client, version(0))
    here = hub()
    assert (len(here.tables[table.pk]), len(here.lobby)) == (4, 1)
    for client in clients:
        await client.disconnect()
    assert (dict(here.tables), here.lobby, here.people) == ({}, set(), set())


async def test_one_broken_socket_fails_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    table, people, cookies = await do(match_of_four)
    clients = [socket(f"/ws/t/{table.code}/", cookie) for cookie in cookies]
    for client in clients:
        await client.connect()
        await heard(client, version(0))
    state = await do(store.fresh, table.pk)
    broken = next(iter(hub().tables[table.pk]))

    async def fail(state: Any) -> None:
        raise OSError

    monkeypatch.setattr(broken, "show", fail)
    await do(actions.call, table.pk, people[state.turn].pk, 3, deal=1, number=0)
    served = [client for client, user in zip(clients, people, strict=True) if user.pk != broken.user_id]
    for client in served:
        change = await heard(client, version(state.version + 1))
        assert change["from"] == state.version
    for client in clients:
        await client.disconnect()


async def test_the_lobby_is_live() -> None:
    user, cookie = await do(signed_in, "Asha")
    client = socket("/ws/lobby/", cookie)
    await client.connect()
    await heard(client, version(0))
    table = await do(open_table, user, name="Patan <evenings>")
    change = await heard(client, lambda message: "Patan" in message.get("content", ""))
    assert "Patan &lt;evenings&gt;" in change["content"]
    assert table.code in change["content"]
    await client.disconnect()


async def test_the_lobby_of_one_stake_hears_of_its_tables_alone() -> None:
    user, cookie = await do(signed_in, "Asha")
    some, everything = socket("/ws/lobby/?stake=50", cookie), socket("/ws/lobby/?stake=51", cookie)
    for client in (some, everything):
        await client.connect()
        await heard(client, version(0))
    await do(open_table, user, name="For nothing")
    await heard(everything, lambda message: "For nothing" in message.get("content", ""))
    await do(open_table, user, name="For fifty", stake=50, asks_for=50)
    change = await heard(some, lambda message: "For " in message.get("content", ""))
    assert "For fifty" in change["content"]
    assert "For nothing" not in change["content"]
    for client in (some, everything):
        await client.disconnect()
