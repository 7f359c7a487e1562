"""Tables of numbers: the score sheet, and a deal just played with everybody's call, tricks and points."""

from __future__ import annotations

from functools import lru_cache

from django.utils.translation import gettext as _
from markupsafe import escape

from games.board import bits, seats, words
from games.view import Cell, Row, TableView

Cells = tuple[Row, ...]


def score(view: TableView, lang: str) -> str:
    """The sheet so far with the calls of the deal in play, as a panel."""
    if view.phase not in ("calling", "playing"):
        return bits.no_panel("score")
    calls = tuple(view.seats[index].call for index in bits.order(view))
    return _score(*_columns(view, lang), calls, view.deal_number)


def whole(view: TableView, lang: str) -> str:
    """The sheet of the scored deals alone."""
    return _sheet(*_columns(view, lang), (), 0)


def _columns(view: TableView, lang: str) -> tuple[str, tuple[str, ...], bool, Cells, tuple[int, ...], int]:
    """Language, names, whether the first is the viewer's own, deals, totals, what an overtrick pays."""
    order = bits.order(view)
    rows = tuple(Row(row.number, tuple(row.cells[index] for index in order)) for row in view.sheet)
    names = tuple(view.seats[index].name for index in order)
    totals = tuple(view.totals[index] for index in order)
    return lang, names, view.me is not None, rows, totals, view.rules.overtrick


@lru_cache(maxsize=1024)
def _score(
    lang: str,
    names: tuple[str, ...],
    mine: bool,
    rows: Cells,
    totals: tuple[int, ...],
    overtrick: int,
    calls: tuple[int | None, ...],
    number: int,
) -> str:
    table = _sheet(lang, names, mine, rows, totals, overtrick, calls, number)
    return bits.panel("score", _("Score"), table)


@lru_cache(maxsize=1024)
def _sheet(
    lang: str,
    names: tuple[str, ...],
    mine: bool,
    rows: Cells,
    totals: tuple[int, ...],
    overtrick: int,
    calls: tuple[int | None, ...],
    number: int,
) -> str:
    me = ["me" if mine and at == 0 else "" for at in range(len(names))]
    heads = "".join(
        f'<th scope="col"{_class(me[at])}>{escape(_("You") if me[at] else name)}</th>'
        for at, name in enumerate(names)
    )
    body = "".join(
        _line(row.number, "".join(_cell(cell, me[at], overtrick) for at, cell in enumerate(row.cells)))
        for row in rows
    )
    if calls:
        live = (words.DASH if call is None else words.digits(call) for call in calls)
        body += _line(
            number, "".join(f"<td{_class(me[at], 'live')}>({text})</td>" for at, text in enumerate(live))
        )
    top = max(totals) if rows else None
    feet = "".join(
        f"<td{_class(me[at], 'neg' if total < 0 else '', 'lead' if total == top else '')}>"
        f"{words.points(total)}{bits.sr(' ' + _('in the lead')) if total == top else ''}</td>"
        for at, total in enumerate(totals)
    )
    return (
        f'<table class="sheet-table"><thead><tr><th scope="col">{_("Deal")}</th>{heads}</tr></thead>'
        f'<tbody>{body}</tbody><tfoot><tr><th scope="row">{_("Total")}</th>{feet}</tr></tfoot></table>'
    )


def _class(*names: str) -> str:
    given = " ".join(name for name in names if name)
    return f' class="{given}"' if given else ""


def _line(number: int, cells: str) -> str:
    return f'<tr><th scope="row">{words.digits(number)}</th>{cells}</tr>'


def _cell(cell: Cell, me: str, overtrick: int) -> str:
    """A seat's deal: the call with its overtricks apart, or what a broken call cost."""
    if not cell.made:
        return f"<td{_class(me, 'neg')}>{words.points(cell.score)}</td>"
    over = f'<span class="plus">+{words.digits(cell.over)}</span>' if cell.over else ""
    paid = cell.score - overtrick * cell.over
    bonus = f'<span class="bonus">={words.digits(paid // 10)}</span>' if paid != 10 * cell.call else ""
    return f"<td{_class(me)}>{words.digits(cell.call)}{bonus}{over}</td>"


def deal_table(view: TableView, lang: str, row: Row) -> str:
    """Call, tricks, tricks over, points and total of everybody, the best total first."""
    heads = (_("Player"), _("Call"), _("Tricks"), _("Over"), _("Points"), _("Total"))
    top = "".join(f'<th scope="col">{each}</th>' for each in heads)
    ranked = sorted(range(view.players), key=lambda index: -view.totals[index])
    body = "".join(_player(view, lang, index, row.cells[index]) for index in ranked)
    return (
        f'<table class="sheet-table deal-table on-room"><thead><tr>{top}</tr></thead>'
        f"<tbody>{body}</tbody></table>"
    )


def _player(view: TableView, lang: str, index: int, cell: Cell) -> str:
    seat = view.seats[index]
    stands = "short" if not cell.made else "over" if cell.over else "made"
    over = f'<span class="plus">+{words.digits(cell.over)}</span>'
    if not cell.over:
        over = f'<span class="zero">{words.DASH}</span>'
    name = f"{bits.face(seat)}<span>{words.title_of(view, index)}</span>{bits.bot_tag(seat)}"
    lead = "lead" if view.totals[index] == max(view.totals) else ""
    me = _class("me" if index == view.me else "")
    return (
        f'<tr{me}><th scope="row"><span class="rname">{name}</span></th>'
        f'<td class="c-call">{words.digits(cell.call)}</td>'
        f'<td class="c-took">{seats.tally(lang, cell.call, cell.took, stands, True)}</td>'
        f'<td class="c-over">{over}</td><td class="c-pts {stands}">{words.points(cell.score)}</td>'
        f"<td{_class('c-tot', lead)}>{words.points(view.totals[index])}</td></tr>"
    )
