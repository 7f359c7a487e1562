"""The rule of thumb: count what the hand is worth, then take what is still wanted as cheaply as possible.

The figures are the usual ones of card-table advice: high spades and side aces win, kings mostly, small spades win by
cutting once a side suit runs out. They are scaled from the four-player deal to the length of the hand.
"""

from random import Random

from games.rules import (
    CLUBS,
    DIAMONDS,
    HEARTS,
    SPADES,
    Card,
    Hand,
    Sight,
    best_card,
    cards_of,
    deck,
    hand_of,
    lowest_card,
    rank_of,
    suit_mask,
    suit_of,
)

SIDE_SUITS = (CLUBS, DIAMONDS, HEARTS)
ACE, KING, QUEEN = 12, 11, 10
# Fitted on dealt hands: what these bots score best with, by players and by whether a trick too many breaks a call.
SCALE = {3: 1.3, 4: 1.0, 5: 0.78}
MARGIN = {True: 0.3, False: -0.15}


def choose_call(sight: Sight, chance: Random) -> int:
    """The whole tricks the hand is worth, within the calls allowed."""
    calls = sight.ruleset.call_range(sight.players)
    worth = hand_worth(sight.hand, sight.players)
    one_over_breaks = sight.ruleset.overtricks_allowed is not None
    # Where a trick too many breaks the call as well, aim at the middle; else stay on the safe side.
    margin = MARGIN[one_over_breaks]
    return max(calls[0], min(int(worth + margin + chance.uniform(-0.1, 0.1)), calls[-1]))


def hand_worth(hand: Hand, players: int) -> float:
    """About how many tricks a hand takes, with this many players at the table.

    >>> from games.rules import parse_hand
    >>> strong = parse_hand("AS KS QS 9S 4S AH KH 3H AC 5C 2C 9D 4D")
    >>> weak = parse_hand("3S 2S 9H 8H 4H 3H 9C 5C 4C 9D 8D 6D 2D")
    >>> hand_worth(strong, 4) > 5, hand_worth(weak, 4) < 2
    (True, True)
    """
    spades = [rank_of(card) for card in cards_of(hand & suit_mask(SPADES))]
    worth = 0.0
    for rank in spades:
        worth += {ACE: 1.0, KING: 0.9, QUEEN: 0.65}.get(rank, 0.25)
    # Spades beyond the third are long: they win when the others have none left.
    worth += 0.45 * max(0, len(spades) - 3)
    cutters = len([rank for rank in spades if rank < QUEEN])
    length = hand.bit_count() / players
    for suit in SIDE_SUITS:
        ranks = [rank_of(card) for card in cards_of(hand & suit_mask(suit))]
        held = len(ranks)
        if ACE in ranks:
            worth += 0.9 if held <= 5 else 0.6
        if KING in ranks and held > 1:
            worth += 0.65 if held <= 4 else 0.35
        if QUEEN in ranks and held > 2 and held <= 4:
            worth += 0.25
        if held < length * 0.75 and cutters > 0:
            cuts = min(cutters, 2 if held == 0 else 1)
            worth += cuts * (0.55 if held <= 1 else 0.25)
            cutters -= cuts
    return worth * SCALE[players]


def choose_card(sight: Sight, chance: Random) -> Card:
    """A card for this trick: the cheapest that wins while tricks are wanted, else what is least use later."""
    assert sight.legal is not None
    assert sight.seat is not None
    legal = sight.legal.cards
    if legal & (legal - 1) == 0:
        return cards_of(legal)[0]
    call = sight.calls[sight.seat] or 0
    wants = _wants_trick(sight, call)
    if not sight.trick:
        return _lead(sight, legal, wants, chance)
    trick = [card for _seat, card in sight.trick]
    best = best_card(trick)
    winners = [card for card in cards_of(legal) if best_card([*trick, card]) == card]
    losers = [card for card in cards_of(legal) if card not in winners]
    last = len(trick) == sight.players - 1
    if wants and winners:
        if last:
            return min(winners, key=_cost)
        safe = [card for card in winners if _stands(sight, card)]
        if safe:
            return min(safe, key=_cost)
        # A card that may yet be beaten is worth playing only if it is cheap; a cut nearly always is.
        cheap = min(winners, key=_cost)
        if suit_of(cheap) == SPADES or rank_of(cheap) >= KING or not losers:
            return max(winners, key=_cost) if suit_of(cheap) != SPADES else cheap
    if not losers:
        # It wins whatever is played: spend the card that would go on winning when it is not wanted.
        return min(winners, key=_cost) if wants or not _too_many_hurt(sight) else max(winners, key=_cost)
    if wants or not _too_many_hurt(sight):
        return min(losers, key=lambda card: _keep(sight, card))
    below = [card for card in losers if suit_of(card) == suit_of(best)]
    # Here a trick too many is dangerous: throw the highest card that still loses.
    return max(below or losers, key=_cost)


