"""Many matches among bots on the same deals with the seats rotated, and what they come to.

Seats are functions from a sight and a seed to a decision; how they come to it is their own affair.
"""

import hashlib
import math
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from games.rules import DealState, Ruleset, match_over, next_dealer, outcome, redeal_reason, shuffle, sight_of

Player: TypeAlias = Callable[["Moment"], int]


@dataclass(frozen=True)
class Moment:
    """Whom the arena asks, and when: a sight and a seed; `calls` and `took` of the match so far are public."""

    sight: "object"
    seed: int
