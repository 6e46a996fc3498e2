"""A page of a rater's evidence as stored, byte for byte as the rater saw it. Nothing is fetched."""

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.model.page import Page
from desktop_rater.model.rating import Evidence
from desktop_rater.ui.pages.address_bar import split_url
from desktop_rater.ui.pages.browser import PagePassage
from desktop_rater.ui.pages.page_document import span_of_passage
from desktop_rater.ui.pages.page_text_view import PageText
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.formatting import day_text
from desktop_rater.ui.widgets.labels import ElidedLabel, WrappedLabel
from desktop_rater.ui.widgets.layouts import horizontal_line, tight_column
from desktop_rater.ui.widgets.theme_tokens import PANE
from desktop_rater.ui.window.jobs import WorkRunner
from desktop_rater.ui.window.latest_request import LatestRequest
from desktop_rater.web.web_client import ReopenedPage, Web
from desktop_rater.work.pages.stored_pages import StoredCopy, find_stored_copy

HEAD = 44


class StoredPagePane(QWidget):
    """A reader for stored pages; of several requests the last one counts."""

    left = Signal()
    page_shown = Signal()

    def __init__(self, perform: WorkRunner, web: Web, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("stored_page")
        self.setAccessibleName(self.tr("Stored page"))
        self._perform, self._web = perform, web
        self._latest = LatestRequest()
        self._passage: PagePassage | None = None
        theme.set_ground(self, "surface")
        column = tight_column(self, spacing=0)
        column.addWidget(self._make_head())
        column.addWidget(horizontal_line())
        self._reason = WrappedLabel(name="stored_page_why", ink="text2")
        theme.follow(self._reason, lambda: self._reason.setContentsMargins(*(theme.px(PANE),) * 4))
        column.addWidget(self._reason)
        self.reader = PageText("stored_reader")
        column.addWidget(self.reader, 1)
        column.addStretch(0)
        self.hide()

    def _make_head(self) -> QWidget:
        head = QWidget()
        row = QHBoxLayout(head)
        titles = QVBoxLayout()
        titles.setSpacing(0)
        self._title = ElidedLabel(name="stored_page_title", size="interface", bold=True)
        self._where = ElidedLabel(name="stored_page_where", size="small", ink="text2")
        titles.addWidget(self._title)
        titles.addWidget(self._where)
        row.addLayout(titles, 1)
        row.addWidget(KeyButton(self.tr("Close"), "Esc", flat=True, name="stored_page_close", clicked=self.left))
        theme.pad(row, PANE, 0, 8, 0, height=HEAD)
        return head

    @property
    def is_open(self) -> bool:
        return not self.isHidden()

    def show_piece(self, piece: Evidence) -> None:
        passage = PagePassage(piece.quote, piece.prefix, piece.suffix) if piece.quote.strip() else None
        self._request(piece.url, piece.snapshot or "", passage)

    def show_url(self, url: str) -> None:
        self._request(url, "", None)

    def close_page(self) -> bool:
        """Close the page; return whether one was open."""
        was_open = self.is_open
        self._latest.replace()
        self.hide()
        return was_open

    # -- loading

    def _request(self, url: str, snapshot: str, passage: PagePassage | None) -> None:
        self._latest.replace()
        self._passage = passage
        self._title.setText(split_url(url).spoken[:300])
        self._where.setText(self.tr("Loading the stored page"))
        self.show()
        on_found = self._latest.only(partial(self._copy_found, bool(snapshot)))
        self._perform.ask(find_stored_copy, url, snapshot, done=on_found)

    def _copy_found(self, named: bool, copy: StoredCopy | None) -> None:
        if copy is None:
            self._show(None, "", self.tr("No page is stored for this address. It was not included in the results."))
            return
        same = self.tr("as the rater saw it") if named else self.tr("the newest stored copy")
        when = self.tr("Stored {day}, {same}").format(day=day_text(copy.fetched), same=same) if copy.fetched else same
        read = partial(self._web.reread, copy.path)
        self._perform.fetch(read, done=self._latest.only(partial(self._page_read, when)))

    def _page_read(self, when: str, read: ReopenedPage) -> None:
        page = read.page
        self._show(page if page.shows else None, when, page.why)

    def _show(self, page: Page | None, when: str, why: str) -> None:
        self._where.setText(when)
        self._reason.setText(why)
        self._reason.setVisible(page is None)
        self.reader.setVisible(page is not None)
        if page is not None:
            title = " ".join(page.title.split())
            host = split_url(page.url).host
            self._title.setText(f"{title} ({host})"[:300] if title else self._title.text())
            self._lay_out(page)
        self.page_shown.emit()

    def _lay_out(self, page: Page) -> None:
        self.reader.load_page(page, whole=False)
        if self._passage is None:
            return
        place = span_of_passage(self.reader.text, self._passage)
        if place is None and page.whole_text not in {"", self.reader.text}:
            place = span_of_passage(page.whole_text, self._passage)
            if place is not None:
                self.reader.load_page(page, whole=True)
        if place is not None:
            self.reader.scroll_to_span(place, choose=True)
        else:
            text = self.tr("{stored}. The exact quote was not found on the page.")
            self._where.setText(text.format(stored=self._where.text()))
