"""Words and numbers as people read them. Every number on the board passes through ``digits``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from markupsafe import Markup, escape

from games import rules
from games.view import Line, TableView

MINUS = "\N{MINUS SIGN}"
DASH = "\N{EN DASH}"


def digits(number: int) -> str:
    """A whole number, from 0 up, in the digits of the language."""
    return str(number)


def points(tenths: int) -> str:
    """Tenths of a point with one decimal: "3.1", "−4.0"."""
    whole, tenth = divmod(abs(tenths), 10)
    return f"{MINUS if tenths < 0 else ''}{digits(whole)}.{digits(tenth)}"


def span(seconds: int) -> str:
    """A length of time as a clock shows it: "0:15"."""
    minutes, rest = divmod(max(0, seconds), 60)
    return f"{digits(minutes)}:{digits(rest // 10)}{digits(rest % 10)}"


def count(number: int) -> str:
    """A small number in words, a larger one in digits."""
    small = (
        _("no"),
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


def card_name(card: rules.Card) -> str:
    """A card in words: "10 of hearts"."""
    return _("%(rank)s of %(suit)s") % {"rank": rank(card), "suit": suit(rules.suit_of(card))}


def joined(parts: Sequence[str]) -> Markup:
    """ "A", "A and B", "A, B and C"; plain strings are escaped."""
    safe = [escape(part) for part in parts]
    if len(safe) < 2:
        return safe[0] if safe else Markup("")
    return Markup(_("%(first)s and %(last)s")) % {"first": Markup(", ").join(safe[:-1]), "last": safe[-1]}


def capital(sentence: str) -> str:
    """With its first letter raised, as a sentence begins."""
    return sentence[:1].upper() + sentence[1:]


@cache
def letter(name: str) -> str:
    """What stands on a face: the first letter with the marks that belong to it, escaped."""
    first = name[:1].upper()
    for following in name[1:4]:
        if following.isalnum() or following.isspace():
            break
        if not following.isprintable() or following.isascii():
            break
        first += following
    return str(escape(first))


def deal_of(number: int, length: int) -> str:
    """ "deal 3 of 5", or which extra deal it is."""
    if number > length:
        return _("extra deal %(number)s") % {"number": digits(number - length)}
    return _("deal %(number)s of %(length)s") % {"number": digits(number), "length": digits(length)}


def named(view: TableView, index: int) -> str:
    """Whoever has this seat: "you" for the viewer, else the name (raw, to be escaped)."""
    return _("you") if index == view.me else view.seats[index].name


def bots_say(by: str) -> bool:
    """Whether an action was a bot's for a person who sits there."""
    return by in ("absent", "nudge")


def line_of(line: Line, you: bool, name: Markup, card: str, dealt: int = 0) -> Markup:
    """A line of the log. ``name`` and ``card`` are ready pieces: HTML for the log, words for a screen reader."""
    parts = {"name": name, "card": Markup(card), "call": digits(line.value)}
    return Markup(_sentence(line, you)) % parts


def _sentence(line: Line, you: bool) -> str:
    if line.kind == "deal":
        return _("Deal %(call)s, you deal") if you else _("Deal %(call)s, %(name)s deals")
    if line.kind == "won":
        return _("You took the trick") if you else _("%(name)s took the trick")
    if line.kind == "call":
        if line.by == "clock":
            return (
                _("The clock called %(call)s for you") if you else _("The clock called %(call)s for %(name)s")
            )
        if bots_say(line.by):
            return _("A bot called %(call)s for you") if you else _("Bot for %(name)s called %(call)s")
        return _("You called %(call)s") if you else _("%(name)s called %(call)s")
    if line.by == "clock":
        return _("The clock played %(card)s for you") if you else _("The clock played %(card)s for %(name)s")
    if bots_say(line.by):
        return _("A bot played %(card)s for you") if you else _("Bot for %(name)s played %(card)s")
    if line.by == "single":
        return _("You played %(card)s, the only one") if you else _("%(name)s played %(card)s, the only one")
    if line.kind == "lead":
        return _("You led %(card)s") if you else _("%(name)s led %(card)s")
    return _("You played %(card)s") if you else _("%(name)s played %(card)s")


def seats_free(number: int) -> str:
    """ "Two seats are free."""
    text = ngettext("%(count)s seat is free", "%(count)s seats are free", number)
    return capital(text % {"count": count(number)})
