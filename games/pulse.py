"""The web process's sign of life, by which the sweep knows whether people can reach the house."""

from __future__ import annotations

import logging
import threading

from django.db import Error, close_old_connections

from games import actions

logger = logging.getLogger(__name__)

EVERY = 2.0  # seconds


def start() -> None:
    """Show every two seconds that this web process runs, from a thread that ends with it."""
    threading.Thread(target=_run, name="pulse", daemon=True).start()


def _run() -> None:
    pause = threading.Event()
    while True:
        try:
            close_old_connections()
            actions.show_alive()
        except Error as error:
            logger.warning("no pulse: %s", type(error).__name__)
        pause.wait(EVERY)
