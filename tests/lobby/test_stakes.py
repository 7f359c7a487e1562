"""Stakes in the lobby and in the form that opens a table: what is offered, to whom, and what is refused."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from accounts import coins
from accounts.models import User
from games import lobby
from games.forms import OpenTableForm
from games.models import Ruleset, Stake, Table, load_stakes
from games.rules import PRESETS
from tests.lobby.conftest import PutTable
from tests.lobby.test_forms import opened, refused, sent


def key(name: str) -> str:
    """How a stake is chosen: by its key."""
    return str(Stake.objects.get(name=name).pk)


def names(form: OpenTableForm) -> list[str]:
    """The stakes a form shows, in their order; none where the control is not there."""
    control = form.controls.get("stake")
    return [str(option.label) for option in control.options] if control else []


@pytest.fixture
def poor(host: User) -> User:
    """The host with 120 coins left."""
    coins.transfer(coins.wallet_of(host), coins.mint(), 880, reason="desk_take", key="test")
    return host


# ---------------------------------------------------------------- the list of a new house


def test_a_new_house_has_a_few_stakes_and_an_owners_list_is_left_alone(db: None) -> None:
    first = [("Friendly", 0), ("Small", 10), ("Evening", 50), ("High", 200)]
    assert list(Stake.objects.values_list("name", "amount")) == first
    Stake.objects.exclude(name="Small").delete()
    load_stakes()
    assert [stake.name for stake in Stake.objects.all()] == ["Small"]
    Stake.objects.all().delete()
    load_stakes()
    assert list(Stake.objects.values_list("name", "amount")) == first


# ---------------------------------------------------------------- the form


def test_a_table_is_friendly_unless_a_stake_is_chosen(host: User) -> None:
    form = OpenTableForm(user=host)
    assert names(form) == ["Friendly", "Small", "Evening", "High"]
    assert [option.chosen for option in form.controls["stake"].options] == [True, False, False, False]
    plain = opened(host, {})
    assert (plain["stake"], plain["asks_for"]) == (0, 0)
    Stake.objects.filter(name="High").update(lowest_balance=600)
    made = opened(host, {"stake": key("High")})
    assert (made["stake"], made["asks_for"]) == (200, 600)
    made = opened(host, {"stake": key("Evening")})
    assert (made["stake"], made["asks_for"]) == (50, 50)


def test_a_house_without_stakes_does_not_speak_of_them(host: User, client: Client) -> None:
    evening = key("Evening")
    Stake.objects.exclude(amount=0).update(active=False)
    assert names(OpenTableForm(user=host)) == []
    assert opened(host, {"stake": "0"})["stake"] == 0
    assert refused(host, {"stake": evening}) == [("__all__", "no_stakes")]
    client.force_login(host)
    assert "stake" not in client.get("/tables/new/").content.decode().casefold()
    assert "by-stake" not in client.get("/").content.decode()


def test_a_stake_is_offered_under_the_rules_it_is_kept_for(host: User) -> None:
    Stake.objects.get(name="High").rulesets.add(Ruleset.objects.get(slug="strict"))
    ours = Ruleset.objects.create(
        slug="ours", name="Ours", fields=PRESETS["kal"].changed(tie="extra").to_dict()
    )
    Stake.objects.get(name="Small").rulesets.add(ours)

    def shown(**query: str) -> list[str]:
        return names(OpenTableForm(user=host, initial=query))

    assert shown(rules="kal") == ["Friendly", "Evening"]
    assert shown(rules="strict") == ["Friendly", "Evening", "High"]
    assert shown(rules="ours") == ["Friendly", "Small", "Evening"]
    # Changed rules are a house set of this table alone.
    assert shown(rules="strict", house="yes") == ["Friendly", "Evening"]
    assert refused(host, {"rules": "kal", "stake": key("High")}) == [("stake", "not_a_choice")]
    house = {"rules": "strict", "house": "yes", "rule_tie": "extra"}
    assert refused(host, {**house, "stake": key("High")}) == [("stake", "not_a_choice")]
    assert opened(host, {**house, "stake": key("Evening")})["stake"] == 50
    assert opened(host, {"rules": "strict", "stake": key("High")})["stake"] == 200


@pytest.mark.parametrize("forged", ["-1", "50", "999999", "1e1", "x", "\x00", "٣", " "])
def test_a_stake_that_is_none_is_refused(host: User, forged: str) -> None:
    assert forged not in [str(pk) for pk in Stake.objects.values_list("pk", flat=True)]
    assert refused(host, {"stake": forged}) == [("stake", "not_a_choice")]


def test_a_stake_put_away_meanwhile_is_refused(host: User) -> None:
    high = key("High")
    Stake.objects.filter(name="High").update(active=False)
    assert names(OpenTableForm(user=host)) == ["Friendly", "Small", "Evening"]
    assert refused(host, {"stake": high}) == [("stake", "not_a_choice")]


def test_what_one_cannot_cover_is_shown_and_refused_with_the_reason(poor: User) -> None:
    Stake.objects.filter(name="Small").update(lowest_balance=500)
    shown = OpenTableForm(user=poor).controls["stake"].options
    assert {option.label: option.reason for option in shown if option.reason} == {
        "Small": "It asks for 500 coins, and you have 120.",
        "High": "It asks for 200 coins, and you have 120.",
    }
    form = OpenTableForm({"stake": key("High")}, user=poor)
    assert [sentence for _control, sentence in form.problems] == ["It asks for 200 coins, and you have 120."]
    # What cannot be chosen is not drawn as chosen: a disabled control would send nothing.
    assert [option.label for option in form.controls["stake"].options if option.chosen] == ["Friendly"]
    address = OpenTableForm(user=poor, initial={"stake": key("High")})
    assert opened(poor, sent(address))["stake"] == 0


def test_with_a_stake_no_seat_is_a_bots(host: User) -> None:
    evening = key("Evening")
    form = OpenTableForm(user=host, initial={"stake": evening, "seat_0": "normal", "seat_2": "normal"})
    assert [control.value for control in form.seats] == ["me", "open", "open", "open"]
    for control in form.seats:
        (bot,) = [option for option in control.options if option.value == "normal"]
        assert bot.reason == "Only people sit at a table with a stake."
    assert refused(host, {"stake": evening, "seat_2": "normal"}) == [("seat_2", "not_now")]
    assert opened(host, {"stake": evening, "seat_0": "open"})["seat"] is None
    assert not [
        option for control in OpenTableForm(user=host).seats for option in control.options if option.reason
    ]


def test_a_refusal_names_the_stake_and_opens_nothing(poor: User, client: Client) -> None:
    client.force_login(poor)
    for sent_stake, told in (
        (key("High"), "It asks for 200 coins, and you have 120."),
        ("12345", "That stake is not on offer"),
    ):
        answer = client.post("/tables/new/", {"stake": sent_stake})
        assert answer.status_code == 422
        assert told in answer.content.decode()
        assert '<a href="#c-stake">Stake</a>' in answer.content.decode()
    assert not Table.objects.exists()


def test_the_control_says_what_each_stake_costs_and_what_is_out_of_reach(poor: User, client: Client) -> None:
    client.force_login(poor)
    html = client.get("/tables/new/").content.decode()
    control = html[html.index('id="c-stake"') : html.index("</fieldset>", html.index('id="c-stake"'))]
    for amount in (10, 50, 200):
        assert re.search(rf'\s{amount}<span class="sr"> coins each</span>', control)
    assert len(re.findall(r"<input[^>]* disabled", control)) == 1
    assert "It asks for 200 coins, and you have 120." in control
    assert "play money" in html


def test_the_opener_of_a_table_with_a_stake_reads_the_contract_first(host: User, client: Client) -> None:
    client.force_login(host)
    answer = client.post("/tables/new/", {"stake": key("Evening")})
    table = Table.objects.get()
    assert answer["Location"] == f"/t/{table.code}/contract/?seat=0"
    assert (table.stake, table.asks_for, table.seats.count()) == (50, 50, 0)
    answer = client.post("/tables/new/", {"stake": key("Evening"), "seat_0": "open"})
    assert answer["Location"] == f"/t/{Table.objects.latest('pk').code}/"


# ---------------------------------------------------------------- the lobby


@pytest.fixture
def three(put_table: PutTable) -> None:
    """A friendly table, two for 50, and one that nobody can be at."""
    put_table("Bela", None, None, name="For nothing")
    put_table("Chitra", None, None, name="For fifty", stake=50, asks_for=50)
    put_table("Dipa", "bot", None, name="Also for fifty", stake=50, asks_for=400)
    put_table("Esha", "bot", "bot", name="Being played for ten", stake=10, status=Table.PLAYING, deal=1)


def test_every_row_says_what_it_costs(three: None) -> None:
    html = lobby.pieces()
    rows = {name: row for row in html.split("<li ")[1:] for name in re.findall(r"<bdi>(.*?)</bdi></h3>", row)}
    assert "<span>Friendly</span>" in rows["For nothing"]
    assert '50<span class="sr"> coins each</span>' in rows["For fifty"]
    assert '10<span class="sr"> coins each</span>' in rows["Being played for ten"]
    assert "Friendly" not in rows["For fifty"]


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("", ["Also for fifty", "For nothing", "For fifty"]),
        ("?stake=50", ["Also for fifty", "For fifty"]),
        ("?stake=0", ["For nothing"]),
        ("?stake=10", []),
        ("?stake=51", ["Also for fifty", "For nothing", "For fifty"]),
        ("?stake=x", ["Also for fifty", "For nothing", "For fifty"]),
        ("?stake=%00", ["Also for fifty", "For nothing", "For fifty"]),
    ],
)
def test_the_lobby_is_filtered_by_its_address(
    three: None, client: Client, query: str, shown: list[str]
) -> None:
    html = client.get(f"/{query}").content.decode()
    tables = html[html.index('id="tables"') : html.index('id="running"')]
    assert re.findall(r"<bdi>([^<]*)</bdi></h3>", tables) == shown
    assert "Being played for ten" in html
    chosen = re.findall(r'<a href="([^"]*)#open-title" aria-current="page">', html)
    known = query in ("?stake=50", "?stake=0", "?stake=10")
    assert chosen == [f"/{query}" if known else "/"]
    # What is pushed later is filtered in the same way.
    assert f'hx-ws:connect="/ws/lobby/{query if known else ""}"' in html
    assert ("Nobody is waiting at such a table." in html) == (not shown)


def test_the_filter_offers_what_the_house_offers(three: None, client: Client) -> None:
    Stake.objects.create(name="Another fifty", amount=50)
    Stake.objects.create(name="A thousand and more", amount=1200)
    Stake.objects.filter(name="High").update(active=False)
    html = client.get("/").content.decode()
    nav = html[html.index('<nav class="seg by-stake"') :]
    nav = nav[: nav.index("</nav>")]
    links = re.findall(r'href="([^"#]*)#', nav)
    assert links == ["/", "/?stake=0", "/?stake=10", "/?stake=50", "/?stake=1200"]
    assert "1,200<span" in nav


def test_a_pushed_list_is_the_first_pages(three: None, django_assert_max_num_queries: Any) -> None:
    for stake in (None, 0, 10, 50):
        html = lobby.pieces(stake)
        first = lobby.tables_html(lobby.open_tables(stake), stake is not None)
        assert first + lobby.running_html(lobby.running_tables()) == html.replace(
            ' hx-swap-oob="outerMorph"', ""
        )
    with django_assert_max_num_queries(4):
        lobby.pieces(50)
