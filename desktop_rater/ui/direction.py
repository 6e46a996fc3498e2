"""Which way a text runs."""

from __future__ import annotations

import unicodedata

_STRONG = {"L": False, "R": True, "AL": True}


def right_to_left(text: str) -> bool:
    """Whether the first character with a direction of its own runs from right to left."""
    for character in text[:2_000]:
        strong = _STRONG.get(unicodedata.bidirectional(character))
        if strong is not None:
            return strong
    return False
