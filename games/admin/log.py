"""What happened at a table, action by action, as the desk may read it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from games import rules
from games.board import bits, words
from games.models import Action, Deal
from games.state import TableState

SUITS = "\N{BLACK CLUB SUIT}\N{BLACK DIAMOND SUIT}\N{BLACK HEART SUIT}\N{BLACK SPADE SUIT}"


@dataclass(frozen=True, slots=True)
class Entry:
    """One call or play: what, short and in full, who acted for the seat, and when."""

    number: int
    name: str
    short: str
    full: str
    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class DealLog:
    """A deal's actions. ``again`` says why distributions before it were dealt again."""

    number: int
    dealer: str
    running: bool
    dealt_at: datetime
    scored_at: datetime | None
    again: tuple[str, ...]
    entries: tuple[Entry, ...]


def logs(state: TableState) -> list[DealLog]:
    """The deals of a match, the running one first, then the latest. Hands are not even read."""
    deals = list(Deal.objects.filter(table=state.id).defer("hands", "seed"))
    played = {deal.pk: deal for deal in deals if not deal.redealt}
    again: dict[int, list[str]] = defaultdict(list)
    for deal in deals:
        if deal.redealt:
            again[deal.number].append(deal.redealt)
    actions: dict[int, list[Action]] = defaultdict(list)
    for action in Action.objects.filter(deal__in=played).order_by("deal", "number"):
        actions[action.deal_id].append(action)
    done = {deal.number for deal in state.scored}
    return [
        DealLog(
            number=deal.number,
            dealer=_name(state, deal.dealer),
            running=deal.number not in done,
            dealt_at=deal.dealt_at,
            scored_at=deal.scored_at,
            again=tuple(again[deal.number]),
            entries=tuple(_entry(state, action, deal.number in done) for action in actions[deal.pk]),
        )
        for deal in sorted(played.values(), key=lambda each: -each.number)
    ]


def _entry(state: TableState, action: Action, scored: bool) -> Entry:
    # That a card was the only legal one is told to its owner alone while the deal is played.
    hidden = action.by == Action.SINGLE and not scored
    by = dict(Action.ACTORS)[Action.PLAYER if hidden else action.by]
    if action.kind == Action.CALL:
        short = full = _("calls %(number)d") % {"number": action.value}
    else:
        short, full = card(action.value), words.card_name(bits.language(), action.value)
    return Entry(action.number, _name(state, action.seat), short, full, str(by), action.at)


def _name(state: TableState, index: int) -> str:
    seat = state.seats[index]
    return seat.name if seat is not None else _("seat %(number)d") % {"number": index + 1}


def card(value: rules.Card) -> str:
    """A card for the eye: its rank and the sign of its suit."""
    text = rules.card_text(value)
    return text[:-1].replace("T", "10") + SUITS[rules.suit_of(value)]
