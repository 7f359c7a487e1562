"""The project's Celery application with one task more, for a worker that a test runs: `--app tests.ops.busy`."""

import time
from pathlib import Path

from callbreak_site.celery import app


@app.task
def be_busy(started: str) -> None:
    """Make the file, then work for longer than any test lasts."""
    Path(started).touch()
    time.sleep(3600)
