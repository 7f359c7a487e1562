"""A shuffle that anyone can do again from its 32-byte secret seed, in any language.

Version 1, so that another program can be written from this page:

1. The stream is the concatenation of `HMAC-SHA256(key=seed, message="callbreak/shuffle/v1" + counter)` for
   the counters 0, 1, 2 ..., each written as 8 bytes, big-endian. It is read as 32-bit unsigned numbers,
   big-endian.
2. A number below `n` is drawn by reading the next number of the stream, and again while it is not below the
   greatest multiple of `n` up to 2**32; the draw is its remainder by `n`. So every value is equally likely.
3. The deck starts in ascending order (clubs, diamonds, hearts, spades, each from the lowest; without 2D for
   three players, without 2D and 2C for five), in the places 0 to N - 1. For each place from N - 1 down to 1,
   draw `j` below place + 1 and swap the cards in that place and in place `j` (Fisher-Yates).
4. The cards are dealt one at a time from place 0 on: the card in place `i` goes to seat `i` modulo the
   players.

>>> from games.rules.cards import hand_text
>>> for hand in shuffle(bytes(32), 4):
...     print(hand_text(hand))
2S 4H 4S 7D 7S 8D 9S TC JH QD KC KS AS
2D 2H 3D 4D 6H 7H 8C 8S 9D JD JS QS AC
2C 3C 3H 4C 6D 8H TH TS JC QC QH KD KH
3S 5C 5D 5H 5S 6C 6S 7C 9C 9H TD AD AH
"""

import hmac
import secrets
from collections.abc import Iterator
from typing import Final

from games.rules.cards import Hand, deck, hand_of

VERSION: Final = 1
SEED_BYTES: Final = 32

_LABEL: Final = b"callbreak/shuffle/v1"


def new_seed() -> bytes:
    """32 secret bytes from the system's source of randomness."""
    return secrets.token_bytes(SEED_BYTES)


def shuffle(seed: bytes, players: int, version: int = VERSION) -> tuple[Hand, ...]:
    """The hands by seat that this seed deals.

    Raises ValueError for a seed of another length, another number of players than 3 to 5, an unknown version.
    """
    if version != VERSION:
        raise ValueError(f"no shuffle has version {version}")
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
    cards = list(deck(players))
    stream = _stream(seed)
    for place in range(len(cards) - 1, 0, -1):
        other = _below(place + 1, stream)
        cards[place], cards[other] = cards[other], cards[place]
    return tuple(hand_of(cards[seat::players]) for seat in range(players))


def _stream(seed: bytes) -> Iterator[int]:
    counter = 0
    while True:
        block = hmac.digest(seed, _LABEL + counter.to_bytes(8, "big"), "sha256")
        for start in range(0, len(block), 4):
            yield int.from_bytes(block[start : start + 4], "big")
        counter += 1


def _below(bound: int, stream: Iterator[int]) -> int:
    limit = 2**32 - 2**32 % bound
    return next(value for value in stream if value < limit) % bound
