"""The lists of the lobby: open tables to sit down at and running ones to watch, the same for everybody.

Rows are frozen values and HTML is a function of them, remembered by language: a change at one table renders
one row anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

from django.db.models import Max
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from markupsafe import Markup

from games import words
from games.board import bits
from games.board.words import coins_each, deal_of, digits, letter
from games.models import Pace, Seat, Stake, Table

MOST_OPEN = 100
MOST_RUNNING = 12
SWAP = Markup(' hx-swap-oob="outerMorph"')
NOTHING = Markup("")

Chair = tuple[str, str]
"""Who has a seat, "person", "bot" or "free", and the letters on a person's face, escaped."""


@dataclass(frozen=True, slots=True)
class OpenTable:
    """An open table as the lobby lists it.

    Clocks are in seconds; ``taken`` counts people and bots; ``stake`` is what each puts in, 0 at a friendly table.
    """

    code: str
    name: str
    rules_name: str
    players: int
    length: int
    seats: tuple[Chair, ...]
    taken: int
    call_clock: int | None
    card_clock: int | None
    pace: str
    watchable: bool
    host: str
    stake: int


@dataclass(frozen=True, slots=True)
class RunningTable:
    """A running match that anybody may watch. ``deal`` is 0 before the first is dealt."""

    code: str
    name: str
    rules_name: str
    players: int
    length: int
    seats: tuple[Chair, ...]
    deal: int
    stake: int


# ---------------------------------------------------------------- queries


def amounts() -> tuple[int, ...]:
    """What the lobby may be filtered by: the amounts on offer, friendly (0) first; none where there is nothing else."""
    kept = set(Stake.objects.filter(active=True).values_list("amount", flat=True)) | {0}
    return tuple(sorted(kept)) if len(kept) > 1 else ()


def wanted(text: str, offered: tuple[int, ...]) -> int | None:
    """The amount that an address asks for, if it is one of those; None: all tables."""
    return next((amount for amount in offered if text == str(amount)), None)


def open_tables(stake: int | None = None) -> tuple[OpenTable, ...]:
    """Public open tables, those nearest to starting first, then the oldest, of one stake or (None) all; two queries."""
    listed = Table.objects.listed() if stake is None else Table.objects.listed().filter(stake=stake)
    tables = listed.select_related("host").prefetch_related("seats")[:MOST_OPEN]
    return tuple(
        OpenTable(
            code=table.code,
            name=table.name,
            rules_name=table.rules_name,
            players=table.players,
            length=table.length,
            seats=_chairs(table),
            taken=len(table.seats.all()),
            call_clock=table.call_clock,
            card_clock=table.card_clock,
            pace=table.pace,
            watchable=table.watchable,
            host=table.host.get_username() if table.host else "",
            stake=table.stake,
        )
        for table in tables
    )


def running_tables() -> tuple[RunningTable, ...]:
    """Public running matches that allow watchers, the latest started first; two queries."""
    tables = (
        Table.objects.filter(status=Table.PLAYING, public=True, watchable=True)
        .prefetch_related("seats")
        .order_by("-started_at", "-pk")
        .annotate(deal=Max("deals__number"))[:MOST_RUNNING]
    )
    return tuple(
        RunningTable(
            code=table.code,
            name=table.name,
            rules_name=table.rules_name,
            players=table.players,
            length=table.length,
            seats=_chairs(table),
            deal=cast(Any, table).deal or 0,
            stake=table.stake,
        )
        for table in tables
    )


def _chairs(table: Table) -> tuple[Chair, ...]:
    taken: dict[int, Seat] = {seat.index: seat for seat in table.seats.all()}
    return tuple(_chair(taken.get(index)) for index in range(table.players))


def _chair(seat: Seat | None) -> Chair:
    if seat is None:
        return "free", ""
    return ("bot", "") if seat.bot else ("person", letter(seat.name))


# ---------------------------------------------------------------- HTML


def pieces(stake: int | None = None) -> str:
    """Both lists as they stand, to be swapped in out of band: what the lobby's sockets send.

    ``stake`` leaves open tables of other stakes out.
    """
    language = bits.language()
    chosen = _open_list(open_tables(stake), stake is not None, language, SWAP)
    return chosen + _running_list(running_tables(), language, SWAP)


def tables_html(tables: tuple[OpenTable, ...], some: bool = False) -> str:
    """The list of open tables: the element with the id "tables". Where there are none it says what to do.

    ``some``: these are not all, but those of one stake.
    """
    return _open_list(tables, some, bits.language())


def running_html(tables: tuple[RunningTable, ...]) -> str:
    """The list of running matches: the element with the id "running", hidden where there are none."""
    return _running_list(tables, bits.language())


@lru_cache(maxsize=64)
def _open_list(
    tables: tuple[OpenTable, ...], some: bool, language: str, attributes: Markup = NOTHING
) -> Markup:
    if tables:
        rows = NOTHING.join(_open_row(table, language) for table in tables)
        inside = Markup('<ul class="tables">{}</ul>').format(rows)
    elif some:
        inside = Markup('<p class="panel empty"><strong>{}</strong> {}</p>').format(
            _("Nobody is waiting at such a table."),
            _("Look at the others, or open one: it stands here for others to join."),
        )
    else:
        inside = Markup('<p class="panel empty"><strong>{}</strong> {}</p>').format(
            _("Nobody is waiting at the moment."),
            _("Play now seats you with bots at once. Or open a table: it stands here for others to join."),
        )
    return Markup('<div id="tables"{}>{}</div>').format(attributes, inside)


