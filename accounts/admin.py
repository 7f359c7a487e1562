"""People at the desk."""

from __future__ import annotations

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.utils.translation import gettext_lazy as _

from accounts.models import User

# The desk signs in by the same door as everybody, and under the same limits.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]


@admin.register(User)
class UserAdmin(DjangoUserAdmin):
    """Names, addresses, closing of accounts, new passwords, permissions."""

    fieldsets = [
        (None, {"fields": ["username", "password", "email"]}),
        (_("Looks"), {"fields": ["theme", "deck", "card_back"]}),
        (
            _("Permissions"),
            {"fields": ["is_active", "is_staff", "is_superuser", "groups", "user_permissions"]},
        ),
        (_("Dates"), {"fields": ["date_joined", "last_login"]}),
    ]
    list_display = ["username", "email", "date_joined", "last_login", "is_active", "is_staff"]
    search_fields = ["username", "username_key", "email"]
    readonly_fields = ["date_joined", "last_login"]
