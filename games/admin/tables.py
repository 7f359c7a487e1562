"""Tables at the desk: the list with what each is doing, a table's own page, and what the desk may do to it."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Case, IntegerField, QuerySet, Value, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.admin.basics import Kept, ask, demand, found, short_date
from accounts.models import Transfer
from accounts.templatetags.coins import coins as spelt
from games import words
from games.admin.log import card, logs
from games.admin.settle import VERBS, SettleForm, Verb
from games.admin.waiting import Wait, states_of, wait_of, waiting_tables
from games.board.words import deal_of, points
from games.errors import Refusal
from games.models import CODE_LENGTH, Seat, Table
from games.state import TableState, store
from games.view import view_of

PHASES = {
    "open": gettext_lazy("open"),
    "calling": gettext_lazy("calling"),
    "playing": gettext_lazy("playing"),
    "scored": gettext_lazy("between deals"),
    "finished": gettext_lazy("finished"),
    "cancelled": gettext_lazy("cancelled"),
    "closed": gettext_lazy("closed"),
}

LIVE_FIRST = Case(
    When(status=Table.PLAYING, then=Value(0)),
    When(status=Table.OPEN, then=Value(1)),
    default=Value(2),
    output_field=IntegerField(),
)
"""The order of the list: running, open, ended."""


class Waiting(admin.SimpleListFilter):
    """Matches that stand still because somebody present will not play; the longest wait comes first."""

    title = gettext_lazy("waiting long")
    parameter_name = "waiting"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        """With coins on the table, which are the desk's to settle, or all."""
        return [("staked", gettext_lazy("with a stake")), ("all", gettext_lazy("all"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Table]) -> QuerySet[Table]:
        """The tables asked for."""
        if self.value() not in ("staked", "all"):
            return queryset
        waiting = queryset.filter(pk__in=waiting_tables().order_by().values("pk"))
        return waiting.filter(stake__gt=0) if self.value() == "staked" else waiting


class Staked(admin.SimpleListFilter):
    """Tables with coins on them, or friendly ones."""

    title = gettext_lazy("stake")
    parameter_name = "staked"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        """Yes or no."""
        return [("yes", gettext_lazy("with a stake")), ("no", gettext_lazy("friendly"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Table]) -> QuerySet[Table]:
        """The tables asked for."""
        if self.value() == "yes":
            return queryset.filter(stake__gt=0)
        return queryset.filter(stake=0) if self.value() == "no" else queryset


@admin.register(Table)
class TableAdmin(Kept, admin.ModelAdmin):
    """Running tables first, then open ones, then those that have ended, each with the newest first."""

    list_display = ["name", "state", "waits", "here", "stake_shown", "pot", "rules", "code", "opened"]
    list_filter = [Waiting, "status", Staked, ("ruleset", admin.RelatedOnlyFieldListFilter)]
    list_per_page = 40
    search_fields = ["=code", "name", "seats__name", "seats__user__username"]
    search_help_text = gettext_lazy("By code, by name, or by the name of somebody at the table.")
    show_full_result_count = False
    actions = None

    # ------------------------------------------------------------ the list

    def get_queryset(self, request: HttpRequest) -> QuerySet[Table]:
        """With the seats."""
        return super().get_queryset(request).prefetch_related("seats")

    def get_ordering(self, request: HttpRequest) -> list[Any]:
        """Those that wait long are sorted by how long."""
        return ["turn_at"] if Waiting.parameter_name in request.GET else [LIVE_FIRST, "-opened_at"]

    @staticmethod
    def _now(table: Any) -> TableState:
        """The state of a row of the list, looked up once a request."""
        if not hasattr(table, "desk_state"):
            table.desk_state = states_of([table])[table.pk]
        return table.desk_state

    @admin.display(description=gettext_lazy("state"), ordering="status")
    def state(self, table: Table) -> str:
        """What it is doing: "deal 2 of 5, playing"."""
        if table.status != Table.PLAYING:
            return table.get_ending_display() or str(PHASES[table.status])
        now = self._now(table)
        return f"{deal_of(now.deal_number, now.length)}, {PHASES[now.phase]}"

    @admin.display(description=gettext_lazy("waits for"), ordering="turn_at")
    def waits(self, table: Table) -> str:
        """Whom for, and how long already."""
        if table.status != Table.PLAYING:
            return ""
        return told(wait_of(self._now(table)))

    @admin.display(description=gettext_lazy("here"))
    def here(self, table: Table) -> str:
        """How many of the people at it are here: "3/4"."""
        seats = [seat for seat in table.seats.all() if seat.user_id is not None]
        if table.status not in (Table.OPEN, Table.PLAYING):
            return ""
        return f"{sum(not seat.left and not seat.away for seat in seats)}/{len(seats)}"

    @admin.display(description=gettext_lazy("stake"), ordering="stake")
    def stake_shown(self, table: Table) -> str:
        """Coins each player stakes."""
        return spelt(table.stake) if table.stake else ""

    @admin.display(description=gettext_lazy("pot"))
    def pot(self, table: Table) -> str:
        """All the coins that lie on it."""
        return spelt(table.stake * table.players) if table.stake and table.status == Table.PLAYING else ""

    @admin.display(description=gettext_lazy("rules"), ordering="rules_name")
    def rules(self, table: Table) -> str:
        """The rules it is played by."""
        return table.rules_name

    @admin.display(description=gettext_lazy("opened"), ordering="opened_at")
    def opened(self, table: Table) -> str:
        """When it was opened."""
        return short_date(table.opened_at)

    # ------------------------------------------------------------ a table's page

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Table | None:
        """A table by its key or its code: the ledger knows the code alone."""
        if len(object_id) == CODE_LENGTH:
            table = self.get_queryset(request).filter(code=object_id).first()
            if table is not None:
                return table
        return super().get_object(request, object_id, from_field)

    def get_urls(self) -> list[Any]:
        """The pages that ask before they act, before Django's own."""
        view = self.admin_site.admin_view
        asks = [
            path(
                f"<path:object_id>/{verb.key}/",
                view(self._asker(verb)),
                name=f"games_table_{verb.key}",
            )
            for verb in VERBS
        ]
        return [*asks, *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """A table as it stands."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        table = found(self, request, object_id)
        state = store.fresh(table.pk)
        may_settle = request.user.has_perm("games.settle_table")
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": table.name,
            "table": table,
            "view": view_of(state, None),
            "phase": PHASES[state.phase],
            "wait": wait_of(state),
            "seats": seats_of(table, state),
            "sheet": sheet_of(state),
            "trick": [(state.seats[seat], card(value)) for seat, value in view_of(state, None).trick],
            "clock": words.clock_text(state.call_clock, state.card_clock),
            "logs": logs(state),
            "transfers": Transfer.objects.filter(table=table.code)
            .select_related("source__user", "target__user", "actor")
            .order_by("pk"),
            "verbs": [verb for verb in VERBS if may_settle and verb.may(state)],
            "may_view_people": request.user.has_perm("accounts.view_user"),
            "may_view_rules": request.user.has_perm("games.view_ruleset"),
        }
        return TemplateResponse(request, "admin/games/table/change_form.html", context)

    # ------------------------------------------------------------ what the desk may do

    def _asker(self, verb: Verb) -> Any:
        def asker(request: HttpRequest, object_id: str) -> HttpResponse:
            desk = demand(request, "games.settle_table")
            table = found(self, request, object_id)
            page = reverse("admin:games_table_change", args=[table.pk])
            state = store.fresh(table.pk)
            form = SettleForm(request.POST or None, initial={"shown": verb.shown(state)})
            if form.is_valid():
                try:
                    done = verb.do(table.pk, desk, form.cleaned_data["reason"], form.cleaned_data["shown"])
                    self.message_user(request, done)
                except Refusal as refusal:
                    self.message_user(request, str(refusal.sentence), messages.ERROR)
                return redirect(page)
            if not verb.may(state):
                self.message_user(request, _("That cannot be done to this table now."), messages.ERROR)
                return redirect(page)
            return ask(request, self, table, verb.question(state, desk), form)

        return asker


def told(wait: Wait | None) -> str:
    """Whom a match waits for and how long already."""
    if wait is None:
        return ""
    names = ", ".join(wait.names)
    if len(wait.names) > 2:
        names = _("%(count)d people") % {"count": len(wait.names)}
    sentence = _("%(names)s, %(long)s") % {"names": names, "long": wait.long}
    return format_html("<strong>{}</strong>", sentence) if wait.stuck else sentence


def seats_of(table: Table, state: TableState) -> list[dict[str, Any]]:
    """The seats as everybody sees them, with what the desk knows besides: whose they are, and when he was seen."""
    rows: dict[int, Seat] = {seat.index: seat for seat in table.seats.all()}
    return [
        {
            "seat": seat,
            "number": seat.index + 1,
            "user": rows[seat.index].user_id if seat.index in rows else None,
            "seen": rows[seat.index].last_seen if seat.index in rows else None,
            "total": points(seat.total),
        }
        for seat in view_of(state, None).seats
    ]


def sheet_of(state: TableState) -> list[tuple[int, list[str]]]:
    """The scored deals: number, and by seat what was called, taken and scored: "3 / 4 = 3.1"."""
    return [
        (
            row.number,
            [
                _("%(took)d of %(call)d: %(score)s")
                % {"took": cell.took, "call": cell.call, "score": points(cell.score)}
                for cell in row.cells
            ],
        )
        for row in view_of(state, None).sheet
    ]
