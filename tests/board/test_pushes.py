"""What is pushed: only what changed, and little."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

from games import board
from tests.board.made import Node, dealt, read, regions, run, step, table, through

# What a play by somebody else may change for a person whose turn it was not and is not.
BY_ANOTHER = {
    *("turn", "say", "trick-a", "trick-b", "ticker", "duty", "lines"),
    *(f"seat-p{number}" for number in (1, 2, 3)),
}


def changed(before: dict[str, str], after: dict[str, str]) -> set[str]:
    return {name for name, html in after.items() if before[name] != html}


def test_a_board_that_did_not_change_is_not_sent() -> None:
    state = run(dealt(table()), 10)
    assert board.pieces(regions(state), regions(state)) == ""
    assert board.pieces(regions(state), regions(replace(state, version=99))) == ""


def test_of_an_unknown_page_everything_is_sent_out_of_band() -> None:
    after = regions(run(dealt(table()), 10))
    roots = [node for node in read(board.pieces(None, after)).children if isinstance(node, Node)]
    assert {node.attributes["id"] for node in roots} == set(after)
    assert {node.attributes["hx-swap-oob"] for node in roots} == {"outerMorph"}


def test_only_regions_that_differ_are_sent() -> None:
    state = run(dealt(table()), 10)
    after = step(state, random.Random(1))
    sent = read(board.pieces(regions(state), regions(after)))
    names = {node.attributes["id"] for node in sent.all() if "hx-swap-oob" in node.attributes}
    assert names == changed(regions(state), regions(after))


def test_a_play_by_somebody_else_leaves_ones_hand_and_sheets_alone() -> None:
    states = through(dealt(table()))[4:-1]
    for before, after in pairwise(states):
        for viewer in range(4):
            assert before.deal is not None
            assert after.deal is not None
            if viewer not in (before.deal.turn, after.deal.turn):
                took = before.deal.took != after.deal.took  # then one's own call may have got out of reach
                allowed = BY_ANOTHER | ({"mine"} if took else set())
                assert changed(regions(before, viewer), regions(after, viewer)) <= allowed


def test_a_hand_is_sent_only_when_its_cards_or_marks_change() -> None:
    states = through(dealt(table()))[4:-1]
    for before, after in pairwise(states):
        assert before.deal is not None
        assert after.deal is not None
        mine = 0 in (before.deal.turn, after.deal.turn)
        assert ("hand" in changed(regions(before), regions(after))) == mine


def test_an_average_push_is_small() -> None:
    sizes = []
    for seed in range(3):
        states = through(dealt(table(), seed=seed + 1), seed=seed)[4:-1]
        for before, after in pairwise(states):
            for viewer in (0, 1, 2, 3, None):
                sizes.append(len(board.pieces(regions(before, viewer), regions(after, viewer)).encode()))
    assert sum(sizes) / len(sizes) < 3000


def test_what_does_not_name_the_viewer_is_the_same_for_all() -> None:
    for state in through(dealt(table()))[:-1:4]:
        assert state.deal is not None
        watcher, player = regions(state, None), regions(state, 0)
        shared = {"title", "turn", "seat-p1", "seat-p2", "seat-p3", "sum", "facts"}
        if state.deal.turn != 0:
            shared |= {"trick-a", "trick-b", "duty"}
        for name in shared:
            assert watcher[name] == player[name]


def test_a_finished_trick_stays_on_its_layer_and_is_not_drawn_anew() -> None:
    """Its cards keep their elements: only what they are called changes, so that nothing jumps."""
    for before, after in pairwise(through(dealt(table()))[4:-1]):
        assert before.deal is not None
        assert after.deal is not None
        if after.deal.took == before.deal.took:
            continue
        layer = "trick-a" if sum(before.deal.took) % 2 == 0 else "trick-b"
        first = [
            node.attributes["id"] for node in read(regions(before)[layer]).all() if "role" in node.attributes
        ]
        then = read(regions(after)[layer]).all()
        assert [node.attributes["id"] for node in then if node.attributes.get("role") == "img"][:3] == first[
            :3
        ]
        assert " to-" in then[1].attributes["class"]


def test_a_trick_leaves_when_the_second_card_of_the_next_lies() -> None:
    states = through(dealt(table()))
    led, second = states[9], states[10]
    assert regions(led)["trick-a"].count("role=img") == 4
    assert regions(led)["trick-b"].count("role=img") == 1
    assert regions(second)["trick-a"].count("role=img") == 0


def test_the_last_trick_of_a_deal_lies_under_its_result() -> None:
    for preset, players in (("official", 3), ("kal", 4), ("custom", 5)):
        state = through(dealt(table(preset, players)))[-1]
        assert state.deal is not None
        layer = "trick-a" if sum(state.deal.took) % 2 else "trick-b"
        html = regions(state)[layer]
        assert html.count("role=img") == players
        winner = state.deal.last_winner
        assert f' to-{"me" if winner == 0 else f"p{winner}"}"' in html
