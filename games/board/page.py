"""The table page around its regions."""

from __future__ import annotations

from django.utils.translation import gettext as _
from markupsafe import Markup, escape

from games.board import bits
from games.view import TableView


def draw(view: TableView, regions: dict[str, str], token: str, now: int) -> Markup:
    """The whole of <main>: the skeleton that stays and, in it, the regions that change.

    ``token`` is the request's CSRF token, ``now`` the server's time in milliseconds since 1970.
    """
    at = regions.__getitem__
    around = "".join(html for name, html in regions.items() if name.startswith("seat-"))
    anti = " anti" if view.rules.turn == "anticlockwise" else ""
    menu, log, score = (
        f'<a class="icon-btn{more}" href="#{name}" aria-label="{label}">{bits.icon(name)}</a>'
        for name, label, more in (
            ("menu", _("Menu"), ""),
            ("log", _("Log"), " narrow"),
            ("score", _("Score sheet"), " narrow"),
        )
    )
    live = (
        f'<span class="live-dot" id="live" data-on="{_("connected")}" data-off="{_("Connection lost, trying again")}"'
        f' data-out="{_("You are signed out.")}" data-shut="{_("This table may not be watched.")}" hidden></span>'
    )
    html = (
        f'<main class="board first" id="table" tabindex="-1" data-version="{view.version}" data-now="{now}"'
        f' data-board="{bits.address("board", view.code)}" hx-ws:connect="/ws/t/{escape(view.code)}/"'
        f' hx-swap:inherited="none" hx-sync:inherited="#table:drop">'
        f'<header class="bar">{menu}{at("title")}{live}{at("ways")}{log}{score}</header>{at("notice")}{at("say")}'
        f'<section class="arena of{view.players}{anti}" aria-label="{_("Table")}">'
        f'<div class="felt"><svg class="medal" aria-hidden="true"><use href="#medal"/></svg>{at("light")}</div>'
        f'<ol class="seats">{around}</ol>{at("sum")}{at("trick-a")}{at("trick-b")}{at("ticker")}</section>'
        f'<section class="play" aria-label="{_("Your place")}">{at("duty")}{at("mine")}{at("hand")}</section>'
        f'<aside class="drawers" aria-label="{_("About the match")}">{at("score")}{at("log")}{at("facts")}{at("menu")}{at("leave")}</aside>'
        f"{at('stage')}</main>"
    )
    field = f'<input type="hidden" name="csrfmiddlewaretoken" value="{escape(token)}">'
    return Markup(html.replace(bits.CSRF, field))
