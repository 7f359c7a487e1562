"""Signs of life. Written at most every ten seconds a person and table; whoever was thought away is back at once."""

from __future__ import annotations

import threading
import time
from typing import Any

from django.dispatch import receiver
from django.utils import timezone

from games.actions.change import locked
from games.hub import seen
from games.models import Seat, Table
from games.state import store

EVERY = 10.0
_last: dict[tuple[int, int | None], float] = {}
_lock = threading.Lock()


def _due(user_id: int, table_id: int | None) -> bool:
    """Whether this sign of life is worth a write."""
    now = time.monotonic()
    with _lock:
        if now - _last.get((user_id, table_id), -EVERY) < EVERY:
            return False
        if len(_last) > 20_000:
            _last.clear()
        _last[user_id, table_id] = now
        return True


def touch(table_id: int, user_id: int) -> None:
    """A request or a socket of this person at this table: he is here."""
    state = store.peek(table_id)
    seat = state.seat_of(user_id) if state is not None else None
    if state is not None and seat is None:
        return
    thought_away = seat is not None and seat.away
    if not thought_away and not _due(user_id, table_id):
        return
    mine = Seat.objects.filter(table_id=table_id, user_id=user_id)
    mine.update(last_seen=timezone.now())
    if thought_away or mine.filter(away=True).exists():
        with locked(table_id) as change:
            if change.row.seats.filter(user_id=user_id, away=True).update(away=False):
                change.done()


def touch_waiting(user_id: int) -> None:
    """A sign of life anywhere in the house keeps the seats that this person waits in."""
    if _due(user_id, None):
        Seat.objects.filter(user_id=user_id, table__status=Table.OPEN).update(last_seen=timezone.now())


@receiver(seen, dispatch_uid="a socket's person is here")
def socket_seen(sender: Any, user_id: int, table_id: int | None, **kwargs: Any) -> None:
    """A socket answered a beat."""
    if table_id is not None:
        touch(table_id, user_id)
    touch_waiting(user_id)
