"""A page of a rater's evidence as it was stored: the very bytes that the rater saw. Nothing is fetched here."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.ui import theme
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.plain import ElidedLabel, WrappedLabel
from desktop_rater.ui.preview.page_marks import place_in
from desktop_rater.ui.preview.page_text import PageText
from desktop_rater.ui.preview.shown_url import shown_url
from desktop_rater.ui.preview.visits import Passage
from desktop_rater.ui.separator import line
from desktop_rater.ui.spoken_time import day_words
from desktop_rater.ui.theme_tokens import PANE
from desktop_rater.work.stored_pages import copy_of

if TYPE_CHECKING:
    from desktop_rater.model.page import Page
    from desktop_rater.model.rating import Evidence
    from desktop_rater.ui.perform import Perform
    from desktop_rater.web.open_web import Reopened, Web
    from desktop_rater.work.stored_pages import StoredCopy

HEAD = 44


class StoredPage(QWidget):
    """Of several pages that are asked for, the last one counts."""

    left = Signal()
    shown = Signal()

    def __init__(self, perform: Perform, web: Web, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("stored_page")
        self.setAccessibleName(self.tr("The page as it was stored"))
        self._perform, self._web = perform, web
        self._asked = 0
        self._passage: Passage | None = None
        theme.ground(self, "surface")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._make_head())
        column.addWidget(line())
        self._why = WrappedLabel(name="stored_page_why")
        theme.quiet(self._why)
        theme.follow(self._why, lambda: self._why.setContentsMargins(*(theme.px(PANE),) * 4))
        column.addWidget(self._why)
        self.reader = PageText("stored_reader")
        column.addWidget(self.reader, 1)
        column.addStretch(0)
        self.hide()

    def _make_head(self) -> QWidget:
        head = QWidget()
        row = QHBoxLayout(head)
        words = QVBoxLayout()
        words.setSpacing(0)
        self._title = ElidedLabel(name="stored_page_title")
        theme.write(self._title, bold=True)
        self._where = ElidedLabel(name="stored_page_where")
        theme.write(self._where, "small")
        theme.quiet(self._where)
        words.addWidget(self._title)
        words.addWidget(self._where)
        row.addLayout(words, 1)
        shut = KeyButton(self.tr("Close"), "Esc", flat=True)
        shut.setObjectName("stored_page_close")
        shut.clicked.connect(self.left)
        row.addWidget(shut)

        def measure() -> None:
            row.setContentsMargins(theme.px(PANE), 0, theme.px(8), 0)
            head.setFixedHeight(theme.px(HEAD))

        theme.follow(head, measure)
        return head

    @property
    def is_open(self) -> bool:
        return not self.isHidden()

    def show_piece(self, piece: Evidence) -> None:
        """Show what a piece of evidence rests on, at its quote."""
        passage = Passage(piece.quote, piece.prefix, piece.suffix) if piece.quote.strip() else None
        self._ask(piece.url, piece.snapshot or "", passage)

    def show_url(self, url: str) -> None:
        """Show the newest that is stored of an address."""
        self._ask(url, "", None)

    def shut(self) -> bool:
        """Close it; whether it was open."""
        there = self.is_open
        self._asked += 1
        self.hide()
        return there

    # -- how a page comes

    def _ask(self, url: str, snapshot: str, passage: Passage | None) -> None:
        self._asked += 1
        self._passage = passage
        self._title.setText(shown_url(url).spoken[:300])
        self._where.setText(self.tr("Looking for the stored page"))
        self.show()
        found = partial(self._found, self._asked, bool(snapshot))
        self._perform.ask(copy_of, url, snapshot, done=found)

    def _found(self, asked: int, named: bool, copy: StoredCopy | None) -> None:
        if asked != self._asked:
            return
        if copy is None:
            self._show(None, "", self.tr("No page of this address is stored here: it did not come with the results."))
            return
        same = self.tr("as the rater saw it") if named else self.tr("the newest one that is stored")
        when = self.tr("Stored {day}, {same}").format(day=day_words(copy.fetched), same=same) if copy.fetched else same
        read = partial(self._web.reread, copy.path)
        self._perform.fetch(read, done=partial(self._read, asked, when))

    def _read(self, asked: int, when: str, read: Reopened) -> None:
        if asked == self._asked:
            page = read.page
            self._show(page if page.shows else None, when, page.why)

    def _show(self, page: Page | None, when: str, why: str) -> None:
        self._where.setText(when)
        self._why.setText(why)
        self._why.setVisible(page is None)
        self.reader.setVisible(page is not None)
        if page is not None:
            title = " ".join(page.title.split())
            host = shown_url(page.url).host
            self._title.setText(f"{title} ({host})"[:300] if title else self._title.text())
            self._lay(page)
        self.shown.emit()

    def _lay(self, page: Page) -> None:
        self.reader.lay_page(page, whole=False)
        if self._passage is None:
            return
        place = place_in(self.reader.text, self._passage)
        if place is None and page.whole_text not in {"", self.reader.text}:
            place = place_in(page.whole_text, self._passage)
            if place is not None:
                self.reader.lay_page(page, whole=True)
        if place is not None:
            self.reader.bring(place, choose=True)
        else:
            words = self.tr("{stored}. The quote does not stand on it word for word.")
            self._where.setText(words.format(stored=self._where.text()))
