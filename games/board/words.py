"""Words and numbers as people read them. Every number on the board passes through ``digits``."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from markupsafe import Markup, escape

from games import rules
from games.view import Line, TableView

MINUS = "\N{MINUS SIGN}"
DASH = "\N{EN DASH}"
STAND_INS = ("absent", "nudge")  # a bot acted for a person


def digits(number: int) -> str:
    """A whole number, from 0 up, in the digits of the language."""
    return str(number)


def points(tenths: int) -> str:
    """Tenths of a point with one decimal, below zero with a minus sign."""
    whole, tenth = divmod(abs(tenths), 10)
    return f"{MINUS if tenths < 0 else ''}{digits(whole)}.{digits(tenth)}"


def coins(number: int, sign: str = "", spoken: str = "") -> str:
    """Coins as they stand beside anything: the disc, the number, and for ears what it is ("coins" unless said)."""
    return (
        '<span class="coins"><svg aria-hidden="true"><use href="#coin"/></svg>'
        f'{sign}{digits(number)}<span class="sr"> {spoken or ngettext("coin", "coins", number)}</span></span>'
    )


def coins_each(number: int) -> str:
    """What everybody at a table stakes."""
    return coins(number, spoken=ngettext("coin each", "coins each", number))


def gain(number: int) -> str:
    """Coins won or lost, with their sign."""
    return coins(abs(number), "+" if number > 0 else MINUS if number < 0 else "")


def span(seconds: int) -> str:
    """A length of time as a clock shows it: "0:15"."""
    minutes, rest = divmod(max(0, seconds), 60)
    return f"{digits(minutes)}:{digits(rest // 10)}{digits(rest % 10)}"


def count(number: int) -> str:
    """A small number in words, a larger one in digits."""
    small = (
        _("none"),
        _("one"),
        _("two"),
        _("three"),
        _("four"),
        _("five"),
        _("six"),
        _("seven"),
        _("eight"),
        _("nine"),
        _("ten"),
    )
    return small[number] if number < len(small) else digits(number)


def suit(index: int) -> str:
    """The name of a suit, as in "follow hearts"."""
    return (_("clubs"), _("diamonds"), _("hearts"), _("spades"))[index]


def rank(card: rules.Card) -> str:
    """The rank in words: "10", "king"."""
    court = {9: _("jack"), 10: _("queen"), 11: _("king"), 12: _("ace")}
    index = rules.rank_of(card)
    return court.get(index) or digits(index + 2)


@lru_cache(maxsize=512)
def card_name(lang: str, card: rules.Card) -> str:
    """A card in words: "10 of hearts"."""
    return _("%(rank)s of %(suit)s") % {"rank": rank(card), "suit": suit(rules.suit_of(card))}


def fill(sentence: str, **parts: str) -> Markup:
    """A translated sentence with its parts put in: plain strings are escaped, Markup goes in as it is."""
    return Markup(sentence) % parts


def joined(parts: Sequence[str]) -> Markup:
    """ "A", "A and B", "A, B and C"; plain strings are escaped."""
    safe = [escape(part) for part in parts]
    if len(safe) < 2:
        return safe[0] if safe else Markup("")
    return fill(_("%(first)s and %(last)s"), first=Markup(", ").join(safe[:-1]), last=safe[-1])


def capital(sentence: str) -> Markup:
    """With its first letter raised, as a sentence begins. ``sentence`` is HTML that starts with a letter."""
    return Markup(sentence[:1].upper() + sentence[1:])


@cache
def letter(name: str) -> str:
    """What stands on a face: the first letter with the marks that belong to it, escaped."""
    end = 1
    while end < len(name) and unicodedata.category(name[end]).startswith("M"):
        end += 1
    return str(escape(name[:end].upper()))


def deal_of(number: int, length: int) -> str:
    """ "deal 3 of 5", or which extra deal it is."""
    if number > length:
        return _("extra deal %(number)s") % {"number": digits(number - length)}
    return _("deal %(number)s of %(length)s") % {"number": digits(number), "length": digits(length)}


def named(view: TableView, index: int) -> str:
    """Whoever has this seat, inside a sentence: "you" for the viewer, else the name (not yet escaped)."""
    return _("you") if index == view.me else view.seats[index].name


def title_of(view: TableView, index: int) -> Markup:
    """Whoever has this seat, standing alone: "You" or the name, escaped."""
    return escape(_("You") if index == view.me else view.seats[index].name)


def stake(each: int, pot: int) -> str:
    """ "50 each, 200 in the pot"."""
    return _("%(stake)s each, %(pot)s in the pot") % {"stake": digits(each), "pot": digits(pot)}


def play_money() -> str:
    """Said once on a page that shows coins."""
    return _("Coins are play money: never bought, sold or cashed out.")


def seats_free(number: int) -> str:
    """ "Two seats are free"."""
    text = ngettext("%(count)s seat is free", "%(count)s seats are free", number)
    return capital(text % {"count": count(number)})


# ---------------------------------------------------------------- the log


def told(line: Line, you: bool, name: Markup, card: str) -> Markup:
    """A line of the log. ``name`` and ``card`` are ready pieces: HTML for the log, words for a reader."""
    sentence = _yours(line) if you else _theirs(line)
    return fill(sentence, name=name, card=Markup(card), number=digits(line.value))


def _theirs(line: Line) -> str:
    match line.kind:
        case "deal":
            return _("Deal %(number)s, %(name)s deals")
        case "won":
            return _("%(name)s took the trick")
        case "call" if line.by == "clock":
            return _("The clock called %(number)s for %(name)s")
        case "call" if line.by in STAND_INS:
            return _("Bot for %(name)s called %(number)s")
        case "call":
            return _("%(name)s called %(number)s")
    if line.by == "clock":
        return _("The clock played %(card)s for %(name)s")
    if line.by in STAND_INS:
        return _("Bot for %(name)s played %(card)s")
    if line.by == "single":
        return _("%(name)s played %(card)s, the only one allowed")
    return _("%(name)s led %(card)s") if line.kind == "lead" else _("%(name)s played %(card)s")


def _yours(line: Line) -> str:
    match line.kind:
        case "deal":
            return _("Deal %(number)s, you deal")
        case "won":
            return _("You took the trick")
        case "call" if line.by == "clock":
            return _("The clock called %(number)s for you")
        case "call" if line.by in STAND_INS:
            return _("A bot called %(number)s for you")
        case "call":
            return _("You called %(number)s")
    if line.by == "clock":
        return _("The clock played %(card)s for you")
    if line.by in STAND_INS:
        return _("A bot played %(card)s for you")
    if line.by == "single":
        return _("You played %(card)s, the only one allowed")
    return _("You led %(card)s") if line.kind == "lead" else _("You played %(card)s")
