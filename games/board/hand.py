"""What the viewer is asked for and holds: the obligation in one line, the calls to choose from, the hand."""

from __future__ import annotations

from functools import lru_cache

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from markupsafe import Markup, escape

from games import rules
from games.board import bits, cards, words
from games.board.open import lounge
from games.rules import Duty
from games.view import TableView

EMPTY_HAND = '<form class="hand" id="hand" hidden></form>'
EMPTY_DUTY = '<div id="duty" hidden></div>'
WHOLE = 4  # up to so many cards lie side by side on any screen and show whole faces


def hand(view: TableView) -> str:
    """The viewer's cards, each a button."""
    if not view.hand:
        return EMPTY_HAND
    playing = view.my_turn and view.phase == "playing"
    return _hand(
        bits.language(),
        view.code,
        view.hand,
        view.legal if playing and len(view.legal) < len(view.hand) else None,
        _asked_suit(view.obligation) if playing else None,
        (view.deal_number, view.action) if playing else None,
    )


def _asked_suit(obligation: rules.Obligation | None) -> int | None:
    """The suit within which a card can only be too low."""
    if obligation is None:
        return None
    if obligation.suit is None and obligation.beat is not None:
        return rules.SPADES
    return obligation.suit


@lru_cache(maxsize=4096)
def _hand(
    lang: str,
    code: str,
    held: tuple[rules.Card, ...],
    legal: frozenset[rules.Card] | None,
    asked: int | None,
    answers: tuple[int, int] | None,
) -> str:
    buttons = "".join(
        cards.button(
            lang,
            card,
            "" if legal is None else "can" if card in legal else "cannot",
            len(held) <= WHOLE,
            answers is not None,
            int(rules.suit_of(card) != asked),
        )
        for card in held
    )
    fields = ""
    if answers is not None:
        deal, number = answers
        fields = (
            f'<input type="hidden" name="deal" value="{deal}">'
            f'<input type="hidden" name="number" value="{number}">{bits.CSRF}'
        )
    to = bits.address("play", code)
    return (
        f'<form class="hand n{len(held)}" id="hand" method="post" action="{to}" hx-post="{to}"'
        f' aria-label="{_("Your hand")}">{buttons}{fields}</form>'
    )


# ---------------------------------------------------------------- the obligation


def obligation_words(obligation: rules.Obligation, beat: str) -> str:
    """The obligation in one line. ``beat`` is the card to beat, as HTML or in words."""
    parts = {"beat": Markup(beat), "void": "", "suit": ""}
    if obligation.void is not None:
        parts["void"] = words.suit(obligation.void)
    if obligation.suit is not None:
        parts["suit"] = words.suit(obligation.suit)
    return words.capital(str(Markup(_duty_sentence(obligation)) % parts))


def _duty_sentence(obligation: rules.Obligation) -> str:
    match obligation.duty:
        case Duty.FOLLOW:
            return _("Follow %(suit)s")
        case Duty.HEAD:
            return _("Follow %(suit)s and beat the %(beat)s")
        case Duty.CUT:
            return _("No %(void)s: play a spade")
        case Duty.OVERTRUMP:
            return _("No %(void)s: beat the %(beat)s")
        case Duty.FORCED_SPADE:
            return _("No %(void)s: play a spade, though none wins")
        case Duty.NO_SPADE_LEAD:
            return _("You lead: any card but a spade")
    if obligation.void is None:
        return _("You lead: any card")
    if obligation.beat is not None:
        return _("No %(void)s: any card, but a spade must beat the %(beat)s")
    return _("No %(void)s: play any card")


def reasons(obligation: rules.Obligation, beat: str) -> tuple[str, str]:
    """Why a dimmed card may not be played: one of the suit asked for, and any other."""
    parts = {"beat": Markup(beat), "suit": "", "void": ""}
    if obligation.suit is not None:
        parts["suit"] = words.suit(obligation.suit)
    if obligation.void is not None:
        parts["void"] = words.suit(obligation.void)
    low = Markup(_("Too low: you hold a card that beats the %(beat)s")) % parts
    match obligation.duty:
        case Duty.FOLLOW | Duty.HEAD:
            other = _("You hold %(suit)s, so you must follow")
        case Duty.NO_SPADE_LEAD:
            other = _("A spade may not be led to the first trick")
        case _:
            other = _("You have no %(void)s, so a spade must be played")
    return str(low), str(Markup(other) % parts)


