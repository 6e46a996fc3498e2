"""The text of a page as it is laid and painted: part by part, so that a long one holds up nothing. It loads nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QPainter, QPalette, QTextCursor

from desktop_rater.ui import theme
from desktop_rater.ui.preview.page_document import PageDocument
from desktop_rater.ui.preview.page_marks import PageMarks
from desktop_rater.ui.preview.page_paint import PageBrush
from desktop_rater.ui.read_text import ReadText
from desktop_rater.ui.response.paint import Brush
from desktop_rater.ui.spoken_time import day_words
from desktop_rater.ui.text_lines import Sight

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent, QResizeEvent
    from PySide6.QtWidgets import QWidget

    from desktop_rater.model.page import Page
    from desktop_rater.ui.preview.page_links import Anchor
    from desktop_rater.ui.read_document import Type

Span = tuple[int, int]
MARGIN, ABOVE, BELOW, COLUMN, LINE, USUAL_LINE = 28, 16, 24, 660, 25, 27


class PageText(ReadText):
    """Stretches, in and out, are code points of `text`."""

    PAINTS_POINTS = True

    passage_changed = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        self.page: Page | None = None
        self.anchor: Anchor | None = None  # the link that the keys are on
        self._shows_whole = False
        self._marks = PageMarks("")
        self._coming: Span | None = None  # it comes into view as soon as it is there
        self._choose_it = False
        self._may_move = False  # as long as the rater has not gone anywhere on the page
        self._own: Span | None = None  # what is chosen, where that is not what Qt would make of it
        self._putting = False
        self._more: QTimer | None = None
        super().__init__(name, parent)
        # Passages are chosen, no place between two letters: with keys of its own Qt would show one.
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._more = QTimer(self)
        self._more.setInterval(0)
        self._more.timeout.connect(self._go_on)
        self.selectionChanged.connect(self._chosen_otherwise)
        theme.follow(self, self._hide_own_selection)

    @property
    def text(self) -> str:
        """The text that is shown."""
        page = self.page
        return "" if page is None else page.whole_text if self._shows_whole else page.text

    @property
    def shows_whole(self) -> bool:
        """Whether it is all of the page, and not its main text alone."""
        return self._shows_whole

    @property
    def read(self) -> PageDocument | None:
        """The document, once there is one."""
        return self._read if isinstance(self._read, PageDocument) else None

    def lay_page(self, page: Page | None, *, whole: bool) -> None:
        """Show a page from its start: its main text, or the `whole` of it."""
        self.page = page
        self._shows_whole = page is not None and bool(page.whole_text) and (whole or not page.text)
        self.anchor = self._coming = None
        self._may_move = True
        self._marks = PageMarks(self.text)
        self.drop_selection()
        self.verticalScrollBar().setValue(0)
        self._text = self.text
        self._lay()

    def _lay_anew(self) -> None:
        """The look is another one: the rater's place in the text stays."""
        kept, seen = self.selected, self.seen
        self._lay()
        if kept is not None:
            self.bring(kept, choose=True)
        elif seen is not None:
            self.bring((seen[0], seen[0] + 1), choose=False)

    def _lay(self) -> None:
        before, page = self._read, self.page
        read = PageDocument(self, theme.interface_font(self.font()), self._type(self._text))
        if page is not None:
            html = page.whole_html if self._shows_whole else page.html
            read.begin_page(html, self.text, title=" ".join(page.title.split()), byline=self._byline(page))
        self._read = read
        self._frame()
        self._show_document(read)
        before.deleteLater()
        if self._more is not None:
            self._more.start()

    def _go_on(self) -> None:
        """One thing at a time, and the window in between: a part more of the page, then a look through it."""
        read = self.read
        goes_on = read is not None and not read.is_whole and read.add_part()
        if not goes_on and not self._look() and self._more is not None:
            self._more.stop()
        if self._coming is not None:
            self.bring(self._coming, choose=self._choose_it)

    def _look(self) -> bool:
        """Look for the claim; False where there is nothing more to look through."""
        before, goes_on = self._marks.best, self._marks.look()
        if self._marks.best != before:
            self.viewport().update()
            if self._marks.best is not None and self._may_move:
                self.bring(self._marks.best, choose=False)
        self._may_move = self._may_move and goes_on
        return goes_on

    def look_again(self) -> None:
        """The claim is another one."""
        if self._more is not None:
            self._more.start()

    def _byline(self, page: Page) -> str:
        parts = (" ".join(part.split()) for part in (page.author, page.site, day_words(page.published)))
        # Each runs its own way: a date in a line of Arabic stays a date.
        return ", ".join(f"\u2068{part}\u2069" for part in parts if part)

    def _type(self, text: str) -> Type:
        look = super()._type(text)
        return replace(look, line=round(look.line * LINE / USUAL_LINE))

    def _frame(self) -> None:
        near = theme.px(MARGIN)
        far = max(near, self.viewport().width() - near - theme.reading_px(COLUMN))
        frame = self._read.rootFrame()
        form = frame.frameFormat()
        left, right = (far, near) if self.backwards else (near, far)
        if (form.leftMargin(), form.rightMargin()) != (left, right):
            form.setLeftMargin(left)
            form.setRightMargin(right)
            form.setTopMargin(theme.px(ABOVE))
            form.setBottomMargin(theme.px(BELOW))
            frame.setFrameFormat(form)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._frame()
        super().resizeEvent(event)

    # -- where stretches stand

    @property
    def selected(self) -> Span | None:
        """What is chosen."""
        read, span = self.read, self.selected_positions
        return read.places.source_span(*span) if read is not None and span is not None else None

    @property
    def selected_positions(self) -> Span | None:
        """The same as positions of the document."""
        cursor = self.textCursor()
        if self._own is None and cursor.hasSelection():
            return cursor.selectionStart(), cursor.selectionEnd()
        return self._own

    @property
    def seen(self) -> Span | None:
        """What is in view."""
        read, view = self.read, self.viewport()
        if read is None:
            return None
        line = read.look.line
        x = view.width() - theme.px(MARGIN) - 1 if self.backwards else theme.px(MARGIN) + 1
        top = self.cursorForPosition(QPoint(x, line // 2)).position()
        bottom = self.cursorForPosition(QPoint(view.width() - x, view.height() - line // 2)).position()
        return read.places.source_span(top, bottom)

    def drop_selection(self) -> None:
        """Choose nothing."""
        cursor = self.textCursor()
        cursor.clearSelection()
        self._put(cursor, None)

    def select(self, start: int, end: int) -> bool:
        """Choose a stretch, and bring it into view; False where nothing of it is there yet."""
        span = self._shown(start, end)
        if span is None:
            return False
        self._put(self.cursor_over(*span), span)
        self.show_positions(span, lines=1)
        return True

    def _put(self, cursor: QTextCursor, own: Span | None) -> None:
        """Qt's selection takes in a whole table where it goes into one: what is chosen here does not."""
        self._putting = True
        self.setTextCursor(cursor)
        self._putting, self._own = False, own
        self._chosen_anew()

    def _chosen_otherwise(self) -> None:
        """By the mouse, or by finding words."""
        if not self._putting:
            self._own = None
            self._chosen_anew()

    def _chosen_anew(self) -> None:
        self.anchor = None
        self.viewport().update()
        self.passage_changed.emit()

    def bring(self, place: Span, *, choose: bool) -> None:
        """A stretch into view: now, or as soon as it is there."""
        read = self.read
        there = read is not None and (read.is_whole or read.places.reach >= place[1])
        self._coming, self._choose_it = (None if there else place), choose
        self._may_move = self._may_move and not choose
        if not there:
            return
        span = self._shown(*place)
        if choose:
            self.select(*place)
        elif span is not None:
            self.show_positions(span, lines=4)

    def stay(self) -> None:
        """The rater has gone somewhere: what was to come into view stays where it is."""
        self._coming, self._may_move = None, False

    def show_positions(self, span: Span, lines: int) -> None:
        """Scroll as little as shows a stretch with some lines around it, its beginning first."""
        bar, around, high = self.verticalScrollBar(), lines * self._read.look.line, self.viewport().height()
        top = self.cursorRect(self.cursor_over(span[0], span[0])).top() - around
        bottom = self.cursorRect(self.cursor_over(span[1], span[1])).bottom() + around
        if top < 0 or bottom > high:
            bar.setValue(bar.value() + (top if top < 0 else min(top, bottom - high)))

    def cursor_over(self, first: int, last: int) -> QTextCursor:
        """A cursor over what stands between two positions."""
        cursor = QTextCursor(self._read)
        cursor.setPosition(first)
        cursor.setPosition(last, QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def _shown(self, start: int, end: int) -> Span | None:
        read = self.read
        return read.places.shown_span(start, end) if read is not None else None

    # -- how it looks

    def _hide_own_selection(self) -> None:
        """Qt's own leaves gaps between lines; what is chosen is painted beneath the text."""
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Highlight, QColor(Qt.GlobalColor.transparent))
        palette.setColor(QPalette.ColorRole.HighlightedText, theme.color(self, "text"))
        self.setPalette(palette)

    def paintEvent(self, event: QPaintEvent) -> None:
        read = self.read
        painter = QPainter(self.viewport())
        scroll, area = self.verticalScrollBar().value(), event.rect()
        painter.translate(0, -scroll)
        if read is not None:
            line = read.look.line
            sight = Sight(read, area.top() + scroll - line, area.bottom() + scroll + line)
            self._paint_under(painter, sight, read)
        painter.end()
        super().paintEvent(event)

    def _paint_under(self, painter: QPainter, sight: Sight, read: PageDocument) -> None:
        form, width = read.rootFrame().frameFormat(), self.viewport().width()
        margin = width - form.rightMargin() if self.backwards else form.leftMargin()
        colors = theme.tokens(self)
        Brush(painter, sight, read.look, colors, margin=margin).grounds(width - form.leftMargin() - form.rightMargin())
        brush = PageBrush(painter, sight, read.look, colors, margin=margin)
        seen = read.places.source_span(*sight.span)
        if seen is not None:
            brush.words(span for one in self._marks.words_in(*seen) if (span := self._shown(*one)))
        chosen = self.selected_positions
        if chosen is not None:
            brush.chosen(*chosen)
        for place, shape in self._marks.taken:
            span = self._shown(*place)
            if span is not None:
                brush.taken(*span, shape)
        best = self._shown(*self._marks.best) if self._marks.best is not None else None
        if best is not None:
            brush.passage(*best)
        if self.anchor is not None:
            brush.link(self.anchor.first, self.anchor.last)
