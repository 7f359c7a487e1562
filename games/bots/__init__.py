"""Bots: players as pure functions of what one seat may see. They know the rules and nothing else.

A decision depends on the sight, the level and a seed alone, so that it can be repeated.
"""

import hashlib
import random

from games.bots import mind, playout
from games.bots.mind import Estimate
from games.rules import Sight, cards_of

VERSION = 1
"""Goes up with every change that may change a decision; stored with each, so that replaying knows what it compares."""
LEVELS = ("easy", "normal", "hard", "expert")
"""The levels there are, from the weakest on."""
STAND_IN = "normal"
"""The level that plays for absent people, and whom "Play now" meets."""
WORLDS = {"hard": 80, "expert": 1000}
CALL_WORLDS = {"hard": 300, "expert": 1500}
SLIP = 0.3
"""How often an easy bot plays any legal card that comes to hand."""
MISCOUNT = 1.6
"""By how many tricks at most an easy bot is wrong about its hand."""


def seed(table: str, moment: int, seat: int) -> int:
    """The seed of a decision: a number that hangs on table, moment and seat, and on nothing hidden."""
    text = f"{table}/{moment}/{seat}".encode()
    return int.from_bytes(hashlib.sha256(text).digest()[:8], "big")


def decide(sight: Sight, level: str, seed: int) -> int:
    """The tricks to call, or the card to play, for the seat whose sight this is and whose turn it is.

    Raises ValueError for an unknown level, or where the seat is not to act.
    """
    if level not in LEVELS:
        raise ValueError(f"no bot plays at the level {level!r}")
    _to_act(sight)
    if level in WORLDS:
        return estimate(sight, level, seed).best
    calling = sight.phase == "calling"
    if level == "normal":
        return mind.thumb_call(sight) if calling else mind.thumb_card(sight)
    chance = random.Random(seed)
    if calling:
        return mind.thumb_call(sight, round(playout.UNIT * chance.uniform(-MISCOUNT, MISCOUNT)))
    assert sight.legal is not None
    if chance.random() < SLIP:
        return chance.choice(cards_of(sight.legal.cards))
    return mind.thumb_card(sight)


def estimate(sight: Sight, level: str, seed: int) -> Estimate:
    """What each choice is worth to the seat to act, by a level that plays worlds out: "hard" or "expert".

    Raises ValueError where the seat is not to act.
    """
    _to_act(sight)
    if sight.phase == "calling":
        return mind.search_call(sight, CALL_WORLDS[level], seed)
    return mind.search_card(sight, WORLDS[level], seed)


def _to_act(sight: Sight) -> None:
    if sight.seat is None or sight.turn != sight.seat:
        raise ValueError("this seat is not to act")
