"""Cards and hands, and their texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import (
    RANKS,
    SPADES,
    SUITS,
    MalformedAction,
    card_text,
    cards_of,
    deck,
    hand_of,
    hand_text,
    parse_card,
    parse_hand,
    rank_of,
    suit_mask,
    suit_of,
    tricks_in_deal,
)


def test_every_card() -> None:
    texts = [card_text(card) for card in range(52)]
    assert texts == [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]
    assert [parse_card(text) for text in texts] == list(range(52))
    assert all(RANKS[rank_of(card)] + SUITS[suit_of(card)] == card_text(card) for card in range(52))


@pytest.mark.parametrize("text", ["", "T", "ST", "ts", "TS ", " TS", "10S", "1S", "TX", "T\u0000", "२S"])
def test_what_is_not_a_card(text: str) -> None:
    with pytest.raises(MalformedAction) as refusal:
        parse_card(text)
    assert refusal.value.code == "not_a_card"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("2D 2D", "not_a_hand"),
        ("2D,3D", "not_a_card"),
        ("2D  3D", "not_a_card"),
        (" ", "not_a_card"),
        ("2D\n", "not_a_card"),
    ],
)
def test_what_is_not_a_hand(text: str, code: str) -> None:
    with pytest.raises(MalformedAction) as refusal:
        parse_hand(text)
    assert refusal.value.code == code


@given(st.sets(st.integers(0, 51)))
def test_a_hand_is_a_set_of_cards(cards: set[int]) -> None:
    hand = hand_of(cards)
    assert cards_of(hand) == tuple(sorted(cards))
    assert hand.bit_count() == len(cards)
    assert parse_hand(hand_text(hand)) == hand
    assert set(cards_of(hand & suit_mask(SPADES))) == {card for card in cards if suit_of(card) == SPADES}


@pytest.mark.parametrize(("players", "tricks", "missing"), [(3, 17, "2D"), (4, 13, ""), (5, 10, "2C 2D")])
def test_the_deck_divides(players: int, tricks: int, missing: str) -> None:
    assert tricks_in_deal(players) == tricks
    assert len(deck(players)) == players * tricks
    assert hand_text(hand_of(range(52)) & ~hand_of(deck(players))) == missing


@pytest.mark.parametrize("players", [0, 2, 6])
def test_there_is_no_deck_for_other_numbers(players: int) -> None:
    with pytest.raises(ValueError, match="3 to 5"):
        deck(players)
