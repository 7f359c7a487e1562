"""What the house's desk may do to a table, always with a reason; and what follows when a person is suspended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db.models.signals import post_save
from django.dispatch import receiver

from games.actions.change import end, locked
from games.actions.house import act_for
from games.actions.seats import leave
from games.clockwork import late_seats
from games.errors import Refusal, stale
from games.models import Action, Seat, Table
from games.state import TableState, store

if TYPE_CHECKING:
    from accounts.models import User


def cancel_by_house(table_id: int, actor: User, note: str) -> TableState:
    """Cancel a running match, every stake going back, or close an open table. Raises Refusal where it has ended."""
    with locked(table_id) as change:
        if change.row.status == Table.OPEN:
            end(change, Table.CLOSED)
        elif change.row.status == Table.PLAYING:
            end(change, Table.CANCELLED, Table.HOUSE, actor, note)
        else:
            raise stale()
    return store.fresh(table_id)


def declare_draw(table_id: int, actor: User, note: str) -> TableState:
    """End a running match as a draw, every stake going back. Raises Refusal where none is running."""
    with locked(table_id) as change:
        if change.row.status != Table.PLAYING:
            raise stale()
        end(change, Table.CANCELLED, Table.DRAWN, actor, note)
    return store.fresh(table_id)


def act_for_stuck(table_id: int, moment: int) -> TableState:
    """Let a bot act once for whom the table waits: a call, a play, or Next for everybody missing it.

    ``moment`` is what the desk saw; a table that moved on since needs no help. Raises Refusal then.
    """
    with locked(table_id) as change:
        state = change.state
        if change.row.status != Table.PLAYING or state.moment != moment:
            raise stale()
        if state.phase == "scored":
            change.row.seats.filter(index__in=late_seats(state)).update(ready_for=state.deal_number)
            change.done()
    if state.phase == "scored":
        return store.fresh(table_id)
    fresh = store.fresh(table_id)
    if fresh.moment != moment or act_for(fresh, Action.DESK) is None:
        raise stale()
    return store.fresh(table_id)


def departed(user: User) -> None:
    """Treat a suspended person as departed: he leaves the tables where he waits, and bots play on in his matches."""
    seats = Seat.objects.filter(user=user, left=False, table__status__in=[Table.OPEN, Table.PLAYING])
    for table_id in seats.order_by("table_id").values_list("table_id", flat=True):
        try:
            leave(table_id, user)
        except Refusal:
            continue  # the table ended, or he left it, meanwhile


@receiver(post_save, sender=settings.AUTH_USER_MODEL, dispatch_uid="a suspended person departs")
def suspended(sender: Any, instance: User, **kwargs: Any) -> None:
    """Whoever suspends a person, the desk or a command: his seats go to bots."""
    if not instance.is_active:
        departed(instance)
