"""The list of stakes: what a place at a table may cost."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.templatetags.coins import coins as spelt
from games.fields import clean_title
from games.models import Ruleset, Stake

MOST = 1_000_000


class StakeForm(forms.ModelForm):
    """A stake with limits that make sense, and only rulesets that are on offer or chosen already."""

    class Meta:
        model = Stake
        fields = ["name", "amount", "lowest_balance", "rulesets", "active"]
        widgets = {"rulesets": forms.CheckboxSelectMultiple}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "rulesets" in self.fields:
            chosen = Q(retired=False)
            if self.instance.pk is not None:
                chosen |= Q(stakes=self.instance)
            self.fields["rulesets"].queryset = Ruleset.objects.filter(chosen).distinct()  # type: ignore[attr-defined]

    def clean_name(self) -> str:
        """A name that can be read."""
        return clean_title(self.cleaned_data["name"])

    def clean_amount(self) -> int:
        """Not more than anybody could ever have."""
        return self._coins("amount")

    def clean_lowest_balance(self) -> int:
        """Likewise."""
        return self._coins("lowest_balance")

    def clean(self) -> dict[str, Any]:
        """Nothing is asked of who sits down for nothing: a friendly table is the same for everybody."""
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("amount") == 0 and cleaned.get("lowest_balance"):
            self.add_error(
                "lowest_balance",
                ValidationError(_("A friendly table asks for no coins."), code="friendly"),
            )
        return cleaned

    def _coins(self, name: str) -> int:
        coins = self.cleaned_data[name]
        if coins > MOST:
            raise ValidationError(_("At most %(most)s coins.") % {"most": spelt(MOST)}, code="too_many")
        return coins


@admin.register(Stake)
class StakeAdmin(admin.ModelAdmin):
    """What is changed here holds for tables opened afterwards; a stake is taken off the list, not deleted."""

    form = StakeForm
    list_display = ["name", "amount", "lowest_balance", "active", "asked", "for_rules"]
    list_editable = ["amount", "lowest_balance", "active"]
    list_filter = ["active"]
    list_per_page = 25  # more fields than a form may send otherwise
    search_fields = ["name"]
    actions = None

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        """Rulesets are chosen here, made elsewhere."""
        form = super().get_form(request, obj, change, **kwargs)
        if "rulesets" in form.base_fields:
            form.base_fields["rulesets"].widget.can_add_related = False
        return form

    def get_changelist_form(self, request: HttpRequest, **kwargs: Any) -> Any:
        """The same limits in the list."""
        return super().get_changelist_form(request, **{**kwargs, "form": StakeForm})

    def get_queryset(self, request: HttpRequest) -> QuerySet[Stake]:
        """With the rules each is for."""
        return super().get_queryset(request).prefetch_related("rulesets")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never: it is made inactive."""
        return False

    @admin.display(description=gettext_lazy("coins to sit down"))
    def asked(self, stake: Stake) -> str:
        """The coins a person must have."""
        return spelt(stake.asks_for) if stake.asks_for else _("none: friendly")

    @admin.display(description=gettext_lazy("rules"))
    def for_rules(self, stake: Stake) -> str:
        """The rules it may be played under."""
        return ", ".join(ruleset.name for ruleset in stake.rulesets.all()) or _("all")
