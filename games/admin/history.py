"""The desk's own history: everything that was done here, by whom, and why. Read-only."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from accounts.admin.basics import Kept


@admin.register(LogEntry)
class HistoryAdmin(Kept, admin.ModelAdmin):
    """Every change made at the desk, the latest first."""

    list_display = ["action_time", "user", "about", "what"]
    list_display_links = None
    list_filter = [("content_type", admin.RelatedOnlyFieldListFilter), "action_time"]
    list_per_page = 50
    search_fields = ["user__username", "object_repr", "change_message"]
    search_help_text = _("By who did it, what it was done to, or a word of the reason.")
    show_full_result_count = False
    actions = None

    def get_queryset(self, request: HttpRequest) -> QuerySet[LogEntry]:
        """With who and what."""
        return super().get_queryset(request).select_related("user", "content_type")

    @admin.display(description=_("about"))
    def about(self, entry: LogEntry) -> str:
        """What it was done to, and a link to it."""
        url = entry.get_admin_url()
        kind = entry.content_type.name if entry.content_type else ""
        if url is None or entry.is_deletion():
            return f"{kind}: {entry.object_repr}"
        return format_html('{}: <a href="{}">{}</a>', kind, url, entry.object_repr)

    @admin.display(description=_("what was done"))
    def what(self, entry: LogEntry) -> str:
        """The change in words, with its reason."""
        return entry.get_change_message()
