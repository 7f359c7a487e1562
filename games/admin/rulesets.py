"""Rulesets at the desk: what is offered when a table is opened, in plain words; made, changed, copied, retired."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Count, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.admin.basics import Question, ask, demand, found, record
from games import rules, words
from games.admin.ruleset_form import SECTIONS, RulesetForm
from games.models import Ruleset, Table
from games.rules.ruleset import FIELDS


def uses(*statuses: str) -> Coalesce:
    """A count of the tables that were opened with the ruleset, of these statuses or all."""
    tables = Table.objects.filter(ruleset=OuterRef("pk"))
    if statuses:
        tables = tables.filter(status__in=statuses)
    counted = tables.order_by().values("ruleset").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def in_words(ruleset: rules.Ruleset) -> dict[str, Any]:
    """The rules as people read them, and what dealing again costs at each size of table."""
    players = sorted(ruleset.players)
    odds = []
    if ruleset.redeal:
        odds = [(count, words.redeal_cost(count, ruleset.redeal)) for count in players]
    return {"sentences": words.ruleset_summary(ruleset), "odds": odds}


@admin.register(Ruleset)
class RulesetAdmin(admin.ModelAdmin):
    """Presets are read-only; everything else is a house set, and is retired, never deleted."""

    form = RulesetForm
    list_display = ["name", "kind", "offered", "open_tables", "running_tables", "all_tables", "line"]
    list_filter = ["preset", "retired"]
    search_fields = ["name", "slug"]
    ordering = ["retired", "position", "name"]
    actions = None

    # ------------------------------------------------------------ the list

    def get_queryset(self, request: HttpRequest) -> QuerySet[Ruleset]:
        """With how many tables use each."""
        return (
            super()
            .get_queryset(request)
            .annotate(opened=uses(Table.OPEN), running=uses(Table.PLAYING), used=uses())
        )

    @admin.display(description=gettext_lazy("kind"), ordering="preset")
    def kind(self, ruleset: Ruleset) -> str:
        """A preset, or a set of this house."""
        return _("preset") if ruleset.preset else _("house set")

    @admin.display(description=gettext_lazy("offered"), boolean=True, ordering="retired")
    def offered(self, ruleset: Ruleset) -> bool:
        """Whether a table can be opened with it."""
        return not ruleset.retired

    @admin.display(description=gettext_lazy("open"), ordering="opened")
    def open_tables(self, ruleset: Any) -> int:
        """Open tables that use it."""
        return ruleset.opened

    @admin.display(description=gettext_lazy("running"), ordering="running")
    def running_tables(self, ruleset: Any) -> int:
        """Running matches that use it."""
        return ruleset.running

    @admin.display(description=gettext_lazy("all"), ordering="used")
    def all_tables(self, ruleset: Any) -> int:
        """All tables that ever used it."""
        return ruleset.used

    @admin.display(description=gettext_lazy("what is special"))
    def line(self, ruleset: Ruleset) -> str:
        """What tells it from the others."""
        return words.ruleset_line(ruleset.rules)

    # ------------------------------------------------------------ who may what

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A preset is never changed."""
        return super().has_change_permission(request, obj) and (obj is None or not obj.preset)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never: a ruleset is retired."""
        return False

    # ------------------------------------------------------------ the form

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        """The form knows its controls itself."""
        return super().get_form(request, obj, change, **{**kwargs, "fields": ["name", "position"]})

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """All groups for who may change it; else its name, as the rules are there in words."""
        if obj is not None and not self.has_change_permission(request, obj):
            return [(None, {"fields": ["name", "slug", "kind", "offered"]})]
        return SECTIONS

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """Facts about one that is only looked at."""
        looking = obj is not None and not self.has_change_permission(request, obj)
        return ["kind", "offered"] if looking else []

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """A copy of the ruleset that ``from`` names."""
        source = Ruleset.objects.filter(slug=request.GET.get("from", "")).first()
        if source is None:
            return {}
        return {"base": source.rules, "name": _("%(name)s, our way") % {"name": source.name}}

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> Any:
        """With the rules in words, and who uses them."""
        original = context.get("original")
        form = context["adminform"].form
        shown = getattr(form, "ruleset", None) or (original.rules if original is not None else None)
        base = self.get_changeform_initial_data(request).get("base") if original is None else None
        shown = shown or base or rules.PRESETS["classic"]
        context |= {"in_words": in_words(shown), "may_add": self.has_add_permission(request)}
        if original is not None:
            context["may_retire"] = request.user.has_perm("games.change_ruleset")
        return super().render_change_form(request, context, *args, **kwargs)

    # ------------------------------------------------------------ pages of our own

    def get_urls(self) -> list[Any]:
        """Before Django's: the preview of what is being typed, and retiring."""
        view = self.admin_site.admin_view
        return [
            path("preview/", view(self.preview_view), name="games_ruleset_preview"),
            path("<path:object_id>/retire/", view(self.retire_view), name="games_ruleset_retire"),
            *super().get_urls(),
        ]

    def preview_view(self, request: HttpRequest) -> HttpResponse:
        """What the rules in the form come to, in words, or why they make no sense; nothing is stored."""
        if not (self.has_add_permission(request) or self.has_change_permission(request)):
            raise PermissionDenied
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        form = RulesetForm(request.POST)
        form.is_valid()
        reasons = [
            f"{form.fields[name].label}: {reason}" if name in FIELDS else reason
            for name, errors in form.errors.items()
            if name in FIELDS
            for reason in errors
        ]
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": _("The rules in plain words"),
            "reasons": reasons,
            "in_words": in_words(form.ruleset) if form.ruleset is not None else None,
        }
        part = request.headers.get("X-Requested-With") == "desk"
        name = "admin/games/ruleset/words.html" if part else "admin/games/ruleset/preview.html"
        return TemplateResponse(request, name, context)

    def retire_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Take a ruleset off the list of those on offer, or put it back; presets too."""
        desk = demand(request, "games.change_ruleset")
        ruleset = found(self, request, object_id)
        retire = not ruleset.retired
        if request.method == "POST":
            # What the page showed decides, so that sending it twice does not undo it.
            retire = request.POST.get("retire") == "yes"
            if Ruleset.objects.filter(pk=ruleset.pk, retired=not retire).update(retired=retire):
                what = _("Retired.") if retire else _("Offered again.")
                record(desk, ruleset, what)
            told = _("%(name)s is retired.") if retire else _("%(name)s is on offer.")
            self.message_user(request, told % {"name": ruleset.name})
            return redirect(reverse("admin:games_ruleset_change", args=[ruleset.pk]))
        says = [
            _("Open tables with these rules: %(opened)d. Running matches: %(running)d. All so far: %(used)d.")
            % {"opened": ruleset.opened, "running": ruleset.running, "used": ruleset.used},
            _("Each of them keeps its own copy of the rules and goes on."),
            _("No new table can be opened with them until they are offered again.")
            if retire
            else _("New tables can be opened with them again."),
        ]
        title = _("Retire %(name)s") if retire else _("Offer %(name)s again")
        question = Question(
            title % {"name": ruleset.name}, says, _("Retire") if retire else _("Offer again"), grave=retire
        )
        return ask(
            request, self, ruleset, question, RetireForm(initial={"retire": "yes" if retire else "no"})
        )


class RetireForm(forms.Form):
    """Nothing to fill in: what is to be done."""

    retire = forms.CharField(widget=forms.HiddenInput)
