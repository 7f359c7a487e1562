"""Tables of numbers: the score sheet, the deal just scored, the final sheet, and the hands laid open."""

from __future__ import annotations

from functools import lru_cache

from django.utils.translation import gettext as _
from markupsafe import Markup, escape

from games import rules
from games.board import bits, cards, seats, words
from games.view import Cell, Row, SeatView, TableView

SHUT = '<a class="icon-btn shut" href="#table" aria-label="{label}">{icon}</a>'


def head(title: str, beside: str = "") -> str:
    """The heading of a panel, with the way out where it is a sheet."""
    shut = SHUT.format(label=_("Close"), icon=bits.icon("shut"))
    return f"<header><h2>{title}</h2>{beside}{shut}</header>"


# ---------------------------------------------------------------- the sheet


def score(view: TableView) -> str:
    """The sheet so far, as a panel."""
    lang = bits.language()
    if view.phase not in ("calling", "playing"):
        return '<section class="panel" id="score" hidden></section>'
    order = bits.order(view)
    return _score(
        lang,
        tuple(view.seats[index].name for index in order),
        view.me is not None,
        tuple(_turned(row, order) for row in view.sheet),
        tuple(view.seats[index].call for index in order),
        tuple(view.totals[index] for index in order),
        view.deal_number,
    )


def whole(view: TableView) -> str:
    """The sheet alone, without the deal in play."""
    order = bits.order(view)
    return sheet(
        bits.language(),
        tuple(view.seats[index].name for index in order),
        view.me is not None,
        tuple(_turned(row, order) for row in view.sheet),
        (),
        tuple(view.totals[index] for index in order),
        view.deal_number,
    )


def _turned(row: Row, order: tuple[int, ...]) -> Row:
    return Row(row.number, tuple(row.cells[index] for index in order))


@lru_cache(maxsize=2048)
def _score(
    lang: str,
    names: tuple[str, ...],
    mine: bool,
    rows: tuple[Row, ...],
    calls: tuple[int | None, ...],
    totals: tuple[int, ...],
    number: int,
) -> str:
    table = sheet(lang, names, mine, rows, calls, totals, number)
    return f'<section class="panel" id="score">{head(_("Score"))}{table}</section>'


def sheet(
    lang: str,
    names: tuple[str, ...],
    mine: bool,
    rows: tuple[Row, ...],
    calls: tuple[int | None, ...],
    totals: tuple[int, ...],
    number: int,
) -> str:
    """The score sheet, everything by column. ``calls`` are those of the deal in play; none: it is over."""

    def column(at: int) -> str:
        return ' class="me"' if mine and at == 0 else ""

    heads = "".join(
        f'<th scope="col"{column(at)}>{_("You") if mine and at == 0 else escape(name)}</th>'
        for at, name in enumerate(names)
    )
    body = "".join(
        f'<tr><th scope="row">{words.digits(row.number)}</th>'
        + "".join(cell(one, "me" if mine and at == 0 else "") for at, one in enumerate(row.cells))
        + "</tr>"
        for row in rows
    )
    if calls:
        body += f'<tr><th scope="row">{words.digits(number)}</th>' + "".join(
            f'<td class="{"me " if mine and at == 0 else ""}live">({words.DASH if call is None else words.digits(call)})</td>'
            for at, call in enumerate(calls)
        )
        body += "</tr>"
    top = max(totals) if rows else None
    feet = "".join(
        f'<td class="{_total_class(total, top, mine and at == 0)}">{words.points(total)}</td>'
        for at, total in enumerate(totals)
    )
    return (
        f'<div class="sheet-box"><table class="sheet-table"><thead><tr><th scope="col">{_("Deal")}</th>{heads}</tr></thead>'
        f'<tbody>{body}</tbody><tfoot><tr><th scope="row">{_("Total")}</th>{feet}</tr></tfoot></table></div>'
    )


def _total_class(total: int, top: int | None, me: bool) -> str:
    names = ["me"] * me + ["neg"] * (total < 0) + ["lead"] * (total == top)
    return " ".join(names)


