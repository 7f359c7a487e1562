"""The coach: what an expert would do in a person's place, at a table where only bots play against him.

The thinking is done by a worker, in a queue of its own behind the bots', so that it delays no clock. What it found
waits in the cache under a name that only this moment and this seat have, and only that person is shown it.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass

from celery import current_app
from django.core.cache import cache

from games import bots, rules
from games.models import Table
from games.state import TableState, store

logger = logging.getLogger(__name__)

KEPT = 600  # seconds that a hint can be looked at
ASKED = 20  # seconds until the same hint may be asked for again
LEVEL = "expert"


@dataclass(frozen=True, slots=True)
class Hint:
    """What the expert would call or play, and by call or card what it expects, in tenths of a point."""

    best: int
    worth: tuple[tuple[int, int], ...]


def may_ask(state: TableState, user_id: int | None) -> bool:
    """Whether this person plays here against bots alone. A person who has left counts: he may come back."""
    mine = state.seat_of(user_id)
    others = [seat for seat in state.taken if seat is not mine]
    return (
        mine is not None and mine.here and state.status == Table.PLAYING and all(seat.bot for seat in others)
    )


def due(state: TableState, user_id: int | None) -> int | None:
    """The seat of this person where it may ask and is to act now, else None."""
    mine = state.seat_of(user_id)
    if mine is None or not may_ask(state, user_id) or state.turn != mine.index:
        return None
    return mine.index


def ask(state: TableState, seat: int) -> None:
    """Have a worker think, unless one was asked just now."""
    if not cache.add(_name(state, seat) + "/asked", 1, ASKED):
        return
    try:
        current_app.send_task(
            "games.tasks.hint", (state.id, state.moment, seat), queue="hints", expires=ASKED
        )
    except Exception as error:
        logger.warning("no hint for table %s: %s", state.id, type(error).__name__)


def think(table_id: int, moment: int, seat: int) -> None:
    """Work the hint out and leave it for its person, if the moment is still there and he may still ask."""
    state = store.fresh(table_id)
    place = state.seats[seat]
    if state.moment != moment or place is None or due(state, place.user_id) != seat:
        return
    sight = state.sight(seat)
    found = bots.estimate(sight, LEVEL, bots.seed(state.code, moment, seat))
    worth = dict(found.worth)
    if sight.legal is not None:
        # Cards that come to the same were looked at once, by the lowest of them.
        last = 0.0
        for card in rules.cards_of(sight.legal.cards):
            last = worth.setdefault(card, last)
    tenths = sorted((choice, round(value)) for choice, value in worth.items())
    cache.set(_name(state, seat), {"best": found.best, "worth": tenths}, KEPT)


def read(state: TableState, seat: int) -> Hint | None:
    """The hint for this moment, once it is there."""
    found = cache.get(_name(state, seat))
    return None if found is None else Hint(found["best"], tuple(tuple(each) for each in found["worth"]))


def _name(state: TableState, seat: int) -> str:
    return f"hint/{state.id}/{state.moment}/{seat}"
