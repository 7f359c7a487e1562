"""Whom a running match waits for, since when, and whether only the desk can help."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.timesince import timesince

from games.clockwork import due, late_seats
from games.models import Table
from games.state import TableState, store


@dataclass(frozen=True, slots=True)
class Wait:
    """``seats`` have something to do since ``since``; ``stuck``: for long, and nothing will move by itself."""

    seats: tuple[int, ...]
    names: tuple[str, ...]
    since: datetime
    stuck: bool

    @property
    def long(self) -> str:
        """For how long, in words: "12 minutes"."""
        return timesince(self.since)


def patience() -> timedelta:
    """How long somebody may think before the desk may act for him: as long as before the others may hurry him."""
    return timedelta(seconds=settings.NUDGE_AFTER)


def wait_of(state: TableState, now: datetime | None = None) -> Wait | None:
    """Whom a running match waits for; None where it is not running."""
    now = now or timezone.now()
    seats = tuple(sorted(late_seats(state)))
    if state.turn_at is None or not seats:
        return None
    coming = due(state)
    # "late" only tells the others that they may hurry him; a clock, a bot or the next deal would move the match,
    # unless its time has passed and nobody did it.
    alone = coming is None or coming.why == "late" or coming.at <= now
    names = tuple(seat.name for seat in state.taken if seat.index in seats)
    return Wait(seats, names, state.turn_at, alone and now - state.turn_at >= patience())


def waiting_tables() -> QuerySet[Table]:
    """Running matches that wait for long while nothing is due, longest first: as ``Wait.stuck`` has it, by the row."""
    now = timezone.now()
    quiet = Q(act_by=None) | Q(act_by__lte=now)
    return Table.objects.filter(quiet, status=Table.PLAYING, turn_at__lte=now - patience()).order_by(
        "turn_at"
    )


def states_of(tables: Iterable[Table]) -> dict[int, TableState]:
    """The states of these tables by key, as new as their rows or newer; what the process knows is not read again."""
    found = {}
    for table in tables:
        known = store.peek(table.pk)
        old = known is None or known.version < table.version
        found[table.pk] = store.fresh(table.pk) if old or known is None else known
    return found
