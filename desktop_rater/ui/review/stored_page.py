"""A page of a rater's evidence as stored, with its origin. It is fetched again only when the lead asks for it."""

from functools import partial
from html import escape

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from desktop_rater.audit.results import RaterOnTask
from desktop_rater.format.change import Progress
from desktop_rater.format.page import Page
from desktop_rater.format.rating import Evidence
from desktop_rater.operations.pages.open_page import PageDifference, compare_page_texts
from desktop_rater.operations.pages.stored_pages import StoredCopy, find_stored_copy, store_page
from desktop_rater.pages.web_client import FetchedPage, ReopenedPage, Web
from desktop_rater.text.untrusted import is_blank
from desktop_rater.ui.pages.browser import PagePassage, split_url
from desktop_rater.ui.pages.page_document import span_of_passage
from desktop_rater.ui.pages.page_states import (
    PagePictureDialog,
    origin_notes,
    page_error_texts,
    source_note,
)
from desktop_rater.ui.pages.page_text_view import PageText
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.buttons import KeyButton, LinkButton
from desktop_rater.ui.widgets.callbacks import LatestRequest
from desktop_rater.ui.widgets.formatting import number
from desktop_rater.ui.widgets.labels import ElidedLabel, WrappedLabel, set_optional_text
from desktop_rater.ui.widgets.layouts import FlowLayout, NamedGroup, fill, horizontal_line, tight_column
from desktop_rater.ui.widgets.theme_tokens import PANE
from desktop_rater.ui.window.jobs import WorkRunner

HEAD = 44


