"""What a killed worker leaves behind."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from tests.ops.busy import be_busy
from tests.ops.running import Running, alive, children, wait_for

PROJECT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_killing_a_worker_ends_its_child_in_the_middle_of_a_task(valkey, tmp_path):
    words = ["worker", "--queues", "busy", "--concurrency", "1", "--loglevel", "WARNING"]
    command = [sys.executable, "-m", "celery", "--quiet", "--skip-checks", "--app", "tests.ops.busy", *words]
    worker = Running(command, PROJECT, os.environ)
    try:
        started = tmp_path / "started"
        be_busy.apply_async([str(started)], queue="busy")
        wait_for(started.exists, "the task to start")
        (child,) = children(worker.pid)
        worker.signal(signal.SIGKILL)
        try:
            wait_for(lambda: not alive(child), "the child to be gone", seconds=10)
        finally:
            if alive(child):
                os.kill(child, signal.SIGKILL)
    finally:
        worker.kill()
