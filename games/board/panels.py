"""The bar at the top, the log, the facts of the table, the menu, the way out."""

from __future__ import annotations

from functools import lru_cache

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from markupsafe import Markup, escape

from games import rules
from games.board import bits, trick, words
from games.board.hand import obligation_words
from games.board.sheets import head
from games.models import Pace
from games.view import TableView
from games.words import clock_text, deals_text, ruleset_summary

PLAYED = ("calling", "playing", "scored")


# ---------------------------------------------------------------- the bar


def title(view: TableView) -> str:
    """Which rules and deal, and one fact."""
    return _title(
        bits.language(),
        view.phase,
        view.rules_name,
        view.deal_number,
        view.length,
        view.called,
        view.tricks,
        view.name,
    )


@lru_cache(maxsize=4096)
def _title(
    lang: str, phase: str, rules_name: str, number: int, length: int, called: int, tricks: int, name: str
) -> str:
    if phase in PLAYED:
        beside = words.deal_of(number, length)
    elif phase == "finished":
        beside = _("%(deals)s played") % {"deals": deals_text(number)}
    else:
        beside = deals_text(length)
    facts = {
        "open": _("Waiting for players"),
        "calling": _("Calling"),
        "playing": _("Called %(called)s of %(tricks)s")
        % {"called": words.digits(called), "tricks": words.digits(tricks)},
        "scored": _("The deal is scored"),
        "finished": _("The match is over"),
        "cancelled": _("Cancelled"),
        "closed": _("Closed"),
    }
    return (
        f'<div class="bar-title" id="title"><h1>{escape(rules_name)} <span>{beside}</span></h1>'
        f"<p><span>{facts[phase]}</span><span class=table-name>{escape(name)}</span></p></div>"
    )


def ways(view: TableView) -> str:
    """The way out, in the bar of wide screens."""
    return _ways(bits.language(), _may_leave(view))


@lru_cache(maxsize=16)
def _ways(lang: str, leave: bool) -> str:
    if leave:
        return f'<span class="wide" id="ways"><a class="btn bare" href="#leave">{_("Leave")}</a></span>'
    return f'<span class="wide" id="ways"><a class="btn bare" href="{bits.address("lobby")}">{_("Lobby")}</a></span>'


def _may_leave(view: TableView) -> bool:
    return view.me is not None and not view.i_left and (view.phase == "open" or view.phase in PLAYED)


# ---------------------------------------------------------------- the log, and what is read out


def log(view: TableView) -> str:
    """The last six lines of the deal."""
    if view.phase not in ("calling", "playing"):
        return '<section class="panel" id="log" hidden></section>'
    lines = tuple((entry.kind, trick.line(view, entry)) for entry in view.log)
    return _log(bits.language(), lines)


@lru_cache(maxsize=4096)
def _log(lang: str, lines: tuple[tuple[str, str], ...]) -> str:
    items = "".join(
        f"<li{' class=won' if kind == 'won' else ''}><span>{text}</span></li>" for kind, text in lines
    )
    return f'<section class="panel" id="log">{head(_("Last six"))}<ol class="log">{items}</ol></section>'


def say(view: TableView) -> str:
    """What a screen reader says: what was done last, and what is asked of whom. Empty, but there, when nothing is."""
    lang = bits.language()
    last = ""
    if view.log and view.phase in ("calling", "playing", "scored"):
        entry = view.log[-1]
        last = trick.spoken(lang, entry, entry.seat == view.me, view.seats[entry.seat].name) + ". "
    turn = view.seats[view.turn].name if view.turn is not None else ""
    return _say(lang, last, view.phase, turn, view.my_turn, view.obligation, view.single)


@lru_cache(maxsize=4096)
def _say(
    lang: str,
    last: str,
    phase: str,
    turn: str,
    mine: bool,
    obligation: rules.Obligation | None,
    single: bool,
) -> str:
    mark = ""
    text = ""
    if phase == "scored":
        text = _("The deal is scored.")
    elif mine:
        mark = f' data-turn="{_("Your turn")}"'
        if obligation is None:
            text = _("Your call.")
        elif single:
            text = _("Your only card, it plays itself") + "."
        else:
            beat = words.card_name(obligation.beat) if obligation.beat is not None else ""
            text = _("Your turn: %(duty)s.") % {"duty": obligation_words(obligation, beat)}
    elif turn:
        sentence = _("%(name)s is calling.") if phase == "calling" else _("%(name)s is to play.")
        text = str(Markup(sentence) % {"name": turn})
    return f'<p class="sr" id="say" role="status"{mark}>{last}{text}</p>'


