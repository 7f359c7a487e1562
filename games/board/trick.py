"""What lies on the table: the trick, the one just finished, the sum of the calls, and the line under them.

Two layers take turns: odd tricks lie on the one, even tricks on the other, so that a finished trick may still
rest and leave while the next is led, and no card is drawn anew when its trick is over.
"""

from __future__ import annotations

from functools import lru_cache

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from markupsafe import Markup, escape

from games import rules
from games.board import cards, words
from games.view import Line, TableView
from games.words import REDEAL_REASONS

Laid = tuple[tuple[str, rules.Card], ...]  # (place, card) in the order thrown
CARDS = ("lead", "play")


def layers(view: TableView, lang: str) -> dict[str, str]:
    """The two layers, by their ids."""
    over = view.phase in ("scored", "finished")
    number = view.tricks + 1 if over else view.trick_number
    done, winner = final(view) if over else (view.done, view.done_winner)
    done_best = rules.winning_index([card for _seat, card in done]) if done else None
    goes = view.seats[winner].place if winner is not None else ""
    gap = view.my_turn and view.phase == "playing"
    now = _layer(lang, number % 2, _laid(view, view.trick), view.trick_best, "", gap)
    before = _layer(lang, (number + 1) % 2, _laid(view, done), done_best, goes, False)
    return dict(sorted((now, before)))


def final(view: TableView) -> tuple[tuple[tuple[int, rules.Card], ...], int | None]:
    """The last trick of a deal that is over, and who took it: the log's last lines are its."""
    plays = [line for line in view.log if line.kind in CARDS][-view.players :]
    if len(plays) < view.players or view.log[-1].kind != "won":
        return (), None
    return tuple((line.seat, line.value) for line in plays), view.log[-1].seat


def _laid(view: TableView, trick: tuple[tuple[int, rules.Card], ...]) -> Laid:
    return tuple((view.seats[seat].place, card) for seat, card in trick)


@lru_cache(maxsize=8192)
def _layer(lang: str, odd: int, laid: Laid, best: int | None, goes: str, gap: bool) -> tuple[str, str]:
    name = "trick-a" if odd else "trick-b"
    last = len(laid) - 1
    inside = "".join(
        cards.lying(lang, card, place, number + 1, number == best, number == last)
        for number, (place, card) in enumerate(laid)
    )
    if gap:
        inside += '<span class="gap f-me" aria-hidden=true></span>'
    more = f" to-{goes}" if goes else ""
    role = f' role=group aria-label="{_("The trick just taken")}"' if goes else ""
    return name, f'<div class="trick{more}" id={name}{role}>{inside}</div>'


def total(view: TableView, lang: str) -> str:
    """The middle of the table before the play: what the calls add up to, or how many seats are taken."""
    if view.phase == "calling":
        return _calls(lang, view.called, view.to_call, view.tricks, view.redealt)
    if view.phase == "open":
        return _taken(lang, sum(seat.kind != "free" for seat in view.seats), view.players)
    return '<div id="sum" hidden></div>'


@lru_cache(maxsize=1024)
def _calls(lang: str, called: int, to_call: int, tricks: int, redealt: tuple[str, ...]) -> str:
    full = _("%(called)s of %(tricks)s") % {"called": words.digits(called), "tricks": words.digits(tricks)}
    under = ngettext("called, %(count)s to call", "called, %(count)s to call", to_call)
    bars = "<i class=w></i>" * min(called, tricks) + "<i></i>" * max(0, tricks - called)
    again = ""
    if redealt:
        reasons = words.joined([str(REDEAL_REASONS[each]) for each in dict.fromkeys(redealt)])
        again = f'<span class="again">{words.fill(_("Dealt again for %(reason)s."), reason=reasons)}</span>'
    return (
        f'<div class="sum" id="sum"><b class="num">{full}</b>'
        f"<span>{under % {'count': words.count(to_call)}}</span>"
        f'<span class="bar13" aria-hidden="true">{bars}</span>{again}</div>'
    )


@lru_cache(maxsize=64)
def _taken(lang: str, taken: int, seats: int) -> str:
    full = _("%(taken)s of %(seats)s") % {"taken": words.digits(taken), "seats": words.digits(seats)}
    return f'<div class="sum" id="sum"><b class="num">{full}</b><span>{_("seats taken")}</span></div>'


# ---------------------------------------------------------------- what was done, in a line


def line(view: TableView, lang: str, entry: Line, silent: bool = False) -> str:
    """A line of the log as HTML; ``silent`` where it is for eyes alone."""
    return _line(lang, entry, entry.seat == view.me, view.seats[entry.seat].name, silent)


@lru_cache(maxsize=8192)
def _line(lang: str, entry: Line, you: bool, name: str, silent: bool) -> str:
    card = cards.mini(lang, entry.value, silent) if entry.kind in CARDS else ""
    return str(words.told(entry, you, Markup("<b>%s</b>") % name, card))


@lru_cache(maxsize=8192)
def spoken(lang: str, entry: Line, you: bool, name: str) -> str:
    """The same line for a screen reader: words alone, escaped."""
    card = words.card_name(lang, entry.value) if entry.kind in CARDS else ""
    return str(words.told(entry, you, escape(name), card))


def ticker(view: TableView, lang: str) -> str:
    """What was done last, on the felt where there is height for it."""
    if view.phase != "playing" or not view.log:
        return '<p id="ticker" hidden></p>'
    return f"<p class=ticker id=ticker aria-hidden=true>{line(view, lang, view.log[-1], True)}</p>"
