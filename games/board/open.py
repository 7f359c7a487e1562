"""Before the start: who sits where, free seats to take, bots, the link to share."""

from __future__ import annotations

from functools import lru_cache

from django.utils.translation import gettext as _
from markupsafe import Markup, escape

from games.board import bits, words
from games.bots import LEVELS
from games.view import SeatView, TableView


def chair(seat: SeatView, code: str, host: bool) -> str:
    """The place card of a seat before the start."""
    if seat.kind == "free":
        sit = f'<button class="btn main">{_("Sit here")}</button>'
        forms = bits.form(code, "sit", sit + _which(seat), seat=seat.index)
        if host:
            forms += "".join(_bot_form(seat, code, level) for level in LEVELS)
        return f'<span class="plate">{forms}</span>'
    name = (
        f'<span class="name"><span>{_("You") if seat.mine else escape(seat.name)}</span>{_tags(seat)}</span>'
    )
    remove = ""
    if host and not seat.mine:
        what = Markup(_("Remove %(name)s")) % {"name": seat.name}
        inside = f'<button class="icon-btn" aria-label="{what}">{bits.icon("shut")}</button>'
        remove = bits.form(code, "unseat", inside, "remove", seat=seat.index)
    return f'<span class="plate">{bits.face(seat)}<span class="who">{name}</span></span>{remove}'


def _bot_form(seat: SeatView, code: str, level: str) -> str:
    text = _("Add a bot") if len(LEVELS) == 1 else _("Add a bot: %(level)s") % {"level": level}
    button = f'<button class="btn">{text}</button>{_which(seat)}'
    return bits.form(code, "bot", button, seat=seat.index, level=level)


def _which(seat: SeatView) -> str:
    return f'<span class="sr">{_("seat %(number)s") % {"number": words.digits(seat.index + 1)}}</span>'


def _tags(seat: SeatView) -> str:
    tags = ""
    if seat.kind == "bot":
        tags += f'<span class="tag">{_("bot")}</span>'
    if seat.host:
        tags += f'<span class="tag">{_("host")}</span>'
    if seat.away:
        tags += f'<span class="tag">{_("away")}</span>'
    return tags


def lounge(view: TableView) -> str:
    """The panel under the felt while seats are free."""
    free = sum(seat.kind == "free" for seat in view.seats)
    return _lounge(bits.language(), view.code, free, view.me is not None, view.public)


@lru_cache(maxsize=2048)
def _lounge(lang: str, code: str, free: int, seated: bool, public: bool) -> str:
    waits = _("The match starts when all are taken.")
    text = f"{words.seats_free(free)}. {waits}"
    if not seated:
        text += " " + _("Choose one to play.")
    kind = (
        _("Anybody can find this table in the lobby, or come by its link.")
        if public
        else _("This table is private: only who has its link can come.")
    )
    to = bits.address("table", code)
    share = (
        f'<div class="share"><label class="sr" for="link">{_("Link to this table")}</label>'
        f'<input id="link" readonly value="{to}" data-link="{to}">'
        f'<button class="btn" type="button" id="copy" hidden data-done="{_("Copied")}">{_("Copy the link")}</button></div>'
    )
    return (
        f'<div class="lounge" id="duty"><p><strong>{text}</strong></p><p class="quiet">{kind}</p>{share}'
        f'<p class="more"><a href="#facts">{_("The rules here")}</a>{_leave(seated)}</p></div>'
    )


def _leave(seated: bool) -> str:
    if seated:
        return f'<a href="#leave">{_("Leave the table")}</a>'
    return f'<a href="{bits.address("lobby")}">{_("Back to the lobby")}</a>'