def cell(one: Cell, classes: str = "") -> str:
    """A seat's scored deal on the sheet: the call with its overtricks apart, or what a broken call cost."""
    if not one.made:
        return f'<td class="{(classes + " neg").strip()}">{words.points(one.score)}</td>'
    kind = f' class="{classes}"' if classes else ""
    bonus = ""
    if one.score >= 10 * (one.call + 1) and one.score % 10 == 0 and one.score != 10 * one.call + one.over:
        bonus = f'<span class="plus" title="{_("bonus")}">={words.digits(one.score // 10)}</span>'
    over = f'<span class="plus">+{words.digits(one.over)}</span>' if one.over else ""
    return f"<td{kind}>{words.digits(one.call)}{over}{bonus}</td>"


# ---------------------------------------------------------------- the deal just scored


def scored(view: TableView) -> str:
    """The page of a scored deal."""
    row = view.sheet[-1]
    sentences = "".join(f'<p class="quiet">{each}</p>' for each in _told(view, row))
    return (
        f'<div class="two"><section class="panel scored"><p class="eyebrow">{_deal_name(view)}</p>'
        f'<h2 class="display" id="headline" tabindex="-1">{_headline(view)}</h2>{sentences}'
        f"{deal_table(view, row)}{_next(view)}</section>"
        f'<div class="stack"><section class="panel"><header><h2>{_("The sheet")}</h2></header>{whole(view)}</section>'
        f"{open_hands(view)}</div></div>"
    )


def _deal_name(view: TableView) -> str:
    return words.capital(words.deal_of(view.deal_number, view.length))


def _headline(view: TableView) -> Markup:
    ordered = sorted(view.totals, reverse=True)
    best = [index for index, total in enumerate(view.totals) if total == ordered[0]]
    if len(best) > 1:
        names = words.joined([words.named(view, index) for index in best])
        return Markup(words.capital(str(Markup(_("%(names)s lead together")) % {"names": names})))
    parts = {"name": view.seats[best[0]].name, "points": words.points(ordered[0] - ordered[1])}
    if best[0] == view.me:
        return Markup(_("You lead by %(points)s")) % parts
    return Markup(_("%(name)s leads by %(points)s")) % parts


def _told(view: TableView, row: Row) -> list[Markup]:
    """What is worth a sentence: calls that broke, bonuses, a match that goes on."""
    told = [
        sentence
        for index, one in enumerate(row.cells)
        if (sentence := _broken(view.seats[index], index == view.me, one, view.rules)) is not None
    ]
    if not told:
        told.append(Markup(_("Every call was made.")))
    if view.rules.tie == "extra" and view.deal_number >= view.length:
        told.append(Markup(_("It is level at the top, so one more deal is played.")))
    return told


def _broken(seat: SeatView, you: bool, one: Cell, ruleset: rules.Ruleset) -> Markup | None:
    parts = {
        "name": seat.name,
        "call": words.count(one.call),
        "took": words.count(one.took),
        "points": words.points(abs(one.score)),
    }
    if one.made:
        if ruleset.bonus_from is None or one.call < ruleset.bonus_from:
            return None
        if you:
            return Markup(_("You made a call of %(call)s, which scores %(points)s.")) % parts
        return Markup(_("%(name)s made a call of %(call)s, which scores %(points)s.")) % parts
    if one.took > one.call:
        if you:
            text = _(
                "You called %(call)s and took %(took)s, which is too many: the call is broken and costs %(points)s."
            )
        else:
            text = _(
                "%(name)s called %(call)s and took %(took)s, which is too many: the call is broken and costs %(points)s."
            )
    elif you:
        text = _("You called %(call)s and took %(took)s: the call is broken and costs %(points)s.")
    else:
        text = _("%(name)s called %(call)s and took %(took)s: the call is broken and costs %(points)s.")
    return Markup(text) % parts


