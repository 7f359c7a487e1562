"""The pages about coins: one's own statement, the refill, the house's supply, the wallet in the bar."""

from __future__ import annotations

import csv
import re
from html import unescape
from io import StringIO
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts import books, coin_views, coins, tables
from accounts.models import Account, Transfer, User

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]

STATEMENT, CSV, REFILL, SUPPLY = (
    "/people/me/coins/",
    "/people/me/coins/statement.csv",
    "/people/me/coins/refill/",
    "/people/coins/",
)
CODE = "abcdefghjk"  # of a table


@pytest.fixture
def as_asha(client: Client, asha: User) -> Client:
    client.force_login(asha)
    return client


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What tables are called; change it."""
    names: dict[str, str] = {}
    monkeypatch.setattr(
        tables, "namers", [lambda codes: {code: names[code] for code in codes if code in names}]
    )
    return names


def text(response: Any) -> str:
    """A page's words, one space apart."""
    body = re.sub(r"<(script|style).*?</\1>|<[^>]*>", " ", response.content.decode(), flags=re.DOTALL)
    return " ".join(unescape(body).split())


def rows(response: Any) -> list[list[str]]:
    """The lines of a downloaded statement, its head left out."""
    return list(csv.reader(StringIO(response.content.decode("utf-8-sig"))))[1:]


def test_the_statement_shows_every_movement(
    as_asha: Client, people: list[User], names: dict[str, str]
) -> None:
    names[CODE] = "Patan <evenings>"
    coins.stake(CODE, people, 50)
    coins.settle(CODE, {coins.wallet_of(people[0]).pk: 200}, coins.Reason.WIN)
    note = "found the <b>mistake</b>"
    coins.transfer(
        coins.mint(), coins.wallet_of(people[0]), 5, reason=coins.Reason.DESK_GRANT, key="k", note=note
    )
    page = as_asha.get(STATEMENT)
    words = text(page)
    assert "In your wallet 1,155" in words
    assert "Play money" in words
    lines = ["Given by the desk from the house", "Won the pot Patan <evenings> · from the pot"]
    lines += ["Stake for a match Patan <evenings> · into the pot", "Your first coins from the house"]
    places = [words.index(line) for line in lines]
    assert places == sorted(places)
    for change_and_left in ("+5 1,155", "+200 1,150", "\N{MINUS SIGN}50 950", "+1,000 1,000"):
        assert change_and_left in words
    assert f'<a href="/t/{CODE}/">Patan &lt;evenings&gt;</a>' in page.content.decode()
    assert note not in page.content.decode()


def test_the_statement_is_ones_own(client: Client, as_asha: Client, people: list[User]) -> None:
    coins.transfer(coins.mint(), coins.wallet_of(people[1]), 765_432, reason="desk_grant", key="k")
    for address in (STATEMENT, CSV):
        page = as_asha.get(address).content.decode().split("</header>")[-1]
        assert "765432" not in page.replace(",", "")
    for address in (STATEMENT, CSV):
        assert Client().get(address).url == f"/people/sign-in/?next={address}"
    assert Client().post(REFILL).status_code == 302
    assert as_asha.get(STATEMENT)["Cache-Control"].count("no-store") == 1


def test_a_long_statement_has_pages_and_its_balance_runs_on(
    as_asha: Client, asha: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coin_views, "PAGE", 3)
    for n in range(6):
        coins.transfer(coins.mint(), coins.wallet_of(asha), 1, reason="desk_grant", key=f"k{n}")
    left = [line.transfer.left for line in as_asha.get(f"{STATEMENT}?page=2").context["lines"]]
    assert left == [1003, 1002, 1001]
    assert [line.transfer.left for line in as_asha.get(f"{STATEMENT}?page=3").context["lines"]] == [1000]
    assert 'rel="next"' in as_asha.get(STATEMENT).content.decode()
    for odd in ("0", "99", "x"):
        assert as_asha.get(f"{STATEMENT}?page={odd}").status_code == 200


