"""The desk in a real browser: nothing is blocked or complained of, it fits a phone, and the preview follows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games import actions, books
from games.models import Ruleset, Table
from games.state import store

from .conftest import let_wait

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@contextmanager
def browser_of(client: Client, server: Any, chromium: str, **options: Any) -> Iterator[Any]:
    """A page of this person's browser; anything the browser complains about fails the test at the end."""
    from playwright.sync_api import sync_playwright

    session = {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": server.url}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        context = browser.new_context(base_url=server.url, **options)
        context.add_cookies([session])
        page = context.new_page()
        complaints: list[str] = []
        page.on("console", lambda line: complaints.append(line.text) if line.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        yield page
        browser.close()
    assert complaints == []


@pytest.fixture(autouse=True)
def _queries_beside_the_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    """Playwright's loop runs in this thread; the queries of the test come between its calls, not within."""
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")


def test_no_page_is_complained_of_and_all_fit_a_phone(
    staked: Any, people: list[User], owner: Client, live_server: Any, chromium: str
) -> None:
    table = staked()
    actions.act_for_stuck(table.pk, store.fresh(table.pk).moment)
    let_wait(table, minutes=9)
    ruleset = Ruleset.objects.create(slug="ours", name="Ours", fields=Ruleset.objects.get(slug="kal").fields)
    check, person = books.run_check(), people[0]
    names: list[tuple[str, list[Any]]] = [
        ("index", []),
        *((f"games_{model}_changelist", []) for model in ("table", "ruleset", "stake", "bookcheck")),
        *((f"accounts_{model}_changelist", []) for model in ("user", "account", "transfer")),
        ("admin_logentry_changelist", []),
        *((f"games_table_{page}", [table.pk]) for page in ("change", "cancel", "draw", "act", "history")),
        *((f"games_ruleset_{page}", [ruleset.pk]) for page in ("change", "retire", "history")),
        ("games_ruleset_add", []),
        ("games_stake_add", []),
        ("games_bookcheck_change", [check.pk]),
        *((f"accounts_user_{page}", [person.pk]) for page in ("change", "coins", "suspend", "history")),
        ("auth_user_password_change", [person.pk]),
        ("accounts_account_change", [person.wallet.pk]),
    ]
    with browser_of(owner, live_server, chromium, viewport={"width": 390, "height": 844}) as page:
        for name, args in names:
            answer = page.goto(reverse(f"admin:{name}", args=args))
            assert answer.status == 200, name
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name


def test_the_preview_follows_what_is_typed(
    people: list[User], owner: Client, live_server: Any, chromium: str
) -> None:
    with browser_of(owner, live_server, chromium, viewport={"width": 1280, "height": 800}) as page:
        page.goto(reverse("admin:games_ruleset_add") + "?from=kal")
        page.fill("[name=min_call]", "3")
        page.locator("[name=min_call]").blur()
        page.wait_for_selector("#in-words >> text=Calls go from 3 to 8.")
        page.check("[name=tie][value=extra]")
        page.wait_for_selector("#in-words >> text=further deals are played")
        page.fill("[name=max_call]", "2")
        page.locator("[name=max_call]").blur()
        page.wait_for_selector("#in-words >> text=The lowest call, 3, is above the highest, 2.")
        page.fill("[name=max_call]", "9")
        page.fill("[name=name]", "Patan rules")
        page.click("input[name=_save]")
        page.wait_for_url("**/desk/games/ruleset/")
    made = Ruleset.objects.get(name="Patan rules").rules
    assert (made.min_call, made.max_call, made.tie) == (3, 9, "extra")


def test_a_match_is_cancelled_from_the_front_page(
    staked: Any, people: list[User], owner: Client, live_server: Any, chromium: str
) -> None:
    table = staked(name="Patan evenings")
    let_wait(table, minutes=9)
    with browser_of(owner, live_server, chromium, java_script_enabled=False) as page:
        page.goto("/desk/")
        page.click("text=Patan evenings")
        page.click(".object-tools >> text=Cancel and refund")
        page.fill("[name=reason]", "one of them fell asleep")
        page.click(".submit-row input")
        page.wait_for_selector("text=200 coins went back")
        assert page.locator("text=Stake given back").count() == 4
    assert store.fresh(table.pk).status == Table.CANCELLED
