"""What stands in place of the table when nothing is played: a scored deal, the end, a stopped match."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from markupsafe import Markup

from games import rules
from games.board import bits, cards, words
from games.board.duty import hurry
from games.board.receipt import gains, receipt
from games.board.sheets import deal_table, whole
from games.models import Table
from games.view import Cell, SeatView, TableView


def stage(view: TableView) -> str:
    """The region itself: hidden while a deal is played."""
    pages = {"scored": _scored, "finished": _final, "cancelled": _stopped, "closed": _stopped}
    if view.phase not in pages:
        return '<div id="stage" hidden></div>'
    after = " after" if view.phase in ("scored", "finished") else ""  # comes once the last trick was seen
    return f'<div class="stage{after} {view.phase}" id="stage">{pages[view.phase](view)}</div>'


def _page(main: str, beside: str) -> str:
    stack = f'<div class="stack">{beside}</div>' if beside else ""
    return f'<div class="two"><section class="panel scored">{main}</section>{stack}</div>'


def _headline(text: str) -> str:
    return f'<h2 class="display" id="headline">{text}</h2>'


# ---------------------------------------------------------------- a scored deal


def _scored(view: TableView) -> str:
    told = "".join(f'<p class="quiet">{each}</p>' for each in _told(view))
    deal = words.capital(words.deal_of(view.deal_number, view.length))
    return _page(
        f'<p class="eyebrow">{deal}</p>{_headline(_leader(view))}{told}'
        f"{deal_table(view, bits.language(), view.sheet[-1])}{_next(view)}",
        bits.block(_("The sheet"), whole(view, bits.language())) + _hands(view),
    )


def _leader(view: TableView) -> Markup:
    ordered = sorted(view.totals, reverse=True)
    best = [index for index, total in enumerate(view.totals) if total == ordered[0]]
    if len(best) > 1:
        names = words.joined([words.named(view, index) for index in best])
        return words.capital(words.fill(_("%(names)s lead together"), names=names))
    by = words.points(ordered[0] - ordered[1])
    if best[0] == view.me:
        return words.fill(_("You lead by %(points)s"), points=by)
    return words.fill(_("%(name)s leads by %(points)s"), name=view.seats[best[0]].name, points=by)


def _told(view: TableView) -> list[Markup]:
    """What of the deal is worth a sentence: calls that broke, bonuses, a match that goes on."""
    found = [
        _of_call(view.seats[index], index == view.me, cell, view.rules)
        for index, cell in enumerate(view.sheet[-1].cells)
    ]
    told = [each for each in found if each]
    if all(cell.made for cell in view.sheet[-1].cells):
        told.insert(0, Markup(_("Every call was made.")))
    if view.deal_number >= view.length:  # not finished, so extra deals settle it
        told.append(Markup(_("It is level at the top, so one more deal is played.")))
    return told


def _of_call(seat: SeatView, you: bool, cell: Cell, ruleset: rules.Ruleset) -> Markup:
    parts = {
        "name": seat.name,
        "call": words.count(cell.call),
        "took": words.count(cell.took),
        "points": words.points(abs(cell.score)),
    }
    if cell.made:
        if ruleset.bonus_from is None or cell.call < ruleset.bonus_from:
            return Markup("")
        if you:
            return words.fill(_("You made a call of %(call)s, worth %(points)s."), **parts)
        return words.fill(_("%(name)s made a call of %(call)s, worth %(points)s."), **parts)
    if cell.took > cell.call and you:
        text = _("You called %(call)s and took %(took)s, too many: the call is broken and costs %(points)s.")
    elif cell.took > cell.call:
        text = _(
            "%(name)s called %(call)s and took %(took)s, too many: the call is broken and costs %(points)s."
        )
    elif you:
        text = _("You called %(call)s and took %(took)s: the call is broken and costs %(points)s.")
    else:
        text = _("%(name)s called %(call)s and took %(took)s: the call is broken and costs %(points)s.")
    return words.fill(text, **parts)


def _next(view: TableView) -> str:
    button = ""
    if view.me is not None and not view.i_left and not view.ready:
        inside = f'<button class="btn main big">{_("Next deal")}</button>'
        button = bits.form(view.code, "next_deal", inside, deal=view.deal_number)
    ready = [seat for seat in view.seats if seat.ready and seat.index not in view.waiting]
    waiting = [view.seats[index] for index in view.waiting]
    faces = "".join(bits.face(seat) for seat in ready) + "".join(bits.face(seat, " wait") for seat in waiting)
    told = [_ready(view, [seat.index for seat in ready])] if ready and waiting else []
    told.append(_waits(view, [seat.index for seat in waiting]))
    if view.next_until is not None:
        clock = Markup(bits.clock(view.next_until, round(settings.NEXT_AFTER)))
        told.append(words.fill(_("It starts in %(time)s anyway."), time=clock))
    faces = f'<span class="who-ready" aria-hidden="true">{faces}</span>'
    return (
        f'<div class="next">{button}<div class="ready">{faces}'
        f"<span>{Markup(' ').join(told)}</span></div>{hurry(view, bits.language())}</div>"
    )


def _ready(view: TableView, ready: list[int]) -> Markup:
    if ready == [view.me]:
        return Markup(_("You are ready."))
    text = _("%(names)s is ready.") if len(ready) == 1 else _("%(names)s are ready.")
    return words.capital(words.fill(text, names=words.joined([words.named(view, index) for index in ready])))


def _waits(view: TableView, waiting: list[int]) -> Markup:
    if not waiting:
        return Markup(_("The next deal starts by itself."))
    names = words.joined([words.named(view, index) for index in waiting])
    return words.fill(_("Waiting for %(names)s."), names=names)


def _hands(view: TableView) -> str:
    """The hands of a deal that is scored."""
    if not view.open_hands:
        return ""
    lang = bits.language()
    lines = "".join(
        f'<li><span>{words.title_of(view, index)}</span><span class="mini-hand">'
        f"{''.join(cards.mini(lang, card) for card in view.open_hands[index])}</span></li>"
        for index in bits.order(view)
    )
    beside = f'<span class="quiet">{_("now open")}</span>'
    return bits.block(_("The hands"), f'<ul class="hands">{lines}</ul>', beside=beside)


# ---------------------------------------------------------------- the end


def _final(view: TableView) -> str:
    places = "".join(_place(view, place, index) for place, index in view.places)
    last = deal_table(view, bits.language(), view.sheet[-1])
    return _page(
        f'<p class="eyebrow">{_("Final sheet")}</p>{_headline(_result(view))}'
        f'<p class="quiet">{_margin(view)}</p><ol class="places">{places}</ol>{_again(view)}',
        receipt(view)
        + bits.block(_("The whole sheet"), whole(view, bits.language()))
        + bits.block(_("The last deal"), last)
        + _hands(view),
    )


def _result(view: TableView) -> Markup:
    outcome = view.outcome
    assert outcome is not None
    names = words.joined([words.named(view, index) for index in outcome.best])
    match outcome.kind:
        case "won" if outcome.best == (view.me,):
            return Markup(_("You win the match"))
        case "won":
            text = _("%(names)s wins the match")
        case "shared":
            text = _("%(names)s share the win")
        case _:
            text = _("A draw between %(names)s")
    return words.capital(words.fill(text, names=names))


def _margin(view: TableView) -> str:
    outcome = view.outcome
    assert outcome is not None
    ordered = sorted(view.totals, reverse=True)
    top = words.points(ordered[0])
    if outcome.kind == "won":
        told = _("By %(points)s.") % {"points": words.points(ordered[0] - ordered[1])}
    elif outcome.kind == "shared":
        told = _("Level at %(points)s, so all of them win.") % {"points": top}
    else:
        told = _("Level at %(points)s, so nobody wins.") % {"points": top}
    extra = len(view.sheet) - view.length
    if extra == 1:
        told += " " + _("It took an extra deal.")
    elif extra > 1:
        told += " " + _("It took %(count)s extra deals.") % {"count": words.count(extra)}
    return told


def _place(view: TableView, place: int, index: int) -> str:
    assert view.outcome is not None
    seat = view.seats[index]
    broken = sum(not row.cells[index].made for row in view.sheet)
    if broken < 2:
        told = _("one call broken") if broken else _("every call made")
    else:
        told = _("%(count)s calls broken") % {"count": words.count(broken)}
    found = gains(view)
    if found:
        told += f" {words.gain(found[index])}"
    more = f"{' first' if index in view.outcome.best else ''}{' me' if index == view.me else ''}"
    return (
        f'<li class="place{more}"><span class="rankno num">{words.digits(place)}</span>{bits.face(seat)}'
        f'<span class="pname"><strong>{words.title_of(view, index)}</strong>{bits.bot_tag(seat)}'
        f'<small>{told}</small></span><b class="ptotal num">{words.points(view.totals[index])}</b></li>'
    )


def _again(view: TableView) -> str:
    lobby = bits.link(bits.address("lobby"), _("Back to the lobby"))
    first = ""
    price = f" {words.coins_each(view.stake)}" if view.stake else ""
    if view.rematch and view.me is None:
        first = bits.link(bits.address("table", view.rematch), _("See the rematch"), "btn main big")
    elif view.rematch:
        to = bits.address("table", view.rematch)
        if view.stake:
            to = f"{bits.address('contract', view.rematch)}?seat={view.me}"
        first = bits.link(to, f"{_('Join the rematch')}{price}", "btn main big")
    elif view.me is not None:
        button = f'<button class="btn main big">{_("Play them again")}{price}</button>'
        agreed: dict[str, Any] = {"agreed": view.stake} if view.stake else {}
        first = bits.form(view.code, "rematch", button, **agreed)
    return f'<div class="next">{first}{lobby}</div>'


def _stopped(view: TableView) -> str:
    if view.phase == "closed":
        title = _("This table has closed")
        told = _("It closed before the match could start.")
    else:
        title = _("The match is a draw") if view.ending == Table.DRAWN else _("The match was cancelled")
        told = _("Nobody wins and nobody loses.")
        if not view.payouts:  # else the receipt says why
            told = f"{_why_stopped(view)} {told}"
    lobby = bits.link(bits.address("lobby"), _("Back to the lobby"), "btn main big")
    fresh = bits.link(bits.address("open_table"), _("Open a table"))
    main = f'{_headline(title)}<p class="quiet">{told}</p><div class="next">{lobby}{fresh}</div>'
    sheet = bits.block(_("The sheet so far"), whole(view, bits.language())) if view.sheet else ""
    return _page(main, receipt(view) + sheet)


def _why_stopped(view: TableView) -> str:
    house = {
        Table.HOUSE: _("The house cancelled it."),
        Table.DRAWN: _("The house declared it a draw."),
    }
    return house.get(view.ending, _("All who had a say agreed to stop."))
