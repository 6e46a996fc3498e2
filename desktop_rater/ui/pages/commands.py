"""Commands for pages: opening them, taking passages as evidence, and returning to the page of evidence."""

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial

from msgspec.structs import replace
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from desktop_rater.format.page import Page
from desktop_rater.format.rating import CONTRADICTING, NEUTRAL, SUPPORTING, DecidedCase, Evidence, NeutralReason, Stance
from desktop_rater.text.urls import page_key
from desktop_rater.ui.pages import page_document
from desktop_rater.ui.pages.browser import PageBrowser, PagePassage, split_url
from desktop_rater.ui.pages.evidence_fields import CLAIM_KEYS, ReasonRow
from desktop_rater.ui.pages.page_document import found_passage
from desktop_rater.ui.pages.page_search import ResearchRecorder
from desktop_rater.ui.pages.page_views import LinkListUpdater
from desktop_rater.ui.pages.preview_pane import PAGE_BANNER
from desktop_rater.ui.rating.guidelines import read_picture
from desktop_rater.ui.rating.pair.arrangement import RatingPlace
from desktop_rater.ui.rating.response_view import ResponseView
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.text_pane import TaskTextPane
from desktop_rater.ui.widgets.banners import Banners
from desktop_rater.ui.window.jobs import WorkRunner


