"""What this app tells the others."""

from __future__ import annotations

from django.dispatch import Signal

ended = Signal()
"""Sessions have ended, and the sockets that live on them must end too.

Sent once the database knows, in the process in which it happened.

Arguments: ``user_id`` (int) and ``session_key`` (str, or None for all sessions of that person).
"""