def notice(text: str) -> str:
    """One sentence for this viewer: why something was refused. The element is there before its text."""
    return f'<p class="notice error" id="notice" role="alert">{escape(text)}</p>' if text else EMPTY_NOTICE


EMPTY_NOTICE = '<p class="notice" id="notice" role="alert"></p>'


# ---------------------------------------------------------------- facts


def facts(view: TableView) -> str:
    """What was agreed on at this table, every rule of it in a sentence."""
    return _facts(
        bits.language(),
        view.rules_name,
        view.rules,
        view.players,
        view.length,
        view.call_clock,
        view.card_clock,
        view.pace,
        view.public,
        view.watchable,
        view.phase == "open",
    )


@lru_cache(maxsize=512)
def _facts(
    lang: str,
    name: str,
    ruleset: rules.Ruleset,
    players: int,
    length: int,
    call_clock: int | None,
    card_clock: int | None,
    pace: str,
    public: bool,
    watchable: bool,
    is_open: bool,
) -> str:
    rows = [
        (_("Rules"), str(escape(name))),
        (_("Players"), words.digits(players)),
        (_("Match"), deals_text(length)),
        (_("Clock"), clock_text(call_clock, card_clock)),
        (_("Pace"), str(Pace(pace).label)),
        (_("Found"), _("in the lobby") if public else _("by its link only")),
        (_("Watchers"), _("welcome") if watchable else _("none")),
    ]
    pairs = "".join(f"<div><dt>{label}</dt><dd>{value}</dd></div>" for label, value in rows)
    sentences = "".join(f"<li>{escape(each)}</li>" for each in ruleset_summary(ruleset, players))
    opened = " open" if is_open else ""
    return (
        f'<section class="panel" id="facts">{head(_("This table"))}<dl class="facts">{pairs}</dl>'
        f'<details class="rules"{opened}><summary>{_("How it is played here")}</summary><ul>{sentences}</ul></details></section>'
    )


# ---------------------------------------------------------------- menu and leaving


def menu(view: TableView) -> str:
    """The sheet behind the menu button."""
    agreeing = tuple(words.named(view, index) for index in view.cancels)
    here = sum(seat.kind == "person" and not seat.left and not seat.away for seat in view.seats)
    votes = view.phase in PLAYED and view.me is not None and not view.i_left
    return _menu(bits.language(), view.code, _may_leave(view), votes, view.cancel, agreeing, here)


@lru_cache(maxsize=1024)
def _menu(
    lang: str, code: str, leave: bool, votes: bool, agrees: bool, agreeing: tuple[str, ...], here: int
) -> str:
    links = [
        bits.link(bits.address("lobby"), _("Lobby")),
        bits.link("#facts", _("The rules here")),
        bits.link(bits.address("accounts:profile"), _("Light, deck and card backs")),
    ]
    if leave:
        links.append(bits.link("#leave", _("Leave the table")))
    vote = _vote(code, agrees, agreeing, here) if votes else ""
    return f'<section class="panel menu" id="menu">{head(_("Your table"))}<div class="ways">{"".join(links)}</div>{vote}</section>'


def _vote(code: str, agrees: bool, agreeing: tuple[str, ...], here: int) -> str:
    told = ngettext(
        "The match is cancelled when the one person here agrees.",
        "The match is cancelled when all %(count)s people here agree.",
        here,
    ) % {"count": words.count(here)}
    if agreeing:
        text = _("%(names)s agrees.") if len(agreeing) == 1 and not agrees else _("%(names)s agree.")
        so_far = words.capital(str(Markup(text) % {"names": words.joined(agreeing)}))
        told = f"{told} {so_far}"
    button = _("Do not cancel after all") if agrees else _("Agree to cancel the match")
    inside = f'<button class="btn">{button}</button>'
    return f'<div class="vote"><p class="quiet">{told}</p>{bits.form(code, "cancel", inside, agree=int(not agrees))}</div>'


def leave(view: TableView) -> str:
    """The question before leaving."""
    return _leave(bits.language(), view.code, _may_leave(view), view.phase == "open")


@lru_cache(maxsize=1024)
def _leave(lang: str, code: str, may: bool, is_open: bool) -> str:
    if not may:
        return '<section class="panel menu" id="leave" hidden></section>'
    if is_open:
        told = _("Your seat becomes free for somebody else.")
    else:
        told = _("A bot plays your seat from now on. You may come back to it while the match lasts.")
    button = f'<button class="btn main">{_("Leave the table")}</button>'
    stay = bits.link("#table", _("Stay"))
    return (
        f'<section class="panel menu" id="leave">{head(_("Leave the table?"))}<p>{told}</p>'
        f'<div class="acts">{bits.form(code, "leave", button)}{stay}</div></section>'
    )
