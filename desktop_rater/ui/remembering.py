"""Remembers where the rater is, and puts cursor and scroll back there after a start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QWidget

from desktop_rater.ui.typing_focus import is_typing
from desktop_rater.work.remember_place import Spot, remember

if TYPE_CHECKING:
    from desktop_rater.ui.desk import Desk
    from desktop_rater.ui.main_window import MainWindow
    from desktop_rater.ui.perform import Perform
    from desktop_rater.ui.session import Session

EVERY_MS = 3_000
AFTER_OPENING_MS = 50  # what was opened is painted first


class Remembering(QObject):
    """Looks every few seconds, and when another task is opened or the window is closed."""

    def __init__(self, perform: Perform, session: Session, desk: Desk, window: MainWindow, rater: str) -> None:
        super().__init__(window)
        self._perform = perform
        self._session = session
        self._window = window
        self._rater = rater
        self._last: tuple[str, Spot] | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(EVERY_MS)
        self._timer.timeout.connect(self.remember)
        self._timer.start()
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(AFTER_OPENING_MS)
        self._soon.timeout.connect(self.remember)
        session.opened.connect(self._soon.start)
        desk.resumed.connect(self._resume)
        window.closed.connect(self._end)

    def remember(self) -> None:
        """Keep the spot, if it is another than before."""
        spot = self.spot()
        if spot is None or (self._session.bundle, spot) == self._last or self._perform.read_only:
            return
        self._last = self._session.bundle, spot
        self._perform.perform(remember, self._rater, self._session.bundle, spot)

    def _end(self) -> None:
        """A last time: a window that is gone has the cursor nowhere."""
        self.remember()
        self._timer.stop()
        self._soon.stop()

    def spot(self) -> Spot | None:
        """Where the rater is now."""
        session = self._session
        if session.task is None:
            return None
        field = QApplication.focusWidget()
        form = self._window.form_pane.form
        typing = isinstance(field, (QLineEdit, QPlainTextEdit)) and is_typing(field) and form.holds(field)
        return Spot(
            task=session.task.id,
            place=session.place,
            question=session.rail,
            step=session.reading,
            field=field.objectName() if typing and field is not None else "",
            cursor=_cursor(field) if typing else 0,
            form_scroll=form.verticalScrollBar().value(),
            text_scroll=self._text_scroll(),
        )

    def _text_scroll(self) -> int:
        panes = self._window.text_pane.panes
        return panes[0].view.verticalScrollBar().value() if panes else 0

    def _resume(self, spot: Spot) -> None:
        # After the layout has settled: what has just come has no height yet.
        QTimer.singleShot(0, self, lambda: self._put_back(spot))

    def _put_back(self, spot: Spot) -> None:
        if self._session.task is None or self._session.task.id != spot.task:
            return
        window = self._window
        form = window.form_pane.form
        field = form.field(spot.field) if spot.field else None
        if isinstance(field, (QLineEdit, QPlainTextEdit)) and field.isVisibleTo(window):
            field.setFocus()
            _put_cursor(field, spot.cursor)
        form.verticalScrollBar().setValue(spot.form_scroll)
        for pane in window.text_pane.panes[:1]:
            pane.view.verticalScrollBar().setValue(spot.text_scroll)


def _cursor(field: QWidget | None) -> int:
    if isinstance(field, QLineEdit):
        return field.cursorPosition()
    return field.textCursor().position() if isinstance(field, QPlainTextEdit) else 0


def _put_cursor(field: QLineEdit | QPlainTextEdit, at: int) -> None:
    if isinstance(field, QLineEdit):
        field.setCursorPosition(min(at, len(field.text())))
        return
    cursor = field.textCursor()
    cursor.setPosition(min(at, field.document().characterCount() - 1))
    field.setTextCursor(cursor)
