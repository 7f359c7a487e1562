"""Clocks and absence, as the people at the table see them."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from games import rules
from tests.browser.guest import Guest, play_together
from tests.browser.house import House
from tests.browser.stored import Match
from tests.browser.test_rules_at_the_table import bots


def check_clock(match: Match) -> int:
    """What the clock did was what the rules want of it; how often it acted."""
    acted = 0
    for deal in match.deals:
        state = rules.DealState.start(match.rules, deal.dealer, deal.hands)
        for action in deal.actions:
            calling = state.phase == "calling"
            if action.by == "clock" and calling:
                assert action.value == rules.clock_call(
                    match.rules, state.hands[action.seat], len(match.names)
                )
            elif action.by in ("clock", "single"):
                assert action.value == rules.lowest_card(state.legal().cards)
            acted += action.by == "clock"
            state = (
                state.call(action.seat, action.value) if calling else state.play(action.seat, action.value)
            )
    return acted


def test_a_strict_match_is_finished_by_the_clock(
    person: Callable[..., Guest], guest: Callable[..., Guest], house: House
) -> None:
    idle, watcher = person(reduced_motion="reduce"), guest(reduced_motion="reduce")
    code = idle.open_table(
        rules="strict", house="yes", deals="2", rule_call_clock="2", rule_card_clock="1", **bots(3)
    )
    watcher.visit(code)
    expect(idle.page.get_by_role("timer").first).to_be_visible()
    expect(idle.page.locator("#lines")).to_contain_text("for you")
    expect(idle.page.locator("#lines")).to_contain_text("The clock")
    expect(watcher.page.locator("#lines li").filter(has_text="The clock").last).to_contain_text(
        f"for {idle.name}"
    )
    expect(idle.page.locator("#stage")).to_contain_text("It starts in")  # the next deal waits for nobody
    expect(idle.page.get_by_text("Final sheet")).to_be_visible(timeout=90_000)
    match = house.match(code)
    match.check_finished()
    mine = match.of(idle.name)
    assert {action.by for action in mine} <= {"clock", "single"}
    assert [action.by for action in mine if action.kind == "call"] == ["clock"] * len(match.deals)
    assert check_clock(match) > 2
    assert idle.sheet() == match.totals


def test_a_bot_stands_in_for_who_closes_the_browser_until_he_returns(
    people: Callable[..., list[Guest]], guest: Callable[..., Guest], house: House
) -> None:
    gone, other = people(2, reduced_motion="reduce")
    code = gone.open_table(rules="kal", seat_2="normal", seat_3="normal")
    other.visit(code).get_by_role("button", name="Sit here on seat 2").click()
    expect(gone.page.locator("#hand button")).to_have_count(13)
    gone.go()

    seat = other.page.locator(".seat", has_text=gone.name)
    expect(seat).to_contain_text("bot plays", timeout=60_000)
    play_together((other,), lambda: any(act.by == "absent" for act in house.match(code).actions))
    expect(other.page.locator("#lines")).to_contain_text(f"Bot for {gone.name}")

    back = guest(gone.name, gone.key, reduced_motion="reduce")
    back.visit(code)
    expect(other.page.locator(".seat", has_text=gone.name)).not_to_contain_text("bot plays")
    before = len(house.match(code).of(gone.name))
    play_together((back, other), lambda: len(house.match(code).of(gone.name)) >= before + 2)
    assert {action.by for action in house.match(code).of(gone.name)[before:]} == {"player"}
