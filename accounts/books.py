"""The ledger as people read it: a person's statement, and the house's supply of coins."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC
from io import StringIO
from typing import Any

from django.db.models import BigIntegerField, Case, F, Q, QuerySet, Sum, When, Window
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts import tables
from accounts.models import Account, Transfer, User


def statement(user: User) -> QuerySet[Transfer, Any]:
    """Every movement of the person's wallet, newest first.

    Each has ``change`` (what it added, below zero what it took) and ``left`` (what was in the wallet after it).
    """
    wallet = Account.objects.filter(user=user).values_list("pk", flat=True).first()
    own = Transfer.objects.filter(Q(source=wallet) | Q(target=wallet)) if wallet else Transfer.objects.none()
    return (
        own.annotate(
            change=Case(
                When(target=wallet, then=F("amount")),
                default=F("amount") * -1,
                output_field=BigIntegerField(),
            )
        )
        .annotate(left=Window(Sum("change"), order_by="pk"))
        .select_related("source", "target")
        .order_by("-pk")
    )


@dataclass(frozen=True, slots=True)
class Line:
    """A movement in words: ``transfer`` from ``statement``, its table's name and address, its other side."""

    transfer: Any
    other: str
    table: str
    url: str


def lines(transfers: Iterable[Transfer]) -> list[Line]:
    """These movements of a statement in words."""
    rows: Sequence[Any] = list(transfers)
    names = tables.names({row.table for row in rows if row.table})
    return [Line(row, _other_side(row), names.get(row.table, row.table), _address(row.table)) for row in rows]


def _other_side(row: Any) -> str:
    came = row.change > 0
    other = row.source if came else row.target
    if other.kind == Account.Kind.ESCROW:
        return _("from the pot") if came else _("into the pot")
    return _("from the house") if came else _("to the house")


def _address(code: str) -> str:
    """Where the table is looked at; empty without one. This app knows the address by name alone."""
    return reverse("table", args=[code]) if code else ""


def as_csv(transfers: Iterable[Transfer]) -> str:
    """A statement for a spreadsheet; no text in it can be taken for a formula."""
    out = StringIO()
    write = csv.writer(out).writerow
    write(
        [_("When (UTC)"), _("What"), _("Other side"), _("Table"), _("Code"), _("Note"), _("Coins"), _("Left")]
    )
    for line in lines(transfers):
        row = line.transfer
        when = row.at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")
        texts = [row.get_reason_display(), line.other, line.table, row.table, row.note]
        write([when, *map(harmless, texts), row.change, row.left])
    return out.getvalue()


def harmless(text: str) -> str:
    """The text, with an apostrophe before it where a spreadsheet would calculate it."""
    risky = text.lstrip()[:1] in tuple("=+-@") or text[:1] in tuple("\t\r\n")
    return f"'{text}" if risky else text


@dataclass(frozen=True, slots=True)
class Supply:
    """All coins there are, and where they lie; ``minted`` less ``wallets`` less ``escrow`` is zero."""

    minted: int
    wallets: int
    escrow: int
    staked_tables: int

    @property
    def owed(self) -> int:
        """What the mint holds: below zero by what it minted."""
        return -self.minted

    @property
    def total(self) -> int:
        """All balances together: zero."""
        return self.wallets + self.escrow - self.minted


def supply() -> Supply:
    """The house's coins, counted in one query."""
    kind = Account.Kind
    found = Account.objects.aggregate(
        mint=Sum("balance", filter=Q(kind=kind.MINT), default=0),
        wallets=Sum("balance", filter=Q(kind=kind.WALLET), default=0),
        escrow=Sum("balance", filter=Q(kind=kind.ESCROW), default=0),
        tables=Sum(Case(When(kind=kind.ESCROW, balance__gt=0, then=1), default=0), default=0),
    )
    return Supply(-found["mint"], found["wallets"], found["escrow"], found["tables"])
