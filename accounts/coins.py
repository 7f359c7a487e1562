"""Every movement of coins, and who has how many. Coins are play money: nothing here buys, sells or swaps them.

Lock order everywhere: the table, then accounts by id. What is given back to callers is read under those locks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Sum
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import Account, Transfer, User
from accounts.models.ledger import NOT_BELOW_ZERO

Reason = Transfer.Reason


class CoinError(Exception):
    """No coin was moved. ``code`` is stable, ``sentence`` is fit for a player."""

    code = "coins"
    sentence: str | Promise = _("The coins could not be moved.")

    def __str__(self) -> str:
        return f"{self.code}: {self.sentence}"


class NotEnough(CoinError):
    """``account`` does not hold what it should pay."""

    code = "not_enough_coins"
    sentence = _("There are not enough coins for that.")

    def __init__(self, account: Account) -> None:
        super().__init__(account)
        self.account = account


class KeyConflict(CoinError):
    """The key was used before, for another movement (``first``)."""

    code = "key_conflict"
    sentence = _("This was settled before, in another way.")

    def __init__(self, first: Transfer) -> None:
        super().__init__(first)
        self.first = first


@dataclass(frozen=True, slots=True)
class Move:
    """A movement to be made: ``amount`` coins (1 or more), and all that the ledger keeps about it."""

    source: Account
    target: Account
    amount: int
    reason: str
    key: str
    table: str = ""
    actor: User | None = None
    note: str = ""

    def is_payload_of(self, transfer: Transfer) -> bool:
        """Whether that transfer is this very movement: same accounts, amount, reason and table."""
        return (self.source.pk, self.target.pk, self.amount, self.reason, self.table) == (
            transfer.source_id,
            transfer.target_id,
            transfer.amount,
            transfer.reason,
            transfer.table,
        )


def transfer(
    source: Account,
    target: Account,
    amount: int,
    *,
    reason: str,
    key: str,
    table: str = "",
    actor: User | None = None,
    note: str = "",
) -> Transfer:
    """Move ``amount`` coins; the same ``key`` again moves nothing and gives the first transfer.

    Raises:
        NotEnough: ``source`` does not hold them.
        KeyConflict: the key was used for another movement.
    """
    return move_many([Move(source, target, amount, reason, key, table, actor, note)])[0]


def move_many(moves: Sequence[Move]) -> list[Transfer]:
    """Make these movements in their order, all or none; each is safe to repeat by its key.

    An error leaves the caller's transaction usable.

    Raises:
        NotEnough: a source does not hold the coins when it is its turn.
        KeyConflict: a key was used for another movement.
        ValueError: an amount is not a whole number of at least 1.
    """
    for move in moves:
        if type(move.amount) is not int or move.amount < 1:
            raise ValueError(f"{move.amount!r} is no amount of coins")
    rivals = 0
    while True:
        try:
            with transaction.atomic():
                return _move(moves)
        except IntegrityError:
            # Somebody used one of the keys after we looked. It is there to be read now, unless it was another error.
            known = Transfer.objects.filter(key__in=[move.key for move in moves]).count()
            if known <= rivals:
                raise
            rivals = known


def _move(moves: Sequence[Move]) -> list[Transfer]:
    lock(account for move in moves for account in (move.source, move.target))
    made = _made(moves)
    for move in moves:
        first = made.get(move.key)
        if first is not None:
            if not move.is_payload_of(first):
                raise KeyConflict(first)
            continue
        try:
            made[move.key] = Transfer.objects.create(
                source=move.source,
                target=move.target,
                amount=move.amount,
                reason=move.reason,
                key=move.key,
                table=move.table,
                actor=move.actor,
                note=move.note,
            )
        except IntegrityError as error:
            if NOT_BELOW_ZERO in str(error):
                raise NotEnough(move.source) from error
            raise
    return [made[move.key] for move in moves]


def _made(moves: Sequence[Move]) -> dict[str, Transfer]:
    """What was moved before under these keys."""
    return {known.key: known for known in Transfer.objects.filter(key__in=[move.key for move in moves])}


def lock(accounts: Iterable[Account]) -> dict[int, Account]:
    """Hold these accounts until the transaction ends, taken in the order of their ids; fresh, by id."""
    ids = {account.pk for account in accounts}
    rows = Account.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk")
    return {row.pk: row for row in rows}


# ---------------------------------------------------------------- accounts


def mint() -> Account:
    """The house's mint, from which all coins come."""
    return Account.objects.get_or_create(kind=Account.Kind.MINT)[0]


def wallet_of(user: User) -> Account:
    """The person's wallet, with his first coins in it (``COIN_GRANT``) from the moment it is there."""
    wallet = Account.objects.filter(user=user).first()
    if wallet is not None:
        return wallet
    with transaction.atomic():
        house = mint()
        wallet = Account.objects.get_or_create(user=user, defaults={"kind": Account.Kind.WALLET})[0]
        if settings.COIN_GRANT:
            transfer(house, wallet, settings.COIN_GRANT, reason=Reason.GRANT, key=f"grant/{user.pk}")
    wallet.refresh_from_db()
    return wallet


