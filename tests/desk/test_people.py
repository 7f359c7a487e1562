"""People at the desk: coins given and taken once, suspending, and what is never lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse

from accounts import coins, ledger_check
from accounts.models import Transfer, User
from accounts.signals import ended
from games.models import Table
from games.state import store

from .conftest import Visit, said


def move(client: Client, person: User, direction: str, amount: int, **more: Any) -> Any:
    url = reverse("admin:accounts_user_coins", args=[person.pk])
    data = {"direction": direction, "amount": amount, "reason": "a prize", "token": uuid4().hex} | more
    return client.post(url, data, follow=True)


def desk_transfers() -> list[tuple[str, int, str, str]]:
    found = Transfer.objects.filter(reason__in=["desk_grant", "desk_take"]).order_by("pk")
    return [(each.reason, each.amount, str(each.actor), each.note) for each in found]


def test_coins_are_given_and_taken(people: list[User], visit: Visit) -> None:
    treasurer, asha = visit("treasurer"), people[0]
    assert "250 coins given." in said(move(treasurer, asha, "give", 250))
    assert coins.balance(asha) == 1250
    assert "1 coin taken." in said(move(treasurer, asha, "take", 1, reason="a slip"))
    assert coins.balance(asha) == 1249
    assert desk_transfers() == [
        ("desk_grant", 250, "The treasurer", "a prize"),
        ("desk_take", 1, "The treasurer", "a slip"),
    ]
    told = [entry.get_change_message() for entry in LogEntry.objects.order_by("pk")]
    assert told == ["250 coins given. Reason: a prize", "1 coin taken. Reason: a slip"]
    assert ledger_check.check().sound


def test_the_same_page_sent_twice_moves_once(people: list[User], owner: Client) -> None:
    page = owner.get(reverse("admin:accounts_user_coins", args=[people[0].pk]))
    token = str(page.context["form"]["token"].value())
    move(owner, people[0], "give", 100, token=token)
    assert "the coins moved once" in said(move(owner, people[0], "give", 100, token=token))
    assert coins.balance(people[0]) == 1100
    other = move(owner, people[1], "give", 100, token=token)
    assert "settled before, in another way" in other.content.decode()
    assert coins.balance(people[1]) == 1000
    assert len(desk_transfers()) == LogEntry.objects.count() == 1
    fresh = owner.get(reverse("admin:accounts_user_coins", args=[people[0].pk]))
    assert str(fresh.context["form"]["token"].value()) != token


def test_no_more_is_taken_than_there_is(people: list[User], owner: Client) -> None:
    page = move(owner, people[0], "take", 1001)
    assert page.context["form"].errors["amount"] == ["There are not enough coins for that."]
    assert coins.balance(people[0]) == 1000
    assert not LogEntry.objects.exists()
    move(owner, people[0], "take", 1000)
    assert coins.balance(people[0]) == 0


@pytest.mark.parametrize(
    ("field", "value"),
    [("amount", 0), ("amount", -5), ("amount", "1.5"), ("amount", 10**12), ("reason", ""), ("token", "x")],
)
def test_what_makes_no_sense_moves_nothing(field: str, value: Any, people: list[User], owner: Client) -> None:
    data = {"direction": "give", "amount": 5, "reason": "a prize", "token": uuid4().hex} | {field: value}
    page = owner.post(reverse("admin:accounts_user_coins", args=[people[0].pk]), data)
    assert page.context["form"].errors[field]
    assert desk_transfers() == []


def test_the_statement_stands_on_the_page(people: list[User], visit: Visit) -> None:
    treasurer = visit("treasurer")
    for amount in range(1, 52):
        move(treasurer, people[0], "give", amount)
    page = treasurer.get(reverse("admin:accounts_user_change", args=[people[0].pk]))
    lines = page.context["lines"]
    assert len(lines) == 50
    assert [lines[0].transfer.change, lines[0].transfer.left] == [51, 1000 + 51 * 26]
    assert page.context["more"]
    whole = treasurer.get(reverse("admin:accounts_account_change", args=[coins.wallet_of(people[0]).pk]))
    assert [row.left for row in whole.context["rows"]][-2:] == [1001, 1000]
    assert whole.context["rows"][0].left == coins.balance(people[0])


def test_the_floor_sees_no_coins_and_no_address(people: list[User], visit: Visit) -> None:
    User.objects.update(email="asha@example.org")
    floor = visit("floor")
    for url in (
        reverse("admin:accounts_user_change", args=[people[0].pk]),
        reverse("admin:accounts_user_changelist"),
    ):
        html = floor.get(url).content.decode()
        assert people[0].username in html
        assert "1,000" not in html
        assert "example.org" not in html
        assert "scrypt" not in html
    found = floor.get(reverse("admin:accounts_user_changelist"), {"q": "example.org"})
    assert found.context["cl"].result_count == 0


# ---------------------------------------------------------------- suspending


def suspend(client: Client, person: User, verb: str = "suspend", reason: str = "insults") -> Any:
    return client.post(
        reverse(f"admin:accounts_user_{verb}", args=[person.pk]), {"reason": reason}, follow=True
    )


def test_a_suspended_person_is_out_and_his_stake_stays(
    staked: Any,
    open_table: Any,
    people: list[User],
    visit: Visit,
    django_capture_on_commit_callbacks: Any,
) -> None:
    table = staked(name="Patan evenings")
    over: list[int] = []

    def note(sender: Any, user_id: int, **kwargs: Any) -> None:
        over.append(user_id)

    ended.connect(note)
    mine, floor = Client(), visit("floor")
    mine.force_login(people[0])
    assert mine.get(reverse("accounts:profile")).status_code == 200
    page = floor.get(reverse("admin:accounts_user_suspend", args=[people[0].pk]))
    says = " ".join(page.context["question"].says)
    assert "At Patan evenings a bot plays on in his seat; the stake of 50 coins stays his." in says
    with django_capture_on_commit_callbacks(execute=True):
        assert "is suspended" in said(suspend(floor, people[0]))
    ended.disconnect(note)
    assert over == [people[0].pk]
    assert mine.get(reverse("accounts:profile")).status_code == 302
    seat = store.fresh(table.pk).seat_of(people[0].pk)
    assert seat is not None
    assert seat.left
    assert store.fresh(table.pk).status == Table.PLAYING
    assert coins.balance(people[0]) == 950
    assert "suspended already" in said(suspend(floor, people[0]))
    assert [entry.get_change_message() for entry in LogEntry.objects.all()] == ["Suspended. Reason: insults"]


def test_a_suspension_is_lifted(people: list[User], visit: Visit) -> None:
    floor = visit("floor")
    suspend(floor, people[0])
    page = floor.get(reverse("admin:accounts_user_changelist"), {"suspended": "yes"})
    assert list(page.context["cl"].result_list) == [people[0]]
    assert "may come in again" in said(suspend(floor, people[0], "lift", "said sorry"))
    assert User.objects.get(pk=people[0].pk).is_active
    assert "is not suspended" in said(suspend(floor, people[0], "lift"))
    assert LogEntry.objects.count() == 2


def test_who_may_not_be_suspended(visit: Visit, helper: Callable[[str], User], people: list[User]) -> None:
    floor = visit("floor")
    for role in ("floor", "treasurer", "owner"):
        assert suspend(floor, helper(role)).status_code == 403
    assert suspend(visit("owner"), helper("treasurer")).status_code == 200
    assert not User.objects.get(pk=helper("treasurer").pk).is_active
    assert suspend(visit("owner"), helper("owner")).status_code == 403
    assert suspend(floor, people[0], reason="").context["form"].errors["reason"]
    assert User.objects.get(pk=people[0].pk).is_active


# ---------------------------------------------------------------- never lost


def test_who_sat_or_holds_coins_is_not_deleted(open_table: Any, people: list[User], owner: Client) -> None:
    open_table(people[0])
    for person in people[:2]:
        move(owner, person, "take", 1000) if person is people[0] else None
        url = reverse("admin:accounts_user_delete", args=[person.pk])
        assert owner.post(url, {"post": "yes"}).status_code == 403
    move(owner, people[1], "take", 1000)
    assert (
        owner.post(reverse("admin:accounts_user_delete", args=[people[1].pk]), {"post": "yes"}).status_code
        == 302
    )
    assert not User.objects.filter(pk=people[1].pk).exists()
    assert Transfer.objects.filter(amount=1000, reason="desk_take").count() == 2
    assert owner.get(reverse("admin:accounts_transfer_changelist")).status_code == 200
    assert ledger_check.check().sound


def test_who_worked_at_the_desk_is_not_deleted(
    people: list[User], visit: Visit, helper: Callable[[str], User], owner: Client
) -> None:
    move(visit("treasurer"), people[0], "give", 5)
    treasurer = helper("treasurer")
    move(owner, treasurer, "take", 1000)
    url = reverse("admin:accounts_user_delete", args=[treasurer.pk])
    assert owner.post(url, {"post": "yes"}).status_code == 403


def test_a_helper_makes_nobody_an_owner(
    visit: Visit, helper: Callable[[str], User], people: list[User]
) -> None:
    from django.contrib.auth.models import Permission

    helper("staff").user_permissions.set(Permission.objects.filter(codename__in=["view_user", "change_user"]))
    client = visit("staff")
    asha, boss = people[0], helper("owner")
    data = {"username": "Asha", "theme": "auto", "deck": "two", "card_back": "night", "email": ""}
    url = reverse("admin:accounts_user_change", args=[asha.pk])
    assert client.post(url, data | {"is_superuser": "on", "is_staff": "on", "groups": "1"}).status_code == 302
    asha.refresh_from_db()
    assert (asha.card_back, asha.is_superuser, asha.is_staff, asha.groups.count()) == (
        "night",
        False,
        False,
        0,
    )
    url = reverse("admin:accounts_user_change", args=[boss.pk])
    assert client.post(url, data | {"username": "Boss"}).status_code == 403
    url = reverse("admin:auth_user_password_change", args=[boss.pk])
    assert client.get(url).status_code == 403


def test_a_person_made_at_the_desk_has_a_wallet(owner: Client) -> None:
    password = "a long password 1"
    data = {"username": "Newcomer", "usable_password": "true", "password1": password, "password2": password}
    assert owner.post(reverse("admin:accounts_user_add"), data).status_code == 302
    assert coins.balance(User.objects.get(username="Newcomer")) == 1000
