"""The Celery application: bots, clocks and house-keeping run in its workers."""

from __future__ import annotations

import os
from typing import Any

from celery import Celery
from celery.signals import worker_process_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "callbreak_site.settings")

app = Celery("callbreak")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_process_init.connect
def die_with_the_worker(**_kwargs: Any) -> None:
    """A pool's child is forked anew, so it must ask for itself to end when its worker is killed."""
    from callbreak_site.processes import die_with_parent

    die_with_parent()
