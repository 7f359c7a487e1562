"""The desk: what the host of the house sees. Tables are shown as they stand, never with the hands of a running deal."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from games.models import Ruleset, Seat, Table


class ReadOnly:
    """Facts of play are looked at, not edited."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Ruleset)
class RulesetAdmin(ReadOnly, admin.ModelAdmin):
    """Presets are read-only everywhere; house sets are made at the table."""

    list_display = ["name", "slug", "preset", "retired"]


class SeatInline(ReadOnly, admin.TabularInline):
    """Who sits where."""

    model = Seat
    fields = ["index", "name", "user", "bot", "left", "away", "last_seen"]
    extra = 0


@admin.register(Table)
class TableAdmin(ReadOnly, admin.ModelAdmin):
    """Tables with their state and seats."""

    list_display = ["name", "code", "rules_name", "status", "players", "opened_at", "started_at", "ended_at"]
    list_filter = ["status", "rules_name"]
    search_fields = ["name", "code"]
    inlines = [SeatInline]
