"""The desk's front page, for its template: what of the house whoever looks may see."""

from __future__ import annotations

from typing import Any

from django import template
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

from accounts import books
from games.admin import front

register = template.Library()


@register.simple_tag
def house_today(user: AbstractBaseUser | AnonymousUser) -> dict[str, Any]:
    """The figures, lists and buttons that this person's permissions reach; nothing for who has none."""
    may = getattr(user, "has_perm", lambda permission: False)
    found: dict[str, Any] = {}
    if may("games.view_table"):
        found |= {
            "tables": front.tables(),
            "waiting": front.waiting(),
            "waiting_friendly": front.waiting_friendly(),
            "parts": front.parts(),
        }
    if may("accounts.view_user"):
        found["people"] = front.people()
    if may("accounts.view_account"):
        found["coins"] = books.supply()
    if may("games.view_bookcheck"):
        check = front.last_check()
        found |= {"check": check, "check_overdue": front.check_overdue(check), "sees_checks": True}
    found["may_check"] = may("games.add_bookcheck")
    return found
