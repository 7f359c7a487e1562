"""What tests need from the machine: a Valkey, a browser. What is missing is skipped, and said in a line each.

A test that wants a browser is marked `browser`; one that wants Valkey asks for the fixture `valkey`. A later
need for another server is `pytest.skip(want_of("a PostgreSQL server"))`. CALLBREAK_REQUIRE=browser makes a
missing browser fail instead.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from callbreak_site.processes import die_with_parent, find_valkey, valkey_command

WANT = "for want of "


def want_of(what: str) -> str:
    """The reason of a skip that the closing summary names in a line of its own."""
    return f"{WANT}{what}"


def find_chromium() -> str | None:
    """The path of the machine's chromium; None without one."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a browser test where there is no browser, or fail it where one is required."""
    if item.get_closest_marker("browser") is None or find_chromium() is not None:
        return
    if "browser" in os.environ.get("CALLBREAK_REQUIRE", "").split(","):
        pytest.fail("no chromium on PATH, and CALLBREAK_REQUIRE=browser asks for one", pytrace=False)
    pytest.skip(want_of("a browser (no chromium on PATH)"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in one line each what was skipped for want of something."""
    wants: Counter[str] = Counter()
    for report in terminalreporter.stats.get("skipped", []):
        _path, _line, reason = report.longrepr
        if WANT in reason:
            wants[reason[reason.index(WANT) :]] += 1
    for reason, count in sorted(wants.items()):
        terminalreporter.write_line(f"{count} test{'s' if count > 1 else ''} skipped {reason}.")


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of the browser, for Playwright's `executable_path`; for tests marked `browser`."""
    path = find_chromium()
    assert path is not None, "a test that asks for the browser must be marked `browser`"
    return path


@pytest.fixture(scope="session")
def valkey() -> Iterator[str]:
    """A real Valkey of this run alone, at the REDIS_URL of the test settings; yields that URL."""
    binary = find_valkey()
    if binary is None:
        pytest.skip(want_of("a server (no Valkey or Redis)"))
    url = os.environ["REDIS_URL"]
    path = Path(url.removeprefix("unix://"))
    log = path.with_suffix(".log")
    parent = os.getpid()
    process = subprocess.Popen(
        valkey_command(binary, path, log),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        preexec_fn=lambda: die_with_parent(parent),
    )
    try:
        deadline = time.monotonic() + 10
        while not _answers(path):
            assert process.poll() is None, f"Valkey ended at once: {log.read_text()}"
            assert time.monotonic() < deadline, "Valkey did not answer within 10 s"
            time.sleep(0.01)
        yield url
    finally:
        process.kill()
        process.wait()


def _answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(path))
        except OSError:
            return False
        probe.sendall(b"PING\r\n")
        return probe.recv(16).startswith(b"+PONG")
