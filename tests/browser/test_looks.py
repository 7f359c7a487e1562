"""Every page on small and large screens: nothing sticks out sideways.

With CALLBREAK_SHOTS=1 pictures go to shots/, to be looked at: on a phone and on a desk, by day and in the evening.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.guest import Guest

SHOTS = Path(__file__).parent / "shots" if os.environ.get("CALLBREAK_SHOTS") else None
SHARP = {"device_scale_factor": 2} if SHOTS else {"reduced_motion": "reduce"}
PICTURED = ((390, 844), (1280, 800))
SIZES = ((320, 568), (768, 1024), *PICTURED)
# What a reader or a finger wants and cannot have, because it lies beyond an edge.
BEYOND = """() => [...document.querySelectorAll("a, button, input, label, h1, h2, p, li, td, th, .seat, .card")]
  .filter((each) => each.checkVisibility({opacityProperty: true, visibilityProperty: true}))
  .filter((each) => !each.closest(".sr, .skip, .trick"))
  .filter((each) => {
    const box = each.getBoundingClientRect();
    return box.width && (box.right > window.innerWidth + 1 || box.left < -1);
  })
  .map((each) => `${each.tagName} ${each.id || each.className} "${each.textContent.trim().slice(0, 30)}"`)"""


@pytest.fixture
def look() -> Iterator[Callable[[Page, str], None]]:
    """Looks at a page in every size, and pictures it in two. What sticks out is said in the end."""
    found = []

    def every_size(page: Page, name: str) -> None:
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.mouse.wheel(300, 0)
            if page.evaluate("window.scrollX"):
                found.append(f"{name} at {width} scrolls sideways")
                page.mouse.wheel(-300, 0)
            found.extend(f"{name} at {width}: {each}" for each in page.evaluate(BEYOND))
            if (width, height) in PICTURED:
                picture(page, f"{name}-{width}x{height}")

    yield every_size
    assert not found, "\n".join(found)


def picture(page: Page, name: str) -> None:
    """Keep two pictures of the page. (A caret that is hidden for them would leave inline styles behind.)"""
    if SHOTS is not None:
        for light in ("dark", "light"):
            page.emulate_media(color_scheme=light)
            page.screenshot(path=SHOTS / f"{name}-{light}.png", animations="disabled", caret="initial")


def test_the_pages_around(
    people: Callable[..., list[Guest]], guest: Callable[..., Guest], look: Callable[[Page, str], None]
) -> None:
    host, other, friend = people(3, **SHARP)
    page = host.page
    other.open_table(rules="strict", name="After work", clock="15", seat_1="normal")
    friend.open_table(rules="call-bridge", name="शुक्रबार साँझ", pace="slow")
    stranger = guest(**SHARP)
    stranger.page.goto("/")
    expect(stranger.page.get_by_text("After work").first).to_be_visible()
    look(stranger.page, "lobby-stranger")
    stranger.page.get_by_role("link", name="Register").click()
    look(stranger.page, "register")
    page.goto("/tables/new/?rules=kal")
    look(page, "open-form")
    page.get_by_text("with changes", exact=True).click()
    expect(page.locator("details.fold").first).to_be_visible()
    page.locator("details.fold summary").first.click()
    look(page, "open-form-house-set")
    code = host.open_table(rules="classic", name="The long evening", seat_3="normal")
    look(page, "waiting-host")
    friend.visit(code)
    look(friend.page, "waiting-visitor")
    friend.page.get_by_role("button", name="Sit here on seat 2").click()
    expect(page.locator("#seat-p1")).to_contain_text(friend.name)
    look(page, "waiting-two")
    friend.page.goto("/")
    expect(friend.page.locator("#live")).to_have_text("live")
    look(friend.page, "lobby")
    friend.page.goto("/people/me/")
    look(friend.page, "profile")


def test_a_match(person: Callable[..., Guest], look: Callable[[Page, str], None]) -> None:
    guest = person(**SHARP)
    guest.open_table(rules="kal", deals="3", **{f"seat_{seat}": "normal" for seat in (1, 2, 3)})
    page = guest.page
    guest.wait_until("call")
    look(page, "calling")
    page.set_viewport_size({"width": 1280, "height": 800})
    pictured = False

    def telling(now: object) -> bool:
        """In the middle of a deal, with a duty and cards on the table."""
        held = page.locator("#hand button").count()
        return 5 <= held <= 11 and page.locator("#hand .cannot").count() > 0 and held < 12

    now = guest.play_on(until=lambda now: now.ask == "next" or telling(now), call=3)
    if now.ask == "play":
        pictured = True
        look(page, "play")
        page.set_viewport_size({"width": 844, "height": 390})
        picture(page, "play-844x390")
        page.set_viewport_size({"width": 320, "height": 568})
        picture(page, "play-320x568")
        page.locator("#hand .cannot").first.click(position={"x": 6, "y": 20}, force=True)
        page.set_viewport_size({"width": 390, "height": 844})
        picture(page, "why-not-390x844")
        page.set_viewport_size({"width": 1280, "height": 800})
    guest.play_on(until=lambda now: now.ask == "next", call=3)
    expect(page.get_by_role("button", name="Next deal")).to_be_visible()
    look(page, "deal-result")
    page.set_viewport_size({"width": 1280, "height": 800})
    guest.play_on(call=3)
    expect(page.get_by_text("Final sheet")).to_be_visible()
    look(page, "final-sheet")
    assert pictured
