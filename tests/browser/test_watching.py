"""Watchers, leaving a match and coming back, signing out."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, WebSocket, expect

from games import rules
from tests.browser.guest import Guest, play_together
from tests.browser.house import House
from tests.tables.test_whole_matches import cards_named


def listen(page: Page) -> list[str]:
    """All that comes to a page over its sockets from now on."""
    heard: list[str] = []

    def opened(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: heard.append(str(frame)))

    page.on("websocket", opened)
    return heard


def two_at_a_table(people: Callable[..., list[Guest]]) -> tuple[Guest, Guest, str]:
    """A match of two people with two bots: it does not run on while one of them only looks."""
    host, other = people(2, reduced_motion="reduce")
    code = host.open_table(rules="kal", seat_2="normal", seat_3="normal")
    other.visit(code).get_by_role("button", name="Sit here on seat 2").click()
    expect(host.page.locator("#hand button")).to_have_count(13)
    return host, other, code


def test_a_watcher_sees_everything_but_hands(
    people: Callable[..., list[Guest]], guest: Callable[..., Guest], house: House
) -> None:
    host, other, code = two_at_a_table(people)
    watcher = guest(reduced_motion="reduce")
    frames = listen(watcher.page)
    watcher.visit(code)
    play_together((host, other), lambda: len(house.match(code).actions) >= 4 + 10)
    page = watcher.page
    expect(page.get_by_text("You are watching")).to_be_visible()
    expect(page.locator("#hand button")).to_have_count(0)
    match = house.match(code)
    state = match.folded[-1]
    last = [action for action in match.actions if action.kind == "play"][-1]
    expect(page.locator(f"#t-{rules.card_text(last.value)}")).to_have_count(1)
    for seat, name in match.names.items():
        place = page.locator(".seat", has_text=name)
        expect(place.locator(".tally")).to_have_text(f"{state.took[seat]}/{state.calls[seat]}")
        expect(place.locator(".count")).to_have_text(str(state.hands[seat].bit_count()))
    shown = cards_named(page.content() + " ".join(frames).replace('\\"', '"'))
    open_cards = {card for _seat, card in house.match(code).folded[-1].plays}
    assert len(frames) > 1
    assert shown
    assert shown <= open_cards


def test_a_table_without_watchers_shows_itself_to_nobody(
    person: Callable[..., Guest], guest: Callable[..., Guest]
) -> None:
    host, stranger = person(), guest()
    code = host.open_table(rules="kal", watchable="no", **{f"seat_{seat}": "normal" for seat in (1, 2, 3)})
    stranger.forgive("status of 403")
    stranger.visit(code)
    expect(stranger.page.locator("#table")).to_have_count(0)
    expect(stranger.page.get_by_role("link", name="tables").first).to_be_visible()


def test_leaving_a_match_and_taking_the_seat_back(people: Callable[..., list[Guest]], house: House) -> None:
    host, other, code = two_at_a_table(people)
    host.page.get_by_role("link", name="Leave", exact=True).click()
    host.page.locator("#leave").get_by_role("button", name="Leave the table").click()
    seat = other.page.locator(".seat", has_text=host.name)
    expect(seat).to_contain_text("bot plays")
    expect(host.page.get_by_text("You left; a bot plays your seat.")).to_be_visible()
    play_together((other,), lambda: any(act.by == "absent" for act in house.match(code).of(host.name)))
    host.page.get_by_role("button", name="Take your seat back").click()
    expect(seat).not_to_contain_text("bot plays")
    before = len(house.match(code).of(host.name))
    play_together((host, other), lambda: len(house.match(code).of(host.name)) >= before + 2)
    assert {act.by for act in house.match(code).of(host.name)[before:]} == {"player"}


def test_signing_out_in_another_tab_ends_this_one(person: Callable[..., Guest]) -> None:
    guest = person(reduced_motion="reduce")
    guest.open_table(rules="kal", public="no")  # who is signed out cannot give the seat back in the end
    live = guest.page.locator("#live")
    expect(live).to_have_text("connected")
    other = guest.context.new_page()
    other.goto("/people/sign-out/")
    other.get_by_role("button", name="Sign out").click()
    expect(other.get_by_role("link", name="Sign in")).to_be_visible()
    expect(live).to_contain_text("You are signed out")
    live.click()
    expect(guest.page.get_by_role("heading", name="Good to see you")).to_be_visible()
