"""Coins between wallets and a table's escrow: in when the match starts, out when it ends, each exactly once.

Both run inside the transaction that starts or ends the match, with the table's row taken; every transfer has a key of
its own, so that even a second attempt could move nothing twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from accounts import coins
from games.models import Seat, Table
from games.stakes import payouts
from games.state import TableState

if TYPE_CHECKING:
    from accounts.models import User


def collect(table: Table) -> list[Seat]:
    """Move every stake to the table's escrow; or move nothing, and return the seats that cannot cover it."""
    seats = list(table.seats.select_related("user"))
    people = [seat.user for seat in seats if seat.user is not None]
    held = coins.lock_wallets(people)
    short = [seat for seat in seats if held[seat.user_id] < table.stake]
    if not short:
        escrow = coins.escrow_of(table.code)
        coins.move_many(
            [
                coins.Move(
                    coins.wallet_of(person),
                    escrow,
                    table.stake,
                    reason="stake",
                    key=f"stake/{table.code}/{person.pk}",
                    table=table.code,
                )
                for person in people
            ]
        )
    return short


def settle(state: TableState, actor: User | None = None) -> None:
    """Pay the pot of an ended match out by its contract; nothing at a friendly table or before a start."""
    if state.deal is None:
        return
    escrow = coins.escrow_of(state.code)
    moves = []
    for payout in payouts(state):
        seat = state.seats[payout.seat]
        assert seat is not None
        assert seat.user_id is not None
        moves.append(
            coins.Move(
                escrow,
                coins.wallet_of_id(seat.user_id),
                payout.amount,
                reason="win" if payout.clause in ("won", "shared") else "refund",
                key=f"payout/{state.code}/{payout.seat}",
                table=state.code,
                actor=actor,
            )
        )
    coins.move_many(moves)
