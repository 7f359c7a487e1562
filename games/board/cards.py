"""Cards as HTML. A face is drawn from the page's sprite of symbols; its name in words is there for ears alone."""

from __future__ import annotations

from functools import cache, lru_cache

from django.utils.translation import gettext as _

from games import rules
from games.board import words

SUIT = "cdhs"
RANK = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")


def look(card: rules.Card, full: bool) -> str:
    """The classes of a card's own: suit, ace, whole or compact face."""
    ace = " ace" if rules.rank_of(card) == 12 else ""
    return f"card {SUIT[rules.suit_of(card)]}{ace}{' full' if full else ''}"


@cache
def face(card: rules.Card, full: bool) -> str:
    """The drawing inside a card, for eyes only."""
    suit = SUIT[rules.suit_of(card)]
    rank = RANK[rules.rank_of(card)]
    index = f'<b{" class=ten" if rank == "10" else ""}>{rank}</b><svg><use href="#{suit}"/></svg></span>'
    if rank in "JQK":
        picture = (
            f'<svg class="art" viewBox="0 0 56 106"><use href="#{rank}" width="56" height="106"/>'
            f'<use href="#{suit}" x="19" y="44" width="18" height="18"/></svg>'
        )
    else:
        picture = f'<svg class="pip"><use href="#{suit}"/></svg>'
    other = f'<span class="ix end">{index}' if full else ""
    return f'<span class="in" aria-hidden="true"><span class="ix">{index}{picture}{other}</span>'


@lru_cache(maxsize=512)
def mini(lang: str, card: rules.Card) -> str:
    """A card inside a sentence."""
    suit = rules.suit_of(card)
    drawn = f'{RANK[rules.rank_of(card)]}<svg><use href="#{SUIT[suit]}"/></svg>'
    return (
        f'<span class="mini {SUIT[suit]}"><span aria-hidden="true">{drawn}</span>'
        f'<span class="sr">{words.card_name(card)}</span></span>'
    )


@lru_cache(maxsize=4096)
def button(lang: str, card: rules.Card, state: str, full: bool, submits: bool, why: int) -> str:
    """A card of the hand. ``state`` is "can", "cannot" or ""; ``why`` picks the reason shown when it is tapped."""
    text = rules.card_text(card)
    kind = "" if submits else ' type="button"'
    shut = f' aria-disabled="true" data-why="{why}"' if state == "cannot" or not submits else ""
    return (
        f'<button class="{look(card, full)}{" " + state if state else ""}" id="c-{text}" name="card" value="{text}"'
        f'{kind}{shut}>{face(card, full)}<span class="sr">{_spoken(card, state)}</span></button>'
    )


def _spoken(card: rules.Card, state: str) -> str:
    name = words.card_name(card)
    return _("%(card)s, not allowed now") % {"card": name} if state == "cannot" else name


@lru_cache(maxsize=4096)
def lying(lang: str, card: rules.Card, place: str, number: int, best: bool, fresh: bool) -> str:
    """A card on the table: ``place`` threw it as the trick's ``number``-th, from 1."""
    more = f"{' best' if best else ''}{' fresh' if fresh else ''}"
    return (
        f'<span class="{look(card, True)} f-{place} z{number}{more}" id="t-{rules.card_text(card)}">'
        f'{face(card, True)}<span class="sr">{words.card_name(card)}</span></span>'
    )
