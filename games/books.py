"""The books of the tables: what lies in escrow, and what was paid out, against what was played. Reads only.

``accounts`` counts the coins; what they should be, the tables say. Registered with ``accounts.ledger_check``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.db.models import Prefetch
from django.utils.translation import gettext as _

from accounts import ledger_check
from accounts.ledger_check import Fault, Figure
from accounts.models import Account, Transfer
from accounts.tables import namers
from games import rules
from games.models import BookCheck, Deal, Table
from games.stakes import payouts
from games.state import read

if TYPE_CHECKING:
    from accounts.models import User

CHUNK = 300  # tables whose transfers and deals are read together
MOST_FAULTS = 200  # kept of one check: where there are more, the command prints them all
REASONS = {"won": Transfer.Reason.WIN, "shared": Transfer.Reason.SHARE}
"""The reason of a payout by its clause; every other clause gives stakes back."""

Coins = list[tuple[int | None, int, str]]
"""Movements: the person, the amount, the reason."""


@dataclass(slots=True)
class Moved:
    """What the transfers of one table say: into its escrow, and out of it."""

    paid_in: Coins = field(default_factory=list)
    paid_out: Coins = field(default_factory=list)


def tables() -> Iterator[Figure | Fault]:
    """Every escrow and every settlement against its table.

    An escrow holds the stakes of a running match and nothing at any other time. A staked match that ended was paid
    for by each player once, and paid each person once what the contract says.
    """
    rows = Account.objects.filter(kind=Account.Kind.ESCROW).values_list("code", "balance")
    escrows = {str(code): balance for code, balance in rows}
    known = Table.objects.filter(code__in=Transfer.objects.exclude(table="").values("table"))
    yield from _strays(escrows)
    staked = Table.objects.filter(stake__gt=0) | known
    running = ended = 0
    for chunk in _chunks(staked.order_by("pk").values_list("pk", flat=True)):
        found = list(
            Table.objects.filter(pk__in=chunk)
            .order_by("pk")
            .select_related("rematch")
            .prefetch_related("seats", Prefetch("deals", Deal.objects.defer("seed")))
        )
        moved = _moved([row.code for row in found])
        for row in found:
            running += row.status == Table.PLAYING
            ended += row.status in (Table.FINISHED, Table.CANCELLED)
            label = _("table %(code)s, %(name)s") % {"code": row.code, "name": row.name}
            for sentence in _table(row, escrows.get(row.code, 0), moved[row.code]):
                yield Fault(sentence, label)
    yield Figure(_("running matches with stakes"), running)
    yield Figure(_("ended matches with stakes"), ended)


def _chunks(keys: Iterable[int]) -> Iterator[list[int]]:
    found = list(keys)
    for start in range(0, len(found), CHUNK):
        yield found[start : start + CHUNK]


def _strays(escrows: dict[str, int]) -> Iterator[Fault]:
    """Escrows that belong to no table."""
    known = Table.objects.filter(code__in=Account.objects.values("code")).values_list("code", flat=True)
    for code in sorted(escrows.keys() - set(known)):
        yield Fault(_("There is an escrow, but no such table."), _("table %(code)s") % {"code": code})


def _moved(codes: list[str]) -> dict[str, Moved]:
    """The transfers of these tables, in a single query."""
    found: dict[str, Moved] = defaultdict(Moved)
    rows = Transfer.objects.filter(table__in=codes).values_list(
        "table", "source__kind", "source__user", "target__user", "amount", "reason"
    )
    for code, source, payer, payee, amount, reason in rows:
        if source == Account.Kind.ESCROW:
            found[code].paid_out.append((payee, amount, reason))
        else:
            found[code].paid_in.append((payer, amount, reason))
    return found


def _table(row: Table, escrow: int, moved: Moved) -> Iterator[str]:
    """What is wrong with the coins of one table, in sentences."""
    running = row.status == Table.PLAYING
    ended = row.status in (Table.FINISHED, Table.CANCELLED)
    pot = row.stake * row.players
    held = pot if running else 0
    if escrow != held:
        words = {"escrow": escrow, "held": held, "status": row.get_status_display()}
        yield _("The table is %(status)s: its escrow should hold %(held)d and holds %(escrow)d.") % words
    people = [seat.user_id for seat in row.seats.all() if seat.user_id is not None]
    due_in: Coins = (
        [(person, row.stake, Transfer.Reason.STAKE) for person in people]
        if row.stake and (running or ended)
        else []
    )
    if sorted(moved.paid_in, key=str) != sorted(due_in, key=str):
        yield _("The stakes paid in are not those of its players: %(paid)s instead of %(due)s.") % {
            "paid": _list(moved.paid_in),
            "due": _list(due_in),
        }
    try:
        due_out = _due_out(row) if row.stake and ended else []
    except (rules.RulesError, ValueError) as error:
        yield _("What is due cannot be worked out from what was played: %(error)s.") % {"error": error}
        return
    if sorted(moved.paid_out, key=str) != sorted(due_out, key=str):
        yield _("What was paid out is not what the contract says: %(paid)s instead of %(due)s.") % {
            "paid": _list(moved.paid_out),
            "due": _list(due_out),
        }


def _due_out(row: Table) -> Coins:
    """Who has to be paid what at this ended match: by person, as the contract has it."""
    state = read(row)
    people = {seat.index: seat.user_id for seat in state.taken}
    return [
        (people.get(payout.seat), payout.amount, REASONS.get(payout.clause, Transfer.Reason.REFUND))
        for payout in payouts(state)
    ]


def _list(moved: Coins) -> str:
    """Movements for a sentence: "person 3: 200 (win)"."""
    parts = [
        _("person %(person)s: %(amount)d (%(reason)s)")
        % {"person": person, "amount": amount, "reason": str(reason)}
        for person, amount, reason in sorted(moved, key=str)
    ]
    return ", ".join(parts) or _("nothing")


def run_check(by: User | None = None) -> BookCheck:
    """Check everything now and keep what was found."""
    report = ledger_check.check()
    return BookCheck.objects.create(
        sound=report.sound,
        figures=[[figure.name, figure.value] for figure in report.figures],
        faults=[[fault.row, fault.sentence] for fault in report.faults[:MOST_FAULTS]],
        by=by,
    )


def names(codes: Collection[str]) -> dict[str, str]:
    """The names of these tables by code, for the statements of ``accounts``."""
    return dict(Table.objects.filter(code__in=codes).values_list("code", "name"))


def register() -> None:
    """Tell ``accounts`` what it cannot know: what tables owe, and what they are called. Once is enough."""
    if tables not in ledger_check.checks:
        ledger_check.checks.append(tables)
        namers.append(names)
