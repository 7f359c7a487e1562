"""What must be so before the house can open: a data folder of its own and a free port.

Standard library only, and run by script/server with the machine's own Python before anything is installed:
`python -P callbreak_site/preflight.py`. The supervisor asks the same questions again, since answers change.
"""

from __future__ import annotations

import errno
import fcntl
import os
import socket
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO

LOCK_NAME = "house.lock"


class Refused(Exception):
    """The house cannot open; the text is one sentence for the person who tries to open it."""


def address_from(environ: Mapping[str, str]) -> tuple[str, int]:
    """HOST and PORT of the environment. Raises Refused when PORT is no port."""
    host = environ.get("HOST") or "127.0.0.1"
    text = environ.get("PORT") or "8000"
    if not (text.isascii() and text.isdigit() and int(text) <= 65535):
        raise Refused(f"PORT must be a number from 0 (any free one) to 65535, not {text!r}.")
    return host, int(text)


def _unwritable(folder: Path, error: OSError) -> Refused:
    is_a_file = isinstance(error, FileExistsError | NotADirectoryError)
    why = "it is not a folder" if is_a_file else error.strerror or str(error)
    return Refused(f"The data folder {folder} cannot be written to ({why}); set DATA_DIR to one of your own.")


def check_folder(folder: Path) -> None:
    """Make the data folder where it is missing and write into it. Raises Refused when that fails."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(b"probe")
    except OSError as error:
        raise _unwritable(folder, error) from None


def take_lock(folder: Path) -> IO[str]:
    """Hold the data folder for this process, as long as the returned file is open.

    Raises Refused when another house holds it: two on one folder would each run their own clocks.
    """
    try:
        lock = (folder / LOCK_NAME).open("w")
    except OSError as error:
        raise _unwritable(folder, error) from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise Refused(
            f"A house is already open on the data folder {folder}; close it, or set another DATA_DIR."
        ) from None
    return lock


def listen(host: str, port: int) -> socket.socket:
    """A socket listening at this IPv4 address (or name of one). Raises Refused when it cannot be had."""
    try:
        found = socket.getaddrinfo(host, port, socket.AF_INET, socket.SOCK_STREAM)
    except (socket.gaierror, UnicodeError):
        raise Refused(f"HOST must be an IPv4 address or a name of this machine, not {host!r}.") from None
    try:
        return socket.create_server(found[0][4][:2], backlog=512)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            reason = f"Port {port} is taken by another program; set PORT to a free one."
        elif error.errno == errno.EACCES:
            reason = f"Port {port} may not be opened by this user; set PORT to 1024 or above."
        elif error.errno == errno.EADDRNOTAVAIL:
            reason = f"This machine has no address {host}; set HOST to one of its own, or to 0.0.0.0 for all."
        else:
            reason = f"Port {port} at {host} cannot be opened ({error.strerror})."
        raise Refused(reason) from None


def main() -> int:
    """Ask every question once; 0 when the house may open, else 1 with one sentence on stderr."""
    try:
        host, port = address_from(os.environ)
        folder = Path(os.environ["DATA_DIR"])
        check_folder(folder)
        take_lock(folder).close()
        listen(host, port).close()
    except Refused as refusal:
        sys.stderr.write(f"{refusal}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
