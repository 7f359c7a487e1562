"""A person's own page, and the page others see."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from accounts.models import User


@login_required
def profile(request: HttpRequest) -> HttpResponse:
    """One's own page: facts, looks, and where to change the rest."""
    return render(request, "accounts/profile.html")


def person(request: HttpRequest, pk: int) -> HttpResponse:
    """What everybody may know of somebody."""
    return render(request, "accounts/person.html", {"person": get_object_or_404(User, pk=pk, is_active=True)})
