"""Calls and plays: the short way. The state in the process's memory decides; the database confirms.

One conditional update of the table's row (nobody moved since this version) and one insert. Where the update finds
another version, the state is read anew and the question asked again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from games import announce, rules
from games.actions import stakes
from games.clockwork import due
from games.errors import Refusal, of_rules, stale
from games.models import Action, Deal, Seat, Table
from games.state import Act, TableState, store

logger = logging.getLogger(__name__)


def call(table_id: int, user_id: int, tricks: int, *, deal: int, number: int) -> TableState:
    """Make a call; ``deal`` and ``number`` say which moment the page showed. Raises Refusal, nothing changed then."""
    return _act(table_id, user_id, Action.CALL, tricks, deal, number)


def play(table_id: int, user_id: int, card: rules.Card, *, deal: int, number: int) -> TableState:
    """Play a card; ``deal`` and ``number`` say which moment the page showed. Raises Refusal, nothing changed then."""
    return _act(table_id, user_id, Action.PLAY, card, deal, number)


def _act(table_id: int, user_id: int, kind: str, value: int, deal: int, number: int) -> TableState:
    state = store.known(table_id)
    for _attempt in range(8):
        try:
            act = _judge(state, user_id, kind, value, deal, number)
            after = commit(state, act)
            if after is not None:
                return after
        except Refusal:
            # What this process remembers may be old: refuse only what the database refuses too.
            if store.fresh(table_id).version == state.version:
                raise
        state = store.fresh(table_id)
    raise stale()


def _judge(state: TableState, user_id: int, kind: str, value: int, deal: int, number: int) -> Act:
    seat = state.seat_of(user_id)
    if seat is None or seat.left:
        raise Refusal("not_seated", gettext("You do not play at this table."))
    if state.status != Table.PLAYING or state.deal is None:
        raise stale()
    if (deal, number) != (state.deal_number, state.deal.number):
        raise stale()
    return Act(kind, seat.index, value, Action.PLAYER)


class _Undo(Exception):
    """Leave the transaction with nothing written."""


def commit(
    state: TableState,
    act: Act,
    still: Callable[[], bool] | None = None,
    thought: Mapping[str, object] | None = None,
) -> TableState | None:
    """Write one action on top of exactly this state; None where the table moved on (or ``still`` says no).

    ``still`` is asked inside the transaction, with the row taken: whether the reason for acting still holds.
    ``thought`` is stored with a bot's action: what it takes to decide it again.
    Raises Refusal where the rules refuse it.
    """
    now = timezone.now()
    try:
        after = state.after(act, now)
    except rules.RulesError as error:
        raise of_rules(error) from error
    assert state.deal is not None
    assert state.deal_id is not None
    assert after.deal is not None
    next_due = due(after)
    finished = after.status == Table.FINISHED
    try:
        with transaction.atomic():
            moved = Table.objects.filter(pk=state.id, version=state.version, status=Table.PLAYING).update(
                version=after.version,
                status=after.status,
                ending=after.ending,
                turn_at=now,
                late=False,
                act_by=next_due.at if next_due is not None else None,
                act_queue=next_due.queue if next_due is not None else "clocks",
                **({"ended_at": now} if finished else {}),
            )
            if not moved or (still is not None and not still()):
                raise _Undo
            Action.objects.create(
                deal_id=state.deal_id,
                number=state.deal.number,
                kind=act.kind,
                seat=act.seat,
                value=act.value,
                by=act.by,
                at=now,
                thought=thought,
            )
            if after.deal.phase == "over":
                Deal.objects.filter(pk=state.deal_id).update(scored_at=now)
            if finished:
                Seat.objects.filter(table_id=state.id, playing=True).update(playing=False)
                stakes.settle(after)

            def committed() -> None:
                store.put(after)
                announce.table(after, act)
                announce.schedule(after, next_due, now)
                if finished:
                    announce.lobby()

            transaction.on_commit(committed)
    except _Undo:
        return None
    return after
