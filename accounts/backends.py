"""Who is signing in, and who is behind a session."""

from __future__ import annotations

import copy
from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from django.contrib.auth.base_user import AbstractBaseUser

from accounts.memo import Memo
from accounts.models import User
from accounts.names import name_key

_people: Memo[int, User] = Memo(10_000)


def forget(user_id: int) -> None:
    """Read this person from the database when next asked for."""
    _people.drop(user_id)


class Backend(AuthenticationBackend):
    """Signs in by name, in any case, with the person remembered for a few seconds."""

    def _authenticate_by_username(self, username: str, password: str) -> AbstractBaseUser | None:
        user = User.objects.filter(username_key=name_key(username)).first()
        return self._check_password(user, password)

    def get_user(self, user_id: Any) -> User | None:
        """The person of this id, if active; each caller gets an object of his own."""
        user = _people.get(user_id)
        if user is None:
            seen = _people.generation
            user = User.objects.filter(pk=user_id).first()
            if user is None:
                return None
            _people.put(user_id, user, seen)
        return copy.copy(user) if self.user_can_authenticate(user) else None
