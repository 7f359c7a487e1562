"""When the house cannot be reached, or a word of it gets lost: the page says so, and heals by itself."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Callable

from playwright.sync_api import APIResponse, Route, WebSocketRoute, expect

from tests.browser.guest import Guest
from tests.browser.house import House
from tests.browser.test_rules_at_the_table import bots
from tests.ops.running import wait_for

UNREACHABLE = ("WebSocket", "ERR_", "Failed to load resource", "Failed to fetch")


def test_a_killed_web_server_is_said_and_heals_without_a_reload(
    person: Callable[..., Guest], house: House
) -> None:
    guest = person(reduced_motion="reduce")
    code = guest.open_table(rules="kal", **bots(3))
    guest.play_on(until=lambda now: now.ask == "play")
    page = guest.page
    page.evaluate("window.stayed = true")
    guest.forgive(*UNREACHABLE)
    live = page.locator("#live")

    def lost() -> bool:
        """Kill it again as often as it comes back before the page has said that it is gone."""
        if pid := house.pid_of("web"):
            os.kill(pid, signal.SIGKILL)
        return "lost" in (live.get_attribute("class") or "")

    wait_for(lost, "the page to say that the connection is lost")
    expect(live).to_be_visible()
    expect(live).to_contain_text("Connection lost")
    expect(live).not_to_contain_text("Connection lost")
    tricks = 0

    def three_more(now: object) -> bool:
        nonlocal tricks
        tricks += 1
        return tricks > 3

    guest.play_on(until=three_more)
    assert page.evaluate("window.stayed")
    assert len(house.match(code).of(guest.name)) == 1 + 3
    assert house.match(code).folded


def test_a_card_clicked_before_the_last_answer_came_is_played(
    person: Callable[..., Guest], house: House
) -> None:
    guest = person(reduced_motion="reduce")
    code = guest.open_table(rules="kal", **bots(3))
    now = guest.play_on(until=lambda now: now.ask == "play")
    late: list[tuple[Route, APIResponse]] = []

    def hold(route: Route) -> None:
        """Let the play happen, and keep its answer back; the socket is quicker."""
        late.append((route, route.fetch()))

    guest.page.route(re.compile("/play/$"), hold, times=1)
    guest.act(now)
    now = guest.wait_until("play", but=now)
    guest.act(now)
    for route, answer in late:
        route.fulfill(response=answer)
    guest.wait_until("play", but=now)
    plays = [action for action in house.match(code).of(guest.name) if action.kind == "play"]
    assert len(plays) == 2


def test_a_lost_word_heals_though_the_socket_lives(people: Callable[..., list[Guest]], house: House) -> None:
    host, other = people(2, reduced_motion="reduce")
    heard: list[str] = []

    def swallow_boards(socket: WebSocketRoute) -> None:
        """Beats come through, boards do not."""
        server = socket.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            if "beat" in json.loads(message):
                heard.append(str(message))
                socket.send(message)

        server.on_message(pass_on)

    code = host.open_table(rules="kal", seat_3="normal")
    host.page.route_web_socket(re.compile("/ws/t/"), swallow_boards)
    host.visit(code)
    expect(host.page.locator("#sum")).to_contain_text("2 of 4")
    other.visit(code)
    other.sit(2)
    wait_for(lambda: host.page.locator("#sum").is_visible() and heard, "a beat")
    expect(host.page.locator("#sum")).to_contain_text("3 of 4")
