"""People at the desk, with what their tables tell about them: when they were last seen, and where they play."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.admin.basics import short_date
from accounts.admin.people import UserAdmin
from accounts.models import User
from games.models import Seat, Table

MATCHES = 20
"""Seats shown on a person's page, the latest."""

admin.site.unregister(User)


@admin.register(User)
class PersonAdmin(UserAdmin):
    """The desk's page about a person, and the list of all."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        """With the last sign of life at a table."""
        latest = Seat.objects.filter(user=OuterRef("pk")).order_by("-last_seen").values("last_seen")[:1]
        return super().get_queryset(request).annotate(seen_at_table=Subquery(latest))

    @admin.display(description=gettext_lazy("last seen"), ordering="seen_at_table")
    def last_seen(self, user: Any) -> str:
        """The last sign of life at a table, or the last time of signing in."""
        return short_date(max(filter(None, [user.seen_at_table, user.last_login]), default=None))

    def is_kept(self, user: User) -> bool:
        """Whoever has sat at a table is kept too."""
        return super().is_kept(user) or Seat.objects.filter(user=user).exists()

    def shown(self, request: HttpRequest, person: User) -> dict[str, Any]:
        """With the latest tables he sat at."""
        context = super().shown(request, person)
        if request.user.has_perm("games.view_table"):
            seats = Seat.objects.filter(user=person).select_related("table")
            context["seats"] = seats.order_by("-table__opened_at")[:MATCHES]
        return context

    def suspension_says(self, person: User) -> list[str]:
        """Which seats he leaves, and to whom."""
        seats = Seat.objects.filter(user=person, left=False).select_related("table")
        playing = [seat.table for seat in seats.filter(table__status=Table.PLAYING)]
        waiting = [seat.table.name for seat in seats.filter(table__status=Table.OPEN)]
        says = [
            _("At %(table)s a bot plays on in his seat; the stake of %(stake)d coins stays his.")
            % {"table": table.name, "stake": table.stake}
            if table.stake
            else _("At %(table)s a bot plays on in his seat.") % {"table": table.name}
            for table in playing
        ]
        if waiting:
            says.append(_("He loses the seat where he waits: %(tables)s.") % {"tables": ", ".join(waiting)})
        return says
