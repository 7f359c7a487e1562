"""Write the presets of the rules into the database."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from games.models import Ruleset, load_presets


class Command(BaseCommand):
    """Safe to repeat; house sets and tables are left alone."""

    help = "Writes the seven presets into the database, or brings them up to date. Safe to repeat."

    def handle(self, *args: Any, **options: Any) -> None:
        """Load them and say how many there are."""
        load_presets()
        self.stdout.write(f"{Ruleset.objects.filter(preset=True).count()} presets are in place.")
