"""The people of a desk and the house they look after."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.db.models import F
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import Table
from tests.tables.conftest import _fresh_process, full_table, open_table, people, staked

__all__ = ["_fresh_process", "full_table", "open_table", "people", "staked"]

ROLES = ("owner", "floor", "treasurer", "rules", "staff", "person", "nobody")

Visit = Callable[[str], Client]


@pytest.fixture
def helper(db: None) -> Callable[[str], User]:
    """Somebody of a role of ``ROLES`` but "nobody"; "staff" has no permission at all."""

    def make(role: str) -> User:
        user = User.objects.filter(username=f"The {role}").first()
        if user is not None:
            return user
        if role == "owner":
            return User.objects.create_superuser("The owner")
        user = User.objects.create_user(f"The {role}", is_staff=role != "person")
        if role in ("floor", "treasurer", "rules"):
            user.groups.add(Group.objects.get(name=role))
        return user

    return make


@pytest.fixture
def visit(helper: Callable[[str], User]) -> Visit:
    """A browser of somebody of this role."""

    def make(role: str) -> Client:
        client = Client()
        if role != "nobody":
            client.force_login(helper(role))
        return client

    return make


@pytest.fixture
def owner(visit: Visit) -> Client:
    """The owner's browser."""
    return visit("owner")


def let_wait(table: Table, **long: Any) -> None:
    """Let the table have waited for so long ("minutes=5"), with nothing due."""
    since = timezone.now() - timedelta(**long)
    Table.objects.filter(pk=table.pk).update(turn_at=since, act_by=None, version=F("version") + 1)


def said(response: Any) -> str:
    """The sentences that the next page shows at its top."""
    return " ".join(str(message) for message in response.context["messages"])
