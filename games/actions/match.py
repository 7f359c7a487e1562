"""Between deals and at the end: Next, hurrying, cancelling, the rematch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _

from games.actions.change import Change, locked
from games.actions.house import tick
from games.actions.seats import open_table, take_seat
from games.clockwork import late_seats
from games.errors import Refusal, stale
from games.models import Seat, Table
from games.state import TableState, store

if TYPE_CHECKING:
    from accounts.models import User


def next_deal(table_id: int, user: User, deal: int) -> TableState:
    """Press Next after a deal; the next is dealt when all who are here have. Pressing twice is once. Raises Refusal."""
    with locked(table_id) as change:
        seat = _own_seat(change, user)
        if change.state.phase != "scored" or deal != change.state.deal_number:
            raise stale()
        if seat.ready_for != deal:
            seat.ready_for = deal
            seat.save(update_fields=["ready_for"])
            change.done()
    return store.fresh(table_id)


def cancel(table_id: int, user: User, agree: bool) -> TableState:
    """Agree to cancel a friendly match, or take that back; it ends when all who are here agree. Raises Refusal."""
    with locked(table_id) as change:
        seat = _own_seat(change, user)
        if seat.wants_cancel != agree:
            seat.wants_cancel = agree
            seat.save(update_fields=["wants_cancel"])
            change.done()
    return store.fresh(table_id)


def nudge(table_id: int, user: User, moment: int) -> TableState:
    """Ask that a bot acts once for who is late; it does when all the others who are here ask. Raises Refusal."""
    with locked(table_id) as change:
        seat = _own_seat(change, user)
        state = change.state
        if not state.late or moment != state.moment:
            raise stale()
        if seat.index in late_seats(state):
            raise Refusal("you_are_late", _("It is you the others wait for."))
        seat.nudges = moment
        seat.save(update_fields=["nudges"])
        change.done()
    tick(table_id)
    return store.fresh(table_id)


def rematch(table_id: int, user: User, *, agreed: int = 0) -> Table:
    """Open the rematch of a match that ended, or sit down at it; its old players find it on the old table's page.

    It is not listed in the lobby, so that the seats are theirs. ``agreed`` is the stake agreed to, as it was before.
    Raises Refusal.
    """
    with transaction.atomic(), locked(table_id) as change:
        row, state = change.row, change.state
        seat = state.seat_of(user.pk)
        if seat is None and row.host_id != user.pk:
            raise Refusal("not_seated", _("You did not play at this table."))
        if row.status not in (Table.FINISHED, Table.CANCELLED):
            raise stale()
        again = row.rematch
        if again is None or again.status == Table.CLOSED:
            again = open_table(
                user,
                name=row.name,
                ruleset=row.ruleset,
                rules=state.rules,
                rules_name=row.rules_name,
                players=row.players,
                length=row.length,
                call_clock=row.call_clock,
                card_clock=row.card_clock,
                pace=row.pace,
                public=False,
                watchable=row.watchable,
                bots={each.index: each.bot for each in state.taken if each.bot},
                seat=seat.index if seat is not None and not row.stake else None,
                stake=row.stake,
                asks_for=row.asks_for,
            )
            row.rematch = again
            change.done()
    other = store.fresh(again.pk)
    if seat is not None and other.status == Table.OPEN and other.seat_of(user.pk) is None:
        free = other.free
        if free:
            take_seat(again.pk, user, seat.index if seat.index in free else free[0], agreed=agreed)
    return again


def _own_seat(change: Change, user: User) -> Seat:
    seat = change.row.seats.filter(user=user).first()
    if seat is None or seat.left:
        raise Refusal("not_seated", _("You do not play at this table."))
    if change.row.status != Table.PLAYING:
        raise stale()
    return seat
