"""A finished deal as one line of text that anyone can read, keep, replay and check.

The line is self-contained: it spells out the whole ruleset, so what a name stands for elsewhere does not
matter. It consists of parts in this order, with ` | ` between them, each a name, a space and a value:

- `callbreak`: the version of the format, 1;
- `players`, `dealer`: numbers; seats count from 0, clockwise;
- `hands`: as dealt, by seat, with ` / ` between them;
- `calls`: by seat;
- `plays`: the tricks in order, with ` / ` between them, each as `leader:` and its cards in the order played;
- `took`, `scores`: by seat, tricks and points;
- `shuffle`, only where the seed is told: the version of the shuffle and the seed in hexadecimal;
- `rules`: every field of the ruleset, as JSON without spaces.

>>> from games.rules.legal import lowest_card
>>> from games.rules.ruleset import PRESETS
>>> seed = bytes(32)
>>> deal = DealState.start(PRESETS["official"], 0, shuffle(seed, 5))
>>> for seat in deal.order():
...     deal = deal.call(seat, 2)
>>> while deal.turn is not None:
...     deal = deal.play(deal.turn, lowest_card(deal.legal().cards))
>>> line = deal_record(deal, seed=seed)
>>> for part in line.split(" | "):
...     print(part[:60])
callbreak 1
players 5
dealer 0
hands 3C 3S 8C 8D 8H TC TS JD QD KH / 5D 5S 6H 6S 9H 9S JC J
calls 2 2 2 2 2
plays 1:5D 6D 7D KD 8D / 4:2H 8H 9H AH 3H / 2:4H TH QH KH 6H
took 1 2 3 1 3
scores -2.0 2.0 2.0 -2.0 2.0
shuffle 1 00000000000000000000000000000000000000000000000000
rules {"players":[3,4,5],"deals":[5,9,13],"min_call":2,"max_
>>> parse_record(line).deal == deal
True
>>> parse_record(line.replace("calls 2", "calls 3"))
Traceback (most recent call last):
    ...
games.rules.record.RecordError: This record is not exactly what its deal comes to.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from games.rules.cards import card_text, hand_text, parse_card, parse_hand
from games.rules.deal import DealState
from games.rules.errors import IllegalAction, MalformedAction, RulesError
from games.rules.ruleset import Ruleset
from games.rules.scoring import tenths_text
from games.rules.shuffle import VERSION as SHUFFLE_VERSION
from games.rules.shuffle import shuffle

FORMAT: Final = 1


class RecordError(RulesError):
    """A line that is no true record of a deal.

    Codes: `not_a_record` (the text is not in the format), `not_the_rules` (a call or a play in it was
    refused), `not_the_shuffle` (the seed deals other hands), `not_exact` (the result is wrong, or a detail
    is not written in the one way that the format has for it).
    """


@dataclass(frozen=True, slots=True)
class DealRecord:
    """A finished deal, and the secret it was shuffled from where that is told."""

    deal: DealState
    seed: bytes | None = None
    version: int = SHUFFLE_VERSION
    """The version of the shuffle; means nothing without a seed."""


def deal_record(deal: DealState, *, seed: bytes | None = None, version: int = SHUFFLE_VERSION) -> str:
    """One line, without its end, that records a deal which is over.

    Raises IllegalAction (`wrong_phase`) for a deal that is not over, RecordError (`not_the_shuffle`) for a
    seed that deals other hands, ValueError for an unknown version of the shuffle.
    """
    tricks = [deal.plays[start : start + deal.players] for start in range(0, len(deal.plays), deal.players)]
    parts = {
        "callbreak": str(FORMAT),
        "players": str(deal.players),
        "dealer": str(deal.dealer),
        "hands": " / ".join(hand_text(hand) for hand in deal.dealt),
        "calls": _words(deal.calls),
        "plays": " / ".join(
            f"{trick[0][0]}:{_words(card_text(card) for _, card in trick)}" for trick in tricks
        ),
        "took": _words(deal.took),
        "scores": _words(tenths_text(tenths) for tenths in deal.scores()),
    }
    if seed is not None:
        _check_shuffle(deal, seed, version)
        parts["shuffle"] = f"{version} {seed.hex()}"
    parts["rules"] = json.dumps(deal.ruleset.to_dict(), separators=(",", ":"))
    return " | ".join(f"{name} {value}" for name, value in parts.items())


def parse_record(text: str) -> DealRecord:
    """Read a line that `deal_record` wrote, and play its deal again by its rules.

    Raises RecordError for anything but exactly such a line.
    """
    try:
        record = _replay(text)
        exact = deal_record(record.deal, seed=record.seed, version=record.version)
    except IllegalAction as refusal:
        raise RecordError("not_the_rules", f"This deal breaks its rules. {refusal}") from refusal
    except (MalformedAction, ValueError, LookupError, TypeError, RecursionError) as error:
        raise RecordError("not_a_record", "This is not the record of a deal.") from error
    if exact != text:
        raise RecordError("not_exact", "This record is not exactly what its deal comes to.")
    return record


def _replay(text: str) -> DealRecord:
    """The record that the text means, read loosely: the caller compares it with the text."""
    parts = dict(part.split(" ", 1) for part in text.split(" | "))
    ruleset = Ruleset.from_dict(json.loads(parts["rules"]))
    dealt = tuple(parse_hand(hand) for hand in parts["hands"].split(" / "))
    deal = DealState.start(ruleset, int(parts["dealer"]), dealt)
    calls = [int(call) for call in parts["calls"].split(" ")]
    for seat in deal.order():
        deal = deal.call(seat, calls[seat])
    for trick in parts["plays"].split(" / "):
        for card in trick.partition(":")[2].split(" "):
            if deal.turn is not None:
                deal = deal.play(deal.turn, parse_card(card))
    if "shuffle" not in parts:
        return DealRecord(deal)
    version, seed = parts["shuffle"].split(" ")
    return DealRecord(deal, bytes.fromhex(seed), int(version))


def _check_shuffle(deal: DealState, seed: bytes, version: int) -> None:
    if shuffle(seed, deal.players, version) != deal.dealt:
        raise RecordError("not_the_shuffle", "The seed deals other hands than these.")


def _words(values: Iterable[object]) -> str:
    return " ".join(str(value) for value in values)
