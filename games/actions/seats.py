"""Opening tables, sitting down, leaving, coming back."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import coins
from games import rules
from games.actions.change import Change, hand_over, locked, start_if_full
from games.bots import LEVELS, STAND_IN
from games.errors import Refusal, stale
from games.models import Ruleset, Seat, Table
from games.state import TableState, store

if TYPE_CHECKING:
    from accounts.models import User

MOST_OPEN = 5  # tables one person may keep open at once
MOST_BOTS_ONLY = 2  # running matches of his at which no person plays any more
BOT_NAMES = ("Bot Tara", "Bot Himal", "Bot Kopila", "Bot Sagar", "Bot Malati")
QUICK_RULES = "kal"  # the rules of a table that "Play now" opens


def open_table(
    user: User,
    *,
    name: str,
    ruleset: Ruleset | None,
    rules: rules.Ruleset,
    rules_name: str,
    players: int,
    length: int,
    call_clock: int | None,
    card_clock: int | None,
    pace: str,
    public: bool,
    watchable: bool,
    bots: Mapping[int, str],
    seat: int | None,
    stake: int = 0,
    asks_for: int = 0,
) -> Table:
    """Open a table, its opener at ``seat`` (None: he only watches), bots (level by seat) where he wants them.

    It starts at once when that fills it. With a stake only people sit, and the opener, like everybody, sits down
    by agreeing to the contract (``take_seat``). Raises Refusal.
    """
    may_sit_down(user.pk if seat is not None else None)
    if stake:
        if bots:
            raise Refusal("people_only", _("Only people sit at a table with a stake."))
        may_cover(user, asks_for)
        seat = None
    if Table.objects.filter(host=user, status=Table.OPEN).count() >= MOST_OPEN:
        raise Refusal("too_many_open", _("You have many open tables already; close one of them first."))
    deserted = Table.objects.filter(host=user, status=Table.PLAYING).exclude(seats__playing=True)
    if deserted.count() >= MOST_BOTS_ONLY:
        raise Refusal("too_many_bots", _("Bots still play at tables of yours; wait until one has ended."))
    with transaction.atomic():
        table = Table.objects.create(
            name=name,
            ruleset=ruleset,
            rules_name=rules_name,
            fields=rules.to_dict(),
            players=players,
            length=length,
            call_clock=call_clock,
            card_clock=card_clock,
            pace=pace,
            public=public,
            watchable=watchable,
            host=user,
            stake=stake,
            asks_for=asks_for,
        )
        for index, level in bots.items():
            _seat_bot(table, index, level)
        if seat is not None:
            Seat.objects.create(table=table, index=seat, user=user, name=user.get_username())
        with locked(table.pk) as change:
            change.done(lobby=True)
            start_if_full(change)
    return table


def may_cover(user: User, asks_for: int) -> None:
    """Refuse who has fewer coins than a table asks for."""
    has = coins.balance(user)
    if has < asks_for:
        told = _("This table asks for %(asks)d coins to sit down, and you have %(has)d.")
        raise Refusal("not_enough", told % {"asks": asks_for, "has": has})


def _seat_bot(table: Table, index: int, level: str) -> None:
    if level not in LEVELS:
        raise Refusal("no_such_level", _("There is no such bot."))
    taken = set(table.seats.values_list("name", flat=True))
    name = next(each for each in BOT_NAMES if each not in taken)
    Seat.objects.create(table=table, index=index, bot=level, name=name)


def may_sit_down(user_id: int | None) -> None:
    """Refuse who plays a match already: he plays one at a time (he may leave it, though)."""
    if user_id is None:
        return
    playing = Seat.objects.filter(user_id=user_id, playing=True).select_related("table").first()
    if playing is not None:
        raise Refusal("plays_elsewhere", _("You are playing at %(table)s.") % {"table": playing.table.name})


def take_seat(table_id: int, user: User, index: int, *, agreed: int = 0) -> TableState:
    """Sit down at an open table, or move to another free seat of it. Raises Refusal.

    ``agreed`` is the stake that the person has read the contract for and agreed to.
    """
    may_sit_down(user.pk)
    with locked(table_id) as change:
        row, state = change.row, change.state
        mine = state.seat_of(user.pk)
        if mine is not None and mine.index == index:
            return store.put(state)  # asked twice: he sits there already
        if row.status != Table.OPEN:
            raise Refusal("not_open", _("This table has no free seat any more."), 409)
        if user.pk in row.barred:
            raise Refusal("barred", _("The host of this table asked you to leave it."))
        if not 0 <= index < row.players:
            raise Refusal("no_such_seat", _("There is no such seat."))
        if index not in state.free:
            raise Refusal("seat_taken", _("That seat was just taken."), 409)
        if agreed != row.stake:
            raise Refusal("contract", _("Read first what is at stake at this table."))
        may_cover(user, row.asks_for)
        row.seats.filter(user=user).delete()
        Seat.objects.create(table=row, index=index, user=user, name=user.get_username())
        change.done(lobby=True)
        start_if_full(change)
    after = store.fresh(table_id)
    if after.seat_of(user.pk) is None:
        told = _("The seat could not be kept for you: you play elsewhere by now, or lack the coins.")
        raise Refusal("unseated", told, 409)
    return after


def leave(table_id: int, user: User) -> TableState:
    """Leave: an open table loses the person, in a running match a bot takes over his seat. Raises Refusal."""
    with locked(table_id) as change:
        seat = change.row.seats.filter(user=user).first()
        if seat is None:
            raise Refusal("not_seated", _("You do not play at this table."))
        if change.row.status == Table.OPEN:
            seat.delete()
            hand_over(change)
        elif change.row.status == Table.PLAYING and not seat.left:
            seat.left, seat.playing, seat.wants_cancel = True, False, False
            seat.save(update_fields=["left", "playing", "wants_cancel"])
            change.done(lobby=True)
    return store.fresh(table_id)


def back(table_id: int, user: User) -> TableState:
    """Take one's seat in a running match back from the bot. Raises Refusal."""
    with locked(table_id) as change:
        seat = change.row.seats.filter(user=user).first()
        if seat is None:
            raise Refusal("not_seated", _("You do not play at this table."))
        if change.row.status != Table.PLAYING:
            raise stale()
        if seat.left:
            may_sit_down(user.pk)
            seat.left, seat.playing, seat.away, seat.last_seen = False, True, False, timezone.now()
            try:
                with transaction.atomic():
                    seat.save(update_fields=["left", "playing", "away", "last_seen"])
            except IntegrityError:
                may_sit_down(user.pk)
                raise
            change.done(lobby=True)
    return store.fresh(table_id)


