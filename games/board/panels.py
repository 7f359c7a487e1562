"""The bar at the top, the log and what is read out, the facts of the table, the menu, the way out."""

from __future__ import annotations

from functools import lru_cache

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from markupsafe import escape

from games import rules
from games.board import bits, trick, words
from games.board.duty import sentence
from games.models import Pace
from games.view import TableView
from games.words import clock_text, deals_text, ruleset_summary

RUNNING = ("calling", "playing", "scored")


# ---------------------------------------------------------------- the bar


def title(view: TableView, lang: str) -> str:
    """Which rules and which deal, and one fact."""
    return _title(
        lang,
        view.phase,
        view.rules_name,
        view.name,
        view.deal_number,
        view.length,
        view.called,
        view.tricks,
        view.pot,
    )


@lru_cache(maxsize=4096)
def _title(
    lang: str,
    phase: str,
    rules_name: str,
    name: str,
    number: int,
    length: int,
    called: int,
    tricks: int,
    pot: int,
) -> str:
    if phase in RUNNING:
        beside = words.deal_of(number, length)
    elif phase == "finished":
        beside = _("%(deals)s played") % {"deals": deals_text(number)}
    else:
        beside = deals_text(length)
    sums = {"called": words.digits(called), "tricks": words.digits(tricks)}
    fact = {
        "open": _("Waiting for players"),
        "calling": _("Calling"),
        "playing": _("Called %(called)s of %(tricks)s") % sums,
        "scored": _("The deal is scored"),
        "finished": _("The match is over"),
        "cancelled": _("The match was cancelled"),
        "closed": _("Closed"),
    }[phase]
    coins = words.coins(pot, spoken=_("coins in the pot")) if pot else ""
    return (
        f'<div class="bar-title" id="title"><h1>{escape(rules_name)} <span>{beside}</span></h1>'
        f'<p><span>{fact}</span>{coins}<span class="wide">{escape(name)}</span></p></div>'
    )


def ways(view: TableView, lang: str) -> str:
    """The way out, in the bar of wide screens."""
    return _ways(lang, _may_leave(view))


@lru_cache(maxsize=16)
def _ways(lang: str, leave: bool) -> str:
    if leave:
        way = bits.link("#leave", _("Leave"), "btn bare")
    else:
        way = bits.link(bits.address("lobby"), _("Lobby"), "btn bare")
    return f'<span class="wide" id="ways">{way}</span>'


def _may_leave(view: TableView) -> bool:
    return view.me is not None and not view.i_left and view.phase in ("open", *RUNNING)


# ---------------------------------------------------------------- the log, and what is read out


def lines(view: TableView, lang: str) -> str:
    """The last six lines of the deal; none before and after."""
    if view.phase not in ("calling", "playing"):
        return "<ol class=log id=lines></ol>"
    items = "".join(
        f"<li{' class=won' if entry.kind == 'won' else ''}>{trick.line(view, lang, entry)}</li>"
        for entry in view.log
    )
    return f"<ol class=log id=lines>{items}</ol>"


def say(view: TableView, lang: str) -> str:
    """What a screen reader says: what was done last, and whose turn it is. The element is always there."""
    last = ""
    if view.log and view.phase in RUNNING:
        entry = view.log[-1]
        last = trick.spoken(lang, entry, entry.seat == view.me, view.seats[entry.seat].name) + ". "
    name = view.seats[view.turn].name if view.turn is not None else ""
    if view.my_turn:
        return _say_yours(lang, last, view.obligation, view.single)
    return _say(last + _waits(lang, view.phase, name))


@lru_cache(maxsize=1024)
def _waits(lang: str, phase: str, name: str) -> str:
    if phase == "scored":
        return _("The deal is scored.")
    if not name:
        return ""
    return words.fill(_("%(name)s calls.") if phase == "calling" else _("%(name)s plays."), name=name)


@lru_cache(maxsize=4096)
def _say_yours(lang: str, last: str, obligation: rules.Obligation | None, single: bool) -> str:
    if obligation is None:
        text = _("Your call.")
    elif single:
        text = _("Your only card, it plays itself") + "."
    else:
        beat = words.card_name(lang, obligation.beat) if obligation.beat is not None else ""
        text = words.fill(_("Your turn. %(duty)s."), duty=sentence(obligation, beat))
    return _say(last + text, _("Your turn"))


def _say(text: str, turn: str = "") -> str:
    mark = f' data-turn="{turn}"' if turn else ""
    return f'<p class="sr" id="say" role="status"{mark}>{text}</p>'


def notice(text: str) -> str:
    """One sentence for this viewer: why something was refused. The element is there before its text."""
    return f'<p class="note" id="notice" role="alert">{escape(text)}</p>'


# ---------------------------------------------------------------- facts


def facts(view: TableView, lang: str) -> str:
    """What was agreed on at this table, every rule of it in a sentence."""
    clocks = (view.call_clock, view.card_clock)
    return _facts(
        lang,
        view.rules_name,
        view.rules,
        view.players,
        view.length,
        clocks,
        view.pace,
        view.public,
        view.watchable,
        (view.stake, view.pot, view.asks_for),
        view.phase == "open",
    )


