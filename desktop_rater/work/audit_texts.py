"""The texts of tasks in an audit, each kept once: canonical, and without what was sent back with a task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.model.canonical import canonical, sha256
from desktop_rater.model.strict_json import read_object
from desktop_rater.store import received

if TYPE_CHECKING:
    from desktop_rater.store.store import Store

_RETURNED = "returned"
_MOST = 200_000  # lines of which the text is remembered


class Texts:
    """Which texts the store has, and those on their way into it."""

    def __init__(self, store: Store) -> None:
        self._stored = received.texts_known(store)
        self._waiting: dict[str, bytes] = {}
        self._of_lines: dict[str, str] = {}

    def take(self, line: bytes) -> str:
        """The SHA-256 of the text that a task's line means; it waits until it is `stored`, if the store lacks it."""
        key = sha256(line)
        digest = self._of_lines.get(key)
        if digest is None:
            plain = read_object(line)
            plain.pop(_RETURNED, None)
            text = canonical(plain)
            digest = sha256(text)
            if len(self._of_lines) >= _MOST:
                self._of_lines.clear()
            self._of_lines[key] = digest
            if digest not in self._stored:
                self._waiting[digest] = text
        elif digest not in self._stored and digest not in self._waiting:
            return self._again(key, line)
        return digest

    def _again(self, key: str, line: bytes) -> str:
        """It was taken with results that were refused, and so was not stored."""
        del self._of_lines[key]
        return self.take(line)

    @property
    def waiting(self) -> dict[str, bytes]:
        """SHA-256 → canonical line of what is not in the store yet."""
        return dict(self._waiting)

    def stored(self) -> None:
        """What waited is in the store."""
        self._stored |= self._waiting.keys()
        self._waiting.clear()

    def forget(self) -> None:
        """What waited will not be stored."""
        self._waiting.clear()
