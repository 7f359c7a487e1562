"""The desk's front page: the house today, in figures; what waits for the desk; whether all of the house runs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from games.admin.waiting import Wait, states_of, wait_of, waiting_tables
from games.models import BookCheck, Deal, Pulse, Seat, Table

WAITING = 8  # matches shown on the front page
SILENT = timedelta(seconds=15)  # a part of the house that was not seen for this long does not run
CHECK_EVERY = timedelta(hours=36)  # after this without a check of the books something is wrong with beat


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the house, and when it last showed that it runs."""

    name: str
    at: datetime | None
    runs: bool


@dataclass(frozen=True, slots=True)
class People:
    """How many there are, came today, were active today, are at a table now, and may not come in."""

    registered: int
    new: int
    active: int
    here: int
    suspended: int


@dataclass(frozen=True, slots=True)
class Tables:
    """How many are open and running, ended today, and the deals scored today; of those running, with a stake."""

    open: int
    running: int
    staked: int
    finished: int
    cancelled: int
    deals: int


def midnight() -> datetime:
    """When today began, in the house's time zone."""
    return timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)


def people() -> People:
    """The people of today."""
    today = midnight()
    here_since = timezone.now() - timedelta(seconds=settings.AWAY_AFTER)
    counted = User.objects.aggregate(
        registered=Count("pk"),
        new=Count("pk", filter=Q(date_joined__gte=today)),
        suspended=Count("pk", filter=Q(is_active=False)),
    )
    seats = Seat.objects.filter(user__isnull=False)
    at_tables = seats.filter(last_seen__gte=today).values("user")
    return People(
        active=User.objects.filter(Q(last_login__gte=today) | Q(pk__in=at_tables)).count(),
        here=seats.filter(last_seen__gte=here_since).values("user").distinct().count(),
        **counted,
    )


def tables() -> Tables:
    """The tables of today."""
    today = midnight()
    ended = Q(ended_at__gte=today)
    counted = Table.objects.aggregate(
        open=Count("pk", filter=Q(status=Table.OPEN)),
        running=Count("pk", filter=Q(status=Table.PLAYING)),
        staked=Count("pk", filter=Q(status=Table.PLAYING, stake__gt=0)),
        finished=Count("pk", filter=Q(status=Table.FINISHED) & ended),
        cancelled=Count("pk", filter=Q(status=Table.CANCELLED) & ended),
    )
    return Tables(deals=Deal.objects.filter(scored_at__gte=today).count(), **counted)


def waiting() -> list[tuple[Table, Wait]]:
    """The matches with a stake that wait for the desk, longest first."""
    found = list(waiting_tables().filter(stake__gt=0)[:WAITING])
    states = states_of(found)
    pairs = [(table, wait_of(states[table.pk])) for table in found]
    return [(table, wait) for table, wait in pairs if wait is not None]


def waiting_friendly() -> int:
    """How many friendly matches wait likewise; nothing is lost there."""
    return waiting_tables().filter(stake=0).count()


def parts() -> list[Part]:
    """The web, and the workers with beat behind them."""
    seen = dict(Pulse.objects.values_list("name", "at"))
    now = timezone.now()
    names = {"web": _("web server"), "sweep": _("workers and beat")}
    found = []
    for key, name in names.items():
        at = seen.get(key)
        found.append(Part(name, at, at is not None and now - at < SILENT))
    return found


def last_check() -> BookCheck | None:
    """The latest check of the books."""
    return BookCheck.objects.first()


def check_overdue(check: BookCheck | None) -> bool:
    """Whether the daily check has not been made."""
    return check is not None and timezone.now() - check.at > CHECK_EVERY
