"""Reader for pages, and the bar below it that takes a selected passage as evidence."""

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from PySide6.QtCore import Property, QEvent, Qt, Signal
from PySide6.QtGui import QGuiApplication, QHelpEvent, QKeyEvent, QKeySequence, QMouseEvent, QShowEvent, QWheelEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolTip, QVBoxLayout, QWidget

from desktop_rater.format.page import Page
from desktop_rater.format.rating import CONTRADICTING, NEUTRAL, SUPPORTING, Stance
from desktop_rater.format.values import Place
from desktop_rater.text.quotes import split_passages
from desktop_rater.text.urls import readable_url
from desktop_rater.ui.pages.browser import PagePassage, split_url
from desktop_rater.ui.pages.evidence_fields import STANCE_MARKS, ClaimButtons, ReasonRow, stance_name
from desktop_rater.ui.pages.evidence_pane import switched_claims
from desktop_rater.ui.pages.page_document import (
    SEARCH_STEP,
    PositionedLink,
    link_after,
    link_before,
    passage_at,
    refers_to_page,
    span_of_passage,
)
from desktop_rater.ui.pages.page_text_view import PageText, Span
from desktop_rater.ui.rating import task_stops
from desktop_rater.ui.rating.response_painter import word_spans
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.buttons import KeyButton, LinkButton
from desktop_rater.ui.widgets.labels import ElidedLabel, plain_tooltip, visible
from desktop_rater.ui.widgets.layouts import FlowLayout, NamedGroup, fill, horizontal_line, tight_column


