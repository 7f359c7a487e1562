"""Tables as this app knows them: by their code. What a table is called, the layer above tells."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

Namer = Callable[[Collection[str]], Mapping[str, str]]

namers: list[Namer] = []
"""Registered by who keeps tables: each gives the names, by code, of those tables that it knows."""


def names(codes: Collection[str]) -> dict[str, str]:
    """The names of these tables by code; a table that nobody knows is left out."""
    found: dict[str, str] = {}
    if codes:
        for namer in namers:
            found.update(namer(codes))
    return found
