"""The form of a ruleset at the desk: one control for every field of the rules, made from the controls that a host has.

So labels, help and choices are worded in one place (``games.house_sets``); here they become Django's own controls.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from django import forms
from django.contrib.admin.widgets import AdminIntegerFieldWidget, AdminTextInputWidget
from django.core.exceptions import ValidationError
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import rules, words
from games.fields import Choice, Number, Tenths, clean_title
from games.house_sets import GROUPS, YES_NO_RULES, rule_fields
from games.models import Ruleset
from games.rules.ruleset import FIELDS, MAX_DEALS, MAX_PLAYERS, MAX_POINTS, MIN_PLAYERS

SECTIONS: list[tuple[Any, dict[str, Any]]] = [
    (None, {"fields": ["name", "position"]}),
    (gettext_lazy("The match"), {"fields": ["players", "deals"]}),
    *(
        (
            group.title,
            {
                "fields": [name for name in group.names if not name.startswith("redeal_")]
                + (["redeal"] if group.key == "deal" else [])
            },
        )
        for group in GROUPS
    ),
]
"""The form's groups: those in which a host meets the rules, after the name and the match."""


class NumberList(forms.CharField):
    """Whole numbers with commas between them, the one offered first at the beginning."""

    widget = AdminTextInputWidget

    def prepare_value(self, value: Any) -> Any:
        """Numbers as they are typed."""
        return ", ".join(map(str, value)) if isinstance(value, list | tuple) else value

    def to_python(self, value: Any) -> list[int]:  # type: ignore[override]
        """The numbers. Raises ValidationError for anything else."""
        text = super().to_python(value) or ""
        parts = [part for part in re.split(r"[\s,;]+", text) if part]
        if not all(re.fullmatch("[0-9]{1,3}", part) for part in parts):
            raise ValidationError(_("Whole numbers with commas between them."), code="numbers")
        return [int(part) for part in parts]


def control(name: str, field: forms.Field) -> forms.Field:
    """Django's control for one of the host's, with the same label, help and limits."""
    common: dict[str, Any] = {"label": field.label, "help_text": field.help_text}
    if isinstance(field, Choice):
        if name in YES_NO_RULES:
            return forms.BooleanField(required=False, **common)
        return forms.ChoiceField(choices=list(field.choices), widget=forms.RadioSelect, **common)
    assert isinstance(field, Number)
    if isinstance(field, Tenths):
        return forms.DecimalField(min_value=0, max_value=MAX_POINTS, max_digits=5, decimal_places=1, **common)
    return forms.IntegerField(
        min_value=field.low,
        max_value=field.high,
        required=not field.blank,
        widget=AdminIntegerFieldWidget,
        **common,
    )


def redeal_labels(players: Iterable[int]) -> list[tuple[str, str]]:
    """The hands for which a deal may be dealt again, each with what it costs with so many players."""
    return [
        (
            reason,
            "{} ({})".format(
                hand,
                ", ".join(
                    _("%(percent)s with %(players)d")
                    % {"percent": words.percent(rules.redeal_odds(count, [reason])), "players": count}
                    for count in players
                ),
            ),
        )
        for reason, hand in words.REDEAL_REASONS.items()
    ]


class RulesetForm(forms.ModelForm):
    """A ruleset's name, its place in the list and every field of its rules.

    ``base`` in ``initial`` is what a new one begins as. A refusal of the rules stands at the field it is about.
    """

    class Meta:
        model = Ruleset
        fields = ["name", "position"]
        help_texts = {"position": gettext_lazy("Lower numbers are offered first.")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        base = self.initial.pop("base", None)
        start = base or (self.instance.rules if self.instance.fields else rules.PRESETS["classic"])
        self.fields["players"] = NumberList(
            label=words.RULE_LABELS["players"],
            help_text=_("From %(low)d to %(high)d, with commas; the first is the usual number.")
            % {"low": MIN_PLAYERS, "high": MAX_PLAYERS},
        )
        self.fields["deals"] = NumberList(
            label=words.RULE_LABELS["deals"],
            help_text=_("Lengths of a match, from 1 to %(high)d, with commas; the first is the usual one.")
            % {"high": MAX_DEALS},
        )
        for name, field in rule_fields(start, MIN_PLAYERS).items():
            if not name.startswith("redeal_"):
                self.fields[name] = control(name, field)
        self.fields["max_call"].help_text = _("Empty: as many as there are tricks in the deal.")
        self.fields["redeal"] = forms.MultipleChoiceField(
            label=words.RULE_LABELS["redeal"],
            required=False,
            choices=redeal_labels(range(MIN_PLAYERS, MAX_PLAYERS + 1)),
            widget=forms.CheckboxSelectMultiple,
            help_text=_("Such a hand, whoever holds it, is dealt again before anybody calls."),
        )
        self.initial.update(start.to_dict(), overtrick=Decimal(start.overtrick) / 10)
        self.ruleset: rules.Ruleset | None = None

    def clean_name(self) -> str:
        """A name that can be read, and that no other ruleset has."""
        name = clean_title(self.cleaned_data["name"])
        if Ruleset.objects.filter(name__iexact=name).exclude(pk=self.instance.pk).exists():
            raise ValidationError(_("There is a ruleset of that name already."), code="unique")
        return name

    def clean(self) -> dict[str, Any]:
        """Refuse rules that make no sense, with the reason, at the field to correct."""
        values = super().clean() or self.cleaned_data
        if all(name in values for name in FIELDS):
            try:
                self.ruleset = rules.Ruleset.from_dict(as_rules(values))
            except rules.RulesetError as error:
                self.add_error(
                    error.field if error.field in self.fields else None, words.ruleset_refusal(error)
                )
            else:
                self.instance.fields = self.ruleset.to_dict()
                self.instance.slug = self.instance.slug or free_slug(values.get("name", ""))
        return values


def as_rules(values: Mapping[str, Any]) -> dict[str, object]:
    """The form's values as the rules have them."""
    found = {name: values[name] for name in FIELDS}
    found["overtrick"] = int(found["overtrick"] * 10)
    return found


def free_slug(name: str) -> str:
    """A slug that no ruleset has, made from the name."""
    stem = slugify(name)[:30] or "house"
    taken = set(Ruleset.objects.filter(slug__startswith=stem).values_list("slug", flat=True))
    return next(
        slug
        for number in range(1, 10_000)
        if (slug := stem if number == 1 else f"{stem}-{number}") not in taken
    )
