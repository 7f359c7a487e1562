"""The forms people fill in about themselves."""

from __future__ import annotations
