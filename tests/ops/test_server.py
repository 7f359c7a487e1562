"""`script/server` itself: what it says where it cannot start, and the real house, killed and stopped."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from tests.ops.running import Running, alive, children, family, wait_for

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
PROJECT = Path(__file__).resolve().parents[2]
KERNEL = "/tmp/callbreak-tests-kernel"  # compiled once for all houses of the tests
PARTS = ("accounts", "callbreak_site", "games", "locale", "manage.py", "requirements.txt", "script", "static")
TOOLS = ("bash", "cat", "dirname", "env", "flock", "rm")  # all that the scripts may ask of a bare machine
ROLES = {"web": "daphne", "clocks": "clocks@", "bots": "bots@", "beat": " beat ", "valkey": "valkey-server"}


def executable(path: Path, text: str) -> Path:
    """A script of this text at the path."""
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project without an environment, in a folder with spaces in its name."""
    folder = tmp_path_factory.mktemp("house") / "Call Break, a copy"
    folder.mkdir()
    for name in (*PARTS, "templates"):
        source = PROJECT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        elif source.exists():
            shutil.copy(source, folder / name)
    return folder


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A folder for PATH that has the few tools a bare machine has, and no Python."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for tool in TOOLS:
        if found := shutil.which(tool):
            (folder / tool).symlink_to(found)
    return folder


