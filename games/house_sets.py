"""The controls by which a host changes rules: one for every field, grouped by what it is about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games import rules, words
from games.fields import Choice, Control, Number, Tenths, Text
from games.rules.ruleset import MAX_CLOCK, MAX_POINTS

YES_NO = (("yes", gettext_lazy("Yes")), ("no", gettext_lazy("No")))


@dataclass(frozen=True, slots=True)
class RuleGroup:
    """A group of rules that a host may change."""

    key: str
    title: Text
    says: str  # what the ruleset it is made from says
    controls: list[Control]
    wrong: bool
    changed: int


@dataclass(frozen=True, slots=True)
class _Group:
    key: str
    title: Text
    names: tuple[str, ...]


RULE = "rule_"
YES_NO_RULES = ("cut", "overtrump", "spade_first_lead", "forced_card_plays")
GROUPS = (
    _Group("calls", gettext_lazy("The call"), ("min_call", "max_call")),
    _Group(
        "play",
        gettext_lazy("Playing a card"),
        ("head", "cut", "overtrump", "losing_spade", "spade_first_lead"),
    ),
    _Group(
        "score",
        gettext_lazy("The score"),
        ("overtrick", "overtricks_allowed", "bonus_from", "bonus_score", "broken", "tie"),
    ),
    _Group(
        "deal",
        gettext_lazy("The deal"),
        ("turn", "deal", *(f"redeal_{reason}" for reason in words.REDEAL_REASONS)),
    ),
    _Group("time", gettext_lazy("Time"), ("call_clock", "card_clock", "forced_card_plays", "nudge")),
)


def rule_fields(base: rules.Ruleset, players: int) -> dict[str, forms.Field]:
    """A control for every field of the rules but ``players`` and ``deals``, showing what ``base`` says."""
    tricks = rules.tricks_in_deal(players)
    label = words.RULE_LABELS

    def choice(name: str, *choices: tuple[str, Text], kind: str = "seg", help_text: Text = "") -> Choice:
        refusal = _("%(label)s: that is not one of the choices.") % {"label": label[name]}
        return Choice(label[name], choices, getattr(base, name), refusal, kind=kind, help_text=help_text)

    def yes_no(name: str, help_text: Text = "") -> Choice:
        refusal = _("%(label)s: yes or no.") % {"label": label[name]}
        return Choice(
            label[name], YES_NO, "yes" if getattr(base, name) else "no", refusal, help_text=help_text
        )

    def number(name: str, low: int, high: int, blank: Text = "", help_text: Text = "") -> Number:
        return Number(label[name], low, high, getattr(base, name), blank=blank, help_text=help_text)

    around = (("clockwise", gettext_lazy("clockwise")), ("anticlockwise", gettext_lazy("anticlockwise")))
    found: dict[str, forms.Field] = {
        "min_call": number("min_call", 1, tricks),
        "max_call": number(
            "max_call",
            1,
            17,
            gettext_lazy("any"),
            _("Empty: as many as there are tricks in the deal, %(tricks)s here.") % {"tricks": tricks},
        ),
        "head": choice(
            "head",
            ("until_trumped", gettext_lazy("a must until a spade cuts")),
            ("always", gettext_lazy("always a must")),
            ("never", gettext_lazy("never a must")),
            kind="list",
            help_text=gettext_lazy("Whether those who follow suit must play a higher card if they can."),
        ),
        "cut": yes_no("cut", gettext_lazy("No: with none of the led suit, any card may be played.")),
        "overtrump": yes_no("overtrump", gettext_lazy("For players with none of the led suit.")),
        "losing_spade": choice(
            "losing_spade",
            ("forced", gettext_lazy("a spade all the same")),
            ("free", gettext_lazy("any card")),
            kind="list",
            help_text=gettext_lazy("Only where a spade is a must."),
        ),
        "spade_first_lead": yes_no(
            "spade_first_lead", gettext_lazy("A hand of nothing but spades may always lead one.")
        ),
        "overtrick": Tenths(
            label["overtrick"],
            0,
            10 * MAX_POINTS,
            base.overtrick,
            help_text=gettext_lazy("Usually 0.1, or 0 for none."),
        ),
        "overtricks_allowed": number(
            "overtricks_allowed",
            0,
            17,
            gettext_lazy("any"),
            gettext_lazy("One more than this breaks the call. Empty: any number is fine."),
        ),
        "bonus_from": number(
            "bonus_from",
            1,
            17,
            gettext_lazy("none"),
            gettext_lazy("From this call up a made call scores the bonus instead. Empty: no bonus."),
        ),
        "bonus_score": number("bonus_score", 1, MAX_POINTS, gettext_lazy("none")),
        "broken": choice(
            "broken",
            ("call", gettext_lazy("the whole call")),
            ("shortfall", gettext_lazy("only the missing tricks")),
            kind="list",
        ),
        "tie": choice(
            "tie",
            ("share", gettext_lazy("they share the win")),
            ("draw", gettext_lazy("a draw, nobody wins")),
            ("extra", gettext_lazy("they play on")),
            kind="list",
            help_text=gettext_lazy("When players have the same total after the last deal."),
        ),
        "turn": choice("turn", *around),
        "deal": choice("deal", *around),
        "call_clock": number(
            "call_clock", 1, MAX_CLOCK, gettext_lazy("none"), gettext_lazy("Empty: no clock.")
        ),
        "card_clock": number(
            "card_clock", 1, MAX_CLOCK, gettext_lazy("none"), gettext_lazy("Empty: no clock.")
        ),
        "forced_card_plays": yes_no("forced_card_plays", gettext_lazy("After being shown for a moment.")),
        "nudge": choice(
            "nudge",
            ("after_120_s", gettext_lazy("after two minutes, if all the others ask")),
            ("never", gettext_lazy("never")),
            kind="list",
            help_text=gettext_lazy("Without a clock. A bot then acts for him once."),
        ),
    }
    for reason, hand in words.REDEAL_REASONS.items():
        found[f"redeal_{reason}"] = Choice(
            _("Deal again: %(hand)s") % {"hand": hand},
            YES_NO,
            "yes" if reason in base.redeal else "no",
            _("Dealing again: yes or no."),
            help_text=ngettext(
                "With %(players)s player: %(cost)s.", "With %(players)s players: %(cost)s.", players
            )
            % {"players": players, "cost": words.redeal_cost(players, [reason])},
        )
    return found


def changes(base: rules.Ruleset, values: Mapping[str, Any]) -> dict[str, object]:
    """What the cleaned ``values`` of these controls change in ``base``, by field; empty for nothing.

    "players" and "deals" are among them: a number that the base does not offer is a change.
    """
    found: dict[str, object] = {}
    for name, old in base.to_dict().items():
        new: object
        if name in ("players", "deals"):
            new = old if values[name] in getattr(base, name) else [values[name]]
        elif name == "redeal":
            asked = [reason for reason in words.REDEAL_REASONS if values[f"{RULE}redeal_{reason}"] == "yes"]
            # The same reasons in another order are the same rule.
            new = old if set(asked) == set(base.redeal) else asked
        elif name in YES_NO_RULES:
            new = values[RULE + name] == "yes"
        else:
            new = values[RULE + name]
        if new != old:
            found[name] = new
    return found
