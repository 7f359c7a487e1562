"""Open the house on this machine: web server, workers, beat and, where no other is named, an embedded Valkey.

script/server calls it. It holds the data folder and the port, brings database, presets and static files up to
date, keeps the processes running, and closes them in order on Ctrl-C or SIGTERM.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import selectors
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser
from django.db import DatabaseError, connection, connections
from django.db.migrations.executor import MigrationExecutor

from callbreak_site.network import is_loopback, main_address, own_hosts
from callbreak_site.preflight import Refused, address_from, check_folder, listen, take_lock
from callbreak_site.processes import find_valkey, valkey_command
from callbreak_site.supervisor import Service, Supervisor, say

# The longest message of a socket in bytes, both ways: browsers send a sign of life, the house a whole board or lobby.
SOCKET_MESSAGE = 512 * 1024
# Celery's eight lines about running as root, as a filter; the house says it in one.
ROOT_WARNING = "ignore:You're running the worker with superuser privileges"
# How long at most the workers leave the machine to the web server at the start, in seconds: the first page comes
# sooner then, and nobody misses a bot or a clock before it.
WEB_ALONE = 5.0
ASK_AT_LEAST_EVERY = 60.0  # seconds between two tries of a first page that answers with an error
WATCHED = ("accounts", "callbreak_site", "games", "templates")
WATCHED_SUFFIXES = (".py", ".html", ".jinja", ".txt")
WATCH_EVERY = 1.0  # seconds


class Command(BaseCommand):
    """`manage.py house`: see the module."""

    help = "Run the web server, the workers and beat on this machine, until Ctrl-C."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the options."""
        parser.add_argument(
            "--reload", action="store_true", help="for development: DEBUG, and start anew on a change"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Open the house and stay until it is closed; a refusal is one sentence and exit code 1."""
        try:
            status = open_house(reload=options["reload"])
        except Refused as refusal:
            self.stderr.write(str(refusal))
            status = 1
        except KeyboardInterrupt:
            status = 130
        sys.exit(status)


def open_house(*, reload: bool) -> int:
    """Make everything ready and run the processes until a signal stops them; the exit code.

    Raises Refused when the data folder, the port, the database or Valkey cannot be had.
    """
    host, port = address_from(os.environ)
    check_folder(settings.DATA_DIR)
    if os.geteuid() == 0:
        say("house", "Running as root, which the house does not need: a user of its own is safer.")
    with contextlib.ExitStack() as held:
        held.enter_context(take_lock(settings.DATA_DIR))
        web_socket = held.enter_context(listen(host, port))
        env = environment(web_socket, reload=reload)
        bring_up_to_date(static=not reload)
        selector = held.enter_context(selectors.DefaultSelector())
        page = FirstPage(selector, web_socket)
        services = valkey(held, env)
        broker_is_there = broker_ready(env["REDIS_URL"])
        services += own_services(web_socket, lambda: page.no_longer_first() and broker_is_there())
        supervisor = Supervisor(
            services, env, settings.BASE_DIR, selector, on_tick=[page.tick], on_stop=web_socket.close
        )
        if reload:
            supervisor.on_tick.append(Watcher(supervisor.reload).tick)
        return supervisor.run()


def environment(web_socket: socket.socket, *, reload: bool) -> dict[str, str]:
    """The environment of the children: this process's own, with what it decided for them."""
    env = os.environ | {"DATA_DIR": str(settings.DATA_DIR), "PYTHONUNBUFFERED": "1"}
    if reload:
        env["DEBUG"] = "1"
    if not env.get("ALLOWED_HOSTS") and not is_loopback(web_socket.getsockname()[0]):
        env["ALLOWED_HOSTS"] = ",".join(own_hosts())
    return env


# ---------------------------------------------------------------- before anything runs


def bring_up_to_date(*, static: bool) -> None:
    """Migrate, load the presets and collect the static files, each only where something is to do."""
    try:
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            say("house", "Bringing the database up to date.")
            call_command("migrate", interactive=False, verbosity=0)
        call_command("createcachetable", verbosity=0)
        call_command("load_presets", stdout=io.StringIO())
    except DatabaseError as error:
        raise Refused(f"The database cannot be used: {str(error).strip().splitlines()[0]}.") from None
    finally:
        for each in connections.all(initialized_only=True):
            each.close()
            if hasattr(each, "close_pool"):  # PostgreSQL: its threads must be gone before children are forked
                each.close_pool()
    if static:
        collect_static()


def collect_static() -> None:
    """Copy, hash and compress the static files, unless those in place were made from the very same ones."""
    stamp = settings.DATA_DIR / "static.stamp"
    wanted = static_fingerprint()
    made = (settings.STATIC_ROOT / "staticfiles.json").exists()
    if made and stamp.exists() and stamp.read_text() == wanted:
        return
    say("house", "Collecting the static files.")
    stamp.unlink(missing_ok=True)
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    stamp.write_text(wanted)


def static_fingerprint() -> str:
    """A digest over path, size and time of every static file, and over what processes them."""
    lines = [str(settings.STORAGES["staticfiles"]), (settings.BASE_DIR / "requirements.txt").read_text()]
    for finder in get_finders():
        for path, storage in finder.list([]):
            facts = os.stat(storage.path(path))
            lines.append(f"{storage.path(path)} {facts.st_size} {facts.st_mtime_ns}")
    return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()


# ---------------------------------------------------------------- the processes


def valkey(held: contextlib.ExitStack, env: dict[str, str]) -> list[Service]:
    """The embedded Valkey, unless REDIS_URL names a server; `env` learns its address.

    Its socket lies in a short temporary folder, because a socket's path may have about 107 bytes only and
    the data folder's can be longer. A link in the data folder, where settings look by default, lets other
    commands reach it, and tells the next start what a killed one left. Raises Refused where none can be run.
    """
    if env.get("REDIS_URL"):
        return []
    binary = find_valkey()
    if binary is None:
        raise Refused("No Valkey was found: install valkey-server or redis-server, or set REDIS_URL to one.")
    link = settings.DATA_DIR / "valkey.sock"
    if link.is_symlink():
        left_behind = link.readlink().parent
        if left_behind.name.startswith("callbreak-"):
            shutil.rmtree(left_behind, ignore_errors=True)
    link.unlink(missing_ok=True)
    short = tempfile.gettempdir() if len(os.fsencode(tempfile.gettempdir())) < 60 else "/tmp"
    folder = Path(held.enter_context(tempfile.TemporaryDirectory(prefix="callbreak-", dir=short)))
    path = folder / "valkey.sock"
    with contextlib.suppress(OSError):  # a file system without links: the house itself does not need it
        link.symlink_to(path)
        held.callback(link.unlink, missing_ok=True)
    env["REDIS_URL"] = f"unix://{quote(str(path))}"
    command = valkey_command(binary, path, settings.DATA_DIR / "valkey.log")
    return [Service("valkey", command, stage=3, patience=5, reloads=False)]


def broker_ready(redis_url: str) -> Callable[[], bool]:
    """Whether the broker is there yet, as far as that can be seen: the embedded Valkey once its socket is.

    A worker that finds no broker waits for seconds before it tries again.
    """
    path = unquote(urlsplit(redis_url).path)
    if urlsplit(redis_url).scheme == "unix":
        return lambda: os.path.exists(path)
    return lambda: True


def own_services(web_socket: socket.socket, workers_may_start: Callable[[], bool]) -> list[Service]:
    """The web server, two workers (one thinks for the bots, so that it delays no clock) and beat."""

    def celery(*words: str) -> list[str]:
        python = [sys.executable, "-W", ROOT_WARNING]
        return [*python, "-m", "celery", "--quiet", "--skip-checks", "--app", "callbreak_site", *words]

    def worker(name: str, queues: str) -> Service:
        words = ["worker", "--queues", queues, "--hostname", f"{name}@%h", "--concurrency", "1"]
        words += ["--loglevel", "WARNING", "--without-gossip", "--without-mingle", "--without-heartbeat"]
        return Service(name, celery(*words), stage=2, patience=10, ready=workers_may_start)

    web = [sys.executable, "-m", "daphne", "--fd", str(web_socket.fileno()), "--verbosity", "0"]
    web += ["--ping-interval", "20", "--ping-timeout", "30", "--application-close-timeout", "5"]
    web += ["--websocket-max-message-size", str(SOCKET_MESSAGE)]
    web += ["--websocket-max-frame-size", str(SOCKET_MESSAGE)]
    web += ["--no-server-name", "callbreak_site.asgi:application"]
    return [
        Service("web", web, stage=0, patience=8, pass_fds=(web_socket.fileno(),)),
        worker("clocks", "clocks,chores"),
        worker("bots", "bots,hints"),
        Service(
            "beat", celery("beat", "--loglevel", "WARNING"), stage=1, patience=5, ready=workers_may_start
        ),
    ]


# ---------------------------------------------------------------- while it runs


class FirstPage:
    """Asks for the first page until it comes, then says where the house is open.

    One connection waits in the listening socket's queue until the web server takes it, so nothing is polled.
    """

    def __init__(self, selector: selectors.BaseSelector, web_socket: socket.socket) -> None:
        self.selector = selector
        address, self.port = web_socket.getsockname()
        self.open_to_all = address == "0.0.0.0"
        self.address = "127.0.0.1" if self.open_to_all else address
        self.connection: socket.socket | None = None
        self.opened = self.complained = False
        self.ask_at = 0.0
        self.patience = 1.0
        self.behind_at = time.monotonic() + WEB_ALONE

    def no_longer_first(self) -> bool:
        """Whether the workers may start: the page has come, or takes so long that they shall not wait for it."""
        return self.opened or time.monotonic() > self.behind_at

    def tick(self) -> None:
        """Ask, unless the page has come or an answer is awaited."""
        if self.opened or self.connection is not None or time.monotonic() < self.ask_at:
            return
        self.ask_at = time.monotonic() + self.patience
        named = [host for host in settings.ALLOWED_HOSTS if host[:1] not in ".*"]
        host = named[0] if named else "localhost"
        with contextlib.suppress(OSError):
            self.connection = socket.create_connection((self.address, self.port), timeout=1)
            self.connection.sendall(f"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
            self.selector.register(self.connection, selectors.EVENT_READ, self.answered)

    def answered(self) -> None:
        """Read the first bytes, "HTTP/1.1 200 OK"; where there are none the web server ended meanwhile."""
        assert self.connection is not None
        try:
            words = self.connection.recv(4096).split()
        except OSError:
            words = []
        self.selector.unregister(self.connection)
        self.connection.close()
        self.connection = None
        if len(words) < 2:
            return
        if int(words[1]) < 500:
            self.opened = True
            self.say_where()
            return
        self.patience = min(2 * self.patience, ASK_AT_LEAST_EVERY)
        if not self.complained:
            self.complained = True
            say("house", f"The first page answers with an error ({words[1].decode()}); see the lines above.")

    def say_where(self) -> None:
        """Print the address, and the one for others when the house is open to them."""
        say("house", f"Call Break is open at http://{self.address}:{self.port}/")
        if self.open_to_all and (friends := main_address()) is not None:
            say("house", f"Friends on your network come to http://{friends}:{self.port}/")


class Watcher:
    """Calls `changed` when a source file or template is written, made or removed."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self.changed = changed
        self.seen = self.look()
        self.look_at = time.monotonic() + WATCH_EVERY

    @staticmethod
    def look() -> dict[str, int]:
        """The time of the last change of each watched file."""
        times = {}
        for top in WATCHED:
            for folder, _folders, names in os.walk(settings.BASE_DIR / top):
                for name in names:
                    if name.endswith(WATCHED_SUFFIXES):
                        path = os.path.join(folder, name)
                        with contextlib.suppress(FileNotFoundError):  # removed meanwhile
                            times[path] = os.stat(path).st_mtime_ns
        return times

    def tick(self) -> None:
        """Look again when it is time to."""
        if time.monotonic() < self.look_at:
            return
        self.look_at = time.monotonic() + WATCH_EVERY
        now = self.look()
        if now != self.seen:
            path = sorted(name for name, _time in now.items() ^ self.seen.items())[0]
            say("house", f"{os.path.relpath(path, settings.BASE_DIR)} changed: starting anew.")
            self.seen = now
            self.changed()
