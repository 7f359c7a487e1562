"""The desk: Django's admin, with the door, the names and the order of this house."""

from __future__ import annotations

from typing import Any

from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

ORDER = ("Table", "Ruleset", "Stake", "User", "Account", "Transfer", "BookCheck", "LogEntry", "Group")
"""The models in the order in which they are needed; an app stands where its first model does."""


class Desk(AdminSite):
    """Signing in goes through the same door as everybody's, and under the same limits."""

    site_header = _("Call Break: the desk")
    site_title = _("The desk")
    index_title = _("The house today")
    empty_value_display = "\N{EN DASH}"

    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """To the house's own page for signing in."""
        # Not at the top: allauth reads models, which are not there yet when Django looks for the desk.
        from allauth.account.decorators import secure_admin_login

        return secure_admin_login(super().login)(request, extra_context=extra_context)

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """The apps and models that this person may see, in their order."""
        apps = super().get_app_list(request, app_label)

        def place(model: dict[str, Any]) -> int:
            name = model["object_name"]
            return ORDER.index(name) if name in ORDER else len(ORDER)

        for app in apps:
            app["models"].sort(key=place)
        return sorted(apps, key=lambda app: min(map(place, app["models"]), default=0))