def _wants_trick(sight: Sight, call: int) -> bool:
    """Whether one more trick is welcome: until the call is made, and after it where overtricks pay or break others."""
    assert sight.seat is not None
    took = sight.took[sight.seat]
    if took < call:
        return True
    if _too_many_hurt(sight):
        return False
    return sight.ruleset.overtrick > 0


def _too_many_hurt(sight: Sight) -> bool:
    """Whether a trick above the call may break it here."""
    return sight.ruleset.overtricks_allowed is not None


def _cost(card: Card) -> int:
    """How much is given away with a card: spades above all else, then the rank."""
    return rank_of(card) + (20 if suit_of(card) == SPADES else 0)


def _keep(sight: Sight, card: Card) -> int:
    """How much a card is worth keeping; a last low card of a side suit is a void to be had."""
    held = (sight.hand & suit_mask(suit_of(card))).bit_count()
    spades = (sight.hand & suit_mask(SPADES)).bit_count()
    short = held == 1 and spades > 0 and suit_of(card) != SPADES and rank_of(card) < KING
    return _cost(card) - (6 if short else 0)


def _unseen(sight: Sight) -> Hand:
    """The cards this seat has seen nowhere: the others hold them."""
    seen = sight.hand | hand_of(card for _seat, card in sight.plays)
    return hand_of(deck(sight.players)) & ~seen


def _voids(sight: Sight) -> dict[int, set[int]]:
    """By seat, the suits it has shown to be out of: it did not follow."""
    voids: dict[int, set[int]] = {seat: set() for seat in range(sight.players)}
    for start in range(0, len(sight.plays), sight.players):
        trick = sight.plays[start : start + sight.players]
        led = suit_of(trick[0][1])
        for seat, card in trick[1:]:
            if suit_of(card) != led:
                voids[seat].add(led)
    return voids


def _stands(sight: Sight, card: Card) -> bool:
    """Whether no seat still to play in this trick is likely to beat the card."""
    unseen = _unseen(sight)
    suit = suit_of(card)
    higher = unseen & suit_mask(suit) & ~((1 << (card + 1)) - 1)
    if suit == SPADES:
        return not higher
    led = suit_of(sight.trick[0][1]) if sight.trick else suit
    if higher:
        return False
    voids = _voids(sight)
    played = {seat for seat, _card in sight.trick}
    to_come = [seat for seat in range(sight.players) if seat not in played and seat != sight.seat]
    spades_out = unseen & suit_mask(SPADES) != 0
    may_cut = any(led in voids[seat] and SPADES not in voids[seat] for seat in to_come)
    return not (spades_out and may_cut)


def _lead(sight: Sight, legal: Hand, wants: bool, chance: Random) -> Card:
    cards = cards_of(legal)
    if not wants:
        if not _too_many_hurt(sight):
            return lowest_card(legal)
        # Lead low where higher cards are out, so that somebody else must take it.
        unseen = _unseen(sight)
        beaten = [card for card in cards if unseen & suit_mask(suit_of(card)) & ~((1 << (card + 1)) - 1)]
        return min(beaten or list(cards), key=_cost)
    side = [card for card in cards if suit_of(card) != SPADES]
    masters = [card for card in side if _stands(sight, card)]
    if masters:
        return max(masters, key=rank_of)
    spades = [card for card in cards if suit_of(card) == SPADES]
    top = [card for card in spades if _stands(sight, card)]
    others = _unseen(sight) & suit_mask(SPADES)
    if top and others and len(spades) > 3:
        return max(top)
    if side:
        # Work towards a void: the shortest side suit, from the bottom.
        lengths = {suit: (sight.hand & suit_mask(suit)).bit_count() for suit in SIDE_SUITS}
        shortest = min(lengths[suit_of(card)] for card in side)
        choice = [card for card in side if lengths[suit_of(card)] == shortest]
        low = [card for card in choice if rank_of(card) == min(map(rank_of, choice))]
        return chance.choice(low)
    return min(spades, key=_cost) if not top else max(top)
