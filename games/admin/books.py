"""Checks of the books at the desk: those there were, each with its figures and faults, and the next one now."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.admin.basics import Kept, demand, found
from games import books
from games.models import BookCheck


@admin.register(BookCheck)
class BookCheckAdmin(Kept, admin.ModelAdmin):
    """The latest first. One is made every day by itself."""

    list_display = ["at", "sound", "faulty", "who"]
    list_filter = ["sound"]
    list_per_page = 50
    actions = None

    @admin.display(description=gettext_lazy("faults"))
    def faulty(self, check: BookCheck) -> int:
        """How many were found."""
        return len(check.faults)

    @admin.display(description=gettext_lazy("asked for by"))
    def who(self, check: BookCheck) -> str:
        """Who had it done."""
        return str(check.by or _("the house"))

    def get_urls(self) -> list[Any]:
        """With the button that checks now."""
        view = self.admin_site.admin_view
        return [path("now/", view(self.now_view), name="games_bookcheck_now"), *super().get_urls()]

    def now_view(self, request: HttpRequest) -> HttpResponse:
        """Check everything and show what was found."""
        desk = demand(request, "games.add_bookcheck")
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        check = books.run_check(desk)
        if check.sound:
            self.message_user(request, _("The books are right."))
        else:
            self.message_user(request, _("The books are not right. Here is what was found."), messages.ERROR)
        return redirect(reverse("admin:games_bookcheck_change", args=[check.pk]))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """A check with all it found."""
        demand(request, "games.view_bookcheck")
        check = found(self, request, object_id)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": _("Check of the books"),
            "check": check,
        }
        return TemplateResponse(request, "admin/games/bookcheck/change_form.html", context)
