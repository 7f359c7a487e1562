"""What is asked of the viewer, or waited for: the obligation in one line, the calls, the button to hurry."""

from __future__ import annotations

from functools import lru_cache

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from markupsafe import Markup

from games import rules
from games.board import bits, cards, words
from games.board.open import lounge
from games.rules import Duty
from games.view import TableView


def duty(view: TableView, lang: str) -> str:
    """The pill between table and hand, the panel of calls, or before the start what may be done."""
    clock = (view.clock_until, view.clock_seconds)
    if view.phase == "open":
        return lounge(view, lang)
    if view.phase not in ("calling", "playing") or view.turn is None:
        return '<div class="duty" id="duty" hidden></div>'
    if view.my_turn and view.phase == "calling":
        return _caller(lang, view.code, view.calls, view.tricks, view.deal_number, view.action, *clock)
    if view.my_turn and view.obligation is not None:
        return _yours(lang, view.obligation, view.single, len(view.legal) < len(view.hand), *clock)
    led = rules.suit_of(view.trick[0][1]) if view.trick else None
    name = "" if view.turn == view.me else view.seats[view.turn].name  # his own turn: he left, a bot plays
    return _theirs(lang, view.phase, name, led, hurry(view, lang), *clock)


# ---------------------------------------------------------------- the obligation


def sentence(obligation: rules.Obligation, beat: str) -> Markup:
    """The obligation in one line. ``beat`` is the card to beat, as HTML or in words."""
    return words.capital(words.fill(_sentence(obligation), **_parts(obligation, beat)))


def _parts(obligation: rules.Obligation, beat: str) -> dict[str, str]:
    suit = words.suit(obligation.suit) if obligation.suit is not None else ""
    void = words.suit(obligation.void) if obligation.void is not None else ""
    return {"suit": suit, "void": void, "beat": Markup(beat)}


def _sentence(obligation: rules.Obligation) -> str:
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
            return _("No %(void)s: a spade, though none wins")
        case Duty.NO_SPADE_LEAD:
            return _("You lead: any card but a spade")
    if obligation.void is None:
        return _("You lead: any card")
    if obligation.beat is not None:
        return _("No %(void)s: any card, but a spade must beat the %(beat)s")
    return _("No %(void)s: play any card")


def reasons(obligation: rules.Obligation, beat: str) -> tuple[Markup, Markup]:
    """Why a dimmed card may not be played: one of the suit that is asked for, and any other."""
    match obligation.duty:
        case Duty.FOLLOW | Duty.HEAD:
            other = _("You hold %(suit)s, so you must follow")
        case Duty.NO_SPADE_LEAD:
            other = _("No spade may be led to the first trick")
        case _:
            other = _("Out of %(void)s, you must play a spade")
    low = _("Too low: you hold one that beats the %(beat)s")
    parts = _parts(obligation, beat)
    return words.fill(low, **parts), words.fill(other, **parts)


def asked_suit(obligation: rules.Obligation) -> int | None:
    """The suit within which a card can only be too low; None: every dimmed card is of a wrong suit."""
    if obligation.duty is Duty.FREE and obligation.beat is not None:
        return rules.SPADES
    return obligation.suit


def _chip(suit: int | None, icon: str = "go") -> str:
    """The round token at the start of the pill: a suit, or an icon."""
    if suit is None:
        return f'<span class="chip">{bits.icon(icon)}</span>'
    letter = cards.SUIT[suit]
    return f'<span class="chip {letter}"><svg aria-hidden=true><use href="#{letter}"/></svg></span>'


def _what(text: str) -> str:
    return f"<span class=what>{text}</span>"


@lru_cache(maxsize=4096)
def _yours(
    lang: str, obligation: rules.Obligation, single: bool, some: bool, until: int | None, seconds: int | None
) -> str:
    beat = cards.mini(lang, obligation.beat) if obligation.beat is not None else ""
    text = _("Your only card, it plays itself") if single else sentence(obligation, beat)
    why = ""
    if some:
        low, other = reasons(obligation, beat)
        why = (
            f'<span class="chip mark">{bits.icon("why")}</span>'
            f"<span class=what id=why-low hidden>{low}</span><span class=what id=why hidden>{other}</span>"
        )
    return (
        f'<div class="duty yours" id=duty>{_chip(obligation.suit)}{_what(text)}'
        f"{why}{bits.clock(until, seconds)}</div>"
    )


@lru_cache(maxsize=4096)
def _theirs(
    lang: str, phase: str, name: str, led: int | None, hurry: str, until: int | None, seconds: int | None
) -> str:
    if phase == "calling":
        text = _("%(name)s is calling") if name else _("A bot calls for you")
    elif led is None:
        text = _("%(name)s leads") if name else _("A bot leads for you")
    else:
        text = _("%(suit)s are led. %(name)s plays") if name else _("%(suit)s are led. A bot plays for you")
    suit = words.capital(words.suit(led)) if led is not None else ""
    told = _what(words.fill(text, name=name, suit=suit))
    return f"<div class=duty id=duty>{_chip(led)}{told}{bits.clock(until, seconds)}{hurry}</div>"


# ---------------------------------------------------------------- somebody idle


def hurry(view: TableView, lang: str) -> str:
    """With it all the others together have a bot act once for whoever is idle; "" where it is not offered."""
    if view.late is None or view.me is None or view.i_left or view.late == view.me:
        return ""
    others = sum(
        seat.kind == "person" and not seat.left and not seat.away and seat.index != view.late
        for seat in view.seats
    )
    return _hurry(lang, view.code, view.moment, view.nudged, others)


@lru_cache(maxsize=1024)
def _hurry(lang: str, code: str, moment: int, asked: bool, needed: int) -> str:
    if asked:
        return f'<span class="hurry">{_("You asked. When the others ask too, a bot acts once.")}</span>'
    told = ngettext("a bot then acts once", "a bot acts once when all %(count)s of you ask", needed)
    told %= {"count": words.count(needed)}
    button = f'<button class="btn">{_("Hurry")}</button><small>{told}</small>'
    return bits.form(code, "nudge", button, "hurry", moment=moment)


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
    beside = bits.clock(until, seconds)
    if not beside:
        beside = _("how many of the %(tricks)s tricks?") % {"tricks": words.digits(tricks)}
    inside = (
        f'<p><strong id="call-label">{_("Your call")}</strong><span class="quiet num">{beside}</span></p>'
        f'<div class="calls{size}" role="group" aria-labelledby="call-label">{buttons}</div>'
    )
    return f'<div class="caller" id="duty">{bits.form(code, "call", inside, deal=deal, number=number)}</div>'
