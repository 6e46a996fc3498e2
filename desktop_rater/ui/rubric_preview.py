"""A window on a rubric that is being written: it says so, and shows each change of the file as soon as it is saved."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

from desktop_rater.model.trouble import RaterError
from desktop_rater.work.preview_rubric import renew_preview

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from PySide6.QtGui import QAction

    from desktop_rater.ui.main_window import MainWindow
    from desktop_rater.ui.perform import Perform
    from desktop_rater.ui.session import Session
    from desktop_rater.work.preview_rubric import Previewed

SETTLED_MS = 150  # an editor writes a file in several steps
BANNER = "preview"
# What would seem to keep something.
IDLE = ("import", "sample", "export", "back_up", "restore")


class RubricPreview(QObject):
    """Follows the rubric's file."""

    renewed = Signal()  # the form shows the file as it stands
    refused = Signal()  # the file can't be loaded as it stands

    def __init__(
        self,
        window: MainWindow,
        perform: Perform,
        session: Session,
        actions: Mapping[str, QAction],
        previewed: Previewed,
        now: Callable[[], datetime],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._perform = perform
        self._session = session
        self._previewed = previewed
        self._now = now
        self._shown = self._content()
        self._settling = QTimer(self)
        self._settling.setSingleShot(True)
        self._settling.setInterval(SETTLED_MS)
        self._settling.timeout.connect(self._look)
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(lambda _path: self._settling.start())
        self._watcher.directoryChanged.connect(lambda _path: self._settling.start())
        self._watch()
        for name in IDLE:
            actions[name].setVisible(False)  # others enable and disable some of them
        window.setAcceptDrops(False)
        self._say()

    def _say(self) -> None:
        why = self.tr("What you answer here is gone when the window is closed.")
        self._window.header.show_standing(self.tr("Preview"), why)
        words = self.tr("This is a preview of {name}. {why}")
        if self._previewed.file is not None:
            words = self.tr("This is a preview of {name}, and follows each change of the file. {why}")
        words = words.format(name=self._name, why=why)
        self._window.banners.show_banner(BANNER, "info", words)

    @property
    def _name(self) -> str:
        file = self._previewed.file
        return file.name if file is not None else self._previewed.rubric

    def _watch(self) -> None:
        """The folder too: many editors put a new file in the place of the old one."""
        file = self._previewed.file
        if file is not None:
            self._watcher.addPaths([str(path) for path in (file, file.resolve().parent) if path.exists()])

    def _content(self) -> bytes | None:
        """What the file holds; `None` while it is not there, as between two steps of an editor."""
        try:
            return self._previewed.file.read_bytes() if self._previewed.file is not None else None
        except OSError:
            return None

    def _look(self) -> None:
        self._watch()
        content = self._content()
        if content is None or content == self._shown:
            return
        self._shown = content
        self._session.pause_typing()
        work = partial(renew_preview, now=self._now)
        self._perform.perform(work, self._previewed, done=lambda _imported: self._renewed(), failed=self._refused)

    def _renewed(self) -> None:
        words = self.tr("The form shows {name} as it stands now.").format(name=self._name)
        self._window.banners.show_banner(BANNER, "info", words)
        self.renewed.emit()

    def _refused(self, error: Exception) -> None:
        if isinstance(error, RaterError):
            words = self.tr("{why} The form shows the rubric as it was.")
            why = " ".join(part for part in (f"{error.title}:", error.message) if part)
            self._window.banners.show_banner(BANNER, "block", words.format(why=why))
            self.refused.emit()
