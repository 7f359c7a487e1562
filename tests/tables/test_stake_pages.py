"""Tables with a stake as a browser asks for them: the contract, sitting down, and receipts that are what was paid."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from accounts import coins
from accounts.models import Transfer, User
from games import actions, board, rules
from games.actions import stakes
from games.models import Seat, Table
from games.state import Scored, TableState, store
from games.view import view_of
from tests.board.made import read

from .test_between import play_deal

MINUS = "\N{MINUS SIGN}"


def browser(person: User | None) -> Client:
    """A browser, signed in as this person."""
    client = Client()
    if person is not None:
        client.force_login(person)
    return client


def take_away(person: User, amount: int) -> None:
    """Leave him with fewer coins."""
    coins.transfer(coins.wallet_of(person), coins.mint(), amount, reason="desk_take", key=f"take/{person.pk}")


def heard(html: str) -> str:
    """What a page says to ears, in one line."""
    body = re.sub(r"<!doctype.*?<body", "<body", html, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]*>", " ", body).split())


@pytest.fixture
def waiting(open_table: Any, people: list[User]) -> Table:
    """A table for 50 that asks for 80, its host on seat 0."""
    table = open_table(people[0], "classic", stake=50, asks_for=80, name="By the <river>")
    actions.take_seat(table.pk, people[0], 0, agreed=50)
    return table


# ---------------------------------------------------------------- the contract


def test_nobody_is_led_to_the_door_and_back(waiting: Table) -> None:
    address = f"/t/{waiting.code}/contract/?seat=2"
    answer = browser(None).get(address)
    assert answer.status_code == 302
    assert answer["Location"] == f"/people/sign-in/?next=/t/{waiting.code}/contract/%3Fseat%3D2"


def test_the_contract_says_what_is_agreed_to(waiting: Table, people: list[User]) -> None:
    html = browser(people[1]).get(f"/t/{waiting.code}/contract/?seat=2").content.decode()
    for about, sentence in (
        ("The stake", "50 coins are taken from your wallet when the match starts, not before."),
        ("The stake", "[^<]*To sit down you need to have 80."),
        ("The pot", "200 coins; all of it goes to whoever has the highest total"),
        ("Level at the top", "share the pot in whole coins"),
        ("If you are away", "A bot plays your turns"),
        ("If you leave", "A bot plays on for you"),
        ("Stopping", "Then every stake goes back"),
        ("The coins", "play money"),
    ):
        assert re.search(rf"<dt>{about}</dt><dd>[^<]*{sentence}", html)
    assert "By the &lt;river&gt;" in html
    assert "<river>" not in html
    assert '<input type="hidden" name="seat" value="2"><input type="hidden" name="agreed" value="50">' in html
    assert "you stake 50 in the pot 200 you have 1,000" in heard(html)
    assert not re.search(r"\sstyle=|<style|\son\w+=|<script(?![^>]*\ssrc=)|javascript:", html)


@pytest.mark.parametrize("seat", ["", "0", "9", "-1", "x", "%00", "<b>"])
def test_a_seat_that_is_not_free_is_the_first_free_one(waiting: Table, people: list[User], seat: str) -> None:
    html = browser(people[1]).get(f"/t/{waiting.code}/contract/", {"seat": seat}).content.decode()
    assert 'name="seat" value="1"' in html


def test_who_has_too_few_coins_reads_that_and_finds_no_button(waiting: Table, people: list[User]) -> None:
    take_away(people[1], 930)
    html = browser(people[1]).get(f"/t/{waiting.code}/contract/").content.decode()
    assert "This table asks for 80 coins to sit down, and you have 70." in html
    assert f"/t/{waiting.code}/sit/" not in html
    assert "Level at the top" in html


def test_where_there_is_nothing_to_agree_to_the_table_is_shown(
    waiting: Table, staked: Any, open_table: Any, people: list[User]
) -> None:
    friendly = open_table(people[4])
    for table, person in (
        (friendly, people[5]),
        (waiting, people[0]),  # he has a seat
        (staked(), people[5]),  # it is full and has begun
    ):
        answer = browser(person).get(f"/t/{table.code}/contract/")
        assert (answer.status_code, answer["Location"]) == (302, f"/t/{table.code}/")
    assert browser(people[5]).get("/t/nowhere/contract/").status_code == 404


# ---------------------------------------------------------------- sitting down


@pytest.mark.parametrize(
    ("fields", "status", "told"),
    [
        ({}, 422, "Read first what is at stake at this table."),
        ({"agreed": "10"}, 422, "Read first what is at stake at this table."),
        ({"agreed": "-50"}, 422, "That was not understood"),
        ({"agreed": ""}, 422, "That was not understood"),
        ({"agreed": "50", "seat": "0"}, 409, "That seat was just taken."),
    ],
)
def test_nobody_sits_down_without_agreeing_to_this_stake(
    waiting: Table, people: list[User], fields: dict[str, str], status: int, told: str
) -> None:
    answer = browser(people[1]).post(f"/t/{waiting.code}/sit/", {"seat": "1", **fields})
    assert answer.status_code == status
    assert re.search(rf'id="notice" role="alert">{told}', answer.content.decode())
    assert store.fresh(waiting.pk).free == (1, 2, 3)


def test_who_agrees_sits(waiting: Table, people: list[User]) -> None:
    answer = browser(people[1]).post(f"/t/{waiting.code}/sit/", {"seat": "2", "agreed": "50"})
    assert (answer.status_code, answer["Location"]) == (302, f"/t/{waiting.code}/")
    assert store.fresh(waiting.pk).free == (1, 3)
    html = browser(people[1]).get(f"/t/{waiting.code}/").content.decode()
    assert "50 each, 200 in the pot. Coins are play money" in html


def test_too_few_coins_are_told_on_the_page_and_in_a_piece(waiting: Table, people: list[User]) -> None:
    take_away(people[1], 930)
    told = "This table asks for 80 coins to sit down, and you have 70."
    page = browser(people[1])
    for headers in ({}, {"HX-Request": "true"}):
        answer = page.post(f"/t/{waiting.code}/sit/", {"seat": "1", "agreed": "50"}, headers=headers)
        assert answer.status_code == 422
        assert f'role="alert">{told}</p>' in answer.content.decode()
    assert store.fresh(waiting.pk).free == (1, 2, 3)


def test_the_rematch_is_opened_at_its_price_and_joined_over_the_contract(
    staked: Any, people: list[User]
) -> None:
    table = staked(length=1)
    play_deal(table)
    rematch = f"/t/{table.code}/rematch/"
    assert browser(people[0]).post(rematch).status_code == 422
    answer = browser(people[0]).post(rematch, {"agreed": "50"})
    again = Table.objects.latest("pk")
    assert answer["Location"] == f"/t/{again.code}/"
    assert [seat.user_id for seat in store.fresh(again.pk).taken] == [people[0].pk]
    page = browser(people[2])
    html = page.get(f"/t/{table.code}/").content.decode()
    assert f'href="/t/{again.code}/contract/?seat=2"' in html
    assert 'name="seat" value="2"' in page.get(f"/t/{again.code}/contract/?seat=2").content.decode()
    take_away(people[3], coins.balance(people[3]) - 20)
    answer = browser(people[3]).post(rematch, {"agreed": "50"})
    assert answer.status_code == 422
    assert "This table asks for 50 coins to sit down, and you have 20." in answer.content.decode()


# ---------------------------------------------------------------- receipts


def paid(table: Table) -> dict[str, int]:
    """What each player is left with by the ledger: what came out of the table's escrow less what went in."""
    found = {}
    for seat in table.seats.select_related("user"):
        moved = Transfer.objects.filter(table=table.code)
        got = sum(each.amount for each in moved.filter(target__user=seat.user))
        found[seat.name] = got - sum(each.amount for each in moved.filter(source__user=seat.user))
    return found


