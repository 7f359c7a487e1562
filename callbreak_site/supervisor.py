"""Keeps a few processes running: starts them, passes their lines on, restarts what ends, stops all in order.

One thread and no framework: a selector waits for the children's output, for signals and for whatever else
the caller registers. Each child leads a process group of its own, so that Ctrl-C reaches only the supervisor,
and is ended by the kernel (Linux) when the supervisor is killed.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from callbreak_site.processes import die_with_parent

FIRST_DELAY = 0.2  # seconds until a process that ended is started again; doubled each time it ends soon after
LONGEST_DELAY = 5.0
STEADY = 10.0  # a process that ran for this many seconds starts with the first delay again
TICK = 0.25  # seconds between two looks at the clock while nothing happens
EAGER_TICK = 0.02  # the same while a process waits for another one to be ready
LONGEST_LINE = 64 * 1024  # bytes of a line that are held back until its end comes


def _always() -> bool:
    return True


@dataclass(frozen=True)
class Service:
    """One process to keep running."""

    name: str
    command: Sequence[str]
    stage: int  # when all is stopped, lower stages are stopped first, and each waits for the one before
    patience: float  # seconds between asking it to end and killing it with all it started
    pass_fds: tuple[int, ...] = ()
    ready: Callable[[], bool] = _always  # it is not started before this is true
    reloads: bool = True  # whether a changed file starts it anew


@dataclass
class _State:
    """What is known of a service at this moment; times are of time.monotonic()."""

    service: Service
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    start_at: float = 0.0
    delay: float = FIRST_DELAY
    kill_at: float | None = None  # set when it has been asked to end
    rest: bytes = b""  # the unfinished last line of its output


def say(name: str, line: str) -> None:
    """Write one line to the terminal; a terminal that is gone is no reason to stop."""
    rest = f"{name:>6} | {line}\n".encode()
    with contextlib.suppress(OSError):
        while rest:  # a signal may cut a long write short
            rest = rest[os.write(1, rest) :]


@dataclass
class Supervisor:
    """Runs the services until it is told to stop.

    SIGINT, SIGTERM or SIGHUP stop everything in order, a second one kills what is left. `on_tick` functions
    are called a few times a second, `on_stop` once, before the first process is asked to end.
    """

    services: Sequence[Service]
    env: Mapping[str, str]
    folder: Path
    selector: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)
    on_tick: list[Callable[[], None]] = field(default_factory=list)
    on_stop: Callable[[], None] = lambda: None
    _signals: int = 0
    _stopping: bool = False

    def run(self) -> int:
        """Start everything, keep it running, and return 0 when all has ended after a stop."""
        self._states = [_State(service) for service in self.services]
        with self._listening_to_signals():
            try:
                while not (self._stopping and not self._alive()):
                    self._step()
            finally:
                for state in self._alive():
                    self._kill_group(state)
        return 0

    def _step(self) -> None:
        """Wait for something to happen, at most a tick, and do what follows from it."""
        self._start_due()
        for key, _events in self.selector.select(self._nap()):
            key.data()
        self._collect_ended()
        if self._signals:
            self._stop()
        else:
            for tick in self.on_tick:
                tick()
        self._kill_overdue()

    def reload(self) -> None:
        """Start anew every service that has code of the project in it."""
        for state in self._alive():
            if state.service.reloads:
                self._ask_to_end(state)

    # ------------------------------------------------------------ signals

    @contextlib.contextmanager
    def _listening_to_signals(self) -> Iterator[None]:
        """Signals end a nap at once; the handlers only count."""

        def count(_number: int, _frame: Any) -> None:
            self._signals += 1

        reader, writer = socket.socketpair()
        reader.setblocking(False)
        writer.setblocking(False)
        handlers: dict[int, Any] = {signal.SIGCHLD: lambda _number, _frame: None}
        handlers |= dict.fromkeys((signal.SIGINT, signal.SIGTERM, signal.SIGHUP), count)
        before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
        old_wakeup = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
        self.selector.register(reader, selectors.EVENT_READ, lambda: reader.recv(4096))
        try:
            yield
        finally:
            self.selector.unregister(reader)
            signal.set_wakeup_fd(old_wakeup)
            for number, handler in before.items():
                signal.signal(number, handler)
            reader.close()
            writer.close()

    def _nap(self) -> float:
        """How long to wait for something to happen."""
        waiting = [state for state in self._states if state.process is None]
        if self._signals or not waiting:
            return TICK
        soonest = min(state.start_at for state in waiting) - time.monotonic()
        return min(TICK, max(EAGER_TICK, soonest))

    # ------------------------------------------------------------ starting

    def _alive(self) -> list[_State]:
        return [state for state in self._states if state.process is not None]

    def _start_due(self) -> None:
        if self._signals:
            return
        now = time.monotonic()
        for state in self._states:
            if state.process is None and state.start_at <= now and state.service.ready():
                self._start(state)

    def _start(self, state: _State) -> None:
        parent = os.getpid()
        state.started, state.kill_at, state.rest = time.monotonic(), None, b""
        try:
            state.process = subprocess.Popen(
                state.service.command,
                cwd=self.folder,
                env=dict(self.env),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                pass_fds=state.service.pass_fds,
                process_group=0,
                preexec_fn=lambda: die_with_parent(parent),
            )
        except OSError as error:
            self._start_later(state, f"could not be started ({error.strerror})")
            return
        output = state.process.stdout
        assert output is not None
        os.set_blocking(output.fileno(), False)
        self.selector.register(output, selectors.EVENT_READ, lambda: self._pass_on(state, output))

    def _start_later(self, state: _State, what: str) -> None:
        """Say what became of it and set the time of the next attempt."""
        now = time.monotonic()
        if now - state.started >= STEADY:
            state.delay = FIRST_DELAY
        say("house", f"{state.service.name} {what}; starting it again in {state.delay:.1f} s.")
        state.start_at = now + state.delay
        state.delay = min(2 * state.delay, LONGEST_DELAY)

    # ------------------------------------------------------------ output

    def _pass_on(self, state: _State, output: IO[bytes]) -> bool:
        """Print the whole lines that have come; False when there are no more for now."""
        try:
            data = os.read(output.fileno(), LONGEST_LINE)
        except BlockingIOError:
            return False
        *lines, state.rest = (state.rest + data).split(b"\n")
        if state.rest and (not data or len(state.rest) > LONGEST_LINE):
            lines.append(state.rest)
            state.rest = b""
        for line in lines:
            if text := line.decode(errors="replace").rstrip():
                say(state.service.name, text)
        if not data:
            self.selector.unregister(output)
            output.close()
        return bool(data)

    # ------------------------------------------------------------ ending

    def _collect_ended(self) -> None:
        for state in self._alive():
            process = state.process
            assert process is not None
            code = process.poll()
            if code is None:
                continue
            self._kill_group(state)  # what it started and left behind
            output = process.stdout
            assert output is not None
            while not output.closed and self._pass_on(state, output):
                pass
            if not output.closed:
                self.selector.unregister(output)
                output.close()
            state.process = None
            if self._signals:
                continue
            if state.kill_at is not None:  # a reload asked for it
                state.start_at, state.delay = 0.0, FIRST_DELAY
            else:
                how = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
                self._start_later(state, f"ended ({how})")

    def _stop(self) -> None:
        """Ask the processes of the lowest stage that still runs to end; after a second signal kill all."""
        if not self._stopping:
            self._stopping = True
            say("house", "Closing. Press Ctrl-C again to end everything at once.")
            self.on_stop()
            for state in self._alive():  # a reload may have asked already: it is asked anew, in order
                state.kill_at = None
        alive = self._alive()
        if self._signals > 1:
            for state in alive:
                self._kill_group(state)
        for state in alive:
            if state.service.stage == min(other.service.stage for other in alive):
                self._ask_to_end(state)

    def _ask_to_end(self, state: _State) -> None:
        if state.process is not None and state.kill_at is None:
            state.kill_at = time.monotonic() + state.service.patience
            state.process.terminate()

    def _kill_overdue(self) -> None:
        now = time.monotonic()
        for state in self._alive():
            if state.kill_at is not None and state.kill_at <= now:
                say("house", f"{state.service.name} did not end in time and is killed.")
                state.kill_at = now + state.service.patience
                self._kill_group(state)

    @staticmethod
    def _kill_group(state: _State) -> None:
        """Kill the process with all that it started. Its group goes by its process id."""
        assert state.process is not None
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(state.process.pid, signal.SIGKILL)
