"""Every page of the desk, as everybody: who sees it, who is kept out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group
from django.urls import reverse

from accounts import coins
from accounts.models import Account, Transfer, User
from games import books
from games.models import BookCheck, Ruleset, Stake, Table

from .conftest import ROLES, Visit, let_wait

STAFF = {"owner", "floor", "treasurer", "rules", "staff"}
NOBODY: set[str] = set()
OWNER = {"owner"}
FLOOR = {"owner", "floor"}
COINS = {"owner", "treasurer"}
TABLES = {"owner", "floor", "treasurer"}
RULES = {"owner", "rules"}

ELSEWHERE = {"login", "logout", "jsi18n", "autocomplete", "view_on_site", "password_change_done"}
"""Pages that are Django's machinery, and show nothing of the house."""


@dataclass(frozen=True)
class House:
    """One of everything."""

    table: Table
    person: User
    suspended: User
    ruleset: Ruleset
    stake: Stake
    check: BookCheck
    account: Account
    transfer: Transfer
    group: Group
    entry: Any


@pytest.fixture
def house(staked: Any, people: list[User], owner: Any) -> House:
    """A house in which every page has something to show."""
    table = staked()
    let_wait(table, minutes=10)
    suspended = people[5]
    User.objects.filter(pk=suspended.pk).update(is_active=False)
    ruleset = Ruleset.objects.create(slug="ours", name="Ours", fields=Ruleset.objects.get(slug="kal").fields)
    stake = Stake.objects.create(name="A stake", amount=50)
    owner.post(reverse("admin:games_ruleset_retire", args=[ruleset.pk]), {"retire": "yes"})
    entry = admin.models.LogEntry.objects.get()
    wallet = coins.wallet_of(people[0])
    return House(
        table=table,
        person=people[0],
        suspended=suspended,
        ruleset=ruleset,
        stake=stake,
        check=books.run_check(),
        account=wallet,
        transfer=Transfer.objects.filter(target=wallet)[0],
        group=Group.objects.get(name="floor"),
        entry=entry,
    )


def crud(name: str, pick: str, **who: set[str]) -> dict[str, tuple[str, set[str]]]:
    """The five pages that Django makes for a model; ``who`` may see them, nobody unless it is said."""
    pages = {
        "changelist": "",
        "add": "",
        "change": pick,
        "history": pick,
        "delete": pick,
    }
    return {f"{name}_{page}": (arg, who.get(page, NOBODY)) for page, arg in pages.items()}


def seen_by(who: set[str]) -> dict[str, set[str]]:
    """Facts: a list, a page each, their history."""
    return {"changelist": who, "change": who, "history": who}


PAGES: dict[str, tuple[str, set[str]]] = {
    "index": ("", STAFF),
    "password_change": ("", STAFF),
    **crud("games_table", "table", **seen_by(TABLES)),
    "games_table_cancel": ("table", FLOOR),
    "games_table_draw": ("table", FLOOR),
    "games_table_act": ("table", FLOOR),
    **crud("games_ruleset", "ruleset", **seen_by(RULES), add=RULES),
    "games_ruleset_retire": ("ruleset", RULES),
    "games_ruleset_preview": ("", RULES),
    **crud("games_stake", "stake", **seen_by(COINS), add=COINS),
    **crud("games_bookcheck", "check", **seen_by(COINS)),
    "games_bookcheck_now": ("", COINS),
    **crud("accounts_user", "person", **seen_by(TABLES), add=OWNER),
    "accounts_user_coins": ("person", COINS),
    "accounts_user_suspend": ("person", FLOOR),
    "accounts_user_lift": ("suspended", FLOOR),
    "auth_user_password_change": ("person", OWNER),
    **crud("accounts_account", "account", **seen_by(COINS)),
    **crud("accounts_transfer", "transfer", **seen_by(COINS)),
    **crud("auth_group", "group", **seen_by(OWNER), add=OWNER, delete=OWNER),
    **crud("admin_logentry", "entry", **seen_by(OWNER)),
}
POST_ONLY = {"games_ruleset_preview", "games_bookcheck_now"}


def address(house: House, name: str, pick: str) -> str:
    """The address of a page."""
    return reverse(f"admin:{name}", args=[getattr(house, pick).pk] if pick else [])


def names() -> set[str]:
    """The names of all addresses of the desk."""

    def within(patterns: Any) -> set[str]:
        found = set()
        for pattern in patterns:
            found |= within(pattern.url_patterns) if hasattr(pattern, "url_patterns") else {pattern.name}
        return found

    return within(admin.site.get_urls()) - {None, "app_list"}


def test_every_page_is_walked() -> None:
    assert names() - ELSEWHERE == set(PAGES)


@pytest.mark.parametrize("role", ROLES)
def test_who_sees_what(role: str, house: House, visit: Visit) -> None:
    client = visit(role)
    wrong = []
    for name, (pick, who) in PAGES.items():
        expected = 200 if role in who else 403 if role in STAFF else 302
        if expected == 200 and name in POST_ONLY:
            expected = 405
        got = client.get(address(house, name, pick)).status_code
        if got != expected:
            wrong.append((name, got, expected))
    assert wrong == []


