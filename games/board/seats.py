"""The seats around the table, the light that falls on whose turn it is, and the place at the bottom."""

from __future__ import annotations

from functools import lru_cache

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from markupsafe import escape

from games import rules
from games.board import bits, words
from games.board.bits import sr
from games.board.open import chair
from games.view import SeatView, TableView

MARKS = ("made", "over", "short")
UPRIGHT = {(4, "p1"), (4, "p3"), (5, "p1"), (5, "p4")}  # seats left and right, which stand upright on a phone


def turn(view: TableView) -> str:
    """Phase, whose turn, until when: the mark before everything else, by which the page lights and lays itself out."""
    place = view.seats[view.turn].place if view.turn is not None else "none"
    clock = bits.until(view.clock_until, view.clock_seconds)
    return f"<i class=turn-{place} id=turn data-phase={view.phase}{clock}></i>"


def standing(call: int | None, took: int, to_come: int, ruleset: rules.Ruleset) -> str:
    """How a call stands with so many tricks still to be won: "", "open", "made", "over" or "short"."""
    if call is None:
        return ""
    spare = ruleset.overtricks_allowed
    if took + to_come < call or (spare is not None and took > call + spare):
        return "short"
    return "over" if took > call else "made" if took == call else "open"


@lru_cache(maxsize=2048)
def tally(lang: str, call: int | None, took: int, stands: str, bare: bool = False) -> str:
    """Tricks of a call, as a fraction and as pips. ``bare`` leaves the call out of the fraction."""
    if call is None:
        label = _("no call yet")
        return f'<span class=tally role=img aria-label="{label}"><b class=frac>{words.DASH}</b></span>'
    parts = {"took": words.digits(took), "call": words.digits(call)}
    spoken = {
        "open": _("%(took)s of %(call)s tricks"),
        "made": _("call made, %(took)s of %(call)s"),
        "over": _("over the call, %(took)s of %(call)s"),
        "short": _("call broken, %(took)s of %(call)s"),
    }[stands]
    short = stands == "short"
    pips = (
        "<i class=w></i>" * min(took, call)
        + ("<i class=x></i>" if short else "<i></i>") * max(0, call - took)
        + ("<i class=x></i>" if short else "<i class=p></i>") * max(0, took - call)
    )
    mark = f'<svg class=mark><use href="#m-{stands}"/></svg>' if stands in MARKS else ""
    fraction = parts["took"] if bare else f"{parts['took']}<i>/</i>{parts['call']}"
    return (
        f'<span class="tally {stands}" role=img aria-label="{spoken % parts}">'
        f"<b class=frac>{fraction}</b>{mark}<span class=pips>{pips}</span></span>"
    )


def around(view: TableView, lang: str) -> dict[str, str]:
    """A region for every seat but the one at the bottom, by its id."""
    found = {}
    for index in bits.order(view)[1:]:
        seat = view.seats[index]
        if view.phase == "open":
            html = _chair(lang, seat, view.players, view.code, view.host, view.me is not None, view.stake)
        else:
            html = _seat(lang, seat, view.players, _stands(view, seat))
        found[f"seat-{seat.place}"] = html
    return found


def _stands(view: TableView, seat: SeatView) -> str:
    return standing(seat.call, seat.took, view.tricks - sum(each.took for each in view.seats), view.rules)


def _classes(seat: SeatView, players: int) -> str:
    upright = " side" if (players, seat.place) in UPRIGHT else ""
    return f"seat {seat.place}{upright}{' free' if seat.kind == 'free' else ''}"


@lru_cache(maxsize=8192)
def _seat(lang: str, seat: SeatView, players: int, stands: str) -> str:
    gone = " gone" if seat.left or seat.away else ""
    plate = _plate(lang, seat, stands, True)
    return f'<li class="{_classes(seat, players)}{gone}" id=seat-{seat.place}>{plate}</li>'


def _plate(lang: str, seat: SeatView, stands: str, counted: bool) -> str:
    gone = seat.left or seat.away
    said = f"<span class=said>{_('bot plays')}</span>" if gone and not seat.mine else ""
    cards = ""
    if counted:
        label = ngettext("%(count)s card", "%(count)s cards", seat.cards) % {
            "count": words.digits(seat.cards)
        }
        cards = (
            f'<span class=count role=img aria-label="{label}"><svg><use href="#backs"/></svg>'
            f"{words.digits(seat.cards)}</span>"
        )
    return (
        f"<span class=plate>{bits.face(seat)}<span class=who>{_name(seat)}{said}"
        f"<span class=sub>{tally(lang, seat.call, seat.took, stands)}{cards}</span></span></span>"
    )


def _name(seat: SeatView) -> str:
    tags = bits.bot_tag(seat)
    if seat.dealer:
        tags += f"<span class=deals><span aria-hidden=true>{_('D')}</span>{sr(_('dealer'))}</span>"
    name = _("You") if seat.mine else escape(seat.name)
    return f"<span class=name><span>{name}</span>{tags}</span>"


@lru_cache(maxsize=4096)
def _chair(lang: str, seat: SeatView, players: int, code: str, host: bool, seated: bool, stake: int) -> str:
    inside = chair(seat, code, host, seated, stake)
    return f'<li class="{_classes(seat, players)}" id=seat-{seat.place}>{inside}</li>'


# ---------------------------------------------------------------- the place at the bottom


def mine(view: TableView, lang: str) -> str:
    """The seat at the bottom: the viewer's own, or for a watcher the first."""
    seat = view.seats[view.me or 0]
    if view.phase == "open":
        return _my_chair(lang, seat, view.code, view.host, view.me is None, view.stake)
    return _mine(lang, seat, view.code, view.me is None, view.i_left, _stands(view, seat))


@lru_cache(maxsize=4096)
def _my_chair(lang: str, seat: SeatView, code: str, host: bool, watching: bool, stake: int) -> str:
    free = " free" if seat.kind == "free" else ""
    place = f'<div class="seat me{free}">{chair(seat, code, host, not watching, stake)}</div>'
    return f'<div class="mine" id="mine">{place}{_watching() if watching else ""}</div>'


def _watching() -> str:
    return f'<p class="beside">{bits.icon("eye")}{_("You are watching")}</p>'


@lru_cache(maxsize=8192)
def _mine(lang: str, seat: SeatView, code: str, watching: bool, left: bool, stands: str) -> str:
    gone = " gone" if watching and (seat.left or seat.away) else ""
    beside = ""
    if watching:
        beside = _watching()
    elif left:
        button = f'<button class="btn">{_("Take your seat back")}</button>'
        told = f"<p>{_('You left; a bot plays your seat.')}</p>"
        beside = f'<div class="beside">{told}{bits.form(code, "back", button)}</div>'
    plate = _plate(lang, seat, stands, watching)
    return f'<div class="mine" id="mine"><div class="seat me{gone}">{plate}</div>{beside}</div>'
