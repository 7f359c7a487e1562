"""Coins between wallets and a table's escrow: in when the match starts, out when it ends, each exactly once.

Both run inside the transaction that starts or ends the match, with the table's row taken: the table first, then the
wallets. The ledger's keys make a second attempt move nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from accounts import coins
from accounts.models import Account
from games.models import Seat, Table
from games.stakes import payouts
from games.state import TableState

if TYPE_CHECKING:
    from accounts.models import User

REASONS = {"won": coins.Reason.WIN, "shared": coins.Reason.SHARE}
"""The ledger's reason for a payout by clause; every other clause gives stakes back."""


def collect(table: Table) -> Seat | None:
    """Move every stake to the table's escrow; or move nothing, and return a seat that cannot cover it."""
    seats = list(table.seats.select_related("user"))
    try:
        coins.stake(table.code, [seat.user for seat in seats if seat.user is not None], table.stake)
    except coins.NotEnough as error:
        return next(seat for seat in seats if seat.user_id == error.account.user_id)
    return None


def settle(state: TableState, actor: User | None = None, note: str = "") -> None:
    """Pay the pot of an ended match out by its contract; nothing at a friendly table or before a start."""
    due = payouts(state)
    if not due:
        return
    people = {seat.index: seat.user_id for seat in state.taken if seat.user_id is not None}
    wallets = dict(Account.objects.filter(user__in=people.values()).values_list("user_id", "pk"))
    shares = {wallets[people[payout.seat]]: payout.amount for payout in due}
    reason = REASONS.get(due[0].clause, coins.Reason.REFUND)
    coins.settle(state.code, shares, reason, actor=actor, note=note)
