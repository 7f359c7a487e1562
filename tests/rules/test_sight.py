"""A sight shows what its seat may know, and the hidden cards make no difference to it."""

import dataclasses
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import PRESETS, DealState, Ruleset, Sight, cards_of, deck, hand_of, shuffle, sight_of
from tests.rules.strategies import SEEDS, examples, rulesets


def positions(ruleset: Ruleset, luck: random.Random) -> list[DealState]:
    """Every state of a random deal."""
    players = luck.choice(ruleset.players)
    pack = list(deck(players))
    luck.shuffle(pack)
    dealt = tuple(hand_of(pack[seat::players]) for seat in range(players))
    states = [DealState.start(ruleset, luck.randrange(players), dealt)]
    while (turn := states[-1].turn) is not None:
        if states[-1].phase == "calling":
            states.append(states[-1].call(turn, luck.choice(ruleset.call_range(players))))
        else:
            states.append(states[-1].play(turn, luck.choice(cards_of(states[-1].legal().cards))))
    return states


def redrawn(deal: DealState, seat: int | None, luck: random.Random) -> DealState:
    """The deal with the cards that this seat has not seen dealt anew to the others."""
    others = [other for other in range(deal.players) if other != seat]
    hidden = [card for other in others for card in cards_of(deal.hands[other])]
    luck.shuffle(hidden)
    hands, dealt = list(deal.hands), list(deal.dealt)
    for other in others:
        count = deal.hands[other].bit_count()
        hands[other], hidden = hand_of(hidden[:count]), hidden[count:]
        dealt[other] = deal.dealt[other] & ~deal.hands[other] | hands[other]
    return dataclasses.replace(deal, hands=tuple(hands), dealt=tuple(dealt))


def seen(deal: DealState, seat: int | None) -> Sight:
    return sight_of(deal, seat, totals=tuple(range(deal.players)), deal_number=2, length=5)


@examples(40)
@given(ruleset=rulesets() | st.sampled_from(list(PRESETS.values())), seed=SEEDS)
def test_hidden_cards_make_no_difference(ruleset: Ruleset, seed: int) -> None:
    luck = random.Random(seed)
    states = positions(ruleset, luck)
    different = 0
    for deal in states:
        for seat in (None, *range(deal.players)):
            other = redrawn(deal, seat, luck)
            assert seen(other, seat) == seen(deal, seat)
            different += other != deal
    assert different > len(states)


def test_what_a_seat_sees() -> None:
    for deal in positions(PRESETS["classic"], random.Random(3)):
        for seat in range(4):
            sight = seen(deal, seat)
            for field in (
                "ruleset",
                "players",
                "dealer",
                "calls",
                "plays",
                "trick",
                "took",
                "turn",
                "number",
            ):
                assert getattr(sight, field) == getattr(deal, field)
            assert (sight.phase, sight.last_trick, sight.last_winner) == (
                deal.phase,
                deal.last_trick,
                deal.last_winner,
            )
            assert (sight.seat, sight.hand) == (seat, deal.hands[seat])
            assert sight.counts == tuple(len(cards_of(hand)) for hand in deal.hands)
            assert (sight.totals, sight.deal_number, sight.length) == ((0, 1, 2, 3), 2, 5)
            to_play = deal.phase == "playing" and deal.turn == seat
            assert sight.legal == (deal.legal() if to_play else None)


def test_a_watcher_sees_no_hand() -> None:
    for deal in positions(PRESETS["classic"], random.Random(4)):
        sight = seen(deal, None)
        assert (sight.seat, sight.hand, sight.legal) == (None, 0, None)
        assert sight.plays == deal.plays


@pytest.mark.parametrize("seat", [-1, 4])
def test_there_is_no_sight_from_no_seat(seat: int) -> None:
    with pytest.raises(ValueError, match="seat"):
        seen(DealState.start(PRESETS["kal"], 0, shuffle(bytes(32), 4)), seat)
