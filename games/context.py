"""What every page knows of the games: the tables its person sits at."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from games.models import Table


def my_tables(request: HttpRequest) -> dict[str, Any]:
    """``my_tables``: the running match first, then the open tables where this person waits. Asked only if shown."""

    def find() -> list[Table]:
        if not request.user.is_authenticated:
            return []
        mine = Table.objects.filter(seats__user=request.user)
        return list(mine.filter(status__in=[Table.OPEN, Table.PLAYING]).order_by("-status", "opened_at"))

    return {"my_tables": SimpleLazyObject(find)}