def test_a_page_of_the_statement_costs_the_same_however_long(as_asha: Client, people: list[User]) -> None:
    def cost() -> int:
        with CaptureQueriesContext(connection) as queries:
            as_asha.get(STATEMENT)
        return len(queries)

    coins.stake("tttttttttt", people, 1)
    before = cost()
    for n in range(2, 10):
        coins.stake(f"ttttttttt{n}", people, 1)
    assert cost() <= before


def test_the_download_has_every_movement(as_asha: Client, people: list[User], names: dict[str, str]) -> None:
    names[CODE] = "पाटन"
    coins.stake(CODE, people, 50)
    response = as_asha.get(CSV)
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert response["Content-Disposition"].startswith('attachment; filename="coins-')
    stake, grant = rows(response)
    assert stake[1:] == ["Stake for a match", "into the pot", "पाटन", CODE, "", "-50", "950"]
    assert grant[1:] == ["Your first coins", "from the house", "", "", "", "1000", "1000"]


@pytest.mark.parametrize(
    "note",
    ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", '=HYPERLINK("http://example.org")'],
)
def test_no_text_in_the_download_is_a_formula(as_asha: Client, asha: User, note: str) -> None:
    wallet = coins.wallet_of(asha)
    coins.transfer(coins.mint(), wallet, 5, reason="desk_grant", key="k", note=note)
    cell = rows(as_asha.get(CSV))[0][5]
    assert cell == f"'{note}"


@pytest.mark.parametrize("plain", ["for the tea", "a = b", "5 coins", ""])
def test_a_plain_text_stays_as_it_is(plain: str) -> None:
    assert books.harmless(plain) == plain


def test_the_refill_is_a_button_for_who_is_below_the_floor(as_asha: Client, asha: User) -> None:
    assert "Should you ever have fewer than 200" in text(as_asha.get(STATEMENT))
    assert REFILL not in as_asha.get(STATEMENT).content.decode()
    coins.transfer(coins.wallet_of(asha), coins.mint(), 850, reason="desk_take", key="k")
    assert "Take 50 coins" in text(as_asha.get(STATEMENT))
    assert as_asha.get(REFILL).status_code == 405
    page = as_asha.post(REFILL, follow=True)
    assert page.redirect_chain == [(STATEMENT, 302)]
    assert "50 coins from the house." in text(page)
    assert "You have had the day's refill." in text(page)
    assert coins.balance(asha) == 200
    assert "There is no refill for you now." in text(as_asha.post(REFILL, follow=True))
    assert coins.balance(asha) == 200


def test_a_refill_takes_a_token(asha: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(asha)
    assert client.post(REFILL).status_code == 403


def test_coins_at_stake_are_shown(as_asha: Client, people: list[User]) -> None:
    coins.stake(CODE, people, 250)
    assert "At stake in a match 250" in text(as_asha.get(STATEMENT))


def test_everybody_sees_that_the_houses_coins_add_up(client: Client, people: list[User]) -> None:
    coins.stake(CODE, people, 250)
    words = text(client.get(SUPPLY))
    assert "In wallets what people have 3,000" in words
    assert "In escrow stakes of 1 table at play 1,000" in words
    assert "\N{MINUS SIGN}4,000 All together 0" in words
    assert "Play money" in words


def test_a_house_without_coins_has_a_page_too(client: Client) -> None:
    assert "All together 0" in text(client.get(SUPPLY))


def test_the_bar_shows_the_wallet_for_one_query(as_asha: Client) -> None:
    with CaptureQueriesContext(connection) as queries:
        page = as_asha.get("/people/me/").content.decode()
    assert re.search(r'class="coins wallet" href="/people/me/coins/">.*?>1,000<', page, re.DOTALL)
    assert len([each for each in queries if Account._meta.db_table in each["sql"]]) == 1


def test_the_bar_of_who_is_not_signed_in_asks_nothing(client: Client) -> None:
    with CaptureQueriesContext(connection) as queries:
        page = client.get("/people/sign-in/").content.decode()
    assert "wallet" not in page
    assert not [each for each in queries if Account._meta.db_table in each["sql"]]


def test_a_person_without_a_wallet_has_an_empty_statement() -> None:
    User.objects.bulk_create([User(username="Late", username_key="late")])
    assert list(books.statement(User.objects.get(username="Late"))) == []
    assert not Transfer.objects.filter(target__user__username="Late").exists()
