"""Rulesets in plain words, for templates."""

from __future__ import annotations

from django import template

from games import words
from games.models import Ruleset

register = template.Library()


@register.filter
def ruleset_line(ruleset: Ruleset) -> str:
    """What is special about a stored ruleset."""
    return words.ruleset_line(ruleset.rules)
