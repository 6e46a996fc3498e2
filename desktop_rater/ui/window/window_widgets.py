"""The widgets of the window and their layout, loaded once the window is on the screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMainWindow, QStackedWidget, QWidget

from desktop_rater.ui.pages.browser import PageBrowser
from desktop_rater.ui.pages.preview_pane import PreviewPane
from desktop_rater.ui.rating.form_pane import FormPane
from desktop_rater.ui.rating.pair.arrangement import PairArrangement
from desktop_rater.ui.rating.rating_saver import RatingSaver, UnsavedBanner
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.task_list import TaskList
from desktop_rater.ui.rating.task_model import TaskModel
from desktop_rater.ui.rating.text_pane import TaskTextPane
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.banners import Banners
from desktop_rater.ui.widgets.layouts import tight_column
from desktop_rater.ui.window.focus import FieldHelp, FocusRing
from desktop_rater.ui.window.header import Header
from desktop_rater.ui.window.pane_layout import PaneSizes
from desktop_rater.ui.window.panes import Panes
from desktop_rater.ui.window.status_line import StatusLine
from desktop_rater.ui.window.welcome import EmptyPage

if TYPE_CHECKING:
    from desktop_rater.ui.pages.live_view import LiveView


@dataclass(frozen=True)
class WindowWidgets:
    """The widgets of a window: `panes_page` holds list, text, page and form; without a bundle, `empty_page` shows.

    `pages` has one page for each screen; `stack` is that of rating.
    """

    banners: Banners
    task_list: TaskList
    text_pane: TaskTextPane
    preview: PreviewPane
    form_pane: FormPane
    empty_page: EmptyPage
    header: Header
    panes_page: Panes
    stack: QStackedWidget
    status: StatusLine
    unsaved: UnsavedBanner
    focus_ring: FocusRing
    sizes: PaneSizes
    pages: QStackedWidget


def build_widgets(
    window: QMainWindow,
    session: Session,
    saver: RatingSaver,
    tasks: TaskModel,
    browsing: PageBrowser,
    make_live: Callable[[], LiveView],
) -> WindowWidgets:
    """Create the widgets and put them into a window."""
    banners = Banners()
    banners.setObjectName("window_banners")
    sizes = PaneSizes(window)
    task_list, text_pane = TaskList(tasks), TaskTextPane(session, sizes)
    preview, form_pane = PreviewPane(session, browsing, make_live), FormPane(session)
    empty_page = EmptyPage()
    theme.set_ground(empty_page, "surface")
    header = Header()
    window.setMenuWidget(header)
    pair = PairArrangement(session, text_pane, form_pane, sizes)
    panes_page = Panes(task_list, text_pane, preview, form_pane, pair, sizes)
    session.opened.connect(panes_page.show_task)
    stack = QStackedWidget()
    for page in (QWidget(), empty_page, panes_page):  # the first one until it is known which of the others to show
        stack.addWidget(page)
    body = QWidget()
    column = tight_column(body, spacing=0)
    column.addWidget(banners)
    pages = QStackedWidget()
    pages.addWidget(stack)
    column.addWidget(pages, 1)
    window.setCentralWidget(body)
    focus_ring = FocusRing(window)
    FieldHelp(window)
    status = StatusLine(session, preview)
    window.setStatusBar(status)
    unsaved = UnsavedBanner(saver, form_pane.banners, window)
    return WindowWidgets(
        banners, task_list, text_pane, preview, form_pane, empty_page, header, panes_page, stack, status, unsaved,
        focus_ring, sizes, pages,
    )  # fmt: skip
