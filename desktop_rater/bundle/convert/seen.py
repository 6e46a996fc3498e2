"""Records that came already: the splits of a data set overlap now and then."""

from __future__ import annotations

import hashlib


class Seen:
    """What came, by its SHA-256, and where it stood."""

    def __init__(self) -> None:
        self._places: dict[bytes, str] = {}

    def before(self, file: str, line: int, *texts: str) -> str:
        """Where these texts stood before, such as "line 3 of val.jsonl"; "" where they come for the first time."""
        digest = hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).digest()
        place = f"line {line} of {file}"
        found = self._places.setdefault(digest, place)
        return "" if found is place else found
