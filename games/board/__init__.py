"""The board as HTML: every region of the table page, drawn from a ``TableView`` by plain functions.

A region is an element with an id of its own that is pushed alone when it changes. Each is produced from a
small key and remembered by it and the language, so that what viewers share is rendered once. No request, no
template, no token: the page puts the token in where a form leaves room for it, pushed pieces go without.
"""

from __future__ import annotations

from markupsafe import Markup

from games.board import bits, duty, hand, panels, seats, sheets, stage, trick
from games.board.bits import CSRF
from games.board.page import draw
from games.view import TableView

__all__ = ["draw", "page", "pieces", "regions"]


def regions(view: TableView, notice: str = "") -> dict[str, str]:
    """Every region by its id. ``notice`` is a sentence for this viewer alone, plain text."""
    lang = bits.language()
    return {
        "turn": seats.turn(view),
        "title": panels.title(view, lang),
        "ways": panels.ways(view, lang),
        "notice": panels.notice(notice),
        "say": panels.say(view, lang),
        **seats.around(view, lang),
        "sum": trick.total(view, lang),
        **trick.layers(view, lang),
        "ticker": trick.ticker(view, lang),
        "duty": duty.duty(view, lang),
        "mine": seats.mine(view, lang),
        "hand": hand.hand(view, lang),
        "score": sheets.score(view, lang),
        "lines": panels.lines(view, lang),
        "facts": panels.facts(view, lang),
        "menu": panels.menu(view, lang),
        "leave": panels.leave(view, lang),
        "stage": stage.stage(view),
    }


def page(view: TableView, token: str, notice: str = "") -> Markup:
    """All of the page's <main>, with the request's CSRF token in its forms."""
    return draw(view, regions(view, notice), token)


def pieces(before: dict[str, str] | None, after: dict[str, str]) -> str:
    """Out-of-band HTML of the regions that differ; of all, where nothing is known of what the page shows.

    A piece is morphed into the element that has its id: focus stays, and what moves keeps moving.
    """
    changed = (html for name, html in after.items() if before is None or before.get(name) != html)
    return "".join(_out_of_band(html) for html in changed)


def _out_of_band(html: str) -> str:
    tag, rest = html.replace(CSRF, "").split(" ", 1)
    return f"{tag} hx-swap-oob=outerMorph {rest}"
