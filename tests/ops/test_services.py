"""The test run itself: its own data folder, its own Valkey, and what it says about what it skipped."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import redis
from django.conf import settings

PROJECT = Path(__file__).resolve().parents[2]
BROWSER_TEST = "import pytest\n\n@pytest.mark.browser\ndef test_click():\n    pass\n"


def run_pytest(folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """A run of its own over one browser test, on a PATH without any browser."""
    (folder / "test_click.py").write_text(BROWSER_TEST)
    (folder / "conftest.py").write_text('pytest_plugins = ["tests.services"]\n')
    command = [sys.executable, "-m", "pytest", "--rootdir", str(folder), "-c", os.devnull, str(folder)]
    command += ["-p", "no:cacheprovider", "-p", "no:django"]
    environment = {"PATH": str(folder), "PYTHONPATH": str(PROJECT), **env}
    return subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, timeout=60)


def test_everything_is_written_outside_the_project():
    database = Path(settings.DATABASES["default"]["NAME"])
    for path in (settings.DATA_DIR, settings.STATIC_ROOT, Path(settings.EMAIL_FILE_PATH), database):
        assert PROJECT not in path.parents


def test_the_valkey_fixture_is_the_one_the_settings_point_to(valkey):
    assert valkey == settings.REDIS_URL
    assert redis.Redis.from_url(settings.REDIS_URL).ping()


def test_a_missing_browser_is_skipped_with_one_line(tmp_path):
    run = run_pytest(tmp_path)
    assert run.returncode == 0, run.stdout
    assert "1 test skipped for want of a browser (no chromium on PATH)." in run.stdout.splitlines()


def test_a_required_browser_that_is_missing_fails(tmp_path):
    run = run_pytest(tmp_path, CALLBREAK_REQUIRE="browser")
    assert run.returncode == 1, run.stdout
    assert "CALLBREAK_REQUIRE=browser asks for one" in run.stdout
