"""A deal's states: what they refuse, and that they are values."""

import pickle
import random
from collections.abc import Callable
from typing import Any

import pytest

from games.rules import (
    PRESETS,
    DealState,
    IllegalAction,
    MalformedAction,
    RulesError,
    cards_of,
    fold,
    parse_card,
    parse_hand,
    shuffle,
)

SEED = bytes(range(32))


def started(name: str = "classic", players: int = 4, dealer: int = 3) -> DealState:
    return DealState.start(PRESETS[name], dealer, shuffle(SEED, players))


def called(name: str = "classic", players: int = 4, dealer: int = 3) -> DealState:
    deal = started(name, players, dealer)
    for seat in deal.order():
        deal = deal.call(seat, 3)
    return deal


def finished(deal: DealState) -> DealState:
    luck = random.Random(1)
    while deal.turn is not None:
        deal = deal.play(deal.turn, luck.choice(cards_of(deal.legal().cards)))
    return deal


REFUSED: dict[str, tuple[Callable[[], Any], type[RulesError], str]] = {
    "call out of turn": (lambda: started().call(1, 3), IllegalAction, "out_of_turn"),
    "second call": (lambda: started().call(0, 3).call(0, 3), IllegalAction, "out_of_turn"),
    "call too low": (lambda: started().call(0, 0), IllegalAction, "call_range"),
    "call too high": (lambda: started().call(0, 9), IllegalAction, "call_range"),
    "call below two": (lambda: started("official").call(0, 1), IllegalAction, "call_range"),
    "call of text": (lambda: started().call(0, "3"), MalformedAction, "not_a_number"),  # type: ignore[arg-type]
    "call of a truth": (lambda: started().call(0, True), MalformedAction, "not_a_number"),
    "call late": (lambda: called().call(0, 3), IllegalAction, "wrong_phase"),
    "call after the end": (lambda: finished(called()).call(0, 3), IllegalAction, "deal_over"),
    "call from no seat": (lambda: started().call(4, 3), MalformedAction, "not_a_seat"),
    "call from seat -1": (lambda: started().call(-1, 3), MalformedAction, "not_a_seat"),
    "play early": (lambda: started().play(0, parse_card("AC")), IllegalAction, "wrong_phase"),
    "play out of turn": (lambda: called().play(1, parse_card("2S")), IllegalAction, "out_of_turn"),
    "play of another's card": (lambda: called().play(0, parse_card("2S")), IllegalAction, "not_in_hand"),
    "play of no card": (lambda: called().play(0, 52), MalformedAction, "not_a_card"),
    "play of card -1": (lambda: called().play(0, -1), MalformedAction, "not_a_card"),
    "play of text": (lambda: called().play(0, "AC"), MalformedAction, "not_a_card"),  # type: ignore[arg-type]
    "play from no seat": (lambda: called().play(7, 0), MalformedAction, "not_a_seat"),
    "play of a revoke": (
        lambda: called().play(0, parse_card("2C")).play(1, parse_card("2S")),
        IllegalAction,
        "not_legal",
    ),
    "play twice": (
        lambda: called().play(0, parse_card("AC")).play(0, parse_card("2C")),
        IllegalAction,
        "out_of_turn",
    ),
    "play after the end": (lambda: finished(called()).play(0, 0), IllegalAction, "deal_over"),
    "scores early": (lambda: called().scores(), IllegalAction, "wrong_phase"),
    "legal cards while calling": (lambda: started().legal(), IllegalAction, "wrong_phase"),
    "legal cards at the end": (lambda: finished(called()).legal(), IllegalAction, "deal_over"),
    "another action": (
        lambda: fold(PRESETS["kal"], 0, shuffle(SEED, 4), [("pass", 1, 0)]),
        MalformedAction,
        "not_an_action",
    ),
}


