"""Before the start: who sits where, free seats to take, bots, the link to share."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.utils.translation import gettext as _
from markupsafe import escape

from games.board import bits, words
from games.bots import LEVELS, STAND_IN
from games.view import SeatView, TableView
from games.words import LEVEL_NAMES


def chair(seat: SeatView, code: str, host: bool, seated: bool, stake: int) -> str:
    """The place card of a seat before the start: who has it, or what may be done with it."""
    if seat.kind == "free":
        return f'<span class="plate">{_offers(seat, code, host, seated, stake)}</span>'
    name = escape(_("You") if seat.mine else seat.name)
    who = f'<span class="who"><span class="name"><span>{name}</span>{_tags(seat)}</span></span>'
    remove = _remove(seat, code) if host and not seat.mine else ""
    return f'<span class="plate">{bits.face(seat)}{who}{remove}</span>'


def _offers(seat: SeatView, code: str, host: bool, seated: bool, stake: int) -> str:
    where = _("on seat %(number)s") % {"number": words.digits(seat.index + 1)}
    number = bits.sr(f" {where}")
    kind = "btn" if seated else "btn main"
    if stake and not seated:  # first the contract, which has a button of its own
        to = f"{bits.address('contract', code)}?seat={seat.index}"
        return bits.link(to, f"{_('Sit here')}{number}", kind)
    agreed: dict[str, Any] = {"agreed": stake} if stake else {}
    forms = bits.form(
        code, "sit", f'<button class="{kind}">{_("Sit here")}{number}</button>', seat=seat.index, **agreed
    )
    if host and not stake:  # only people sit where coins lie
        forms += bits.form(code, "bot", _bot_choice(where), "add", seat=seat.index)
    return forms


def _bot_choice(where: str) -> str:
    """How strong a bot, and the button that seats it."""
    options = "".join(
        f'<option value="{level}"{" selected" if level == STAND_IN else ""}>{LEVEL_NAMES[level]}</option>'
        for level in LEVELS
    )
    label = f"{_('Level of the bot')} {where}"
    choice = f'<select name="level" aria-label="{label}">{options}</select>'
    return f'{choice}<button class="btn">{_("Add a bot")}{bits.sr(f" {where}")}</button>'


def _remove(seat: SeatView, code: str) -> str:
    label = words.fill(_("Remove %(name)s"), name=seat.name)
    button = f'<button class="icon-btn" aria-label="{label}">{bits.icon("shut")}</button>'
    return bits.form(code, "unseat", button, "remove", seat=seat.index)


def _tags(seat: SeatView) -> str:
    tags = bits.bot_tag(seat)
    if seat.kind == "bot":
        tags += f'<span class="level">{LEVEL_NAMES[seat.level]}</span>'
    if seat.host:
        tags += f'<span class="tag">{_("host")}</span>'
    if seat.away:
        tags += f'<span class="tag">{_("away")}</span>'
    return tags


def lounge(view: TableView, lang: str) -> str:
    """The panel under the felt while seats are free."""
    free = sum(seat.kind == "free" for seat in view.seats)
    return _lounge(lang, view.code, free, view.me is not None, view.public, view.stake, view.pot)


@lru_cache(maxsize=2048)
def _lounge(lang: str, code: str, free: int, seated: bool, public: bool, stake: int, pot: int) -> str:
    text = f"{words.seats_free(free)}. {_('The match starts when all are taken.')}"
    kind = (
        _("Anybody can find this table in the lobby, or come by its link.")
        if public
        else _("This table is private: only people who have its link can come.")
    )
    coins = ""
    if stake:
        coins = f'<p class="quiet">{words.stake(stake, pot)}. {words.play_money()}</p>'
    if seated:
        way_out = f'<a class="btn" href="#leave">{_("Leave the table")}</a>'
    else:
        way_out = bits.link(bits.address("lobby"), _("Back to the lobby"))
    facts = bits.link("#facts", _("The rules here"), "btn sheet-link")
    return (
        f'<div class="lounge" id="duty"><p><strong>{text}</strong></p><p class="quiet">{kind}</p>{coins}'
        f'{_share(code)}<p class="more">{facts}{way_out}</p></div>'
    )


def _share(code: str) -> str:
    to = bits.address("table", code)
    done, copy = _("Copied"), _("Copy the link")
    return (
        f'<div class="share"><label class="sr" for="link">{_("Link to this table")}</label>'
        f'<input id="link" type="text" readonly value="{to}">'
        f'<button class="btn" type="button" id="copy" data-done="{done}">{copy}</button></div>'
    )
