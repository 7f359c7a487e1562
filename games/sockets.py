"""Who may open a socket: pages of this very site, with the session of their person."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from channels.auth import AuthMiddlewareStack
from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.dispatch import receiver

from accounts.signals import ended
from games import announce


def guarded(application: Any) -> Any:
    """Wrap the socket application: same origin only, then session and user."""
    inner = AuthMiddlewareStack(application)

    async def check(scope: dict[str, Any], receive: Any, send: Any) -> Any:
        if not same_origin(scope):
            return await WebsocketDenier()(scope, receive, send)
        return await inner(scope, receive, send)

    return check


def same_origin(scope: dict[str, Any]) -> bool:
    """Whether the Origin of a handshake is the host it was sent to, or one the settings trust."""
    headers = dict(scope.get("headers", []))
    origin = headers.get(b"origin", b"").decode("latin1").lower()
    host = headers.get(b"host", b"").decode("latin1").lower()
    if not origin or not host:
        return False
    return urlsplit(origin).netloc == host or origin in settings.CSRF_TRUSTED_ORIGINS


@receiver(ended, dispatch_uid="close sockets of ended sessions")
def close_sockets(sender: Any, user_id: int, session_key: str | None = None, **kwargs: Any) -> None:
    """A sign-out, a new password or a ban closes the sockets it concerns in every process."""
    announce.publish(announce.PEOPLE, {"type": "person.ended", "user_id": user_id, "session": session_key})
