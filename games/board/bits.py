"""Small pieces that several regions share: icons, addresses, forms, faces."""

from __future__ import annotations

from functools import lru_cache

from django.urls import reverse
from django.utils.translation import get_language
from markupsafe import escape

from games.board import words
from games.view import SeatView, TableView

CSRF = "<!--csrf-->"
"""Stands in every form where the page puts its token; pushed pieces go without (htmx sends it as a header)."""


def language() -> str:
    """The language in force: part of the key of everything remembered."""
    return get_language() or "en"


@lru_cache(maxsize=8192)
def address(name: str, code: str = "") -> str:
    """The address of one of the table's pages or verbs, ready for an attribute."""
    return str(escape(reverse(name, args=[code] if code else [])))


def form(code: str, verb: str, inside: str, classes: str = "", **hidden: object) -> str:
    """A form that posts to one of the table's verbs, with and without JavaScript."""
    fields = "".join(f'<input type="hidden" name="{name}" value="{value}">' for name, value in hidden.items())
    kind = f' class="{classes}"' if classes else ""
    to = address(verb, code)
    return f'<form{kind} method="post" action="{to}" hx-post="{to}">{inside}{fields}{CSRF}</form>'


def icon(name: str) -> str:
    """A line icon of the sprite."""
    return f'<svg class="ico" aria-hidden="true"><use href="#i-{name}"/></svg>'


def link(to: str, text: str, classes: str = "btn") -> str:
    """A link that looks like a button; ``to`` and ``text`` are ready for HTML."""
    return f'<a class="{classes}" href="{to}">{text}</a>'


def order(view: TableView) -> tuple[int, ...]:
    """Seat indices from the bottom of the table on, clockwise."""
    base = view.me or 0
    return tuple((base + step) % view.players for step in range(view.players))


def face(seat: SeatView, classes: str = "", ring: str = "") -> str:
    """A face: a round letter for a person, a squared mark for a bot, hatched while a bot stands in."""
    kind = " bot" if seat.kind == "bot" else f" t{seat.index}" if seat.index else ""
    away = " away" if seat.left or seat.away else ""
    inside = '<svg><use href="#bot"/></svg>' if seat.kind == "bot" else words.letter(seat.name)
    return f'<span class="face{kind}{away}{classes}">{ring}<b aria-hidden="true">{inside}</b></span>'


def until(moment: int | None, seconds: int | None) -> str:
    """The attributes by which the page counts down: when it ends (ms since 1970), and out of how much."""
    if moment is None:
        return ""
    total = f' data-total="{seconds * 1000}"' if seconds else ""
    return f' data-until="{moment}"{total}'
