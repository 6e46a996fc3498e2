"""What shows while a store of an older version is backed up and brought up to date, and how that is left."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QEventLoop, QObject, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.model.progress import Cancelled, Progress
from desktop_rater.store.opening import is_older, open_writer
from desktop_rater.store.trouble import StoreError
from desktop_rater.ui import theme
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.jobs import Jobs
from desktop_rater.ui.plain import WrappedLabel
from desktop_rater.ui.store_care.stores import COMMAND, NotUpdated, Updated
from desktop_rater.ui.thin_bar import ThinBar

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QMainWindow

    from desktop_rater.store.opening import Stage
    from desktop_rater.store.store import Store

    Work = Callable[[Callable[[Stage], Progress]], Store]

WIDTH = 560


@dataclass(frozen=True)
class Outcome:
    """`left`: the user closed the window meanwhile. An error is a fault of the program."""

    updated: Updated = Updated()  # noqa: RUF009 - it is frozen
    left: bool = False
    error: Exception | None = None


class UpdatePage(QWidget):
    """What is being done, how far it is, and the way not to do it now. `work` does it, on another thread."""

    ended = Signal()
    _began = Signal(str)

    def __init__(self, work: Work) -> None:
        super().__init__()
        self.setObjectName("update_page")
        self.setWindowTitle(self.tr("Desktop Rater"))
        theme.ground(self, "surface")
        self.outcome: Outcome | None = None
        self._left = False
        self._jobs = Jobs(self)
        self._stage = ""
        self._lay_out()
        self._began.connect(self._show_stage, Qt.ConnectionType.QueuedConnection)
        self._running = self._jobs.start(
            partial(self._update, work), lane="net", receiver=self,
            done=self._done, failed=self._failed, progressed=self._show_progress,
        )  # fmt: skip

    def _lay_out(self) -> None:
        outer = QHBoxLayout(self)
        outer.setContentsMargins(24, 24, 24, 24)
        outer.addStretch(1)
        middle = QVBoxLayout()
        outer.addLayout(middle, 100)
        outer.addStretch(1)
        box = QWidget()
        box.setMaximumWidth(theme.px(WIDTH))
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        title = WrappedLabel(self.tr("The store is being brought up to date."), name="update_title")
        theme.write(title, "title", bold=True)
        column.addWidget(title)
        why = self.tr("An older version of this program made it. It is backed up first, and then opened.")
        column.addWidget(WrappedLabel(why, name="update_why"))
        self.bar = ThinBar()
        column.addWidget(self.bar)
        self.words = WrappedLabel(name="update_words")
        theme.quiet(self.words)
        column.addWidget(self.words)
        foot = QHBoxLayout()
        self.cancel = KeyButton(self.tr("Not now"), "Esc")
        self.cancel.setObjectName("update_cancel")
        self.cancel.clicked.connect(self.stop)
        foot.addWidget(self.cancel)
        foot.addStretch(1)
        column.addLayout(foot)
        middle.addStretch(1)
        middle.addWidget(box)
        middle.addStretch(2)

    # -- on the other thread

    def _update(self, work: Work, progress: Progress) -> Updated:
        def stage(name: Stage) -> Progress:
            self._began.emit(name)
            return progress

        try:
            return Updated(writer=work(stage))
        except Cancelled:
            return Updated(refused=NotUpdated())
        except StoreError as error:
            return Updated(refused=error)

    # -- here

    def _show_stage(self, name: str) -> None:
        said = {
            "copy": self.tr("Backing it up …"),
            "check": self.tr("Checking the backup …"),
            "update": self.tr("Changing its tables …"),
        }
        self._stage = said[name]
        if self.cancel.isEnabled():
            self.words.setText(self._stage)

    def _show_progress(self, done: int, total: int) -> None:
        if total and self.cancel.isEnabled():
            self.bar.show_share(done / total)
            self.words.setText(f"{self._stage} {done * 100 // total} %")

    def stop(self) -> None:
        """Leave the store as it is; it takes a moment until the work has heard of it."""
        self._running.stop()
        self.cancel.setEnabled(False)
        self.words.setText(self.tr("Stopping …"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.stop()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """The window that this page stands in is not closed while the store is being written."""
        if event.type() != QEvent.Type.Close or self.outcome is not None:
            return False
        event.ignore()
        self._left = True
        self.stop()
        return True

    def _done(self, updated: Updated) -> None:
        self._end(Outcome(updated, left=self._left))

    def _failed(self, error: Exception) -> None:
        self._end(Outcome(error=error))

    def _end(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self._jobs.close()
        self.ended.emit()


def bring_up_to_date(folder: Path, frame: QMainWindow | None, now: Callable[[], datetime]) -> Outcome:
    """Nothing where the store is of today's version; else do it, with a page about it in `frame`, or by itself."""
    try:
        if not is_older(folder):
            return Outcome()
    except StoreError:
        return Outcome()  # whoever opens it says so

    def work(updating: Callable[[Stage], Progress]) -> Store:
        return open_writer(folder, command=COMMAND, now=now(), updating=updating)

    outcome = attend(UpdatePage(work), frame)
    if outcome.left and outcome.updated.writer is not None:
        outcome.updated.writer.close()
    if outcome.error is not None:
        raise outcome.error
    return outcome


def attend(page: UpdatePage, frame: QMainWindow | None) -> Outcome:
    """Show a page until its work has ended."""
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
