"""Texts for what the live view refuses a page."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.translation import QT_TRANSLATE_NOOP

if TYPE_CHECKING:
    from collections.abc import Mapping

CONTEXT = "LiveWords"

# Kinds of attempts, and their names in a list: "request 3".
REFUSAL_KINDS: Mapping[str, str] = {
    "request": QT_TRANSLATE_NOOP("LiveWords", "request"),
    "navigation": QT_TRANSLATE_NOOP("LiveWords", "navigation"),
    "window": QT_TRANSLATE_NOOP("LiveWords", "new window"),
    "download": QT_TRANSLATE_NOOP("LiveWords", "download"),
    "permission": QT_TRANSLATE_NOOP("LiveWords", "camera, location, notifications and the like"),
    "certificate": QT_TRANSLATE_NOOP("LiveWords", "bad certificate"),
    "sign_in": QT_TRANSLATE_NOOP("LiveWords", "sign-in"),
    "dialog": QT_TRANSLATE_NOOP("LiveWords", "dialog"),
    "file": QT_TRANSLATE_NOOP("LiveWords", "file"),
    "handler": QT_TRANSLATE_NOOP("LiveWords", "protocol handler"),
    "full_screen": QT_TRANSLATE_NOOP("LiveWords", "full screen"),
    "screen": QT_TRANSLATE_NOOP("LiveWords", "recording the screen"),
    "security_key": QT_TRANSLATE_NOOP("LiveWords", "security key"),
    "print": QT_TRANSLATE_NOOP("LiveWords", "printing"),
}


class LiveRefusals:
    """Counter of what a page was refused."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def add(self, kind: str) -> None:
        self.counts[kind] += 1

    @property
    def summary(self) -> str:
        """Return a one-line summary; "" if nothing was refused."""
        count = self.counts.total()
        if not count:
            return ""
        if count == 1:
            return QCoreApplication.translate("LiveWords", "1 thing refused")
        return QCoreApplication.translate("LiveWords", "{count} things refused").format(count=formatting.number(count))

    @property
    def details(self) -> str:
        """Return one line per kind, the most frequent first."""
        return "\n".join(
            f"{QCoreApplication.translate(CONTEXT, REFUSAL_KINDS[kind])}: {formatting.number(count)}"
            for kind, count in self.counts.most_common()
        )
