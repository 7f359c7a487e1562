"""The list of stakes at the desk."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse

from games.models import Ruleset, Stake

from .conftest import Visit

LIST = "admin:games_stake_changelist"
ADD = "admin:games_stake_add"


@pytest.fixture
def clerk(visit: Visit) -> Client:
    """Somebody of the group "treasurer", in a house without stakes."""
    Stake.objects.all().delete()
    return visit("treasurer")


def rows(*stakes: tuple[Stake, dict[str, Any]]) -> dict[str, Any]:
    """The list as a browser sends it."""
    data: dict[str, Any] = {
        "form-TOTAL_FORMS": len(stakes),
        "form-INITIAL_FORMS": len(stakes),
        "_save": "Save",
    }
    for number, (stake, changes) in enumerate(stakes):
        shown = {"id": stake.pk, "amount": stake.amount, "lowest_balance": stake.lowest_balance}
        shown |= {"active": "on"} if stake.active else {}
        for name, value in (shown | changes).items():
            data[f"form-{number}-{name}"] = value
    return data


def test_a_stake_is_made(clerk: Client) -> None:
    retired = Ruleset.objects.get(slug="strict")
    Ruleset.objects.filter(pk=retired.pk).update(retired=True)
    kal = Ruleset.objects.get(slug="kal")
    page = clerk.get(reverse(ADD))
    assert retired not in page.context["adminform"].form.fields["rulesets"].queryset
    data = {"name": "Evening", "amount": 50, "lowest_balance": 200, "rulesets": [kal.pk], "active": "on"}
    assert clerk.post(reverse(ADD), data).status_code == 302
    stake = Stake.objects.get()
    assert (stake.asks_for, list(stake.rulesets.all())) == (200, [kal])
    assert LogEntry.objects.count() == 1


@pytest.mark.parametrize("field", ["amount", "lowest_balance"])
@pytest.mark.parametrize("value", ["-1", "", "1.5", "1000001", "many"])
def test_what_makes_no_sense_is_refused(field: str, value: str, clerk: Client) -> None:
    data = {"name": "Evening", "amount": 50, "lowest_balance": 0, "active": "on"} | {field: value}
    page = clerk.post(reverse(ADD), data)
    assert page.context["adminform"].form.errors[field]
    assert not Stake.objects.exists()


def test_the_list_is_edited_in_place(clerk: Client) -> None:
    small = Stake.objects.create(name="Small", amount=10)
    large = Stake.objects.create(name="Large", amount=100)
    page = clerk.post(reverse(LIST), rows((small, {"amount": 20}), (large, {"amount": -1})))
    assert page.context["cl"].formset.errors[1]["amount"]
    assert Stake.objects.get(pk=small.pk).amount == 10
    data = rows((small, {"amount": 20}), (large, {"lowest_balance": 500}))
    del data["form-1-active"]
    clerk.post(reverse(LIST), data)
    assert list(Stake.objects.values_list("amount", "lowest_balance", "active")) == [
        (20, 0, True),
        (100, 500, False),
    ]
    assert LogEntry.objects.count() == 2


def test_a_full_list_can_be_sent(clerk: Client, settings: Any) -> None:
    stakes = [Stake.objects.create(name=f"Stake {number}", amount=number) for number in range(25)]
    page = clerk.post(reverse(LIST), rows(*[(stake, {"amount": stake.amount + 1}) for stake in stakes]))
    assert page.status_code == 302
    assert Stake.objects.get(name="Stake 24").amount == 25


def test_a_friendly_table_asks_for_no_coins(clerk: Client) -> None:
    data = {"name": "Friendly", "amount": 0, "lowest_balance": 10, "active": "on"}
    page = clerk.post(reverse(ADD), data)
    assert page.context["adminform"].form.errors == {
        "lowest_balance": ["A friendly table asks for no coins."]
    }
    friendly = Stake.objects.create(name="Friendly", amount=0)
    assert clerk.post(reverse(LIST), rows((friendly, {"lowest_balance": 10}))).status_code == 200
    friendly.refresh_from_db()
    assert friendly.lowest_balance == 0
