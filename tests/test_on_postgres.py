"""What is marked `postgres` holds on PostgreSQL too: run once more, on a server of this run alone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent


@pytest.mark.skipif(
    os.environ.get("DATABASE_URL", "").startswith("postgres"), reason="this whole run is on PostgreSQL"
)
def test_on_postgres(postgres: str) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-m", "postgres", "--tb=short", str(TESTS)]
    run = subprocess.run(
        command,
        cwd=TESTS.parent,
        env={**os.environ, "DATABASE_URL": postgres},
        capture_output=True,
        text=True,
        timeout=600,
    )
    if run.returncode != 0:
        pytest.fail(f"On PostgreSQL:\n{run.stdout}\n{run.stderr}", pytrace=False)