def duty(view: TableView) -> str:
    """The pill between table and hand, or the panel of calls, or before the start what may be done."""
    lang = bits.language()
    if view.phase == "open":
        return lounge(view)
    if view.phase not in ("calling", "playing") or view.turn is None:
        return EMPTY_DUTY
    if view.my_turn and view.phase == "calling":
        return _caller(
            lang,
            view.code,
            view.calls,
            view.tricks,
            view.deal_number,
            view.action,
            view.clock_until,
            view.clock_seconds,
        )
    if view.my_turn and view.obligation is not None:
        return _yours(
            lang,
            view.obligation,
            view.single,
            len(view.legal) < len(view.hand),
            view.clock_until,
            view.clock_seconds,
        )
    led = rules.suit_of(view.trick[0][1]) if view.trick else None
    hurry = _hurry(view)
    name = view.seats[view.turn].name
    return _plain(lang, view.phase, name, led, view.clock_until, view.clock_seconds, hurry)


def chip(suit: int | None, name: str = "go") -> str:
    """The round token at the start of the pill: a suit, or an icon."""
    if suit is None:
        return f'<span class="chip">{bits.icon(name)}</span>'
    letter = cards.SUIT[suit]
    return f'<span class="chip {letter}"><svg aria-hidden="true"><use href="#{letter}"/></svg></span>'


def clock(until: int | None, seconds: int | None) -> str:
    """The time left, counted down by the page; without JavaScript the time allowed."""
    if until is None or seconds is None:
        return ""
    return f'<span class="left" role="timer" aria-label="{_("time left")}"{bits.until(until, None)}>{words.span(seconds)}</span>'


@lru_cache(maxsize=4096)
def _yours(
    lang: str,
    obligation: rules.Obligation,
    single: bool,
    some: bool,
    until: int | None,
    seconds: int | None,
) -> str:
    beat = cards.mini(lang, obligation.beat) if obligation.beat is not None else ""
    text = _("Your only card, it plays itself") if single else obligation_words(obligation, beat)
    why = ""
    if some:
        why = "".join(
            f'<span class="because" id="why-{number}" hidden>{chip(None, "why")}<span class="what">{reason}</span></span>'
            for number, reason in enumerate(reasons(obligation, beat))
        )
    suit = obligation.suit
    return (
        f'<div class="duty yours" id="duty"><span class="because">{chip(suit)}<span class="what">{text}</span></span>'
        f"{why}{clock(until, seconds)}</div>"
    )


@lru_cache(maxsize=4096)
def _plain(
    lang: str, phase: str, name: str, led: int | None, until: int | None, seconds: int | None, hurry: str
) -> str:
    if phase == "calling":
        text = Markup(_("%(name)s is calling"))
    elif led is None:
        text = Markup(_("%(name)s leads"))
    else:
        text = Markup(_("%(suit)s are led. %(name)s plays"))
    parts = {"name": escape(name), "suit": words.capital(words.suit(led)) if led is not None else ""}
    return (
        f'<div class="duty" id="duty">{chip(led)}<span class="what">{text % parts}</span>'
        f"{clock(until, seconds)}{hurry}</div>"
    )


# ---------------------------------------------------------------- somebody idle


def _hurry(view: TableView) -> str:
    if view.late is None or view.me is None or view.i_left or view.late == view.me:
        return ""
    return hurry(bits.language(), view.code, view.moment, view.nudged, askers(view))


def askers(view: TableView) -> int:
    """How many people are here besides the one who is waited for: all of them must ask."""
    return sum(
        seat.kind == "person" and not seat.left and not seat.away and seat.index != view.late
        for seat in view.seats
    )


@lru_cache(maxsize=1024)
def hurry(lang: str, code: str, moment: int, asked: bool, needed: int) -> str:
    """The button with which all the others together have a bot act once for whoever is idle."""
    if asked:
        return f'<span class="hurry">{_("You asked. When the others ask too, a bot acts once.")}</span>'
    told = ngettext("A bot then acts once.", "A bot acts once when all %(count)s of you ask.", needed) % {
        "count": words.count(needed)
    }
    button = f'<button class="btn" title="{told}">{_("Hurry")}</button>'
    return bits.form(code, "nudge", f'{button}<span class="sr">{told}</span>', "hurry", moment=moment)


# ---------------------------------------------------------------- the call


@lru_cache(maxsize=2048)
def _caller(
    lang: str,
    code: str,
    calls: tuple[int, ...],
    tricks: int,
    deal: int,
    number: int,
    until: int | None,
    seconds: int | None,
) -> str:
    size = "" if len(calls) <= 8 else " to13" if len(calls) <= 13 else " to17"
    buttons = "".join(f'<button name="call" value="{each}">{words.digits(each)}</button>' for each in calls)
    inside = (
        f'<p><strong id="call-label">{_("Your call")}</strong><span class="quiet num">'
        f"{clock(until, seconds) or _('how many of %(tricks)s tricks') % {'tricks': words.digits(tricks)}}</span></p>"
        f'<div class="calls{size}" role="group" aria-labelledby="call-label">{buttons}</div>'
    )
    return f'<div class="caller" id="duty">{bits.form(code, "call", inside, deal=deal, number=number)}</div>'
