"""The desk's pages about people and coins. The desk is Django's admin, at ``/desk/``."""

from __future__ import annotations

from allauth.account.decorators import secure_admin_login
from allauth.account.models import EmailAddress
from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from accounts.admin import ledger, people

__all__ = ["ledger", "people"]

# The desk signs in by the same door as everybody, and under the same limits.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
admin.site.site_header = _("Call Break: the desk")
admin.site.site_title = _("The desk")
admin.site.index_title = _("The house today")
admin.site.empty_value_display = "\N{EN DASH}"

# A person has one address, on his own page; the list that allauth keeps beside it would only confuse.
admin.site.unregister(EmailAddress)
