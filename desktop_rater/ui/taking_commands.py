"""What keys do on a page: taking passages, and going from evidence to where it was read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop_rater.model.rating import CONTRADICTING, SUPPORTING
from desktop_rater.ui.preview import taking
from desktop_rater.ui.preview.visits import Passage

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_rater.model.page import Page
    from desktop_rater.model.rating import Evidence, Stance
    from desktop_rater.ui.preview.browsing import Browsing
    from desktop_rater.ui.session import Session
    from desktop_rater.ui.workplace import Workplace

KEY = "page"  # of the banner that goes with the page


class TakingCommands(QObject):
    """One key each: on the page while the keys read it, on the selected evidence while they do not."""

    def __init__(self, window: Workplace, session: Session, browsing: Browsing) -> None:
        super().__init__(window)
        self._session = session
        self._browsing = browsing
        self._pane = window.preview
        self._evidence = window.form_pane.form.evidence
        self._form = window.form_pane.form
        self._pane.take_bar.take_wanted.connect(self.take)
        self._evidence.page_wanted.connect(self.open_evidence)
        browsing.place_wanted.connect(self._show_place)
        session.rating_changed.connect(lambda: self._pane.banners.drop(KEY))

    def does(self) -> dict[str, Callable[[], object]]:
        """What its actions do."""
        return {
            "supports": lambda: self._stand(SUPPORTING),
            "contradicts": lambda: self._stand(CONTRADICTING),
            "quote": self.quote,
            "whole_page": self.show_whole_page,
        }

    def _stand(self, stance: Stance) -> None:
        if self._reads:
            self.take(stance)
        elif self._sees_live:
            self._say_reader()
        else:
            self._evidence.set_stance(stance)

    @property
    def _reads(self) -> bool:
        """Whether the keys are on a page that can be quoted."""
        return self._pane.has_keys and self._pane.shows_reader

    @property
    def _sees_live(self) -> bool:
        """Whether the keys are on a page that is not kept, and so not quoted."""
        return self._pane.has_keys and self._pane.live.is_on

    def _say_reader(self) -> None:
        self._session.hinted.emit(
            self.tr("Passages are taken in the reader, where the page is kept. R goes there with what is selected.")
        )

    def take(self, stance: Stance) -> None:
        """Take the passage that is chosen, or the page where none is, for where the rater stands."""
        page, passage = self._browsing.page, self._pane.reader.passage
        if page is None or not page.shows:
            return
        known = self._session.evidence
        piece = taking.taken(known, page, passage, stance, opened=self._browsing.shown_at)
        self._put(piece)
        before = next((one for one in known if one.id == piece.id), None)
        if before is not None and before.quote and before.quote != piece.quote and before.stance == stance:
            self._say_replaced()

    def quote(self) -> None:
        """Make the passage the quote of the evidence; where the keys do not read a page, write it by hand."""
        page, passage = self._browsing.page, self._pane.reader.passage
        if self._sees_live:
            self._say_reader()
            return
        if not self._reads or page is None:
            self._evidence.write_quote()
            return
        if passage is None:
            self._session.hinted.emit(self.tr("Nothing is selected on the page. The arrows choose a sentence."))
            return
        selected = self._evidence.selected
        name = selected.id if selected is not None else None
        self._put(taking.quoted(self._session.evidence, page, passage, name, opened=self._browsing.shown_at))

    def show_whole_page(self) -> None:
        """What stands around the main text as well, or the main text alone again."""
        if self._pane.shows_reader and self._browsing.page is not None:
            self._pane.reader.show_page(self._browsing.page, whole=not self._pane.reader.shows_whole)

    def _put(self, piece: Evidence) -> None:
        name = self._session.put_evidence(piece)
        if name is not None:
            self._evidence.select(name)
            self._form.show_evidence()

    def _say_replaced(self) -> None:
        words = self.tr("This page was evidence here already. Its quote is this passage now.")
        self._pane.banners.show_banner(KEY, "info", words, [(self.tr("Undo"), self._session.undo)])

    # -- back to where it was read

    def open_evidence(self, piece: Evidence) -> None:
        """Open the page of a piece as it was read, at its quote; a page of which nothing is kept is fetched."""
        passage = Passage(piece.quote, piece.prefix, piece.suffix) if piece.quote else None
        if piece.snapshot or passage is not None:
            self._browsing.open_stored(piece.url, piece.snapshot or "", passage)
        else:
            self._browsing.open(piece.url)

    def _show_place(self, passage: Passage) -> None:
        page = self._browsing.page
        if page is None or not page.shows or self._pane.reader.show_place(passage):
            return
        kept = self._kept(page, passage)
        if page.stored or kept is None:
            self._pane.banners.show_banner(KEY, "warn", self.tr("This page does not have the quoted passage."))
            return
        words = self.tr("The page no longer has the quoted passage.")
        ways = [(self.tr("Show the stored page"), lambda: self.open_evidence(kept))]
        self._pane.banners.show_banner(KEY, "warn", words, ways)

    def _kept(self, page: Page, passage: Passage) -> Evidence | None:
        """The evidence with that quote whose page was kept."""
        pieces = self._session.rating.evidence if self._session.task is not None else ()
        mine = (one for one in pieces if one.snapshot and taking.is_of(one, page) and one.quote == passage.quote)
        return next(mine, None)
