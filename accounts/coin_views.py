"""Pages about coins: one's own statement, the day's refill, and the house's supply."""

from __future__ import annotations

from datetime import UTC

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import books, coins
from accounts.models import User

PAGE = 30
"""Movements on a page of the statement."""


def _me(request: HttpRequest) -> User:
    """Who asks, who is signed in."""
    assert isinstance(request.user, User)
    return request.user


@never_cache
@require_safe
@login_required
def statement(request: HttpRequest) -> HttpResponse:
    """One's coins: how many, the day's refill, and every movement, newest first."""
    me = _me(request)
    page = Paginator(books.statement(me), PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "lines": books.lines(page.object_list),
        "staked": coins.staked(me),
        "refill": coins.refill_due(me),
        "refilled": coins.refilled(me),
        "floor": settings.COIN_FLOOR,
    }
    return render(request, "accounts/coins.html", context)


@never_cache
@require_safe
@login_required
def statement_csv(request: HttpRequest) -> HttpResponse:
    """The whole statement for a spreadsheet, which knows UTF-8 by its mark at the beginning."""
    text = books.as_csv(books.statement(_me(request)))
    response = HttpResponse(text.encode("utf-8-sig"), content_type="text/csv; charset=utf-8")
    day = timezone.now().astimezone(UTC).date().isoformat()
    response["Content-Disposition"] = f'attachment; filename="coins-{day}.csv"'
    return response


@require_POST
@login_required
def refill(request: HttpRequest) -> HttpResponse:
    """Take the day's refill."""
    got = coins.refill(_me(request))
    if got is None:
        messages.info(request, _("There is no refill for you now."))
    else:
        words = ngettext("%(coins)d coin from the house.", "%(coins)d coins from the house.", got.amount)
        messages.success(request, words % {"coins": got.amount})
    return redirect("accounts:coins")


@require_safe
def supply(request: HttpRequest) -> HttpResponse:
    """All coins of the house, for everybody to see that they add up."""
    return render(request, "accounts/supply.html", {"supply": books.supply()})
