"""Mail goes out beside the request: an answer that took longer would tell that somebody has the address."""

from __future__ import annotations

import logging
from concurrent.futures import Future, ThreadPoolExecutor

from django.core.mail import EmailMessage

log = logging.getLogger(__name__)
_postman = ThreadPoolExecutor(1, thread_name_prefix="mail")


def post(message: EmailMessage) -> Future[None]:
    """Send the message soon; a failure is logged, without the message."""
    return _postman.submit(_send, message)


def _send(message: EmailMessage) -> None:
    try:
        message.send()
    except Exception:
        log.exception("A mail could not be sent.")
