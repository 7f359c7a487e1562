"""Refusals: what a person asked for and may not have, each with a stable code and a sentence for him."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import rules


class Refusal(Exception):
    """Nothing was changed. ``status`` is the HTTP status: 409 when the table moved on, 422 when it is not allowed."""

    def __init__(self, code: str, sentence: str | Promise, status: int = 422) -> None:
        super().__init__(code)
        self.code = code
        self.sentence = sentence
        self.status = status


def stale() -> Refusal:
    """The page the request came from is older than the table."""
    return Refusal("stale", gettext_lazy("The table has moved on; here it is as it stands now."), 409)


def of_rules(error: rules.RulesError) -> Refusal:
    """The refusal for an action that the rules refuse."""
    sentences = {
        "out_of_turn": _("It is not your turn."),
        "not_in_hand": _("You do not hold that card."),
        "not_legal": _("That card may not be played now."),
        "call_range": _("That call is not allowed at this table."),
        "wrong_phase": _("That cannot be done at this moment."),
        "deal_over": _("This deal is over."),
    }
    late = error.code in ("out_of_turn", "wrong_phase", "deal_over")
    return Refusal(
        error.code, sentences.get(error.code, _("That is not a card or a call.")), 409 if late else 422
    )
