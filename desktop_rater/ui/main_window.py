"""The window: a frame that can be painted at once, and is then furnished. It closes in good order."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QSize, Signal
from PySide6.QtWidgets import QMainWindow, QMenuBar, QWidget

from desktop_rater.ui.direction import isolated
from desktop_rater.ui.folds import SMALLEST
from desktop_rater.ui.plain import set_window_title
from desktop_rater.ui.saving import RETRY_MS

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QResizeEvent, QShowEvent

    from desktop_rater.ui.banner import Way
    from desktop_rater.ui.furniture import Furniture
    from desktop_rater.ui.preview.browsing import Browsing
    from desktop_rater.ui.preview.live_view import LiveView
    from desktop_rater.ui.saving import Saver
    from desktop_rater.ui.session import Session
    from desktop_rater.ui.task_model import TaskModel

INPUT = {QEvent.Type.KeyPress, QEvent.Type.MouseButtonPress, QEvent.Type.MouseMove, QEvent.Type.Wheel}


class MainWindow(QMainWindow):
    """Task list, text, page and form side by side; before the first bundle, a page that says how to get one.

    It is whole once it is furnished. Only whoever shows it before that has to do with the bare frame.
    """

    closed = Signal()
    dropped = Signal(object)  # tuple[Path, …]
    bundle_shown = Signal()
    tabbed = Signal()  # the focus is about to go on

    _furnished = False  # Qt tells of changes before __init__ has ended

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("main_window")
        self.setWindowTitle(self.tr("Desktop Rater"))
        self.setAcceptDrops(True)
        self.setMinimumSize(*SMALLEST)
        self._closing = False
        self._give_up = False
        self._rating = True  # the user is where tasks are rated
        self.bundle_title = ""

    def furnish(
        self,
        session: Session,
        saver: Saver,
        tasks: TaskModel,
        browsing: Browsing,
        make_live: Callable[[], LiveView],
    ) -> None:
        """Put everything in."""
        # Loading it takes several times as long as to show the frame, which is on the screen by now.
        from desktop_rater.ui.furniture import furnish  # noqa: PLC0415

        self._session = session
        self._saver = saver
        self.make_live = make_live
        self._take_in(furnish(self, session, saver, tasks, browsing, make_live))
        saver.saved.connect(self.status.show_saved)
        saver.not_saved.connect(self.status.show_not_saved)
        saver.settled.connect(self._settled)
        session.opened.connect(self._opened)
        self._furnished = True
        if self.isVisible():
            self._count_time()
            self._shown()
            self.panes_page.refold()

    def _take_in(self, parts: Furniture) -> None:
        self.banners, self.header, self.status = parts.banners, parts.header, parts.status
        self.task_list, self.text_pane = parts.task_list, parts.text_pane
        self.preview, self.form_pane = parts.preview, parts.form_pane
        self.panes_page, self.empty_page, self.stack = parts.panes_page, parts.empty_page, parts.stack
        self.unsaved, self.focus_ring, self.sizes = parts.unsaved, parts.focus_ring, parts.sizes
        self.pages = parts.pages

    def sizeHint(self) -> QSize:
        return QSize(1440, 900)

    def menuBar(self) -> QMenuBar:
        """The menus stand in the header; Qt's own would take its place."""
        return self.header.menu_bar

    def show_bundle(self, title: str | None) -> None:
        """Show the panes, or the page of the first run where there is no bundle."""
        self.stack.setCurrentWidget(self.panes_page if title is not None else self.empty_page)
        self.bundle_title = title or ""
        self.bundle_shown.emit()

    def show_title(self, title: str) -> None:
        """What stands in the frame of the window."""
        name = self.tr("Desktop Rater")
        set_window_title(self, f"{isolated(' '.join(title.split())[:120])} – {name}" if title else name)

    def set_rating(self, *, on: bool) -> None:
        """Whether the user is where tasks are rated: time counts for a task only there."""
        self._rating = on
        self._count_time()

    def _count_time(self) -> None:
        self._session.active_time.set_window_active(self._rating and self.isActiveWindow())

    def panes(self) -> tuple[QWidget, ...]:
        """What F6 goes round."""
        texts = tuple(pane.view for pane in self.text_pane.panes)
        tasks = (self.task_list.list, self.panes_page.rail.list)
        form = self.form_pane.form
        documents = (self.text_pane.context.list, self.text_pane.context.view)
        return (*tasks, *texts, *documents, self.preview, *(form.blocks or (form,)), self.form_pane.problems.list)

    def switch_text_and_page(self) -> None:
        """Between the text and the page beside it."""
        self.panes_page.switch_text_and_page()

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
        if not self._furnished:
            return
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
        if self._furnished:
            self._shown()

    def _shown(self) -> None:
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
        if self._furnished:
            # The panes keep their size where only the height of the window's other parts changes.
            self.panes_page.refold()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if self._furnished and event.type() == QEvent.Type.ActivationChange:
            self._count_time()

    def focusNextPrevChild(self, onward: bool) -> bool:
        self.tabbed.emit()
        return super().focusNextPrevChild(onward)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _files_of(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = _files_of(event)
        if paths:
            event.acceptProposedAction()
            self.dropped.emit(paths)


def _files_of(event: QDropEvent) -> tuple[Path, ...]:
    """The zips and folders; nothing where something else is among them."""
    paths = tuple(Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile())
    return paths if all(one.suffix.lower() == ".zip" or one.is_dir() for one in paths) else ()
