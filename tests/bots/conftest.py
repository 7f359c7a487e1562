"""What the bots' tests share: the compiled kernel, made once for all runs on a machine, and sights to decide on."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from games import bots
from games.bots import kernel, rehearsal
from games.rules import DealState, Ruleset, Sight, shuffle, sight_of


@pytest.fixture(scope="session")
def folder() -> Path:
    """A folder with the compiled kernel. Skips where numba is not."""
    if not kernel.available():
        pytest.skip("numba is not installed")
    where = Path(tempfile.gettempdir()) / "callbreak-tests-kernel"
    if not kernel.ready(where):
        rehearsal.prepare(where)
    return where


@pytest.fixture
def compiled(folder: Path) -> Iterator[kernel.Engine]:
    """The compiled kernel, in use during the test."""
    before = kernel.engine()
    assert kernel.load(folder)
    yield kernel.engine()
    kernel.use(before)


def some_deal(ruleset: Ruleset, players: int, number: int, actions: int) -> DealState:
    """A deal after so many actions of bots of the levels easy and normal."""
    deal = DealState.start(ruleset, number % players, shuffle(number.to_bytes(32, "big"), players))
    for _ in range(actions):
        if deal.turn is None:
            break
        level = bots.LEVELS[(deal.turn + number) % 2]
        choice = bots.decide(sight(deal), level, number)
        deal = deal.call(deal.turn, choice) if deal.phase == "calling" else deal.play(deal.turn, choice)
    return deal


def sight(deal: DealState, *, deal_number: int = 1, totals: tuple[int, ...] | None = None) -> Sight:
    """What the seat to act sees."""
    return sight_of(deal, deal.turn, totals=totals or (0,) * deal.players, deal_number=deal_number, length=5)


def redealt(deal: DealState, chance: random.Random, tries: int = 4000) -> DealState | None:
    """Another deal with the same calls and plays and the same hand to act, if chance finds one soon."""
    from games.rules import cards_of, fold, hand_of

    me = deal.turn
    shown: list[int] = [0] * deal.players
    for seat, card in deal.plays:
        shown[seat] |= 1 << card
    hidden = [card for seat, hand in enumerate(deal.hands) if seat != me for card in cards_of(hand)]
    actions = [("call", seat, deal.calls[seat] or 0) for seat in deal.order() if deal.calls[seat] is not None]
    actions += [("play", seat, card) for seat, card in deal.plays]
    for _ in range(tries):
        chance.shuffle(hidden)
        rest = iter(hidden)
        hands = tuple(
            deal.dealt[seat]
            if seat == me
            else shown[seat] | hand_of(next(rest) for _ in range(deal.hands[seat].bit_count()))
            for seat in range(deal.players)
        )
        if hands == deal.dealt:
            continue
        try:
            return fold(deal.ruleset, deal.dealer, hands, actions)
        except Exception:
            continue
    return None
