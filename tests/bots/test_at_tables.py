"""Bots at the house's tables: what is stored with their decisions, what is announced, and deciding again."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from games import announce, bots
from games.actions import open_table
from games.actions.house import act_for
from games.models import Action, Ruleset, Table, load_presets
from games.state import store

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch, django_user_model) -> Table:
    """A table of four bots, one of each level, playing one deal of kal; its host watches."""
    monkeypatch.setattr(bots, "WORLDS", {"hard": 3, "expert": 8})
    monkeypatch.setattr(bots, "CALL_WORLDS", {"hard": 3, "expert": 8})
    monkeypatch.setattr(announce, "publish", lambda *_args: None)
    store.clear()
    load_presets()
    host = django_user_model.objects.create_user("Asha")
    kal = Ruleset.objects.get(slug="kal")
    return open_table(
        host, name="Bots", ruleset=kal, rules=kal.rules, rules_name="Kal", players=4, length=1, call_clock=None,
        card_clock=None, pace="fast", public=True, watchable=True, bots=dict(enumerate(bots.LEVELS)), seat=None,
    )  # fmt: skip


def play_out(table: Table) -> None:
    """Let the bots play the deal."""
    while (state := store.fresh(table.pk)).turn is not None:
        assert act_for(state, Action.BOT) is not None


def again(table: Table, action: str) -> str:
    """What replay_bot prints."""
    out = StringIO()
    call_command("replay_bot", table.code, action, stdout=out)
    return out.getvalue()


def test_every_decision_is_kept_and_is_the_same_again(table: Table):
    play_out(table)
    actions = Action.objects.filter(deal__table=table).order_by("number")
    assert len(actions) == 56
    for action in actions:
        assert action.thought["level"] == bots.LEVELS[action.seat]
        assert action.thought["version"] == bots.VERSION
    for number in (0, 1, 2, 3, *range(4, 56, 5)):
        said = again(table, f"1.{number}")
        assert "bots version" in said
        assert "then: " in said


def test_nobody_looks_at_a_bots_cards_while_the_match_runs(table: Table):
    act_for(store.fresh(table.pk), Action.BOT)
    with pytest.raises(CommandError, match="still being played"):
        again(table, "1.0")


def test_what_is_no_decision_of_a_bot_is_said(table: Table):
    play_out(table)
    Action.objects.filter(deal__table=table, number=5).update(thought=None)
    for action, said in (("1.5", "No bot"), ("1.77", "no such action"), ("x", "no such action")):
        with pytest.raises(CommandError, match=said):
            again(table, action)
    with pytest.raises(CommandError, match="no such table"):
        call_command("replay_bot", "nowhere", "1.0")


def test_a_decision_that_comes_out_otherwise_is_a_fault(table: Table):
    play_out(table)
    action = Action.objects.get(deal__table=table, number=0)
    Action.objects.filter(pk=action.pk).update(value=action.value % 8 + 1)
    with pytest.raises(CommandError, match="not the same"):
        again(table, "1.0")


def test_the_announcement_says_nothing_of_how_it_was_decided(table: Table, monkeypatch: pytest.MonkeyPatch,
                                                            django_capture_on_commit_callbacks):  # fmt: skip
    told: list[dict] = []
    monkeypatch.setattr(announce, "publish", lambda _to, message: told.append(message))
    with django_capture_on_commit_callbacks(execute=True):
        act_for(store.fresh(table.pk), Action.BOT)
    moved = next(message for message in told if "act" in message)
    assert set(moved) == {"type", "table", "version", "act", "at"}
    assert len(moved["act"]) == 4