@lru_cache(maxsize=64)
def _running_list(tables: tuple[RunningTable, ...], language: str, attributes: Markup = NOTHING) -> Markup:
    if not tables:
        return Markup('<section id="running"{} hidden></section>').format(attributes)
    rows = NOTHING.join(_running_row(table, language) for table in tables)
    return Markup(
        '<section id="running"{} aria-labelledby="running-title"><header class="sect">'
        '<h2 class="display" id="running-title">{}</h2></header><ul class="tables">{}</ul></section>'
    ).format(attributes, _("Being played"), rows)


@lru_cache(maxsize=1024)
def _open_row(table: OpenTable, language: str) -> Markup:
    chips = [_stake_chip(table.stake), _clock_chip(table)]
    if table.pace != Pace.NORMAL:
        pace = _("slow pace") if table.pace == Pace.SLOW else _("fast pace")
        chips.append(Markup("<span>{}</span>").format(pace))
    if not table.watchable:
        chips.append(Markup("<span>{}</span>").format(_("no watchers")))
    chips.append(Markup('<span class="sr">{}</span>').format(_who_sits(table)))
    return _row(
        table,
        _rules_line(table.rules_name, words.deals_text(table.length)),
        NOTHING.join(chips),
        _("Sit down"),
    )


def _who_sits(table: OpenTable) -> str:
    """What the drawing shows, in words."""
    seats = _("%(taken)s of %(players)s seats taken") % {
        "taken": digits(table.taken),
        "players": digits(table.players),
    }
    return f"{seats}, {_('opened by %(name)s') % {'name': table.host}}" if table.host else seats


@lru_cache(maxsize=256)
def _running_row(table: RunningTable, language: str) -> Markup:
    line = _rules_line(table.rules_name, deal_of(max(1, table.deal), table.length))
    people = sum(kind == "person" for kind, _letter in table.seats)
    bots = sum(kind == "bot" for kind, _letter in table.seats)
    parts = [
        ngettext("%(count)s person", "%(count)s people", people) % {"count": digits(people)},
        ngettext("%(count)s bot", "%(count)s bots", bots) % {"count": digits(bots)},
    ]
    text = ", ".join(part for part, number in zip(parts, (people, bots), strict=True) if number)
    chips = _stake_chip(table.stake) + Markup("<span>{}</span>").format(text)
    return _row(table, line, chips, _("Watch"))


def _row(table: OpenTable | RunningTable, line: Markup, chips: Markup, action: str) -> Markup:
    return Markup(
        '<li class="panel open-table" id="table-{code}">{tiny}<div class="about"><h3><bdi>{name}</bdi></h3>'
        '<p class="quiet">{line}</p><p class="chips">{chips}</p></div>'
        '<a class="btn" href="{address}">{action}<span class="sr"> {name}</span></a></li>'
    ).format(
        code=table.code,
        tiny=_tiny(table.seats),
        name=table.name,
        line=line,
        chips=chips,
        address=Markup(bits.address("table", table.code)),
        action=action,
    )


def _rules_line(rules_name: str, rest: str) -> Markup:
    return Markup("<bdi>{}</bdi> · {}").format(rules_name, rest)


def _stake_chip(stake: int) -> Markup:
    """What each puts in: the disc and the number, or that nothing is."""
    if not stake:
        return Markup("<span>{}</span>").format(_("Friendly"))
    return Markup("<span>{}</span>").format(Markup(coins_each(stake)))


def _clock_chip(table: OpenTable) -> Markup:
    """The clock: short for the eye (seconds for a card), in full for the ear."""
    full = words.clock_text(table.call_clock, table.card_clock)
    if table.card_clock is None:
        return Markup("<span>{}{}</span>").format(Markup(bits.icon("clock")), full)
    short = _("%(seconds)s s") % {"seconds": digits(table.card_clock)}
    return Markup('<span>{}<span aria-hidden="true">{}</span><span class="sr">{}</span></span>').format(
        Markup(bits.icon("clock")), short, full
    )


@lru_cache(maxsize=4096)
def _tiny(seats: tuple[Chair, ...]) -> Markup:
    """The small round table of a row, seat 0 at the bottom and the others clockwise."""
    players = len(seats)
    chairs = NOTHING.join(_tiny_chair(chair, index, players) for index, chair in enumerate(seats))
    return Markup('<span class="tiny of{}" aria-hidden="true">{}</span>').format(players, chairs)


def _tiny_chair(chair: Chair, index: int, players: int) -> Markup:
    kind, letter = chair
    place = f"k{players} q{index}"
    if kind == "free":
        return Markup('<i class="{}"></i>').format(place)
    if kind == "bot":
        return Markup('<i class="{} on b"><svg><use href="#bot"/></svg></i>').format(place)
    return Markup('<i class="{} on">{}</i>').format(place, Markup(letter))
