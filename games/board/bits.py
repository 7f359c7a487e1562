"""Small pieces that several regions share: icons, addresses, forms, faces.

What is pushed with every play is kept small: there, attribute values that need no quotes go without.
"""

from __future__ import annotations

from functools import cache, lru_cache

from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from markupsafe import escape

from games.board import words
from games.view import SeatView, TableView
from games.words import LEVEL_NAMES

CSRF = "<!--csrf-->"
"""Stands in every form for the page's token; pushed pieces go without, as htmx sends it as a header."""


def language() -> str:
    """The language in force: part of the key of everything remembered."""
    return get_language() or "en"


@lru_cache(maxsize=8192)
def address(name: str, code: str = "") -> str:
    """The address of a page or of one of a table's verbs, ready for an attribute."""
    return str(escape(reverse(name, args=[code] if code else [])))


def form(code: str, verb: str, inside: str, classes: str = "", **hidden: str | int) -> str:
    """A form that posts to one of the table's verbs, with and without JavaScript."""
    fields = "".join(f'<input type="hidden" name="{name}" value="{value}">' for name, value in hidden.items())
    kind = f' class="{classes}"' if classes else ""
    to = address(verb, code)
    return f'<form{kind} method="post" action="{to}" hx-post="{to}">{inside}{fields}{CSRF}</form>'


@cache
def icon(name: str) -> str:
    """A line icon of the sprite."""
    return f'<svg class="ico" aria-hidden="true"><use href="#i-{name}"/></svg>'


def link(to: str, text: str, classes: str = "btn") -> str:
    """A link that looks like a button; ``to`` and ``text`` are ready for HTML."""
    return f'<a class="{classes}" href="{to}">{text}</a>'


def sr(text: str) -> str:
    """Words for ears alone."""
    return f"<span class=sr>{text}</span>"


def panel(name: str, title: str, inside: str, classes: str = "") -> str:
    """A panel of the page with an id of its own: a sheet from below on small screens."""
    shut = f'<a class="icon-btn shut" href="#table" aria-label="{_("Close")}">{icon("shut")}</a>'
    return (
        f'<section class="panel{classes}" id="{name}" aria-labelledby="{name}-title">'
        f'<header><h2 id="{name}-title">{title}</h2>{shut}</header>{inside}</section>'
    )


def no_panel(name: str) -> str:
    """The same panel while it has nothing to show."""
    return f'<section class="panel" id="{name}" hidden></section>'


def block(title: str, inside: str, classes: str = "", beside: str = "") -> str:
    """A panel that just lies on the page."""
    return f'<section class="panel{classes}"><header><h2>{title}</h2>{beside}</header>{inside}</section>'


def order(view: TableView) -> tuple[int, ...]:
    """Seat indices from the bottom of the table on, clockwise."""
    base = view.me or 0
    return tuple((base + step) % view.players for step in range(view.players))


def face(seat: SeatView, classes: str = "") -> str:
    """A face: a round letter for a person, a squared mark for a bot, hatched while a bot stands in."""
    kind = " bot" if seat.kind == "bot" else f" t{seat.index}" if seat.index else ""
    away = " away" if seat.left or seat.away else ""
    inside = '<svg><use href="#bot"/></svg>' if seat.kind == "bot" else words.letter(seat.name)
    return f'<span class="face{kind}{away}{classes}"><b aria-hidden=true>{inside}</b></span>'


def bot_tag(seat: SeatView) -> str:
    """The word "bot" beside a bot's name; its level for ears, and for who points at it."""
    if seat.kind != "bot":
        return ""
    level = LEVEL_NAMES[seat.level]
    return f'<span class=tag title="{level}">{_("bot")}{sr(f" {level}")}</span>'


def until(moment: int | None, seconds: int | None = None) -> str:
    """The attributes by which the page counts down: when it ends (ms since 1970), and out of how much."""
    if moment is None:
        return ""
    return f" data-until={moment}" + (f" data-total={seconds * 1000}" if seconds else "")


def clock(moment: int | None, seconds: int | None) -> str:
    """The time left, counted down by the page; without JavaScript the time allowed."""
    if moment is None or seconds is None:
        return ""
    label = _("time left")
    return f'<span class="left" role="timer" aria-label="{label}"{until(moment)}>{words.span(seconds)}</span>'
