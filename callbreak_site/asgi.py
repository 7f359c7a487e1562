"""The web process: HTTP through the pooled handler, sockets through Channels."""

from __future__ import annotations

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "callbreak_site.settings")

import django

django.setup()

from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402

from callbreak_site.handler import PooledHandler  # noqa: E402
from games import pulse  # noqa: E402
from games.consumers import socket_urls  # noqa: E402
from games.sockets import guarded  # noqa: E402

application = ProtocolTypeRouter({"http": PooledHandler(), "websocket": guarded(URLRouter(socket_urls))})
pulse.start()
