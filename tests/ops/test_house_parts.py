"""What the house decides before and while it runs, piece by piece."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from callbreak_site.network import is_loopback, main_address, own_hosts
from callbreak_site.preflight import Refused, address_from, check_folder, listen, take_lock
from callbreak_site.supervisor import Supervisor
from games.management.commands import house


@pytest.mark.parametrize("port", ["abc", "-1", "65536", "8000 ", "²"])
def test_a_port_that_is_none_is_refused(port):
    with pytest.raises(Refused, match="PORT must be a number"):
        address_from({"PORT": port})


def test_host_and_port_have_defaults():
    assert address_from({}) == address_from({"HOST": "", "PORT": ""}) == ("127.0.0.1", 8000)


@pytest.mark.parametrize("host", ["203.0.113.7", "::1"])
def test_an_address_of_elsewhere_is_refused(host):
    with pytest.raises(Refused):
        listen(host, 0)


def test_a_taken_port_is_refused():
    with listen("127.0.0.1", 0) as taken, pytest.raises(Refused, match="is taken by another program"):
        listen("127.0.0.1", taken.getsockname()[1])


def test_a_data_folder_is_made_and_one_that_cannot_be_is_refused(tmp_path):
    check_folder(tmp_path / "a" / "b")
    assert list((tmp_path / "a" / "b").iterdir()) == []
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "file" / "inner"):
        with pytest.raises(Refused, match=r"cannot be written to \(it is not a folder\)"):
            check_folder(folder)


def test_a_data_folder_has_one_house(tmp_path):
    with take_lock(tmp_path), pytest.raises(Refused, match="A house is already open"):
        take_lock(tmp_path)
    take_lock(tmp_path).close()


def test_own_hosts_name_this_machine_and_its_addresses():
    hosts = own_hosts()
    assert {"localhost", "127.0.0.1", socket.gethostname().lower()} <= set(hosts)
    main = main_address()
    assert main is None or (main in hosts and not is_loopback(main))


def allowed_hosts(host: str, **kwargs: bool) -> str | None:
    with listen(host, 0) as web_socket:
        return house.environment(web_socket, **{"reload": False, **kwargs}).get("ALLOWED_HOSTS")


def test_a_house_open_to_others_answers_to_its_own_names(monkeypatch):
    monkeypatch.delenv("ALLOWED_HOSTS", raising=False)
    assert allowed_hosts("127.0.0.1") is None
    assert allowed_hosts("0.0.0.0") == ",".join(own_hosts())


def test_allowed_hosts_that_were_set_stay(monkeypatch):
    monkeypatch.setenv("ALLOWED_HOSTS", "play.example.org")
    assert allowed_hosts("0.0.0.0") == "play.example.org"


def test_only_the_reloading_house_has_debug_on(monkeypatch):
    monkeypatch.delenv("DEBUG", raising=False)
    with listen("127.0.0.1", 0) as web_socket:
        assert "DEBUG" not in house.environment(web_socket, reload=False)
        assert house.environment(web_socket, reload=True)["DEBUG"] == "1"


@pytest.fixture
def asked():
    """A first page that was asked for, and the web server's end of the connection."""
    with listen("127.0.0.1", 0) as web_socket:
        supervisor = Supervisor([], {}, Path("."))
        page = house.FirstPage(supervisor.selector, web_socket)

        def ask():
            page.ask_at = 0.0
            page.tick()
            connection, _address = web_socket.accept()
            return connection

        def answer(connection, data: bytes):
            assert connection.recv(4096).startswith(b"GET / HTTP/1.1\r\nHost: ")
            connection.sendall(data)
            connection.close()
            for key, _events in supervisor.selector.select(10):
                key.data()

        yield page, ask, answer


def test_the_address_is_said_once_the_page_answers(asked, capfd):
    page, ask, answer = asked
    answer(ask(), b"")  # the web server ended before it answered
    assert capfd.readouterr().out == ""
    answer(ask(), b"HTTP/1.1 200 OK\r\n\r\n")
    assert capfd.readouterr().out == f" house | Call Break is open at http://127.0.0.1:{page.port}/\n"
    page.ask_at = 0.0
    page.tick()
    assert page.connection is None


def test_a_page_with_an_error_does_not_count_as_open(asked, capfd):
    _page, ask, answer = asked
    for _time in range(2):
        answer(ask(), b"HTTP/1.1 500 Internal Server Error\r\n\r\n")
    assert capfd.readouterr().out.count("The first page answers with an error (500)") == 1


def test_the_watcher_sees_what_is_written_made_and_removed(tmp_path, settings, capfd):
    settings.BASE_DIR = tmp_path
    (tmp_path / "games").mkdir()
    source = tmp_path / "games" / "views.py"
    source.write_text("a = 1\n")
    changes = []
    watcher = house.Watcher(lambda: changes.append(True))

    def look() -> int:
        watcher.look_at = 0.0
        watcher.tick()
        return len(changes)

    assert look() == 0
    (tmp_path / "games" / "notes").touch()
    assert look() == 0
    os.utime(source, ns=(1, 1))
    assert look() == 1
    (tmp_path / "games" / "page.html").touch()
    assert look() == 2
    source.unlink()
    assert look() == 3
    assert "games/views.py changed" in capfd.readouterr().out


@pytest.fixture
def sources(tmp_path, settings):
    """A folder with one static file, collected into another one."""
    settings.STATICFILES_DIRS = [tmp_path]
    settings.STATIC_ROOT = settings.DATA_DIR / "static"
    name = "whitenoise.storage.CompressedManifestStaticFilesStorage"
    settings.STORAGES = settings.STORAGES | {"staticfiles": {"BACKEND": name}}
    (tmp_path / "board.css").write_text("main {}")
    return tmp_path


def test_static_files_are_collected_once_and_again_when_one_changes(sources, settings, capfd):
    made = settings.STATIC_ROOT / "staticfiles.json"
    for expected in (1, 0):
        house.collect_static()
        assert capfd.readouterr().out.count("Collecting") == expected
        assert made.exists()
    os.utime(sources / "board.css", ns=(1, 1))
    house.collect_static()
    assert "Collecting" in capfd.readouterr().out
    made.unlink()
    house.collect_static()
    assert "Collecting" in capfd.readouterr().out


def test_the_presets_and_tables_are_there_after_bringing_up_to_date(transactional_db, capfd):
    from games.models import Ruleset

    Ruleset.objects.all().delete()
    house.bring_up_to_date(static=False)
    assert Ruleset.objects.exists()
    assert capfd.readouterr().out == ""


def test_a_database_that_cannot_be_used_is_one_sentence(settings, monkeypatch):
    from django.db import OperationalError

    def fail(_connection):
        raise OperationalError("connection refused\n\tIs the server running?\n")

    monkeypatch.setattr(house, "MigrationExecutor", fail)
    with pytest.raises(Refused, match=r"^The database cannot be used: connection refused\.$"):
        house.bring_up_to_date(static=False)
