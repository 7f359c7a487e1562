"""The seats around the table, the light that falls on whose turn it is, and the viewer's own place."""

from __future__ import annotations

from functools import lru_cache

from django.utils.translation import gettext as _
from markupsafe import escape

from games import rules
from games.board import bits, words
from games.board.open import chair
from games.view import SeatView, TableView

RING = (
    '<svg class="ring" viewBox="0 0 46 46" aria-hidden="true"><circle class="track" cx="23" cy="23" r="21"/>'
    '<circle class="left" cx="23" cy="23" r="21" pathLength="100" stroke-dasharray="100 100"/></svg>'
)
EMPTY_RING = RING.replace("100 100", "0 100")
MARKS = ("made", "over", "short")


def light(view: TableView) -> str:
    """The pool of light on the felt."""
    place = view.seats[view.turn].place if view.turn is not None else "none"
    return f'<div class="light turn-{place}" id="light"></div>'


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
        return f'<span class="tally"><b class="frac" aria-hidden="true">{words.DASH}</b>{_sr(_("no call yet"))}</span>'
    parts = {"took": words.digits(took), "call": words.digits(call)}
    spoken = {
        "open": _("%(took)s of %(call)s tricks"),
        "made": _("call made, %(took)s of %(call)s"),
        "over": _("over the call, %(took)s of %(call)s"),
        "short": _("call broken, %(took)s of %(call)s"),
    }[stands]
    beyond = "x" if stands == "short" else "p"
    missing = '<i class="x"></i>' if stands == "short" else "<i></i>"
    pips = (
        '<i class="w"></i>' * min(took, call)
        + missing * max(0, call - took)
        + f'<i class="{beyond}"></i>' * max(0, took - call)
    )
    mark = f'<svg class="mark" aria-hidden="true"><use href="#m-{stands}"/></svg>' if stands in MARKS else ""
    fraction = parts["took"] if bare else f"{parts['took']}<i>/</i>{parts['call']}"
    return (
        f'<span class="tally {stands}"><b class="frac" aria-hidden="true">{fraction}</b>{mark}'
        f'<span class="pips" aria-hidden="true">{pips}</span>{_sr(spoken % parts)}</span>'
    )


def _sr(text: str) -> str:
    return f'<span class="sr">{text}</span>'


def around(view: TableView) -> dict[str, str]:
    """A region for every seat but the one at the bottom, by its id."""
    lang = bits.language()
    found = {}
    for index in bits.order(view)[1:]:
        seat = view.seats[index]
        if view.phase == "open":
            found[f"seat-{seat.place}"] = _waiting(lang, seat, view.players, view.code, view.host)
        else:
            found[f"seat-{seat.place}"] = _seated(lang, seat, view.players, *_play(view, seat))
    return found


def _play(view: TableView, seat: SeatView) -> tuple[str, int | None, int | None]:
    """What of the table a seat in play depends on: how its call stands, and its clock."""
    to_come = view.tricks - sum(each.took for each in view.seats)
    stands = standing(seat.call, seat.took, to_come, view.rules)
    return stands, view.clock_until if seat.turn else None, view.clock_seconds if seat.turn else None


def side(place: str, players: int) -> str:
    """Seats left and right stand upright on a phone."""
    return " side" if (players, place) in {(4, "p1"), (4, "p3"), (5, "p1"), (5, "p4")} else ""


@lru_cache(maxsize=8192)
def _seated(
    lang: str, seat: SeatView, players: int, stands: str, until: int | None, seconds: int | None
) -> str:
    gone = seat.left or seat.away
    classes = f"seat {seat.place}{side(seat.place, players)}{' is-turn' if seat.turn else ''}{' gone' if gone else ''}"
    said = f'<span class="said">{_("bot plays")}</span>' if gone else ""
    cards = f'<span class="count"><svg aria-hidden="true"><use href="#backs"/></svg>{words.digits(seat.cards)}{_sr(" " + _("cards"))}</span>'
    return (
        f'<li class="{classes}" id="seat-{seat.place}"{bits.until(until, seconds)}><span class="plate">'
        f'{_face(seat)}<span class="who">{_name(lang, seat)}{said}<span class="sub">'
        f"{tally(lang, seat.call, seat.took, stands)}{cards}</span></span></span></li>"
    )


def _face(seat: SeatView) -> str:
    ring = RING if seat.turn else EMPTY_RING if seat.left or seat.away else ""
    return bits.face(seat, ring=ring)


def _name(lang: str, seat: SeatView) -> str:
    tags = ""
    if seat.kind == "bot":
        tags += f'<span class="tag">{_("bot")}</span>'
    if seat.dealer:
        tags += f'<span class="deals"><span aria-hidden="true">{_("D")}</span>{_sr(_("dealer"))}</span>'
    if seat.turn:
        tags += _sr(_("to act"))
    name = _("You") if seat.mine else escape(seat.name)
    return f'<span class="name"><span>{name}</span>{tags}</span>'


# ---------------------------------------------------------------- before the start


@lru_cache(maxsize=4096)
def _waiting(lang: str, seat: SeatView, players: int, code: str, host: bool) -> str:
    free = " free" if seat.kind == "free" else ""
    return (
        f'<li class="seat {seat.place}{side(seat.place, players)}{free}" id="seat-{seat.place}">'
        f"{chair(seat, code, host)}</li>"
    )


# ---------------------------------------------------------------- the place at the bottom


def mine(view: TableView) -> str:
    """The seat at the bottom: the viewer's own, or for a watcher the first."""
    lang = bits.language()
    seat = view.seats[view.me or 0]
    if view.phase == "open":
        return _waiting_mine(lang, seat, view.code, view.host)
    return _mine(lang, seat, view.code, view.me is None, view.i_left, *_play(view, seat))


@lru_cache(maxsize=4096)
def _waiting_mine(lang: str, seat: SeatView, code: str, host: bool) -> str:
    free = " free" if seat.kind == "free" else ""
    return f'<div class="mine" id="mine"><div class="seat me{free}">{chair(seat, code, host)}</div></div>'


@lru_cache(maxsize=8192)
def _mine(
    lang: str,
    seat: SeatView,
    code: str,
    watching: bool,
    left: bool,
    stands: str,
    until: int | None,
    seconds: int | None,
) -> str:
    gone = watching and (seat.left or seat.away)
    said = f'<span class="said">{_("bot plays")}</span>' if gone else ""
    classes = f"seat me{' is-turn' if seat.turn else ''}{' gone' if gone else ''}"
    aside = ""
    if watching:
        aside = f'<p class="aside">{bits.icon("eye")}{_("You are watching")}</p>'
    elif left:
        button = f'<button class="btn">{_("Take your seat back")}</button>'
        aside = f'<div class="aside"><p>{_("You left; a bot plays your seat.")}</p>{bits.form(code, "back", button)}</div>'
    cards = ""
    if watching:
        cards = f'<span class="count"><svg aria-hidden="true"><use href="#backs"/></svg>{words.digits(seat.cards)}{_sr(" " + _("cards"))}</span>'
    return (
        f'<div class="mine" id="mine"><div class="{classes}"{bits.until(until, seconds)}><span class="plate">'
        f'{_face(seat)}<span class="who">{_name(lang, seat)}{said}<span class="sub">'
        f"{tally(lang, seat.call, seat.took, stands)}{cards}</span></span></span></div>{aside}</div>"
    )
