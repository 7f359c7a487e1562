"""Tables made by hand, without a database: states in every phase, and what their HTML says."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime
from html.parser import HTMLParser
from typing import Any

from games import board, rules
from games.models import Action
from games.state import Act, SeatState, TableState
from games.view import view_of

NOW = datetime(2026, 1, 1, tzinfo=UTC)
NAMES = ("Asha", "Bishnu", "Chandra", "Dipa", "Eknath")
VOID = {"input", "circle", "path", "use", "br"}


def seat(index: int, **more: Any) -> SeatState:
    """A person called by a letter, user 100 + index; or with ``bot="normal"`` a bot."""
    values: dict[str, Any] = {
        "index": index,
        "user_id": None if more.get("bot") else 100 + index,
        "name": NAMES[index],
        "bot": "",
        "left": False,
        "away": False,
        "ready_for": 0,
        "nudges": None,
        "wants_cancel": False,
    }
    return SeatState(**{**values, **more})


def table(preset: str = "kal", players: int = 4, **more: Any) -> TableState:
    """A table nobody has dealt at yet, all its seats taken by people; seat 0 is the host's."""
    values: dict[str, Any] = {
        "id": 1,
        "code": "abcdefghjk",
        "name": "By the window",
        "status": "playing",
        "version": 1,
        "rules": rules.PRESETS[preset],
        "rules_name": preset,
        "players": players,
        "length": 5,
        "call_clock": None,
        "card_clock": None,
        "pace": "normal",
        "public": True,
        "watchable": True,
        "ending": "",
        "stake": 0,
        "asks_for": 0,
        "host_id": 100,
        "rematch": "",
        "turn_at": NOW,
        "late": False,
        "seats": tuple(seat(index) for index in range(players)),
        "deal_id": 1,
        "deal_number": 1,
        "redealt": (),
        "deal": None,
        "acts": (),
        "scored": (),
    }
    return TableState(**{**values, **more})


def waiting(*seats: SeatState | None, preset: str = "kal", **more: Any) -> TableState:
    """A table that has not started."""
    found: dict[str, Any] = {"status": "open", "deal_id": None, "deal_number": 0, "turn_at": None, **more}
    return table(preset, len(seats), seats=seats, **found)


def dealt(state: TableState, seed: int = 1, dealer: int = 0, number: int = 1) -> TableState:
    """The table with a deal just dealt."""
    hands = rules.shuffle(bytes([seed]) * 32, state.players)
    deal = rules.DealState.start(state.rules, dealer % state.players, hands)
    return replace(state, deal=deal, acts=(), deal_number=number, status="playing")


def step(state: TableState, chance: random.Random, by: str = Action.PLAYER) -> TableState:
    """One more call or play, any that is allowed."""
    deal = state.deal
    assert deal is not None
    assert deal.turn is not None
    if deal.phase == "calling":
        value = chance.choice(list(state.rules.call_range(state.players))[:4])
        return state.after(Act(Action.CALL, deal.turn, value, by), NOW)
    value = chance.choice(rules.cards_of(deal.legal().cards))
    return state.after(Act(Action.PLAY, deal.turn, value, by), NOW)


def run(state: TableState, steps: int, seed: int = 1) -> TableState:
    """So many steps on."""
    chance = random.Random(seed)
    for _step in range(steps):
        state = step(state, chance)
    return state


def through(state: TableState, seed: int = 1) -> list[TableState]:
    """Every state from here to the end of the deal."""
    chance = random.Random(seed)
    states = [state]
    while state.deal is not None and state.deal.phase != "over":
        state = step(state, chance)
        states.append(state)
    return states


def match(state: TableState, deals: int, seed: int = 1) -> TableState:
    """The table after so many whole deals."""
    for number in range(1, deals + 1):
        state = through(dealt(state, seed + number, number, number), seed + number)[-1]
    return state


