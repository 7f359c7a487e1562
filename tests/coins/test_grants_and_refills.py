"""Coins from the house: the first ones, and the day's refill."""

from __future__ import annotations

from datetime import UTC, date, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from accounts import coins
from accounts.models import Account, Transfer, User

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]

MONDAY, TUESDAY = date(2026, 3, 2), date(2026, 3, 3)


def spend(user: User, left: int, code: str = "lost") -> None:
    """Let the person lose all but ``left`` coins to the house."""
    wallet = coins.wallet_of(user)
    coins.transfer(wallet, coins.mint(), wallet.balance - left, reason="desk_take", key=f"{code}/{user.pk}")


def test_who_signs_up_has_the_first_coins(client: Client) -> None:
    password = "sparrow-42-blue"
    client.post("/people/join/", {"username": "Asha", "password1": password, "password2": password})
    assert coins.balance(User.objects.get(username="Asha")) == 1000


def test_who_is_made_at_the_command_line_has_them_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", "sparrow-42-blue")
    call_command("createsuperuser", username="Owner", interactive=False, verbosity=0)
    assert coins.balance(User.objects.get(username="Owner")) == 1000


def test_the_first_coins_are_given_once(asha: User) -> None:
    asha.theme = User.Theme.DARK
    asha.save()
    coins.wallet_of(asha)
    assert Transfer.objects.filter(target__user=asha).count() == 1


def test_who_came_by_no_door_gets_them_with_the_wallet() -> None:
    User.objects.bulk_create([User(username="Late", username_key="late")])
    late = User.objects.get(username="Late")
    assert coins.balance(late) == 0
    assert coins.wallet_of(late).balance == 1000


@pytest.mark.django_db(transaction=True)
def test_a_person_and_his_wallet_are_made_both_or_neither(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(user: User) -> None:
        raise RuntimeError("the worker dies")

    monkeypatch.setattr(coins, "wallet_of", crash)
    with pytest.raises(RuntimeError):
        User.objects.create_user("Asha")
    assert not User.objects.filter(username="Asha").exists()


def test_a_house_may_begin_with_nothing(settings: Any) -> None:
    settings.COIN_GRANT = 0
    assert coins.wallet_of(User.objects.create_user("Asha")).balance == 0


def test_a_refill_fills_up_to_the_floor_once_a_day(asha: User) -> None:
    spend(asha, 30)
    assert coins.refill_due(asha, MONDAY) == 170
    got = coins.refill(asha, MONDAY)
    assert got is not None
    assert got.amount == 170
    spend(asha, 0, "again")
    assert coins.refill(asha, MONDAY) is None
    assert coins.balance(asha) == 0
    assert coins.refill(asha, TUESDAY) is not None
    assert coins.balance(asha) == 200


@pytest.mark.parametrize("left", [200, 201, 1000])
def test_who_has_the_floor_gets_nothing_and_keeps_the_days_refill(asha: User, left: int) -> None:
    if left < 1000:
        spend(asha, left)
    assert coins.refill(asha, MONDAY) is None
    spend(asha, 10, "again")
    assert coins.refill(asha, MONDAY) is not None


def test_coins_at_stake_count(people: list[User]) -> None:
    asha = people[0]
    spend(asha, 150)
    coins.stake("t1", people, 150)
    assert coins.refill_due(asha, MONDAY) == 50
    coins.settle("t1", {coins.wallet_of(people[1]).pk: 600}, coins.Reason.WIN)
    assert coins.refill_due(asha, MONDAY) == 200


def test_the_day_is_utcs(asha: User, monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    settings.TIME_ZONE = "Asia/Kathmandu"
    clock = SimpleNamespace(now=lambda: datetime(2026, 3, 2, 23, 59, tzinfo=UTC))
    monkeypatch.setattr(coins, "timezone", clock)
    spend(asha, 0)
    coins.refill(asha)
    assert Transfer.objects.filter(key=f"refill/{asha.pk}/2026-03-02").exists()
    assert coins.refilled(asha)
    clock.now = lambda: datetime(2026, 3, 3, 0, 0, tzinfo=UTC)
    assert not coins.refilled(asha)


def test_a_house_may_give_no_refills(asha: User, settings: Any) -> None:
    settings.COIN_FLOOR = 0
    spend(asha, 0)
    assert coins.refill(asha) is None
    assert Account.objects.get(user=asha).balance == 0