@pytest.mark.parametrize("role", ROLES)
def test_the_lists_of_an_app(role: str, house: House, visit: Visit) -> None:
    client = visit(role)
    seen = {
        label: client.get(reverse("admin:app_list", args=[label])).status_code
        for label in ("games", "accounts", "auth", "admin")
    }
    known = {
        "owner": {"games", "accounts", "auth", "admin"},
        "floor": {"games", "accounts"},
        "treasurer": {"games", "accounts"},
        "rules": {"games"},
        "staff": set(),
    }
    if role in known:
        assert {label for label, status in seen.items() if status == 200} == known[role]
    assert set(seen.values()) <= ({200, 404} if role in known else {302})


CHANGES: list[tuple[str, str, dict[str, Any], set[str]]] = [
    ("games_table_cancel", "table", {"reason": "no", "shown": "playing"}, FLOOR),
    ("games_table_draw", "table", {"reason": "no", "shown": "playing"}, FLOOR),
    ("games_table_act", "table", {"reason": "no", "shown": "playing 100"}, FLOOR),
    ("games_ruleset_retire", "ruleset", {"retire": "no"}, RULES),
    ("games_ruleset_preview", "", {}, RULES),
    ("games_ruleset_add", "", {"name": "New"}, RULES),
    ("games_ruleset_change", "ruleset", {"name": "New"}, RULES),
    ("games_stake_add", "", {"name": "New", "amount": "5", "lowest_balance": "5"}, COINS),
    ("games_stake_change", "stake", {"name": "New", "amount": "5", "lowest_balance": "5"}, COINS),
    ("games_bookcheck_now", "", {}, COINS),
    ("accounts_user_coins", "person", {"direction": "give", "amount": "5", "reason": "no"}, COINS),
    ("accounts_user_suspend", "person", {"reason": "no"}, FLOOR),
    ("accounts_user_lift", "suspended", {"reason": "no"}, FLOOR),
    ("accounts_user_change", "person", {"username": "New", "is_superuser": "on"}, OWNER),
    ("accounts_user_add", "", {"username": "New"}, OWNER),
    ("games_table_change", "table", {"name": "New"}, NOBODY),
    ("accounts_transfer_change", "transfer", {"amount": "5"}, NOBODY),
    ("accounts_account_change", "account", {"balance": "5"}, NOBODY),
    ("games_table_delete", "table", {"post": "yes"}, NOBODY),
    ("games_ruleset_delete", "ruleset", {"post": "yes"}, NOBODY),
    ("games_stake_delete", "stake", {"post": "yes"}, NOBODY),
    ("accounts_user_delete", "person", {"post": "yes"}, NOBODY),
    ("accounts_transfer_delete", "transfer", {"post": "yes"}, NOBODY),
    ("accounts_account_delete", "account", {"post": "yes"}, NOBODY),
]


def everything() -> list[Any]:
    """What those requests would change, as it is stored."""
    return [
        list(Table.objects.order_by("pk").values("status", "version", "name")),
        list(Ruleset.objects.order_by("pk").values("name", "retired", "fields")),
        list(Stake.objects.order_by("pk").values("name", "amount", "lowest_balance", "active")),
        list(User.objects.order_by("pk").values("username", "is_active", "is_superuser")),
        list(Account.objects.order_by("pk").values("pk", "balance")),
        Transfer.objects.count(),
        BookCheck.objects.count(),
        admin.models.LogEntry.objects.count(),
    ]


@pytest.mark.parametrize("role", [role for role in ROLES if role != "owner"])
def test_who_may_not_change_anything(
    role: str, house: House, visit: Visit, helper: Callable[[str], User]
) -> None:
    client = visit(role)
    before = everything()
    wrong = []
    for name, pick, data, who in CHANGES:
        if role in who:
            continue
        got = client.post(address(house, name, pick), data).status_code
        # Django shows a fact's page to who may see it, whatever the method, and changes nothing.
        allowed = {403, 200} if name.endswith("_change") and role in PAGES[name][1] else {403}
        if got not in (allowed if role in STAFF else {302}):
            wrong.append((name, got))
    assert wrong == []
    assert everything() == before


def test_the_owner_changes_no_facts_either(house: House, owner: Any) -> None:
    before = everything()
    for name, pick, data, who in CHANGES:
        if not who:
            assert owner.post(address(house, name, pick), data).status_code in (200, 403)
    assert everything() == before


def test_a_table_is_found_by_its_code(house: House, owner: Any) -> None:
    page = owner.get(reverse("admin:games_table_change", args=[house.table.code]))
    assert page.status_code == 200
    assert page.context["table"] == house.table
    assert owner.get(reverse("admin:games_table_change", args=["aaaaaaaaaa"])).status_code == 404


def test_the_desk_has_the_door_of_everybody(visit: Visit) -> None:
    page = visit("nobody").get(reverse("admin:index"), follow=True)
    assert page.redirect_chain[-1][0].startswith(reverse("account_login"))


def test_who_leaves_a_group_leaves_its_pages(
    house: House, visit: Visit, helper: Callable[[str], User]
) -> None:
    client = visit("floor")
    assert client.get(address(house, "games_table_change", "table")).status_code == 200
    helper("floor").groups.clear()
    assert client.get(address(house, "games_table_change", "table")).status_code == 403
