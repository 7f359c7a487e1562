"""The lists of the lobby: who is in them, in which order, at what cost, and that nothing typed gets through raw."""

from __future__ import annotations

import re
from typing import Any

from django.utils import translation

from accounts.models import User
from games import lobby
from games.models import Table
from tests.lobby.conftest import PutTable


def test_open_tables_are_public_and_those_nearest_to_starting_come_first(put_table: PutTable) -> None:
    put_table("Bela", None, None, None, name="wide open")
    put_table("Chitra", "bot", "bot", None, name="one free")
    put_table("Dipa", None, "bot", None, name="two free")
    put_table("Esha", None, None, None, name="by link", public=False)
    put_table("Faiz", "bot", "bot", "bot", name="running", status=Table.PLAYING)
    put_table("Gita", None, None, None, name="closed", status=Table.CLOSED)
    assert [table.name for table in lobby.open_tables()] == ["one free", "two free", "wide open"]


def test_an_open_table_says_what_one_sits_down_to(put_table: PutTable) -> None:
    put_table(
        "Bela", "bot", None, name="Evenings", call_clock=30, card_clock=15, pace="slow", watchable=False
    )
    (table,) = lobby.open_tables()
    assert table == lobby.OpenTable(
        code=Table.objects.get().code,
        name="Evenings",
        rules_name="Kal",
        players=3,
        length=5,
        seats=(("person", "B"), ("bot", ""), ("free", "")),
        taken=2,
        call_clock=30,
        card_clock=15,
        pace="slow",
        watchable=False,
        host="Asha",
        stake=0,
    )
    html = lobby.tables_html((table,))
    for part in (
        "Evenings",
        "Kal",
        "5 deals",
        "15 s",
        "2 of 3 seats taken",
        "slow pace",
        "no watchers",
        "Asha",
    ):
        assert part in html
    assert f'href="/t/{table.code}/"' in html
    assert html.count("<i class=") == 3


def test_the_lists_cost_two_queries_each_however_long(
    put_table: PutTable, django_assert_max_num_queries: Any
) -> None:
    for number in range(6):
        put_table(f"Person {number}", "bot", None, None)
        put_table(f"Player {number}", "bot", "bot", "bot", status=Table.PLAYING, deal=2)
    with django_assert_max_num_queries(2):
        assert len(lobby.open_tables()) == 6
    with django_assert_max_num_queries(2):
        assert len(lobby.running_tables()) == 6
    with django_assert_max_num_queries(4):
        lobby.pieces()


def test_the_lists_end_somewhere(put_table: PutTable, host: User, monkeypatch: Any) -> None:
    monkeypatch.setattr(lobby, "MOST_OPEN", 3)
    monkeypatch.setattr(lobby, "MOST_RUNNING", 2)
    for _ in range(4):
        put_table(None, None, None)
        put_table("bot", "bot", "bot", status=Table.PLAYING)
    assert len(lobby.open_tables()) == 3
    assert len(lobby.running_tables()) == 2


def test_running_tables_are_those_anybody_may_watch_the_latest_first(put_table: PutTable) -> None:
    put_table("Bela", "bot", "bot", name="first", status=Table.PLAYING, deal=3)
    put_table("Chitra", "bot", "bot", name="second", status=Table.PLAYING, deal=1)
    put_table("Dipa", "bot", "bot", name="private", status=Table.PLAYING, public=False)
    put_table("Esha", "bot", "bot", name="unwatched", status=Table.PLAYING, watchable=False)
    put_table("Faiz", None, None, name="open")
    found = lobby.running_tables()
    assert [(table.name, table.deal) for table in found] == [("second", 1), ("first", 3)]
    html = lobby.running_html(found)
    assert 'id="running"' in html
    assert "deal 3 of 5" in html
    assert "1 person, 2 bots" in html


def test_what_people_typed_is_text(put_table: PutTable) -> None:
    name = '<img src=x onerror="alert(1)">&'
    put_table("Bela", None, None, name=name, rules_name="<i>mine</i>")
    put_table("Bela", "bot", "bot", name=name, rules_name="<i>mine</i>", status=Table.PLAYING)
    html = lobby.pieces()
    assert "<img" not in html
    assert "<i>mine" not in html
    assert html.count("&lt;img src=x onerror=&#34;alert(1)&#34;&gt;&amp;") == 4


def test_an_empty_lobby_says_what_to_do_and_keeps_its_places(db: None) -> None:
    assert lobby.open_tables() == ()
    html = lobby.tables_html(())
    assert html.startswith('<div id="tables">')
    assert "Play now" in html
    assert "open a table" in html
    assert lobby.running_html(()) == '<section id="running" hidden></section>'


def test_pushed_pieces_are_swapped_by_id_and_nothing_else_is_sent(put_table: PutTable) -> None:
    put_table("Bela", None, None)
    put_table("Chitra", "bot", "bot", status=Table.PLAYING, deal=1)
    html = lobby.pieces()
    tops = re.findall(r'<(?:div|section) id="(\w+)" hx-swap-oob="outerMorph"', html)
    assert tops == ["tables", "running"]
    assert html.count("hx-swap-oob") == 2
    assert html.replace(' hx-swap-oob="outerMorph"', "") == (
        lobby.tables_html(lobby.open_tables()) + lobby.running_html(lobby.running_tables())
    )


def test_a_list_that_did_not_change_is_not_rendered_again(put_table: PutTable) -> None:
    put_table("Bela", None, None)
    first = lobby.tables_html(lobby.open_tables())
    assert lobby.tables_html(lobby.open_tables()) is first
    with translation.override("ne"):
        assert lobby.tables_html(lobby.open_tables()) is not first
