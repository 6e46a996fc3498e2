"""The preview beside the task: a page, how it stands, what can be taken from it, and the links of the task."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QApplication, QStackedWidget, QVBoxLayout, QWidget
from shiboken6 import isValid

from desktop_rater.model.page import UNSEEN
from desktop_rater.text.pages import page_of
from desktop_rater.ui import theme
from desktop_rater.ui.banner import Banners
from desktop_rater.ui.preview.address import Address
from desktop_rater.ui.preview.head import PreviewHead
from desktop_rater.ui.preview.link_list import LinkList
from desktop_rater.ui.preview.live_switch import LiveSwitch
from desktop_rater.ui.preview.reader_view import ReaderView
from desktop_rater.ui.preview.shown_url import host_of
from desktop_rater.ui.preview.states import NoPage, StateLine, Veil
from desktop_rater.ui.preview.take_bar import TakeBar
from desktop_rater.ui.preview.visits import Passage
from desktop_rater.ui.separator import line

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QObject
    from PySide6.QtGui import QResizeEvent

    from desktop_rater.model.page import Page
    from desktop_rater.ui.preview.browsing import Browsing
    from desktop_rater.ui.preview.live_view import LiveView
    from desktop_rater.ui.session import Session


class PreviewPane(QWidget):
    """Lays its parts out; which page is open, `Browsing` knows."""

    outside_wanted = Signal()  # the page in the system's own browser
    opened = Signal()
    shut = Signal()
    said = Signal(str)  # what has come, for those who hear it

    def __init__(
        self,
        session: Session,
        browsing: Browsing,
        make_live: Callable[[], LiveView],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("preview")
        self.setAccessibleName(self.tr("Page"))
        self._session = session
        self._browsing = browsing
        self._before: QWidget | None = None  # where the keys went before it opened
        theme.ground(self, "surface")
        self.head = PreviewHead()
        self.address = Address()
        self.state = StateLine(browsing)
        self.banners = Banners()
        self.reader = ReaderView(session)
        self.no_page = NoPage(browsing)
        self.views = QStackedWidget()
        self.live = LiveSwitch(self.views, browsing, make_live, self)
        self._beneath: QWidget = self.reader  # what lies under the live view
        self.take_bar = TakeBar(session)
        self.take_bar.watch(self.reader)
        self.links = LinkList(session)
        self.veil = Veil(self)
        self._lay_out()
        self._connect()
        self.hide()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for view in (self.reader, self.no_page):
            self.views.addWidget(view)
        parts = (self.head, line(), self.address, line(), self.state, self.banners, self.views, self.take_bar)
        for part in (*parts, line(), self.links):
            column.addWidget(part, int(part is self.views))
        self.views.installEventFilter(self)

    def _connect(self) -> None:
        browsing = self._browsing
        browsing.loading.connect(self._load)
        browsing.gave_up.connect(self._rest)
        browsing.shown.connect(self._show)
        browsing.failed.connect(self._show_why_not)
        browsing.closed.connect(self._close)
        self.head.shut_wanted.connect(browsing.close)
        self.head.step_wanted.connect(self.step)
        self.address.entered.connect(browsing.open)
        self.address.left.connect(self.take_keys)
        self.address.view_chosen.connect(self._choose_view)
        self.reader.link_wanted.connect(browsing.open)
        self.links.link_wanted.connect(browsing.open)
        self.no_page.outside_wanted.connect(self.outside_wanted)
        self.live.changed.connect(self._show_head)

    # -- where the keys go

    @property
    def is_open(self) -> bool:
        return not self.isHidden()

    @property
    def shows_reader(self) -> bool:
        """Whether there is a text to take passages from."""
        return self.is_open and self.page_view is self.reader

    @property
    def has_keys(self) -> bool:
        """Whether the keys read the page."""
        focus = QApplication.focusWidget()
        return focus is not None and self.isAncestorOf(focus)

    @property
    def page_view(self) -> QWidget:
        """Where keys read the page."""
        return cast("QWidget", self.views.currentWidget())

    def take_keys(self) -> None:
        """From now on the keys read the page."""
        if self.page_view is self.no_page:
            self.no_page.focus_way()
        else:
            self.page_view.setFocus()

    # -- what is open

    @property
    def url(self) -> str:
        """The address of what is seen; "" where nothing is."""
        page = self._browsing.page
        if self.live.is_on and self.live.url:
            return self.live.url
        return (page.final_url or page.url) if page is not None else ""

    def open_empty(self) -> None:
        """Open without a page: an address is typed next."""
        self._before = QApplication.focusWidget()
        self.reader.show_page(None)
        self._beneath = self.reader
        self._put_view()
        self._show_head()
        self.show()
        self.opened.emit()

    def take_in(self, bar: QWidget) -> None:
        """Put a bar at the foot of the page."""
        column = cast("QVBoxLayout", self.layout())
        if bar.parentWidget() is not self:
            column.insertWidget(column.indexOf(self.take_bar), bar)

    def add_view(self, view: QWidget) -> None:
        """Take in what can be seen in the place of the page."""
        self.views.addWidget(view)

    def show_view(self, view: QWidget) -> None:
        """See something else in the place of the page."""
        if not self.is_open:
            self.open_empty()
        self.live.off()
        self._stand(view)
        self.head.show_title(view.accessibleName())
        self.address.show_url("")

    def show_page_again(self) -> None:
        """See the page again, or why there is none."""
        page = self._browsing.page
        self._stand(self.reader if page is None or page.shows else self.no_page)
        self.take_keys()

    def show_live(self, url: str) -> None:
        """Show a page as its makers made it, and not in the reader."""
        if not self.is_open:
            self.open_empty()
        self.live.open(url)
        self._put_view()
        self.take_keys()

    def toggle_view(self) -> None:
        """From the reader to the page as its makers made it, and back; what is selected there is chosen here."""
        if not self.is_open or not (self.live.is_on or self.url):
            return
        if self.live.is_on:
            selected = self.live.selected_text.strip()
            passage = Passage(selected) if selected else None
            elsewhere = self.live.off()
            self._put_view()
            if elsewhere:
                self._browsing.open(elsewhere, passage)
            elif passage is not None:
                self._browsing.show_place(passage)
        else:
            self.live.open(self.url)
            self._put_view()
        self._show_head()

    def step(self, by: int) -> None:
        """To the page before or behind the one that is seen."""
        if not self.live.step(by):
            (self._browsing.back if by < 0 else self._browsing.forward)()

    def reload(self) -> None:
        """Fetch what is seen anew."""
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
            self.head.show_title(host_of(url))
            self.address.show_url(url)
        if self.live.is_on:
            self.live.open(url)
        if not self.has_keys:
            self.take_keys()
        self.banners.drop("page")
        self.state.begin()
        self._lay_veil()

    def _rest(self) -> None:
        """What was shown before is shown again as it was."""
        self._show_state()

    def _show(self, page: Page) -> None:
        self.reader.show_page(page)
        self._stand(self.reader)
        heard = (self.head.title, self.state.words.text() if self.state.isVisible() else "")
        self.said.emit(". ".join(filter(None, heard)))

    def _show_why_not(self, page: Page) -> None:
        opened = set(map(page_of, self._session.rating.links_opened)) if self._session.task is not None else set()
        self.no_page.show_page(page, counted=page.state not in UNSEEN or page_of(page.url) in opened)
        self._stand(self.no_page)
        self.said.emit(self.no_page.accessibleName())

    def _stand(self, view: QWidget) -> None:
        self._beneath = view
        self._put_view()
        self._show_head()

    def _put_view(self) -> None:
        """Keys that read what was seen before read what is seen now."""
        view = self.live.view if self.live.is_on and self.live.view is not None else self._beneath
        focus = QApplication.focusWidget()
        had_keys = focus is not None and self.views.isAncestorOf(focus)
        self.views.setCurrentWidget(view)
        self.setFocusProxy(view)
        self.take_bar.setVisible(view is self.reader and self.reader.page is not None)
        self._show_state()
        if had_keys:
            self.take_keys()

    def _show_head(self) -> None:
        """What is seen, by its name and its address."""
        page, live = self._browsing.page, self.live
        title = page.title if page is not None else ""
        title = " ".join((live.title if live.is_on and live.url else title).split())
        self.head.show_title(title or (host_of(self.url) if self.url else self.tr("No page yet")))
        visits = self._browsing.visits
        self.head.show_ways(
            back=live.can_step(-1) or visits.can_go_back, forward=live.can_step(1) or visits.can_go_forward
        )
        self.address.show_url(self.url)
        self.address.views.choose("page" if live.is_on else "reader")

    def _show_state(self) -> None:
        """What has to be known of the page that is read."""
        page = self._browsing.page
        self._lay_veil()
        if self._browsing.is_loading:
            return
        self.state.end()
        if page is not None and page.shows and not self.live.is_on:
            self.state.show_page(page, offline=self._browsing.is_offline)
        else:
            self.state.hide()

    def _close(self) -> None:
        if not self.is_open:
            return
        had_keys = self.has_keys
        self.live.forget()
        self.state.end()
        self.state.hide()
        self.hide()
        self.reader.show_page(None)
        self._beneath = self.reader
        self.views.setCurrentWidget(self.reader)
        for key in ("page", "outside", "not_kept"):
            self.banners.drop(key)
        self.shut.emit()
        before, self._before = self._before, None
        if had_keys and before is not None and isValid(before) and before.isVisible():
            before.setFocus()

    # -- how it lies

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.views and event.type() in {QEvent.Type.Resize, QEvent.Type.Move}:
            self._lay_veil()
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_veil()

    def _lay_veil(self) -> None:
        """What was there before is quieter while something else is on its way."""
        browsing = self._browsing
        self.veil.setVisible(browsing.is_loading and browsing.page is not None and not self.live.is_on)
        self.veil.setGeometry(self.views.geometry())
        self.veil.raise_()
