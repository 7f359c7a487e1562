"""What the house does by itself: bots, clocks, absence, the only legal card, the next deal; and the sweep behind all.

Workers may run any of this twice, late or in the wrong order: each first looks whether its reason still holds.
"""

from __future__ import annotations

import logging
from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from games import announce, bots, rules
from games.actions.change import Change, deal_next, end, hand_over, locked, release
from games.actions.play import commit
from games.clockwork import due
from games.models import Action, Pulse, Seat, Table
from games.state import Act, TableState, store

logger = logging.getLogger(__name__)

EARLY = timedelta(milliseconds=60)  # a task may come this much before its time
STOOD_STILL = timedelta(seconds=10)  # an outage longer than this gives running clocks a fresh start
AHEAD = timedelta(seconds=2.5)  # the sweep asks for what is due before the next one
FORSAKEN = timedelta(minutes=10)  # a seat at an open table is kept this long without a sign of life
UNSAT = timedelta(minutes=2)  # an open table without people closes after this


def tick(table_id: int, version: int | None = None) -> None:
    """Do what is due at a table now, if anything; with ``version`` only while the table is still at that version."""
    try:
        state = store.fresh(table_id)
    except Table.DoesNotExist:
        return
    if version is not None and state.version != version:
        return
    next_due = due(state)
    if next_due is None or next_due.at > timezone.now() + EARLY:
        return
    match next_due.why:
        case "next":
            with locked(table_id) as change:
                if change.state.version == state.version:
                    deal_next(change)
        case "late":
            with locked(table_id) as change:
                if change.state.version == state.version:
                    change.row.late = True
                    change.done()
        case "bot":
            act_for(state, Action.BOT)
        case "absent":
            act_for(state, Action.ABSENT)
        case "single":
            act_for(state, Action.SINGLE)
        case "clock":
            if reachable():
                act_for(state, Action.CLOCK)


def act_for(state: TableState, by: str) -> TableState | None:
    """Act once for the player to act; None where the moment has passed, or the person is back meanwhile."""
    if state.turn is None or state.deal is None:
        return None
    seat = state.seats[state.turn]
    assert seat is not None
    calling = state.phase == "calling"
    thought = None
    if by == Action.CLOCK and calling:
        value = rules.clock_call(state.rules, state.deal.hands[seat.index], state.players)
    elif by in (Action.CLOCK, Action.SINGLE):
        value = rules.lowest_card(state.deal.legal().cards)
    else:
        level, seed = seat.bot or bots.STAND_IN, bots.seed(state.code, state.moment, seat.index)
        value = bots.decide(state.sight(seat.index), level, seed)
        thought = {"level": level, "version": bots.VERSION, "seed": seed}
    act = Act(Action.CALL if calling else Action.PLAY, seat.index, value, by)
    if by != Action.ABSENT or seat.user_id is None:
        return commit(state, act, thought=thought)

    def still_gone() -> bool:
        gone_since = timezone.now() - timedelta(seconds=settings.AWAY_AFTER)
        mine = Seat.objects.filter(table_id=state.id, index=seat.index)
        return not mine.filter(left=False, last_seen__gte=gone_since).exists()

    after = commit(state, act, still_gone, thought)
    if after is None:
        with locked(state.id) as change:
            if not still_gone() and change.row.seats.filter(index=seat.index, away=True).update(away=False):
                change.done()
    return after


def notice_away(table_id: int) -> None:
    """Mark the people at a running match who gave no sign of life for too long."""
    with locked(table_id) as change:
        gone_since = timezone.now() - timedelta(seconds=settings.AWAY_AFTER)
        gone = change.row.seats.filter(playing=True, away=False, last_seen__lt=gone_since)
        if change.row.status == Table.PLAYING and gone.update(away=True):
            change.done()


def renew_clocks(table_id: int) -> None:
    """Start the running clock of a table afresh, after the house could not be reached."""
    with locked(table_id) as change:
        if change.row.status == Table.PLAYING and change.state.has_clock:
            change.row.turn_at = timezone.now()
            change.done()


def show_alive(name: str = "web") -> None:
    """Write down that this part of the house runs."""
    Pulse.objects.update_or_create(name=name, defaults={"at": timezone.now()})


def reachable() -> bool:
    """Whether a web process showed lately that it runs. Where none ever did (commands, tests) nobody waits for one."""
    pulse = Pulse.objects.filter(name="web").first()
    return pulse is None or timezone.now() - pulse.at < STOOD_STILL


def sweep() -> None:
    """Find what is due or overdue and ask for it; notice who is away. Runs every two seconds.

    While no web process can be reached nobody's clock runs out and nobody counts as away. Afterwards, as after the
    sweep itself stood still, running clocks start afresh and everybody who was here has time to come back.
    """
    now = timezone.now()
    running = Table.objects.filter(status=Table.PLAYING)
    up = reachable()
    if up:
        pulse, first = Pulse.objects.get_or_create(name="sweep", defaults={"at": now})
        if not first and now - pulse.at > STOOD_STILL:
            logger.warning(
                "the house was not reachable for %d s: clocks start afresh", (now - pulse.at).seconds
            )
            here_then = pulse.at - timedelta(seconds=settings.AWAY_AFTER)
            Seat.objects.filter(playing=True, away=False, last_seen__gte=here_then).update(last_seen=now)
            with_clock = running.exclude(call_clock=None, card_clock=None)
            for table_id in with_clock.values_list("pk", flat=True):
                renew_clocks(table_id)
        Pulse.objects.filter(name="sweep").update(at=now)
        gone_since = now - timedelta(seconds=settings.AWAY_AFTER)
        gone = Seat.objects.filter(playing=True, away=False, last_seen__lt=gone_since)
        for table_id in sorted(set(gone.values_list("table_id", flat=True))):
            notice_away(table_id)
    overdue = running.filter(act_by__lte=now + AHEAD)
    for table_id, version, act_by, queue in overdue.values_list("pk", "version", "act_by", "act_queue"):
        assert act_by is not None
        announce.ask(table_id, version, queue, (act_by - now).total_seconds())


def tidy() -> None:
    """Let go of seats at open tables whose people are gone or play elsewhere, and close tables nobody sits at."""
    now = timezone.now()
    waiting = Seat.objects.filter(table__status=Table.OPEN, user__isnull=False)
    forsaken = waiting.filter(last_seen__lt=now - FORSAKEN)
    for table_id in sorted(set(forsaken.values_list("table_id", flat=True))):
        with locked(table_id) as change:
            _let_go(change, now - FORSAKEN)
    playing = Seat.objects.filter(playing=True, user__isnull=False)
    for user_id, table_id in (
        playing.filter(user__seats__in=waiting).values_list("user_id", "table_id").distinct()
    ):
        release([user_id], table_id)
    empty = Table.objects.filter(status=Table.OPEN, opened_at__lt=now - UNSAT).exclude(
        seats__user__isnull=False
    )
    for table_id in empty.values_list("pk", flat=True):
        with locked(table_id) as change:
            if change.row.status == Table.OPEN and not any(seat.user_id for seat in change.seats()):
                end(change, Table.CLOSED)


def _let_go(change: Change, before: object) -> None:
    if change.row.status != Table.OPEN:
        return
    if change.row.seats.filter(user__isnull=False, last_seen__lt=before).delete()[0]:
        hand_over(change)
