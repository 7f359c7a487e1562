"""The long way to change a table: its row locked, its state read whole, and what follows from the change done.

Calls and plays, which are many, have a shorter way (``play.py``).
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from games import announce, rules
from games.actions import stakes
from games.clockwork import due
from games.models import Deal, Seat, Table
from games.state import read, store

if TYPE_CHECKING:
    from accounts.models import User


class Change:
    """A table held locked. ``row`` is its row, ``state`` what it was before; ``done`` asks for the new version."""

    def __init__(self, row: Table) -> None:
        self.row = row
        self.state = read(row)
        self.now = timezone.now()
        self.changed = False
        self.lobby = False

    def done(self, *, lobby: bool = False) -> None:
        """Something people can see was changed (in the lobby too, with ``lobby``)."""
        self.changed = True
        self.lobby = self.lobby or lobby

    def seats(self) -> list[Seat]:
        """The seats as they are now."""
        return list(self.row.seats.all())


@contextmanager
def locked(table_id: int) -> Iterator[Change]:
    """Hold a table. On leaving, a change gets the next version, its deadline, and is announced on commit.

    Raises Table.DoesNotExist; whatever the block raises undoes everything.
    """
    with transaction.atomic():
        # Nothing joined: on PostgreSQL a joined row may be older than the row that was waited for.
        row = Table.objects.select_for_update().get(pk=table_id)
        change = Change(row)
        yield change
        if change.changed:
            _follow_votes(change)
            row.version += 1
            after = read(row)
            next_due = due(after)
            row.act_by = next_due.at if next_due is not None else None
            row.act_queue = next_due.queue if next_due is not None else "clocks"
            row.save()

            def committed() -> None:
                store.put(after)
                announce.table(after)
                announce.schedule(after, next_due, change.now)
                if change.lobby:
                    announce.lobby()

            transaction.on_commit(committed)


def _follow_votes(change: Change) -> None:
    """Do what the people who are here now agree on: to cancel, or (all ready) to deal again."""
    if change.row.status != Table.PLAYING:
        return
    seats = change.seats()
    people = [seat for seat in seats if seat.user_id is not None]
    here = [seat for seat in people if not seat.left and not seat.away]
    # A friendly table is its people's who are here; where coins lie on it, everybody who staked has a say.
    voters = people if change.row.stake else here
    if voters and all(seat.wants_cancel for seat in voters):
        end(change, Table.CANCELLED, Table.AGREED)
        return
    state = change.state
    if here and state.phase == "scored" and all(seat.ready_for == state.deal_number for seat in here):
        deal_next(change)


def start_if_full(change: Change) -> None:
    """Start the match once all seats are taken, the stakes moving to escrow together with the first deal.

    Who plays elsewhere by now, or can no longer cover the stake, loses the seat and the table waits. A person plays
    one match at a time: the database holds that, so two tables starting at once cannot both get him.
    """
    row = change.row
    seats = change.seats()
    if row.status != Table.OPEN or len(seats) < row.players:
        return
    # In the order of the people, so that two tables starting at once cannot wait for each other.
    for seat in sorted(
        (each for each in seats if each.user_id is not None), key=lambda each: each.user_id or 0
    ):
        try:
            with transaction.atomic():
                Seat.objects.filter(pk=seat.pk).update(playing=True)
        except IntegrityError:
            seat.delete()
    if row.stake:
        # No coins are taken from who sat down, went away, and knows of nothing.
        gone_since = change.now - timedelta(seconds=settings.AWAY_AFTER)
        row.seats.filter(last_seen__lt=gone_since).delete()
    if row.seats.count() == row.players and row.stake:
        short = stakes.collect(row)
        if short is not None:
            short.delete()
    if row.seats.count() < row.players:
        row.seats.update(playing=False)
        hand_over(change)
        return
    row.status = Table.PLAYING
    row.started_at = change.now
    change.done(lobby=True)
    deal(change, number=1, dealer=secrets.randbelow(row.players))
    people = [seat.user_id for seat in seats if seat.user_id is not None]
    table_id = row.pk
    transaction.on_commit(lambda: release(people, table_id))


def deal(change: Change, number: int, dealer: int) -> None:
    """Shuffle and deal, again where the rules ask for it; every distribution is kept with its seed."""
    row = change.row
    ruleset = change.state.rules
    attempt = 0
    while True:
        seed = rules.new_seed()
        hands = rules.shuffle(seed, row.players)
        reason = rules.redeal_reason(ruleset, hands) or ""
        Deal.objects.create(
            table=row,
            number=number,
            attempt=attempt,
            dealer=dealer,
            seed=seed,
            shuffle_version=rules.VERSION,
            hands=[rules.hand_text(hand) for hand in hands],
            redealt=reason,
            dealt_at=change.now,
        )
        if not reason:
            break
        attempt += 1
    row.turn_at = change.now
    row.late = False
    change.done()


def deal_next(change: Change) -> None:
    """Deal the next deal of a match that goes on."""
    state = change.state
    assert state.deal is not None
    deal(change, state.deal_number + 1, rules.next_dealer(state.rules, state.players, state.deal.dealer))


def end(change: Change, status: str, ending: str = "", actor: User | None = None, note: str = "") -> None:
    """Close or cancel the table, every stake going back; everybody is free to play elsewhere."""
    row = change.row
    row.status, row.ending = status, ending
    row.ended_at = change.now
    row.turn_at = None
    row.late = False
    row.seats.update(playing=False)
    stakes.settle(replace(change.state, status=status, ending=ending), actor, note)
    change.done(lobby=True)
    if status == Table.CLOSED:
        transaction.on_commit(lambda: forget_rematch(row.pk))


def forget_rematch(table_id: int) -> None:
    """A rematch that closed before it started is none: the old table offers another."""
    for old in Table.objects.filter(rematch_id=table_id).values_list("pk", flat=True):
        with locked(old) as change:
            if change.row.rematch_id == table_id:
                change.row.rematch = None
                change.done()


def hand_over(change: Change) -> None:
    """While the table is open: if its host is gone, the next person seated hosts it; with nobody left it closes."""
    row = change.row
    people = [seat for seat in change.seats() if seat.user_id is not None]
    if not people:
        end(change, Table.CLOSED)
        return
    if row.host_id not in {seat.user_id for seat in people}:
        row.host_id = people[0].user_id
    change.done(lobby=True)


def release(user_ids: list[int], playing_at: int) -> None:
    """Take these people, who play now, from the other open tables where they waited."""
    waiting = Seat.objects.filter(user_id__in=user_ids, table__status=Table.OPEN).exclude(table_id=playing_at)
    for table_id in sorted(set(waiting.values_list("table_id", flat=True))):
        with locked(table_id) as change:
            if change.row.status == Table.OPEN:
                change.row.seats.filter(user_id__in=user_ids).delete()
                hand_over(change)
