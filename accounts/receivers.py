"""What follows when a person is stored or deleted: this process forgets, and sessions end if they must."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.db.models.signals import post_delete, post_save

from accounts.backends import forget
from accounts.models import User
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


def connect() -> None:
    """Listen to the changes; called once, when the app is ready."""
    post_save.connect(person_changed, sender=User, dispatch_uid="accounts.person_changed")
    post_delete.connect(person_deleted, sender=User, dispatch_uid="accounts.person_deleted")