def receipt(html: str) -> tuple[str, dict[str, int]]:
    """The clause, and who is left with how many coins, as the page says it to somebody who only watches."""
    stage = read(html[html.index('<div class="stage') : html.index("</main>")])
    panel = next(node for node in stage.all() if "receipt" in node.attributes.get("class", "").split())
    clause = next(node.text() for node in panel.all() if node.tag == "p")
    lines = [
        node.text().split("+" if "+" in node.text() else MINUS) for node in panel.all() if node.tag == "div"
    ]
    lines = [[part.removesuffix(" coins").removesuffix(" coin") for part in line] for line in lines]
    signs = [-1 if MINUS in node.text() else 1 for node in panel.all() if node.tag == "div"]
    found = {}
    for line, sign in zip(lines, signs, strict=True):
        if len(line) == 1:
            line = [line[0][:-1], line[0][-1]]  # a name and 0
        found[line[0]] = sign * int(line[1])
    return clause, found


def finished(table: Table, totals: list[int]) -> TableState:
    """The match as if it had ended on these totals, settled and stored as ended."""
    state = store.fresh(table.pk)
    assert state.deal is not None
    blank = (0,) * state.players
    scored = Scored(1, state.deal.dealer, state.deal.dealt, blank, blank, tuple(totals))
    state = replace(state, scored=(scored,), status=Table.FINISHED, ending=Table.PLAYED)
    stakes.settle(state)
    Table.objects.filter(pk=table.pk).update(status=Table.FINISHED, ending=Table.PLAYED, act_by=None)
    Seat.objects.filter(table=table).update(playing=False)
    store.forget(table.pk)
    return state


