"""One real house and one real browser for all tests here, and guests with a browser window of their own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.guest import Guest
from tests.browser.house import House

PATIENCE = 30_000  # milliseconds; the machine may be busy
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
FIRST = [
    "Asha",
    "Bikram",
    "Chandra",
    "Devi",
    "Eka",
    "Farid",
    "Ganesh",
    "Hari",
    "Indra",
    "Jamuna",
    "Kamal",
    "Laxmi",
    "Mohan",
    "Nisha",
    "Omkar",
]
NAMES = [f"{first}{last}" for last in ("", "lal", "maya") for first in FIRST]


# The browser's fixtures end with this package: while Playwright runs, nothing else may run an event loop in
# the same thread, and tests elsewhere do.
@pytest.fixture(scope="package")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """An open house: bots quick, deals at tables with clocks short apart, and people soon missed."""
    running = House(
        tmp_path_factory.mktemp("house") / "data", PACE="0.05", NEXT_AFTER="2", AWAY_AFTER=str(AWAY_AFTER)
    )
    try:
        running.address()
        yield running
        running.close()
    finally:
        running.kill()


# A page at rest shows itself every ten seconds, or twenty where the first beat falls just within ten seconds
# of a request: any less, and people who are there would count as away.
AWAY_AFTER = 25


@pytest.fixture(scope="package")
def browser(chromium: str) -> Iterator[Browser]:
    """The machine's chromium."""
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield running
        running.close()


@pytest.fixture(scope="package")
def crowd(house: House) -> list[tuple[str, str]]:
    """People who have not played yet: name and session key."""
    return list(house.people(NAMES).items())


@pytest.fixture
def guest(house: House, browser: Browser) -> Iterator[Callable[..., Guest]]:
    """Lets somebody in with a browser of his own, and in the end sees what the browsers complained of.

    Keywords are options of the browser (Browser.new_context).
    """
    let_in: list[Guest] = []

    def come(name: str = "", key: str = "", **options: Any) -> Guest:
        context = browser.new_context(base_url=house.address(), **options)
        context.set_default_timeout(PATIENCE)
        let_in.append(Guest(house, context, name, key))
        return let_in[-1]

    yield come
    still_here = [each for each in let_in if each.page.context.pages]
    for each in still_here:
        each.take_leave()
    for each in still_here:
        each.go()
    for each in let_in:
        assert each.complaints == [], house.told()


@pytest.fixture
def people(crowd: list[tuple[str, str]], guest: Callable[..., Guest]) -> Callable[..., list[Guest]]:
    """So many people, registered and signed in, whom no test has seen before."""

    def come(number: int, **options: Any) -> list[Guest]:
        return [guest(*crowd.pop(0), **options) for _each in range(number)]

    return come


@pytest.fixture
def person(people: Callable[..., list[Guest]]) -> Callable[..., Guest]:
    """One of them."""
    return lambda **options: people(1, **options)[0]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests here want a browser."""
    here = os.path.dirname(__file__)
    for item in items:
        if str(item.path).startswith(here):
            item.add_marker(pytest.mark.browser)
