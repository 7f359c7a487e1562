"""The JSON protocol of the 2022 Bhoos bot contest, both ways: asking an outside bot, and answering as one.

`GET /hi` says that a bot is there; `POST /bid` and `POST /play` answer `{"value": ...}`. A card is its rank and
its suit, the ace being `1`; players are named `P0`, `P1` ... and listed in the order of the turn.
"""

import http.client
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final
from urllib.parse import urlsplit

from games.rules import (
    SPADES,
    Card,
    Play,
    RulesError,
    Ruleset,
    Sight,
    card_text,
    cards_of,
    clock_call,
    hand_of,
    legal_plays,
    lowest_card,
    parse_card,
    rank_of,
    suit_of,
    tricks_in_deal,
    winning_index,
)

LATE, NONSENSE, ILLEGAL = "late", "nonsense", "illegal"
LONGEST: Final = 64 * 1024
"""Bytes of a body that are read; no honest one comes near."""
# Contest hands are sorted: spades, hearts, clubs, diamonds, each from the highest. Some bots count on it.
_SUIT_ORDER: Final = {SPADES: 0, 2: 1, 0: 2, 1: 3}


class NotAnAnswer(Exception):
    """What came back from an outside bot is no decision; the text is `late` or `nonsense`."""


def to_contest(card: Card) -> str:
    """A card as the contest writes it.

    >>> to_contest(51), to_contest(8)
    ('1S', 'TC')
    """
    text = card_text(card)
    return "1" + text[1] if text[0] == "A" else text


def from_contest(text: object) -> Card:
    """A card that the contest wrote. Raises MalformedAction (`not_a_card`)."""
    word = str(text)
    return parse_card("A" + word[1:] if word[:1] == "1" else word)


def order_of(ruleset: Ruleset, players: int) -> list[int]:
    """The seats in the order of the turn, from seat 0: what `playerIds` lists and `history` counts by."""
    step = ruleset.turn_step(players)
    return [(step * place) % players for place in range(players)]


def request_of(sight: Sight, budget: int) -> dict[str, Any]:
    """The body for `/bid` or `/play` at this moment; `budget` in milliseconds."""
    assert sight.seat is not None
    players = sight.players
    order = order_of(sight.ruleset, players)
    place = {seat: index for index, seat in enumerate(order)}
    cards = sorted(cards_of(sight.hand), key=lambda card: (_SUIT_ORDER[suit_of(card)], -rank_of(card)))
    body: dict[str, Any] = {
        "playerId": f"P{sight.seat}",
        "playerIds": [f"P{seat}" for seat in order],
        "cards": [to_contest(card) for card in cards],
        "timeBudget": budget,
        "context": {
            "round": sight.deal_number,
            "players": {
                f"P{seat}": {
                    "totalPoints": sight.totals[seat] / 10,
                    "bid": sight.calls[seat] or 0,
                    "won": sight.took[seat],
                }
                for seat in range(players)
            },
        },
    }
    if sight.phase == "playing":
        body["played"] = [to_contest(card) for _seat, card in sight.trick]
        body["history"] = []
        done = len(sight.plays) - len(sight.trick)
        leaders = [sight.plays[start][0] for start in range(0, done, players)]
        leaders.append(sight.trick[0][0] if sight.trick else sight.seat)
        for number, start in enumerate(range(0, done, players)):
            trick = [to_contest(card) for _seat, card in sight.plays[start : start + players]]
            body["history"].append([place[leaders[number]], trick, place[leaders[number + 1]]])
    return body


