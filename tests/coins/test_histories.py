"""Random histories of coins, compared after every step with a ledger kept in a dictionary."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.db import IntegrityError, transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from accounts import coins, ledger_check
from accounts.coins import Move, Reason
from accounts.models import Account, Transfer, User
from tests.coins.conftest import balances

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]

amounts = st.one_of(st.integers(1, 120), st.integers(800, 1300))
places = st.integers(0, 50)  # whatever stands there, counted round and round
GRANT, FLOOR = 1000, 200


class Crash(Exception):
    """The worker dies."""


class History(RuleBasedStateMachine):
    """People, tables and coins; ``held`` is what each account must hold."""

    def __init__(self) -> None:
        super().__init__()
        self.whole = transaction.atomic()
        self.whole.__enter__()
        self.house = coins.mint()
        self.held = {self.house.pk: 0}
        self.people: list[User] = []
        self.wallets: list[Account] = []
        self.escrows: list[Account] = []
        self.moves: list[Move] = []
        self.stakes: dict[str, dict[int, int]] = {}  # of tables at play
        self.settled: dict[str, dict[int, int]] = {}
        self.refilled: set[tuple[int, date]] = set()

    def teardown(self) -> None:
        self.whole.__exit__(Crash, Crash(), None)

    def key(self) -> str:
        return f"key {len(self.moves)}"

    def book(self, source: int, target: int, amount: int) -> None:
        self.held[source] -= amount
        self.held[target] += amount

    @initialize()
    def begin(self) -> None:
        for _each in range(3):
            self.register()
        self.open_table()

    @rule()
    def register(self) -> None:
        if len(self.people) == 6:
            return
        user = User.objects.create_user(f"Player {chr(65 + len(self.people))}")
        self.people.append(user)
        self.wallets.append(coins.wallet_of(user))
        self.held[self.wallets[-1].pk] = 0
        self.book(self.house.pk, self.wallets[-1].pk, GRANT)

    @rule()
    def open_table(self) -> None:
        escrow = coins.escrow_of(f"free{len(self.escrows)}")
        self.escrows.append(escrow)
        self.held[escrow.pk] = 0

    @rule(giver=places, taker=places, amount=amounts)
    def move(self, giver: int, taker: int, amount: int) -> None:
        accounts = [self.house, *self.wallets, *self.escrows]
        one, other = accounts[giver % len(accounts)], accounts[taker % len(accounts)]
        move = Move(one, other, amount, Reason.STAKE, self.key())
        if (one.kind == "wallet") == (other.kind == "wallet"):
            with pytest.raises(IntegrityError):
                coins.move_many([move])
        elif one.kind != "mint" and self.held[one.pk] < amount:
            with pytest.raises(coins.NotEnough):
                coins.move_many([move])
        else:
            coins.move_many([move])
            self.book(one.pk, other.pk, amount)
            self.moves.append(move)

    @rule(which=places)
    def repeat(self, which: int) -> None:
        if self.moves:
            move = self.moves[which % len(self.moves)]
            (made,) = coins.move_many([move])
            assert made.key == move.key

    @rule(which=places, amount=amounts)
    def reuse_a_key(self, which: int, amount: int) -> None:
        if not self.moves:
            return
        first = self.moves[which % len(self.moves)]
        if amount != first.amount:
            with pytest.raises(coins.KeyConflict):
                coins.move_many([Move(first.source, first.target, amount, first.reason, first.key)])

    @rule(spenders=st.lists(st.tuples(places, amounts), min_size=2, max_size=4), crash=st.booleans())
    def several(self, spenders: list[tuple[int, int]], crash: bool) -> None:
        batch = [
            Move(
                self.wallets[who % len(self.wallets)], self.escrows[-1], amount, "stake", f"{self.key()}/{n}"
            )
            for n, (who, amount) in enumerate(spenders)
        ]
        after = dict(self.held)
        for move in batch:
            after[move.source.pk] -= move.amount
            after[move.target.pk] += move.amount
        if any(after[move.source.pk] < 0 for move in batch):
            with pytest.raises(coins.NotEnough):
                coins.move_many(batch)
        elif crash:
            with pytest.raises(Crash), transaction.atomic():
                crash_after(batch)
        else:
            coins.move_many(batch)
            self.held = after
            self.moves.extend(batch)

    @rule(amount=amounts, at=st.integers(2, 4))
    def start(self, amount: int, at: int) -> None:
        people, code = self.people[:at], f"t{len(self.stakes) + len(self.settled)}"
        escrow = coins.escrow_of(code)
        self.held.setdefault(escrow.pk, 0)
        wallets = self.wallets[:at]
        if any(self.held[wallet.pk] < amount for wallet in wallets):
            with pytest.raises(coins.NotEnough):
                coins.stake(code, people, amount)
            return
        coins.stake(code, people, amount)
        coins.stake(code, people, amount)
        self.stakes[code] = {wallet.pk: amount for wallet in wallets}
        for wallet in wallets:
            self.book(wallet.pk, escrow.pk, amount)

    @rule(which=places, winner=places, way=st.sampled_from(["win", "share", "refund"]))
    def finish(self, which: int, winner: int, way: str) -> None:
        if not self.stakes:
            return
        code = sorted(self.stakes)[which % len(self.stakes)]
        stakes = self.stakes.pop(code)
        wallets, pot = sorted(stakes), sum(stakes.values())
        shares = stakes
        if way == "win":
            shares = {wallets[winner % len(wallets)]: pot}
        elif way == "share":
            shares = {wallets[0]: pot // 2, wallets[1]: pot - pot // 2}
        if way == "refund":
            coins.refund(code)
        else:
            coins.settle(code, shares, way)
        self.settled[code] = shares
        for wallet, amount in shares.items():
            self.book(coins.escrow_of(code).pk, wallet, amount)

    @rule(which=places)
    def settle_again(self, which: int) -> None:
        if not self.settled:
            return
        code = sorted(self.settled)[which % len(self.settled)]
        first = Transfer.objects.filter(source__code=code).earliest("pk")
        coins.settle(code, self.settled[code], first.reason)
        with pytest.raises(coins.KeyConflict):
            coins.settle(code, {self.wallets[0].pk: 1}, Reason.WIN)

    @rule(who=places, day=st.integers(0, 3))
    def refill(self, who: int, day: int) -> None:
        user, wallet = self.people[who % len(self.people)], self.wallets[who % len(self.people)]
        today = date(2026, 3, 2) + timedelta(days=day)
        due = max(0, FLOOR - self.held[wallet.pk] - coins.staked(user))
        got = coins.refill(user, today)
        if due and (user.pk, today) not in self.refilled:
            assert got is not None
            assert got.amount == due
            self.refilled.add((user.pk, today))
            self.book(self.house.pk, wallet.pk, due)
        else:
            assert got is None

    @invariant()
    def the_books_are_right(self) -> None:
        stored = balances()
        assert {account: stored[account] for account in self.held} == self.held
        assert sum(stored.values()) == 0
        assert ledger_check.check().faults == ()


def crash_after(batch: list[Move]) -> None:
    """Move, then die before the commit."""
    coins.move_many(batch)
    raise Crash


def test_whatever_happens_the_books_are_right() -> None:
    run_state_machine_as_test(
        History,
        settings=settings(
            max_examples=25,
            stateful_step_count=25,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
