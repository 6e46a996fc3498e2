"""Reading a page, and choosing passages of it by keys and mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QGuiApplication, QHelpEvent, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QToolTip

from desktop_rater.ui.plain import plain_tooltip
from desktop_rater.ui.preview.page_links import anchor_after, anchor_before
from desktop_rater.ui.preview.page_marks import AT_ONCE, place_in
from desktop_rater.ui.preview.page_text import PageText, Span
from desktop_rater.ui.preview.sentence_selection import PageSentences, grown, shrunk, stepped
from desktop_rater.ui.preview.shown_url import shown_url
from desktop_rater.ui.preview.taking import is_of
from desktop_rater.ui.preview.visits import Passage

if TYPE_CHECKING:
    from PySide6.QtGui import QWheelEvent
    from PySide6.QtWidgets import QWidget

    from desktop_rater.model.page import Page
    from desktop_rater.ui.preview.page_links import Anchor
    from desktop_rater.ui.session import Session

CONTEXT = 32  # code points of the page kept before and behind a quote
OPENING = {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_O}
SENTENCES = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
ALONG = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


class ReaderView(PageText):
    """Up and down go from sentence to sentence, Shift takes more or less; left and right go from link to link."""

    link_wanted = Signal(str)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        self._sentences = PageSentences("")
        super().__init__("reader", parent)
        self._session = session
        self.setMouseTracking(True)
        self.verticalScrollBar().sliderPressed.connect(self.stay)
        for told in (session.opened, session.place_changed, session.rating_changed):
            told.connect(self.refresh_marks)
        self._name()

    def show_page(self, page: Page | None, *, whole: bool = False) -> None:
        """Show a page, its main text or the `whole` of it: from the passage on that has the claim's words."""
        self.lay_page(page, whole=whole)
        self._sentences = PageSentences(self.text, (page.lang if page is not None else "") or "en")
        self._name()
        self.refresh_marks()
        if len(self.text) <= AT_ONCE:
            self._look()
        self.passage_changed.emit()

    def _name(self) -> None:
        title = " ".join(self.page.title.split()) if self.page is not None else ""
        self.setAccessibleName(self.tr("Page: {title}").format(title=title) if title else self.tr("Page"))

    def refresh_marks(self) -> None:
        """Mark the words of the claim at hand, and what is evidence already."""
        session = self._session
        if self.page is None or session.task is None:
            return
        page = self.page
        if self._marks.set_claim(self._claim_words()):
            self.look_again()
        self._marks.set_taken(one for one in session.evidence if is_of(one, page))
        self.viewport().update()

    def _claim_words(self) -> str:
        session = self._session
        claim = next((one for one in session.claims if one.id == session.place.claim), None)
        if claim is not None:
            return claim.text
        return session.target.quote or "" if session.target is not None else ""

    # -- what is chosen

    @property
    def passage(self) -> Passage | None:
        """What is chosen, with what stands before and behind it."""
        chosen = self.selected
        if chosen is None:
            return None
        (start, end), text = chosen, self.text
        return Passage(text[start:end], text[max(0, start - CONTEXT) : start], text[end : end + CONTEXT])

    def show_place(self, passage: Passage) -> bool:
        """Choose a passage where it stands on this page; False where the page does not have it."""
        place = self._marks.place_of(passage)
        page = self.page
        if place is None and page is not None and not self._shows_whole and page.text != page.whole_text:
            place = place_in(page.whole_text, passage)
            if place is not None:
                self.show_page(page, whole=True)
        if place is not None:
            self.bring(place, choose=True)
        return place is not None

    def step(self, by: int) -> None:
        """To the next or the previous sentence; from the passage with the claim's words on, else from the top."""
        self._choose(stepped(self._sentences, self.selected, by, near=self._first()))

    def grow(self) -> None:
        """Take a sentence more."""
        self._choose(grown(self._sentences, self.selected, near=self._first()))

    def shrink(self) -> None:
        """Take a sentence less."""
        self._choose(shrunk(self._sentences, self.selected))

    def _choose(self, span: Span | None) -> None:
        if span is not None:
            self.bring(span, choose=True)

    def _first(self) -> int:
        """Where choosing begins: at the passage with the claim's words if it is in view, else at the top."""
        seen, best = self.seen, self._marks.best
        if seen is None:
            return 0
        return best[0] if best is not None and seen[0] <= best[0] < seen[1] else seen[0]

    # -- keys

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._takes(event):
            event.accept()
            return True
        return super().event(event)

    def _takes(self, event: QKeyEvent) -> bool:
        """Whether a key is the page's own; all others are the window's."""
        key, shift = Qt.Key(event.key()), event.modifiers() == Qt.KeyboardModifier.ShiftModifier
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if self.page is None or not (plain or shift):
            return False
        if key in OPENING or key == Qt.Key.Key_Escape:
            return plain and self.anchor is not None
        return key in ALONG or (plain and key in SENTENCES)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._takes(event):
            self.stay()
            if event.matches(QKeySequence.StandardKey.Copy):
                self._copy()
            elif event.matches(QKeySequence.StandardKey.SelectAll):
                self.selectAll()
            else:
                super().keyPressEvent(event)
            return
        key, shift = Qt.Key(event.key()), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if key in SENTENCES:
            self.step(SENTENCES[key])
        elif key in ALONG:
            onward = ALONG[key] * (-1 if self.backwards else 1)
            if not shift:
                self._go_to_link(onward)
            elif onward > 0:
                self.grow()
            else:
                self.shrink()
        elif self.anchor is not None and key in OPENING:
            self.link_wanted.emit(self.anchor.url)
        else:
            self._put_link(None)

    def _copy(self) -> None:
        passage = self.passage
        if passage is not None:
            QGuiApplication.clipboard().setText(passage.quote)

    def _go_to_link(self, by: int) -> None:
        """To the next or the previous link, from the one at hand, what is chosen, or the top of the view on."""
        read = self.read
        if read is None:
            return
        if self.anchor is not None:
            start, end = self.anchor.first, self.anchor.last
        elif self.selected_positions is not None:
            start = end = self.selected_positions[0]
        else:
            seen = read.places.shown_span(self._first(), len(self.text)) or (0, 0)
            start, end = seen[0], seen[0]
        found = anchor_after(read, end) if by > 0 else anchor_before(read, start)
        if found is not None:
            self._put_link(found)

    def _put_link(self, anchor: Anchor | None) -> None:
        self.anchor = anchor
        if anchor is not None:
            self.show_positions((anchor.first, anchor.last), lines=1)
        self.viewport().update()

    # -- mouse

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.stay()
        super().wheelEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        over = bool(self.anchorAt(event.position().toPoint())) and not event.buttons()
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.IBeamCursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.stay()
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        link = self.anchorAt(event.position().toPoint())
        if link and event.button() == Qt.MouseButton.LeftButton and self.selected_positions is None:
            self.link_wanted.emit(link)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), plain_tooltip(self._said_of(self.anchorAt(event.pos()))), self)
            return True
        return super().viewportEvent(event)

    def _said_of(self, url: str) -> str:
        """Where a link leads: whose page first, as the network knows it."""
        if not url:
            return ""
        shown = shown_url(url)
        return "\n".join(dict.fromkeys((shown.ascii_host or shown.host, url)))
