"""What tests need from the machine: Valkey, PostgreSQL, a browser. What is missing is skipped, and said in a line each.

A test that wants a browser is marked `browser`; one that wants Valkey asks for the fixture `valkey`. A test
marked `postgres` is run on PostgreSQL too, by `test_on_postgres.py` in a run of its own; `postgres(only=True)`
leaves it out of a run on SQLite. CALLBREAK_REQUIRE=browser,postgres makes what is missing fail instead.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from callbreak_site.processes import die_with_parent, find_valkey, valkey_command

WANT = "for want of "


def want_of(what: str) -> str:
    """The reason of a skip that the closing summary names in a line of its own."""
    return f"{WANT}{what}"


def find_chromium() -> str | None:
    """The path of the machine's chromium; None without one."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


def find_postgres() -> Path | None:
    """The folder of the newest PostgreSQL server's programs, on PATH or where Debian keeps them; None without one."""
    debian = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    folders = [path.parent for path in sorted(debian, key=lambda path: float(path.parts[-3]), reverse=True)]
    if on_path := shutil.which("initdb"):
        folders.insert(0, Path(on_path).resolve().parent)
    return next((folder for folder in folders if (folder / "postgres").exists()), None)


def missing(name: str, what: str) -> None:
    """Skip for want of `what`, or fail where CALLBREAK_REQUIRE names it."""
    if name in os.environ.get("CALLBREAK_REQUIRE", "").split(","):
        pytest.fail(f"{what} is missing, and CALLBREAK_REQUIRE={name} asks for one", pytrace=False)
    pytest.skip(want_of(what))


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "postgres(only=False): is run on PostgreSQL too, or only there")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave what needs PostgreSQL to the run on PostgreSQL."""
    if os.environ.get("DATABASE_URL", "").startswith("postgres"):
        return
    elsewhere = []
    for item in items:
        marker = item.get_closest_marker("postgres")
        if marker is not None and marker.kwargs.get("only"):
            elsewhere.append(item)
    if elsewhere:
        config.hook.pytest_deselected(items=elsewhere)
        items[:] = [item for item in items if item not in elsewhere]


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a browser test where there is no browser, or fail it where one is required."""
    if item.get_closest_marker("browser") is not None and find_chromium() is None:
        missing("browser", "a browser (no chromium on PATH)")


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


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """A PostgreSQL of this run alone, on a unix socket, in a temporary folder; yields a DATABASE_URL."""
    programs = find_postgres()
    if programs is None:
        missing("postgres", "a PostgreSQL server")
        return
    folder = Path(tempfile.mkdtemp(prefix="cb-pg-", dir="/tmp"))
    user: dict[str, Any] = {}
    if os.geteuid() == 0:  # the server refuses to run as root
        names = {entry.pw_name: entry for entry in pwd.getpwall()}
        entry = names.get("postgres") or names["nobody"]
        os.chown(folder, entry.pw_uid, entry.pw_gid)
        user = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    data, log = folder / "data", folder / "log"
    parent = os.getpid()
    process = None
    try:
        options = ["--username=postgres", "--auth=trust", "--encoding=UTF8", "--no-locale", "--no-sync"]
        command = [str(programs / "initdb"), f"--pgdata={data}", *options]
        made = subprocess.run(command, cwd=folder, capture_output=True, text=True, **user)
        assert made.returncode == 0, made.stderr
        command = [str(programs / "postgres"), "-D", str(data), "-k", str(folder), "-c", "listen_addresses="]
        with log.open("wb") as output:
            process = subprocess.Popen(
                [*command, "-c", "fsync=off"],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                preexec_fn=lambda: die_with_parent(parent),
                **user,
            )
        deadline = time.monotonic() + 30
        url = f"postgres://postgres@/{folder}/postgres"
        while not _takes_queries(folder):
            assert process.poll() is None, f"PostgreSQL ended at once: {log.read_text()}"
            assert time.monotonic() < deadline, f"PostgreSQL did not answer within 30 s: {log.read_text()}"
            time.sleep(0.02)
        yield url
    finally:
        if process is not None:
            process.send_signal(signal.SIGINT)  # disconnects everybody and ends
            process.wait()
        shutil.rmtree(folder, ignore_errors=True)


def _takes_queries(folder: Path) -> bool:
    try:
        psycopg.connect(host=str(folder), user="postgres", dbname="postgres").close()
    except psycopg.OperationalError:
        return False
    return True


def _answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(path))
        except OSError:
            return False
        probe.sendall(b"PING\r\n")
        return probe.recv(16).startswith(b"+PONG")
