"""How much there is of something, in words."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLocale

translate = QCoreApplication.translate


def megabytes(size: int) -> str:
    """A number of bytes: "1.2 MB"."""
    return translate("SpokenSize", "{n} MB").format(n=QLocale().toString(size / 1_000_000, "f", 1))


def revisions(count: int) -> str:
    """A number of revisions of ratings."""
    words = translate("SpokenSize", "1 revision") if count == 1 else translate("SpokenSize", "{n} revisions")
    return words.format(n=QLocale().toString(count))
