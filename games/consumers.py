"""The sockets: they push what changed and report that somebody is there. They take no actions.

Presence needs no word of a socket's end: it runs out by itself.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import time
from typing import Any

from channels.generic.websocket import AsyncWebsocketConsumer
from channels.security.websocket import WebsocketDenier
from django.contrib.sessions.models import Session
from django.db import DatabaseError
from django.http import QueryDict
from django.urls import path, re_path
from django.utils import timezone, translation
from django.utils.translation.trans_real import parse_accept_lang_header

from accounts.models import User
from games import board, lobby
from games import converters as converters  # registers the way codes are written in an address
from games.hub import hub, in_thread, seen
from games.models import Table
from games.state import TableState, store
from games.view import may_watch, view_of

logger = logging.getLogger(__name__)

BEAT = 10.0  # seconds between two beats; each is answered by the page, and renews its person's presence
CHECK = 6  # at every sixth beat the session is looked at, should the word of its end have been lost
SIGNED_OUT, MAY_NOT_WATCH, NO_TABLE = 4001, 4003, 4004


class Socket(AsyncWebsocketConsumer):
    """What both kinds of socket share: who it is, beats, and being closed when its person is signed out."""

    user_id: int | None = None
    session_key: str | None = None
    table_id: int | None = None
    language = "en"
    beats: asyncio.Task[None] | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve the socket; however it ends, nothing of it stays behind."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            if self.beats is not None:
                self.beats.cancel()
            hub().forget(self, self.table_id)

    async def open(self) -> None:
        """Accept, and start to beat."""
        user = self.scope["user"]
        self.user_id = user.pk if user.is_authenticated else None
        self.session_key = self.scope["session"].session_key if self.user_id is not None else None
        self.language = _language(self.scope)
        await self.accept()
        await hub().start()
        hub().people.add(self)

    async def live(self) -> None:
        """Everything is sent: from now on beat."""
        self.beats = asyncio.create_task(self._beat())
        await self._seen()

    async def _beat(self) -> None:
        for beat in itertools.count(1):
            try:
                told = await self.told()
                if beat % CHECK == 0 and not await in_thread(
                    _still_signed_in, self.user_id, self.session_key
                ):
                    await self.sign_out()
                    return
            except DatabaseError as error:
                logger.warning("a beat could not ask: %s", type(error).__name__)
                told = {}
            await self.send(json.dumps({"beat": int(time.time() * 1000), **told}))
            await asyncio.sleep(BEAT)

    async def told(self) -> dict[str, Any]:
        """What a beat tells besides the time; with it heals what a lost announcement left undone."""
        return {}

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """The page answers a beat; anything else it might send means nothing here."""
        if text_data == "beat":
            await self._seen()

    async def _seen(self) -> None:
        if self.user_id is not None:
            await in_thread(_tell_seen, self.user_id, self.table_id)

    async def sign_out(self) -> None:
        """The session ended: close, and let the page know that it need not try again."""
        await self.close(SIGNED_OUT)


class TableSocket(Socket):
    """A viewer at a table."""

    sent: dict[str, str] | None = None
    version = -1

    async def connect(self) -> None:
        """Join first, then send the whole board: what happens in between is not missed."""
        await self.open()
        try:
            state = await in_thread(store.by_code, self.scope["url_route"]["kwargs"]["code"])
        except Table.DoesNotExist:
            await self.close(NO_TABLE)
            return
        self.table_id = state.id
        await hub().join_table(state.id, self)
        await self.show(await in_thread(store.fresh, state.id))
        await self.live()

    async def show(self, state: TableState) -> None:
        """Send the regions of the board that changed for this viewer; nothing older than what was sent."""
        if state.version <= self.version:
            return
        if not may_watch(state, self.user_id):
            await self.close(MAY_NOT_WATCH)
            return
        shown, self.version = self.version, state.version
        with translation.override(self.language):
            regions = board.regions(view_of(state, self.user_id))
            message = {"v": state.version, "content": board.pieces(self.sent, regions)}
        if self.sent is not None:
            message["from"] = shown  # a page that shows another version asks for the whole board
        self.sent = regions
        await self.send(json.dumps(message))

    async def told(self) -> dict[str, Any]:
        """Where the table stands: a page that is behind, as when a process died before it could announce, asks."""
        assert self.table_id is not None
        return {"at": (await in_thread(store.fresh, self.table_id)).version}


class LobbySocket(Socket):
    """A viewer of the lobby, of all its open tables or (``stake``) those of one stake."""

    stake: int | None = None
    shown = ""

    async def connect(self) -> None:
        """Join, then send the lists."""
        await self.open()
        query = QueryDict(self.scope["query_string"])
        self.stake = lobby.wanted(query.get("stake", ""), await in_thread(lobby.amounts))
        hub().lobby.add(self)
        await self.show_lobby(await in_thread(lobby.pieces, self.stake))
        await self.live()

    async def show_lobby(self, html: str) -> None:
        """Send the lists of tables, if they are not the last that were sent."""
        if html != self.shown:
            self.shown = html
            await self.send(json.dumps({"v": int(time.time() * 1000), "content": html}))

    async def told(self) -> dict[str, Any]:
        """Nothing; but the hub looks at the lobby once more, for everybody in it together."""
        hub().refresh_lobby()
        return {}


def _still_signed_in(user_id: int | None, session_key: str | None) -> bool:
    """Whether the session a socket was opened with is still one, of a person who may still sign in."""
    if user_id is None:
        return True
    session = Session.objects.filter(session_key=session_key, expire_date__gt=timezone.now())
    return session.exists() and User.objects.filter(pk=user_id, is_active=True).exists()


def _tell_seen(user_id: int, table_id: int | None) -> None:
    seen.send(sender=Socket, user_id=user_id, table_id=table_id)


def _language(scope: dict[str, Any]) -> str:
    """The language of the page that opened the socket, as the locale middleware would choose it."""
    cookie = scope.get("cookies", {}).get("django_language", "")
    headers = dict(scope.get("headers", []))
    accepted = headers.get(b"accept-language", b"").decode("latin1")
    for wanted, _quality in [(cookie, 1.0), *parse_accept_lang_header(accepted)]:
        try:
            return translation.get_supported_language_variant(wanted)
        except LookupError:
            continue
    return translation.get_supported_language_variant("en")


socket_urls = [
    path("ws/t/<code:code>/", TableSocket.as_asgi()),
    path("ws/lobby/", LobbySocket.as_asgi()),
    re_path("", WebsocketDenier.as_asgi()),
]
