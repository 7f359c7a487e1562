"""The three groups of the desk: there after every migration, whatever was done to them."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import Group, Permission
from django.core.management import call_command

from games.permissions import GROUPS, make_groups


def permissions(group: str) -> set[str]:
    found = Group.objects.get(name=group).permissions.select_related("content_type")
    return {f"{each.content_type.app_label}.{each.codename}" for each in found}


def test_each_may_what_it_should(db: None) -> None:
    assert {name: permissions(name) for name in GROUPS} == {name: set(all_) for name, all_ in GROUPS.items()}


def test_no_group_may_do_what_is_anothers() -> None:
    """Looking at tables and people is shared; everything else is one group's."""
    shared = {"games.view_table", "accounts.view_user"}
    own = [set(wanted) - shared for wanted in GROUPS.values()]
    assert len(set.union(*own)) == sum(map(len, own))


def test_a_migration_gives_back_and_takes_nothing(db: None) -> None:
    Group.objects.get(name="floor").permissions.clear()
    more = Permission.objects.get(codename="view_ruleset")
    Group.objects.get(name="treasurer").permissions.add(more)
    Group.objects.get(name="rules").delete()
    call_command("migrate", verbosity=0)
    assert permissions("floor") == set(GROUPS["floor"])
    assert permissions("treasurer") == {*GROUPS["treasurer"], "games.view_ruleset"}
    assert permissions("rules") == set(GROUPS["rules"])
    make_groups("default")
    assert Group.objects.count() == 3


def test_they_are_there_after_a_flush(transactional_db: Any) -> None:
    call_command("flush", interactive=False, verbosity=0)
    assert permissions("floor") == set(GROUPS["floor"])
