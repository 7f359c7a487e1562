"""The table without JavaScript: slower, and whole."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.guest import Guest
from tests.browser.house import House
from tests.browser.test_rules_at_the_table import bots


def test_a_deal_without_javascript(person: Callable[..., Guest], house: House) -> None:
    guest = person(java_script_enabled=False)
    code = guest.open_table(rules="kal", **bots(3))
    page = guest.page

    def look_again_until(selector: str) -> None:
        """Renew the page by hand, as who is in a hurry does."""
        while not page.locator(selector).count():
            page.reload()

    look_again_until("#duty .calls button")
    with page.expect_event("load"):
        page.locator("#duty .calls button[value='2']").click()
    expect(page).to_have_url(re.compile(f"/t/{code}/$"))
    # From here the page comes to the player's turn by itself.
    expect(guest.cards().first).to_be_visible(timeout=45_000)

    for left in range(13, 0, -1):
        look_again_until("#hand button:not([type=button]):not([aria-disabled])")
        expect(page.locator("#hand button")).to_have_count(left)
        with page.expect_event("load"):
            guest.press(guest.cards().first)
    look_again_until("#stage .deal-table")
    expect(page.locator("#stage").get_by_text("Deal 1 of 5")).to_be_visible()
    page.get_by_role("button", name="Next deal").click()
    look_again_until("#duty .calls button")

    match = house.match(code)
    assert [action.by for action in match.of(guest.name)] == ["player"] * 14
    assert len(match.folded) == 2
