"""Which cards may be played, and why: the one authority on both.

>>> from games.rules.ruleset import PRESETS
>>> from games.rules.cards import card_text, hand_text, parse_card, parse_hand
>>> trick = [parse_card("4H"), parse_card("TH")]
>>> plays = legal_plays(PRESETS["classic"], parse_hand("2H JH AH AS"), trick)
>>> hand_text(plays.cards), plays.obligation.duty, card_text(plays.obligation.beat)
('JH AH', <Duty.HEAD: 'head'>, 'TH')
>>> legal_plays(PRESETS["classic"], parse_hand("2H JH AH AS"), [*trick, parse_card("2S")]).obligation.duty
<Duty.FOLLOW: 'follow'>
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from games.rules.cards import LOWEST_SPADE, SPADES, Card, Hand, suit_mask, suit_of
from games.rules.ruleset import Ruleset

_SPADE_MASK: Final = suit_mask(SPADES)
_ACES: Final = sum(1 << (13 * suit + 12) for suit in range(4))
_RANK_MASKS: Final = tuple(sum(1 << (13 * suit + rank) for suit in range(4)) for rank in range(13))


class Duty(StrEnum):
    """What the rules ask of the player to act."""

    FREE = "free"
    """Any card of the hand; but with a card to beat, a spade must beat it."""
    FOLLOW = "follow"
    """Any card of the led suit."""
    HEAD = "head"
    """A card of the led suit that beats the best one down."""
    CUT = "cut"
    """Any spade, being void in the led suit."""
    OVERTRUMP = "overtrump"
    """A spade that beats the best one down, being void in the led suit."""
    FORCED_SPADE = "forced_spade"
    """Any spade, being void in the led suit, though none would win."""
    NO_SPADE_LEAD = "no_spade_lead"
    """Any card but a spade, on the lead to the first trick."""


@dataclass(frozen=True, slots=True)
class Obligation:
    """Why the legal cards are the legal ones, as data for every board, language and screen reader.

    `suit` is the suit that must be played (None: no particular one), `beat` the card that must be beaten
    (None: none), `void` the led suit of which the player holds none (None on a lead, or while he follows).

    With the duty `FREE`, a `beat` binds only the spades: any other card may be played, but a spade must beat
    that one.
    """

    duty: Duty
    suit: int | None = None
    beat: Card | None = None
    void: int | None = None


@dataclass(frozen=True, slots=True)
class LegalPlays:
    """The cards that may be played, and the obligation that makes them so."""

    cards: Hand
    obligation: Obligation


# Obligations without a card to beat are few, and made once.
_FREE_LEAD: Final = Obligation(Duty.FREE)
_NO_SPADE_LEAD: Final = Obligation(Duty.NO_SPADE_LEAD)
_FOLLOW: Final = tuple(Obligation(Duty.FOLLOW, suit=suit) for suit in range(4))
_FREE: Final = tuple(Obligation(Duty.FREE, void=suit) for suit in range(4))
_CUT: Final = tuple(Obligation(Duty.CUT, suit=SPADES, void=suit) for suit in range(4))
_FORCED_SPADE: Final = tuple(Obligation(Duty.FORCED_SPADE, suit=SPADES, void=suit) for suit in range(4))


def legal_plays(
    ruleset: Ruleset, hand: Hand, trick: Sequence[Card], *, first_lead: bool = False
) -> LegalPlays:
    """The legal cards of a hand that is not empty, given the cards down in the order they were played.

    `first_lead` says that it is the lead to the first trick of a deal. A card is legal if and only if it is
    in the answer; there is always at least one.
    """
    if not trick:
        if first_lead and not ruleset.spade_first_lead and hand & _SPADE_MASK and hand & ~_SPADE_MASK:
            return LegalPlays(hand & ~_SPADE_MASK, _NO_SPADE_LEAD)
        return LegalPlays(hand, _FREE_LEAD)
    led = trick[0] // 13
    # Spades are the highest numbers, so the best spade down, if any, is the highest card down.
    top = max(trick)
    own = hand & suit_mask(led)
    if own:
        return _following(ruleset, own, trick, led, cut=led != SPADES and top >= LOWEST_SPADE)
    spades = hand & _SPADE_MASK
    if not spades:
        return LegalPlays(hand, _FREE[led])
    winners = spades >> (top + 1) << (top + 1) if top >= LOWEST_SPADE else spades
    # Only a spade already down makes a difference between one's own spades.
    binding = ruleset.overtrump and top >= LOWEST_SPADE and winners != 0
    if not ruleset.cut:
        others = hand & ~_SPADE_MASK
        if binding:
            duty = Duty.FREE if others else Duty.OVERTRUMP
            suit = None if others else SPADES
            return LegalPlays(others | winners, Obligation(duty, suit=suit, beat=top, void=led))
        return LegalPlays(hand, _FREE[led])
    if binding:
        return LegalPlays(winners, Obligation(Duty.OVERTRUMP, suit=SPADES, beat=top, void=led))
    if winners:
        return LegalPlays(spades, _CUT[led])
    if ruleset.losing_spade == "forced":
        return LegalPlays(spades, _FORCED_SPADE[led])
    return LegalPlays(hand, _FREE[led])


def _following(ruleset: Ruleset, own: Hand, trick: Sequence[Card], led: int, *, cut: bool) -> LegalPlays:
    """The legal ones among the cards of the led suit; `cut`: a spade lies on the lead of another suit."""
    if ruleset.head == "always" or (ruleset.head == "until_trumped" and not cut):
        best = max(card for card in trick if card // 13 == led)
        beaters = own >> (best + 1) << (best + 1)
        if beaters:
            return LegalPlays(beaters, Obligation(Duty.HEAD, suit=led, beat=best))
    return LegalPlays(own, _FOLLOW[led])


def best_card(trick: Sequence[Card]) -> Card:
    """The card that wins a trick so far: its highest spade, or else the highest of the led suit.

    Raises ValueError when no card is down.
    """
    top = max(trick)
    if top >= LOWEST_SPADE:
        return top
    led = suit_of(trick[0])
    return max(card for card in trick if card // 13 == led)


def winning_index(trick: Sequence[Card]) -> int:
    """The place in the trick, from 0, of the card that wins it so far.

    Raises ValueError when no card is down.
    """
    return trick.index(best_card(trick))


def lowest_card(cards: Hand) -> Card:
    """The lowest card by rank, between equals clubs, diamonds, hearts, spades: what a run-out clock plays.

    >>> from games.rules.cards import card_text, parse_hand
    >>> card_text(lowest_card(parse_hand("3C 2S 2D")))
    '2D'

    Raises ValueError for no card.
    """
    for mask in _RANK_MASKS:
        equals = cards & mask
        if equals:
            return (equals & -equals).bit_length() - 1
    raise ValueError("there is no lowest card of none")


def clock_call(ruleset: Ruleset, hand: Hand, players: int) -> int:
    """What a run-out clock calls: the spades plus the aces of other suits, brought into the range of calls.

    >>> from games.rules.cards import parse_hand
    >>> from games.rules.ruleset import PRESETS
    >>> clock_call(PRESETS["classic"], parse_hand("AS KS 2S AH KH"), 4), clock_call(PRESETS["official"], 0, 4)
    (4, 2)
    """
    calls = ruleset.call_range(players)
    return max(calls[0], min((hand & (_SPADE_MASK | _ACES)).bit_count(), calls[-1]))