class StoredPagePane(NamedGroup):
    """A reader for stored pages; of several requests the last one counts."""

    left = Signal()
    page_shown = Signal()

    def __init__(self, perform: WorkRunner, web: Web, parent: QWidget | None = None) -> None:
        super().__init__(parent, name="stored_page")
        self.setAccessibleName(self.tr("Stored page"))
        self._perform, self._web = perform, web
        self._latest = LatestRequest()
        self._passage: PagePassage | None = None
        self._url = self._bundle = ""
        self._page: Page | None = None  # the stored page that is shown
        self._copy: StoredCopy | None = None
        self._difference: PageDifference | None = None  # from the page fetched again
        self._shows_difference = False
        theme.set_ground(self, "surface")
        self._reason = WrappedLabel(name="stored_page_why", ink="text2")
        theme.follow(self._reason, lambda: self._reason.setContentsMargins(*(theme.px(PANE),) * 4))
        self.reader = PageText("stored_reader")
        tight_column(
            self,
            self._make_head(),
            horizontal_line(),
            self._make_origin(),
            horizontal_line(),
            self._reason,
            (self.reader, 1),
            0,
            spacing=0,
        )
        self.hide()

    def _make_origin(self) -> QWidget:
        self._origin_box = QWidget()
        self._origin = WrappedLabel(name="stored_page_origin", size="small")
        self._outcome = WrappedLabel(name="stored_page_outcome", size="small", bold=True)
        ways = QWidget()
        ways.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        flow = FlowLayout(ways, spacing=8)
        again = self.tr("Fetch again and compare")
        self._again = LinkButton(again, "Shift O", name="stored_page_again", clicked=self.compare)
        self._toggle = LinkButton("", name="stored_page_difference", clicked=self._toggle_difference)
        self._picture = LinkButton(self.tr("Picture"), name="stored_page_picture", clicked=self.show_picture)
        for button in (self._again, self._toggle, self._picture):
            flow.addWidget(button)
        column = tight_column(self._origin_box, self._origin, self._outcome, ways)
        theme.pad(column, PANE, 8, PANE, 8, spacing=4)
        return self._origin_box

    def _make_head(self) -> QWidget:
        head = QWidget()
        self._title = ElidedLabel(name="stored_page_title", size="interface", bold=True)
        self._where = ElidedLabel(name="stored_page_where", size="small", ink="text2")
        titles = tight_column(None, self._title, self._where, spacing=0)
        row = fill(
            QHBoxLayout(head),
            (titles, 1),
            KeyButton(self.tr("Close"), "Esc", flat=True, name="stored_page_close", clicked=self.left),
        )
        theme.pad(row, PANE, 0, 8, 0, height=HEAD)
        return head

    @property
    def is_open(self) -> bool:
        return not self.isHidden()

    def show_piece(self, piece: Evidence, bundle: str, of: RaterOnTask | None) -> None:
        """Show the page of a rater's evidence for a bundle."""
        passage = PagePassage(piece.quote, piece.prefix, piece.suffix) if not is_blank(piece.quote) else None
        self._request(piece.url, piece.snapshot or "", passage, bundle, of)

    def show_url(self, url: str, bundle: str, of: RaterOnTask | None) -> None:
        self._request(url, "", None, bundle, of)

    def close_page(self) -> bool:
        """Close the page; return whether one was open."""
        was_open = self.is_open
        self._latest.replace()
        self.hide()
        return was_open

    # -- loading

    def _request(
        self, url: str, snapshot: str, passage: PagePassage | None, bundle: str, of: RaterOnTask | None
    ) -> None:
        self._latest.replace()
        self._passage = passage
        self._url, self._bundle = url, bundle
        self._page = self._difference = None
        self._title.setText(split_url(url).spoken[:300])
        self._where.setText(self.tr("Loading the stored page"))
        self._origin_box.hide()
        self.show()
        rater, results = (of.rater, of.received.results) if of is not None else ("", "")
        found = self._latest.only(self._copy_found)
        self._perform.ask(find_stored_copy, url, snapshot, bundle, rater, results, done=found)

    def _copy_found(self, copy: StoredCopy | None) -> None:
        if copy is None:
            self._show(None, self.tr("No page is stored for this address. It was not included in the results."))
            return
        self._copy = copy
        notes = list(origin_notes(copy))
        if copy.alone:
            notes.append(self.tr("Only these results have a page of this address"))
        elif copy.others:
            text = self.tr("Results of other raters with a page of this address: {n}")
            notes.append(text.format(n=number(copy.others)))
        self._origin.setText(f"{'. '.join(notes)}.")
        self._perform.fetch(partial(self._web.reread, copy.path), done=self._latest.only(self._page_read))

    def _page_read(self, read: ReopenedPage) -> None:
        page = read.page
        self._page = page if page.shows else None
        if source := source_note(page, self._copy):
            self._origin.setText(f"{source}. {self._origin.text()}")
        self._picture.setVisible(page.rendered)
        self._show(self._page, page.why)

    def show_picture(self) -> None:
        """Show the picture that is stored with a page that the live view rendered."""
        if self._copy is not None:
            dialog = PagePictureDialog(self.window(), self._title.text())
            self._perform.fetch(partial(self._web.read_picture, self._copy.path), done=dialog.show_png)

    def _show(self, page: Page | None, why: str) -> None:
        self._where.setText(split_url(self._url).spoken[:300])
        self._reason.setText(why)
        self._reason.setVisible(page is None)
        self.reader.setVisible(page is not None)
        self._origin_box.setVisible(page is not None)
        self._show_outcome("")
        if page is not None:
            title = " ".join(page.title.split())
            self._title.setText(title[:300] or self._title.text())
            self._lay_out(page)
        self.page_shown.emit()

    # -- comparison with the page as it is now

    def compare(self) -> None:
        """Fetch the page again, store it as fetched here, and compare its text with that of the stored page."""
        stored = self._page
        if stored is None or not self.is_open:
            return
        url, web = self._url, self._web

        def fetch(progress: Progress) -> tuple[FetchedPage, PageDifference]:
            fetched = web.open(url, progress)
            return fetched, compare_page_texts(stored, fetched.page)

        self._latest.replace()
        self._difference = None
        self._show_outcome(self.tr("Fetching the page"))
        self._perform.fetch(fetch, done=self._latest.only(self._fetched))

    def _fetched(self, result: tuple[FetchedPage, PageDifference]) -> None:
        fetched, difference = result
        self._perform.perform(store_page, fetched, self._bundle)
        if not fetched.page.shows:
            self._show_outcome(". ".join(page_error_texts(fetched.page)))
            return
        if difference.same:
            text = self.tr("The page has the same text now.")
        elif not (difference.only_stored or difference.only_fetched):
            text = self.tr("The same as far as compared; the pages are long.")
        else:
            self._difference = difference
            text = self.tr("Sentences of the stored page that are not on the page now: {n}. New ones: {m}.")
            text = text.format(n=number(len(difference.only_stored)), m=number(len(difference.only_fetched)))
        self._show_outcome(text)

    def _show_outcome(self, text: str) -> None:
        self._shows_difference = False
        set_optional_text(self._outcome, text)
        self._toggle.set_label(self.tr("Show the differences"))
        self._toggle.setVisible(self._difference is not None)

    def _toggle_difference(self) -> None:
        """Show the sentences that differ in place of the page, or the page again."""
        page, difference = self._page, self._difference
        if page is None or difference is None:
            return
        self._shows_difference = not self._shows_difference
        if not self._shows_difference:
            self._toggle.set_label(self.tr("Show the differences"))
            self._lay_out(page)
            return
        self._toggle.set_label(self.tr("Show the stored page"))
        headings = self.tr("Only on the stored page"), self.tr("Only on the page now")
        parts = []
        for heading, sentences in zip(headings, (difference.only_stored, difference.only_fetched), strict=True):
            lines = [" ".join(sentence.split()) for sentence in sentences]
            parts += [("h2", heading), *(("p", line) for line in lines)] if lines else []
        text = "\n".join(line for _, line in parts)
        html = "".join(f"<{tag}>{escape(line)}</{tag}>" for tag, line in parts)
        self.reader.load_page(
            Page(url=page.url, final_url=page.final_url, state="ok", html=html, text=text), whole=False
        )

    def _lay_out(self, page: Page) -> None:
        self.reader.load_page(page, whole=False)
        if self._passage is None:
            return
        place = span_of_passage(self.reader.text, self._passage, page.unshown, page.html)
        if place is None and page.whole_text not in {"", self.reader.text}:
            place = span_of_passage(page.whole_text, self._passage, page.whole_unshown, page.whole_html)
            if place is not None:
                self.reader.load_page(page, whole=True)
        if place is not None:
            self.reader.scroll_to_span(place, choose=True)
        else:
            text = self.tr("{address}. The exact quote was not found on the page.")
            self._where.setText(text.format(address=split_url(self._url).spoken[:300]))
