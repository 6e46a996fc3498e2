"""Preview pane: header, page, its state, the bar to take evidence from it, and the links of the task."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QStackedWidget, QVBoxLayout, QWidget
from shiboken6 import isValid

from desktop_rater.format.page import Page
from desktop_rater.pages.response import Rendering
from desktop_rater.text.urls import page_key
from desktop_rater.ui.pages.browser import AddressBar, PageBrowser, PagePassage, display_host
from desktop_rater.ui.pages.link_list import LinkList
from desktop_rater.ui.pages.live_support import LiveViewSupport, live_view_obstacle
from desktop_rater.ui.pages.page_document import found_passage, refers_to_url
from desktop_rater.ui.pages.page_states import DimmingLayer, PageErrorView, PagePictureDialog, PageStateLine
from desktop_rater.ui.pages.page_views import LinkVerdictBar, LiveSwitch, PageInView
from desktop_rater.ui.pages.reader_view import ReaderView, TakeBar
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.banners import Banners
from desktop_rater.ui.widgets.buttons import GlyphButton
from desktop_rater.ui.widgets.labels import ElidedLabel
from desktop_rater.ui.widgets.layouts import NamedGroup, horizontal_line, tight_column, tight_row

if TYPE_CHECKING:
    from desktop_rater.ui.pages.live_view import LiveView


HEIGHT = 44
MOST_TITLE = 300
PAGE_BANNER = "page"  # key of the page's banner
LIVE_BANNER = "live"  # key of the banner with the reason why the live view shows nothing


class PreviewHead(QWidget):
    """Header as high as those of the neighbouring panes."""

    shut_wanted = Signal()
    step_wanted = Signal(int)  # -1 back, 1 forward
    titled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._back = self._step("page_back", self.tr("Back"), "Alt Left", forward=False)
        self._back.clicked.connect(lambda: self.step_wanted.emit(-1))
        self._forward = self._step("page_forward", self.tr("Forward"), "Alt Right", forward=True)
        self._forward.clicked.connect(lambda: self.step_wanted.emit(1))
        self._title = ElidedLabel(name="page_title", size="interface", bold=True)
        close = GlyphButton(self.tr("Close the page"), "cross", "Esc", cap=True)
        close.setObjectName("close_preview")
        close.clicked.connect(self.shut_wanted)
        row = tight_row(self, self._back, self._forward, spacing=0)
        row.addSpacing(4)
        row.addWidget(self._title, 1)
        row.addSpacing(8)
        row.addWidget(close)
        theme.pad(row, 8, 0, 8, 0, height=HEIGHT)

    def _step(self, name: str, text: str, key: str, *, forward: bool) -> GlyphButton:
        icon, mirrored_icon = ("chevron-right", "chevron-left") if forward else ("chevron-left", "chevron-right")
        button = GlyphButton(text, icon, key, turned=mirrored_icon)
        button.setObjectName(name)
        return button

    @property
    def title(self) -> str:
        return self._title.text()

    def show_title(self, title: str) -> None:
        self._title.setText(title[:MOST_TITLE])
        self.titled.emit()

    def show_ways(self, *, back: bool, forward: bool) -> None:
        """Enable or disable Back and Forward."""
        self._back.setEnabled(back)
        self._forward.setEnabled(forward)


class PreviewPane(NamedGroup):
    """Layout of the preview. `PageBrowser` knows which page is open."""

    outside_wanted = Signal()  # open the page in the system's browser
    opened = Signal()
    closed = Signal()
    announced = Signal(str)  # text to announce to screen readers

    def __init__(
        self,
        session: Session,
        browsing: PageBrowser,
        make_live: "Callable[[], LiveView]",
        machine: LiveViewSupport | None = None,
    ) -> None:
        super().__init__(name="preview")
        self.setAccessibleName(self.tr("Page"))
        self._session = session
        self._browsing = browsing
        self.machine = machine or LiveViewSupport()  # decides whether there is a live view
        self._focus_before: QWidget | None = None  # the focused widget before it opened
        self._other_views: list[QWidget] = []  # that show no page
        self.passages_before: QWidget | None = None  # the list from which the page was opened; Esc leads back
        theme.set_ground(self, "surface")
        self.head = PreviewHead()
        self.address = AddressBar()
        self.state = PageStateLine(browsing)
        self.banners = Banners()
        self.reader = ReaderView(session)
        self.no_page = PageErrorView(browsing)
        self.views = QStackedWidget()
        self.live = LiveSwitch(self.views, browsing, make_live, self)
        self._base_view: QWidget = self.reader  # the view that the live view replaces
        self.take_bar = TakeBar(session)
        self.take_bar.watch(self.reader)
        self.links = LinkList(session)
        self.in_view = PageInView(browsing, self.live, lambda: self._shows_pages, self)
        self.verdicts = LinkVerdictBar(session, self.in_view, self.links)
        self.dimming_layer = DimmingLayer(self)
        self._lay_out()
        self._connect()
        self.hide()

    def _lay_out(self) -> None:
        column = tight_column(self, spacing=0)
        for view in (self.reader, self.no_page):
            self.views.addWidget(view)
        parts = (
            self.head,
            horizontal_line(),
            self.address,
            horizontal_line(),
            self.state,
            self.banners,
            self.views,
            self.verdicts,
            self.take_bar,
        )
        for part in (*parts, horizontal_line(), self.links):
            column.addWidget(part, int(part is self.views))
        self.views.installEventFilter(self)

    def _connect(self) -> None:
        browsing = self._browsing
        browsing.loading.connect(self._load)
        browsing.loading_cancelled.connect(self._show_state)
        browsing.page_shown.connect(self._show)
        browsing.failed.connect(self._show_error)
        browsing.closed.connect(self._close)
        self.head.shut_wanted.connect(browsing.close)
        self.head.step_wanted.connect(self.step)
        self.address.entered.connect(browsing.open)
        self.address.left.connect(self.focus_page)
        self.address.view_chosen.connect(self._choose_view)
        self.reader.link_wanted.connect(browsing.open)
        self.links.link_wanted.connect(browsing.open)
        self.no_page.outside_wanted.connect(self.outside_wanted)
        self.no_page.live_wanted.connect(self.toggle_view)
        self.state.live_wanted.connect(self.toggle_view)
        self.state.picture_wanted.connect(self.show_picture)
        self.state.whole_wanted.connect(self.toggle_whole_page)
        self.reader.whole_changed.connect(self._show_state)
        self.live.changed.connect(self._show_head)
        self.live.reader_wanted.connect(self._show_in_reader)
        self.reader.used.connect(self.in_view.use)
        QApplication.instance().focusChanged.connect(self._show_keys)  # ty: ignore[missing-attribute]

    # -- focus

    @property
    def is_open(self) -> bool:
        return not self.isHidden()

    @property
    def shows_reader(self) -> bool:
        """Return whether a text is visible from which passages can be taken."""
        return self.is_open and self.page_view is self.reader

    @property
    def _shows_pages(self) -> bool:
        """Return whether the pane is visible with a page or what is shown in its place."""
        return self.isVisible() and self.page_view not in self._other_views

    @property
    def has_focus(self) -> bool:
        focus = QApplication.focusWidget()
        return focus is not None and self.isAncestorOf(focus)

    @property
    def page_view(self) -> QWidget:
        return cast("QWidget", self.views.currentWidget())

    def _show_keys(self) -> None:
        taking = self.has_focus and (self.live.is_on or self.shows_reader or self.passage_list is not None)
        self.take_bar.show_keys(taking=taking, moving=self.reader.hasFocus())

    def focus_page(self) -> None:
        active = QApplication.activeWindow()
        is_alone = active is not None and active is not self.window()  # the page is in a window of its own
        if is_alone and QApplication.activeModalWidget() is None:
            self.window().activateWindow()
        if self.page_view is self.no_page:
            self.no_page.focus_action()
        else:
            self.page_view.setFocus()

    # -- content

    @property
    def url(self) -> str:
        page = self._browsing.page
        if self.live.is_on and self.live.url:
            return self.live.url
        return (page.final_url or page.url) if page is not None else ""

    def open_empty(self) -> None:
        """Open without a page, to enter an address."""
        self._focus_before = QApplication.focusWidget()
        self.reader.show_page(None)
        self._base_view = self.reader
        self._show_current_view()
        self._show_head()
        self.show()
        self.opened.emit()

    def add_bar(self, bar: QWidget) -> None:
        column = cast("QVBoxLayout", self.layout())
        if bar.parentWidget() is not self:
            column.insertWidget(column.indexOf(self.take_bar), bar)

    def add_view(self, view: QWidget) -> None:
        self.views.addWidget(view)
        self._other_views.append(view)

    @property
    def passage_list(self) -> Any:
        """Return the visible view that offers passages of several pages, if there is one.

        It has a `passage`, a signal `passage_changed`, and `with_passage`, as `PassageCommands` needs them; with a
        `case` where they are evidence of a decided one.
        """
        return self.page_view if self.is_open and hasattr(self.page_view, "with_passage") else None

    def leave_page(self) -> bool:
        """Return from the page to the list of passages that it was opened from; return False if there is none."""
        view, self.passages_before = self.passages_before, None
        if view is None or view is self.page_view:
            return False
        self.show_view(view)
        view.setFocus()
        return True

    def show_view(self, view: QWidget) -> None:
        if not self.is_open:
            self.open_empty()
        self.live.switch_off()
        self._set_base_view(view)
        self.head.show_title(view.accessibleName())
        self.address.show_url("")

    def show_page_again(self) -> None:
        """Show the page again, or its error."""
        page = self._browsing.page
        self._set_base_view(self.reader if page is None or page.shows else self.no_page)
        self.focus_page()

    def show_live(self, url: str) -> None:
        if not self.is_open:
            self.open_empty()
        self.live.open(url)
        self._show_current_view()
        self.focus_page()

    def toggle_view(self) -> None:
        """Switch between reader and live view; a selection in the live view is selected in the reader."""
        if not self.is_open or not (self.live.is_on or self.url):
            return
        page = self._browsing.page
        if self.live.is_on:
            selected = self.live.selected_text.strip()
            passage = PagePassage(selected) if selected else None
            lacks = page is not None and (not page.shows or (passage and found_passage(page, passage) is None))
            if page is not None and lacks and refers_to_url(page, self.live.url):
                self.store_rendering(lambda stored: self.show_rendering(stored, passage), self._show_reader)
                return
            elsewhere = self.live.switch_off()
            self._show_current_view()
            if elsewhere:
                self._browsing.open(elsewhere, passage)
            elif passage is not None:
                self._browsing.show_passage(passage)
        else:
            self.live.open(self.url)
            self._show_current_view()
        self._show_head()

    def _show_reader(self) -> None:
        self.live.switch_off()
        self._show_current_view()
        self._show_head()

    def _show_in_reader(self, url: str, reason: str) -> None:
        """Show a page in the reader that the live view can't show, such as a PDF."""
        self._show_reader()
        page, key = self._browsing.page, page_key(url)
        is_loading = page_key(self._browsing.loading_url) == key
        if not is_loading and (page is None or not refers_to_url(page, url)):
            self._browsing.open(url)
        if reason:
            self.banners.show_banner(LIVE_BANNER, "info", reason)

    # -- what the live view shows, as a stored page

    def store_rendering(self, done: Callable[[Page], None], failed: Callable[[], None] | None = None) -> None:
        """Store text and picture of the live page, and pass on the stored page; `failed` if it shows no text."""
        view, task, loads = self.live.view, self._session.task, self.in_view.loads
        if view is None:
            return

        def stored(page: Page | None) -> None:
            self.banners.drop(PAGE_BANNER)
            if self._session.task is not task or not self.is_open:
                return
            if self.in_view.loads != loads:
                self._session.hinted.emit(self.tr("Nothing was taken: another page was opened meanwhile."))
                return
            if page is not None and page.shows:
                done(page)
                return
            text = self.tr("Nothing was stored: the live page shows no text, or another page by now.")
            self.banners.show_banner(PAGE_BANNER, "warn", text)
            if failed is not None:
                failed()

        def captured(rendering: Rendering | None) -> None:
            if rendering is None:
                stored(None)
            else:
                self._browsing.store_rendering(rendering, stored)

        self.banners.show_banner(PAGE_BANNER, "info", self.tr("Storing the page as it is shown"))
        view.capture(captured)

    def show_rendering(self, page: Page, passage: PagePassage | None) -> None:
        """Show in the reader what was stored of the live page."""
        self.live.switch_off()
        self._browsing.open_stored(page.url, page.snapshot or "", passage)

    def show_picture(self) -> None:
        """Show the picture that is stored with the page."""
        self._browsing.read_picture(lambda data: PagePictureDialog(self.window(), self.head.title).show_png(data))

    def step(self, by: int) -> None:
        if not self.live.step(by):
            (self._browsing.back if by < 0 else self._browsing.forward)()

    def reload(self) -> None:
        if not self.live.reload():
            self._browsing.reload()

    def _choose_view(self, name: str) -> None:
        if (name == "page") is not self.live.is_on:
            self.toggle_view()
        self._show_head()

    def _load(self, url: str) -> None:
        if not self.is_open:
            self.open_empty()
        if self._browsing.page is None:
            self.head.show_title(display_host(url))
            self.address.show_url(url)
        if self.live.is_on:
            self.live.open(url)
        if not self.has_focus:
            self.focus_page()
        self.banners.drop(PAGE_BANNER)
        self.banners.drop(LIVE_BANNER)
        self.state.begin()
        self._lay_veil()

    def _show(self, page: Page) -> None:
        self.reader.show_page(page)
        self._set_base_view(self.reader)
        parts = (self.head.title, self.state.text_label.text() if self.state.isVisible() else "")
        self.announced.emit(". ".join(filter(None, parts)))

    def toggle_whole_page(self) -> None:
        """Toggle between the main text and the whole page."""
        if self.shows_reader and self._browsing.page is not None:
            self.reader.show_page(self._browsing.page, whole=not self.reader.shows_whole)

    def _show_error(self, page: Page) -> None:
        opened, counted = (
            (self._session.rating.links_opened, self._session.rating.links_counted)
            if self._session.task is not None
            else ((), ())
        )
        key = page_key(page.url)
        before, by_hand = key in map(page_key, opened), key in map(page_key, counted)
        live = not live_view_obstacle(self.machine)
        self.no_page.show_page(page, counted=before, by_hand=by_hand, live=live)
        self._set_base_view(self.no_page)
        self.announced.emit(self.no_page.accessibleName())

    def _set_base_view(self, view: QWidget) -> None:
        self._base_view = view
        self._show_current_view()
        self._show_head()

    def _show_current_view(self) -> None:
        """Show the current view; move the focus to it if the previous view had it."""
        view = self.live.view if self.live.is_on and self.live.view is not None else self._base_view
        focus = QApplication.focusWidget()
        had_keys = focus is not None and self.views.isAncestorOf(focus)
        self.views.setCurrentWidget(view)
        self.address.setVisible(view not in self._other_views)
        self.setFocusProxy(view)
        passages = self.passage_list
        self.take_bar.watch_view(passages, live=self.live.is_on)
        can_take = not live_view_obstacle(self.machine) if self.live.is_on else self.reader.page is not None
        self.take_bar.setVisible((can_take and (self.live.is_on or view is self.reader)) or passages is not None)
        self._show_state()
        self.in_view.refresh()
        if had_keys:
            self.focus_page()

    def _show_head(self) -> None:
        page, live = self._browsing.page, self.live
        title = page.title if page is not None else ""
        title = " ".join((live.title if live.is_on and live.url else title).split())
        self.head.show_title(title or (display_host(self.url) if self.url else self.tr("No pages yet")))
        visits = self._browsing.visits
        self.head.show_ways(
            back=live.can_step(-1) or visits.can_go_back, forward=live.can_step(1) or visits.can_go_forward
        )
        self.address.show_url(self.url)
        self.address.views.choose("page" if live.is_on else "reader")

    def _show_state(self) -> None:
        page = self._browsing.page
        self._lay_veil()
        if self._browsing.is_loading:
            return
        self.state.end()
        if page is not None and page.shows and not self.live.is_on and self.page_view not in self._other_views:
            live = not live_view_obstacle(self.machine)
            copy, whole = self._browsing.copy_here, self.reader.shows_whole
            self.state.show_page(page, copy, offline=self._browsing.is_offline, live=live, whole=whole)
        else:
            self.state.hide()

    def _close(self) -> None:
        if not self.is_open:
            return
        had_keys, self.passages_before = self.has_focus, None
        self.live.forget()
        self.state.end()
        self.state.hide()
        self.hide()
        self.reader.show_page(None)
        self._base_view = self.reader
        self.views.setCurrentWidget(self.reader)
        for key in (PAGE_BANNER, LIVE_BANNER, "outside", "not_kept"):
            self.banners.drop(key)
        self.closed.emit()
        before, self._focus_before = self._focus_before, None
        if had_keys and before is not None and isValid(before) and before.isVisible():
            before.setFocus()

    # -- layout

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.views and event.type() in {QEvent.Type.Resize, QEvent.Type.Move}:
            self._lay_veil()
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_veil()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.in_view.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.in_view.refresh()

    def _lay_veil(self) -> None:
        """Dim the previous page while another one is loading."""
        browsing = self._browsing
        self.dimming_layer.setVisible(browsing.is_loading and browsing.page is not None and not self.live.is_on)
        self.dimming_layer.setGeometry(self.views.geometry())
        self.dimming_layer.raise_()
