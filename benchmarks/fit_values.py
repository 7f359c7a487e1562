"""Fit the value tables of the bots: how many tricks a hand takes, linear in its features.

    python -m benchmarks.fit_values [--deals 250000]

Random deals are played out by the rule of thumb, every trick welcome, and the tricks taken are regressed on the
parts of `games.bots.playout.value_of`. Writes games/bots/values.json: by players and heading rule the table in
1024ths of a trick, and the standard deviation of what is left.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

import numpy

from games.bots import kernel, playout
from games.rules import deck

OUT = Path(playout.__file__).with_name("values.json")
CHUNK = 50_000


def features(hands: numpy.ndarray) -> numpy.ndarray:
    """A row of `FEATURES` numbers a hand: the parts that `value_of` adds up."""
    count = numpy.array(playout.COUNT)
    rows = numpy.zeros((len(hands), playout.FEATURES), dtype=numpy.float64)
    index = numpy.arange(len(hands))
    spades = (hands >> 39) & playout.SUIT
    rows[index, playout.HONOURS + (spades >> 9)] += 1
    rows[index, playout.LENGTHS + count[spades]] += 1
    few = numpy.minimum(count[spades], 5)
    for suit in range(3):
        bits = (hands >> (13 * suit)) & playout.SUIT
        length = count[bits]
        rows[index, playout.SIDES + 8 * (bits >> 10) + numpy.minimum(length, 7)] += 1
        short = length < 3
        rows[index[short], playout.CUTS + 6 * length[short] + few[short]] += 1
    return rows


def fit(engine: kernel.Engine, players: int, head: int, deals: int) -> dict[str, object]:
    """The table for so many players and this heading rule, and the spread around it, in 1024ths of a trick."""
    rules = engine.numbers([players, 1, head, 1, 1, 0, 1, 1, playout.NONE, playout.NONE, 0, 0, 0, 0])
    cards = list(deck(players))
    dealt, took = (numpy.zeros(deals * players, dtype=numpy.int64) for _ in range(2))
    calls = engine.numbers([2] * 5)
    chance = engine.numbers([20221 + 10 * players + head])
    engine.thumb_deals(rules, engine.numbers(cards), len(cards), deals, calls, chance, dealt, took)
    square = 1e-3 * deals / 1000 * numpy.eye(playout.FEATURES)
    right = numpy.zeros(playout.FEATURES)
    total = 0.0
    for start in range(0, len(dealt), CHUNK):
        rows, tricks = features(dealt[start : start + CHUNK]), took[start : start + CHUNK]
        square += rows.T @ rows
        right += rows.T @ tricks
        total += float(tricks @ tricks)
    table = numpy.linalg.solve(square, right)
    spread = numpy.sqrt((total - right @ table) / len(dealt))
    return {
        "table": [round(playout.UNIT * value) for value in table],
        "spread": round(playout.UNIT * spread),
    }


def main() -> None:
    """Fit all tables and write the file."""
    parser = argparse.ArgumentParser(description="Fit the value tables of the bots.")
    parser.add_argument("--deals", type=int, default=250_000)
    deals = parser.parse_args().deals
    with tempfile.TemporaryDirectory() as folder:
        engine = kernel.build(Path(folder))
        values = {}
        for players in (3, 4, 5):
            for head, name in enumerate(("never", "until_trumped", "always")):
                values[f"{players}/{name}"] = fitted = fit(engine, players, head, deals)
                print(players, name, "spread", fitted["spread"])
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in values.items()]
    OUT.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
