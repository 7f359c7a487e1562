"""The Celery tasks. Each is a name for an action; all may run twice, late, or not at all."""

from __future__ import annotations

from celery import shared_task
from django.conf import settings

from games import actions, books
from games.bots import kernel


@shared_task(name="games.tasks.tick")
def tick(table_id: int, version: int) -> None:
    """Do what is due at a table: a clock that ran out, the only legal card, the next deal. Queue "clocks"."""
    actions.tick(table_id, version)


@shared_task(name="games.tasks.think")
def think(table_id: int, version: int) -> None:
    """Let a bot act at a table. Queue "bots", so that thinking delays no clock."""
    kernel.load(settings.KERNEL_DIR)
    actions.tick(table_id, version)


@shared_task(name="games.tasks.sweep")
def sweep() -> None:
    """Find everything due or overdue, every two seconds."""
    actions.sweep()


@shared_task(name="games.tasks.tidy")
def tidy() -> None:
    """Tidy the open tables, every half minute."""
    actions.tidy()


@shared_task(name="games.tasks.check_books")
def check_books() -> None:
    """Count all coins again, once a day; the desk's front page shows what was found. Queue "chores"."""
    books.run_check()
