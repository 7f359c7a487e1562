"""What every page knows of its person: how many coins he has."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.http import HttpRequest

from accounts import coins


def wallet(request: HttpRequest) -> dict[str, Any]:
    """``wallet``: the coins of who asks, 0 for who is not signed in. Read once, where it is shown."""

    def find() -> int:
        return coins.balance(request.user) if request.user.is_authenticated else 0

    return {"wallet": cache(find)}