@dataclass
class PageSentences:
    """Sentences of a page's text, one block per line; a block is split on first use."""

    text: str
    lang: str = "en"
    _lines: list[int] = field(default_factory=list)
    _spans: dict[int, tuple[Span, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        start = 0
        while start >= 0:
            self._lines.append(start)
            line_end = self.text.find("\n", start)
            start = line_end + 1 if line_end >= 0 else -1

    def at(self, offset: int) -> Span | None:
        """Return the sentence at an offset, or else the next one, or else the last one before it."""
        line = bisect_right(self._lines, offset) - 1
        within = next((span for span in self._sentences_of(line) if offset < span[1]), None)
        return within or self.after(offset) or self.before(offset)

    def after(self, offset: int) -> Span | None:
        """Return the first sentence that begins at or after an offset."""
        line = max(0, bisect_right(self._lines, offset) - 1)
        while line < len(self._lines):
            sentence = next((span for span in self._sentences_of(line) if span[0] >= offset), None)
            if sentence is not None:
                return sentence
            line += 1
        return None

    def before(self, offset: int) -> Span | None:
        """Return the last sentence that ends at or before an offset."""
        line = bisect_right(self._lines, offset) - 1
        while line >= 0:
            sentence = next((span for span in reversed(self._sentences_of(line)) if span[1] <= offset), None)
            if sentence is not None:
                return sentence
            line -= 1
        return None

    def _sentences_of(self, line: int) -> tuple[Span, ...]:
        if line not in self._spans:
            start = self._lines[line]
            end = self._lines[line + 1] - 1 if line + 1 < len(self._lines) else len(self.text)
            cuts = split_passages(self.text[start:end], self.lang) if start < end else []
            self._spans[line] = tuple((start + first, start + last) for first, last in cuts)
        return self._spans[line]


def step_sentence(page: PageSentences, chosen: Span | None, by: int, *, near: int = 0) -> Span | None:
    """Return the next or previous sentence; without a selection the one at `near`."""
    if chosen is None:
        return page.at(near)
    neighbour = page.after(chosen[1]) if by > 0 else page.before(chosen[0])
    return neighbour or chosen


def grow_selection(page: PageSentences, chosen: Span | None, *, near: int = 0) -> Span | None:
    """Extend a selection by a sentence, first to the end of its own sentence."""
    if chosen is None:
        return page.at(near)
    first, last = page.at(chosen[0]), page.at(chosen[1] - 1)
    if first is None or last is None:
        return chosen
    whole = min(first[0], chosen[0]), max(last[1], chosen[1])
    if whole != chosen:
        return whole
    following = page.after(chosen[1])
    return (chosen[0], following[1]) if following is not None else chosen


def shrink_selection(page: PageSentences, chosen: Span | None) -> Span | None:
    """Remove the last sentence of a selection; the first one stays."""
    if chosen is None:
        return None
    last = page.at(chosen[1] - 1)
    if last is None or last[0] <= chosen[0]:
        return chosen
    before = page.before(last[0])
    return (chosen[0], max(before[1], chosen[0] + 1)) if before is not None and before[1] > chosen[0] else chosen


OPEN_KEYS = {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_O}
SENTENCE_KEYS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
LINK_KEYS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


def claim_or_quote(session: Session) -> str:
    """Return the current claim, or else the quote of the target."""
    claim = next((item for item in session.claims if item.id == session.place.claim), None)
    if claim is not None:
        return claim.text
    return session.target.quote or "" if session.target is not None else ""


class ReaderView(PageText):
    """Reader: Up and Down move by sentence, Shift extends or shrinks; Left and Right move by link."""

    link_wanted = Signal(str)
    used = Signal()  # the rater scrolls or selects
    takes_enter = Property(bool, lambda self: self.anchor is not None)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        self._sentences = PageSentences("")
        self._followed: Place | None = None  # the target that the marks are for
        super().__init__("reader", parent)
        self._session = session
        self.setMouseTracking(True)
        self.verticalScrollBar().sliderPressed.connect(self.cancel_scrolling)
        self.verticalScrollBar().actionTriggered.connect(self.used)  # not when the page scrolls to a passage by itself
        for signal in (session.opened, session.updated):
            signal.connect(self.refresh_marks)
        self._update_name()

    def show_page(self, page: Page | None, *, whole: bool = False) -> None:
        """Show a page, its main text or the `whole` of it, scrolled to the passage with the claim's words."""
        self.load_page(page, whole=whole)
        self._sentences = PageSentences(self.text, (page.lang if page is not None else "") or "en")
        self._update_name()
        self.refresh_marks()
        if len(self.text) <= SEARCH_STEP:
            self._look()
        self.passage_changed.emit()

    def _update_name(self) -> None:
        title = " ".join(self.page.title.split()) if self.page is not None else ""
        self.setAccessibleName(visible(self.tr("Page: {title}").format(title=title) if title else self.tr("Page")))

    def refresh_marks(self) -> None:
        """Mark the words of the current claim, and quotes of evidence.

        At another target, nothing is selected any more: the passage that is marked for it is the one to take.
        """
        session = self._session
        if self.page is None or session.task is None:
            return
        page, here = self.page, session.place
        place = Place(here.response, here.target)
        moved = self._followed is not None and place != self._followed
        self._followed = place
        if moved:
            self.drop_selection()
        if self._marks.set_claim(claim_or_quote(self._session)):
            self._may_move = self._may_move or moved
            self.search_again()
            if len(self.text) <= SEARCH_STEP:
                self._look()
            self.passage_changed.emit()
        self._marks.set_evidence(piece for piece in session.evidence if refers_to_page(piece, page))
        self.viewport().update()

    # -- selection

    @property
    def passage(self) -> PagePassage | None:
        """Return the selected passage, or else the one that is marked for the claim."""
        selection = self.selected or self._marks.best
        return passage_at(self.text, selection) if selection is not None else None

    def show_passage(self, passage: PagePassage) -> bool:
        """Select a passage; return False if the page does not have it."""
        place = self._marks.place_of(passage)
        page = self.page
        if place is None and page is not None and not self.shows_whole and page.text != page.whole_text:
            place = span_of_passage(page.whole_text, passage, page.whole_unshown, page.whole_html)
            if place is not None:
                self.show_page(page, whole=True)
        if place is not None:
            self.scroll_to_span(place, choose=True)
        return place is not None

    def step(self, by: int) -> None:
        """Select the next or previous sentence, starting from the claim's passage or the top of the view."""
        self._select_span(step_sentence(self._sentences, self.selected, by, near=self._start_offset()))

    def grow(self) -> None:
        self._select_span(grow_selection(self._sentences, self.selected, near=self._start_offset()))

    def shrink(self) -> None:
        self._select_span(shrink_selection(self._sentences, self.selected))

    def _select_span(self, span: Span | None) -> None:
        if span is not None:
            self.scroll_to_span(span, choose=True)
            self.used.emit()

    def _start_offset(self) -> int:
        """Return where selection begins: at the claim's passage if it is visible, otherwise at the top of the view."""
        visible, best = self.visible_span, self._marks.best
        if visible is None:
            return 0
        return best[0] if best is not None and visible[0] <= best[0] < visible[1] else visible[0]

    # -- keys

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._handles(event):
            event.accept()
            return True
        return super().event(event)

    def _handles(self, event: QKeyEvent) -> bool:
        """Return whether the page handles a key; others are left to the window."""
        key, shift = Qt.Key(event.key()), event.modifiers() == Qt.KeyboardModifier.ShiftModifier
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if self.page is None or not (plain or shift):
            return False
        if key in OPEN_KEYS or key == Qt.Key.Key_Escape:
            return plain and self.anchor is not None
        return key in LINK_KEYS or (plain and key in SENTENCE_KEYS)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._handles(event):
            self.cancel_scrolling()
            if event.matches(QKeySequence.StandardKey.Copy):
                self._copy()
            elif event.matches(QKeySequence.StandardKey.SelectAll):
                self.selectAll()
            else:
                super().keyPressEvent(event)
            return
        key, shift = Qt.Key(event.key()), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if key in SENTENCE_KEYS:
            self.step(SENTENCE_KEYS[key])
        elif key in LINK_KEYS:
            onward = LINK_KEYS[key] * (-1 if self.backwards else 1)
            if not shift:
                self._go_to_link(onward)
            elif onward > 0:
                self.grow()
            else:
                self.shrink()
        elif self.anchor is not None and key in OPEN_KEYS:
            self.link_wanted.emit(self.anchor.url)
        else:
            self._focus_link(None)

    def _copy(self) -> None:
        selection = self.selected
        if selection is not None:
            QGuiApplication.clipboard().setText(self.text[slice(*selection)])

    def _go_to_link(self, by: int) -> None:
        """Move to the next or previous link from the focused one, the selection, or the top of the view."""
        read = self.read
        if read is None:
            return
        if self.anchor is not None:
            start, end = self.anchor.first, self.anchor.last
        elif self.selected_positions is not None:
            start = end = self.selected_positions[0]
        else:
            visible = read.places.shown_span(self._start_offset(), len(self.text)) or (0, 0)
            start, end = visible[0], visible[0]
        link = link_after(read, end) if by > 0 else link_before(read, start)
        if link is not None:
            self._focus_link(link)

    def _focus_link(self, anchor: PositionedLink | None) -> None:
        if (anchor is None) is not (self.anchor is None):
            self.window().update()  # the signs of Enter
        self.anchor = anchor
        if anchor is not None:
            self.show_positions((anchor.first, anchor.last), lines=1)
        self.viewport().update()

    # -- mouse

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.cancel_scrolling()
        super().wheelEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        over = bool(self.anchorAt(event.position().toPoint())) and not event.buttons()
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.IBeamCursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.cancel_scrolling()
        self.used.emit()
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        link = self.anchorAt(event.position().toPoint())
        if link and event.button() == Qt.MouseButton.LeftButton and self.selected_positions is None:
            self.link_wanted.emit(link)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), plain_tooltip(self._link_tooltip(self.anchorAt(event.pos()))), self)
            return True
        return super().viewportEvent(event)

    def _link_tooltip(self, url: str) -> str:
        """Return the target of a link for its tooltip: the host in ASCII first."""
        if not url:
            return ""
        parts = split_url(url)
        return "\n".join(dict.fromkeys((parts.ascii_host or parts.host, readable_url(url))))


