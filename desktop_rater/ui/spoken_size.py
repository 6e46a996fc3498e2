"""How much there is of something, in words."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from desktop_rater.ui import spelling

translate = QCoreApplication.translate


def megabytes(size: int) -> str:
    """A number of bytes: "1.2 MB"."""
    return translate("SpokenSize", "{n} MB").format(n=spelling.decimal(size / 1_000_000, 1))


def revisions(count: int) -> str:
    """A number of revisions of ratings."""
    words = translate("SpokenSize", "1 revision") if count == 1 else translate("SpokenSize", "{n} revisions")
    return words.format(n=spelling.number(count))
