"""The desk's pages about people and coins. The desk is Django's admin, at ``/desk/``."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from django.contrib import admin

from accounts.admin import ledger, people

__all__ = ["ledger", "people"]

# A person has one address, on his own page; the list that allauth keeps beside it would only confuse.
admin.site.unregister(EmailAddress)
