"""Processes that a test starts, watches and ends: their lines and children, and waiting with a deadline."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

Found = TypeVar("Found")
PATIENCE = 60.0  # seconds; only a failing test waits that long


def wait_for(look: Callable[[], Found], what: str | Callable[[], str], seconds: float = PATIENCE) -> Found:
    """Look again and again until something true comes back, and return it. Fails at the deadline.

    `what` was waited for is said then; a function where that is known only at that moment.
    """
    deadline = time.monotonic() + seconds
    while not (found := look()):
        if time.monotonic() >= deadline:
            raise AssertionError(
                f"waited {seconds:.0f} s in vain for {what if isinstance(what, str) else what()}"
            )
        time.sleep(0.05)
    return found


def alive(pid: int) -> bool:
    """Whether the process runs; one that has ended and only waits to be collected does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def children(pid: int) -> dict[int, str]:
    """The running children of a process: process id to command line."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            words = (folder / "cmdline").read_bytes()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if parent == pid and alive(int(folder.name)):
            found[int(folder.name)] = words.replace(b"\0", b" ").decode().strip()
    return found


def family(pid: int) -> set[int]:
    """The process and all that came from it, as far as their parents still run."""
    return {pid}.union(*(family(child) for child in children(pid)))


class Running:
    """A started process whose lines are read as they come."""

    def __init__(self, command: Sequence[str], cwd: Path, env: Mapping[str, str]) -> None:
        self.process = subprocess.Popen(
            command,
            cwd=cwd,
            env=dict(env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        self.pid = self.process.pid
        self.lines: list[str] = []
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line.decode(errors="replace").rstrip())

    def wait_for_line(self, part: str) -> str:
        """The first line with this part, once it comes. Fails when the process ends without it."""

        def look() -> str | None:
            ended = self.process.poll() is not None
            if ended:
                self.reader.join(PATIENCE)
            found = next((line for line in list(self.lines) if part in line), None)
            assert found or not ended, f"ended without a line with {part!r}:\n" + "\n".join(self.lines)
            return found

        return wait_for(look, lambda: f"a line with {part!r}; there was:\n" + "\n".join(self.lines))

    def signal(self, number: int) -> None:
        """Send the process itself a signal."""
        self.process.send_signal(number)

    def end(self) -> int:
        """The exit code, once it has ended by itself."""
        code = self.process.wait(PATIENCE)
        self.reader.join(PATIENCE)
        return code

    def kill(self) -> None:
        """End it and all that came from it, whatever state it is in."""
        for pid in family(self.pid):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self.end()
