"""Sessions in the database, remembered in the process for a few seconds: a warm request asks nothing."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore

from accounts.memo import Memo
from accounts.signals import ended

remembered: Memo[str, bytes] = Memo(10_000)


class SessionStore(DatabaseStore):
    """Django's database sessions with a memory of ``memo.KEEP`` seconds.

    What this process saves or deletes it forgets at once; what another did it sees after those seconds.
    """

    @classmethod
    def get_model_class(cls) -> Any:
        """The stock table of sessions."""
        return DatabaseStore.get_model_class()

    def load(self) -> dict[str, Any]:
        """The session's data; empty, with the key given up, where there is no such session."""
        key = self.session_key
        if key is None:
            return super().load()
        known = remembered.get(key)
        if known is not None:
            return self.serializer().loads(known)
        seen = remembered.generation
        data = super().load()
        if self.session_key is not None:
            remembered.put(key, self.serializer().dumps(data), seen)
        return data

    def save(self, must_create: bool = False) -> None:
        """Store the session; the next load reads it anew."""
        try:
            super().save(must_create)
        finally:
            self._forget(self.session_key)

    async def asave(self, must_create: bool = False) -> None:
        """Like ``save``."""
        try:
            await super().asave(must_create)
        finally:
            self._forget(self.session_key)

    def delete(self, session_key: str | None = None) -> None:
        """Delete the session from the database and from memory."""
        key = session_key or self.session_key
        super().delete(session_key)
        self._forget(key)

    async def adelete(self, session_key: str | None = None) -> None:
        """Like ``delete``."""
        key = session_key or self.session_key
        await super().adelete(session_key)
        self._forget(key)

    def flush(self) -> None:
        """End the session and say so: this is where signing out, here or at the desk, comes by."""
        key, user_id = self.session_key, self.get(SESSION_KEY)
        super().flush()
        if key is not None and user_id is not None:
            ended.send_robust(type(self), user_id=int(user_id), session_key=key)

    @staticmethod
    def _forget(key: str | None) -> None:
        if key is not None:
            remembered.drop(key)
