"""A match as the database has it, read beside Django and folded anew by the rules alone."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from games import rules

MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True)
class Done:
    """A stored call or play."""

    number: int
    kind: str
    seat: int
    value: int
    by: str


@dataclass(frozen=True)
class StoredDeal:
    """A stored deal with its actions in order."""

    number: int
    dealer: int
    hands: tuple[rules.Hand, ...]
    actions: tuple[Done, ...]


@dataclass(frozen=True)
class Match:
    """A table as stored. ``names`` are by seat."""

    status: str
    rules: rules.Ruleset
    length: int
    version: int
    names: Mapping[int, str]
    deals: tuple[StoredDeal, ...]

    @property
    def actions(self) -> list[Done]:
        """All actions of the match in order."""
        return [action for deal in self.deals for action in deal.actions]

    def of(self, name: str) -> list[Done]:
        """All actions for the seat of this person, whoever did them."""
        return [action for action in self.actions if self.names[action.seat] == name]

    @cached_property
    def folded(self) -> list[rules.DealState]:
        """The deals as the rules make them of the actions: an illegal, doubled or missing action raises."""
        found = []
        for deal in self.deals:
            assert [action.number for action in deal.actions] == list(range(len(deal.actions)))
            steps = [(action.kind, action.seat, action.value) for action in deal.actions]
            found.append(rules.fold(self.rules, deal.dealer, deal.hands, steps))
        return found

    @property
    def scores(self) -> list[tuple[int, ...]]:
        """The scores of the deals that are over, in tenths by seat."""
        return [deal.scores() for deal in self.folded if deal.phase == "over"]

    @property
    def totals(self) -> dict[str, str]:
        """The totals of the deals that are over, as the sheet writes them, by name."""
        sums = [sum(deal[seat] for deal in self.scores) for seat in range(len(self.names))]
        return {
            self.names[seat]: rules.tenths_text(total).replace("-", MINUS) for seat, total in enumerate(sums)
        }

    def check_finished(self) -> None:
        """The match was played to its end by the rules, and no further."""
        assert self.status == "finished"
        assert len(self.scores) == len(self.deals)
        assert rules.match_over(self.rules, self.length, self.scores)
        assert len(self.deals) == self.length or not rules.match_over(
            self.rules, self.length, self.scores[:-1]
        )
        step = self.rules.deal_step
        for before, after in zip(self.deals, self.deals[1:], strict=False):
            assert after.number == before.number + 1
            assert after.dealer == (before.dealer + step) % len(self.names)


def read_match(database: Path, code: str) -> Match:
    """Read a table in one transaction. Raises LookupError where there is none of this code."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=20)) as connection:
        connection.row_factory = sqlite3.Row
        connection.execute("BEGIN")
        table = connection.execute("SELECT * FROM games_table WHERE code = ?", (code,)).fetchone()
        if table is None:
            raise LookupError(code)
        seats = connection.execute(
            'SELECT * FROM games_seat WHERE table_id = ? ORDER BY "index"', (table["id"],)
        )
        names = {seat["index"]: seat["name"] for seat in seats}
        deals = connection.execute(
            "SELECT * FROM games_deal WHERE table_id = ? AND redealt = '' ORDER BY number", (table["id"],)
        ).fetchall()
        return Match(
            status=table["status"],
            rules=rules.Ruleset.from_dict(json.loads(table["fields"])),
            length=table["length"],
            version=table["version"],
            names=names,
            deals=tuple(_deal(connection, deal) for deal in deals),
        )


def _deal(connection: sqlite3.Connection, deal: Any) -> StoredDeal:
    actions = connection.execute(
        "SELECT * FROM games_action WHERE deal_id = ? ORDER BY number", (deal["id"],)
    )
    return StoredDeal(
        deal["number"],
        deal["dealer"],
        tuple(rules.parse_hand(text) for text in json.loads(deal["hands"])),
        tuple(Done(a["number"], a["kind"], a["seat"], a["value"], a["by"]) for a in actions),
    )
