"""A text that nobody may see by accident: not in a log, an error or a crash report."""

from __future__ import annotations

from urllib.parse import quote

_SHORTEST = 8


class Secret:
    """Shows itself as dots. Not a struct, so that nothing writes it into a file."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def revealed(self) -> str:
        """The text itself, for the one place that sends it."""
        return self._text

    def out_of(self, text: str) -> str:
        """`text` without the secret in it, also where it is spelt as in an address.

        A key such as "none", for a server that wants no key, is no secret, and its letters stand in other words.
        """
        if len(self._text) < _SHORTEST:
            return text
        return text.replace(self._text, "…").replace(quote(self._text, safe=""), "…")

    def __bool__(self) -> bool:
        return bool(self._text)

    def __repr__(self) -> str:
        return "Secret(…)"

    def __reduce__(self) -> str:
        raise TypeError("a secret is not written down")