@pytest.mark.parametrize(("act", "kind", "code"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused(act: Callable[[], Any], kind: type[RulesError], code: str) -> None:
    with pytest.raises(RulesError) as refusal:
        act()
    assert type(refusal.value) is kind
    assert refusal.value.code == code
    assert str(refusal.value).endswith(".")
    copy = pickle.loads(pickle.dumps(refusal.value))
    assert (type(copy), copy.code, str(copy)) == (kind, code, str(refusal.value))


def test_hands_that_are_not_a_deck_are_refused() -> None:
    hands = shuffle(SEED, 4)
    broken = [
        hands[:3],
        (hands[0], hands[0], hands[2], hands[3]),
        (hands[0] | hands[1], 0, hands[2], hands[3]),
        (hands[0] | (hands[1] & -hands[1]), *hands[1:]),
        shuffle(SEED, 5)[:4],
    ]
    for dealt in broken:
        with pytest.raises(ValueError, match="deck"):
            DealState.start(PRESETS["kal"], 0, dealt)
    for dealer in (-1, 4):
        with pytest.raises(ValueError, match="seat"):
            DealState.start(PRESETS["kal"], dealer, hands)


@pytest.mark.parametrize(
    ("name", "players", "order"),
    [
        ("classic", 4, (3, 0, 1, 2)),
        ("relaxed", 4, (1, 0, 3, 2)),
        ("call-bridge", 4, (1, 0, 3, 2)),
        ("official", 3, (0, 1, 2)),
        ("official", 5, (3, 4, 0, 1, 2)),
    ],
)
def test_the_dealer_calls_last_and_the_next_leads(name: str, players: int, order: tuple[int, ...]) -> None:
    deal = started(name, players, dealer=2)
    assert deal.order() == order
    deal = called(name, players, dealer=2)
    turns = []
    for _ in range(players):
        assert deal.turn is not None
        turns.append(deal.turn)
        deal = deal.play(deal.turn, cards_of(deal.legal().cards)[0])
    assert tuple(turns) == order
    assert deal.turn == deal.last_winner


def test_folding_gives_the_same_states_as_acting() -> None:
    deal = finished(called())
    calls = [("call", seat, deal.calls[seat]) for seat in deal.order()]
    plays = [("play", seat, card) for seat, card in deal.plays]
    actions: list[Any] = calls + plays
    state = called()
    for count in range(4, 57):
        assert fold(deal.ruleset, deal.dealer, deal.dealt, actions[:count]) == state
        assert state.number == count
        if count < 56:
            state = state.play(*actions[count][1:])
    assert state == deal
    assert sum(deal.took) == 13
    assert deal.hands == (0, 0, 0, 0)


def test_acting_leaves_the_state_before_as_it_was() -> None:
    before = called()
    copy = called()
    before.play(0, cards_of(before.legal().cards)[0])
    assert before == copy
    assert before.dealt == before.hands
    assert before.last_trick == ()
    assert before.first_lead


def test_the_first_lead_is_one_moment_of_a_deal() -> None:
    states = [started()]
    while (turn := states[-1].turn) is not None:
        state = states[-1]
        if state.phase == "calling":
            states.append(state.call(turn, 1))
        else:
            states.append(state.play(turn, cards_of(state.legal().cards)[0]))
    assert [state.number for state in states if state.first_lead] == [4]


def test_a_deal_is_not_over_before_its_last_card_though_nothing_can_change() -> None:
    hands = tuple(
        parse_hand(" ".join(rank + suit for rank in "23456789TJQKA")) for suit in ("S", "C", "D", "H")
    )
    deal = DealState.start(PRESETS["kal"], 3, hands)
    for seat in deal.order():
        deal = deal.call(seat, 1)
    for number in range(52):
        assert deal.phase == "playing", number
        assert deal.turn is not None
        deal = deal.play(deal.turn, cards_of(deal.legal().cards)[0])
    assert deal.took == (13, 0, 0, 0)
    assert deal.scores() == (22, -10, -10, -10)
