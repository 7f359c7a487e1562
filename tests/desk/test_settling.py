"""What the desk does to tables: what is said before, what moves, and that nothing moves twice."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse

from accounts import ledger_check
from accounts.models import Transfer, User
from games import actions
from games.actions import desk
from games.models import Action, Table
from games.state import store
from tests.tables.test_stakes import balances, escrow

from .conftest import let_wait, said

STALE = "The table has moved on"


def ask(client: Client, table: Table, verb: str) -> Any:
    return client.get(reverse(f"admin:games_table_{verb}", args=[table.pk]))


def answer(client: Client, table: Table, verb: str, shown: str = "playing", reason: str = "power cut") -> Any:
    url = reverse(f"admin:games_table_{verb}", args=[table.pk])
    return client.post(url, {"reason": reason, "shown": shown}, follow=True)


@pytest.mark.parametrize(
    ("verb", "ending", "told"),
    [("cancel", "house", "Match cancelled."), ("draw", "drawn", "Declared a draw.")],
)
def test_every_stake_goes_back_once(
    verb: str, ending: str, told: str, staked: Any, people: list[User], owner: Client
) -> None:
    table = staked()
    page = ask(owner, table, verb)
    assert page.context["question"].moves == [(person.username, 50) for person in people[:4]]
    assert "+50" in page.content.decode()
    assert balances(people) == [950] * 4
    done = answer(owner, table, verb, page.context["form"].initial["shown"])
    assert told in said(done)
    assert "200 coins went back" in said(done)
    state = store.fresh(table.pk)
    assert (state.status, state.ending) == (Table.CANCELLED, ending)
    assert balances(people) == [1000] * 4
    again = answer(owner, table, verb)
    assert STALE in said(again)
    assert Transfer.objects.filter(reason="refund").count() == 4
    entry = LogEntry.objects.get()
    assert (entry.object_id, entry.user.username) == (str(table.pk), "The owner")
    assert "Reason: power cut" in entry.get_change_message()
    assert ledger_check.check().sound


def test_a_reason_is_asked_for(staked: Any, people: list[User], owner: Client) -> None:
    table = staked()
    page = answer(owner, table, "cancel", reason="  ")
    assert page.status_code == 200
    assert page.context["form"].errors["reason"]
    assert store.fresh(table.pk).status == Table.PLAYING
    assert not LogEntry.objects.exists()


def test_a_match_that_began_meanwhile_is_not_closed_unasked(
    open_table: Any, people: list[User], owner: Client
) -> None:
    table = open_table(people[0], stake=50, asks_for=50)
    page = ask(owner, table, "cancel")
    assert page.context["question"].moves == ()
    for seat in range(4):
        actions.take_seat(table.pk, people[seat], seat, agreed=50)
    done = answer(owner, table, "cancel", page.context["form"].initial["shown"])
    assert STALE in said(done)
    assert escrow(table) == 200


def test_an_open_table_is_closed_and_nothing_moves(
    open_table: Any, people: list[User], owner: Client
) -> None:
    table = open_table(people[0], stake=50, asks_for=50)
    done = answer(owner, table, "cancel", "open")
    assert "no coins moved" in said(done)
    assert store.fresh(table.pk).status == Table.CLOSED
    assert STALE in said(answer(owner, table, "cancel", "open"))


def test_a_friendly_match_moves_nothing(full_table: Any, owner: Client) -> None:
    table = full_table()
    assert "no coins move" in " ".join(ask(owner, table, "draw").context["question"].says)
    assert "No coins lay on it." in said(answer(owner, table, "draw"))


def test_a_table_that_has_ended_is_not_asked_about(staked: Any, people: list[User], owner: Client) -> None:
    table = staked()
    actions.cancel_by_house(table.pk, people[5], "before")
    for verb in ("cancel", "draw", "act"):
        page = owner.get(reverse(f"admin:games_table_{verb}", args=[table.pk]), follow=True)
        assert "cannot be done" in said(page)


def test_a_stuck_table_is_helped_once(staked: Any, people: list[User], owner: Client) -> None:
    table = staked()
    let_wait(table, minutes=12)
    state = store.fresh(table.pk)
    page = ask(owner, table, "act")
    says = " ".join(page.context["question"].says)
    assert people[state.turn].username in says
    assert "12\N{NO-BREAK SPACE}minutes" in says
    shown = page.context["form"].initial["shown"]
    assert "A bot called for" in said(answer(owner, table, "act", shown))
    assert Action.objects.get().by == Action.DESK
    assert STALE in said(answer(owner, table, "act", shown))
    assert Action.objects.count() == 1
    assert LogEntry.objects.count() == 1


def test_a_table_is_not_stuck_at_once(staked: Any, owner: Client) -> None:
    table = staked()
    let_wait(table, seconds=100)
    assert [verb.key for verb in _page(owner, table).context["verbs"]] == ["draw", "cancel"]
    done = answer(owner, table, "act", f"playing {store.fresh(table.pk).moment}")
    assert STALE in said(done)
    assert not Action.objects.exists()
    let_wait(table, seconds=130)
    assert [verb.key for verb in _page(owner, table).context["verbs"]] == ["act", "draw", "cancel"]


def test_a_table_with_a_clock_is_not_stuck_while_it_runs(
    full_table: Any, people: list[User], owner: Client
) -> None:
    table = full_table("kal", call_clock=600, card_clock=600)
    let_wait(table, minutes=5)
    assert [verb.key for verb in _page(owner, table).context["verbs"]] == ["draw", "cancel"]


def test_next_is_pressed_for_everybody(staked: Any, owner: Client) -> None:
    table = staked(length=3)
    while (state := store.fresh(table.pk)).phase != "scored":
        actions.act_for_stuck(table.pk, state.moment)
    let_wait(table, minutes=3)
    page = ask(owner, table, "act")
    assert "Next is pressed" in " ".join(page.context["question"].says)
    answer(owner, table, "act", page.context["form"].initial["shown"])
    assert store.fresh(table.pk).deal_number == 2


def _page(client: Client, table: Table) -> Any:
    return client.get(reverse("admin:games_table_change", args=[table.pk]))


def test_whoever_sits_there_himself_is_reminded(open_table: Any, people: list[User]) -> None:
    host = User.objects.get(pk=people[0].pk)
    host.is_staff = host.is_superuser = True
    host.save()
    table = open_table(host)
    for seat in range(1, 4):
        actions.take_seat(table.pk, people[seat], seat)
    client = Client()
    client.force_login(host)
    assert "You sit at this table yourself." in ask(client, table, "cancel").context["question"].says


@pytest.mark.django_db(transaction=True)
def test_what_fails_leaves_no_trace(
    staked: Any, people: list[User], owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = staked()
    version = store.fresh(table.pk).version
    end = desk.end

    def fail(*args: Any, **kwargs: Any) -> None:
        end(*args, **kwargs)
        raise RuntimeError("the power was cut")

    monkeypatch.setattr(desk, "end", fail)
    with pytest.raises(RuntimeError):
        answer(owner, table, "cancel")
    assert not LogEntry.objects.exists()
    assert balances(people) == [950] * 4
    state = store.fresh(table.pk)
    assert (state.status, state.version) == (Table.PLAYING, version)
