"""The lobby and open tables: found, joined, filled, by people who see it happen."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.guest import Guest
from tests.browser.house import House


def test_tables_come_and_go_in_the_lobby_without_a_reload(people: Callable[..., list[Guest]]) -> None:
    looker, host, joiner = people(3)
    page = looker.page
    page.goto("/")
    expect(page.locator("#live")).to_have_text("live")
    page.evaluate("window.stayed = true")
    code = host.open_table(rules="classic", name="A <b>bold</b> table", seat_1="normal", seat_2="normal")
    row = page.locator(f"#table-{code}")
    expect(row).to_contain_text("A <b>bold</b> table")
    expect(row).to_contain_text("3 of 4 seats taken")
    joiner.visit(code).get_by_role("button", name="Sit here on seat 4").click()
    expect(page.locator("#running").locator(f"#table-{code}")).to_contain_text("2 people, 2 bots")
    expect(page.locator("#tables").locator(f"#table-{code}")).to_have_count(0)
    assert page.evaluate("window.stayed")
    page.locator(f"#table-{code}").get_by_role("link", name="Watch").click()
    expect(page.get_by_text("You are watching")).to_be_visible()


def test_play_now_seats_at_once(people: Callable[..., list[Guest]]) -> None:
    host, joiner, first = people(3)
    code = host.open_table(rules="relaxed", seat_1="normal", seat_2="normal")
    joiner.page.goto("/")
    joiner.page.get_by_role("button", name="Play now").click()
    expect(joiner.page).to_have_url(re.compile(f"/t/{code}/$"))  # a person was waiting
    expect(joiner.page.locator("#hand button")).to_have_count(13)
    expect(host.page.locator("#hand button")).to_have_count(13)
    first.page.goto("/")
    first.page.get_by_role("button", name="Play now").click()
    expect(first.page.locator("#hand button")).to_have_count(13)  # nobody was
    expect(first.page.locator(".seats .tag", has_text="bot")).to_have_count(3)
    # Every page links back to the match.
    first.page.goto("/people/me/")
    first.page.get_by_role("link", name="To the table").click()
    expect(first.page.locator("#hand button")).to_have_count(13)


def test_a_stranger_who_plays_now_is_led_to_the_door(guest: Callable[..., Guest]) -> None:
    stranger = guest()
    stranger.page.goto("/")
    stranger.page.get_by_role("button", name="Play now").click()
    expect(stranger.page.get_by_role("heading", name="Good to see you")).to_be_visible()


def test_a_private_table_and_its_host(people: Callable[..., list[Guest]], house: House) -> None:
    host, friend = people(2)
    code = host.open_table(rules="kal", public="no")
    page = host.page
    link = page.get_by_label("Link to this table").input_value()
    assert link == f"{house.address()}/t/{code}/"
    page.get_by_role("button", name="Copy the link").click()
    expect(page.locator("#copy")).to_have_text("Copied")

    friend.page.goto("/")
    expect(friend.page.locator(f"#table-{code}")).to_have_count(0)
    friend.page.goto(link)
    friend.sit(3)
    expect(page.locator("#seat-p2")).to_contain_text(friend.name)
    expect(friend.page.get_by_role("button", name="Add a bot")).to_have_count(0)

    page.get_by_role("button", name="Add a bot on seat 2").click()
    expect(friend.page.locator(".seat", has_text="Bot Tara").locator(".tag")).to_contain_text("bot")
    page.get_by_role("button", name="Remove Bot Tara").click()
    expect(friend.page.locator("#sum")).to_contain_text("2 of 4")
    friend.page.get_by_role("button", name="Sit here on seat 2").click()  # he may change seats
    expect(page.locator("#seat-p1")).to_contain_text(friend.name)
    page.get_by_role("button", name="Add a bot on seat 3").click()
    page.get_by_role("button", name="Add a bot on seat 4").click()
    for each in (host, friend):
        expect(each.page.locator("#hand button")).to_have_count(13)


def test_the_host_who_leaves_passes_the_table_on(people: Callable[..., list[Guest]]) -> None:
    host, friend = people(2)
    code = host.open_table(rules="kal", public="no")
    friend.visit(code)
    friend.sit(2)
    host.page.get_by_role("link", name="Leave", exact=True).click()
    host.page.locator("#leave").get_by_role("button", name="Leave the table").click()
    expect(friend.page.get_by_role("button", name="Add a bot")).to_have_count(3)
    expect(host.page.get_by_role("button", name="Sit here")).to_have_count(3)
