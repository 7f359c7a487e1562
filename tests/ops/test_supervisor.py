"""The supervisor with small made-up services."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.ops.running import Running, alive, children, family, wait_for

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
PROJECT = Path(__file__).resolve().parents[2]

DRIVER = """
import os, sys
from pathlib import Path
from callbreak_site.supervisor import Service, Supervisor

def python(code):
    return [sys.executable, "-SEc", code]

ASLEEP = "import signal\\nwhile True: signal.pause()"
POLITE = '''
import signal, sys
def bye(*_):
    print("bye", flush=True)
    sys.exit()
signal.signal(signal.SIGTERM, bye)
print("up", flush=True)
while True: signal.pause()
'''
STUBBORN = '''
import signal, subprocess, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
subprocess.Popen([sys.executable, "-SEc", "import signal\\\\nwhile True: signal.pause()"])
print("up", flush=True)
while True: signal.pause()
'''
SUPERVISOR = Supervisor([{services}], os.environ, Path("."))
{more}
sys.exit(SUPERVISOR.run())
"""

Drive = Callable[..., Running]


@pytest.fixture
def drive(tmp_path: Path) -> Iterator[Drive]:
    """Starts a supervisor over services given as the arguments of `Service`."""
    started = []

    def start(*services: str, more: str = "") -> Running:
        code = DRIVER.format(services=", ".join(f"Service({service})" for service in services), more=more)
        env = {"PYTHONPATH": str(PROJECT), "PATH": "/usr/bin:/bin"}
        started.append(Running([sys.executable, "-c", code], tmp_path, env))
        return started[-1]

    yield start
    for running in started:
        running.kill()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_stops_all_in_order_and_ends_well(drive, number):
    names = ["valkey", "clocks", "beat", "web"]
    running = drive(*(f"{name!r}, python(POLITE), {3 - stage}, 20" for stage, name in enumerate(names)))
    for name in names:
        running.wait_for_line(f"{name} | up")
    running.signal(number)
    assert running.end() == 0
    said = [line.split()[0] for line in running.lines if line.endswith("| bye")]
    assert said == ["web", "beat", "clocks", "valkey"]


def test_what_does_not_end_in_time_is_killed_with_all_it_started(drive):
    running = drive("'bots', python(STUBBORN), 0, 0.2")
    running.wait_for_line("bots | up")
    started = family(running.pid) - {running.pid}
    assert len(started) == 2
    running.signal(signal.SIGTERM)
    assert running.end() == 0
    running.wait_for_line("bots did not end in time and is killed.")
    wait_for(lambda: not any(alive(pid) for pid in started), "the stubborn ones to be gone")


def test_a_second_signal_kills_at_once(drive):
    running = drive("'bots', python(STUBBORN), 0, 600")
    running.wait_for_line("bots | up")
    running.signal(signal.SIGINT)
    running.wait_for_line("Closing")
    running.signal(signal.SIGINT)
    assert running.end() == 0


def test_what_ends_is_started_again_later_each_time(drive):
    running = drive("'web', python('raise SystemExit(3)'), 0, 20", "'beat', python(POLITE), 0, 20")
    for delay in ("0.2", "0.4", "0.8"):
        running.wait_for_line(f"web ended (exit code 3); starting it again in {delay} s.")
    running.signal(signal.SIGTERM)
    assert running.end() == 0


def test_what_is_killed_comes_back_and_leaves_no_children(drive):
    running = drive("'bots', python(STUBBORN), 0, 0.2")
    running.wait_for_line("bots | up")
    (first,) = children(running.pid)
    (grandchild,) = children(first)
    os.kill(first, signal.SIGKILL)
    running.wait_for_line("bots ended (signal SIGKILL)")
    wait_for(lambda: not alive(grandchild), "the child of the killed one to be gone")
    (second,) = wait_for(lambda: children(running.pid), "it to come back")
    assert second != first


def test_a_command_that_cannot_be_run_is_tried_again(drive):
    running = drive("'valkey', ['/nowhere/valkey-server'], 0, 20")
    running.wait_for_line(
        "valkey could not be started (No such file or directory); starting it again in 0.4 s."
    )
    running.signal(signal.SIGTERM)
    assert running.end() == 0


def test_killing_the_supervisor_leaves_nothing(drive):
    running = drive("'web', python(POLITE), 0, 20", "'beat', python(ASLEEP), 0, 20")
    running.wait_for_line("web | up")
    started = wait_for(lambda: len(found := children(running.pid)) == 2 and found, "both")
    running.signal(signal.SIGKILL)
    wait_for(lambda: not any(alive(pid) for pid in started), "the children to be gone")


def test_a_service_waits_until_it_may_start(drive, tmp_path):
    gate = tmp_path / "gate"
    running = drive(
        "'web', python(POLITE), 0, 20",
        f"'bots', python(POLITE), 0, 20, ready=Path({str(gate)!r}).exists",
    )
    running.wait_for_line("web | up")
    assert len(children(running.pid)) == 1
    gate.touch()
    running.wait_for_line("bots | up")


def test_a_reload_starts_only_the_projects_own_anew_and_at_once(drive, tmp_path):
    more = """
def look():
    if os.path.exists("changed"):
        os.unlink("changed")
        SUPERVISOR.reload()
SUPERVISOR.on_tick.append(look)
"""
    services = ("'web', python(POLITE), 0, 20", "'valkey', python(POLITE), 1, 20, reloads=False")
    running = drive(*services, more=more)
    for name in ("web", "valkey"):
        running.wait_for_line(f"{name} | up")
    before = children(running.pid)
    (tmp_path / "changed").touch()
    wait_for(lambda: running.lines.count("   web | up") == 2, "web to come back")
    assert len(before.keys() & children(running.pid).keys()) == 1
    assert not [line for line in running.lines if "again" in line or "valkey | bye" in line]


def test_output_of_any_kind_is_passed_on(drive):
    code = r'''"import os; os.write(1, b'x' * 100_000 + b'\\nbad \\xff byte\\n\\nlast, without an end')"'''
    running = drive(f"'web', python({code}), 0, 20")
    running.wait_for_line("web | bad \N{REPLACEMENT CHARACTER} byte")
    running.wait_for_line("web | last, without an end")
    assert sum(line.count("x") for line in running.lines if "web | x" in line) >= 100_000
