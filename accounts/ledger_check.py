"""Whether the books are right: everything is counted again from the transfers.

Who keeps tables adds checks of its own to ``checks``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import connection, transaction
from django.db.models import Sum
from django.utils.translation import gettext as _

from accounts import guards
from accounts.models import Account, Transfer


@dataclass(frozen=True, slots=True)
class Figure:
    """A number worth showing, and what it counts."""

    name: str
    value: int


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is wrong: in a sentence, and the row it is about."""

    sentence: str
    row: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """What a check of the whole ledger found."""

    figures: tuple[Figure, ...]
    faults: tuple[Fault, ...]

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults


Check = Callable[[], Iterable[Figure | Fault]]


def balances() -> Iterator[Figure | Fault]:
    """Every balance against its transfers, all together against zero, none but the mint's below it."""
    came = dict(Transfer.objects.values_list("target").annotate(sum=Sum("amount")))
    went = dict(Transfer.objects.values_list("source").annotate(sum=Sum("amount")))
    held = dict.fromkeys(Account.Kind, 0)
    accounts = 0
    for account in Account.objects.select_related("user").order_by("pk").iterator():
        accounts += 1
        held[Account.Kind(account.kind)] += account.balance
        row = _("account %(id)d, %(name)s") % {"id": account.pk, "name": account}
        moved = came.get(account.pk, 0) - went.get(account.pk, 0)
        if account.balance != moved:
            words = {"balance": account.balance, "moved": moved}
            yield Fault(_("The balance is %(balance)d, but the transfers make %(moved)d.") % words, row)
        if account.balance < 0 and account.kind != Account.Kind.MINT:
            yield Fault(_("The balance is below zero: %(balance)d.") % {"balance": account.balance}, row)
    total = sum(held.values())
    yield Figure(_("accounts"), accounts)
    yield Figure(_("transfers"), Transfer.objects.count())
    yield Figure(_("coins minted"), -held[Account.Kind.MINT])
    yield Figure(_("coins in wallets"), held[Account.Kind.WALLET])
    yield Figure(_("coins in escrow"), held[Account.Kind.ESCROW])
    yield Figure(_("all balances together"), total)
    if total:
        yield Fault(_("All balances together are %(total)d, not zero.") % {"total": total})


def guarded() -> Iterator[Figure | Fault]:
    """Whether the database still keeps the transfers from being changed."""
    for name in guards.missing():
        yield Fault(_("A guard of the database is not in place."), _("trigger %(name)s") % {"name": name})


checks: list[Check] = [balances, guarded]
"""All that is checked, in this order. A check reads, and opens no transaction."""


def check() -> Report:
    """Check everything, as it was at one moment."""
    with _one_moment():
        found = [finding for each in checks for finding in each()]
    return Report(
        figures=tuple(finding for finding in found if isinstance(finding, Figure)),
        faults=tuple(finding for finding in found if isinstance(finding, Fault)),
    )


@contextmanager
def _one_moment() -> Iterator[None]:
    """What is read within is the database of one moment, while the house goes on; nobody waits for it."""
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    else:
        # Not atomic(), which would take SQLite's write lock.
        with connection.cursor() as cursor:
            cursor.execute("BEGIN")
            try:
                yield
            finally:
                cursor.execute("ROLLBACK")