class PassageCommands(QObject):
    """Commands that act on the page if it has the focus, and on the selected evidence otherwise."""

    def __init__(self, place: RatingPlace, session: Session, browsing: PageBrowser) -> None:
        super().__init__(place.form_pane)
        self._session = session
        self._browsing = browsing
        self._pane = place.preview
        self._evidence = place.form_pane.form.evidence
        self._form = place.form_pane.form
        self._taken = ""  # id of the evidence that was taken last
        self._pane.take_bar.take_wanted.connect(self.take)
        self._pane.take_bar.reasons.chosen.connect(self._set_reason)
        self._reason_rows = self._pane.take_bar.reasons, self._evidence.reasons
        self._pane.take_bar.reasons.asking.connect(partial(self.give_digits, self._pane.take_bar.reasons))
        browsing.passage_wanted.connect(self._show_place)
        session.rating_changed.connect(lambda: self._pane.banners.drop(PAGE_BANNER))

    def actions(self) -> dict[str, Callable[[], object]]:
        return {
            "supports": lambda: self._set_stance(SUPPORTING),
            "contradicts": lambda: self._set_stance(CONTRADICTING),
            "does_not_decide": lambda: self._set_stance(NEUTRAL),
            "all_claims": lambda: self.switch_claim(0),
            "quote": self.quote,
            "whole_page": self._pane.toggle_whole_page,
        }

    def _set_stance(self, stance: Stance) -> None:
        if self._page_has_focus:
            self.take(stance)
        else:
            self._evidence.set_stance(stance)

    @property
    def _page_has_focus(self) -> bool:
        """Return whether a page has the focus, or one that is about to be shown.

        From where an error is shown in place of a page, the keys reach the evidence of that page only.
        """
        pane, selected = self._pane, self._evidence.selected
        if pane.has_focus and pane.passage_list is not None:
            return True
        if not pane.has_focus or (pane.in_view.now is None and not pane.in_view.is_loading and not pane.live.is_on):
            return False
        page = self._browsing.page
        shows_error = not pane.in_view.is_loading and not pane.live.is_on and not pane.shows_reader
        return not (shows_error and page and selected and page_document.refers_to_page(selected, page))

    def take(self, stance: Stance) -> None:
        """Take the selected passage, or the whole page, as evidence for the current place of the rating."""
        self._with_passage(lambda page, passage: self._take(page, passage, stance))

    def _with_passage(self, use: Callable[[Page, PagePassage | None], None]) -> None:
        """Find the selected passage of the page in view; say why there is none."""
        in_view, page, passages = self._pane.in_view, self._browsing.page, self._pane.passage_list
        if passages is not None:
            passages.with_passage(use)
        elif in_view.is_loading:
            self._session.hinted.emit(self.tr("The page is still loading. Take the passage once it is shown."))
        elif in_view.now is None or not in_view.now.shows:
            self._session.hinted.emit(self.tr("No page is shown of which anything could be taken."))
        elif in_view.now.live:
            self._with_live_passage(use)
        elif page is not None:
            use(page, self._pane.reader.passage)

    def _with_live_passage(self, use: Callable[[Page, PagePassage | None], None]) -> None:
        """Find the selection of the live page in the page that was fetched, or else in what the live view rendered.

        What is rendered is stored first. A selection that is not in it is left to the rater, in the reader.
        """
        pane, place, page = self._pane, self._session.place, self._browsing.page
        selected = PagePassage(pane.live.selected_text.strip())
        if selected.quote and page is not None and page.shows and page_document.refers_to_url(page, pane.live.url):
            passage = found_passage(page, selected)
            if passage is not None:
                use(page, passage)
                return

        def stored(page: Page) -> None:
            passage = found_passage(page, selected)
            if self._session.place != place or (selected.quote and passage is None):
                pane.show_rendering(page, selected)
                return
            use(page, passage)
            text = self.tr("Taken from the page as the live view shows it. Its text and a picture are stored.")
            ways = [(self.tr("Show what is stored"), lambda: pane.show_rendering(page, selected))]
            pane.banners.show_banner(PAGE_BANNER, "info", text, ways)

        pane.store_rendering(stored)

    def _take(self, page: Page, passage: PagePassage | None, stance: Stance) -> None:
        evidence, bar = self._session.evidence, self._pane.take_bar
        opened = page.fetched if page.rendered else self._opened_at
        piece, others = page_document.take_evidence(evidence, page, passage, stance, claims=bar.claims, opened=opened)
        self._add(self._from_case(piece), others)
        replaced = [item for item in evidence if item.id == piece.id or others.get(item.id, item) is None]
        if any(item.quote and item.quote != piece.quote and item.stance == stance for item in replaced):
            text = self.tr("This page was already evidence here. Its quote has been replaced with this passage.")
            self._pane.banners.show_banner(PAGE_BANNER, "info", text, [(self.tr("Undo"), self._session.undo)])
        if stance == NEUTRAL and self._evidence.selected is not None:
            self._taken = self._evidence.selected.id
            bar.reasons.ask(self._evidence.selected.reason)

    @property
    def _opened_at(self) -> str:
        """The time since which the page has been in view; for a passage of a list, the time now; none for a case."""
        in_view = self._pane.in_view
        if self._case is not None:
            return ""
        return in_view.since if in_view.now is not None else self._browsing.current_time

    @property
    def _case(self) -> DecidedCase | None:
        """Return the decided case whose evidence is taken, if it is that of one."""
        return getattr(self._pane.passage_list, "case", None)

    def _from_case(self, piece: Evidence) -> Evidence:
        """Return a piece marked as reused if its quote is that of a case; with another quote it is the rater's own."""
        known = any((item.id, item.quote) == (piece.id, piece.quote) for item in self._session.rating.evidence)
        return piece if known else replace(piece, reused=self._case)

    def _set_reason(self, reason: NeutralReason) -> None:
        self._session.set_stance(self._taken, NEUTRAL, reason)

    def switch_claim(self, number: int) -> None:
        """Switch a claim for which passages are taken, or one of the selected evidence; 0 takes all claims."""
        (self._pane.take_bar if self._page_has_focus else self._evidence).switch_claim(number)

    def take_key(self, key: str) -> bool:
        """Switch a claim by Alt and its number; choose by a digit why a page does not decide, while that is asked."""
        if key in CLAIM_KEYS:
            self._session.active_time.touch()
            if self._session.task is not None:
                self.switch_claim(CLAIM_KEYS.index(key) + 1)
            return True
        return any(row.isVisible() and row.take_key(key) for row in self._reason_rows)

    def give_digits(self, row: ReasonRow, asking: bool) -> None:
        """Show no digits in the form while the question why a page does not decide takes them."""
        self._form.give_keys(row, row.digits if asking else "")

    def leave(self) -> bool:
        """Leave the question why a page does not decide; return False if it is not asked."""
        return self._pane.take_bar.reasons.leave() or self._evidence.reasons.leave()

    def quote(self) -> None:
        """Make the passage the quote of the evidence; without a page in focus, write the quote by hand."""
        if self._page_has_focus:
            self._with_passage(self._set_quote)
        else:
            self._evidence.write_quote()

    def _set_quote(self, page: Page, passage: PagePassage | None) -> None:
        if passage is None:
            self._session.hinted.emit(
                self.tr("Nothing is selected on the page. Select a sentence with the arrow keys.")
            )
            return
        selected = self._evidence.selected
        name = selected.id if selected is not None else None
        pieces = (*self._session.evidence_here, *(() if selected is None else (selected,)))
        opened = page.fetched if page.rendered else self._opened_at
        self._add(self._from_case(page_document.set_quote(pieces, page, passage, name, opened=opened)))

    def _add(self, piece: Evidence, others: Mapping[str, Evidence | None] | None = None) -> None:
        self._pane.in_view.use()
        name = self._session.put_evidence(piece, others=others)
        if name is not None:
            self._evidence.select(name)
            self._form.show_evidence()

    # -- back to the page

    def open_evidence(self, piece: Evidence) -> None:
        """Open the stored page of a piece of evidence at its quote; fetch the page if none is stored."""
        passage = PagePassage(piece.quote, piece.prefix, piece.suffix) if piece.quote else None
        if piece.snapshot or passage is not None:
            self._browsing.open_stored(piece.url, piece.snapshot or "", passage)
        else:
            self._browsing.open(piece.url)

    def _show_place(self, passage: PagePassage) -> None:
        page = self._browsing.page
        if page is None or not page.shows or self._pane.reader.show_passage(passage):
            return
        stored = self._stored_evidence(page, passage)
        if page.stored or stored is None:
            self._pane.banners.show_banner(PAGE_BANNER, "warn", self.tr("This page does not have the quoted passage."))
            return
        text = self.tr("The page no longer has the quoted passage.")
        ways = [(self.tr("Show the stored page"), lambda: self.open_evidence(stored))]
        self._pane.banners.show_banner(PAGE_BANNER, "warn", text, ways)

    def _stored_evidence(self, page: Page, passage: PagePassage) -> Evidence | None:
        """Return the evidence with that quote whose page was stored."""
        pieces = self._session.rating.evidence if self._session.task is not None else ()
        matches = (
            piece
            for piece in pieces
            if piece.snapshot and page_document.refers_to_page(piece, page) and piece.quote == passage.quote
        )
        return next(matches, None)