MAX_COUNTED = 20_000  # words are counted in this many characters at most


class TakeBar(NamedGroup):
    """Bar that names the place a passage would be taken for. Its buttons act like their keys."""

    take_wanted = Signal(str)  # the stance

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent, name="take_bar")
        self.setAccessibleName(self.tr("Take as evidence"))
        self._session = session
        self._reader: ReaderView | None = None
        self._is_live = self._moves = False
        self._list: Any = None  # `PreviewPane.passage_list`
        self._followed: Place | None = None
        self._claims: tuple[str, ...] = ()
        theme.set_ground(self, "panel")
        column = QVBoxLayout()
        tight_column(self, horizontal_line(), column, spacing=0)
        ways = QWidget()
        ways.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        head, row = QHBoxLayout(), FlowLayout(ways, spacing=5, alike=False)
        self.text_label = ElidedLabel(name="take_words", ink="text2", size="small")
        self.extend = LinkButton(
            self.tr("Extend by a sentence"), "Shift Right", name="extend_passage", clicked=self._grow
        )
        theme.set_type(self.extend, "small")
        self.claim_buttons = ClaimButtons("take_claim")
        self.claim_buttons.switched.connect(self.switch_claim)
        head.addWidget(self.text_label, 1)
        head.addWidget(self.claim_buttons, 0, Qt.AlignmentFlag.AlignVCenter)
        head.addWidget(self.extend)
        self._keys: dict[Stance, str] = {SUPPORTING: "S", CONTRADICTING: "C", NEUTRAL: "Shift S"}
        self.buttons: list[KeyButton] = []
        for stance, key in self._keys.items():
            button = KeyButton(
                stance_name(stance), key, name=f"take_{stance}", clicked=partial(self.take_wanted.emit, stance)
            )
            button.set_look("", STANCE_MARKS[stance])
            self.buttons.append(button)
            row.addWidget(button)
        self.reasons = ReasonRow("take_reason")
        self.reasons.asking.connect(ways.setHidden)
        fill(column, head, self.reasons, ways)

        def measure() -> None:
            column.setContentsMargins(theme.px(16), theme.px(4), theme.px(16), theme.px(8))
            column.setSpacing(theme.px(3))

        theme.follow(self, measure)
        for signal in (session.opened, session.updated):
            signal.connect(self._follow_place)
        self._follow_place()

    def watch(self, reader: ReaderView) -> None:
        self._reader = reader
        reader.passage_changed.connect(self.refresh)
        self.refresh()

    def watch_view(self, passages: Any, *, live: bool) -> None:
        """Take from a list of passages or from the live page instead of the reader."""
        self._is_live, self._list = live, passages
        self.refresh()

    def show_keys(self, *, taking: bool, moving: bool) -> None:
        """Show the keys to take a passage and to move on the page only while they do that."""
        self._moves = moving
        for stance, button in zip(self._keys, self.buttons, strict=True):
            button.set_key(self._keys[stance] if taking else "")
        self.refresh()

    def refresh(self) -> None:
        session, reader = self._session, self._reader
        can_take = session.task is not None and not session.read_only and session.accepts_evidence
        self.text_label.setText(self._summary())
        for button in self.buttons:
            button.setEnabled(can_take)
        self.claim_buttons.setVisible(can_take and len(session.claims) > 1)
        if session.claims:
            self.claim_buttons.show_claims(session.claims, self._claims)
        self.extend.setHidden(self._is_live or self._list is not None)
        if reader is not None:
            has_selection = reader.selected_positions is not None
            extend = self.tr("Extend") if self.claim_buttons.isVisibleTo(self) else self.tr("Extend by a sentence")
            self.extend.set_label(extend if has_selection else self.tr("Choose a sentence"))
            key = ("Shift Left" if reader.backwards else "Shift Right") if has_selection else "Down"
            self.extend.set_key(key if self._moves else "")

    @property
    def claims(self) -> tuple[str, ...]:
        """Return the claims that a passage is taken for; none if none are recorded."""
        return tuple(claim.id for claim in self._session.claims if claim.id in self._claims)

    def switch_claim(self, number: int) -> None:
        """Switch whether passages are taken for a claim, counted from 1; 0 takes them for all."""
        names = [claim.id for claim in self._session.claims]
        claims = switched_claims(names, self._claims, number)
        if number <= len(names) and claims:
            self._claims = claims
            self.refresh()

    def _follow_place(self) -> None:
        """Take passages for the current claim again, at another place."""
        place = self._session.place
        if place != self._followed:
            self._followed = place
            self._claims = (place.claim,) if place.claim is not None else ()
        if self.isVisible():
            self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def _grow(self) -> None:
        if self._reader is not None:
            self._reader.grow()
            self._reader.setFocus()

    def _summary(self) -> str:
        session = self._session
        if session.task is None:
            return ""
        if not session.accepts_evidence:
            return self.tr("No evidence is needed here.")
        if self._is_live:
            return self.tr("What is selected on the live page, for {place}").format(place=self._place())
        source = self._reader if self._list is None else self._list
        passage = source.passage if source is not None else None
        if passage is None:
            return self.tr("Nothing selected, for {place}").format(place=self._place())
        count = len(word_spans(passage.quote[:MAX_COUNTED]))
        if self._list is not None or (self._reader is not None and self._reader.selected is None):
            return self.tr("The marked passage ({n} words), for {place}").format(n=count, place=self._place())
        template = self.tr("1 word selected, for {place}") if count == 1 else self.tr("{n} words selected, for {place}")
        return template.format(n=count, place=self._place())

    def _place(self) -> str:
        session = self._session
        if self.claims:
            names = [claim.id for claim in session.claims]
            return " ".join(f"c{names.index(claim) + 1}" for claim in self.claims)
        if session.place.target is not None:
            number = [stop.target for stop in session.stops if stop.target is not None].index(session.place.target) + 1
            return self.tr("target {n}").format(n=number)
        if session.place.response is not None:
            return self.tr("response {name}").format(name=task_stops.response_letter(session.place.response))
        return self.tr("the task")
