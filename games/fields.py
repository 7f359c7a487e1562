"""The controls of the form that opens a table. One that was not sent keeps what it showed at first."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

Text: TypeAlias = "str | _StrPromise"


TITLE_LENGTH = 40
MOST_MARKS = 4  # combining marks in a row on one letter


def clean_title(text: str) -> str:
    """A title somebody typed, in normal form C with single spaces.

    Raises:
        ValidationError: it is too long, says nothing, or holds what cannot be seen or turns the line.
    """
    title = " ".join(unicodedata.normalize("NFC", text).split())
    marks = 0
    for character in title:
        category = unicodedata.category(character)
        # The joiners are invisible too, but Devanagari and Bengali are spelt with them.
        if category[0] == "C" and character not in "\u200c\u200d":
            raise ValidationError(
                _("That name holds a character that cannot be shown."), code="title_character"
            )
        marks = marks + 1 if category[0] == "M" else 0
        if marks > MOST_MARKS:
            raise ValidationError(_("That name has too many marks on one letter."), code="title_marks")
    if len(title) > TITLE_LENGTH:
        raise ValidationError(
            ngettext(
                "A name has at most %(most)s character.",
                "A name has at most %(most)s characters.",
                TITLE_LENGTH,
            )
            % {"most": TITLE_LENGTH},
            code="title_long",
        )
    if title and not any(unicodedata.category(character)[0] in "LNS" for character in title):
        raise ValidationError(_("A name needs a letter or a digit."), code="title_empty")
    return title


class Title(forms.CharField):
    """A line of text people will read; nothing typed means the suggestion."""

    kind = "text"

    def __init__(self, label: Text, suggestion: str, help_text: Text = "") -> None:
        super().__init__(label=label, initial=suggestion, help_text=help_text, required=False)

    def clean(self, value: Any) -> str:
        """The title, or the suggestion."""
        return clean_title(value if isinstance(value, str) else "") or self.initial


class Choice(forms.Field):
    """One of a few values, shown side by side ("seg") or one under the other ("list").

    ``choices`` are pairs of value and label; ``notes`` say more about some of them, by value as it is sent.
    ``reasons`` say why some cannot be chosen now: those are shown disabled. ``reason`` is given where there is a
    single choice: the whole control is then shown disabled.
    """

    def __init__(
        self,
        label: Text,
        choices: Sequence[tuple[Any, Text]],
        initial: Any,
        refusal: Text,
        *,
        kind: str = "seg",
        reason: Text = "",
        help_text: Text = "",
        notes: Mapping[str, str] | None = None,
        reasons: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(label=label, initial=initial, help_text=help_text, required=False)
        self.notes = notes or {}
        self.reasons = reasons or {}
        self.choices = choices
        self.refusal = refusal
        self.kind = kind
        self.reason = reason

    def clean(self, value: Any) -> Any:
        """The chosen value, of the type it has in ``choices``; the first one shown when nothing was sent."""
        if value is None or value == "":
            return self.initial
        if isinstance(value, str) and value in self.reasons:
            raise ValidationError(self.reasons[value], code="not_now")
        for choice, _label in self.choices:
            if value == str(choice):
                return choice
        raise ValidationError(self.refusal, code="not_a_choice")


class Number(forms.Field):
    """A whole number within limits. Where ``blank`` says what leaving it empty means, empty is None."""

    kind = "number"
    step = "1"

    def __init__(
        self,
        label: Text,
        low: int,
        high: int,
        initial: int | None,
        *,
        blank: Text = "",
        help_text: Text = "",
    ) -> None:
        super().__init__(label=label, initial=initial, help_text=help_text, required=False)
        self.first = initial
        self.low = low
        self.high = high
        self.blank = blank

    def clean(self, value: Any) -> int | None:
        """The number; what was shown at first when the control was not sent at all."""
        if value is None:
            return self.first
        if not isinstance(value, str) or (not value.strip() and not self.blank):
            raise self.refuse()
        if not value.strip():
            return None
        number = self.parse(value.strip())
        if number is None or not self.low <= number <= self.high:
            raise self.refuse()
        return number

    def parse(self, text: str) -> int | None:
        """The number a text stands for, or None."""
        return int(text) if re.fullmatch("[0-9]{1,4}", text) else None

    def shown(self, value: int | None) -> str:
        """A number as the control shows it."""
        return "" if value is None else str(value)

    def refuse(self) -> ValidationError:
        """The sentence for anything else."""
        limits = {"low": self.shown(self.low), "high": self.shown(self.high)}
        if self.blank:
            return ValidationError(
                _("A whole number from %(low)s to %(high)s, or nothing.") % limits, code="out_of_range"
            )
        return ValidationError(_("A whole number from %(low)s to %(high)s.") % limits, code="out_of_range")


class Tenths(Number):
    """Points with at most one decimal, kept as tenths."""

    step = "0.1"

    def parse(self, text: str) -> int | None:
        """Tenths from "0.1" or "0,1"."""
        match = re.fullmatch(r"([0-9]{1,3})(?:[.,]([0-9]))?", text)
        return int(match[1]) * 10 + int(match[2] or 0) if match else None

    def shown(self, value: int | None) -> str:
        """Tenths as points, without a decimal where there is none."""
        if value is None:
            return ""
        return f"{value // 10}.{value % 10}" if value % 10 else str(value // 10)

    def refuse(self) -> ValidationError:
        """The sentence for anything else."""
        limits = {"low": self.shown(self.low), "high": self.shown(self.high)}
        return ValidationError(
            _("Points from %(low)s to %(high)s with one decimal at most.") % limits, code="out_of_range"
        )


def first_shown(field: forms.Field) -> str:
    """The value a control shows at first, as it is sent when nobody touches it."""
    return field.shown(field.initial) if isinstance(field, Number) else str(field.initial)


@dataclass(frozen=True, slots=True)
class Option:
    """One choice as it is drawn."""

    value: str
    label: Text
    chosen: bool
    note: Text = ""
    reason: Text = ""  # why it cannot be chosen now; empty where it can


@dataclass(frozen=True, slots=True)
class Control:
    """A field as it is drawn: its state now, not its class."""

    name: str
    kind: str
    label: Text
    help: Text
    value: str
    options: tuple[Option, ...]
    error: str
    reason: Text  # why it cannot be changed; empty where it can
    low: str
    high: str
    step: str
    blank: Text
    changed: bool  # it differs from the ruleset it was made from

    @property
    def described_by(self) -> str:
        """Ids of what explains the control."""
        return f"{self.name}-error" if self.error else (f"{self.name}-help" if self.help else "")
