"""The arena, and the contest's protocol both ways against it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from games import bots
from games.bots import arena, contest
from games.rules import PRESETS, Sight
from tests.bots.conftest import sight, some_deal


@contextmanager
def running(server: ThreadingHTTPServer) -> Iterator[str]:
    """The address of a server that runs meanwhile."""
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


def answering(answer: Callable[[dict], bytes]) -> ThreadingHTTPServer:
    """A server whose answer to any POST is a function of the body."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            data = answer(body)
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_args: object) -> None:
            pass

    return ThreadingHTTPServer(("127.0.0.1", 0), Handler)


def played(entrants: tuple[str, ...], ruleset: str = "kal", matches: int = 1, limit: float = 2.0) -> dict:
    """The figures of a short contest in this process."""
    given = arena.Contest(entrants, PRESETS[ruleset], 2, 1, limit)
    return arena.report(given, list(arena.play(given, matches, 1)))


def test_bots_that_are_alike_come_out_level():
    figures = played(("normal",) * 4, matches=4)
    assert len({row["score"]["mean"] for row in figures["by"].values()}) == 1
    assert (figures["margin"]["mean"], figures["margin"]["high"]) == (pytest.approx(0), pytest.approx(0))
    pairs = played(("normal", "normal", "easy", "easy"), matches=4)
    assert pairs["seatings"] == 4
    assert pairs["by"]["normal"]["score"]["mean"] > pairs["by"]["easy"]["score"]["mean"]


def test_the_same_contest_gives_the_same_figures_in_any_number_of_processes():
    given = arena.Contest(("normal", "easy", "easy"), PRESETS["official"], 2, 5)
    alone = arena.report(given, list(arena.play(given, 3, 1)))
    shared = arena.report(given, list(arena.play(given, 3, 2)))
    for figures in (alone, shared):
        for row in figures["by"].values():
            del row["median_ms"], row["p99_ms"]
    assert alone == shared


def test_the_command_prints_figures_as_json():
    out = StringIO()
    call_command("arena", "normal", "easy", "--deals", "3", "--length", "3", "--players", "4", "--processes", "1",
                 "--json", stdout=out, stderr=StringIO())  # fmt: skip
    figures = json.loads(out.getvalue())
    assert figures["entrants"] == ["normal", "easy", "easy", "easy"]
    assert figures["deals"] == 3
    assert set(figures["by"]) == {"normal", "easy"}
    with pytest.raises(CommandError, match="neither a level"):
        call_command("arena", "normal", "perfect", "--players", "4", "--processes", "1", stderr=StringIO())


@pytest.mark.parametrize("name", ["kal", "call-bridge"])
def test_a_served_bot_plays_in_the_arena_as_at_home(name: str):
    """The anticlockwise ruleset too: what the outside bot is told is the whole sight, seats apart."""
    home: list[tuple[Sight, int]] = []

    def decide(seen: Sight) -> int:
        choice = bots.decide(seen, "normal", 0)
        home.append((seen, choice))
        return choice

    with running(contest.serve(decide, PRESETS[name], length=2)) as address:
        figures = played((address, "normal", "normal", "normal"), name)
        assert contest.Outside(address).hello()
    assert figures["by"][address]["forfeits"] == {}
    same = played(("normal",) * 4, name)
    assert len(home) == 4 * 2 * 14
    total = sum(row["score"]["mean"] for row in same["by"].values())
    outside = figures["by"][address]["score"]["mean"] + 3 * figures["by"]["normal"]["score"]["mean"]
    assert outside == pytest.approx(total)


@pytest.mark.parametrize("actions", range(0, 40, 3))
def test_a_sight_survives_the_protocol(actions: int):
    seen = sight(some_deal(PRESETS["kal"], 4, actions, actions), totals=(31, -40, 0, 12))
    told = contest.sight_from(contest.request_of(seen, 1000), PRESETS["kal"], length=5)
    assert told == seen


def test_faults_forfeit_and_are_counted():
    def liar(body: dict) -> bytes:
        if "played" not in body:
            return b'{"value": 99}'
        return b'{"value": "2X"}' if len(body["cards"]) % 2 else b"<html>"

    with running(answering(liar)) as address:
        figures = played((address, "normal", "normal", "normal"))
    assert figures["by"][address]["forfeits"] == {"illegal": 8, "nonsense": 8 * 13}


def test_a_late_answer_forfeits():
    release = threading.Event()

    def slow(_body: dict) -> bytes:
        release.wait(20)
        return b'{"value": 1}'

    deal = some_deal(PRESETS["kal"], 4, 1, 0)
    with running(answering(slow)) as address:
        outside = contest.Outside(address, limit=0.05)
        assert outside(sight(deal), 0) in PRESETS["kal"].call_range(4)
        release.set()
    assert outside.forfeits == {"late": 1}


def test_a_bot_that_is_not_there_stops_nobody():
    server = answering(lambda body: b"")
    address = f"http://127.0.0.1:{server.server_address[1]}"
    server.server_close()
    outside = contest.Outside(address, limit=0.5)
    assert not outside.hello()
    deal = some_deal(PRESETS["kal"], 4, 1, 6)
    assert deal.legal().cards >> outside(sight(deal), 0) & 1
    assert outside.forfeits == {"nonsense": 1}


def test_a_served_bot_refuses_what_is_no_request():
    with running(contest.serve(lambda seen: 1, PRESETS["kal"], length=5)) as address:
        outside = contest.Outside(address)
        for path, body in (("/bid", {}), ("/play", {"cards": []}), ("/other", {})):
            with pytest.raises(contest.NotAnAnswer, match="nonsense"):
                outside._ask("POST", path, body)
