"""The HTTP side of the web process: every request runs whole in one thread of a small kept pool.

Django's own ASGI handler hops between the loop and fresh threads several times a request and opens a database
connection in each; measured on this project's play path that was more than half of the cost. Here the synchronous
chain (middleware, view, template, response) runs in one hop, in threads that keep their connections.
"""

from __future__ import annotations

import asyncio
import functools
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import Any

from django.conf import settings
from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, ASGIRequest, get_script_prefix
from django.core.handlers.base import BaseHandler
from django.http import HttpResponse, HttpResponseBase
from django.urls import set_script_prefix


def threads() -> int:
    """How many threads serve requests: one where the database has one writer anyway, else a few."""
    return 1 if "sqlite" in settings.DATABASES["default"]["ENGINE"] else 4


LONGEST_BODY = 256 * 1024


class TooLong(Exception):
    """A request's body is longer than anything the house reads."""


class PooledHandler(ASGIHandler):
    """Django's ASGI handler with the synchronous chain run in one hop."""

    def __init__(self) -> None:
        BaseHandler.__init__(self)
        self.load_middleware(is_async=False)
        self.pool = ThreadPoolExecutor(threads(), thread_name_prefix="request")

    async def read_body(self, receive: Any) -> BytesIO:
        """The body of a request, whole. Nobody here has more to say than ``LONGEST_BODY`` bytes; raises TooLong."""
        body, more = bytearray(), True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise RequestAborted
            body += message.get("body", b"")
            if len(body) > LONGEST_BODY:
                raise TooLong
            more = message.get("more_body", False)
        return BytesIO(bytes(body))

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Serve one HTTP request."""
        try:
            body_file = await self.read_body(receive)
        except RequestAborted:
            return
        except TooLong:
            await self.send_response(HttpResponse(status=413), send)
            return
        try:
            work = functools.partial(self._respond, scope, body_file)
            response = await asyncio.get_running_loop().run_in_executor(self.pool, work)
            await self.send_response(response, send)
        finally:
            body_file.close()

    def _respond(self, scope: dict[str, Any], body_file: Any) -> HttpResponseBase:
        """Run the whole chain; the response comes back closed and with its body in memory."""
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=self.__class__, scope=scope)
        request, error_response = self.create_request(scope, body_file)
        if request is None:
            assert error_response is not None
            return error_response
        assert isinstance(request, ASGIRequest)
        response = self.get_response(request)
        if response.streaming:
            whole = HttpResponse(b"".join(response), status=response.status_code)
            whole.headers = response.headers
            whole.cookies = response.cookies
            response.close()
            return whole
        response.close()
        return response
