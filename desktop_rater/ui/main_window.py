"""Lays the panes out and closes in good order. What the panes do stands with them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QSize, Signal
from PySide6.QtWidgets import QMainWindow, QMenuBar, QStackedWidget, QVBoxLayout, QWidget

from desktop_rater.ui import theme
from desktop_rater.ui.banner import Banners, Way
from desktop_rater.ui.empty import EmptyPage
from desktop_rater.ui.focus_ring import FocusRing
from desktop_rater.ui.folds import SMALLEST
from desktop_rater.ui.form_pane import FormPane
from desktop_rater.ui.header import Header
from desktop_rater.ui.panes import Panes
from desktop_rater.ui.plain import set_window_title
from desktop_rater.ui.preview.pane import PreviewPane
from desktop_rater.ui.saving import RETRY_MS
from desktop_rater.ui.status import StatusLine
from desktop_rater.ui.task_list import TaskList
from desktop_rater.ui.text_pane import TextPane
from desktop_rater.ui.unsaved import UnsavedBanner

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QResizeEvent, QShowEvent

    from desktop_rater.ui.preview.browsing import Browsing
    from desktop_rater.ui.preview.live_view import LiveView
    from desktop_rater.ui.saving import Saver
    from desktop_rater.ui.session import Session
    from desktop_rater.ui.task_model import TaskModel

INPUT = {QEvent.Type.KeyPress, QEvent.Type.MouseButtonPress, QEvent.Type.MouseMove, QEvent.Type.Wheel}


class MainWindow(QMainWindow):
    """Task list, text, page and form side by side; before the first bundle, a page that says how to get one."""

    closed = Signal()
    dropped = Signal(object)  # Path

    def __init__(
        self,
        session: Session,
        saver: Saver,
        tasks: TaskModel,
        browsing: Browsing,
        make_live: Callable[[], LiveView],
    ) -> None:
        super().__init__()
        self.setObjectName("main_window")
        self.setWindowTitle(self.tr("Desktop Rater"))
        self.setAcceptDrops(True)
        self.setMinimumSize(*SMALLEST)
        self._session = session
        self._saver = saver
        self._closing = False
        self._give_up = False
        self.banners = Banners()
        self.banners.setObjectName("window_banners")
        self.task_list = TaskList(tasks)
        self.text_pane = TextPane(session)
        self.preview = PreviewPane(session, browsing, make_live)
        self.form_pane = FormPane(session)
        self.empty_page = EmptyPage()
        self._lay_out()
        self.status = StatusLine(session, self.preview)
        self.setStatusBar(self.status)
        self.unsaved = UnsavedBanner(saver, self.form_pane.banners, self)
        saver.saved.connect(self.status.show_saved)
        saver.not_saved.connect(self.status.show_not_saved)
        saver.settled.connect(self._settled)
        session.opened.connect(self._opened)

    def sizeHint(self) -> QSize:
        return QSize(1440, 900)

    def menuBar(self) -> QMenuBar:
        """The menus stand in the header; Qt's own would take its place."""
        return self.header.menu_bar

    def _lay_out(self) -> None:
        self.header = Header()
        self.setMenuWidget(self.header)
        self.panes_page = Panes(self.task_list, self.text_pane, self.preview, self.form_pane)
        self._waiting = QWidget()
        theme.ground(self.empty_page, "surface")
        self.stack = QStackedWidget()
        for page in (self._waiting, self.empty_page, self.panes_page):
            self.stack.addWidget(page)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.banners)
        column.addWidget(self.stack, 1)
        self.setCentralWidget(body)
        self.focus_ring = FocusRing(self)

    def show_bundle(self, title: str | None) -> None:
        """Show the panes, or the page of the first run where there is no bundle."""
        self.stack.setCurrentWidget(self.panes_page if title is not None else self.empty_page)
        name = self.tr("Desktop Rater")
        set_window_title(self, f"{' '.join(title.split())[:120]} – {name}" if title else name)

    def panes(self) -> tuple[QWidget, ...]:
        """What F6 goes round."""
        texts = tuple(pane.view for pane in self.text_pane.panes)
        tasks = (self.task_list.list, self.panes_page.rail.list)
        return (*tasks, *texts, self.preview, self.form_pane.form, self.form_pane.problems.list)

    def toggle_tasks(self) -> None:
        """Fold or unfold the task list."""
        if self.stack.currentWidget() is self.panes_page:
            self.panes_page.toggle_tasks()

    def filter_tasks(self) -> None:
        """Go to the filter, wherever it is folded away."""
        if self.stack.currentWidget() is self.panes_page:
            self.panes_page.show_tasks()
            self.task_list.focus_filter()

    # -- saving

    def _settled(self, all_saved: bool) -> None:
        if not self._closing:
            return
        self._closing = False
        if all_saved:
            self.close()
            return
        words = self.tr("Not closed: the last answers of {tasks} are not saved yet. They are tried again every {n} s.")
        ways: list[Way] = [
            (self.tr("Try now and close"), self.close),
            (self.tr("Close without them"), self._close_anyway),
        ]
        words = words.format(tasks=self.unsaved.named(), n=RETRY_MS // 1_000)
        self.banners.show_banner("closing", "block", words, ways)

    def _close_anyway(self) -> None:
        self._give_up = True
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._session.pause_typing()
        if self._saver.unsaved and not self._give_up:
            event.ignore()
            self._closing = True
            self._saver.try_now()
            return
        event.accept()
        self.closed.emit()

    # -- what the rater does

    def _opened(self) -> None:
        """Keys answer at once, unless the rater is going through the list or is typing a filter."""
        if self._session.task is None or self.task_list.in_use:
            return
        fold = self.panes_page.fold
        reading = fold is not None and fold.one_pane and self.text_pane.panes
        # With one pane at a time it is the text that a task begins with; keys answer from there too.
        (self.text_pane.panes[0].view if reading else self.form_pane.form).setFocus()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        # The window's own events only: a filter on the application would see every event of every widget.
        self.windowHandle().installEventFilter(self)
        self.header.show_ways()
        self.empty_page.show_ways()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.windowHandle() and event.type() in INPUT:
            self._session.active_time.touch()
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # The panes keep their size where only the height of the window's other parts changes.
        self.panes_page.refold()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange:
            self._session.active_time.set_window_active(self.isActiveWindow())

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _zip_of(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        path = _zip_of(event)
        if path is not None:
            event.acceptProposedAction()
            self.dropped.emit(path)


def _zip_of(event: QDropEvent) -> Path | None:
    paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
    return paths[0] if len(paths) == 1 and paths[0].suffix.lower() == ".zip" else None
