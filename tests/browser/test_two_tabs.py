"""One person with several tabs, late tabs and a nervous finger."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, Route, WebSocketRoute, expect

from tests.browser.guest import Guest
from tests.browser.house import House
from tests.browser.test_rules_at_the_table import bots

REFUSED = r"status of 409"


def own_plays(house: House, code: str, guest: Guest) -> list[int]:
    """The cards this person has played."""
    return [action.value for action in house.match(code).of(guest.name) if action.kind == "play"]


def late_tab(guest: Guest, code: str) -> Page:
    """A tab that hears of nothing after it was opened."""

    def mute(_socket: WebSocketRoute) -> None:
        """Opened, and silent for ever."""

    def no_news(route: Route) -> None:
        route.fulfill(status=204)

    page = guest.context.new_page()
    page.route_web_socket(re.compile("/ws/"), mute)
    page.route(re.compile(r"/board/\?"), no_news)
    page.goto(f"/t/{code}/")
    return page


def test_a_play_in_one_tab_shows_in_the_other_and_a_late_tab_is_refused(
    person: Callable[..., Guest], house: House
) -> None:
    guest = person(reduced_motion="reduce")
    code = guest.open_table(rules="kal", **bots(3))
    other = guest.context.new_page()
    other.goto(f"/t/{code}/")
    now = guest.play_on(until=lambda now: now.ask == "play")
    guest.wait_until("play", page=other)
    late = late_tab(guest, code)
    guest.wait_until("play", page=late)
    played = guest.cards().first.get_attribute("value")
    fields = guest.page.locator("#hand").evaluate("form => Object.fromEntries(new FormData(form))") | {
        "card": played
    }
    guest.act(now)
    expect(other.locator(f"#c-{played}")).to_have_count(0)
    expect(other.locator("#hand button")).to_have_count(12)
    assert len(own_plays(house, code, guest)) == 1

    # The late tab still shows the card; the one clicked there answers to a moment that has passed.
    guest.forgive(REFUSED)
    expect(late.locator(f"#c-{played}")).to_have_count(1)
    guest.press(guest.cards(late).last)
    expect(late.locator("#notice")).not_to_be_empty()
    expect(late.locator(f"#c-{played}")).to_have_count(0)
    assert len(own_plays(house, code, guest)) == 1

    # The very form of the first play, sent once more.
    again = guest.send(code, "play", **fields)
    assert again.status == 409
    assert 'id="notice"' in again.text()
    assert len(own_plays(house, code, guest)) == 1


def test_a_double_click_plays_one_card(person: Callable[..., Guest], house: House) -> None:
    guest = person(reduced_motion="reduce")
    code = guest.open_table(rules="kal", **bots(3))
    now = guest.play_on(until=lambda now: now.ask == "play")
    for number in range(1, 4):
        guest.page.mouse.dblclick(now.x, now.y)
        now = guest.wait_until("play", but=now)
        assert len(own_plays(house, code, guest)) == number


def test_a_double_click_calls_once(person: Callable[..., Guest], house: House) -> None:
    guest = person(reduced_motion="reduce")
    code = guest.open_table(rules="kal", **bots(3))
    now = guest.wait_until("call", call=4)
    guest.page.mouse.dblclick(now.x, now.y)
    guest.wait_until("play")
    assert [action.value for action in house.match(code).of(guest.name)] == [4]
