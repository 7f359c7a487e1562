"""The list of tables: what each is doing, what waits, and how one is found."""

from __future__ import annotations

from typing import Any

from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Seat, Table

from .conftest import let_wait


def listed(client: Client, **query: str) -> list[Table]:
    page = client.get(reverse("admin:games_table_changelist"), query)
    assert page.status_code == 200
    return list(page.context["cl"].result_list)


def let_go() -> None:
    """Let the same people begin another match."""
    Seat.objects.update(playing=False)
    Table.objects.update(host=None)


def test_what_waits_longest_comes_first(
    staked: Any, full_table: Any, open_table: Any, people: list[User], owner: Client
) -> None:
    tables = []
    for minutes in (5, 40, 1, 20):
        let_go()
        tables.append(staked())
        let_wait(tables[-1], minutes=minutes)
    let_go()
    friendly = full_table()
    let_wait(friendly, minutes=30)
    five, forty, _one, twenty = tables
    assert listed(owner, waiting="staked") == [forty, twenty, five]
    assert listed(owner, waiting="all") == [forty, friendly, twenty, five]
    front = owner.get(reverse("admin:index")).content.decode()
    links = [
        front.index(reverse("admin:games_table_change", args=[table.pk])) for table in (forty, twenty, five)
    ]
    assert links == sorted(links)
    assert reverse("admin:games_table_change", args=[friendly.pk]) not in front


def test_an_absent_player_is_not_waited_for(staked: Any, owner: Client) -> None:
    table = staked()
    table.seats.update(away=True)
    let_wait(table, minutes=10)
    Table.objects.filter(pk=table.pk).update(act_by=table.opened_at.replace(year=2999))
    assert listed(owner, waiting="staked") == []


def test_a_table_is_found_by_code_name_and_player(open_table: Any, people: list[User], owner: Client) -> None:
    mine = open_table(people[0], name="Patan evenings")
    other = open_table(people[1], name="Another")
    assert listed(owner, q=mine.code) == [mine]
    assert listed(owner, q="evenings") == [mine]
    assert listed(owner, q=people[1].username) == [other]
    assert listed(owner, q="nobody") == []


def test_the_list_tells_what_each_is_doing(staked: Any, people: list[User], owner: Client) -> None:
    table = staked(name="Patan evenings")
    table.seats.filter(index=2).update(away=True)
    let_wait(table, minutes=10)
    html = owner.get(reverse("admin:games_table_changelist"), {"status__exact": "playing"}).content.decode()
    for piece in ("deal 1 of 5, calling", "10\N{NO-BREAK SPACE}minutes", "3/4", "200"):
        assert piece in html


def test_running_tables_stand_before_open_ones(
    full_table: Any, open_table: Any, people: list[User], owner: Client
):
    running = full_table()
    waiting = open_table(people[4])
    assert listed(owner) == [running, waiting]
    assert listed(owner, status__exact="open") == [waiting]
    assert listed(owner, staked="yes") == []


def test_known_states_cost_no_queries(
    full_table: Any, owner: Client, django_assert_max_num_queries: Any
) -> None:
    for _each in range(3):
        let_go()
        full_table()
    listed(owner)
    with django_assert_max_num_queries(12):
        listed(owner)
