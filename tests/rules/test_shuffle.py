"""The shuffle: its vectors, and that no place and no order is favoured."""

from collections import Counter

import pytest

from games.rules import VERSION, cards_of, deck, hand_of, hand_text, new_seed, shuffle

# Made by a program of its own, written from the description of the shuffle.
VECTORS = {
    ("0000000000000000000000000000000000000000000000000000000000000000", 3): [
        "2C 3C 3D 4C 5D 5S 6H 7H 8D TC TD TH JS KC KS AH AS",
        "2H 3H 4D 4H 4S 5H 6S 7D 8C 8H 9C TS JC QC QH KH AD",
        "2S 3S 5C 6C 6D 7C 7S 8S 9D 9H 9S JD JH QD QS KD AC",
    ],
    ("0000000000000000000000000000000000000000000000000000000000000000", 4): [
        "2S 4H 4S 7D 7S 8D 9S TC JH QD KC KS AS",
        "2D 2H 3D 4D 6H 7H 8C 8S 9D JD JS QS AC",
        "2C 3C 3H 4C 6D 8H TH TS JC QC QH KD KH",
        "3S 5C 5D 5H 5S 6C 6S 7C 9C 9H TD AD AH",
    ],
    ("0000000000000000000000000000000000000000000000000000000000000000", 5): [
        "3C 3S 8C 8D 8H TC TS JD QD KH",
        "5D 5S 6H 6S 9H 9S JC JH QC AC",
        "4H 4S 5C 5H 6D 7S TD KC KS AH",
        "3H 4C 4D 6C 7C 7D 9D TH JS AS",
        "2H 2S 3D 7H 8S 9C QH QS KD AD",
    ],
    ("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f", 3): [
        "2S 3H 4D 4H 6S 7C 7H 8C 8S 9D 9H TD TH JC JH AC AS",
        "2C 2H 3C 4C 4S 5D 5S 6C 6D 6H 7S 8H 9C TC QC KD AD",
        "3D 3S 5C 5H 7D 8D 9S TS JD JS QD QH QS KC KH KS AH",
    ],
    ("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f", 4): [
        "2C 2D 3C 4D 4H 6D 7C 7H 9H 9S TS JH AC",
        "2S 3D 3H 3S 6H 7S 8H 9C 9D TD TH KC AS",
        "4C 4S 6C 6S 8C 8D 8S TC JS QD KH KS AH",
        "2H 5C 5D 5H 5S 7D JC JD QC QH QS KD AD",
    ],
    ("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f", 5): [
        "2H 3C 6C 6H 8H 9D 9S TD QH AC",
        "5D 6D 7D 7S 8C 8D 9C JH KS AH",
        "3H 3S 5C 5S 7C 7H JC KH AD AS",
        "4C 4H 5H 9H TH JD QD QS KC KD",
        "2S 3D 4D 4S 6S 8S TC TS JS QC",
    ],
    ("ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", 3): [
        "2C 2H 4S 5C 6S 7H 8C 8D 8S 9S TC TH TS JH QC AC AS",
        "3D 3H 4C 4D 4H 5H 5S 7D 9C 9H JC JS QD QH QS KH KS",
        "2S 3C 3S 5D 6C 6D 6H 7C 7S 8H 9D TD JD KC KD AD AH",
    ],
    ("ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", 4): [
        "3D 3H 4D 4H 4S 7D 8D 9C 9D JC JS KC AH",
        "3C 5C 6C 6H 6S 7C 7H 9S TD JD QD QH AS",
        "2H 2S 4C 5H 6D 8H TH TS JH QC QS KD KH",
        "2C 2D 3S 5D 5S 7S 8C 8S 9H TC KS AC AD",
    ],
    ("ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", 5): [
        "3H 4D 5S 6H 8C TS JS QD QH AD",
        "2S 3D 5C 5D 5H 6D 7D 8S TH JC",
        "2H 4H 4S 7C 7S TC QC KS AC AS",
        "3C 4C 6C 8H 9C 9H JH QS KC AH",
        "3S 6S 7H 8D 9D 9S TD JD KD KH",
    ],
    # Here the sixth number drawn, 0xFFFFFFE0, is refused: 47 values do not divide 2**32.
    ("0000000000000000000000000000000000000000000000000000000000cdbfaf", 4): [
        "2C 2H 3H 4C 6H 8S 9H TC TS JS QC KC KH",
        "2S 3S 5H 5S 6D 7D JH QD QH KD KS AC AS",
        "2D 4D 4H 6C 6S 8D 8H 9C 9D 9S TD TH JC",
        "3C 3D 4S 5C 5D 7C 7H 7S 8C JD QS AD AH",
    ],
}


@pytest.mark.parametrize(("seed", "players"), VECTORS, ids=lambda value: str(value)[:8])
def test_vectors(seed: str, players: int) -> None:
    assert [hand_text(hand) for hand in shuffle(bytes.fromhex(seed), players)] == VECTORS[seed, players]


def test_everyone_gets_an_equal_part_of_the_deck() -> None:
    for players in (3, 4, 5):
        for number in range(50):
            hands = shuffle(number.to_bytes(32, "big"), players)
            assert sum(hands) == hand_of(deck(players))
            assert {hand.bit_count() for hand in hands} == {len(deck(players)) // players}


def test_seeds_are_fresh_and_every_bit_of_one_counts() -> None:
    seeds = {new_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert {len(seed) for seed in seeds} == {32}
    seed = bytes(32)
    flipped = [shuffle(bytes([*seed[:place], 1, *seed[place + 1 :]]), 4) for place in range(32)]
    assert len({shuffle(seed, 4), *flipped}) == 33


def test_what_is_refused() -> None:
    for seed in (b"", bytes(31), bytes(33)):
        with pytest.raises(ValueError, match="32 bytes"):
            shuffle(seed, 4)
    with pytest.raises(ValueError, match="version"):
        shuffle(bytes(32), 4, version=VERSION + 1)
    with pytest.raises(ValueError, match="players"):
        shuffle(bytes(32), 6)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_card_falls_to_every_seat_alike(players: int) -> None:
    """A chi-square over cards and seats, with fixed seeds, so that it cannot fail by chance one day."""
    rounds = 4000
    cells: Counter[tuple[int, int]] = Counter()
    for number in range(rounds):
        for seat, hand in enumerate(shuffle(number.to_bytes(32, "big"), players)):
            cells.update((card, seat) for card in cards_of(hand))
    expected = rounds / players
    distance = sum((count - expected) ** 2 / expected for count in cells.values())
    freedom = (len(deck(players)) - 1) * (players - 1)
    assert len(cells) == len(deck(players)) * players
    assert abs(distance - freedom) < 4 * (2 * freedom) ** 0.5
