"""Making the kernel ready: one decision of each kind, so that everything is compiled into the folder."""

import shutil
import time
from pathlib import Path

from games.bots import kernel, mind
from games.rules import PRESETS, DealState, shuffle, sight_of

KEPT = 30 * 24 * 3600
"""Seconds that what another version compiled is kept."""


def prepare(folder: Path) -> float:
    """Compile the kernel into this folder and mark it ready; the seconds it took. Raises ImportError without numba.

    Two processes that do this at once write the same code, each file in one step.
    """
    start = time.monotonic()
    before = kernel.use(kernel.build(folder))
    try:
        rehearse()
    finally:
        kernel.use(before)
    kernel.stamp(folder).touch()
    for old in folder.iterdir():
        # Another version that runs on this machine may still need what is not old.
        if old.is_dir() and time.time() - old.stat().st_mtime > KEPT:
            shutil.rmtree(old, ignore_errors=True)
    return time.monotonic() - start


def rehearse() -> None:
    """Make a call and play a card, as every decision by worlds does."""
    ruleset = PRESETS["official"]
    deal = DealState.start(ruleset, 3, shuffle(bytes(32), 4))
    for seat in deal.order():
        sight = sight_of(deal, seat, totals=(0, 0, 0, 0), deal_number=1, length=5)
        if seat == 0:
            mind.search_call(sight, 2, 1)
        deal = deal.call(seat, 3)
    sight = sight_of(deal, deal.turn, totals=(0, 0, 0, 0), deal_number=1, length=5)
    mind.search_card(sight, 2, 1)