@lru_cache(maxsize=512)
def _facts(
    lang: str,
    name: str,
    ruleset: rules.Ruleset,
    players: int,
    length: int,
    clocks: tuple[int | None, int | None],
    pace: str,
    public: bool,
    watchable: bool,
    coins: tuple[int, int, int],
    is_open: bool,
) -> str:
    rows = (
        (_("Rules"), escape(name)),
        (_("Match"), deals_text(length)),
        (_("Clock"), clock_text(*clocks)),
        (_("Pace"), Pace(pace).label),
        (_("Stake"), _stake(*coins, is_open)),
        (_("Found"), _("in the lobby") if public else _("by its link only")),
        (_("Watching"), _("allowed") if watchable else _("not allowed")),
    )
    pairs = "".join(f"<div><dt>{label}</dt><dd>{value}</dd></div>" for label, value in rows)
    sentences = "".join(f"<li>{escape(each)}</li>" for each in ruleset_summary(ruleset, players))
    how = (
        f'<details class="how"{" open" if is_open else ""}><summary>{_("How it is played here")}</summary>'
        f"<ul>{sentences}</ul></details>"
    )
    return bits.panel("facts", _("This table"), f'<dl class="facts">{pairs}</dl>{how}', " deep")


def _stake(stake: int, pot: int, asks_for: int, is_open: bool) -> str:
    if not stake:
        return _("none, a friendly table")
    told = words.stake(stake, pot)
    if is_open and asks_for > stake:
        told += "; " + _("to sit down, have %(asks)s") % {"asks": words.digits(asks_for)}
    # Before the start the panel under the felt says it.
    return told if is_open else f"{told} <small>{words.play_money()}</small>"


# ---------------------------------------------------------------- menu and leaving


def menu(view: TableView, lang: str) -> str:
    """The sheet behind the menu button."""
    vote = ""
    if view.phase in RUNNING and view.me in view.voters:
        agreeing = tuple(words.named(view, index) for index in view.voters if index in view.cancels)
        missing = tuple(words.named(view, index) for index in view.voters if index not in view.cancels)
        vote = _vote(lang, view.code, view.cancel, view.i_left, agreeing, missing, view.stake > 0)
    alone = view.me is not None and all(seat.mine or seat.kind == "bot" for seat in view.seats)
    hint = bits.address("hint", view.code) if alone and not view.i_left and view.phase in RUNNING else ""
    return _menu(lang, _may_leave(view), vote, hint)


@lru_cache(maxsize=1024)
def _menu(lang: str, leave: bool, vote: str, hint: str) -> str:
    links = [
        bits.link(bits.address("lobby"), _("Lobby")),
        bits.link("#facts", _("The rules here"), "btn sheet-link"),
        bits.link(bits.address("accounts:profile"), _("Light, deck and card backs")),
    ]
    if hint:
        links.append(bits.link(hint, _("Ask for a hint")))
    if leave:
        links.append(bits.link("#leave", _("Leave the table")))
    return bits.panel("menu", _("Your table"), f'<div class="ways">{"".join(links)}</div>{vote}', " menu")


@lru_cache(maxsize=1024)
def _vote(
    lang: str,
    code: str,
    agrees: bool,
    left: bool,
    agreeing: tuple[str, ...],
    missing: tuple[str, ...],
    staked: bool,
) -> str:
    voters = len(agreeing) + len(missing)
    if staked:
        told = _(
            "The match is cancelled, and every stake goes back, when all %(count)s players agree, "
            "those who left or are away included."
        )
    else:
        told = ngettext(
            "The match is cancelled when the one person here agrees.",
            "The match is cancelled when all %(count)s people here agree.",
            voters,
        )
    told %= {"count": words.count(voters)}
    if agreeing:
        one = len(agreeing) == 1 and not agrees
        text = _("%(names)s agrees.") if one else _("%(names)s agree.")
        told += " " + words.capital(words.fill(text, names=words.joined(agreeing)))
        told += " " + words.fill(_("Still to agree: %(names)s."), names=words.joined(missing))
    if left:
        vote = f"<p>{_('Take your seat back to agree.')}</p>"
    else:
        button = _("Do not cancel after all") if agrees else _("Agree to cancel the match")
        vote = bits.form(code, "cancel", f'<button class="btn">{button}</button>', agree=int(not agrees))
    return f'<div class="vote"><p class="quiet">{told}</p>{vote}</div>'


def leave(view: TableView, lang: str) -> str:
    """The question before leaving."""
    if not _may_leave(view):
        return bits.no_panel("leave")
    return _leave(lang, view.code, view.phase == "open", view.stake > 0)


@lru_cache(maxsize=1024)
def _leave(lang: str, code: str, is_open: bool, staked: bool) -> str:
    if is_open:
        told = _("Your seat becomes free for somebody else.")
    else:
        told = _("A bot plays your seat from now on. You may come back to it while the match lasts.")
        if staked:
            told += " " + _("Your stake stays in the pot; what the bot wins is yours.")
    yes = bits.form(code, "leave", f'<button class="btn main">{_("Leave the table")}</button>')
    no = bits.link("#table", _("Stay"))
    return bits.panel(
        "leave", _("Leave the table?"), f'<p>{told}</p><div class="acts">{yes}{no}</div>', " menu"
    )
