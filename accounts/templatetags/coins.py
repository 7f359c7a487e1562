"""Numbers of coins in templates."""

from __future__ import annotations

from django import template
from django.utils import formats

register = template.Library()

MINUS = "\N{MINUS SIGN}"


@register.filter
def coins(value: int) -> str:
    """The number with its thousands apart: 1,240."""
    return formats.number_format(int(value), use_l10n=True, force_grouping=True)


@register.filter
def change(value: int) -> str:
    """The number with its sign: +150, or 50 with a minus sign."""
    return (MINUS if value < 0 else "+") + coins(abs(value))
