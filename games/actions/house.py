"""What the house does by itself: bots, clocks, absence, the only legal card, the next deal; and the sweep behind all.

Workers may run any of this twice, late or in the wrong order: each first looks whether its reason still holds.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from games import announce, bots, rules
from games.actions.change import deal_next, end, hand_over, locked, release
from games.actions.play import commit
from games.clockwork import due, late_seats
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
    if next_due is None:
        return
    # What is held against people happens neither early nor while they cannot reach the house.
    against_people = next_due.why in ("clock", "late", "next") and bool(state.here)
    early = timedelta(0) if against_people else EARLY
    if next_due.at > timezone.now() + early or (against_people and not reachable()):
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
        case "nudge" if state.phase == "scored":
            with locked(table_id) as change:
                if change.state.version == state.version:
                    change.row.seats.filter(index__in=late_seats(state)).update(ready_for=state.deal_number)
                    change.done()
        case "nudge":
            act_for(state, Action.NUDGE)
        case "bot":
            act_for(state, Action.BOT)
        case "absent":
            act_for(state, Action.ABSENT)
        case "single":
            act_for(state, Action.SINGLE)
        case "clock":
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
    """Start what runs against people at a table afresh, after the house could not be reached."""
    with locked(table_id) as change:
        if change.row.status == Table.PLAYING and change.state.here:
            change.row.turn_at = timezone.now()
            change.done()


def show_alive(name: str = "web") -> None:
    """Write down that this part of the house runs."""
    Pulse.objects.update_or_create(name=name, defaults={"at": timezone.now()})


def reachable() -> bool:
    """Whether web and sweep both showed lately that they run. Where one never did (commands, tests) it is not asked."""
    pulses = Pulse.objects.filter(name__in=["web", "sweep"])
    return all(timezone.now() - pulse.at < STOOD_STILL for pulse in pulses)


def sweep() -> None:
    """Find what is due or overdue and ask for it; notice who is away. Runs every two seconds.

    While no web process can be reached nobody's clock runs out and nobody counts as away. Afterwards, as after the
    sweep itself stood still, running clocks start afresh and everybody who was here has time to come back.
    """
    now = timezone.now()
    running = Table.objects.filter(status=Table.PLAYING)
    web = Pulse.objects.filter(name="web").first()
    if web is None or now - web.at < STOOD_STILL:
        pulse, first = Pulse.objects.get_or_create(name="sweep", defaults={"at": now})
        if not first and now - pulse.at > STOOD_STILL:
            logger.warning(
                "the house was not reachable for %d s: clocks start afresh", (now - pulse.at).seconds
            )
            here_then = pulse.at - timedelta(seconds=settings.AWAY_AFTER)
            Seat.objects.filter(playing=True, away=False, last_seen__gte=here_then).update(last_seen=now)
            _each(running.values_list("pk", flat=True), renew_clocks)
        # Not later than the web's own: an outage counts from its last sign of life.
        Pulse.objects.filter(name="sweep").update(at=now if web is None else min(now, web.at))
        gone_since = now - timedelta(seconds=settings.AWAY_AFTER)
        gone = Seat.objects.filter(playing=True, away=False, last_seen__lt=gone_since)
        _each(sorted(set(gone.values_list("table_id", flat=True))), notice_away)
    overdue = running.filter(act_by__lte=now + AHEAD)
    for table_id, version, act_by, queue in overdue.values_list("pk", "version", "act_by", "act_queue"):
        assert act_by is not None
        announce.ask(table_id, version, queue, (act_by - now).total_seconds())


def _each(table_ids: Iterable[int], work: Callable[[int], None]) -> None:
    """Do this at every one of these tables; one that fails is logged and keeps none of the others from it."""
    for table_id in table_ids:
        try:
            work(table_id)
        except Exception:
            logger.exception("table %s: %s failed", table_id, work.__name__)


def tidy() -> None:
    """Let go of seats at open tables whose people are gone or play elsewhere, and close tables nobody sits at."""
    now = timezone.now()
    waiting = Seat.objects.filter(table__status=Table.OPEN, user__isnull=False)
    forsaken = waiting.filter(last_seen__lt=now - FORSAKEN)
    _each(sorted(set(forsaken.values_list("table_id", flat=True))), let_go)
    playing = Seat.objects.filter(playing=True, user__seats__in=waiting)
    for user_id, table_id in playing.values_list("user_id", "table_id").distinct():
        assert user_id is not None
        release([user_id], table_id)
    empty = Table.objects.filter(status=Table.OPEN, opened_at__lt=now - UNSAT).exclude(
        seats__user__isnull=False
    )
    _each(empty.values_list("pk", flat=True), close_empty)


def let_go(table_id: int) -> None:
    """Take the seats of an open table from people who gave no sign of life for long."""
    with locked(table_id) as change:
        forsaken = change.row.seats.filter(user__isnull=False, last_seen__lt=change.now - FORSAKEN)
        if change.row.status == Table.OPEN and forsaken.delete()[0]:
            hand_over(change)


def close_empty(table_id: int) -> None:
    """Close an open table at which no person sits."""
    with locked(table_id) as change:
        if change.row.status == Table.OPEN and not any(seat.user_id for seat in change.seats()):
            end(change, Table.CLOSED)
