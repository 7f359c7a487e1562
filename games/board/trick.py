"""What lies on the table: the trick, the one just finished, the sum of the calls, and the line under them.

Two layers take turns: odd tricks lie on the one, even tricks on the other, so that a finished trick may still rest
and leave while the next is led, and no card is drawn anew when its trick is over.
"""

from __future__ import annotations

from functools import lru_cache

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from markupsafe import Markup, escape

from games import rules
from games.board import bits, cards, words
from games.view import Line, TableView
from games.words import REDEAL_REASONS

Laid = tuple[tuple[str, rules.Card], ...]  # (place, card) in the order thrown


def layers(view: TableView) -> dict[str, str]:
    """The two layers, by their ids."""
    lang = bits.language()
    over = view.phase in ("scored", "finished")
    number = view.tricks + 1 if over else view.trick_number
    done, winner = final(view) if over else (view.done, view.done_winner)
    done_best = _best(done) if over else view.done_best
    goes = view.seats[winner].place if winner is not None else ""
    gap = view.my_turn and view.phase == "playing"
    return dict(
        sorted(
            [
                _layer(lang, number % 2, _laid(view, view.trick), view.trick_best, "", False, gap),
                _layer(lang, (number + 1) % 2, _laid(view, done), done_best, goes, bool(view.trick), False),
            ]
        )
    )


def final(view: TableView) -> tuple[tuple[tuple[int, rules.Card], ...], int | None]:
    """The last trick of a deal that is over, and who took it: the log's last lines are its."""
    plays = [line for line in view.log if line.kind in ("lead", "play")][-view.players :]
    if len(plays) < view.players or view.log[-1].kind != "won":
        return (), None
    return tuple((line.seat, line.value) for line in plays), view.log[-1].seat


def _best(trick: tuple[tuple[int, rules.Card], ...]) -> int | None:
    return rules.winning_index([card for _seat, card in trick]) if trick else None


def _laid(view: TableView, trick: tuple[tuple[int, rules.Card], ...]) -> Laid:
    return tuple((view.seats[seat].place, card) for seat, card in trick)


@lru_cache(maxsize=8192)
def _layer(
    lang: str, odd: int, laid: Laid, best: int | None, goes: str, led: bool, gap: bool
) -> tuple[str, str]:
    last = len(laid) - 1
    inside = "".join(
        cards.lying(lang, card, place, number + 1, number == best, number == last)
        for number, (place, card) in enumerate(laid)
    )
    if gap:
        inside += '<span class="gap f-me" aria-hidden="true"></span>'
    classes = f"trick{f' to-{goes}' if goes else ''}{' led' if led and goes else ''}"
    name = "ba"[odd]
    label = (
        f' role="group" aria-label="{_("The trick just taken") if goes else _("The trick")}"' if laid else ""
    )
    return f"trick-{name}", f'<div class="{classes}" id="trick-{name}"{label}>{inside}</div>'


def total(view: TableView) -> str:
    """The middle of the table before the play: what the calls add up to, or what is waited for."""
    lang = bits.language()
    if view.phase == "calling":
        return _calls(lang, view.called, view.to_call, view.tricks, view.redealt)
    if view.phase == "open":
        return _open(lang, sum(seat.kind == "free" for seat in view.seats), view.players)
    return '<div class="sum" id="sum" hidden></div>'


@lru_cache(maxsize=1024)
def _calls(lang: str, called: int, to_call: int, tricks: int, redealt: tuple[str, ...]) -> str:
    full = _("%(called)s of %(tricks)s") % {"called": words.digits(called), "tricks": words.digits(tricks)}
    if to_call:
        under = ngettext("called, %(count)s to call", "called, %(count)s to call", to_call)
        text = under % {"count": words.count(to_call)}
    else:
        text = _("called")
    bars = '<i class="w"></i>' * min(called, tricks) + "<i></i>" * max(0, tricks - called)
    again = ""
    if redealt:
        reason = words.joined([str(REDEAL_REASONS[each]) for each in dict.fromkeys(redealt)])
        again = f"<span>{Markup(_('Dealt again: %(reason)s.')) % {'reason': reason}}</span>"
    return (
        f'<div class="sum" id="sum"><b class="num">{full}</b><span>{text}</span>'
        f'<span class="bar13" aria-hidden="true">{bars}</span>{again}</div>'
    )


@lru_cache(maxsize=64)
def _open(lang: str, free: int, players: int) -> str:
    taken = _("%(taken)s of %(seats)s") % {
        "taken": words.digits(players - free),
        "seats": words.digits(players),
    }
    return f'<div class="sum" id="sum"><b class="num">{taken}</b><span>{_("seats taken")}</span></div>'


# ---------------------------------------------------------------- what was done, in a line


def line(view: TableView, entry: Line) -> str:
    """A line of the log as HTML."""
    return _line(bits.language(), entry, entry.seat == view.me, view.seats[entry.seat].name)


@lru_cache(maxsize=8192)
def _line(lang: str, entry: Line, you: bool, name: str) -> str:
    card = cards.mini(lang, entry.value) if entry.kind in ("lead", "play") else ""
    return str(words.line_of(entry, you, Markup("<strong>%s</strong>") % name, card))


@lru_cache(maxsize=8192)
def spoken(lang: str, entry: Line, you: bool, name: str) -> str:
    """The same line for a screen reader: words alone, escaped."""
    card = words.card_name(entry.value) if entry.kind in ("lead", "play") else ""
    return str(words.line_of(entry, you, escape(name), card))


def ticker(view: TableView) -> str:
    """What was done last, on the felt where there is height for it."""
    if view.phase not in ("calling", "playing") or not view.log:
        return '<p class="ticker" id="ticker" hidden></p>'
    return f'<p class="ticker" id="ticker" aria-hidden="true">{line(view, view.log[-1])}</p>'
