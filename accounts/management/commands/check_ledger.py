"""Counts all coins again and says whether the books are right."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts import ledger_check


class Command(BaseCommand):
    """Prints the figures; ends with status 1, and the rows at fault, where something is wrong."""

    help = "Counts every balance again from the transfers, and checks what must hold of coins."

    def handle(self, *args: Any, **options: Any) -> None:
        """Check, print, and fail if there is reason to."""
        report = ledger_check.check()
        width = max((len(f"{figure.value:,}") for figure in report.figures), default=0)
        for figure in report.figures:
            self.stdout.write(f"{figure.value:>{width},}  {figure.name}")
        for fault in report.faults:
            self.stdout.write(": ".join(filter(None, [fault.row, fault.sentence])))
        if not report.sound:
            raise CommandError(f"The ledger is not right: {len(report.faults)} found.")
        self.stdout.write("The ledger is right.")
