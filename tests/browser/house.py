"""A real house for a test: `manage.py house` as its own process, and what is read from or put into it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.browser.stored import Match, read_match
from tests.ops.running import Running, alive, children, family, wait_for

PROJECT = Path(__file__).resolve().parents[2]
ROLES = {"web": "daphne", "clocks": "clocks@", "bots": "bots@", "beat": " beat ", "valkey": "valkey-server"}


class House(Running):
    """The web server, the workers, beat and a Valkey, on a port and a data folder of their own."""

    def __init__(self, data: Path, **settings: str) -> None:
        self.data = data
        self.env = {
            "PATH": os.environ["PATH"],
            "DATA_DIR": str(data),
            "PORT": "0",
            "TMPDIR": "/tmp",
            "KERNEL_DIR": "/tmp/callbreak-tests-kernel",  # compiled once for all houses of the tests
            **settings,
        }
        super().__init__([sys.executable, str(PROJECT / "manage.py"), "house"], PROJECT, self.env)

    def address(self) -> str:
        """Where it is open, once it is; without a slash at the end."""
        return self.wait_for_line("Call Break is open at ").rpartition(" ")[2].rstrip("/")

    def pid_of(self, role: str) -> int | None:
        """The process that has this role now, if one does."""
        return next((pid for pid, command in children(self.pid).items() if ROLES[role] in command), None)

    def kill_one(self, role: str) -> None:
        """Kill -9 the process of a role, and see that another one takes it over."""
        first = wait_for(lambda: self.pid_of(role), role)
        os.kill(first, signal.SIGKILL)
        wait_for(lambda: self.pid_of(role) not in (None, first), f"another {role}")

    def desk(self, *words: str) -> Any:
        """What one of the commands of desk.py answers."""
        command = [sys.executable, "-m", "tests.browser.desk", *words]
        run = subprocess.run(command, cwd=PROJECT, env=self.env, capture_output=True, text=True, timeout=120)
        assert run.returncode == 0, run.stderr
        return json.loads(run.stdout)

    def people(self, names: Sequence[str]) -> dict[str, str]:
        """New people, signed in: their session keys by name."""
        return dict(self.desk("people", *names))

    def match(self, code: str) -> Match:
        """What is stored of a table."""
        return read_match(self.data / "callbreak.sqlite3", code)

    def close(self) -> None:
        """Stop it as Ctrl-C does, and see that it ends in order and leaves nothing behind."""
        started = family(self.pid)
        self.signal(signal.SIGTERM)
        code = self.end()
        assert code == 0, self.told()
        assert not [pid for pid in started if alive(pid)]
        assert not [line for line in self.lines if "is killed" in line], self.told()

    def told(self) -> str:
        """Its last lines."""
        return "\n".join(self.lines[-60:])
