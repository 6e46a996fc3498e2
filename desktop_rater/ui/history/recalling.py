"""Finds out what was done to a task before this sitting, so that it can be undone too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from desktop_rater.model.trouble import RaterError
from desktop_rater.work.history import trail

if TYPE_CHECKING:
    from desktop_rater.model.progress import Progress
    from desktop_rater.ui.perform import Perform
    from desktop_rater.ui.session import Session
    from desktop_rater.work.history import Trail

PAUSE_MS = 300  # who leafs through the tasks wants to undo nothing


class Recalling(QObject):
    """Looks once the rater stays at a task, or at once where something is to be undone."""

    def __init__(self, perform: Perform, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._perform = perform
        self._session = session
        self._asking: Progress | None = None
        self.timer = QTimer(self)
        self.timer.setSingleShot(True)
        self.timer.setInterval(PAUSE_MS)
        self.timer.timeout.connect(self.ask)
        session.opened.connect(self._opened)
        session.earlier_wanted.connect(self.ask)

    def ask(self) -> None:
        """Read the revisions of the task at hand, unless they are known or on their way."""
        session = self._session
        self.timer.stop()
        if self._asking is not None or session.task is None or not session.earlier:
            return
        key, last = (session.bundle, session.task.id), session.earlier

        def arrived(found: Trail) -> None:
            self._asking = None
            if session.task is not None and (session.bundle, session.task.id, session.earlier) == (*key, last):
                session.know_earlier(found)

        def failed(error: Exception) -> None:
            self._asking = None
            session.know_earlier(None)
            if isinstance(error, RaterError):
                self._perform.trouble.emit(error)

        self._asking = self._perform.ask(trail, *key, session.rating.rater, last, done=arrived, failed=failed)

    def _opened(self) -> None:
        self.timer.stop()
        if self._asking is not None:
            self._perform.cancel(self._asking)
            self._asking = None
        if self._session.task is not None and self._session.earlier:
            self.timer.start()