def regions(state: TableState, seat_index: int | None = 0, notice: str = "") -> dict[str, str]:
    """The board as the person on this seat sees it; None: a watcher."""
    return board.regions(view_of(state, None if seat_index is None else 100 + seat_index), notice)


def all_html(state: TableState, seat_index: int | None = 0) -> str:
    """The whole page of this viewer, and all of it as it is pushed."""
    view = view_of(state, None if seat_index is None else 100 + seat_index)
    return str(board.page(view, "TOKEN")) + board.pieces(None, board.regions(view))


def every_phase() -> list[TableState]:
    """A table in each phase and in the less usual ways to be in it."""
    playing = run(dealt(table()), 15)
    clocks = table("strict", call_clock=30, card_clock=15)
    whole = through(dealt(table(seats=(*map(seat, range(3)), seat(3, bot="normal")))))[-1]
    end = match(table(length=2), 2)
    absent = (seat(0), seat(1, away=True), seat(2, left=True), seat(3, bot="normal"))
    return [
        waiting(seat(0), None, seat(2, bot="normal"), None),
        waiting(None, seat(1), None, preset="official", public=False, host_id=101, stake=50, asks_for=80),
        dealt(table(redealt=("no_spade",))),
        run(dealt(clocks), 2),
        run(dealt(clocks), 20),
        *(run(dealt(table()), steps) for steps in (4, 5, 7, 8, 9)),
        run(dealt(table("official", 3)), 9),
        run(dealt(table("custom", 5)), 22),
        run(dealt(table("relaxed")), 9),
        replace(playing, late=True),
        run(dealt(table(seats=absent)), 31),
        replace(playing, seats=tuple(replace(each, wants_cancel=True) for each in playing.seats if each)),
        whole,
        replace(whole, late=True, card_clock=15),
        end,
        replace(end, rematch="mnpqrstuvw", stake=50),
        replace(playing, status="cancelled", ending="agreed"),
        replace(playing, status="cancelled", ending="house", stake=50),
        waiting(None, None, None, None, status="closed"),
    ]


# ---------------------------------------------------------------- reading HTML


class Node:
    """An element with what is in it."""

    def __init__(self, tag: str, attributes: dict[str, str], parent: Node | None) -> None:
        self.tag = tag
        self.attributes = attributes
        self.parent = parent
        self.children: list[Node | str] = []

    def all(self) -> list[Node]:
        """This element and all in it."""
        inner = [node for child in self.children if isinstance(child, Node) for node in child.all()]
        return [self, *inner]

    def text(self) -> str:
        """What is read of it: text, with an image's label in its place, without what is hidden from readers."""
        if self.attributes.get("aria-hidden") == "true":
            return ""
        if "aria-label" in self.attributes:
            return self.attributes["aria-label"]
        return "".join(child if isinstance(child, str) else child.text() for child in self.children)

    def find(self, name: str) -> Node:
        """The element with this id."""
        return next(node for node in self.all() if node.attributes.get("id") == name)


class Reader(HTMLParser):
    """Reads HTML into nodes; fails where an element is not closed in order."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.root = Node("", {}, None)
        self.at = self.root
        self.feed(html)
        self.close()
        assert self.at is self.root, f"<{self.at.tag}> is not closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {name: value or "" for name, value in attrs}, self.at)
        self.at.children.append(node)
        if tag not in VOID:
            self.at = node

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.at.children.append(Node(tag, {name: value or "" for name, value in attrs}, self.at))

    def handle_endtag(self, tag: str) -> None:
        assert tag == self.at.tag, f"</{tag}> closes <{self.at.tag}>"
        assert self.at.parent is not None
        self.at = self.at.parent

    def handle_data(self, data: str) -> None:
        self.at.children.append(data)


def read(html: str) -> Node:
    """HTML as a tree, under a root without a tag."""
    return Reader(html).root


def text(html: str) -> str:
    """What a reader hears of it, in one line."""
    return " ".join(read(html).text().split())
