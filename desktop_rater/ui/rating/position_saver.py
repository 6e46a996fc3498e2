"""Save the rater's position, and restore cursor and scroll position after a start."""

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QWidget

from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.task_loader import TaskLoader
from desktop_rater.ui.widgets.callbacks import DelayedCall
from desktop_rater.ui.window.focus import is_typing
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.ui.window.main_window import MainWindow
from desktop_rater.work.rating.rater_state import RememberedSpot, save_place

POSITION_SAVE_MS = 3_000
POSITION_OPEN_DELAY_MS = 50  # paint the opened task first


class PositionSaver(QObject):
    """Saves the position every few seconds, after opening a task, and when the window closes."""

    def __init__(self, perform: WorkRunner, session: Session, desk: TaskLoader, window: MainWindow, rater: str) -> None:
        super().__init__(window)
        self._perform = perform
        self._session = session
        self._window = window
        self._rater = rater
        self._last: tuple[str, RememberedSpot] | None = None
        self._timer = QTimer(self, interval=POSITION_SAVE_MS)
        self._timer.timeout.connect(self.remember)
        self._timer.start()
        self._open_timer = DelayedCall(self, POSITION_OPEN_DELAY_MS, self.remember)
        session.opened.connect(self._open_timer.start)
        # After the layout has settled: new widgets have no height yet.
        desk.resumed.connect(lambda spot: QTimer.singleShot(0, self, lambda: self._restore(spot)))
        window.closed.connect(self._close)

    def remember(self) -> None:
        spot = self.spot()
        if spot is None or (self._session.bundle, spot) == self._last or self._perform.read_only:
            return
        self._last = self._session.bundle, spot
        self._perform.perform(save_place, self._rater, self._session.bundle, spot)

    def _close(self) -> None:
        """Save once more before the window and its focus are gone."""
        self.remember()
        self._timer.stop()
        self._open_timer.stop()

    def spot(self) -> RememberedSpot | None:
        session = self._session
        if session.task is None:
            return None
        field = QApplication.focusWidget()
        form, panes = self._window.form_pane.form, self._window.text_pane.panes
        typing = isinstance(field, (QLineEdit, QPlainTextEdit)) and is_typing(field) and form.holds(field)
        return RememberedSpot(
            task=session.task.id,
            place=session.place,
            question=session.current_question,
            step=session.reading_step,
            field=field.objectName() if typing and field is not None else "",
            cursor=cursor_of(field) if typing else 0,
            form_scroll=form.verticalScrollBar().value(),
            text_scroll=panes[0].view.verticalScrollBar().value() if panes else 0,
        )

    def _restore(self, spot: RememberedSpot) -> None:
        if self._session.task is None or self._session.task.id != spot.task:
            return
        window = self._window
        form = window.form_pane.form
        field = form.field(spot.field) if spot.field else None
        if isinstance(field, (QLineEdit, QPlainTextEdit)) and field.isVisibleTo(window):
            field.setFocus()
            put_cursor(field, spot.cursor)
        form.verticalScrollBar().setValue(spot.form_scroll)
        for pane in window.text_pane.panes[:1]:
            pane.view.verticalScrollBar().setValue(spot.text_scroll)


AT_END = -1  # a cursor that stays at the end of a text, which may be longer when it is put there again


def cursor_of(field: QWidget | None) -> int:
    """Return the position of the cursor in a field; 0 for other widgets."""
    if isinstance(field, QLineEdit):
        return AT_END if field.cursorPosition() == len(field.text()) else field.cursorPosition()
    if not isinstance(field, QPlainTextEdit):
        return 0
    return AT_END if field.textCursor().atEnd() else field.textCursor().position()


def put_cursor(field: QLineEdit | QPlainTextEdit, position: int) -> None:
    """Put the cursor of a field at a position, or at the end of a shorter text."""
    end = len(field.text()) if isinstance(field, QLineEdit) else field.document().characterCount() - 1
    position = end if position == AT_END else min(position, end)
    if isinstance(field, QLineEdit):
        field.setCursorPosition(position)
        return
    cursor = field.textCursor()
    cursor.setPosition(position)
    field.setTextCursor(cursor)
