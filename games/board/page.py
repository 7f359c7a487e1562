"""The table page around its regions."""

from __future__ import annotations

import time

from django.utils.translation import gettext as _
from markupsafe import Markup, escape

from games.board import bits, words
from games.view import TableView


def draw(view: TableView, regions: dict[str, str], token: str) -> Markup:
    """The whole of <main>: a skeleton that stays and, in it, the regions that change."""
    at = regions.__getitem__
    around = "".join(html for name, html in regions.items() if name.startswith("seat-"))
    arena = f"arena of{view.players}{' anti' if view.rules.turn == 'anticlockwise' else ''}"
    medal = '<svg class="medal" aria-hidden="true"><use href="#medal"/></svg>'
    log = bits.panel("log", _("Last six"), at("lines"))
    html = (
        f"{_opening(view)}{at('turn')}{_bar(regions)}{at('notice')}{at('say')}"
        f'<section class="{arena}" aria-label="{_("Table")}"><div class="felt">{medal}</div>'
        f'<ol class="seats">{around}</ol>'
        f"{at('sum')}{at('trick-a')}{at('trick-b')}{at('ticker')}</section>"
        f'<section class="play" aria-label="{_("Your place")}">{at("duty")}{at("mine")}{at("hand")}</section>'
        f'<aside class="drawers" aria-label="{_("About the match")}">'
        f"{at('score')}{log}{at('facts')}{at('menu')}{at('leave')}</aside>{at('stage')}</main>"
    )
    field = f'<input type="hidden" name="csrfmiddlewaretoken" value="{escape(token)}">'
    return Markup(html.replace(bits.CSRF, field))


def _opening(view: TableView) -> str:
    """The element that is never swapped: it holds the socket and what table.js must know."""
    digits = "".join(words.digits(each) for each in range(10))
    failed = _("That did not get through. Please try again.")
    return (
        f'<main class="board still" id="table" data-version="{view.version}"'
        f' data-now="{time.time() * 1000:.0f}"'
        f' data-digits="{digits}" data-failed="{failed}" data-board="{bits.address("board", view.code)}"'
        f' hx-ws:connect="/ws/t/{escape(view.code)}/"'
        f' hx-config:inherited="timeout:15000 ws.reconnectMaxDelay:3000"'
        f' hx-swap:inherited="none" hx-sync:inherited="#table:queue last">'
    )


def _bar(regions: dict[str, str]) -> str:
    def way(name: str, label: str, more: str = "") -> str:
        return f'<a class="icon-btn{more}" href="#{name}" aria-label="{label}">{bits.icon(name)}</a>'

    states = {
        "on": _("connected"),
        "off": _("Connection lost, trying again"),
        "out": _("You are signed out. Sign in to go on."),
        "shut": _("This table may not be watched."),
        "gone": _("This table is gone."),
    }
    said = "".join(f' data-{name}="{text}"' for name, text in states.items())
    sign_in = bits.address("account_login")
    live = f'<a class="live-dot" id="live" role="status" data-sign-in="{sign_in}"{said}></a>'
    menu = way("menu", _("Menu"))
    sheets = way("log", _("Log"), " narrow") + way("score", _("Score sheet"), " narrow")
    return f'<header class="bar">{menu}{regions["title"]}{live}{regions["ways"]}{sheets}</header>'
