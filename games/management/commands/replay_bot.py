"""Decide again what a bot once decided: `manage.py replay_bot TABLE ACTION`, ACTION as in `3.17` (deal and number)."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from games import bots, rules
from games.bots import kernel
from games.models import Action, Deal, Table
from games.state import fold, scored_deal


class Command(BaseCommand):
    """`manage.py replay_bot`: see the module."""

    help = "Show what a bot saw when it acted, what it did, and what it would do now; after the match."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the arguments."""
        parser.add_argument("table", help="the table's code")
        parser.add_argument("action", help="deal and number of the action, as in 3.17; the first call is 0")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Print it; a decision that differs under the same version is an error."""
        table = Table.objects.filter(code=options["table"]).first()
        if table is None:
            raise CommandError("There is no such table.")
        if table.status == Table.PLAYING:
            raise CommandError(
                "This match is still being played: what its bots see is nobody's business yet."
            )
        try:
            deal_number, number = map(int, options["action"].split("."))
            deal = table.deals.get(number=deal_number, redealt="")
            action = deal.actions.get(number=number)
        except (ValueError, Deal.DoesNotExist, Action.DoesNotExist):
            raise CommandError(
                "There is no such action; it is written as in 3.17, deal and number."
            ) from None
        if action.thought is None:
            raise CommandError("No bot made this decision.")
        level, seed, version = (action.thought[key] for key in ("level", "seed", "version"))
        sight = sight_at(table, deal, action)
        kernel.load(settings.KERNEL_DIR)
        again = bots.decide(sight, level, seed)
        for line in describe(sight):
            self.stdout.write(line)
        self.stdout.write(f"level {level}, bots version {version}, seed {seed}")
        self.stdout.write(f"then: {_text(action.kind, action.value)}   now: {_text(action.kind, again)}")
        if again != action.value and version == bots.VERSION:
            raise CommandError("The decision is not the same.")
        if version != bots.VERSION:
            self.stdout.write(f"The bots have version {bots.VERSION} now, so another decision is no fault.")


def sight_at(table: Table, deal: Deal, action: Action) -> rules.Sight:
    """What the seat knew when it made this call or play."""
    ruleset = rules.Ruleset.from_dict(table.fields)
    before = [
        scored_deal(each.number, fold(ruleset, each, each.actions.all())).scores
        for each in table.deals.filter(redealt="", number__lt=deal.number)
    ]
    totals = tuple(sum(scores) for scores in zip(*before, strict=True)) or (0,) * table.players
    state = fold(ruleset, deal, deal.actions.filter(number__lt=action.number))
    return rules.sight_of(state, action.seat, totals=totals, deal_number=deal.number, length=table.length)


def describe(sight: rules.Sight) -> list[str]:
    """The sight in lines of text."""
    tricks = [
        " ".join(
            f"{seat}:{rules.card_text(card)}" for seat, card in sight.plays[start : start + sight.players]
        )
        for start in range(0, len(sight.plays), sight.players)
    ]
    return [
        f"seat {sight.seat}, dealer {sight.dealer}, deal {sight.deal_number} of {sight.length}",
        f"hand {rules.hand_text(sight.hand)}",
        "totals " + " ".join(rules.tenths_text(total) for total in sight.totals),
        "calls " + " ".join("-" if call is None else str(call) for call in sight.calls),
        *(f"trick {number}: {trick}" for number, trick in enumerate(tricks, 1)),
    ]


def _text(kind: str, value: int) -> str:
    return f"call {value}" if kind == Action.CALL else rules.card_text(value)
