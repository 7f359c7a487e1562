"""Random deals played out per second: ours in plain Python and compiled, beside OpenSpiel's spades where it is there.

    python -m benchmarks.bots [--seconds 3] [--json]

Each way deals, calls and plays whole deals at random, from the shuffle to the last trick. OpenSpiel (pip install
open_spiel) is measured both in its own C++ (`RandomRolloutEvaluator`, which is spared the shuffle) and driven from
Python card by card. The ways take turns, and each counts by its best turn, so that a busy machine slows none of
them alone.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from games.bots import kernel, mind
from games.rules import PRESETS, Ruleset, deck, hand_of, legal_plays, winning_index
from games.rules.cards import cards_of

TURNS = 4
PLAYERS = 4


def python_deals(deals: int) -> None:
    """Random deals by `games.rules`: `legal_plays` and `winning_index`, nothing else."""
    ruleset, cards = PRESETS["kal"], list(deck(PLAYERS))
    for _ in range(deals):
        random.shuffle(cards)
        hands = [hand_of(cards[seat::PLAYERS]) for seat in range(PLAYERS)]
        _play_out(ruleset, hands)


def _play_out(ruleset: Ruleset, hands: list[int]) -> None:
    turn, first = 0, True
    pick = random.random
    while hands[turn]:
        trick: list[int] = []
        leader = turn
        for _ in range(PLAYERS):
            legal = legal_plays(ruleset, hands[turn], trick, first_lead=first).cards
            first = False
            if legal & (legal - 1):
                choice = cards_of(legal)
                card = choice[int(pick() * len(choice))]
            else:
                card = legal.bit_length() - 1
            hands[turn] ^= 1 << card
            trick.append(card)
            turn = turn + 1 if turn < PLAYERS - 1 else 0
        turn = (leader + winning_index(trick)) % PLAYERS


def kernel_deals(engine: kernel.Engine, *, thumb: bool) -> Callable[[int], None]:
    """Deals played out by the compiled engine, at random or by the rule of thumb."""
    make = engine.numbers
    rules = make(mind.numbers_of(PRESETS["kal"], PLAYERS, last=False))
    cards, chance = make(list(deck(PLAYERS))), make([1])
    calls, nothing = make([2] * PLAYERS), make([0])

    def run(deals: int) -> None:
        if thumb:
            engine.thumb_deals(rules, cards, len(cards), deals, calls, chance, nothing, nothing)
        else:
            engine.random_deals(rules, cards, len(cards), deals, chance)

    return run


def plain_deals(deals: int) -> None:
    """The engine of the play-outs uncompiled, by the rule of thumb."""
    kernel_deals(kernel.PLAIN, thumb=True)(deals)


def spiel_ways() -> dict[str, Callable[[int], None]]:
    """OpenSpiel's spades in C++ and from Python; nothing where it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return {}
    # Its default stops after two tricks; a deal has thirteen.
    game = pyspiel.load_game("spades", {"num_tricks": 13, "use_mercy_rule": False})

    def native(deals: int) -> None:
        # Python reaches the rollouts through its search alone: one simulation, so many rollouts of one dealt hand.
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(random.choice(state.legal_actions()))
        rollouts = pyspiel.RandomRolloutEvaluator(deals, 1)
        pyspiel.MCTSBot(game, rollouts, 1.0, 1, 100, False, 1, False).step(state)

    def driven(deals: int) -> None:
        for _ in range(deals):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(random.choice(state.legal_actions()))

    return {"OpenSpiel C++": native, "OpenSpiel from Python": driven}


def measure(ways: dict[str, Callable[[int], None]], seconds: float) -> dict[str, float]:
    """Deals a second by way: the best of a few turns of at least so many seconds in all."""
    sizes = {}
    for name, run in ways.items():
        run(1)  # compiling and loading are not measured
        size, took = 1, 0.0
        while took < 0.05:
            size *= 4
            start = time.perf_counter()
            run(size)
            took = time.perf_counter() - start
        sizes[name] = max(1, round(size * seconds / TURNS / took))
    best = dict.fromkeys(ways, 0.0)
    for _ in range(TURNS):
        for name, run in ways.items():
            start = time.perf_counter()
            run(sizes[name])
            best[name] = max(best[name], sizes[name] / (time.perf_counter() - start))
    return best


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Play-outs a second, ours and OpenSpiel's.")
    parser.add_argument("--seconds", type=float, default=3.0, help="for each way")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    ways: dict[str, Callable[[int], None]] = {"Python rules": python_deals, "engine, plain": plain_deals}
    with tempfile.TemporaryDirectory() as folder:
        if kernel.available():
            engine = kernel.build(Path(folder))
            ways["kernel"] = kernel_deals(engine, thumb=False)
            ways["kernel, rule of thumb"] = kernel_deals(engine, thumb=True)
        ways |= spiel_ways()
        speed = measure(ways, options.seconds)
    ratios = {
        f"{ours} / {theirs}": speed[ours] / speed[theirs]
        for ours, theirs in (("kernel", "OpenSpiel C++"), ("Python rules", "OpenSpiel from Python"))
        if ours in speed and theirs in speed
    }
    if options.json:
        print(json.dumps({"deals_per_second": speed, "ratios": ratios}))
        return
    for name, value in speed.items():
        print(f"{name:24} {value:12,.0f} deals/s")
    for name, value in ratios.items():
        print(f"{name:48} {value:6.1f}")
    if "OpenSpiel C++" not in speed:
        print("OpenSpiel is not installed (pip install open_spiel): no ratios.")
    if "kernel" not in speed:
        print("numba is not installed: no kernel.")


if __name__ == "__main__":
    main()
