"""The board as HTML: every region of the table page, drawn from a ``TableView`` by plain functions.

A region is an element with an id of its own that is pushed alone when it changes. Each is produced from a small key
and remembered by it and the language, so that what viewers share is rendered once. No request, no template, no token:
the page puts the token in where ``CSRF`` stands, pushed pieces are sent with it as a header.
"""

from __future__ import annotations

from markupsafe import Markup

from games.board import hand, panels, seats, sheets, trick
from games.board.bits import CSRF
from games.board.page import draw
from games.view import TableView

__all__ = ["CSRF", "draw", "pieces", "regions"]


def regions(view: TableView, notice: str = "") -> dict[str, str]:
    """Every region by its id, in the order of the page."""
    found = {
        "title": panels.title(view),
        "ways": panels.ways(view),
        "notice": panels.notice(notice),
        "light": seats.light(view),
    }
    found.update(seats.around(view))
    found["sum"] = trick.total(view)
    found.update(trick.layers(view))
    found["ticker"] = trick.ticker(view)
    found["duty"] = hand.duty(view)
    found["mine"] = seats.mine(view)
    found["hand"] = hand.hand(view)
    found["say"] = panels.say(view)
    found["score"] = sheets.score(view)
    found["log"] = panels.log(view)
    found["facts"] = panels.facts(view)
    found["menu"] = panels.menu(view)
    found["leave"] = panels.leave(view)
    found["stage"] = sheets.stage(view)
    return found


def pieces(before: dict[str, str] | None, after: dict[str, str]) -> str:
    """Out-of-band HTML of the regions that differ; of all, where nothing is known of what the page shows.

    A piece is morphed into the element that has its id: focus stays and what moves keeps moving.
    """
    if before is None:
        changed = list(after.values())
    else:
        changed = [html for name, html in after.items() if before.get(name) != html]
    return "".join(_out_of_band(html) for html in changed)


def _out_of_band(html: str) -> str:
    tag, rest = html.replace(CSRF, "").split(" ", 1)
    return f'{tag} hx-swap-oob="outerMorph" {rest}'