def deal_table(view: TableView, row: Row) -> str:
    """Call, tricks, tricks over, points and total of everybody, the best total first."""
    heads = (_("Player"), _("Call"), _("Tricks"), _("Over"), _("Points"), _("Total"))
    ranked = sorted(range(view.players), key=lambda index: -view.totals[index])
    lang = bits.language()
    body = ""
    for index in ranked:
        seat, one = view.seats[index], row.cells[index]
        stands = "short" if not one.made else "over" if one.over else "made"
        me = index == view.me
        tag = f'<span class="tag">{_("bot")}</span>' if seat.kind == "bot" else ""
        over = (
            f'<span class="plus">+{words.digits(one.over)}</span>'
            if one.over
            else f'<span class="zero">{words.DASH}</span>'
        )
        lead = " lead" if view.totals[index] == max(view.totals) else ""
        body += (
            f'<tr{" class=me" if me else ""}><th scope="row"><span class="rname">{bits.face(seat)}'
            f"<span>{_('You') if me else escape(seat.name)}</span>{tag}</span></th>"
            f'<td class="c-call">{words.digits(one.call)}</td>'
            f'<td class="c-took">{seats.tally(lang, one.call, one.took, stands, True)}</td>'
            f'<td class="c-over">{over}</td><td class="c-pts {stands}">{words.points(one.score)}</td>'
            f'<td class="c-tot{lead}">{words.points(view.totals[index])}</td></tr>'
        )
    top = "".join(f'<th scope="col">{each}</th>' for each in heads)
    return f'<table class="sheet-table deal-table on-room"><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>'


def _next(view: TableView) -> str:
    from games.board.hand import clock, hurry

    lang = bits.language()
    button = ""
    if view.me is not None and not view.i_left and not view.ready:
        button = bits.form(
            view.code,
            "next_deal",
            f'<button class="btn main big" id="next">{_("Next deal")}</button>',
            deal=view.deal_number,
        )
    ready = [seat for seat in view.seats if seat.ready]
    waiting = [view.seats[index] for index in view.waiting]
    faces = "".join(bits.face(seat) for seat in ready) + "".join(bits.face(seat, " wait") for seat in waiting)
    if waiting:
        text = Markup(_("Waiting for %(names)s.")) % {
            "names": words.joined([words.named(view, seat.index) for seat in waiting])
        }
        if ready:
            names = [words.named(view, seat.index) for seat in ready]
            text = _ready(names, len(ready) == 1 and ready[0].index == view.me) + " " + text
    else:
        text = Markup(_("The next deal starts by itself."))
    if view.next_until is not None:
        from django.conf import settings

        left = clock(view.next_until, int(settings.NEXT_AFTER))
        text += Markup(" " + _("It starts anyway in %(time)s.")) % {"time": Markup(left)}
    late = ""
    if view.late is not None and view.me is not None and not view.i_left and view.late != view.me:
        from games.board.hand import askers

        late = hurry(lang, view.code, view.moment, view.nudged, askers(view))
    return (
        f'<div class="next">{button}<div class="ready"><span class="who-ready" aria-hidden="true">{faces}</span>'
        f"<span>{text}</span></div>{late}</div>"
    )


def _ready(names: list[str], only_you: bool) -> Markup:
    if only_you:
        return Markup(_("You are ready."))
    joined = words.joined(names)
    text = _("%(names)s is ready.") if len(names) == 1 else _("%(names)s are ready.")
    return Markup(words.capital(str(Markup(text) % {"names": joined})))


def open_hands(view: TableView) -> str:
    """The hands of a deal that is scored."""
    if not view.open_hands:
        return ""
    lang = bits.language()
    lines = "".join(
        f"<li><span>{_('You') if index == view.me else escape(view.seats[index].name)}</span>"
        f'<span class="mini-hand">{"".join(cards.mini(lang, card) for card in view.open_hands[index])}</span></li>'
        for index in bits.order(view)
    )
    return (
        f'<section class="panel"><header><h2>{_("The hands")}</h2><span class="quiet">{_("now open")}</span></header>'
        f'<ul class="hands">{lines}</ul></section>'
    )


# ---------------------------------------------------------------- the end


def final(view: TableView) -> str:
    """The page of a finished match: who won, the standings, the whole sheet, a rematch."""
    places = "".join(_place(view, place, index) for place, index in view.places)
    return (
        f'<div class="two"><section class="panel scored"><p class="eyebrow">{_("Final sheet")}</p>'
        f'<h2 class="display" id="headline" tabindex="-1">{_result(view)}</h2><p class="quiet">{_margin(view)}</p>'
        f'<ol class="places">{places}</ol>{_again(view)}</section>'
        f'<div class="stack"><section class="panel"><header><h2>{_("The whole sheet")}</h2></header>{whole(view)}</section>'
        f'<section class="panel last-deal"><header><h2>{_("The last deal")}</h2></header>{deal_table(view, view.sheet[-1])}</section>'
        f"{open_hands(view)}</div></div>"
    )


