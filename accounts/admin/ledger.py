"""The ledger at the desk: accounts with every movement and what was left after it, and all transfers. Read-only."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.core.paginator import Paginator
from django.db.models import BigIntegerField, Case, F, Q, QuerySet, Sum, When
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from accounts.admin.basics import Kept, demand, found, short_date
from accounts.models import Account, Transfer
from accounts.templatetags.coins import coins as spelt

PAGE = 100
"""Movements on a page of an account."""


def movements(account: Account) -> QuerySet[Transfer, Any]:
    """Every movement of an account, newest first; ``change`` is what it added, or took, below zero."""
    return (
        Transfer.objects.filter(Q(source=account) | Q(target=account))
        .annotate(
            change=Case(
                When(target=account, then=F("amount")),
                default=F("amount") * -1,
                output_field=BigIntegerField(),
            )
        )
        .select_related("source__user", "target__user", "actor")
        .order_by("-pk")
    )


def with_balances(account: Account, rows: list[Any]) -> list[Any]:
    """A page of movements, each with its ``other`` account, and ``left``: the balance after it.

    That is reckoned back from the account's balance as it is now.
    """
    if rows:
        later = movements(account).filter(pk__gt=rows[0].pk).aggregate(sum=Sum("change"))["sum"] or 0
        left = account.balance - later
        for row in rows:
            row.left = left
            row.other = row.source if row.target_id == account.pk else row.target
            left -= row.change
    return rows


def table_link(code: str) -> str:
    """The table with this code, as a link to its page at the desk. This app knows that page by its name alone."""
    if not code:
        return ""
    return format_html('<a href="{}">{}</a>', reverse("admin:games_table_change", args=[code]), code)


@admin.register(Account)
class AccountAdmin(Kept, admin.ModelAdmin):
    """Wallets, escrows and the mint."""

    list_display = ["__str__", "kind", "table", "coins"]
    list_filter = ["kind"]
    list_select_related = ["user"]
    list_per_page = 50
    search_fields = ["user__username", "user__username_key", "=code"]
    search_help_text = _("By the name of a person or the code of a table.")
    ordering = ["-balance", "pk"]
    actions = None

    @admin.display(description=_("table"), ordering="code")
    def table(self, account: Account) -> str:
        """The table whose stakes lie here."""
        return table_link(account.code or "")

    @admin.display(description=_("coins"), ordering="balance")
    def coins(self, account: Account) -> str:
        """What lies here."""
        return spelt(account.balance)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """An account with every movement."""
        demand(request, "accounts.view_account", "accounts.view_transfer")
        account = found(self, request, object_id)
        page = Paginator(movements(account), PAGE).get_page(request.GET.get("p"))
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "account": account,
            "title": str(account),
            "page": page,
            "rows": with_balances(account, list(page.object_list)),
        }
        return TemplateResponse(request, "admin/accounts/account/change_form.html", context)


@admin.register(Transfer)
class TransferAdmin(Kept, admin.ModelAdmin):
    """Every movement of coins there ever was."""

    list_display = ["when", "reason", "from_account", "to_account", "coins", "at_table", "who", "note"]
    list_display_links = ["when"]
    list_filter = ["reason", "at"]
    list_per_page = 50
    search_fields = ["source__user__username", "target__user__username", "=table", "=key", "note"]
    search_help_text = _("By the name of a person, the code of a table, a key or a word of the note.")
    ordering = ["-pk"]
    fields = ["at", "reason", "from_account", "to_account", "coins", "at_table", "who", "note", "key"]
    readonly_fields = [
        "at",
        "reason",
        "from_account",
        "to_account",
        "coins",
        "at_table",
        "who",
        "note",
        "key",
    ]
    show_full_result_count = False
    actions = None

    def get_queryset(self, request: HttpRequest) -> QuerySet[Transfer]:
        """With everybody's names."""
        return super().get_queryset(request).select_related("source__user", "target__user", "actor")

    @admin.display(description=_("when"), ordering="at")
    def when(self, row: Transfer) -> str:
        """The moment."""
        return short_date(row.at)

    @admin.display(description=_("from"))
    def from_account(self, row: Transfer) -> str:
        """Where the coins were."""
        return self._link(row.source)

    @admin.display(description=_("to"))
    def to_account(self, row: Transfer) -> str:
        """Where they went."""
        return self._link(row.target)

    @admin.display(description=_("coins"), ordering="amount")
    def coins(self, row: Transfer) -> str:
        """How many."""
        return spelt(row.amount)

    @admin.display(description=_("table"), ordering="table")
    def at_table(self, row: Transfer) -> str:
        """The table they moved for."""
        return table_link(row.table)

    @admin.display(description=_("by"))
    def who(self, row: Transfer) -> str:
        """Who had it done."""
        return str(row.actor or _("the house"))

    @staticmethod
    def _link(account: Account) -> str:
        # Which table's escrow it is stands in a column of its own.
        name = account.get_kind_display() if account.kind == Account.Kind.ESCROW else account
        return format_html(
            '<a href="{}">{}</a>', reverse("admin:accounts_account_change", args=[account.pk]), name
        )
