"""The Celery tasks. Each is a name for an action; all may run twice, late, or not at all."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

from celery import current_app, shared_task
from celery.signals import worker_ready
from django.conf import settings

from callbreak_site.processes import die_with_parent
from games import actions, books, coach
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


@shared_task(name="games.tasks.hint")
def hint(table_id: int, moment: int, seat: int) -> None:
    """Look at a person's cards for him. Queue "hints", which waits behind the bots."""
    kernel.load(settings.KERNEL_DIR)
    coach.think(table_id, moment, seat)


@shared_task(name="games.tasks.sweep")
def sweep() -> None:
    """Find everything due or overdue, every two seconds."""
    actions.sweep()


@shared_task(name="games.tasks.tidy")
def tidy() -> None:
    """Tidy the open tables, every half minute."""
    actions.tidy()


@worker_ready.connect
def prepare_the_bots(**_kwargs: Any) -> None:
    """The worker that thinks for the bots has their kernel compiled beside it, once; until then it thinks slower."""
    here = "bots" in current_app.amqp.queues.consume_from
    if not here or not kernel.available() or kernel.ready(settings.KERNEL_DIR):
        return
    parent = os.getpid()

    def modestly() -> None:
        die_with_parent(parent)
        os.nice(10)

    command = [sys.executable, "manage.py", "prepare_bots"]
    subprocess.Popen(command, cwd=settings.BASE_DIR, stdin=subprocess.DEVNULL, preexec_fn=modestly)


@shared_task(name="games.tasks.check_books")
def check_books() -> None:
    """Count all coins again, once a day; the desk's front page shows what was found. Queue "chores"."""
    books.run_check()
