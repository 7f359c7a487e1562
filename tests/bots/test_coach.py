"""The coach: who may ask, what he is told, and that nobody else is."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games import announce, bots, coach
from games.actions import open_table
from games.models import Ruleset, Seat, Table, load_presets
from games.state import store

pytestmark = pytest.mark.django_db


@pytest.fixture
def asha(django_user_model):
    """The person at the table."""
    return django_user_model.objects.create_user("Asha")


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch, asha) -> Table:
    """Asha plays kal against three bots, and it is her turn to call."""
    monkeypatch.setattr(bots, "WORLDS", {"hard": 3, "expert": 8})
    monkeypatch.setattr(bots, "CALL_WORLDS", {"hard": 3, "expert": 8})
    monkeypatch.setattr(announce, "publish", lambda *_args: None)
    monkeypatch.setattr("games.actions.change.secrets.randbelow", lambda players: players - 1)
    store.clear()
    load_presets()
    kal = Ruleset.objects.get(slug="kal")
    return open_table(
        asha, name="Bots", ruleset=kal, rules=kal.rules, rules_name="Kal", players=4, length=1, call_clock=None,
        card_clock=None, pace="fast", public=True, watchable=True, bots=dict.fromkeys((1, 2, 3), "normal"), seat=0,
    )  # fmt: skip


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple]:
    """What was given to the workers."""
    tasks: list[tuple] = []
    monkeypatch.setattr(
        coach.current_app, "send_task", lambda name, args, **how: tasks.append((name, args, how))
    )
    return tasks


def test_a_hint_is_asked_for_awaited_and_shown(table: Table, asha, client, sent):
    client.force_login(asha)
    page = reverse("hint", args=[table.code])
    assert "Ask for a hint" in client.get(page).content.decode()
    asked = client.post(page)
    (task,) = sent
    assert task[0] == "games.tasks.hint"
    assert task[2]["queue"] == "hints"
    waiting = client.get(asked["Location"]).content.decode()
    assert 'http-equiv="refresh"' in waiting
    client.post(page)
    assert len(sent) == 1, "asking twice thinks once"
    coach.think(*task[1])
    shown = client.get(asked["Location"]).content.decode()
    assert "would choose" in shown
    assert shown.count("<tr>") == 1 + 8
    assert "refresh" not in shown


def test_every_legal_card_has_its_estimate(table: Table, asha):
    state = store.fresh(table.pk)
    from games.actions import call
    from games.actions.house import act_for

    call(table.pk, asha.pk, 2, deal=1, number=0)
    while (state := store.fresh(table.pk)).turn != 0:
        act_for(state, "bot")
    coach.think(table.pk, state.moment, 0)
    found = coach.read(state, 0)
    legal = state.sight(0).legal.cards
    assert [card for card, _worth in found.worth] == [card for card in range(52) if legal >> card & 1]
    assert legal >> found.best & 1


def test_never_where_another_person_sits(table: Table, asha, django_user_model, client, sent):
    other = django_user_model.objects.create_user("Bishnu")
    Seat.objects.filter(table=table, index=2).update(bot="", user=other, left=True, playing=False)
    store.clear()
    client.force_login(asha)
    assert client.post(reverse("hint", args=[table.code])).status_code == 403
    assert client.get(reverse("hint", args=[table.code])).status_code == 403
    assert "/hint/" not in client.get(reverse("table", args=[table.code])).content.decode()
    state = store.fresh(table.pk)
    coach.think(table.pk, state.moment, 0)
    assert coach.read(state, 0) is None
    assert sent == []


def test_nobody_else_is_told(table: Table, django_user_model, client, sent):
    coach.think(table.pk, store.fresh(table.pk).moment, 0)
    page = reverse("hint", args=[table.code])
    assert client.get(page).status_code == 302
    client.force_login(django_user_model.objects.create_user("Chandra"))
    answer = client.get(page)
    assert answer.status_code == 403
    assert "would choose" not in answer.content.decode()


def test_the_way_to_it_is_in_the_menu(table: Table, asha, client):
    client.force_login(asha)
    assert (
        reverse("hint", args=[table.code]) in client.get(reverse("table", args=[table.code])).content.decode()
    )


def test_a_moment_that_has_passed_is_not_thought_about(table: Table):
    state = store.fresh(table.pk)
    coach.think(table.pk, state.moment - 1, 0)
    assert coach.read(state, 0) is None
