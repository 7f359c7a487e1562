"""The front page: today's figures, the check of the books, the parts of the house."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import coins, guards
from accounts.models import User
from games import actions, tasks
from games.admin import front
from games.models import BookCheck, Pulse, Seat, Table
from games.state import store

from .conftest import Visit


def test_the_figures_of_today(staked: Any, open_table: Any, people: list[User], owner: Client) -> None:
    table = staked(length=3)
    while (state := store.fresh(table.pk)).phase != "scored":
        actions.act_for_stuck(table.pk, state.moment)
    open_table(people[4])
    User.objects.filter(pk=people[5].pk).update(is_active=False)
    User.objects.filter(pk=people[5].pk).update(date_joined=timezone.now() - timedelta(days=3))
    Seat.objects.filter(user=people[0]).update(last_seen=timezone.now() - timedelta(days=2))
    seen = front.people()
    assert (seen.registered, seen.new, seen.here, seen.suspended) == (7, 6, 4, 1)
    assert seen.active == 5
    assert front.tables() == front.Tables(open=1, running=1, staked=1, finished=0, cancelled=0, deals=1)
    actions.cancel_by_house(table.pk, people[5], "late")
    Table.objects.filter(status=Table.OPEN).update(status=Table.CLOSED)
    assert front.tables() == front.Tables(open=0, running=0, staked=0, finished=0, cancelled=1, deals=1)
    Table.objects.update(ended_at=timezone.now() - timedelta(days=2))
    assert front.tables().cancelled == 0
    assert "7,000" in owner.get(reverse("admin:index")).content.decode()


def test_everybody_sees_what_concerns_him(visit: Visit, people: list[User]) -> None:
    parts = {
        "floor": {"waiting-title", "tables-title", "people-title", "parts-title"},
        "treasurer": {
            "waiting-title",
            "tables-title",
            "people-title",
            "coins-title",
            "books-title",
            "parts-title",
        },
        "rules": set(),
        "staff": set(),
    }
    titles = set.union(*parts.values())
    for role, wanted in parts.items():
        html = visit(role).get(reverse("admin:index")).content.decode()
        assert {title for title in titles if f'id="{title}"' in html} == wanted


def test_the_books_are_checked_at_the_push_of_a_button(people: list[User], visit: Visit) -> None:
    treasurer = visit("treasurer")
    assert "Not checked yet" in treasurer.get(reverse("admin:index")).content.decode()
    page = treasurer.post(reverse("admin:games_bookcheck_now"), follow=True)
    check = BookCheck.objects.get()
    assert (check.sound, check.by.username) == (True, "The treasurer")
    assert "coins minted" in page.content.decode()
    assert ">Right<" in treasurer.get(reverse("admin:index")).content.decode()


def test_a_fault_is_shown(people: list[User], owner: Client) -> None:
    guards.lift(connection)
    with connection.cursor() as cursor:
        wallet = coins.wallet_of(people[0]).pk
        cursor.execute("UPDATE accounts_account SET balance = balance + 7 WHERE id = %s", [wallet])
    tasks.check_books()
    check = BookCheck.objects.get()
    assert (check.sound, check.by) == (False, None)
    assert f"{len(check.faults)} faults found" in owner.get(reverse("admin:index")).content.decode()
    page = owner.get(reverse("admin:games_bookcheck_change", args=[check.pk])).content.decode()
    assert "The balance is 1007, but the transfers make 1000." in page


def test_a_silent_part_is_named(owner: Client, db: None) -> None:
    now = timezone.now()
    Pulse.objects.create(name="web", at=now)
    Pulse.objects.create(name="sweep", at=now - timedelta(minutes=4))
    assert [(part.name, part.runs) for part in front.parts()] == [
        ("web server", True),
        ("workers and beat", False),
    ]
    html = owner.get(reverse("admin:index")).content.decode()
    assert "last seen 4\N{NO-BREAK SPACE}minutes ago" in html


def test_a_check_that_is_missing_is_noticed(owner: Client) -> None:
    BookCheck.objects.create(sound=True, at=timezone.now() - timedelta(days=2))
    assert "is beat running?" in owner.get(reverse("admin:index")).content.decode()


def test_the_check_is_on_the_schedule(settings: Any) -> None:
    assert settings.CELERY_BEAT_SCHEDULE["check_books"]["task"] == tasks.check_books.name
    assert settings.CELERY_BEAT_SCHEDULE["check_books"]["schedule"] == 24 * 3600


def test_the_page_is_not_dear(staked: Any, owner: Client, django_assert_max_num_queries: Any) -> None:
    staked()
    owner.get(reverse("admin:index"))
    with django_assert_max_num_queries(16):
        owner.get(reverse("admin:index"))
