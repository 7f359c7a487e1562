"""The check of the ledger knows what tables owe: sound books pass, and a planted fault of each kind is found."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from accounts import coins, guards, ledger_check
from accounts.models import Account, Transfer, User
from accounts.tables import names
from games import actions, books, rules
from games.books import tables
from games.models import Action, Table
from games.stakes import payouts
from games.state import store

pytestmark = pytest.mark.postgres


def found() -> list[str]:
    """What is wrong with the tables, by the check: "code: sentence"."""
    faults = [finding for finding in tables() if isinstance(finding, ledger_check.Fault)]
    return [f"{fault.row.split()[1].strip(',')}: {fault.sentence}" for fault in faults]


def figures() -> dict[str, int]:
    return {each.name: each.value for each in tables() if isinstance(each, ledger_check.Figure)}


def play(table: Table, people: list[User], seed: int = 1) -> None:
    """Play the match to its end."""
    chance = random.Random(seed)
    while (state := store.fresh(table.pk)).status == Table.PLAYING:
        assert state.deal is not None
        moment = {"deal": state.deal_number, "number": state.deal.number}
        if state.phase == "scored":
            for person in people[:4]:
                if store.fresh(table.pk).deal_number == state.deal_number:
                    actions.next_deal(table.pk, person, state.deal_number)
        elif state.phase == "calling":
            actions.call(table.pk, people[state.turn].pk, chance.randint(1, 4), **moment)
        else:
            card = chance.choice(rules.cards_of(state.deal.legal().cards))
            actions.play(table.pk, people[state.turn].pk, card, **moment)


@pytest.fixture
def won(staked: Any, people: list[User]) -> Table:
    """A match that was played to its end and won by one person."""
    while True:
        table = staked("classic", length=1)
        play(table, people)
        if len(payouts(store.fresh(table.pk))) == 1:
            return table


@pytest.fixture
def raw(db: None) -> Any:
    """Executes SQL with the guards taken away."""

    def execute(sql: str, *values: Any) -> None:
        guards.lift(connection)
        with connection.cursor() as cursor:
            cursor.execute(sql, values)

    return execute


def escrow(table: Table) -> Account:
    return coins.escrow_of(table.code)


# ---------------------------------------------------------------- sound


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("preset", ["kal", "classic", "strict"])
def test_matches_played_to_their_end(preset: str, seed: int, staked: Any, people: list[User]) -> None:
    table = staked(preset, length=1, stake=7)
    assert found() == []
    play(table, people, seed)
    assert found() == []
    assert figures() == {"running matches with stakes": 0, "ended matches with stakes": 1}
    assert ledger_check.check().sound


def test_every_other_ending(staked: Any, open_table: Any, people: list[User], full_table: Any) -> None:
    actions.cancel_by_house(staked().pk, people[5], "late")
    actions.declare_draw(staked().pk, people[5], "late")
    agreed = staked()
    for person in people[:4]:
        actions.cancel(agreed.pk, person, True)
    assert store.fresh(agreed.pk).ending == Table.AGREED
    open_table(people[0], stake=50, asks_for=50)
    closed = open_table(people[0], stake=50, asks_for=50)
    actions.cancel_by_house(closed.pk, people[5], "nobody came")
    running = staked()
    assert found() == []
    assert figures() == {"running matches with stakes": 1, "ended matches with stakes": 3}
    assert escrow(running).balance == 200


def test_a_person_who_left_is_paid_all_the_same(staked: Any, people: list[User]) -> None:
    table = staked("classic", length=1)
    actions.leave(table.pk, people[0])
    actions.cancel_by_house(table.pk, people[5], "late")
    assert found() == []


def test_it_takes_part_in_the_check_of_the_ledger() -> None:
    assert ledger_check.checks.count(books.tables) == 1


def test_statements_know_what_tables_are_called(won: Table) -> None:
    assert names([won.code, "unknown"]) == {won.code: won.name}


def test_the_check_of_many_asks_little(
    staked: Any, people: list[User], django_assert_max_num_queries: Any
) -> None:
    for _each in range(5):
        actions.cancel_by_house(staked().pk, people[5], "late")
    with django_assert_max_num_queries(8 + 5):  # of each match its actions alone
        assert found() == []


def test_the_daily_check_looks_at_old_matches_by_their_sums(
    won: Table, people: list[User], raw: Any, django_assert_max_num_queries: Any
) -> None:
    assert books.run_check().sound
    Table.objects.filter(pk=won.pk).update(ended_at=timezone.now() - timedelta(days=3))
    winner = Transfer.objects.filter(source=escrow(won))[0].target_id
    loser = next(wallet.pk for person in people[:4] if (wallet := coins.wallet_of(person)).pk != winner)
    raw("UPDATE accounts_transfer SET target_id = %s WHERE source_id = %s", loser, escrow(won).pk)
    with django_assert_max_num_queries(20):
        assert not any("contract" in sentence for _row, sentence in books.run_check().faults)
    assert any("contract" in fault for fault in found())
    raw("UPDATE accounts_transfer SET amount = 199 WHERE source_id = %s", escrow(won).pk)
    told = [
        sentence for row, sentence in books.run_check().faults if won.code in row and "paid out" in sentence
    ]
    assert told == ["200 coins were paid in, 199 paid out, 0 lie there; it should be 200 in and 200 out."]


def test_a_match_that_ended_since_is_looked_at_whole(won: Table, raw: Any) -> None:
    assert books.run_check().sound
    raw("UPDATE accounts_transfer SET reason = 'refund' WHERE source_id = %s", escrow(won).pk)
    for _again in range(2):
        check = books.run_check()
        assert any("contract" in sentence for _row, sentence in check.faults)


# ---------------------------------------------------------------- planted


def test_coins_left_in_the_escrow_of_an_ended_match(won: Table, raw: Any) -> None:
    raw("UPDATE accounts_account SET balance = 5 WHERE id = %s", escrow(won).pk)
    assert found() == [f"{won.code}: The table is finished: its escrow should hold 0 and holds 5."]


def test_too_little_in_the_escrow_of_a_running_match(staked: Any, raw: Any) -> None:
    table = staked()
    raw("UPDATE accounts_account SET balance = 150 WHERE id = %s", escrow(table).pk)
    assert found() == [f"{table.code}: The table is playing: its escrow should hold 200 and holds 150."]


def test_a_match_that_began_without_its_stakes(staked: Any, raw: Any) -> None:
    table = staked()
    raw('DELETE FROM accounts_transfer WHERE "table" = %s', table.code)
    raw("UPDATE accounts_account SET balance = 0 WHERE id = %s", escrow(table).pk)
    first, second = found()
    assert "should hold 200 and holds 0" in first
    assert "The stakes paid in are not those of its players: nothing instead of" in second


def test_stakes_at_an_open_table(open_table: Any, people: list[User]) -> None:
    table = open_table(people[0], stake=50, asks_for=50)
    coins.stake(table.code, people[:1], 50)
    held, paid = found()
    assert "The table is open: its escrow should hold 0 and holds 50." in held
    assert f"person {people[0].pk}: 50 (stake) instead of nothing" in paid


def test_a_stake_paid_twice(staked: Any, people: list[User]) -> None:
    table = staked()
    coins.transfer(
        coins.wallet_of(people[0]), escrow(table), 50, reason="stake", key="again", table=table.code
    )
    held, paid = found()
    assert "should hold 200 and holds 250" in held
    assert paid.count(f"person {people[0].pk}: 50 (stake)") == 3


def test_a_match_that_ended_and_paid_nobody(won: Table, raw: Any) -> None:
    raw('DELETE FROM accounts_transfer WHERE source_id = %s AND "table" = %s', escrow(won).pk, won.code)
    (fault,) = found()
    assert "What was paid out is not what the contract says: nothing instead of person" in fault


def test_a_match_that_paid_twice(won: Table) -> None:
    guards.lift(connection)
    paid = Transfer.objects.filter(source=escrow(won))[0]
    Transfer.objects.create(
        source=paid.source,
        target=paid.target,
        amount=paid.amount,
        reason=paid.reason,
        key="x",
        table=won.code,
    )
    (fault,) = found()
    assert "What was paid out is not what the contract says" in fault


def test_a_match_that_paid_the_wrong_person(won: Table, people: list[User], raw: Any) -> None:
    winner = Transfer.objects.filter(source=escrow(won))[0].target_id
    loser = next(wallet.pk for person in people[:4] if (wallet := coins.wallet_of(person)).pk != winner)
    raw("UPDATE accounts_transfer SET target_id = %s WHERE source_id = %s", loser, escrow(won).pk)
    (fault,) = found()
    assert f"person {Account.objects.get(pk=loser).user_id}: 200 (win) instead of" in fault


def test_a_refund_where_somebody_won(won: Table, raw: Any) -> None:
    raw("UPDATE accounts_transfer SET reason = 'refund' WHERE source_id = %s", escrow(won).pk)
    (fault,) = found()
    assert "200 (refund) instead of" in fault


def test_a_result_changed_afterwards(won: Table) -> None:
    (payout,) = payouts(store.fresh(won.pk))
    Action.objects.filter(deal__table=won, kind="call", seat=payout.seat).update(value=8)
    (fault,) = found()
    assert "What was paid out is not what the contract says" in fault


def test_coins_at_a_friendly_table(full_table: Any, people: list[User]) -> None:
    table = full_table()
    coins.stake(table.code, people[:1], 50)
    held, paid = found()
    assert "should hold 0 and holds 50" in held
    assert "instead of nothing" in paid


def test_an_escrow_of_no_table(people: list[User]) -> None:
    coins.stake("nowhere", people[:1], 50)
    assert found() == ["nowhere: There is an escrow, but no such table."]
