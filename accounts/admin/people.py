"""People at the desk: who they are, what they hold, and whether they may come in."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.models import LogEntry
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import books, coins
from accounts.admin import moves
from accounts.admin.basics import Question, ReasonForm, ask, demand, found, record, short_date
from accounts.models import User
from accounts.templatetags.coins import coins as spelt

LINES = 50
"""Movements shown on a person's page; the wallet's own page has all."""

POWERS: list[Any] = ["is_staff", "is_superuser", "groups", "user_permissions"]


class Suspended(admin.SimpleListFilter):
    """Those who may come in, or those who may not."""

    title = gettext_lazy("suspended")
    parameter_name = "suspended"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        """Yes or no."""
        return [("yes", gettext_lazy("suspended")), ("no", gettext_lazy("not suspended"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> QuerySet[User]:
        """The people asked for."""
        if self.value() not in ("yes", "no"):
            return queryset
        return queryset.filter(is_active=self.value() == "no")


@admin.register(User)
class UserAdmin(DjangoUserAdmin):
    """Names, addresses, new passwords, permissions; coins given and taken; people suspended.

    Suspending has a page of its own, which asks for a reason, hence ``is_active`` is not a box to tick.
    """

    change_form_template = "admin/accounts/user/change_form.html"
    fieldsets = [
        (None, {"fields": ["username", "password", "email", "welcome"]}),
        (gettext_lazy("Dates"), {"fields": ["joined", "last_seen"]}),
        (gettext_lazy("Looks"), {"classes": ["collapse"], "fields": ["theme", "deck", "card_back"]}),
        (
            gettext_lazy("At the desk"),
            {
                "classes": ["collapse"],
                "fields": POWERS,
                "description": gettext_lazy(
                    "Who helps at the desk is staff and in a group: floor, treasurer or rules. "
                    "A superuser may do everything."
                ),
            },
        ),
    ]
    list_display = ["username", "balance", "welcome", "last_seen", "role", "joined"]
    list_filter = [Suspended, "is_staff", "groups", "date_joined"]
    list_select_related = ["wallet"]
    list_per_page = 50
    readonly_fields = ["joined", "last_seen", "welcome"]
    actions = None

    @admin.display(description=gettext_lazy("coins"), ordering="wallet__balance")
    def balance(self, user: User) -> str:
        """What is in the wallet."""
        return spelt(user.wallet.balance)

    @admin.display(description=gettext_lazy("may come in"), ordering="is_active", boolean=True)
    def welcome(self, user: User) -> bool:
        """Whether he may come in, or is suspended."""
        return user.is_active

    @admin.display(description=gettext_lazy("at the desk"), ordering="is_staff")
    def role(self, user: User) -> str:
        """Owner, staff, or nothing."""
        return _("owner") if user.is_superuser else _("staff") if user.is_staff else ""

    @admin.display(description=gettext_lazy("registered"), ordering="date_joined")
    def joined(self, user: User) -> str:
        """When he registered."""
        return short_date(user.date_joined)

    @admin.display(description=gettext_lazy("last seen"), ordering="last_login")
    def last_seen(self, user: User) -> str:
        """When he last signed in."""
        return short_date(user.last_login)

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        """Coins are shown to who may look into the ledger."""
        shown: list[Any] = list(super().get_list_display(request))
        if request.user.has_perm("accounts.view_account"):
            return shown
        return [name for name in shown if name != "balance"]

    def get_search_fields(self, request: HttpRequest) -> list[str]:
        """Addresses are for who may change them."""
        return ["username", "username_key", *(["email"] if self.has_change_permission(request) else [])]

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """Addresses, looks and permissions are for who may change them."""
        if obj is None or self.has_change_permission(request, obj):
            return super().get_fieldsets(request, obj)
        return [(None, {"fields": ["username", "welcome", "joined", "last_seen"]})]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """What makes somebody part of the staff is for owners to say."""
        fixed = list(super().get_readonly_fields(request, obj))
        return fixed if request.user.is_superuser else [*fixed, *POWERS]

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """An owner is changed by owners alone: otherwise a helper could make himself one."""
        allowed = super().has_change_permission(request, obj)
        return allowed and (obj is None or not obj.is_superuser or request.user.is_superuser)

    # ------------------------------------------------------------ never lost

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Who has sat at a table, holds coins or worked at the desk is suspended, not deleted."""
        return super().has_delete_permission(request, obj) and (obj is None or not self.is_kept(obj))

    def is_kept(self, user: User) -> bool:
        """Whether somebody's matches, coins or history would lose their owner."""
        return coins.balance(user) > 0 or LogEntry.objects.filter(user=user).exists()

    # ------------------------------------------------------------ pages

    def get_urls(self) -> list[Any]:
        """The pages of our own, before Django's."""
        view = self.admin_site.admin_view
        return [
            path("<path:object_id>/coins/", view(self.coins_view), name="accounts_user_coins"),
            path("<path:object_id>/suspend/", view(self.suspend_view), name="accounts_user_suspend"),
            path("<path:object_id>/lift/", view(self.lift_view), name="accounts_user_lift"),
            *super().get_urls(),
        ]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """A person's page, with what may be done, and his coins."""
        person = self.get_object(request, object_id)
        context = dict(extra_context or {})
        if person is not None:
            context |= self.shown(request, person)
        return super().change_view(request, object_id, form_url, context)

    def shown(self, request: HttpRequest, person: User) -> dict[str, Any]:
        """What the page shows beside the form."""
        context: dict[str, Any] = {
            "may_move": request.user.has_perm("accounts.move_coins"),
            "may_suspend": self.may_suspend(request, person),
        }
        if request.user.has_perm("accounts.view_transfer"):
            rows = list(books.statement(person)[: LINES + 1])
            context |= {
                "purse": coins.wallet_of(person),
                "at_stake": coins.staked(person),
                "lines": books.lines(rows[:LINES]),
                "more": len(rows) > LINES,
            }
        return context

    # ------------------------------------------------------------ coins

    def coins_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Give coins or take some."""
        desk = demand(request, "accounts.move_coins")
        person = found(self, request, object_id)
        form = moves.MoveForm(request.POST if request.method == "POST" else None)
        if form.is_valid():
            wanted = {name: form.cleaned_data[name] for name in ("direction", "amount", "reason", "token")}
            try:
                if moves.move(desk, person, **wanted):
                    self.message_user(request, moves.told(wanted["direction"], wanted["amount"]))
                else:
                    told = _("That was done already; the coins moved once.")
                    self.message_user(request, told, messages.WARNING)
                return redirect(self.page_of(person))
            except coins.CoinError as error:
                form.add_error("amount", str(error.sentence))
        held = coins.balance(person)
        question = Question(
            title=_("Coins of %(name)s") % {"name": person},
            says=[
                _("%(name)s has %(coins)s coins in the wallet.") % {"name": person, "coins": spelt(held)},
                _(
                    "It becomes a transfer of its own in the ledger, with your name and reason. The person sees both."
                ),
            ],
            button=_("Move the coins"),
        )
        return ask(request, self, person, question, form)

    # ------------------------------------------------------------ suspending

    def may_suspend(self, request: HttpRequest, person: User) -> bool:
        """Not oneself, and nobody of the staff unless one owns the house."""
        desk = request.user
        above = desk.is_superuser or not (person.is_staff or person.is_superuser)
        return desk.has_perm("accounts.suspend_user") and above and person.pk != desk.pk

    def suspend_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Keep a person out."""
        says = [
            _("Every session of this person ends at once, open tables in the browser included."),
            _("The name stays taken, the coins stay where they are. It can be lifted again."),
        ]
        return self._change_standing(request, object_id, active=False, says=says)

    def lift_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Let a suspended person in again."""
        says = [_("The person can sign in again, and take back a seat in a match that still runs.")]
        return self._change_standing(request, object_id, active=True, says=says)

    def suspension_says(self, person: User) -> list[str]:
        """What else happens when this person is suspended; for the layer above, which knows tables."""
        return []

    def _change_standing(
        self, request: HttpRequest, object_id: str, *, active: bool, says: list[str]
    ) -> HttpResponse:
        desk = demand(request, "accounts.suspend_user")
        person = found(self, request, object_id)
        if not self.may_suspend(request, person):
            raise PermissionDenied
        if person.is_active == active:
            told = _("%(name)s is not suspended.") if active else _("%(name)s is suspended already.")
            self.message_user(request, told % {"name": person}, messages.WARNING)
            return redirect(self.page_of(person))
        form = ReasonForm(request.POST if request.method == "POST" else None)
        if form.is_valid():
            told = _("%(name)s may come in again.") if active else _("%(name)s is suspended.")
            if self._store_standing(desk, person, active, form.cleaned_data["reason"]):
                self.message_user(request, told % {"name": person})
            return redirect(self.page_of(person))
        title = _("Let %(name)s in again") if active else _("Suspend %(name)s")
        question = Question(
            title=title % {"name": person},
            says=says if active else [*says, *self.suspension_says(person)],
            button=_("Let in again") if active else _("Suspend"),
            grave=not active,
        )
        return ask(request, self, person, question, form)

    def _store_standing(self, desk: User, person: User, active: bool, reason: str) -> bool:
        """Suspend or lift, and write it in the history; False where somebody else just did."""
        with transaction.atomic():
            row = User.objects.select_for_update(no_key=True).get(pk=person.pk)
            if row.is_active == active:
                return False
            row.is_active = active
            row.save(update_fields=["is_active"])
            record(desk, row, _("Suspension lifted.") if active else _("Suspended."), reason)
        return True

    def page_of(self, person: User) -> str:
        """The address of a person's page at the desk."""
        return reverse("admin:accounts_user_change", args=[person.pk])
