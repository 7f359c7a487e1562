"""What the board says in each phase, as it is heard."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.utils import translation

from games import rules
from games.board import words
from games.board.duty import reasons, sentence
from games.bots import LEVELS
from games.rules import Duty, Obligation
from games.state import Scored, TableState
from tests.board.made import (
    Node,
    all_html,
    dealt,
    match,
    read,
    regions,
    run,
    seat,
    table,
    text,
    through,
    waiting,
)

HEARTS, SPADES = rules.HEARTS, rules.SPADES
TEN, NINE = rules.parse_card("TH"), rules.parse_card("9S")


def buttons(html: str) -> list[str]:
    """The names of the buttons that send something."""
    nodes = [node for node in read(html).all() if node.tag == "button"]
    return [node.text() for node in nodes if node.attributes.get("type") != "button"]


# ---------------------------------------------------------------- before the start


def test_a_stranger_may_sit_on_every_free_seat() -> None:
    state = waiting(seat(0), None, seat(2), None)
    html = all_html(state, 9)
    assert buttons(html.split("hx-swap-oob")[0]) == ["Sit here on seat 2", "Sit here on seat 4"]
    assert "Two seats are free. The match starts when all are taken." in text(regions(state, 9)["duty"])
    assert "2 of 4" in text(regions(state, 9)["sum"])


def test_the_host_may_add_bots_and_remove_who_sits_there() -> None:
    state = waiting(seat(0), None, seat(2), seat(3, bot="normal"))
    offers = regions(state)["seat-p1"]
    assert buttons(offers) == ["Sit here on seat 2", "Add a bot on seat 2"]
    assert [level for level in LEVELS if f'<option value="{level}"' in offers] == list(LEVELS)
    assert buttons(regions(state)["seat-p2"]) == ["Remove Chandra"]
    assert "bot" in text(regions(state)["seat-p3"])
    guest = regions(state, 2)
    assert not [name for name, html in guest.items() if "Remove" in html or "Add a bot" in html]


def test_where_coins_lie_the_way_to_a_seat_leads_over_the_contract() -> None:
    state = waiting(seat(0), None, seat(2), None, stake=50)
    links = [node for node in read(regions(state, 9)["seat-p1"]).all() if node.tag == "a"]
    assert [link.attributes["href"] for link in links] == ["/t/abcdefghjk/contract/?seat=1"]
    assert buttons(regions(state)["seat-p1"]) == ["Sit here on seat 2"]  # and no bot


# ---------------------------------------------------------------- calling


def test_calls_are_offered_to_whose_turn_it_is() -> None:
    state = dealt(table(), dealer=3)
    duty = regions(state, 0)["duty"]
    assert buttons(duty) == [str(call) for call in range(1, 9)]
    fields = {
        node.attributes["name"]: node.attributes["value"] for node in read(duty).all() if node.tag == "input"
    }
    assert fields == {"deal": "1", "number": "0"}
    assert text(regions(state, 1)["duty"]) == "Asha is calling"
    assert not buttons(regions(state, 0)["hand"])


def test_the_sum_of_the_calls_and_a_dash_for_who_has_not_called() -> None:
    state = run(dealt(table(), dealer=3), 3)
    assert state.deal is not None
    called = sum(call or 0 for call in state.deal.calls)
    assert text(regions(state)["sum"]) == f"{called} of 13called, one to call"
    assert "no call yet" in text(regions(state)["seat-p3"])
    assert "no call yet" not in text(regions(state)["seat-p1"])


def test_a_deal_dealt_again_says_why() -> None:
    assert "Dealt again for a hand without a spade." in text(
        regions(dealt(table(redealt=("no_spade",))))["sum"]
    )


# ---------------------------------------------------------------- play


@pytest.mark.parametrize(
    ("obligation", "says"),
    [
        (Obligation(Duty.FREE), "You lead: any card"),
        (Obligation(Duty.NO_SPADE_LEAD), "You lead: any card but a spade"),
        (Obligation(Duty.FOLLOW, suit=HEARTS), "Follow hearts"),
        (Obligation(Duty.HEAD, suit=HEARTS, beat=TEN), "Follow hearts and beat the 10 of hearts"),
        (Obligation(Duty.CUT, suit=SPADES, void=HEARTS), "No hearts: play a spade"),
        (Obligation(Duty.OVERTRUMP, suit=SPADES, beat=NINE, void=HEARTS), "No hearts: beat the 9 of spades"),
        (Obligation(Duty.FORCED_SPADE, suit=SPADES, void=HEARTS), "No hearts: a spade, though none wins"),
        (Obligation(Duty.FREE, void=HEARTS), "No hearts: play any card"),
        (
            Obligation(Duty.FREE, beat=NINE, void=HEARTS),
            "No hearts: any card, but a spade must beat the 9 of spades",
        ),
    ],
)
def test_the_obligation_in_one_line(obligation: Obligation, says: str) -> None:
    beat = "" if obligation.beat is None else words.card_name("en", obligation.beat)
    assert sentence(obligation, beat) == says


def test_why_a_card_may_not_be_played() -> None:
    low, other = reasons(Obligation(Duty.HEAD, suit=HEARTS, beat=TEN), "10 of hearts")
    assert low == "Too low: you hold one that beats the 10 of hearts"
    assert other == "You hold hearts, so you must follow"
    assert (
        reasons(Obligation(Duty.CUT, suit=SPADES, void=HEARTS), "")[1]
        == "Out of hearts, you must play a spade"
    )


def on_turn(state: TableState, viewer: int = 0, some: bool = True) -> TableState:
    """The next state in which this seat is to play with some of its cards not allowed, or with all allowed."""
    for each in through(state):
        deal = each.deal
        if deal is None or deal.phase != "playing" or deal.turn != viewer:
            continue
        if (deal.legal().cards != deal.hands[viewer]) == some:
            return each
    raise AssertionError("no such moment in this deal")


def test_cards_are_marked_by_what_the_rules_allow() -> None:
    state = on_turn(dealt(table()))
    assert state.deal is not None
    legal = state.deal.legal().cards
    for node in read(regions(state)["hand"]).all():
        if node.tag == "button":
            allowed = bool(legal & rules.hand_of([rules.parse_card(node.attributes["value"])]))
            classes = node.attributes["class"].split()
            assert ("can" in classes, "cannot" in classes) == (allowed, not allowed)
            assert ("aria-disabled" in node.attributes) == (not allowed)
            if not allowed:
                why = "why-low" if node.attributes.get("data-why") == "low" else "why"
                assert read(regions(state)["duty"]).find(why).text()


def test_nobody_is_marked_where_every_card_is_allowed() -> None:
    html = regions(on_turn(dealt(table()), some=False))["hand"]
    assert "can" not in {
        name for node in read(html).all() for name in node.attributes.get("class", "").split()
    }
    assert len(buttons(html)) == html.count("<button")


def test_on_anothers_turn_the_hand_sends_nothing_and_says_whose_turn_it_is() -> None:
    state = on_turn(dealt(table()), viewer=2)
    hand = regions(state, 0)["hand"]
    assert not buttons(hand)
    assert "Chandra plays" in text(regions(state, 0)["duty"])
    assert "Chandra plays." in text(regions(state, 0)["say"])


def test_what_is_read_out_says_what_was_done_and_what_is_asked() -> None:
    state = on_turn(dealt(table()))
    assert state.deal is not None
    who, card = state.deal.plays[-1]
    said = text(regions(state)["say"])
    assert words.card_name("en", card) in said
    assert f"{state.seats[who].name} " in said  # type: ignore[union-attr]
    assert "Your turn. " in said
    assert "data-turn" in regions(state)["say"]
    assert "data-turn" not in regions(state, 1)["say"]


def test_a_single_card_that_plays_itself_is_announced_to_its_owner() -> None:
    state = on_turn(dealt(table("strict")))
    while state.deal is not None and state.deal.legal().cards.bit_count() > 1:
        state = on_turn(run(state, 1))
    assert "Your only card, it plays itself" in text(regions(state)["duty"])
    assert "only card" not in text(regions(state, 1)["duty"])


def test_the_clock_runs_where_there_is_one() -> None:
    state = run(dealt(table("strict", call_clock=30, card_clock=15)), 6)
    until = int((state.turn_at.timestamp() + 15) * 1000) if state.turn_at else 0
    assert f"data-until={until} data-total=15000" in regions(state)["turn"]
    assert "0:15" in regions(state)["duty"]
    assert "data-until" not in regions(run(dealt(table()), 6))["turn"]


def test_absent_people_and_bots_say_so() -> None:
    seats = (seat(0), seat(1, away=True), seat(2, left=True), seat(3, bot="normal"))
    found = regions(run(dealt(table(seats=seats)), 6))
    assert "bot plays" in text(found["seat-p1"])
    assert "gone" in found["seat-p1"]
    assert "bot plays" in text(found["seat-p2"])
    assert "bot plays" not in text(found["seat-p3"])
    assert "bot" in text(found["seat-p3"])


def test_who_left_is_told_so_and_may_come_back() -> None:
    state = run(dealt(table(seats=(seat(0, left=True), seat(1), seat(2), seat(3)))), 6)
    assert "You left; a bot plays your seat." in text(regions(state)["mine"])
    assert buttons(regions(state)["mine"]) == ["Take your seat back"]
    assert not buttons(regions(state)["leave"])


def test_somebody_idle_may_be_hurried_by_the_others() -> None:
    state = replace(run(dealt(table()), 6), late=True)
    assert state.deal is not None
    late = state.deal.turn
    assert late is not None
    for viewer in range(4):
        assert ("Hurry" in buttons(regions(state, viewer)["duty"])) == (viewer != late)
    other = (late + 1) % 4
    assert "a bot acts once when all three of you ask" in text(regions(state, other)["duty"])
    asked = tuple(replace(s, nudges=state.moment) if s and s.index == other else s for s in state.seats)
    assert "You asked." in text(regions(replace(state, seats=asked), other)["duty"])
    assert not buttons(regions(state, None)["duty"])


def test_a_watcher_has_no_hand_and_no_buttons() -> None:
    for state in through(dealt(table()))[:-1:5]:
        found = regions(state, None)
        assert "hidden" in found["hand"]
        assert "You are watching" in text(found["mine"])
        assert not [name for name, html in found.items() if buttons(html)]


def test_the_log_has_six_lines_at_most() -> None:
    for state in through(dealt(table()))[:-1]:
        assert 1 <= regions(state)["lines"].count("<li") <= 6


def test_actions_of_clock_and_bots_are_shown_for_what_they_were() -> None:
    state = run(dealt(table()), 5)
    last = state.acts[-1]
    actor = state.seats[last.seat]
    assert actor is not None
    viewer = (last.seat + 1) % 4
    told = {
        "player": (f"{actor.name} led", "You led"),
        "clock": ("The clock played", f"for {actor.name}"),
        "absent": (f"Bot for {actor.name} played", "A bot played"),
        "nudge": (f"Bot for {actor.name} played", "A bot played"),
    }
    for by, (others, own) in told.items():
        shown = replace(state, acts=(*state.acts[:-1], replace(last, by=by)))
        assert others in text(regions(shown, viewer)["lines"])
        assert own in text(regions(shown, viewer if by == "clock" else last.seat)["lines"])


def test_a_vote_to_cancel_says_who_agrees() -> None:
    state = run(dealt(table(seats=(seat(0), seat(1, wants_cancel=True), seat(2, away=True), seat(3)))), 6)
    menu = regions(state)["menu"]
    assert "when all three people here agree. Bishnu agrees." in text(menu)
    assert buttons(menu) == ["Agree to cancel the match"]
    assert buttons(regions(state, 1)["menu"]) == ["Do not cancel after all"]


# ---------------------------------------------------------------- scored


def scored(calls: tuple[int, ...], took: tuple[int, ...], preset: str = "kal", **more: object) -> TableState:
    """A table whose deal was just scored with these calls and tricks."""
    ruleset = rules.PRESETS[preset]
    state = through(dealt(table(preset, **more)))[-1]
    assert state.deal is not None
    points = tuple(rules.deal_score(ruleset, c, t) for c, t in zip(calls, took, strict=True))
    deal = Scored(1, 0, state.deal.dealt, calls, took, points)
    status = "playing"
    return replace(state, status=status, scored=(deal,), deal=replace(state.deal, calls=calls, took=took))


def rows(html: str) -> list[list[str]]:
    """The table of a scored deal, row by row."""
    body = next(node for node in read(html).all() if node.tag == "tbody")
    lines = [node for node in body.children if isinstance(node, Node)]
    return [[cell.text() for cell in line.children if isinstance(cell, Node)] for line in lines]


def test_a_scored_deal_shows_call_tricks_points_and_totals() -> None:
    html = regions(scored((4, 3, 2, 1), (5, 2, 2, 4)))["stage"]
    assert rows(html) == [
        ["You", "4", "over the call, 5 of 4", "+1", "4.1", "4.1"],
        ["Chandra", "2", "call made, 2 of 2", "–", "2.0", "2.0"],  # noqa: RUF001
        ["Dipa", "1", "over the call, 4 of 1", "+3", "1.3", "1.3"],
        ["Bishnu", "3", "call broken, 2 of 3", "–", "−3.0", "−3.0"],  # noqa: RUF001
    ]
    assert "You lead by 2.1" in text(html)
    assert "Bishnu called three and took two: the call is broken and costs 3.0." in text(html)
    assert buttons(html) == ["Next deal"]


def test_too_many_tricks_break_a_call_where_the_rules_say_so() -> None:
    html = regions(scored((4, 3, 2, 2), (4, 3, 2, 4), "official"))["stage"]
    assert "Dipa called two and took four, too many: the call is broken and costs 2.0." in text(html)


def test_a_bonus_and_a_deal_without_a_broken_call_are_told() -> None:
    html = regions(scored((8, 2, 2, 2), (8, 2, 2, 1), "call-bridge"), 1)["stage"]
    assert "Asha made a call of eight, worth 13.0." in text(html)
    assert "8=13" in text(html)
    assert "Every call was made." in text(regions(scored((4, 3, 3, 3), (4, 3, 3, 3)))["stage"])


def test_who_is_ready_and_who_is_waited_for() -> None:
    seats = (seat(0), seat(1, ready_for=1), seat(2, away=True), seat(3, bot="normal"))
    state = scored((4, 3, 3, 3), (4, 3, 3, 3), seats=seats)
    assert "Bishnu is ready. Waiting for you." in text(regions(state)["stage"])
    assert not buttons(regions(state, 1)["stage"])
    assert "You are ready. Waiting for Asha." in text(regions(state, 1)["stage"])


def test_where_nobody_is_here_the_next_deal_starts_by_itself() -> None:
    state = scored((4, 3, 3, 3), (4, 3, 3, 3), seats=tuple(seat(i, bot="normal") for i in range(4)))
    assert "The next deal starts by itself." in text(regions(state, None)["stage"])


# ---------------------------------------------------------------- the end


def ended(preset: str, totals: tuple[int, ...], length: int = 1, deals: int = 1) -> TableState:
    """A finished match with these totals, in tenths, all scored in the last deal."""
    state = match(table(preset, length=length), 1)
    first = state.scored[-1]
    nothing = tuple(0 for _seat in totals)
    empty = tuple(replace(first, number=number + 1, scores=nothing) for number in range(deals - 1))
    last = replace(first, number=deals, scores=totals)
    return replace(state, status="finished", ending="played", scored=(*empty, last), deal_number=deals)


@pytest.mark.parametrize(
    ("preset", "totals", "viewer", "says"),
    [
        ("kal", (10, 31, 20, 0), 0, "Bishnu wins the match By 1.1."),
        ("kal", (10, 31, 20, 0), 1, "You win the match By 1.1."),
        ("classic", (31, 31, 20, 0), 0, "You and Bishnu share the win Level at 3.1, so all of them win."),
        ("kal", (10, 20, 20, 20), 0, "A draw between Bishnu, Chandra and Dipa Level at 2.0, so nobody wins."),
    ],
)
def test_the_outcome_names_all_it_concerns(
    preset: str, totals: tuple[int, ...], viewer: int, says: str
) -> None:
    stage = read(regions(ended(preset, totals), viewer)["stage"])
    told = next(node for node in stage.all() if node.attributes.get("class") == "quiet")
    assert f"{stage.find('headline').text()} {told.text()}" == says


def test_extra_deals_are_noted() -> None:
    assert "It took two extra deals." in text(
        regions(ended("strict", (10, 0, 0, 0), length=1, deals=3))["stage"]
    )


def test_level_seats_have_the_same_place() -> None:
    stage = read(regions(ended("kal", (10, 20, 20, 5)))["stage"])
    places = [node for node in stage.all() if "place" in node.attributes.get("class", "").split()]
    assert [place.text()[:2] for place in places] == ["1B", "1C", "3Y", "4D"]
    assert ["first" in place.attributes["class"].split() for place in places] == [True, True, False, False]


def test_a_rematch_is_offered_to_those_who_played_and_then_joined() -> None:
    state = ended("kal", (10, 20, 0, 5))
    assert buttons(regions(state)["stage"]) == ["Play them again"]
    assert buttons(regions(state, None)["stage"]) == []
    again = regions(replace(state, rematch="mnpqrstuvw"))["stage"]
    links = {node.text(): node.attributes["href"] for node in read(again).all() if node.tag == "a"}
    assert links["Join the rematch"] == "/t/mnpqrstuvw/"


def receipt(state: TableState, seat_index: int | None = 0) -> list[str]:
    """The receipt as it is heard: the clause, a line for everybody, and what coins are."""
    stage = read(regions(replace(state, stake=50), seat_index)["stage"])
    panel = next(node for node in stage.all() if "receipt" in node.attributes.get("class", "").split())
    told = [node for node in panel.all() if node.tag == "p" or (node.tag == "div")]
    return [" ".join(node.text().split()) for node in told]


PLAY_MONEY = "Coins are play money: never bought, sold or cashed out."


def test_a_receipt_says_who_got_the_coins() -> None:
    assert receipt(ended("kal", (1, 9, 2, 3))) == [
        "The pot of 200 goes to Bishnu, for the highest total.",
        "Bishnu+150 coins",
        f"You{words.MINUS}50 coins",
        f"Chandra{words.MINUS}50 coins",
        f"Dipa{words.MINUS}50 coins",
        PLAY_MONEY,
    ]
    assert receipt(ended("kal", (9, 9, 2, 3)), None) == [
        "Level at the top is a draw here: every stake of 50 goes back.",
        *(f"{name}0 coins" for name in ("Asha", "Bishnu", "Chandra", "Dipa")),
        PLAY_MONEY,
    ]


def test_a_shared_pot_says_where_the_coins_left_over_went() -> None:
    assert receipt(ended("classic", (9, 9, 2, 3)))[0] == (
        "The pot of 200 is shared by the two who are level at the top."
    )
    state = ended("classic", (9, 9, 2, 9))
    assert state.deal is not None
    first = [seat for seat in state.deal.order() if seat != 2][:2]
    told = receipt(state)
    names = " and ".join(("you", "Bishnu", "", "Dipa")[index] for index in first)
    assert told[0] == (
        "The pot of 200 is shared by the three who are level at the top. The coins left over go one each to "
        f"{names}, first in the order of the turn from the last dealer."
    )
    assert {line[:2]: line.partition("+")[2] for line in told[1:4]} == {
        heard: f"{17 if index in first else 16} coins" for index, heard in ((0, "Yo"), (1, "Bi"), (3, "Di"))
    }


@pytest.mark.parametrize(
    ("ending", "headline", "clause"),
    [
        ("agreed", "The match was cancelled", "All who staked agreed to stop: every stake of 50 goes back."),
        ("house", "The match was cancelled", "The house cancelled the match: every stake of 50 goes back."),
        ("drawn", "The match is a draw", "The house declared a draw: every stake of 50 goes back."),
    ],
)
def test_a_stopped_match_gives_every_stake_back_and_says_why(ending: str, headline: str, clause: str) -> None:
    state = replace(run(dealt(table()), 9), status="cancelled", ending=ending)
    assert receipt(state)[0] == clause
    assert headline in text(regions(state)["stage"])
    assert "receipt" not in regions(state)["stage"]  # a friendly table has none


def test_the_rematch_of_a_match_with_a_stake_says_its_price() -> None:
    state = replace(ended("kal", (10, 20, 0, 5)), stake=50)
    stage = read(regions(state)["stage"])
    assert buttons(regions(state)["stage"]) == ["Play them again 50 coins each"]
    assert ("agreed", "50") in {
        (node.attributes.get("name"), node.attributes.get("value")) for node in stage.all()
    }
    again = replace(state, rematch="mnpqrstuvw")
    for viewer, name, to in (
        (2, "Join the rematch 50 coins each", "/t/mnpqrstuvw/contract/?seat=2"),
        (None, "See the rematch", "/t/mnpqrstuvw/"),
    ):
        found = read(regions(again, viewer)["stage"]).all()
        assert {node.text(): node.attributes["href"] for node in found if node.tag == "a"}[name] == to


def test_where_coins_lie_everybody_has_a_say_and_what_leaving_means_is_told() -> None:
    seats = (seat(0), seat(1, wants_cancel=True), seat(2, away=True), seat(3, left=True))
    state = run(dealt(table(seats=seats, stake=50)), 6)
    menu = text(regions(state)["menu"])
    assert (
        "The match is cancelled, and every stake goes back, when all four players agree, those who left or are away "
        "included. Bishnu agrees. Still to agree: you, Chandra and Dipa." in menu
    )
    gone = regions(state, 3)["menu"]
    assert "Take your seat back to agree." in text(gone)
    assert buttons(gone) == []
    assert "Your stake stays in the pot; what the bot wins is yours." in text(regions(state)["leave"])
    assert "stake" not in text(regions(replace(state, stake=0))["leave"])


def test_the_pot_stands_in_the_bar_and_the_stake_among_the_facts() -> None:
    state = replace(run(dealt(table()), 6), stake=50, asks_for=80)
    assert "200 coins in the pot" in text(regions(state)["title"])
    assert f"50 each, 200 in the pot {PLAY_MONEY}" in text(regions(state)["facts"])
    waits = waiting(seat(0), None, seat(2), None, stake=50, asks_for=80)
    assert f"50 each, 200 in the pot. {PLAY_MONEY}" in text(regions(waits, 9)["duty"])
    assert "50 each, 200 in the pot; to sit down, have 80" in text(regions(waits)["facts"])
    friendly = all_html(run(dealt(table()), 6))
    assert PLAY_MONEY not in friendly
    assert "#coin" not in friendly


def test_a_stopped_match_says_why_and_where_to_go() -> None:
    state = replace(run(dealt(table()), 9), status="cancelled", ending="agreed")
    assert "The match was cancelled" in text(regions(state)["stage"])
    assert "hidden" in regions(state)["hand"]
    closed = waiting(None, None, None, None, status="closed")
    assert "This table has closed" in text(regions(closed)["stage"])


# ---------------------------------------------------------------- digits


def test_numbers_follow_the_language_and_ranks_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    devanagari = str.maketrans("0123456789", "०१२३४५६७८९")
    monkeypatch.setattr(words, "digits", lambda number: str(number).translate(devanagari))
    with translation.override("ne"):
        found = regions(run(dealt(table()), 12))
        called = regions(run(dealt(table()), 2))
        whole = regions(through(dealt(table()))[-1])
    for html in (
        *(found[name] for name in ("seat-p1", "seat-p2", "mine", "score")),
        called["sum"],
        called["duty"],
    ):
        assert not any(letter in "0123456789" for letter in text(html))
    assert any(letter in "०१२३४५६७८९" for letter in text(whole["stage"]))
    assert "१०" not in text(found["hand"].replace("aria-label", "data-was"))
