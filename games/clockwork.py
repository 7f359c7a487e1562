"""What a table waits for by itself: a pure function of its state. Deadlines are kept in ``Table.act_by``."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings

from games.models import Pace
from games.state import TableState

# Seconds. A bot's pause is the same whatever it holds, so that it says nothing about how many cards were legal.
THINK = {Pace.SLOW: 1.8, Pace.NORMAL: 0.9, Pace.FAST: 0.35}
REST = {
    Pace.SLOW: 2.6,
    Pace.NORMAL: 1.7,
    Pace.FAST: 0.9,
}  # a finished trick lies this long before a bot leads
DEALING = {Pace.SLOW: 2.0, Pace.NORMAL: 1.2, Pace.FAST: 0.5}
STAND_IN = 1.6  # most that a bot for an absent person takes: the rules say within two seconds
HIGHLIGHT = 1.2  # how long the only legal card is shown before it plays itself
BOTS_NEXT = {Pace.SLOW: 5.0, Pace.NORMAL: 5.0, Pace.FAST: 2.5}


@dataclass(frozen=True, slots=True)
class Due:
    """When the house must do what; for "next", and after a deal, ``seat`` is None.

    ``why``: "bot", "absent", "single", "clock", "late" (from now on the others may hurry), "nudge" (all of them did) or
    "next" (deal again).
    """

    at: datetime
    why: str
    seat: int | None

    @property
    def queue(self) -> str:
        """The Celery queue: bots think in one of their own, so that no clock waits for them."""
        return "bots" if self.why in ("bot", "absent", "nudge") else "clocks"


def due(state: TableState) -> Due | None:
    """The next thing the house does at this table unless somebody acts first; None when it just waits."""
    if state.turn_at is None or state.deal is None:
        return None
    if state.phase == "scored":
        return _next_deal(state)
    if state.turn is None:
        return None
    seat = state.seats[state.turn]
    assert seat is not None
    pause = THINK[Pace(state.pace)] + _rest(state)
    if seat.bot:
        return _at(state, pause * settings.PACE, "bot")
    if not seat.here:
        return _at(state, min(pause, STAND_IN) * settings.PACE, "absent")
    found: list[Due] = []
    if state.phase == "playing" and state.rules.forced_card_plays:
        legal = state.deal.legal().cards
        if legal & (legal - 1) == 0:
            found.append(_at(state, (HIGHLIGHT + _rest(state)) * settings.PACE, "single"))
    clock = state.call_clock if state.phase == "calling" else state.card_clock
    if clock is not None:
        found.append(_at(state, clock, "clock"))
    found += _hurry(state, clock is not None)
    return min(found, key=lambda each: each.at, default=None)


def late_seats(state: TableState) -> frozenset[int]:
    """Whom a table waits for: the player to act, or everybody here whose Next is missing."""
    if state.phase == "scored":
        return frozenset(seat.index for seat in state.here if seat.ready_for != state.deal_number)
    return frozenset() if state.turn is None else frozenset([state.turn])


def _hurry(state: TableState, clock: bool) -> list[Due]:
    """Where no clock runs and the rules allow it: when the others may hurry who is late, and when all of them did."""
    if clock or state.rules.nudge != "after_120_s":
        return []
    if not state.late:
        return [_at(state, settings.NUDGE_AFTER, "late")]
    late = late_seats(state)
    others = [seat for seat in state.here if seat.index not in late]
    if others and all(seat.nudges == state.moment for seat in others):
        return [_at(state, 0.0, "nudge")]
    return []


def _next_deal(state: TableState) -> Due | None:
    if not state.here:
        return _at(state, BOTS_NEXT[Pace(state.pace)] * settings.PACE, "next")
    if state.has_clock:
        return _at(state, settings.NEXT_AFTER, "next")
    return next(iter(_hurry(state, clock=False)), None)


def _rest(state: TableState) -> float:
    """Extra seconds for the eye: cards being dealt, or a finished trick lying on the table."""
    assert state.deal is not None
    if state.deal.number == 0:
        return DEALING[Pace(state.pace)]
    if state.phase == "playing" and not state.deal.trick and state.deal.last_trick:
        return REST[Pace(state.pace)]
    return 0.0


def _at(state: TableState, seconds: float, why: str) -> Due:
    assert state.turn_at is not None
    return Due(state.turn_at + timedelta(seconds=seconds), why, state.turn)