def _result(view: TableView) -> Markup:
    outcome = view.outcome
    assert outcome is not None
    names = words.joined([words.named(view, index) for index in outcome.best])
    if outcome.kind == "won":
        if outcome.best[0] == view.me:
            return Markup(_("You win the match"))
        return Markup(_("%(names)s wins the match")) % {"names": names}
    text = _("%(names)s share the win") if outcome.kind == "shared" else _("A draw between %(names)s")
    return Markup(words.capital(str(Markup(text) % {"names": names})))


def _margin(view: TableView) -> str:
    outcome = view.outcome
    assert outcome is not None
    ordered = sorted(view.totals, reverse=True)
    extra = len(view.sheet) - view.length
    if outcome.kind == "won":
        told = _("By %(points)s.") % {"points": words.points(ordered[0] - ordered[1])}
    elif outcome.kind == "shared":
        told = _("Level at %(points)s, so all of them win.") % {"points": words.points(ordered[0])}
    else:
        told = _("Level at %(points)s, so nobody wins.") % {"points": words.points(ordered[0])}
    if extra == 1:
        told += " " + _("It took an extra deal.")
    elif extra > 1:
        told += " " + _("It took %(count)s extra deals.") % {"count": words.count(extra)}
    return told


def _place(view: TableView, place: int, index: int) -> str:
    seat = view.seats[index]
    broken = sum(not row.cells[index].made for row in view.sheet)
    if not broken:
        told = _("every call made")
    elif broken == 1:
        told = _("one call broken")
    else:
        told = _("%(count)s calls broken") % {"count": words.count(broken)}
    first = " first" if view.outcome is not None and index in view.outcome.best else ""
    me = " me" if index == view.me else ""
    tag = f'<span class="tag">{_("bot")}</span>' if seat.kind == "bot" else ""
    return (
        f'<li class="place{first}{me}"><span class="rankno num">{words.digits(place)}</span>{bits.face(seat)}'
        f'<span class="pname"><strong>{_("You") if me else escape(seat.name)}</strong>{tag}<small>{told}</small></span>'
        f'<b class="ptotal num">{words.points(view.totals[index])}</b></li>'
    )


def _again(view: TableView) -> str:
    lobby = bits.link(bits.address("lobby"), _("Back to the lobby"))
    if view.rematch:
        to = bits.address("table", view.rematch)
        text = _("Join the rematch") if view.me is not None else _("See the rematch")
        first = bits.link(to, text, "btn main big")
    elif view.me is not None:
        first = bits.form(
            view.code, "rematch", f'<button class="btn main big">{_("Play them again")}</button>'
        )
    else:
        first = ""
    return f'<div class="next">{first}{lobby}</div>'


def stopped(view: TableView) -> str:
    """The page of a match that was cancelled, or of a table that closed before it started."""
    if view.phase == "cancelled":
        title = _("The match was cancelled")
        told = _("Everybody who was here agreed to stop. Nobody wins, nobody loses.")
    else:
        title = _("This table has closed")
        told = _("Nobody was left sitting at it before the match could start.")
    lobby = bits.link(bits.address("lobby"), _("Back to the lobby"), "btn main big")
    fresh = bits.link(bits.address("open_table"), _("Open a table"))
    sheet_so_far = ""
    if view.sheet:
        sheet_so_far = f'<div class="stack"><section class="panel"><header><h2>{_("The sheet so far")}</h2></header>{whole(view)}</section></div>'
    return (
        f'<div class="two"><section class="panel scored"><h2 class="display" id="headline" tabindex="-1">{title}</h2>'
        f'<p class="quiet">{told}</p><div class="next">{lobby}{fresh}</div></section>{sheet_so_far}</div>'
    )


def stage(view: TableView) -> str:
    """What stands in place of the table when no deal is played."""
    pages = {"scored": scored, "finished": final, "cancelled": stopped, "closed": stopped}
    show = pages.get(view.phase)
    if show is None:
        return '<div id="stage" hidden></div>'
    over = " after" if view.phase in ("scored", "finished") else ""
    return f'<div class="stage{over} {view.phase}" id="stage">{show(view)}</div>'
