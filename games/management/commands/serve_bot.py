"""Answer the bot contest's protocol: `manage.py serve_bot expert --port 7000`."""

from __future__ import annotations

import zlib
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from games import bots
from games.bots import contest, kernel
from games.rules import PRESETS, Sight


class Command(BaseCommand):
    """`manage.py serve_bot`: see the module."""

    help = "Be a bot that the arenas of others can ask over HTTP, until Ctrl-C."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the arguments and options."""
        parser.add_argument("level", choices=bots.LEVELS)
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=7000)
        parser.add_argument("--ruleset", choices=list(PRESETS), default="kal", help="the rules played there")
        parser.add_argument("--length", type=int, default=5, help="deals a match there")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Serve until interrupted."""
        kernel.load(settings.KERNEL_DIR)

        def decide(sight: Sight) -> int:
            # Nothing tells one match from another here, so the seed hangs on the sight itself.
            return bots.decide(sight, options["level"], zlib.crc32(repr(sight).encode()))

        rules = PRESETS[options["ruleset"]]
        with contest.serve(
            decide, rules, length=options["length"], host=options["host"], port=options["port"]
        ) as server:
            host, port = server.server_address[:2]
            self.stdout.write(f"{options['level']} answers at http://{host!s}:{port}/ ({options['ruleset']})")
            self.stdout.flush()
            try:
                server.serve_forever()
            except KeyboardInterrupt:
                self.stdout.write("")
