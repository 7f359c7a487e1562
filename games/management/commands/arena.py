"""Let bots play each other: `manage.py arena expert normal normal normal --deals 2000 --ruleset kal --seed 1`."""

from __future__ import annotations

import json
import os
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.bots import arena, kernel
from games.rules import PRESETS


class Command(BaseCommand):
    """`manage.py arena`: see the module."""

    help = "Play bots against each other on the same deals with the seats rotated."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the arguments and options."""
        parser.add_argument("entrants", nargs="+", help="a level or http://HOST:PORT, one for each seat")
        parser.add_argument(
            "--deals", type=int, default=200, help="different deals, each played in all seatings"
        )
        parser.add_argument("--ruleset", choices=list(PRESETS), default="kal")
        parser.add_argument("--length", type=int, default=5, help="deals a match")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument(
            "--players", type=int, help="how many seats; with fewer entrants the last one fills up"
        )
        parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
        parser.add_argument(
            "--limit", type=float, default=2.0, help="seconds an outside bot has for an answer"
        )
        parser.add_argument("--json", action="store_true", help="print the figures as JSON")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Play, with a bar on the error output, and print the figures."""
        entrants = list(options["entrants"])
        ruleset = PRESETS[options["ruleset"]]
        players = options["players"] or max(len(entrants), min(ruleset.players))
        entrants += entrants[-1:] * (players - len(entrants))
        if players not in ruleset.players or len(entrants) != players:
            raise CommandError(f"{options['ruleset']} is not for {len(entrants)} players.")
        if options["deals"] < 1 or options["length"] < 1 or options["processes"] < 1:
            raise CommandError("Deals, length and processes are numbers from 1 on.")
        folder = settings.KERNEL_DIR
        compiled = kernel.ready(folder) and kernel.available()
        if not compiled:
            self.stderr.write("The kernel is not prepared (manage.py prepare_bots): this is the slow way.")
        contest = arena.Contest(
            tuple(entrants),
            ruleset,
            options["length"],
            options["seed"],
            options["limit"],
            str(folder) if compiled else "",
        )
        matches = -(-options["deals"] // options["length"])
        results = []
        try:
            for result in arena.play(contest, matches, options["processes"]):
                results.append(result)
                self._bar(len(results), matches)
        except ValueError as error:
            raise CommandError(str(error)) from None
        figures = {"ruleset": options["ruleset"], **arena.report(contest, results)}
        self.stdout.write(json.dumps(figures) if options["json"] else arena.text_of(figures))

    def _bar(self, done: int, of: int) -> None:
        if self.stderr.isatty():
            full = 40 * done // of
            self.stderr.write(
                f"\r[{'#' * full}{'.' * (40 - full)}] {done}/{of}", ending="\n" if done == of else ""
            )