class Outside:
    """An outside bot at an address such as `http://127.0.0.1:7000`; `forfeits` counts what it did wrong."""

    def __init__(self, address: str, limit: float = 2.0) -> None:
        parts = urlsplit(address)
        if parts.scheme != "http" or not parts.hostname:
            raise ValueError(f"{address!r} is no address of a bot: http://HOST:PORT")
        self.host, self.port = parts.hostname, parts.port or 80
        self.path = parts.path.rstrip("/")
        self.limit = limit
        """Seconds that it may take for an answer."""
        self.forfeits: Counter[str] = Counter()
        self._connection: http.client.HTTPConnection | None = None

    def hello(self) -> bool:
        """Whether it is there."""
        try:
            self._ask("GET", "/hi", None)
        except NotAnAnswer as error:
            return str(error) == NONSENSE and self._connection is not None
        return True

    def __call__(self, sight: Sight, _seed: int) -> int:
        """Its call or card; what it may not do is counted, and done by the lowest legal card or the clock's call."""
        try:
            return self._decide(sight)
        except NotAnAnswer as error:
            self.forfeits[str(error)] += 1
        except RulesError:
            self.forfeits[NONSENSE] += 1
        if sight.legal is not None:
            return lowest_card(sight.legal.cards)
        return clock_call(sight.ruleset, sight.hand, sight.players)

    def _decide(self, sight: Sight) -> int:
        body = request_of(sight, round(1000 * self.limit))
        if sight.legal is None:
            value = self._ask("POST", "/bid", body)
            if type(value) is not int:
                raise NotAnAnswer(NONSENSE)
            if value not in sight.ruleset.call_range(sight.players):
                raise NotAnAnswer(ILLEGAL)
            return value
        card = from_contest(self._ask("POST", "/play", body))
        if not sight.legal.cards >> card & 1:
            raise NotAnAnswer(ILLEGAL)
        return card

    def _ask(self, method: str, path: str, body: object) -> object:
        """The `value` of its answer. Raises NotAnAnswer."""
        until = time.monotonic() + self.limit
        fresh = self._connection is None
        try:
            data = self._exchange(method, path, body, until)
        except TimeoutError:
            self._close()
            raise NotAnAnswer(LATE) from None
        except (OSError, http.client.HTTPException):
            self._close()
            if fresh:
                raise NotAnAnswer(NONSENSE) from None
            return self._ask(method, path, body)  # it had closed the connection that was kept
        try:
            return json.loads(data)["value"]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise NotAnAnswer(NONSENSE) from None

    def _exchange(self, method: str, path: str, body: object, until: float) -> bytes:
        if self._connection is None:
            self._connection = http.client.HTTPConnection(self.host, self.port, timeout=self.limit)
            self._connection.connect()
        connection = self._connection
        data = None if body is None else json.dumps(body).encode()
        connection.request(method, self.path + path, data, {"Content-Type": "application/json"})
        response = connection.getresponse()
        found = b""
        while len(found) <= LONGEST:
            left = until - time.monotonic()
            if left <= 0:
                raise TimeoutError
            if connection.sock is not None:
                connection.sock.settimeout(left)
            part = response.read1(4096)
            if not part:
                break
            found += part
        else:
            raise http.client.HTTPException("too long")
        response.close()  # what follows on this connection is the next answer
        if response.will_close:
            self._close()
        return found

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def sight_from(body: Mapping[str, Any], ruleset: Ruleset, *, length: int) -> Sight:
    """The sight that a body of the contest describes, for the player it asks.

    Seats are numbered in the order of `playerIds`, which is that of the turn. In a body for `/bid` the calls that
    are made are those above 0.

    Raises KeyError, IndexError, TypeError, ValueError or RulesError for what is no such body.
    """
    ids = [str(each) for each in body["playerIds"]]
    players = len(ids)
    me = ids.index(str(body["playerId"]))
    about = [body["context"]["players"][each] for each in ids]
    hand = hand_of(from_contest(card) for card in body["cards"])
    ruleset = ruleset.changed(turn="clockwise", players=[players])
    bids = [int(each["bid"] or 0) for each in about]
    plays: list[Play] = []
    took = [0] * players
    for leader, cards, winner in body.get("history", ()):
        plays += [((int(leader) + index) % players, from_contest(card)) for index, card in enumerate(cards)]
        took[int(winner)] += 1
    done = len(plays)
    down = [from_contest(card) for card in body.get("played", ())]
    plays += [((me - len(down) + index) % players, card) for index, card in enumerate(down)]
    playing = "played" in body
    if playing:
        first = plays[0][0] if plays else me
    else:
        first = (me - sum(1 for seat, bid in enumerate(bids) if bid and seat != me)) % players
    trick, last = plays[done:], plays[done - players : done] if done else []
    size = tricks_in_deal(players)
    played = [seat for seat, _card in plays]
    return Sight(
        ruleset=ruleset,
        players=players,
        seat=me,
        dealer=(first - 1) % players,
        hand=hand,
        calls=tuple(bid or None for bid in bids),
        plays=tuple(plays),
        trick=tuple(trick),
        took=tuple(took),
        turn=me,
        number=len(plays) + (players if playing else sum(map(bool, bids))),
        phase="playing" if playing else "calling",
        last_trick=tuple(last),
        last_winner=last[winning_index([card for _seat, card in last])][0] if last else None,
        counts=tuple(size - played.count(seat) for seat in range(players)),
        legal=legal_plays(ruleset, hand, [card for _seat, card in trick], first_lead=not plays)
        if playing
        else None,
        totals=tuple(round(10 * float(each["totalPoints"])) for each in about),
        deal_number=int(body["context"]["round"]),
        length=length,
    )


def serve(
    decide: Callable[[Sight], int], ruleset: Ruleset, *, length: int, host: str = "127.0.0.1", port: int = 0
) -> ThreadingHTTPServer:
    """A server, not yet running, that answers as a bot deciding so; port 0 takes a free one."""
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        timeout = 60

        def do_GET(self) -> None:
            self._answer(200, {"value": "hello"}) if self.path == "/hi" else self._answer(404, {})

        def do_POST(self) -> None:
            size = int(self.headers.get("Content-Length") or 0)
            if self.path not in ("/bid", "/play") or not 0 < size <= LONGEST:
                self.close_connection = True
                self._answer(404, {})
                return
            try:
                sight = sight_from(json.loads(self.rfile.read(size)), ruleset, length=length)
                if (sight.legal is not None) != (self.path == "/play") or not sight.hand:
                    raise ValueError("not what this path is asked")
                with lock:
                    value = decide(sight)
            except (KeyError, IndexError, TypeError, ValueError, AssertionError, RulesError) as error:
                self._answer(400, {"error": f"{type(error).__name__}: {error}"})
                return
            self._answer(200, {"value": to_contest(value) if sight.legal is not None else value})

        def _answer(self, status: int, body: dict[str, Any]) -> None:
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing: a request a card is no news."""

    return ThreadingHTTPServer((host, port), Handler)