@pytest.mark.parametrize(
    ("tie", "players"), [(tie, players) for tie in ("share", "draw", "extra") for players in (3, 4, 5)]
)
def test_every_receipt_is_what_the_ledger_says(
    staked: Any, people: list[User], tie: str, players: int
) -> None:
    """Random totals with many ties, random stakes: by each clause the page tells what was moved, coin for coin."""
    chance = random.Random(players)
    ruleset = rules.PRESETS["official"].changed(tie=tie, players=[players])
    clauses = set()
    for sample in range(8):
        stake = chance.randint(1, 40)
        table = staked("official", stake=stake, ruleset=ruleset, players=players)
        alone = tie == "extra" or sample % 3 == 0  # by extra deals it always is one in the end
        best = chance.sample(range(players), 1 if alone else chance.randint(2, players))
        totals = [20 if seat in best else chance.choice((-10, 0, 10)) for seat in range(players)]
        state = finished(table, totals)
        view = view_of(state, None)
        clause, told = receipt(str(board.page(view, "TOKEN")))
        assert told == paid(table)
        assert sum(told.values()) == coins.escrow_of(table.code).balance == 0
        clauses.add(view.payouts[0].clause)
        opening = {"won": "The pot of", "shared": "The pot of", "draw": "Level at the top is a draw here"}
        assert clause.startswith(opening[view.payouts[0].clause])
    assert clauses == {"share": {"won", "shared"}, "draw": {"won", "draw"}, "extra": {"won"}}[tie]


@pytest.mark.parametrize("ending", ["agreed", "house", "drawn"])
def test_the_receipt_of_a_stopped_match_is_what_the_ledger_says(
    staked: Any, people: list[User], ending: str
) -> None:
    table = staked()
    if ending == "agreed":
        for person in people[:4]:
            actions.cancel(table.pk, person, True)
    elif ending == "house":
        actions.cancel_by_house(table.pk, people[5], "the lights went out")
    else:
        actions.declare_draw(table.pk, people[5], "nobody could go on")
    clause, told = receipt(browser(people[5]).get(f"/t/{table.code}/").content.decode())
    assert (
        clause
        == {
            "agreed": "All who staked agreed to stop: every stake of 50 goes back.",
            "house": "The house cancelled the match: every stake of 50 goes back.",
            "drawn": "The house declared a draw: every stake of 50 goes back.",
        }[ending]
    )
    assert told == paid(table) == dict.fromkeys(("Asha", "Bishnu", "Chandra", "Dipak"), 0)
    assert [coins.balance(person) for person in people[:4]] == [1000] * 4
    call_command("check_ledger", verbosity=0)


def test_a_match_played_to_its_end_shows_its_receipt(staked: Any, people: list[User]) -> None:
    table = staked("classic", length=1)
    play_deal(table)
    html = browser(people[5]).get(f"/t/{table.code}/").content.decode()
    assert receipt(html)[1] == paid(table)
    assert max(paid(table).values()) > 0


def test_the_statement_names_the_table(staked: Any, people: list[User]) -> None:
    table = staked(name="By the <river>")
    html = browser(people[0]).get("/people/me/coins/").content.decode()
    assert f'<a href="/t/{table.code}/">By the &lt;river&gt;</a>' in html


# ---------------------------------------------------------------- names and sizes


def test_names_stay_text_on_every_page_with_coins(staked: Any, people: list[User]) -> None:
    table = staked(name='<img src=x onerror="alert(1)">')
    Seat.objects.filter(table=table, index=1).update(name="<i>B</i>")
    store.clear()
    for person in people[:4]:
        actions.cancel(table.pk, person, True)
    html = browser(people[5]).get(f"/t/{table.code}/").content.decode()
    assert "<img" not in html
    assert "<i>B</i>" not in html
    assert "&lt;i&gt;B&lt;/i&gt;" in html


def test_a_stake_adds_nothing_to_what_a_play_pushes(staked: Any, full_table: Any, people: list[User]) -> None:
    table = staked()
    state = store.fresh(table.pk)
    before = board.regions(view_of(state, None))
    after = board.regions(view_of(replace(state, stake=0, asks_for=0), None))
    # The bar and the facts know of coins; what changes with a play does not.
    assert {name for name in before if before[name] != after[name]} == {"title", "facts"}
