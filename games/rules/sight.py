"""What one seat, or a watcher, may know of a deal while it is played.

A bot and a player's board are built from a `Sight` and from nothing else. Two deals that differ only in cards
which the seat has not seen give equal sights.

>>> from games.rules.ruleset import PRESETS
>>> from games.rules.shuffle import shuffle
>>> deal = DealState.start(PRESETS["kal"], 0, shuffle(bytes(32), 4))
>>> sight = sight_of(deal, 2, totals=(0, 0, 0, 0), deal_number=1, length=5)
>>> sight.hand == deal.hands[2], sight.counts, sight.turn
(True, (13, 13, 13, 13), 1)
>>> sight_of(deal, None, totals=(0, 0, 0, 0), deal_number=1, length=5).hand
0
"""

from dataclasses import dataclass

from games.rules.cards import Hand
from games.rules.deal import DealState, Phase, Play
from games.rules.legal import LegalPlays
from games.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Sight:
    """The public part of a deal, one hand at most, and where the match stands."""

    ruleset: Ruleset
    players: int
    seat: int | None
    """Whose sight it is; None: a watcher's."""
    dealer: int
    hand: Hand
    """The cards this seat still holds; none for a watcher."""
    calls: tuple[int | None, ...]
    plays: tuple[Play, ...]
    trick: tuple[Play, ...]
    took: tuple[int, ...]
    turn: int | None
    number: int
    phase: Phase
    last_trick: tuple[Play, ...]
    last_winner: int | None
    counts: tuple[int, ...]
    """By seat, how many cards are left."""
    legal: LegalPlays | None
    """What this seat may play; None unless it is this seat's turn to play."""
    totals: tuple[int, ...]
    """By seat, the tenths scored before this deal."""
    deal_number: int
    """Which deal of the match this is, from 1."""
    length: int
    """How many deals the match was agreed to have."""


def sight_of(
    deal: DealState, seat: int | None, *, totals: tuple[int, ...], deal_number: int, length: int
) -> Sight:
    """What this seat, or with None a watcher, knows of the deal.

    Raises ValueError when there is no such seat.
    """
    if seat is not None and seat not in range(deal.players):
        raise ValueError(f"no seat {seat} among {deal.players} players")
    phase = deal.phase
    return Sight(
        ruleset=deal.ruleset,
        players=deal.players,
        seat=seat,
        dealer=deal.dealer,
        hand=0 if seat is None else deal.hands[seat],
        calls=deal.calls,
        plays=deal.plays,
        trick=deal.trick,
        took=deal.took,
        turn=deal.turn,
        number=deal.number,
        phase=phase,
        last_trick=deal.last_trick,
        last_winner=deal.last_winner,
        counts=tuple(hand.bit_count() for hand in deal.hands),
        legal=deal.legal() if phase == "playing" and seat == deal.turn else None,
        totals=totals,
        deal_number=deal_number,
        length=length,
    )
