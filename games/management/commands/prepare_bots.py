"""Compile the bots' kernel into the data folder, once; without numba it says so in one line."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from games.bots import kernel, rehearsal


class Command(BaseCommand):
    """`manage.py prepare_bots`: see the module."""

    help = "Compile the bots' kernel into the data folder, where it is not there yet."
    requires_system_checks = []

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Compile, or say why not."""
        folder = settings.KERNEL_DIR
        if kernel.ready(folder):
            self.stdout.write("The bots' kernel is ready.")
        elif not kernel.available():
            self.stdout.write("No numba for this Python: the bots think in plain Python, and slower.")
        else:
            seconds = rehearsal.prepare(folder)
            self.stdout.write(f"The bots' kernel is ready; compiling took {seconds:.0f} s.")