class PreviewCommands(QObject):
    """Commands of the preview."""

    def __init__(
        self, place: RatingPlace, session: Session, browsing: PageBrowser, *, open_url: Callable[[str], None]
    ) -> None:
        super().__init__(place.form_pane)
        self._place = place
        self._session = session
        self.browsing = browsing
        self._pane = place.preview
        self._open_url = open_url
        self._outside_url = ""  # the page the question is about
        self._pane.links.next_wanted.connect(self.open_next_link)
        self._pane.outside_wanted.connect(self.open_outside)
        browsing.store_failed.connect(lambda error: self._pane.banners.show_error(error, "not_kept"))
        session.opened.connect(lambda: self._drop("outside"))
        QApplication.instance().focusChanged.connect(self._focus_moved)  # ty: ignore[missing-attribute]

    def actions(self) -> dict[str, Callable[[], object]]:
        return {
            "open_link": self.open_chosen,
            "next_link": self.open_next_link,
            "address": self.go_to_address,
            "fetch_again": self._pane.reload,
            "open_outside": self.open_outside,
            "page_back": lambda: self._pane.step(-1),
            "page_forward": lambda: self._pane.step(1),
            "reader_or_page": self._pane.toggle_view,
            "text_or_page": self._place.switch_text_and_page,
            "live_script": self._switch_script,
            **self._pane.verdicts.commands(),
        }

    def _focus_moved(self, _old: QWidget | None, new: QWidget | None) -> None:
        if new is not None:
            self._place.form_pane.show_return_link(elsewhere=self._pane.has_focus)

    def _switch_script(self) -> None:
        """Switch JavaScript of the live page on or off."""
        if not self._pane.live.switch_script():
            self._session.hinted.emit(self.tr("JavaScript is only for the live page. Press R to show it."))

    def leave(self) -> bool:
        """Cancel loading, return to the list of passages, or close the page; return False if nothing is open."""
        if self._drop("outside"):
            return True
        if self.browsing.is_loading and self.browsing.page is not None:
            self.browsing.cancel()
            return True
        if not self.browsing.is_loading and self._pane.leave_page():
            return True
        if not self._pane.is_open:
            return False
        self.browsing.close()
        return True

    def open_chosen(self) -> None:
        """Open the focused row's link, or else the page of the selected evidence."""
        links = self._pane.links
        if links.list.hasFocus() and links.chosen_url is not None:
            self.browsing.open(links.chosen_url)
        else:
            self._place.form_pane.form.evidence.open_selected()

    def open_next_link(self) -> None:
        """Open the first link of the task not opened yet, those of the current response first."""
        if self._session.task is None:
            return
        url = self._pane.links.next_url
        if url is not None:
            self.browsing.open(url)
        else:
            opened, none = self.tr("Every link of this task is opened."), self.tr("This task has no links.")
            self._session.hinted.emit(opened if self._pane.links.links else none)

    def go_to_address(self) -> None:
        """Enter the address of a page."""
        if self._session.task is None:
            return
        if not self._pane.is_open:
            self._pane.open_empty()
        self._pane.address.edit()

    # -- in the system's browser

    def open_outside(self) -> None:
        """Ask whether to open a page in the system's browser; the same request again confirms it."""
        url = self._current_url()
        if url is None:
            self._session.hinted.emit(self.tr("No page is open, and no evidence with an address is selected."))
            return
        if url == self._outside_url and self._banners.text("outside") is not None:
            self._go_outside(url)
            return
        self._drop("outside")
        self._outside_url = url
        template = self.tr("Open {host} in the system's browser? The page is loaded again there, outside this program.")
        ways = [(self.tr("Open in browser"), lambda: self._go_outside(url))]
        parts = split_url(url)  # the ASCII form of the host decides who owns the page
        host = f"{parts.ascii_host} ({parts.host})" if parts.ascii_host else parts.host
        self._banners.show_banner("outside", "info", template.format(host=host), ways)

    def _go_outside(self, url: str) -> None:
        self._drop("outside")
        self._open_url(url)

    def _current_url(self) -> str | None:
        if self._pane.url:
            return self._pane.url
        piece = self._place.form_pane.form.evidence.selected
        return piece.url if piece is not None and page_key(piece.url) is not None else None

    @property
    def _banners(self) -> Banners:
        return self._pane.banners if self._pane.is_open else self._place.form_pane.banners

    def _drop(self, key: str) -> bool:
        """Remove a banner; return whether there was one."""
        places = [group for group in (self._pane.banners, self._place.form_pane.banners) if group.text(key) is not None]
        for banners in places:
            banners.drop(key)
        return bool(places)


