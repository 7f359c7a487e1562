"""One hub a web process: one subscription a table, however many sockets watch it; what they share is read once."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol, TypeVar

from channels.layers import get_channel_layer
from django.db import close_old_connections
from django.dispatch import Signal

from games import announce, lobby
from games.models import Table
from games.rules import RulesError
from games.state import TableState, store

logger = logging.getLogger(__name__)
T = TypeVar("T")

# Sent with user_id and table_id (None: the lobby) when a socket showed that its person is there.
# The layer that writes connects to it: a socket itself writes nothing.
seen = Signal()

_readers = ThreadPoolExecutor(2, thread_name_prefix="reader")


async def in_thread(work: Callable[..., T], *args: Any) -> T:
    """Run database work for a socket in one of a few kept threads."""

    def run() -> T:
        close_old_connections()
        return work(*args)

    return await asyncio.get_running_loop().run_in_executor(_readers, run)


class TableSocket(Protocol):
    """What the hub needs of a socket at a table."""

    async def show(self, state: TableState) -> None:
        """Send what changed for its viewer."""


class LobbySocket(Protocol):
    """What the hub needs of a socket in the lobby: ``stake`` is the amount it wants open tables of, None for all."""

    stake: int | None

    async def show_lobby(self, html: str) -> None:
        """Send the lists of tables, where they changed."""


class PersonSocket(Protocol):
    """What the hub needs of any socket."""

    user_id: int | None
    session_key: str | None

    async def sign_out(self) -> None:
        """Close for good."""


class Hub:
    """The sockets of one process (of one event loop), and its single channel on the layer."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.layer: Any = get_channel_layer()
        self.channel = ""
        self.tables: dict[int, set[TableSocket]] = defaultdict(set)
        self.lobby: set[LobbySocket] = set()
        self.people: set[PersonSocket] = set()
        self.lobby_due = False
        self.starting = asyncio.Lock()
        self.subscribing = asyncio.Lock()
        self.task: asyncio.Task[None] | None = None
        self.background: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Open the channel and listen; safe to call again, as every socket does."""
        async with self.starting:
            if self.task is None or self.task.done():
                self.channel = await self.layer.new_channel()
                await self.layer.group_add(announce.PEOPLE, self.channel)
                await self.layer.group_add(announce.LOBBY, self.channel)
                for table_id in self.tables:
                    await self.layer.group_add(announce.group(table_id), self.channel)
                self.task = asyncio.create_task(self._listen())

    async def join_table(self, table_id: int, socket: TableSocket) -> None:
        """From now on this socket hears of the table."""
        await self.start()
        self.tables[table_id].add(socket)
        async with (
            self.subscribing
        ):  # every time: the last attempt may have failed, or an end of it be under way
            await self.layer.group_add(announce.group(table_id), self.channel)

    def forget(self, socket: Any, table_id: int | None) -> None:
        """The socket is gone; the last one of a table ends the subscription to it."""
        self.people.discard(socket)
        self.lobby.discard(socket)
        sockets = self.tables.get(table_id) if table_id is not None else None
        if sockets is None or table_id is None:
            return
        sockets.discard(socket)
        if not sockets:
            del self.tables[table_id]
            self._in_background(self._unsubscribe(table_id))

    async def _unsubscribe(self, table_id: int) -> None:
        async with self.subscribing:
            if table_id not in self.tables:
                await self.layer.group_discard(announce.group(table_id), self.channel)

    def _in_background(self, work: Coroutine[Any, Any, None]) -> None:
        """Run this beside everything else, keeping hold of it until it is done."""
        task = self.loop.create_task(work)
        self.background.add(task)
        task.add_done_callback(self.background.discard)

    async def _listen(self) -> None:
        while True:
            try:
                await self._handle(await self.layer.receive(self.channel))
            except Exception:
                logger.exception("a message could not be passed on")
                await asyncio.sleep(0.5)  # where the layer itself fails, not in a tight circle

    async def _handle(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "table.moved":
                await self._table_moved(message)
            case "lobby.moved":
                self.refresh_lobby()
            case "person.ended":
                await _each(
                    {
                        socket
                        for socket in self.people
                        if socket.user_id == message["user_id"]
                        and message["session"] in (None, socket.session_key)
                    },
                    lambda socket: socket.sign_out(),
                )

    async def _table_moved(self, message: dict[str, Any]) -> None:
        sockets = self.tables.get(message["table"])
        if not sockets:
            return
        state = await self._state(message)
        if state is None:
            return
        await _each(sockets, lambda socket: socket.show(state))

    async def _state(self, message: dict[str, Any]) -> TableState | None:
        """The announced state: known already, or folded on from the one before, or else read."""
        state = store.peek(message["table"])
        if state is not None and state.version >= message["version"]:
            return state
        action = announce.unpack(message)
        if state is not None and action is not None and state.version == message["version"] - 1:
            try:
                return store.put(state.after(*action))
            except RulesError:
                logger.warning("an announced action does not follow; table %s is read anew", state.code)
        try:
            return await in_thread(store.fresh, message["table"])
        except Table.DoesNotExist:
            return None

    def refresh_lobby(self) -> None:
        """Render the lobby soon, once for all who want the same of it: a burst of changes costs one look."""
        if self.lobby and not self.lobby_due:
            self.lobby_due = True
            self._in_background(self._show_lobby())

    async def _show_lobby(self) -> None:
        await asyncio.sleep(0.25)
        self.lobby_due = False
        for stake in {socket.stake for socket in self.lobby}:
            await self._show_tables(stake)

    async def _show_tables(self, stake: int | None) -> None:
        html = await in_thread(lobby.pieces, stake)
        same = [socket for socket in self.lobby if socket.stake == stake]
        await _each(same, lambda socket: socket.show_lobby(html))


async def _each(sockets: Iterable[T], call: Callable[[T], Awaitable[None]]) -> None:
    """Do this for every socket; one that fails (it is closing, say) fails alone."""
    for socket in list(sockets):
        try:
            await call(socket)
        except Exception as error:
            logger.info("a socket could not be served: %s", type(error).__name__)


_hubs: dict[asyncio.AbstractEventLoop, Hub] = {}


def hub() -> Hub:
    """The hub of the running event loop."""
    loop = asyncio.get_running_loop()
    for other in [each for each in _hubs if each.is_closed()]:
        del _hubs[other]
    if loop not in _hubs:
        _hubs[loop] = Hub()
    return _hubs[loop]
