"""Telling every process what happened, after it was committed. What gets lost is found by versions and by the sweep.

Messages carry only what everybody at the table may know: hidden cards never enter Redis.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from datetime import datetime
from typing import Any

from celery import current_app
from channels.layers import get_channel_layer

from games.clockwork import Due
from games.models import Action
from games.state import Act, TableState

logger = logging.getLogger(__name__)

LOBBY = "lobby"
PEOPLE = "people"
SOON = 3.0  # seconds: what is due sooner than this gets a task at once, the rest the sweep finds in time


def group(table_id: int) -> str:
    """The channel group of a table."""
    return f"table.{table_id}"


class _Loop:
    """One kept event loop in a thread of its own: publishing from plain code costs no new loop or connection."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.pid = 0
        self.loop: asyncio.AbstractEventLoop | None = None

    def get(self) -> asyncio.AbstractEventLoop:
        """The loop of this process; a forked child gets one of its own."""
        with self.lock:
            if self.loop is None or self.pid != os.getpid():
                self.loop = asyncio.new_event_loop()
                self.pid = os.getpid()
                threading.Thread(target=self.loop.run_forever, name="announce", daemon=True).start()
            return self.loop


_loop = _Loop()


def publish(to: str, message: dict[str, Any]) -> None:
    """Send a message to a channel group, without waiting for it and without ever raising."""
    asyncio.run_coroutine_threadsafe(_send(to, message), _loop.get())


async def _send(to: str, message: dict[str, Any]) -> None:
    layer = get_channel_layer()
    assert layer is not None
    try:
        await layer.group_send(to, message)
    except Exception as error:
        logger.warning("not announced to %s: %s", to, type(error).__name__)


def table(state: TableState, act: Act | None = None) -> None:
    """Announce a table's new version, with the public action where one made it."""
    message: dict[str, Any] = {"type": "table.moved", "table": state.id, "version": state.version}
    # That a card was the only one is its owner's to know until the end: other processes read it from the database.
    if act is not None and state.turn_at is not None and act.by != Action.SINGLE:
        message["act"] = [act.kind, act.seat, act.value, act.by]
        message["at"] = state.turn_at.isoformat()
    publish(group(state.id), message)


def unpack(message: dict[str, Any]) -> tuple[Act, datetime] | None:
    """The action a message carries, or None."""
    if "act" not in message:
        return None
    return Act(*message["act"]), datetime.fromisoformat(message["at"])


def lobby() -> None:
    """Announce that the lobby looks different."""
    publish(LOBBY, {"type": "lobby.moved"})


def schedule(state: TableState, next_due: Due | None, now: datetime) -> None:
    """Ask a worker for what is due soon."""
    if next_due is not None:
        wait = (next_due.at - now).total_seconds()
        if wait <= SOON:
            ask(state.id, state.version, next_due.queue, wait)


def ask(table_id: int, version: int, queue: str, wait: float) -> None:
    """Ask a worker to look at a table in so many seconds. Without Redis nothing is lost: the sweep asks again."""
    name = "games.tasks.think" if queue == "bots" else "games.tasks.tick"
    try:
        current_app.send_task(name, (table_id, version), countdown=max(0.0, wait), queue=queue)
    except Exception as error:
        logger.warning("not scheduled for table %s: %s", table_id, type(error).__name__)