MAX_STORED = 20  # stored pictures shown by themselves in one response


class ResponsePictures(QObject):
    """Shows the pictures of all responses of a pane."""

    def __init__(self, browser: PageBrowser, pane: TaskTextPane) -> None:
        super().__init__(pane)
        self._browser = browser

    def find(self, view: ResponseView) -> None:
        """Show the pictures that are stored already."""
        self._browser.find_pictures(view.pictures[:MAX_STORED], partial(self._show, view))

    def fetch(self, view: ResponseView, url: str) -> None:
        view.show_picture(url, self.tr("Fetching the picture …"))
        self._browser.fetch_picture(url, partial(self._fetched, view, url))

    def _fetched(self, view: ResponseView, url: str, page: Page, data: bytes) -> None:
        if data:
            self._show(view, {url: data})
        elif isValid(view) and url in view.pictures:
            view.show_picture(url, self.tr("No picture: {why}").format(why=page.why))

    def _show(self, view: ResponseView, pictures: dict[str, bytes]) -> None:
        for url, data in pictures.items():
            if not isValid(view) or url not in view.pictures:
                continue  # another task is open
            image = read_picture(data)
            unreadable = self.tr("No picture: this is none that can be shown")
            view.show_picture(url, unreadable if image.isNull() else image)


class PageCommands(QObject):
    """The commands of the window for pages, the record of the pages seen, and the states of the links."""

    def __init__(
        self,
        place: RatingPlace,
        session: Session,
        browsing: PageBrowser,
        perform: WorkRunner,
        now: Callable[[], datetime],
        open_url: Callable[[str], None],
    ) -> None:
        super().__init__(place.form_pane)
        in_view, links = place.preview.in_view, place.preview.links
        self.preview = PreviewCommands(place, session, browsing, open_url=open_url)
        self.passages = PassageCommands(place, session, browsing)
        self.recorder = ResearchRecorder(session, in_view, now, self)
        self.link_states = LinkListUpdater(perform, session, browsing, in_view, links, now)

    def actions(self) -> dict[str, Callable[[], object]]:
        return {**self.preview.actions(), **self.passages.actions()}
