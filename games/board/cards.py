"""Cards as HTML. A face is drawn from the sprite's symbols; its name in words is there for ears alone."""

from __future__ import annotations

from functools import cache, lru_cache

from games import rules
from games.board import words

SUIT = "cdhs"
RANK = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")


def look(card: rules.Card, full: bool) -> str:
    """The classes of a card's own: suit, ace, whole or compact face."""
    ace = " ace" if RANK[rules.rank_of(card)] == "A" else ""
    return f"card {SUIT[rules.suit_of(card)]}{ace}{' full' if full else ''}"


@cache
def face(card: rules.Card, full: bool) -> str:
    """The drawing inside a card, which carries the card's name itself."""
    suit = SUIT[rules.suit_of(card)]
    rank = RANK[rules.rank_of(card)]
    index = f'<b{" class=ten" if rank == "10" else ""}>{rank}</b><svg><use href="#{suit}"/></svg></i>'
    if rank in "JQK":
        picture = (
            f'<svg class=art viewBox="0 0 56 106"><use href="#{rank}" width=56 height=106 />'
            f'<use href="#{suit}" x=19 y=44 width=18 height=18 /></svg>'
        )
    else:
        picture = f'<svg class=pip><use href="#{suit}"/></svg>'
    other = f'<i class="ix end">{index}' if full else ""
    return f"<i class=ix>{index}{picture}{other}"


@lru_cache(maxsize=512)
def mini(lang: str, card: rules.Card, silent: bool = False) -> str:
    """A card inside a sentence; ``silent`` where the whole sentence is for eyes alone."""
    letter = SUIT[rules.suit_of(card)]
    drawn = f'{RANK[rules.rank_of(card)]}<svg><use href="#{letter}"/></svg>'
    name = "" if silent else f' role=img aria-label="{words.card_name(lang, card)}"'
    return f'<i class="mini {letter}"{name}>{drawn}</i>'


@lru_cache(maxsize=4096)
def button(lang: str, card: rules.Card, state: str, full: bool, answers: bool, low: bool) -> str:
    """A card of the hand. ``state`` is "can", "cannot" or ""; ``low``: of the right suit, too low.

    Where it is not the owner's turn (``answers`` False) the button sends nothing.
    """
    text = rules.card_text(card)
    more = ""
    if not answers:
        more = " type=button"
    elif state == "cannot":
        more = " aria-disabled=true data-why=low" if low else " aria-disabled=true"
    return (
        f'<button class="{look(card, full)}{" " + state if state else ""}" id=c-{text} name=card'
        f' value={text}{more} aria-label="{words.card_name(lang, card)}">{face(card, full)}</button>'
    )


@lru_cache(maxsize=4096)
def lying(lang: str, card: rules.Card, place: str, number: int, best: bool, fresh: bool) -> str:
    """A card on the table: ``place`` threw it as the trick's ``number``-th, from 1."""
    more = f"{' best' if best else ''}{' fresh' if fresh else ''}"
    return (
        f'<span class="{look(card, True)} f-{place} z{number}{more}" id=t-{rules.card_text(card)}'
        f' role=img aria-label="{words.card_name(lang, card)}">{face(card, True)}</span>'
    )
