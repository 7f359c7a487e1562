"""A small memory of this process for what nearly every request reads: the session and the person."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from typing import Generic, TypeVar

KEEP = 5.0
"""Seconds a value is remembered: how long another process may go on with what has changed here."""

Key = TypeVar("Key")
Value = TypeVar("Value")


class Memo(Generic[Key, Value]):
    """At most ``size`` values, each for at most ``KEEP`` seconds; safe to use from many threads.

    Reading what is missing takes three steps: ``seen = memo.generation``, read the database,
    ``memo.put(key, value, seen)``. What was dropped in between is then not put back by a late reader.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.generation = 0
        self._lock = threading.Lock()
        self._values: OrderedDict[Key, tuple[float, Value]] = OrderedDict()

    def get(self, key: Key) -> Value | None:
        """The remembered value, or None."""
        with self._lock:
            entry = self._values.get(key)
            if entry is None:
                return None
            until, value = entry
            if time.monotonic() >= until:
                del self._values[key]
                return None
            return value

    def put(self, key: Key, value: Value, seen: int) -> None:
        """Remember a value read after the generation was ``seen``, unless anything was dropped since."""
        with self._lock:
            if self.generation != seen:
                return
            self._values[key] = (time.monotonic() + KEEP, value)
            self._values.move_to_end(key)
            if len(self._values) > self.size:
                self._values.popitem(last=False)

    def drop(self, key: Key) -> None:
        """Forget one value."""
        with self._lock:
            self.generation += 1
            self._values.pop(key, None)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self.generation += 1
            self._values.clear()
