"""The settings as they are now: whoever follows them is told of each change, and the file is written a moment later."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal

from desktop_rater import settings
from desktop_rater.work.keep_settings import Kept, write_settings

if TYPE_CHECKING:
    from desktop_rater.model.progress import Progress
    from desktop_rater.settings import Settings
    from desktop_rater.ui.jobs import Jobs

WRITE_PAUSE_MS = 300


class Preferences(QObject):
    """Without a path nothing is written: for the tour, and for packages that try themselves."""

    changed = Signal(str)  # the id of a setting
    not_kept = Signal(object)  # RaterError

    def __init__(self, kept: Kept, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.now = kept.settings
        self._further = kept.further
        self._path = kept.path
        self._jobs = jobs
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(WRITE_PAUSE_MS)
        self._pause.timeout.connect(self.flush)

    def set(self, name: str, value: Any) -> None:
        """Give a setting another value. Raises `ValueError` where it can't have it."""
        changed: Settings = settings.changed(self.now, name, value)
        if changed != self.now:
            self.now = changed
            self._pause.start()
            self.changed.emit(name)

    def step(self, name: str, steps: int) -> None:
        """Move a number; 0 steps go back to the default."""
        self.set(name, settings.stepped(self.now, name, steps))

    def flush(self) -> None:
        """Write what has changed since the file was written."""
        if not self._pause.isActive() and self.sender() is not self._pause:
            return
        self._pause.stop()
        path, now, further = self._path, self.now, self._further
        if path is None:
            return

        def write(_progress: Progress) -> None:
            write_settings(path, now, further)

        self._jobs.start(write, lane="store", receiver=self, failed=self.not_kept.emit)


def why_not_used(kept: Kept) -> str:
    """What a user has to know of the file of settings; "" where all is well."""
    said = ""
    if kept.set_aside is not None:
        said = QCoreApplication.translate(
            "Preferences", "The file of settings can't be read. It is kept as {name}, and the usual settings hold."
        ).format(name=kept.set_aside.name)
    elif kept.unreadable:
        said = QCoreApplication.translate(
            "Preferences", "The file of settings can't be read: {why}. The usual settings hold."
        ).format(why=kept.unreadable)
    elif kept.wrong:
        said = QCoreApplication.translate(
            "Preferences", "In the file of settings {names} can't be as it stands there. The usual value holds."
        ).format(names=", ".join(kept.wrong))
    return said
