"""The rules as a player sees them at the table: how many sit there, and which way round it goes."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.guest import Guest, Moment
from tests.browser.house import House


def bots(number: int) -> dict[str, str]:
    """So many bots beside the host."""
    return {f"seat_{seat}": "normal" for seat in range(1, number + 1)}


@pytest.mark.parametrize("players", [3, 5])
def test_an_official_match_with_bots(players: int, person: Callable[..., Guest], house: House) -> None:
    guest = person(reduced_motion="reduce")
    code = guest.open_table(rules="official", players=str(players), **bots(players - 1))
    expect(guest.page.locator("#hand button")).to_have_count(17 if players == 3 else 10)
    expect(guest.page.locator(".seats .seat")).to_have_count(players - 1)
    expect(guest.calls(guest.page).first).to_have_text("2")  # the lowest call of these rules
    guest.play_on()
    expect(guest.page.get_by_text("Final sheet")).to_be_visible()
    match = house.match(code)
    match.check_finished()
    assert len(match.deals) == 5
    assert guest.sheet() == match.totals
    # The whole board, by far the largest message, gets through to who comes now.
    with guest.page.expect_websocket() as opened:
        guest.page.reload()
    opened.value.wait_for_event("framereceived", predicate=lambda frame: '"content"' in str(frame))
    assert {action.by for action in match.of(guest.name)} == {"player"}


def test_a_relaxed_table_goes_anticlockwise_and_deals_clockwise(
    person: Callable[..., Guest], house: House
) -> None:
    guest = person(reduced_motion="reduce")
    code = guest.open_table(rules="relaxed", **bots(3))
    page = guest.page
    names = {"me": guest.name}
    for place in ("p1", "p2", "p3"):
        names[place] = page.locator(f"#seat-{place} .name > span").first.inner_text()
    left, right = (page.locator(f"#seat-{place}").bounding_box() for place in ("p1", "p3"))
    assert left is not None
    assert right is not None
    assert left["x"] < right["x"]  # so p1, p2, p3 go clockwise round the table
    clockwise = [names[place] for place in ("me", "p1", "p2", "p3")]
    before = {name: clockwise[(index + 1) % 4] for index, name in enumerate(clockwise)}
    after = {later: name for name, later in before.items()}  # who is next in a turn against the clock

    def dealer() -> str:
        return page.locator(".seat:has(.deals) .name > span").first.inner_text().replace("You", guest.name)

    def said(line: str) -> str:
        return next(name for name in [*clockwise, "You"] if line.startswith(name)).replace("You", guest.name)

    dealers = []
    for deal in (1, 2):
        # The log holds all calls so far: they began after the dealer and came round to this player.
        guest.wait_until("call")
        dealers.append(dealer())
        lines = guest.log()
        assert lines[0] == f"Deal {deal}, {dealers[-1]} deals".replace(f"{guest.name} deals", "you deal")
        callers = [said(line) for line in lines[1:]]
        expected = after[dealers[-1]]
        for caller in [*callers, guest.name]:
            assert caller == expected
            expected = after[caller]

        tricks = 0

        def cards_lie_in_order(now: Moment) -> bool:
            nonlocal tricks
            if now.ask != "play":
                return now.ask == "next"
            order = ["p3", "p2", "p1"]
            laid = page.locator(".trick:not([class*=' to-']) .card").evaluate_all(
                "cards => cards.map((card) => [...card.classList].find((each) => each.startsWith('f-')).slice(2))"
            )
            assert laid == order[3 - len(laid) :]
            if laid:
                led = [line for line in guest.log() if " led " in line][-1]
                assert said(led) == names[laid[0]]
            tricks += 1
            return False

        guest.play_on(until=cards_lie_in_order)
        assert tricks == 13
        expect(page.get_by_role("button", name="Next deal")).to_be_visible()
        page.get_by_role("button", name="Next deal").click()
    assert dealers[1] == before[dealers[0]]
    guest.wait_until("call")
    assert dealer() == before[dealers[1]]
    assert len(house.match(code).folded) == 3
    expect(page.locator(".arena")).to_have_class(re.compile(r"\banti\b"))
