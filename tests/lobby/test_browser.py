"""The page that opens a table in a real browser: it follows the choices, with JavaScript and without."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.models import Table
from games.rules import PRESETS

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@contextmanager
def browser_of(host: User, server: Any, chromium: str, *, javascript: bool = True) -> Iterator[Any]:
    """A page of the host's browser; anything the browser complains about fails the test at the end."""
    from playwright.sync_api import sync_playwright

    client = Client()
    client.force_login(host)
    session = {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": server.url}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        context = browser.new_context(java_script_enabled=javascript, viewport={"width": 390, "height": 844})
        context.add_cookies([session])
        page = context.new_page()
        complaints: list[str] = []

        def complain(text: str) -> None:
            if "/tables/new/" in page.url:  # the table's page wants sockets, which this server does not have
                complaints.append(text)

        page.on("console", lambda line: complain(line.text) if line.type == "error" else None)
        page.on("pageerror", lambda error: complain(str(error)))
        page.goto(f"{server.url}/tables/new/")
        yield page
        browser.close()
    assert complaints == []


@pytest.fixture(autouse=True)
def _queries_beside_the_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    """Playwright's loop runs in this thread; the queries of the test come between its calls, not within."""
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")


def test_the_form_follows_the_choices_and_keeps_the_rest(host: User, live_server: Any, chromium: str) -> None:
    with browser_of(host, live_server, chromium) as page:
        page.fill("#i-name", "Patan evenings")
        page.click("label[for=i-rules-official]")
        page.click("label[for=i-players-5]")
        page.click("label[for=i-seat_4-normal]")
        page.click("label[for=i-deals-9]")
        page.focus("#i-rules-official")
        page.keyboard.press("ArrowDown")
        page.wait_for_selector("#i-rules-custom:checked:focus")
        page.click("label[for=i-house-yes]")
        page.click("#g-score summary")
        page.fill("#i-rule_overtrick", "0.1")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.click(".send button")
        page.wait_for_url("**/t/*/")
    table = Table.objects.get()
    assert (table.name, table.players, table.length, table.ruleset) == ("Patan evenings", 5, 9, None)
    expected = PRESETS["custom"].changed(players=[5], deals=[9], overtrick=1)
    assert table.fields == expected.to_dict()
    assert [(seat.index, bool(seat.bot)) for seat in table.seats.all()] == [(0, False), (4, True)]


def test_the_form_works_without_javascript(host: User, live_server: Any, chromium: str) -> None:
    with browser_of(host, live_server, chromium, javascript=False) as page:
        page.click("label[for=i-rules-official]")
        page.fill("#i-name", "Slow and steady")
        page.click("button[formmethod=get]", timeout=5000)
        assert "csrf" not in page.url
        page.click("label[for=i-players-4]")
        page.click("button[formmethod=get]", timeout=5000)
        page.click("label[for=i-seat_3-normal]")
        page.click(".send button")
        page.wait_for_url("**/t/*/")
    table = Table.objects.get()
    assert (table.name, table.players, table.rules_name) == ("Slow and steady", 4, "Official")
    assert [seat.index for seat in table.seats.all()] == [0, 3]
