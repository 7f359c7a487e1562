"""The Celery application: bots, clocks and house-keeping run in its workers."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

from celery import Celery
from celery.signals import worker_ready

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "callbreak_site.settings")

app = Celery("callbreak")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_ready.connect
def prepare_the_bots(**_kwargs: Any) -> None:
    """The worker that thinks for the bots has their kernel compiled beside it, once; until then it thinks slower."""
    from django.conf import settings

    from callbreak_site.processes import die_with_parent

    if "bots" not in app.amqp.queues.consume_from:
        return
    parent = os.getpid()

    def modestly() -> None:
        die_with_parent(parent)
        os.nice(10)

    command = [sys.executable, "manage.py", "prepare_bots", "--quietly"]
    subprocess.Popen(command, cwd=settings.BASE_DIR, stdin=subprocess.DEVNULL, preexec_fn=modestly)
