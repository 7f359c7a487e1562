"""Four people with four browsers, from the door to the final sheet."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.guest import Guest, take_turns
from tests.browser.house import House

PASSWORD = "a lamp in the window"


def register(guest: Guest, name: str) -> None:
    """Take a name and a password by the form."""
    guest.name = name
    page = guest.page
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password again").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Register").click()


def test_four_people_play_kal_from_the_door_to_the_final_sheet(
    guest: Callable[..., Guest], house: House
) -> None:
    desk, phone = {"width": 1024, "height": 640}, {"width": 390, "height": 720}
    host, finder, friend, old_hand = (
        guest(viewport=screen, reduced_motion="reduce") for screen in (desk, phone, phone, phone)
    )

    # One registers and opens a table by the form.
    host.page.goto("/")
    host.page.get_by_role("link", name="Register").click()
    register(host, "सीता")
    host.page.get_by_role("link", name="Open a table").click()
    host.page.get_by_text("Kal", exact=True).click()
    host.page.get_by_role("group", name="Pace").get_by_text("fast", exact=True).click()
    host.page.get_by_label("Name of the table").fill("The long evening")
    host.page.get_by_role("button", name="Open the table").click()
    expect(host.page.locator("#sum")).to_contain_text("1 of 4")
    link = host.page.get_by_label("Link to this table").input_value()
    code = link.rstrip("/").rpartition("/")[2]

    # One finds it in the lobby, where it says what it is.
    finder.page.goto("/")
    finder.page.get_by_role("link", name="Register").click()
    register(finder, "Rahul")
    row = finder.page.locator(f"#table-{code}")
    expect(row).to_contain_text("The long evening")
    expect(row).to_contain_text("Kal · 5 deals")
    expect(row).to_contain_text("1 of 4 seats taken")
    row.get_by_role("link", name="Sit down").click()
    finder.sit(2)

    # One comes by the link, wants a seat, and is led to the door and back.
    friend.page.goto(link)
    friend.page.get_by_role("button", name="Sit here on seat 3").click()
    friend.page.get_by_role("link", name="Register in a minute").click()
    register(friend, "মিতা")
    friend.page.wait_for_url(link)
    friend.sit(3)

    # One was here before: he registers, signs out and signs in again.
    old_hand.page.goto("/")
    old_hand.page.get_by_role("link", name="Register").click()
    register(old_hand, "Anil")
    old_hand.page.get_by_role("link", name="Your page, Anil").click()
    old_hand.page.get_by_role("button", name="Sign out").click()
    old_hand.page.get_by_role("link", name="Sign in").click()
    old_hand.page.get_by_label("Name").fill("anil")
    old_hand.page.get_by_label("Password").fill(PASSWORD)
    old_hand.page.get_by_role("main").get_by_role("button", name="Sign in").click()
    old_hand.page.locator(f"#table-{code}").get_by_role("link", name="Sit down").click()
    expect(old_hand.page.locator("#sum")).to_contain_text("3 of 4")
    old_hand.page.get_by_role("button", name="Sit here on seat 4").click()

    four = [host, finder, friend, old_hand]
    for each in four:
        expect(each.page.locator("#hand button")).to_have_count(13)
        expect(each.page.locator("#sum")).to_contain_text("of 13")
    take_turns(four)

    match = house.match(code)
    match.check_finished()
    assert match.rules.tie == "draw"
    assert len(match.deals) == 5
    assert {action.by for action in match.actions} == {"player"}
    for each in four:
        expect(each.page.get_by_text("Final sheet")).to_be_visible()
        assert each.sheet() == match.totals
