"""Bots: players as pure functions of what one seat may see. They know the rules and nothing else.

A decision depends on the sight, the level and a seed alone, so that it can be repeated.
"""

import hashlib
import random

from games.bots import thumb
from games.rules import Sight

LEVELS = ("normal",)
"""The levels there are, from the weakest on."""


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
    if sight.seat is None or sight.turn != sight.seat:
        raise ValueError("this seat is not to act")
    chance = random.Random(seed)
    return thumb.choose_call(sight, chance) if sight.phase == "calling" else thumb.choose_card(sight, chance)
