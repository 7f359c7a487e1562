"""The books of the tables: what lies in escrow, and what was paid out, against what was played. Reads only.

``accounts`` counts the coins; what they should be, the tables say. Registered with ``accounts.ledger_check``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, TypeVar

from django.db.models import Prefetch, Sum
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
OVERLAP = timedelta(days=1)
ENDED = (Table.FINISHED, Table.CANCELLED)
MOST_FAULTS = 200  # kept of one check: where there are more, the command prints them all
REASONS = {"won": Transfer.Reason.WIN, "shared": Transfer.Reason.SHARE}
"""The reason of a payout by its clause; every other clause gives stakes back."""

K = TypeVar("K", int, str)
Coins = list[tuple[int | None, int, str]]
"""Movements: the person, the amount, the reason."""


@dataclass(slots=True)
class Moved:
    """What the transfers of one table say: into its escrow, and out of it."""

    paid_in: Coins = field(default_factory=list)
    paid_out: Coins = field(default_factory=list)


_one_by_one_from: ContextVar[datetime | None] = ContextVar("one_by_one_from", default=None)


def tables() -> Iterator[Figure | Fault]:
    """Every escrow and every settlement against its table.

    An escrow holds the stakes of a running match and nothing at any other time. A staked match that ended was paid
    for by each player once, and paid each person once what the contract says. Where ``run_check`` has found matches
    right before, only their sums are looked at again.
    """
    rows = Account.objects.filter(kind=Account.Kind.ESCROW).values_list("code", "balance")
    escrows = {str(code): balance for code, balance in rows}
    yield from _strays(escrows)
    sums: dict[tuple[str, bool], int] = defaultdict(int)
    moved = (
        Transfer.objects.exclude(table="").values_list("table", "source__kind").annotate(sum=Sum("amount"))
    )
    for code, source, amount in moved:
        sums[code, source == Account.Kind.ESCROW] += amount
    since = _one_by_one_from.get()
    running = ended = 0
    one_by_one = []
    for row in _concerned({code for code, _out in sums}):
        running += row.status == Table.PLAYING
        ended += row.status in ENDED
        if since is None or row.ended_at is None or row.ended_at >= since:
            one_by_one.append(row.pk)
            continue
        due_in, due_out, held = _due(row)
        paid_in, paid_out, escrow = sums[row.code, False], sums[row.code, True], escrows.get(row.code, 0)
        if (paid_in, paid_out, escrow) != (due_in, due_out, held):
            words = {
                "paid_in": paid_in,
                "paid_out": paid_out,
                "escrow": escrow,
                "due_in": due_in,
                "due_out": due_out,
            }
            told = _(
                "%(paid_in)d coins were paid in, %(paid_out)d paid out, %(escrow)d lie there; "
                "it should be %(due_in)d in and %(due_out)d out."
            )
            yield Fault(told % words, _label(row))
    for chunk in _chunks(one_by_one):
        yield from _exactly(chunk, escrows)
    yield Figure(_("running matches with stakes"), running)
    yield Figure(_("ended matches with stakes"), ended)


def _concerned(codes: set[str]) -> Iterator[Table]:
    """The tables with a stake, and those with transfers all the same."""
    wanted = "pk", "code", "name", "status", "stake", "players", "ended_at"
    staked = Table.objects.filter(stake__gt=0).order_by("pk").only(*wanted)
    for row in staked.iterator():
        codes.discard(row.code)
        yield row
    for chunk in _chunks(sorted(codes)):
        yield from Table.objects.filter(code__in=chunk).order_by("pk").only(*wanted)


def _due(row: Table) -> tuple[int, int, int]:
    """The coins that should have come into the escrow, gone out of it, and lie there."""
    pot = row.stake * row.players
    return {
        Table.PLAYING: (pot, 0, pot),
        Table.FINISHED: (pot, pot, 0),
        Table.CANCELLED: (pot, pot, 0),
    }.get(row.status, (0, 0, 0))


def _label(row: Table) -> str:
    return _("table %(code)s, %(name)s") % {"code": row.code, "name": row.name}


def _exactly(keys: list[int], escrows: Mapping[str, int]) -> Iterator[Fault]:
    """What is wrong with these tables, looked at person by person."""
    rows = list(
        Table.objects.filter(pk__in=keys)
        .order_by("pk")
        .select_related("rematch")
        .prefetch_related("seats", Prefetch("deals", Deal.objects.defer("seed")))
    )
    moved = _moved([row.code for row in rows])
    for row in rows:
        for sentence in _table(row, escrows.get(row.code, 0), moved[row.code]):
            yield Fault(sentence, _label(row))


def _chunks(keys: Sequence[K]) -> Iterator[list[K]]:
    for start in range(0, len(keys), CHUNK):
        yield list(keys[start : start + CHUNK])


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
    running, ended = row.status == Table.PLAYING, row.status in ENDED
    _in, _out, held = _due(row)
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
    """Check the books now and keep what was found.

    Matches that ended a day before the last check that found nothing wrong are not looked at one by one again:
    neither they nor their transfers change any more. ``manage.py check_ledger`` looks at every one.
    """
    sound = BookCheck.objects.filter(sound=True).first()
    token = _one_by_one_from.set(sound.at - OVERLAP if sound is not None else None)
    try:
        report = ledger_check.check()
    finally:
        _one_by_one_from.reset(token)
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
