"""What the live view refuses a page, in words."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop_rater.ui import spelling

if TYPE_CHECKING:
    from collections.abc import Mapping

    def QT_TRANSLATE_NOOP(context: str, text: str) -> str:  # its stub says `object`
        """Mark a text for the translators' tools, which find this very call."""
else:
    from PySide6.QtCore import QT_TRANSLATE_NOOP

CONTEXT = "LiveWords"

# What a page tried, and how that is called in a list: "request 3".
KINDS: Mapping[str, str] = {
    "request": QT_TRANSLATE_NOOP("LiveWords", "request"),
    "navigation": QT_TRANSLATE_NOOP("LiveWords", "navigation"),
    "window": QT_TRANSLATE_NOOP("LiveWords", "new window"),
    "download": QT_TRANSLATE_NOOP("LiveWords", "download"),
    "permission": QT_TRANSLATE_NOOP("LiveWords", "camera, place, notification and the like"),
    "certificate": QT_TRANSLATE_NOOP("LiveWords", "bad certificate"),
    "sign_in": QT_TRANSLATE_NOOP("LiveWords", "sign-in"),
    "dialog": QT_TRANSLATE_NOOP("LiveWords", "dialog"),
    "file": QT_TRANSLATE_NOOP("LiveWords", "file"),
    "handler": QT_TRANSLATE_NOOP("LiveWords", "taking over a kind of link"),
    "full_screen": QT_TRANSLATE_NOOP("LiveWords", "full screen"),
    "screen": QT_TRANSLATE_NOOP("LiveWords", "recording the screen"),
    "security_key": QT_TRANSLATE_NOOP("LiveWords", "security key"),
    "print": QT_TRANSLATE_NOOP("LiveWords", "printing"),
}


class Refusals:
    """Counts what a page was refused."""

    def __init__(self) -> None:
        self.of_kind: Counter[str] = Counter()

    def add(self, kind: str) -> None:
        self.of_kind[kind] += 1

    @property
    def words(self) -> str:
        """One line; "" where nothing was refused."""
        count = self.of_kind.total()
        if not count:
            return ""
        if count == 1:
            return QCoreApplication.translate("LiveWords", "1 thing refused")
        return QCoreApplication.translate("LiveWords", "{count} things refused").format(count=spelling.number(count))

    @property
    def list(self) -> str:
        """A line a kind, the most frequent first."""
        return "\n".join(
            f"{QCoreApplication.translate(CONTEXT, KINDS[kind])}: {spelling.number(count)}"
            for kind, count in self.of_kind.most_common()
        )
