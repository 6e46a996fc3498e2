"""View of a page's text, laid out and painted part by part, so that a long one does not block."""

from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette, QResizeEvent, QTextCursor
from PySide6.QtWidgets import QWidget

from desktop_rater.format.page import Page
from desktop_rater.ui.pages.page_document import PageBrush, PageDocument, PageMarks, PositionedLink
from desktop_rater.ui.rating.response_painter import ResponsePainter
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.formatting import day_text
from desktop_rater.ui.widgets.text_document import Typography
from desktop_rater.ui.widgets.text_view import TextView, VisibleText

Span = tuple[int, int]
MARGIN, ABOVE, BELOW, COLUMN, LINE, USUAL_LINE = 28, 16, 24, 660, 25, 27


class PageText(TextView):
    """View of a page. All spans are code points of `text`."""

    PAINTS_POINTS = True

    passage_changed = Signal()
    whole_changed = Signal()  # main text or whole page

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        self.page: Page | None = None
        self.anchor: PositionedLink | None = None  # the focused link
        self.shows_whole = False  # not only the main text of the page
        self._marks = PageMarks("")
        self._pending_span: Span | None = None  # span to scroll to once it is loaded
        self._select_pending = False
        self._may_move = False  # until the rater has moved on the page
        self._own: Span | None = None  # the selection, where Qt's own would differ
        self._is_setting = False
        self._more: QTimer | None = None
        super().__init__(name, parent)
        # Passages are selected, not positions: with keyboard selection Qt would show a text cursor.
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._more = QTimer(self, interval=0)
        self._more.timeout.connect(self._go_on)
        self.selectionChanged.connect(self._follow_qt_selection)
        theme.follow(self, self._hide_own_selection)

    @property
    def text(self) -> str:
        page = self.page
        return "" if page is None else page.whole_text if self.shows_whole else page.text

    @property
    def _unshown(self) -> tuple[Span, ...]:
        page = self.page
        return () if page is None else page.whole_unshown if self.shows_whole else page.unshown

    @property
    def read(self) -> PageDocument | None:
        """Return the document, or `None` before there is one."""
        return self._read if isinstance(self._read, PageDocument) else None

    def load_page(self, page: Page | None, *, whole: bool) -> None:
        """Show a page from its start: its main text, or the `whole` of it."""
        self.page, before = page, self.shows_whole
        self.shows_whole = page is not None and bool(page.whole_text) and (whole or not page.text)
        self.anchor = self._pending_span = None
        self._may_move = True
        html = "" if page is None else page.whole_html if self.shows_whole else page.html
        self._marks = PageMarks(self.text, self._unshown, html)
        self.drop_selection()
        self.verticalScrollBar().setValue(0)
        self._text = self.text
        self._lay()
        if self.shows_whole != before:
            self.whole_changed.emit()

    def _lay_anew(self) -> None:
        """Lay out the page again after a change of the type, and keep the position."""
        selection, visible = self.selected, self.visible_span
        self._lay()
        if selection is not None:
            self.scroll_to_span(selection, choose=True)
        elif visible is not None:
            self.scroll_to_span((visible[0], visible[0] + 1), choose=False)

    def _lay(self) -> None:
        before, page = self._read, self.page
        font = theme.text_font(self.font(), (page.lang or None) if page is not None else None)
        read = PageDocument(self, font, self._type(self._text))
        if page is not None:
            html = page.whole_html if self.shows_whole else page.html
            written = (page.title, page.author, page.site, day_text(page.published))
            title, *byline = (" ".join(part.split()) for part in written)
            named = [part for part in byline if part]
            read.begin_page(html, self.text, title=title, byline=named, unshown=self._unshown)
        self._read = read
        self._frame()
        self._show_document(read)
        before.deleteLater()
        if self._more is not None:
            self._more.start()

    def _go_on(self) -> None:
        """Do one short piece of work: add the next part of the page, then search it."""
        read = self.read
        goes_on = read is not None and not read.is_whole and read.add_part()
        if not goes_on and not self._look() and self._more is not None:
            self._more.stop()
        if self._pending_span is not None:
            self.scroll_to_span(self._pending_span, choose=self._select_pending)

    def _look(self) -> bool:
        """Search the next part for the claim; return False at the end."""
        before, goes_on = self._marks.best, self._marks.search_next()
        if self._marks.best != before:
            self.viewport().update()
            if self._marks.best is not None and self._may_move:
                self.scroll_to_span(self._marks.best, choose=False)
        self._may_move = self._may_move and goes_on
        return goes_on

    def search_again(self) -> None:
        if self._more is not None:
            self._more.start()

    def _type(self, text: str) -> Typography:
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

    # -- spans

    @property
    def selected(self) -> Span | None:
        read, span = self.read, self.selected_positions
        return read.places.source_span(*span) if read is not None and span is not None else None

    @property
    def selected_positions(self) -> Span | None:
        cursor = self.textCursor()
        if self._own is None and cursor.hasSelection():
            return cursor.selectionStart(), cursor.selectionEnd()
        return self._own

    @property
    def visible_span(self) -> Span | None:
        read, view = self.read, self.viewport()
        if read is None:
            return None
        line = read.look.line
        x = view.width() - theme.px(MARGIN) - 1 if self.backwards else theme.px(MARGIN) + 1
        top = self.cursorForPosition(QPoint(x, line // 2)).position()
        bottom = self.cursorForPosition(QPoint(view.width() - x, view.height() - line // 2)).position()
        return read.places.source_span(top, bottom)

    def drop_selection(self) -> None:
        cursor = self.textCursor()
        cursor.clearSelection()
        self._put(cursor, None)

    def select(self, start: int, end: int) -> bool:
        """Select a span and scroll to it; return False if it is not loaded yet."""
        span = self._displayed_span(start, end)
        if span is None:
            return False
        self._put(self.cursor_over(*span), span)
        self.show_positions(span, lines=1)
        return True

    def _put(self, cursor: QTextCursor, own: Span | None) -> None:
        """Set the selection. Qt extends a selection that enters a table to all of it; `own` keeps the exact span."""
        self._is_setting = True
        self.setTextCursor(cursor)
        self._is_setting, self._own = False, own
        self._selection_changed()

    def _follow_qt_selection(self) -> None:
        """Follow a selection made by the mouse or by a search."""
        if not self._is_setting:
            self._own = None
            self._selection_changed()

    def _selection_changed(self) -> None:
        self.anchor = None
        self.viewport().update()
        self.passage_changed.emit()

    def scroll_to_span(self, place: Span, *, choose: bool) -> None:
        """Scroll to a span, now or once it is loaded."""
        read = self.read
        is_loaded = read is not None and (read.is_whole or read.places.reach >= place[1])
        self._pending_span, self._select_pending = (None if is_loaded else place), choose
        self._may_move = self._may_move and not choose
        if not is_loaded:
            return
        span = self._displayed_span(*place)
        if choose:
            self.select(*place)
        elif span is not None:
            self.show_positions(span, lines=4)

    def cancel_scrolling(self) -> None:
        """Cancel scrolling, because the rater has moved elsewhere."""
        self._pending_span, self._may_move = None, False

    def show_positions(self, span: Span, lines: int) -> None:
        """Scroll just enough to show a span with some lines around it, its beginning first."""
        bar, margin, height = self.verticalScrollBar(), lines * self._read.look.line, self.viewport().height()
        top = self.cursorRect(self.cursor_over(span[0], span[0])).top() - margin
        bottom = self.cursorRect(self.cursor_over(span[1], span[1])).bottom() + margin
        if top < 0 or bottom > height:
            bar.setValue(bar.value() + (top if top < 0 else min(top, bottom - height)))

    def cursor_over(self, first: int, last: int) -> QTextCursor:
        cursor = QTextCursor(self._read)
        cursor.setPosition(first)
        cursor.setPosition(last, QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def _displayed_span(self, start: int, end: int) -> Span | None:
        read = self.read
        return read.places.shown_span(start, end) if read is not None else None

    # -- painting

    def _hide_own_selection(self) -> None:
        """Hide Qt's selection, which leaves gaps between lines; it is painted behind the text."""
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
            sight = VisibleText(read, area.top() + scroll - line, area.bottom() + scroll + line)
            self._paint_under(painter, sight, read)
        painter.end()
        super().paintEvent(event)

    def _paint_under(self, painter: QPainter, sight: VisibleText, read: PageDocument) -> None:
        form, width = read.rootFrame().frameFormat(), self.viewport().width()
        margin = width - form.rightMargin() if self.backwards else form.leftMargin()
        colors = theme.tokens(self)
        ResponsePainter(painter, sight, read.look, colors, margin=margin).grounds(
            width - form.leftMargin() - form.rightMargin()
        )
        brush = PageBrush(painter, sight, read.look, colors, margin=margin)
        visible = read.places.source_span(*sight.span)
        if visible is not None:
            brush.words(span for word in self._marks.words_in(*visible) if (span := self._displayed_span(*word)))
        selection = self.selected_positions
        if selection is not None:
            brush.draw_selection(*selection)
        for place, shape in self._marks.evidence_marks:
            span = self._displayed_span(*place)
            if span is not None:
                brush.draw_evidence(*span, shape)
        best = self._displayed_span(*self._marks.best) if self._marks.best is not None else None
        if best is not None:
            brush.passage(*best)
        if self.anchor is not None:
            brush.link(self.anchor.first, self.anchor.last)
