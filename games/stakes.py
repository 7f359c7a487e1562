"""Who gets what of the coins staked at a table: a pure function of how its match ended.

The clauses are those of the contract that everybody agreed to by sitting down (see ``words.contract``).
"""

from __future__ import annotations

from dataclasses import dataclass

from games import rules
from games.models import Table
from games.state import TableState


@dataclass(frozen=True, slots=True)
class Payout:
    """Whole coins from the table's escrow to the person at a seat.

    ``clause``: "won", "shared", "draw", "agreed" (stopped by its players), "house" (cancelled by the house) or
    "drawn" (declared a draw by the house).
    """

    seat: int
    amount: int
    clause: str


def pot(state: TableState) -> int:
    """All the coins staked at the table."""
    return state.stake * state.players


def payouts(state: TableState) -> tuple[Payout, ...]:
    """The payouts of an ended match, by seat; together they are the pot. Nothing at a friendly table."""
    if not state.stake or not state.ending or state.deal is None:
        return ()
    everybody = range(state.players)
    if state.ending != Table.PLAYED:
        return tuple(Payout(seat, state.stake, state.ending) for seat in everybody)
    outcome = rules.outcome(state.rules, state.totals)
    if outcome.kind == "draw":
        return tuple(Payout(seat, state.stake, "draw") for seat in everybody)
    share, left_over = divmod(pot(state), len(outcome.best))
    # Coins that cannot be shared go one each to the winners in the order of the turn from the last dealer.
    order = [seat for seat in state.deal.order() if seat in outcome.best]
    return tuple(Payout(seat, share + (place < left_over), outcome.kind) for place, seat in enumerate(order))
