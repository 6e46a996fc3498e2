"""The parts of the window and where they stand. They are loaded when the window is on the screen already."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from desktop_rater.ui import theme
from desktop_rater.ui.banner import Banners
from desktop_rater.ui.empty import EmptyPage
from desktop_rater.ui.focus_ring import FocusRing
from desktop_rater.ui.form_pane import FormPane
from desktop_rater.ui.header import Header
from desktop_rater.ui.pair.room import PairRoom
from desktop_rater.ui.pane_sizes import PaneSizes
from desktop_rater.ui.panes import Panes
from desktop_rater.ui.preview.pane import PreviewPane
from desktop_rater.ui.status import StatusLine
from desktop_rater.ui.task_list import TaskList
from desktop_rater.ui.text_pane import TextPane
from desktop_rater.ui.unsaved import UnsavedBanner

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_rater.ui.preview.browsing import Browsing
    from desktop_rater.ui.preview.live_view import LiveView
    from desktop_rater.ui.saving import Saver
    from desktop_rater.ui.session import Session
    from desktop_rater.ui.task_model import TaskModel


@dataclass(frozen=True)
class Furniture:
    """Task list, text, page and form in `panes_page`; `empty_page` is what there is before the first bundle.

    `pages` has one for each room; that of rating is `stack`.
    """

    banners: Banners
    task_list: TaskList
    text_pane: TextPane
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


def furnish(
    window: QMainWindow,
    session: Session,
    saver: Saver,
    tasks: TaskModel,
    browsing: Browsing,
    make_live: Callable[[], LiveView],
) -> Furniture:
    """Make the parts and put them into a window."""
    banners = Banners()
    banners.setObjectName("window_banners")
    sizes = PaneSizes(window)
    task_list, text_pane = TaskList(tasks), TextPane(session, sizes)
    preview, form_pane = PreviewPane(session, browsing, make_live), FormPane(session)
    empty_page = EmptyPage()
    theme.ground(empty_page, "surface")
    header = Header()
    window.setMenuWidget(header)
    panes_page = Panes(task_list, text_pane, preview, form_pane, PairRoom(session, text_pane, form_pane), sizes)
    session.opened.connect(panes_page.show_task)
    stack = QStackedWidget()
    for page in (QWidget(), empty_page, panes_page):  # the first one while nobody knows yet which of the others
        stack.addWidget(page)
    body = QWidget()
    column = QVBoxLayout(body)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addWidget(banners)
    pages = QStackedWidget()
    pages.addWidget(stack)
    column.addWidget(pages, 1)
    window.setCentralWidget(body)
    focus_ring = FocusRing(window)
    status = StatusLine(session, preview)
    window.setStatusBar(status)
    unsaved = UnsavedBanner(saver, form_pane.banners, window)
    return Furniture(
        banners, task_list, text_pane, preview, form_pane, empty_page, header, panes_page, stack, status, unsaved,
        focus_ring, sizes, pages,
    )  # fmt: skip
