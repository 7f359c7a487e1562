"""How a table's code looks in an address; anything else is no address of ours."""

from __future__ import annotations

from django.urls import register_converter

from games.models import CODE_ALPHABET, CODE_LENGTH


class Code:
    """A table's code."""

    regex = f"[{CODE_ALPHABET}]{{{CODE_LENGTH}}}"

    def to_python(self, value: str) -> str:
        """The code itself."""
        return value

    def to_url(self, value: str) -> str:
        """The code itself."""
        return value


register_converter(Code, "code")
