"""Page shown while a store of an older version is backed up and updated."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path

from msgspec import Struct
from PySide6.QtCore import QEvent, QEventLoop, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QWidget

from desktop_rater.format.change import Cancelled, Progress
from desktop_rater.store.errors import StoreError
from desktop_rater.store.open_store import MigrationStage, needs_migration, open_writer
from desktop_rater.store.store import Store
from desktop_rater.ui.store.connections import WINDOW_COMMAND, UpdateDeclined, UpdatedStore
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.bars import ThinBar
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.labels import WrappedLabel
from desktop_rater.ui.widgets.layouts import centered_column, fill
from desktop_rater.ui.window.jobs import Jobs

Work = Callable[[Callable[[MigrationStage], Progress]], Store]

WIDTH = 560


class UpdateOutcome(Struct, frozen=True):
    """The result of an update. `left`: the user closed the window meanwhile. An error is a bug."""

    updated: UpdatedStore = UpdatedStore()
    left: bool = False
    error: Exception | None = None


class UpdatePage(QWidget):
    """A page with the running step, its progress and a way to postpone. `work` runs on another thread."""

    ended = Signal()
    _began = Signal(str)

    def __init__(self, work: Work) -> None:
        super().__init__()
        self.setObjectName("update_page")
        self.setWindowTitle(self.tr("Desktop Rater"))
        theme.set_ground(self, "surface")
        self.outcome: UpdateOutcome | None = None
        self._left = False
        self._jobs = Jobs(self)
        self._stage = ""
        self._lay_out()
        self._began.connect(self._show_stage, Qt.ConnectionType.QueuedConnection)
        self._running = self._jobs.start(
            partial(self._update, work), queue="net", receiver=self,
            done=self._done, failed=self._failed, progressed=self._show_progress,
        )  # fmt: skip

    def _lay_out(self) -> None:
        column = centered_column(self, WIDTH)
        title = WrappedLabel(self.tr("Updating the store"), name="update_title", size="title", bold=True)
        column.addWidget(title)
        why = self.tr(
            "It was made by an older version of this program. It is backed up first, then updated and opened."
        )
        column.addWidget(WrappedLabel(why, name="update_why"))
        self.bar = ThinBar()
        column.addWidget(self.bar)
        self.status = WrappedLabel(name="update_words", ink="text2")
        column.addWidget(self.status)
        self.cancel = KeyButton(self.tr("Not now"), "Esc", name="update_cancel", clicked=self.stop)
        column.addLayout(fill(QHBoxLayout(), self.cancel, 1))

    # -- on the worker thread

    def _update(self, work: Work, progress: Progress) -> UpdatedStore:
        def stage(name: MigrationStage) -> Progress:
            self._began.emit(name)
            return progress

        try:
            return UpdatedStore(writer=work(stage))
        except Cancelled:
            return UpdatedStore(refused=UpdateDeclined())
        except StoreError as error:
            return UpdatedStore(refused=error)

    # -- on the GUI thread

    def _show_stage(self, name: str) -> None:
        texts = {
            "copy": self.tr("Backing it up …"),
            "check": self.tr("Checking the backup …"),
            "update": self.tr("Updating its tables …"),
        }
        self._stage = texts[name]
        if self.cancel.isEnabled():
            self.status.setText(self._stage)

    def _show_progress(self, done: int, total: int) -> None:
        if total and self.cancel.isEnabled():
            self.bar.show_share(done / total)
            self.status.setText(f"{self._stage} {done * 100 // total} %")

    def stop(self) -> None:
        """Leave the store as it is; it takes a moment until the worker stops."""
        self._running.stop()
        self.cancel.setEnabled(False)
        self.status.setText(self.tr("Stopping …"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.stop()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Keep the page's window open while the store is being written."""
        if event.type() != QEvent.Type.Close or self.outcome is not None:
            return False
        event.ignore()
        self._left = True
        self.stop()
        return True

    def _done(self, updated: UpdatedStore) -> None:
        self._end(UpdateOutcome(updated, left=self._left))

    def _failed(self, error: Exception) -> None:
        self._end(UpdateOutcome(error=error))

    def _end(self, outcome: UpdateOutcome) -> None:
        self.outcome = outcome
        self._jobs.close()
        self.ended.emit()


def update_store(folder: Path, frame: QMainWindow | None, now: Callable[[], datetime]) -> UpdateOutcome:
    """Update an older store, showing a page in `frame` or a window of its own; do nothing if it is current."""
    try:
        if not needs_migration(folder):
            return UpdateOutcome()
    except StoreError:
        return UpdateOutcome()  # reported when the store is opened

    def work(updating: Callable[[MigrationStage], Progress]) -> Store:
        return open_writer(folder, command=WINDOW_COMMAND, now=now(), updating=updating)

    outcome = run_update_page(UpdatePage(work), frame)
    if outcome.left and outcome.updated.writer is not None:
        outcome.updated.writer.close()
    if outcome.error is not None:
        raise outcome.error
    return outcome


def run_update_page(page: UpdatePage, frame: QMainWindow | None) -> UpdateOutcome:
    """Show a page until its work has ended."""
    theme.add_style_sheet()
    window: QWidget = page
    if frame is not None:
        frame.setCentralWidget(page)
        window = frame
    else:
        page.resize(theme.px(900), theme.px(600))
        page.show()
    window.installEventFilter(page)
    page.cancel.setFocus()
    loop = QEventLoop()
    page.ended.connect(loop.quit)
    loop.exec()
    window.removeEventFilter(page)
    outcome = page.outcome
    if outcome is None:
        raise AssertionError("the page ended without an outcome")
    if frame is not None:
        frame.takeCentralWidget()
    page.hide()
    page.deleteLater()
    return outcome
