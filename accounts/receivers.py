"""What follows when a person is stored or deleted: this process forgets, sessions end if they must, a wallet opens."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.db.models.signals import post_delete, post_save, pre_delete

from accounts import coins
from accounts.backends import forget
from accounts.models import Account, User
from accounts.signals import ended


def person_changed(
    sender: type[User],
    instance: User,
    created: bool,
    using: str,
    update_fields: Iterable[str] | None,
    **_kwargs: Any,
) -> None:
    """Forget now and again on commit (a reader in between may have read the old row); end what must end."""
    user_id = instance.pk
    forget(user_id)
    before = instance.note_stored(update_fields)
    over = not created and any(before.get(name, now) != now for name, now in instance.stored.items())

    def committed() -> None:
        forget(user_id)
        if over:
            ended.send_robust(sender, user_id=user_id, session_key=None)

    transaction.on_commit(committed, using=using)


def person_deleted(sender: type[User], instance: User, using: str, **_kwargs: Any) -> None:
    """A deleted person is gone at once."""
    user_id = instance.pk
    forget(user_id)

    def committed() -> None:
        forget(user_id)
        ended.send_robust(sender, user_id=user_id, session_key=None)

    transaction.on_commit(committed, using=using)


def person_gets_a_wallet(
    sender: type[User], instance: User, created: bool, raw: bool, **_kwargs: Any
) -> None:
    """Whoever is made, by whatever door, has his first coins with it; ``User.save`` makes both or neither."""
    if created and not raw:
        coins.wallet_of(instance)


def person_closes_his_wallet(sender: type[User], instance: User, **_kwargs: Any) -> None:
    """The coins of a person about to be deleted go back to the house; the wallet's history stays."""
    with transaction.atomic():
        house, wallet = coins.mint(), Account.objects.filter(user=instance).first()
        if wallet is None:
            return
        left = coins.lock([house, wallet])[wallet.pk].balance
        if left:
            key = f"closed/{wallet.pk}"
            coins.transfer(wallet, house, left, reason=coins.Reason.CLOSED, key=key)


def connect() -> None:
    """Listen to the changes; called once, when the app is ready."""
    post_save.connect(person_changed, sender=User, dispatch_uid="accounts.person_changed")
    post_delete.connect(person_deleted, sender=User, dispatch_uid="accounts.person_deleted")
    post_save.connect(person_gets_a_wallet, sender=User, dispatch_uid="accounts.person_gets_a_wallet")
    pre_delete.connect(
        person_closes_his_wallet, sender=User, dispatch_uid="accounts.person_closes_his_wallet"
    )