def unseat(table_id: int, host: User, index: int) -> TableState:
    """The host takes a bot away or asks a person to go, before the start. Raises Refusal."""
    with locked(table_id) as change:
        _as_host(change, host)
        seat = change.row.seats.filter(index=index).exclude(user=host).first()
        if seat is None:
            raise stale()
        if seat.user_id is not None:
            change.row.barred = [*change.row.barred, seat.user_id]
        seat.delete()
        change.done(lobby=True)
    return store.fresh(table_id)


def add_bot(table_id: int, host: User, index: int, level: str) -> TableState:
    """The host puts a bot in a free seat, before the start. Raises Refusal."""
    with locked(table_id) as change:
        _as_host(change, host)
        if change.row.stake:
            raise Refusal("people_only", _("Only people sit at a table with a stake."))
        if index not in change.state.free:
            raise Refusal("seat_taken", _("That seat was just taken."), 409)
        _seat_bot(change.row, index, level)
        change.done(lobby=True)
        start_if_full(change)
    return store.fresh(table_id)


def _as_host(change: Change, user: User) -> None:
    if change.row.host_id != user.pk:
        raise Refusal("not_host", _("Only the host of the table may do that."))
    if change.row.status != Table.OPEN:
        raise stale()


def play_now(user: User) -> Table:
    """Seat a person at once: at a waiting table that wants nothing special, else at a new one with bots.

    Who plays already is taken to his match. Raises Refusal.
    """
    playing = _plays_at(user)
    if playing is not None:
        return playing
    here_since = timezone.now() - timedelta(seconds=settings.AWAY_AFTER)
    waited_at = Seat.objects.filter(table=OuterRef("pk"), user__isnull=False, last_seen__gte=here_since)
    fitting = Table.objects.listed().filter(Exists(waited_at), stake=0).exclude(seats__user=user)
    for table in fitting[:10]:
        state = store.fresh(table.pk)
        if not state.free:
            continue
        try:
            take_seat(table.pk, user, state.free[0])
        except Refusal:
            continue
        return _plays_at(user) or table
    preset = Ruleset.objects.get(slug=QUICK_RULES)
    quick = preset.rules
    table = open_table(
        user,
        name=_("%(name)s's table") % {"name": user.get_username()},
        ruleset=preset,
        rules=quick,
        rules_name=preset.name,
        players=quick.players[0],
        length=quick.deals[0],
        call_clock=quick.call_clock,
        card_clock=quick.card_clock,
        pace="normal",
        public=True,
        watchable=True,
        bots=dict.fromkeys(range(1, quick.players[0]), STAND_IN),
        seat=0,
    )
    # Pressed twice at once, one of the two tables has let him go again: both answers lead to the other.
    return _plays_at(user) or table


def _plays_at(user: User) -> Table | None:
    """The table at which this person plays."""
    seat = Seat.objects.filter(user=user, playing=True).select_related("table").first()
    return seat.table if seat is not None else None
