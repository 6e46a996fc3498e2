"""The backups of the store as rows: when, how much, and whether they are as they were made."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop_rater.ui import spelling
from desktop_rater.ui.rows import Line
from desktop_rater.ui.spoken_size import megabytes, revisions

if TYPE_CHECKING:
    from desktop_rater.store.backups import Backup

translate = QCoreApplication.translate


def when(backup: Backup) -> str:
    """Day and time here."""
    made = datetime.fromisoformat(backup.made).astimezone()
    return spelling.day_and_clock(made)


def row(backup: Backup) -> Line:
    """One backup."""
    mark, tone, state = _state(backup)
    held = translate("BackupList", "what it holds can't be read")
    if backup.ratings is not None:
        held = revisions(backup.ratings)
    return Line(
        backup.path.name,
        when(backup),
        end=held,
        detail=translate("BackupList", "Format {n}, {size}").format(n=backup.version, size=megabytes(backup.size)),
        detail_end=state,
        mark=mark,
        tone=tone,
    )


def _state(backup: Backup) -> tuple[str, str, str]:
    """Mark, tone and word."""
    if backup.good is False:
        return "blocked", "block", translate("BackupList", "damaged")
    if not backup.usable:
        return "dead", "", translate("BackupList", "from a newer version of the program")
    if backup.good is None:
        return "todo", "", translate("BackupList", "is being read …")
    return "done", "ok", translate("BackupList", "good")