def escrow_of(code: str) -> Account:
    """Where the stakes of the table with this code lie."""
    return Account.objects.get_or_create(code=code, defaults={"kind": Account.Kind.ESCROW})[0]


def balance(user: User) -> int:
    """The coins in the person's wallet."""
    return Account.objects.filter(user=user).values_list("balance", flat=True).first() or 0


def staked(user: User) -> int:
    """The person's coins that lie in the escrow of tables that are not settled."""
    stakes = Transfer.objects.filter(
        source__user=user, reason=Reason.STAKE, target__kind=Account.Kind.ESCROW, target__balance__gt=0
    )
    return stakes.aggregate(sum=Sum("amount"))["sum"] or 0


# ---------------------------------------------------------------- the stakes of a table


def stake(code: str, people: Collection[User], amount: int) -> list[Transfer]:
    """Take ``amount`` from each of these people into the table's escrow, all or none. Repeating it takes nothing.

    Raises:
        NotEnough: ``account.user_id`` says who cannot cover it.
    """
    escrow = escrow_of(code)
    return move_many(
        [
            Move(wallet_of(user), escrow, amount, Reason.STAKE, f"stake/{code}/{user.pk}", code, user)
            for user in sorted(people, key=lambda each: each.pk)
        ]
    )


def stakes(code: str) -> list[Transfer]:
    """Who staked what at this table: ``source`` is the wallet, with its ``user`` (None: since deleted)."""
    found = Transfer.objects.filter(table=code, reason=Reason.STAKE).select_related("source__user")
    return list(found.order_by("pk"))


def settle(
    code: str, shares: Mapping[int, int], reason: str, *, actor: User | None = None, note: str = ""
) -> list[Transfer]:
    """Pay the table's escrow out, once: coins by id of the wallet (those of ``stakes``); a share of 0 is left out.

    Repeating it pays nothing and gives the first transfers; settling in another way is refused.

    Raises:
        KeyConflict: the table was settled in another way.
        ValueError: the shares are not exactly what lies in the escrow.
    """
    shares = {wallet: coins for wallet, coins in shares.items() if coins}
    with transaction.atomic():
        escrow = escrow_of(code)
        wallets = Account.objects.in_bulk(shares)
        held = lock([escrow, *wallets.values()])[escrow.pk]
        paid = list(Transfer.objects.filter(source=escrow).order_by("pk"))
        if paid:
            if {(each.target_id, each.amount, each.reason) for each in paid} != {
                (wallet, coins, reason) for wallet, coins in shares.items()
            }:
                raise KeyConflict(paid[0])
            return paid
        if sum(shares.values()) != held.balance:
            raise ValueError(f"{shares} are not the {held.balance} coins in the escrow of {code}")
        return move_many(
            [
                Move(escrow, wallets[wallet], coins, reason, f"settle/{code}/{wallet}", code, actor, note)
                for wallet, coins in sorted(shares.items())
            ]
        )


def refund(code: str, *, actor: User | None = None, note: str = "") -> list[Transfer]:
    """Give every stake of the table back, once; nothing where nobody staked. Raises KeyConflict as ``settle`` does."""
    shares = {each.source_id: each.amount for each in stakes(code)}
    return settle(code, shares, Reason.REFUND, actor=actor, note=note) if shares else []


# ---------------------------------------------------------------- the day's refill


def refill_key(user: User, day: date) -> str:
    """The key of a person's refill of that day: there is one a day."""
    return f"refill/{user.pk}/{day.isoformat()}"


def refilled(user: User, today: date | None = None) -> bool:
    """Whether the person had his refill today (UTC)."""
    return Transfer.objects.filter(key=refill_key(user, today or _today())).exists()


def refill_due(user: User, today: date | None = None) -> int:
    """How many coins a refill would give the person now; 0 once he had it today (UTC), or with enough coins.

    Coins staked in a running match count as his: who stakes them all is not poor.
    """
    if refilled(user, today):
        return 0
    return max(0, settings.COIN_FLOOR - wallet_of(user).balance - staked(user))


def refill(user: User, today: date | None = None) -> Transfer | None:
    """Fill the person's wallet up to ``COIN_FLOOR``, once a UTC day. None where there is nothing to give."""
    today = today or _today()
    with transaction.atomic():
        house, wallet = mint(), wallet_of(user)
        lock([house, wallet])
        coins = refill_due(user, today)
        if not coins:
            return None
        return transfer(house, wallet, coins, reason=Reason.REFILL, key=refill_key(user, today), actor=user)


def _today() -> date:
    return timezone.now().astimezone(UTC).date()
