"""People and tables for tests, and a process memory that is empty at the start of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from accounts.models import User
from games import actions, announce
from games.actions import presence
from games.models import Ruleset, Table
from games.state import store

NAMES = ("Asha", "Bishnu", "Chandra", "Dipak", "Esha", "Faruk")


@pytest.fixture(autouse=True)
def _fresh_process(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[None]:
    """Nothing is remembered from another test, nobody is told anything, and pauses take no time."""
    store.clear()
    presence._last.clear()
    settings.PACE = 0.0
    monkeypatch.setattr(announce, "publish", lambda to, message: None)
    monkeypatch.setattr(announce, "ask", lambda *args: None)
    yield
    store.clear()
    presence._last.clear()


@pytest.fixture
def people(db: None) -> list[User]:
    """Six people."""
    return [User.objects.create_user(username=name, password="a long password 1") for name in NAMES]


OpenTable = Callable[..., Table]


@pytest.fixture
def open_table(db: None) -> OpenTable:
    """Open a table: ``open_table(user, rules="kal", bots={1: "normal"}, seat=0, **what else differs)``."""

    def make(user: User, rules: str = "kal", **changes: Any) -> Table:
        preset = Ruleset.objects.get(slug=rules)
        ruleset = changes.pop("ruleset", preset.rules)
        arguments: dict[str, Any] = {
            "name": "A table",
            "ruleset": preset,
            "rules": ruleset,
            "rules_name": preset.name,
            "players": ruleset.players[0],
            "length": ruleset.deals[0],
            "call_clock": ruleset.call_clock,
            "card_clock": ruleset.card_clock,
            "pace": "normal",
            "public": True,
            "watchable": True,
            "bots": {},
            "seat": 0,
        }
        arguments.update(changes)
        return actions.open_table(user, **arguments)

    return make


@pytest.fixture
def full_table(open_table: OpenTable, people: list[User]) -> OpenTable:
    """A table at which people sit in every seat that no bot has, and the match has begun."""

    def make(rules: str = "kal", **changes: Any) -> Table:
        table = open_table(people[0], rules, **changes)
        for index in store.fresh(table.pk).free:
            actions.take_seat(table.pk, people[index], index)
        table.refresh_from_db()
        assert table.status == Table.PLAYING
        return table

    return make


@pytest.fixture
def staked(open_table: OpenTable, people: list[User]) -> OpenTable:
    """``staked("kal", stake=50)``: a match with a stake at which people sit in all seats, begun."""

    def make(preset: str = "kal", stake: int = 50, **changes: Any) -> Table:
        table = open_table(people[0], preset, stake=stake, asks_for=stake, **changes)
        for index in range(table.players):
            actions.take_seat(table.pk, people[index], index, agreed=stake)
        table.refresh_from_db()
        assert table.status == Table.PLAYING
        return table

    return make