def run_script(checkout: Path, path: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """script/server, which is expected to end by itself."""
    command = [str(checkout / "script" / "server")]
    environment = {"PATH": str(path), "DATA_DIR": str(path.parent / "data"), "PORT": "0", **env}
    return subprocess.run(command, env=environment, cwd=path, capture_output=True, text=True, timeout=120)


def assert_one_sentence(run: subprocess.CompletedProcess[str], *parts: str) -> None:
    """It ended with one sentence that has these parts, and did nothing else."""
    assert run.returncode == 1
    assert run.stdout == ""
    (line,) = run.stderr.splitlines()
    for part in parts:
        assert part in line


def test_no_python(checkout, bare):
    assert_one_sentence(run_script(checkout, bare), "needs Python 3.11 or newer", "python3 was not found")


def test_too_old_a_python(checkout, bare):
    executable(bare / "python3", "echo 3.9")
    executable(bare / "python", "echo 2.7")
    assert_one_sentence(run_script(checkout, bare), "needs Python 3.11 or newer", "is Python 3.9")


def test_the_python_that_was_named_is_the_only_one_looked_at(checkout, bare):
    executable(bare / "python3", f'exec "{sys.executable}" "$@"')
    named = executable(bare / "my python", "echo 3.10")
    assert_one_sentence(run_script(checkout, bare, PYTHON=str(named)), f"{named} is Python 3.10")


def test_a_newer_python_is_found_behind_an_old_one_but_has_no_venv_module(checkout, bare):
    executable(bare / "python3", "echo 3.9")
    (bare / "ensurepip.py").write_text("raise ImportError('left out by the distribution')\n")
    newer = executable(bare / "python3.11", f'PYTHONPATH="{bare}" exec "{sys.executable}" "$@"')
    version = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
    assert_one_sentence(run_script(checkout, bare), str(newer), "no venv module", version)


@pytest.fixture
def python(bare: Path) -> Path:
    """A bare machine's folder for PATH, with a Python."""
    executable(bare / "python3", f'exec "{sys.executable}" "$@"')
    return bare


def test_an_unwritable_data_folder(checkout, python):
    (python.parent / "file").touch()
    run = run_script(checkout, python, DATA_DIR="../file")
    assert_one_sentence(run, str(python / "../file"), "cannot be written to", "set DATA_DIR")


def test_a_taken_port(checkout, python):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert_one_sentence(run_script(checkout, python, PORT=port), f"Port {port} is taken", "set PORT")


def test_an_unknown_option(checkout, python):
    command = [str(checkout / "script" / "server"), "--help"]
    run = subprocess.run(command, env={"PATH": str(python)}, capture_output=True, text=True, timeout=60)
    assert_one_sentence(run, "Usage: script/server [--reload]")


def test_requirements_that_cannot_be_installed(checkout, python, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(checkout, copy, ignore=shutil.ignore_patterns("static", "templates", ".venv"))
    offline = {"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull, "HOME": str(tmp_path)}
    for _time in range(2):  # what failed once is tried again, not taken for done
        run = run_script(copy, python, **offline)
        assert run.returncode == 1
        assert run.stderr.startswith("Setting up .venv with Python 3.")
        assert run.stderr.endswith("The requirements could not be installed; is the network there?\n")


# ---------------------------------------------------------------- the house


class House(Running):
    """A house started by script/server on the second start's path: the environment is there already."""

    def __init__(self, checkout: Path, data: Path, env: Mapping[str, str]) -> None:
        bin_folder = checkout / ".venv" / "bin"
        bin_folder.mkdir(parents=True, exist_ok=True)
        executable(bin_folder / "python", f'exec "{sys.executable}" "$@"')
        version = f"Python {sys.version_info.major}.{sys.version_info.minor}\n"
        requirements = (checkout / "requirements.txt").read_text()
        (checkout / ".venv" / "server.stamp").write_text(version + requirements)
        self.data = data
        environment = {
            "PATH": "/usr/bin:/bin",
            "PORT": "0",
            "DATA_DIR": data.name,
            "KERNEL_DIR": KERNEL,
            **env,
        }
        super().__init__([str(checkout / "script" / "server")], data.parent, environment)

    def address(self) -> str:
        """Where it is open, once it is."""
        return self.wait_for_line("Call Break is open at ").rpartition(" ")[2]

    def page(self) -> bytes:
        """The first page; waits through a restart of the web server."""

        def look() -> bytes | None:
            try:
                with urllib.request.urlopen(self.address(), timeout=20) as answer:
                    return bytes(answer.read())
            except OSError:
                return None

        return wait_for(look, "the first page")

    def pid_of(self, role: str) -> int | None:
        """The process id of one of the house's processes, while there is one."""
        found = [pid for pid, command in children(self.pid).items() if ROLES[role] in command]
        assert len(found) < 2
        return found[0] if found else None

    def ready(self, role: str) -> int | None:
        """The same, once it does its work: a worker has its own child then."""
        pid = self.pid_of(role)
        if pid is None or (role in ("clocks", "bots") and not children(pid)):
            return None
        return pid

    def broker(self) -> Path:
        """The socket of the embedded Valkey."""
        return (self.data / "valkey.sock").readlink()

    def kill(self) -> None:
        """End it at once, and remove what a killed house leaves to the next start: its socket's folder."""
        super().kill()
        if (self.data / "valkey.sock").is_symlink():
            shutil.rmtree(self.broker().parent, ignore_errors=True)
            (self.data / "valkey.sock").unlink()


@pytest.fixture(scope="module")
def start(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., House]]:
    """Starts houses, all on copies of one data folder that was brought up to date once."""
    started = []
    prepared = tmp_path_factory.mktemp("data") / "prepared"

    def begin(data: Path | None = None, **env: str) -> House:
        if data is None:
            data = tmp_path_factory.mktemp("data") / "my data + 100%"
            if prepared.exists():
                shutil.copytree(prepared, data)
        started.append(House(checkout, data, env))
        return started[-1]

    try:
        first = begin()
        first.address()
        first.kill()
        shutil.copytree(first.data, prepared)
        yield begin
    finally:
        for house in started:
            house.kill()


@pytest.fixture(scope="module")
def house(start: Callable[..., House]) -> House:
    """A running house that all tests of this module may use and must leave running."""
    running = start()
    running.address()
    return running


def test_the_house_answers_and_says_so_once(house):
    assert b"<html" in house.page()
    assert sum("Call Break is open at" in line for line in house.lines) == 1
    assert (house.data / "callbreak.sqlite3").exists()
    assert (house.data / "secret_key").stat().st_mode & 0o077 == 0


def test_a_second_start_repeats_no_preparation(house):
    house.address()
    assert not [line for line in house.lines if "up to date" in line or "Collecting" in line]


def test_only_this_machine_is_let_in(house):
    with open(f"/proc/{house.pid_of('web')}/net/tcp") as table:
        port = int(house.address().rstrip("/").rpartition(":")[2])
        local = [line.split()[1] for line in table if line.split()[3] == "0A"]
    assert [one for one in local if one.endswith(f":{port:04X}")] == [f"0100007F:{port:04X}"]
    assert house.broker().parent.stat().st_mode & 0o077 == 0


def test_a_second_house_on_the_folder_is_refused(house, start):
    house.address()
    second = start(house.data)
    assert second.end() == 1
    (line,) = second.lines
    assert line.startswith(f"A house is already open on the data folder {house.data}")


@pytest.mark.parametrize("role", ROLES)
def test_a_killed_process_comes_back(house, role):
    first = wait_for(lambda: house.ready(role), role)
    os.kill(first, signal.SIGKILL)
    wait_for(lambda: house.ready(role) not in (None, first), f"{role} to come back")
    if role == "web":
        assert b"<html" in house.page()
    if role == "valkey":
        with socket.socket(socket.AF_UNIX) as probe:
            wait_for(lambda: probe.connect_ex(str(house.broker())) == 0, "Valkey to answer")


def test_a_killed_child_of_a_worker_comes_back(house):
    worker = wait_for(lambda: house.ready("bots"), "bots")

    def pool() -> set[int]:
        return {pid for pid, words in children(worker).items() if "prepare_bots" not in words}

    (first,) = pool()
    os.kill(first, signal.SIGKILL)
    wait_for(lambda: pool() - {first}, "the worker's child to come back")
    assert house.pid_of("bots") == worker


def test_sigterm_closes_the_house_and_leaves_nothing_behind(start):
    house = start()
    house.address()
    for role in ROLES:
        wait_for(lambda role=role: house.ready(role), role)
    started, broker = family(house.pid), house.broker()
    house.signal(signal.SIGTERM)
    assert house.end() == 0
    assert not any(alive(pid) for pid in started)
    assert not broker.parent.exists()
    assert not (house.data / "valkey.sock").is_symlink()
    assert not [line for line in house.lines if "is killed" in line or "Traceback" in line]


def test_a_killed_house_leaves_no_process_and_can_be_opened_again(start):
    house = start()
    house.address()
    for role in ROLES:
        wait_for(lambda role=role: house.ready(role), role)
    started, broker = family(house.pid), house.broker()
    assert len(started) >= 8
    house.signal(signal.SIGKILL)
    wait_for(lambda: not any(alive(pid) for pid in started), "all to be gone")
    again = start(house.data)
    again.address()
    assert again.broker() != broker
    assert not broker.parent.exists()


def test_a_house_with_a_redis_of_its_own_runs_none(start, valkey):
    house = start(REDIS_URL=valkey)
    house.address()
    for role in ("clocks", "bots", "beat"):
        wait_for(lambda role=role: house.ready(role), role)
    assert house.pid_of("valkey") is None
