"""Cards as small ints and hands as bit sets of them.

A card is `suit * 13 + rank`, the suits being clubs, diamonds, hearts, spades and the ranks 2 up to the ace,
so that within a suit the higher number wins and every spade is above every other card. A hand is one int in
which bit `card` is set for each card held: an empty hand is 0, and the suits are four fields of 13 bits.

>>> hand = parse_hand("2D TS AC")
>>> [card_text(card) for card in cards_of(hand)]
['AC', '2D', 'TS']
>>> card_text(parse_card("TS")), suit_of(parse_card("TS")) == SPADES
('TS', True)
"""

from collections.abc import Iterable
from typing import Final, TypeAlias

from games.rules.errors import MalformedAction

Card: TypeAlias = int
Hand: TypeAlias = int

SUITS: Final = "CDHS"
RANKS: Final = "23456789TJQKA"
CLUBS: Final = 0
DIAMONDS: Final = 1
HEARTS: Final = 2
SPADES: Final = 3
LOWEST_SPADE: Final = SPADES * 13
CARDS: Final = 52

_SUIT_MASKS: Final = tuple(0x1FFF << (13 * suit) for suit in range(4))
_TEXTS: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
_CARDS_BY_TEXT: Final = {text: card for card, text in enumerate(_TEXTS)}
# The lowest cards go first from a deck that the players cannot share evenly: 2D, then 2C.
_REMOVED: Final = {3: ("2D",), 4: (), 5: ("2D", "2C")}


def suit_of(card: Card) -> int:
    """The suit of a card, 0 to 3."""
    return card // 13


def rank_of(card: Card) -> int:
    """The rank of a card, 0 (two) to 12 (ace)."""
    return card % 13


def parse_card(text: str) -> Card:
    """Read a card written rank first, as in `TS`.

    >>> parse_card("2C"), parse_card("AS")
    (0, 51)

    Raises MalformedAction (`not_a_card`).
    """
    card = _CARDS_BY_TEXT.get(text)
    if card is None:
        raise MalformedAction("not_a_card", f"{text!r} is not a card.")
    return card


def card_text(card: Card) -> str:
    """The two letters of a card, rank first."""
    return _TEXTS[card]


def cards_of(hand: Hand) -> tuple[Card, ...]:
    """The cards of a hand in ascending order of their number: suit by suit, each from the lowest."""
    cards = []
    while hand:
        lowest = hand & -hand
        cards.append(lowest.bit_length() - 1)
        hand ^= lowest
    return tuple(cards)


def hand_of(cards: Iterable[Card]) -> Hand:
    """The hand made of these cards; one named twice is held once.

    >>> hand_text(hand_of([51, 0]))
    '2C AS'
    """
    hand = 0
    for card in cards:
        hand |= 1 << card
    return hand


def parse_hand(text: str) -> Hand:
    """Read cards written in any order with one space between them; no text is an empty hand.

    >>> cards_of(parse_hand("TS 2D"))
    (13, 47)

    Raises MalformedAction: `not_a_card` for anything else, `not_a_hand` for a card written twice.
    """
    hand = 0
    for word in text.split(" ") if text else ():
        bit = 1 << parse_card(word)
        if hand & bit:
            raise MalformedAction("not_a_hand", f"{word} stands twice in one hand.")
        hand |= bit
    return hand


def hand_text(hand: Hand) -> str:
    """The cards of a hand by ascending rank, between equals clubs, diamonds, hearts, spades.

    >>> hand_text(parse_hand("AC TS 2H 2D"))
    '2D 2H TS AC'
    """
    return " ".join(
        card_text(card) for card in sorted(cards_of(hand), key=lambda card: (rank_of(card), card))
    )


def suit_mask(suit: int) -> Hand:
    """All thirteen cards of a suit as a hand."""
    return _SUIT_MASKS[suit]


def deck(players: int) -> tuple[Card, ...]:
    """The cards in play, ascending: 52 for four players, 51 (no 2D) for three, 50 (no 2D and 2C) for five.

    >>> [len(deck(players)) for players in (3, 4, 5)]
    [51, 52, 50]

    Raises ValueError for another number of players.
    """
    if players not in _REMOVED:
        raise ValueError(f"Call Break is for 3 to 5 players, not {players}")
    return tuple(card for card in range(CARDS) if card_text(card) not in _REMOVED[players])


def tricks_in_deal(players: int) -> int:
    """How many cards each player is dealt, and so how many tricks a deal has: 17, 13 or 10.

    Raises ValueError for another number of players than 3 to 5.
    """
    return len(deck(players)) // players
