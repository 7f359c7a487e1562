"""The three groups of the desk: who works there and is not the owner is in one or more of them.

They are made, or given what they lack, after every migration. Nothing is taken from them: an owner who gave a group
more keeps that, and who wants one that may do less makes a group of his own.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib.auth.models import Group, Permission
from django.db.models import Q

GROUPS: Mapping[str, tuple[str, ...]] = {
    "floor": (
        "games.view_table",
        "games.settle_table",
        "accounts.view_user",
        "accounts.suspend_user",
    ),
    "treasurer": (
        "games.view_stake",
        "games.add_stake",
        "games.change_stake",
        "games.view_table",
        "games.view_bookcheck",
        "games.add_bookcheck",
        "accounts.view_user",
        "accounts.view_account",
        "accounts.view_transfer",
        "accounts.move_coins",
    ),
    "rules": ("games.view_ruleset", "games.add_ruleset", "games.change_ruleset"),
}
"""What each group may do: floor, tables and those who sit at them; treasurer, stakes and coins; rules, rulesets."""


def make_groups(using: str) -> None:
    """Make the groups, or give them what they lack. Safe to repeat, at any time after the permissions are there."""
    for name, wanted in GROUPS.items():
        group, _made = Group.objects.using(using).get_or_create(name=name)
        chosen = Q()
        for permission in wanted:
            app, codename = permission.split(".")
            chosen |= Q(content_type__app_label=app, codename=codename)
        group.permissions.add(*Permission.objects.using(using).filter(chosen))
