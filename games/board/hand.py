"""The viewer's cards."""

from __future__ import annotations

from functools import lru_cache

from django.utils.translation import gettext as _

from games import rules
from games.board import bits, cards
from games.board.duty import asked_suit
from games.view import TableView

WHOLE = 4  # up to so many cards lie side by side on any screen and show whole faces


def hand(view: TableView, lang: str) -> str:
    """The hand, each card a button. Marks, and what it answers to, are there on the viewer's turn alone."""
    if not view.hand:
        return '<form class="hand n1" id="hand" hidden></form>'
    if not view.my_turn or view.phase != "playing" or view.obligation is None:
        return _hand(lang, view.code, view.hand, None, None, None)
    legal = view.legal if len(view.legal) < len(view.hand) else None  # nobody is marked where all are allowed
    asked = asked_suit(view.obligation)
    return _hand(lang, view.code, view.hand, legal, asked, (view.deal_number, view.action))


@lru_cache(maxsize=4096)
def _hand(
    lang: str,
    code: str,
    held: tuple[rules.Card, ...],
    legal: frozenset[rules.Card] | None,
    asked: int | None,
    answers: tuple[int, int] | None,
) -> str:
    whole = len(held) <= WHOLE
    buttons = ""
    for card in held:
        state = "" if legal is None else "can" if card in legal else "cannot"
        low = rules.suit_of(card) == asked and state == "cannot"
        buttons += cards.button(lang, card, state, whole, answers is not None, low)
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
