"""View of a response with marked targets. Offsets are code points of the response as stored."""

from collections.abc import Collection, Mapping, Sequence
from math import ceil, floor

from msgspec.structs import replace
from PySide6.QtCore import Property, QEvent, QPoint, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QApplication, QTextEdit, QWidget
from shiboken6 import isValid

from desktop_rater.format.task import Target
from desktop_rater.text.urls import find_links
from desktop_rater.ui.rating.response_painter import (
    TARGET_MARGIN,
    QuietMark,
    ResponsePainter,
    TargetMark,
    WordChoice,
    target_mark,
    word_spans,
)
from desktop_rater.ui.rating.task_stops import TargetState
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.labels import select_range
from desktop_rater.ui.widgets.text_document import ReadDocument
from desktop_rater.ui.widgets.text_view import TextView, VisibleText, line_at
from desktop_rater.ui.window.keys import key_text


def link_at(document: ReadDocument, text: str, position: int) -> str | None:
    """Return the URL at a position of the document that shows `text`."""
    written = _bare_link(document, text, position)
    cursor = QTextCursor(document)
    for offset in (position, position + 1):  # a position is between two characters
        cursor.setPosition(min(offset, document.characterCount() - 1))
        if cursor.charFormat().isAnchor():
            leads = cursor.charFormat().anchorHref()
            # Qt ends a bare URL by rules of its own.
            return next((link for link in find_links(leads) if leads.startswith(link)), leads)
    return written


def _bare_link(document: ReadDocument, text: str, position: int) -> str | None:
    offset = document.map.to_source(document.in_text(position))
    begin = text.rfind("\n", 0, offset) + 1
    line = text[begin : end if (end := text.find("\n", offset)) >= 0 else None]
    after = 0
    for link in find_links(line):
        start = line.index(link, after)
        after = start + len(link)
        if start <= offset - begin < after:
            return link
    return None


PLAIN_MARGIN, FAR_MARGIN, TEXT_COLUMN_WIDTH = 16, 24, 660
PICTURE_KEYS = {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_O}  # with the text cursor before a picture
WORD_CHOICE_KEYS = {Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End}
WORD_RECORD_KEYS = {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_L}


class ResponseView(TextView):
    """Text view that paints marks from the text layout, so that nothing moves."""

    PAINTS_POINTS = True

    target_clicked = Signal(str)
    target_picked = Signal(str, bool)  # with Ctrl, or with Shift: the range up to it
    words_chosen = Signal()  # selected with the keyboard
    choosing_ended = Signal()
    page_wanted = Signal(str)
    pictures_placed = Signal()
    picture_wanted = Signal(str)
    takes_enter = Property(bool, lambda self: self._choice is not None)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        self._targets: tuple[Target, ...] = ()
        self._states: Mapping[str, TargetState] = {}
        self._current: str | None = None
        self._claim: tuple[tuple[int, int], ...] = ()
        self._selected: frozenset[str] = frozenset()
        self._picked = False  # by the mouse button that is down
        self._marks: tuple[TargetMark, ...] = ()
        self._pale: list[TargetMark] = []  # whose words are coloured where they are near the view
        self._inked: list[TargetMark] = []  # those that are coloured now, in a span of the document
        self._inked_span = (0, 0)
        self._layers: dict[str, tuple[QuietMark, ...]] = {}
        self._quiet: tuple[QuietMark, ...] = ()
        self._choice: WordChoice | None = None
        self._previous_focus: QWidget | None = None  # widget that had the focus before words were chosen
        super().__init__(name, parent)
        self._web_pictures = {}
        self.setMouseTracking(True)

    def prepare_response(self, text: str, targets: Sequence[Target], *, plain: bool = True) -> None:
        """Lay out a response that may be shown next."""
        self.prepare(text, plain=plain, wanted=tuple(map(_target_span, _in_order(targets))))

    def show_response(
        self,
        text: str,
        targets: Sequence[Target],
        states: Mapping[str, TargetState] | None = None,
        current: str | None = None,
        claim: tuple[tuple[int, int], ...] = (),
        *,
        plain: bool = True,
    ) -> None:
        placed = _in_order(targets)
        framed = bool(self._targets) == bool(placed)
        self._targets = placed
        self._wanted = tuple(map(_target_span, placed))
        self._states, self._current, self._claim = dict(states or {}), current, claim
        # If only borders changed, the text is not laid out again, so the scroll position stays.
        same = framed and (text, plain) == (self._text, self._plain)
        if same and all(self.shown_map.shown_span(*span) is not None for span in self._wanted):
            self._update_marks()
        else:
            self.show_text(text, plain=plain)
            if self.pictures:
                self.pictures_placed.emit()

    def forget(self) -> None:
        """Reset the view before another response, even one with the same text."""
        self.stop_choosing()
        self._text, self._targets, self._layers, self._web_pictures = "", (), {}, {}

    def show_states(
        self, states: Mapping[str, TargetState], current: str | None, claim: tuple[tuple[int, int], ...] = ()
    ) -> None:
        moved = current != self._current
        if (states, current, claim) == (self._states, self._current, self._claim):
            return
        stays = (current, claim) == (self._current, self._claim)
        names, before = states.keys() | self._states.keys(), self._states
        changed = {name for name in names if (states.get(name),) != (before.get(name),)} if stays else None
        self._states, self._current, self._claim = dict(states), current, claim
        self._update_marks(changed)
        if moved:
            self.stop_choosing()
            self.show_current()

    def show_current(self) -> None:
        """Bring the current target into view."""
        self._bring_into_view(self._current_mark())

    def show_selected(self, selected: frozenset[str], end: str | None) -> None:
        """Show the targets that are answered together, and bring the end of the selected range into view."""
        if selected == self._selected:
            return
        self._selected = selected
        self.viewport().update()
        mark = next((mark for mark in self._marks if self._targets[mark.number - 1].id == end), None)
        if mark is not None and selected:
            self._bring_into_view(mark)

    def show_layer(self, name: str, marks: Sequence[QuietMark]) -> None:
        """Replace the marks of a layer; spans are code points."""
        if tuple(marks) != self._layers.get(name, ()):
            self._layers[name] = tuple(marks)
            self._place_layers()
            self.viewport().update()

    @property
    def pictures(self) -> list[str]:
        """Return the addresses of the pictures that were not fetched yet."""
        urls = dict.fromkeys(url for _position, url in self._read.placeholders)
        return [url for url in urls if not isinstance((self._web_pictures or {}).get(url), QImage)]

    def show_picture(self, url: str, picture: QImage | str) -> None:
        """Show a picture in its place, or a text if it is none."""
        across, down = self.horizontalScrollBar().value(), self.verticalScrollBar().value()
        self._web_pictures = {**(self._web_pictures or {}), url: picture}
        self._lay_anew()
        self.horizontalScrollBar().setValue(across)
        self.verticalScrollBar().setValue(down)

    def picture_under(self, point: QPoint) -> str | None:
        """Return the address of the picture at a point of the view, unless it is shown already."""
        for position, url in self._read.placeholders:
            here = self.cursorRect(self._cursor(position, position))
            after = self.cursorRect(self._cursor(position + 1, position + 1))
            left, right = sorted((here.x(), after.x()))
            if left <= point.x() <= right and after.top() <= point.y() <= after.bottom():
                return url if url in self.pictures else None
        return None

    def _picture_at_cursor(self) -> str | None:
        at = self.textCursor().position()
        return next((url for position, url in self._read.placeholders if position == at and url in self.pictures), None)

    def select_span(self, start: int, end: int) -> None:
        """Select a span of code points and scroll to it."""
        span = self.shown_map.shown_span(start, end)
        if span is not None:
            self.setTextCursor(self._cursor(*span))
            self.ensureCursorVisible()

    def layer(self, name: str) -> tuple[QuietMark, ...]:
        return self._layers.get(name, ())

    @property
    def has_targets(self) -> bool:
        """Return whether there is a margin with shapes."""
        return bool(self._targets)

    # -- selection

    def selected_stretch(self) -> tuple[int, int] | None:
        """Return start and end of the selection; `None` without one."""
        cursor = self.textCursor()
        if not cursor.hasSelection():
            return None
        first, last = (self._read.in_text(at) for at in (cursor.selectionStart(), cursor.selectionEnd()))
        start, end = self.shown_map.source_span(first, last)
        return (start, end) if start < end else None

    def drop_selection(self) -> None:
        cursor = self.textCursor()
        cursor.clearSelection()
        self.setTextCursor(cursor)

    def choose_words(self) -> bool:
        """Choose words of the current target with the keyboard; return `False` if there is no target."""
        mark = self._current_mark()
        if mark is None:
            return False
        begin, end = mark.span
        spans = word_spans(self._between(begin, end))
        if not spans:
            return False
        self._previous_focus = QApplication.focusWidget()
        self.setFocus()
        self._choose(WordChoice(tuple((begin + first, begin + last) for first, last in spans)))
        return True

    def stop_choosing(self, *, keep: bool = False) -> None:
        """Stop choosing words and restore the focus; with `keep` the selection stays."""
        if self._choice is None:
            return
        self._choice = None
        before, self._previous_focus = self._previous_focus, None
        if before is not None and isValid(before) and before.isVisible() and self.hasFocus():
            before.setFocus()
        if not keep:
            self.drop_selection()
        self.choosing_ended.emit()

    def _choose(self, choice: WordChoice) -> None:
        self._choice = choice
        first, last = choice.span
        self.setTextCursor(self._cursor(*((last, first) if choice.active < choice.anchor else (first, last))))

    # -- keyboard and mouse

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._is_own_key(event):
            event.accept()
            return True
        return super().event(event)

    def _is_own_key(self, event: QKeyEvent) -> bool:
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        if self._choice is not None and plain and event.key() in WORD_RECORD_KEYS | {Qt.Key.Key_Escape}:
            return True
        if event.key() in PICTURE_KEYS and plain and self._picture_at_cursor() is not None:
            return True
        return event.key() == Qt.Key.Key_O and plain and self._link_at(self.textCursor().position()) is not None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._choice is not None and self._handle_choice_key(event):
            return
        picture = self._picture_at_cursor() if event.key() in PICTURE_KEYS else None
        if picture is not None:
            self.picture_wanted.emit(picture)
            return
        link = self._link_at(self.textCursor().position()) if event.key() == Qt.Key.Key_O else None
        if link is not None:
            self.page_wanted.emit(link)
            return
        super().keyPressEvent(event)

    def _handle_choice_key(self, event: QKeyEvent) -> bool:
        choice, key = self._choice, event.key()
        assert choice is not None
        if key in WORD_RECORD_KEYS:
            self.stop_choosing(keep=True)
            self.words_chosen.emit()
        elif key == Qt.Key.Key_Escape:
            self.stop_choosing()
        elif key in WORD_CHOICE_KEYS:
            extend = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            onward = Qt.Key.Key_Left if self.backwards else Qt.Key.Key_Right
            if key in (Qt.Key.Key_Home, Qt.Key.Key_End):
                choice = choice.at(0 if key == Qt.Key.Key_Home else len(choice.words), extend=extend)
            else:
                choice = choice.moved(1 if key == onward else -1, extend=extend)
            self._choose(choice)
        else:
            return False
        return True

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if event.reason() != Qt.FocusReason.ActiveWindowFocusReason:
            self.stop_choosing()
        super().focusOutEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.stop_choosing()
        self._picked = self._picks_target(event)
        if not self._picked:
            super().mousePressEvent(event)

    def _picks_target(self, event: QMouseEvent) -> bool:
        """Select the target at a Ctrl or Shift click; a link there, or words that are selected, come first."""
        control = event.modifiers() == Qt.KeyboardModifier.ControlModifier
        shift = event.modifiers() == Qt.KeyboardModifier.ShiftModifier
        if event.button() != Qt.MouseButton.LeftButton or not (control or shift) or self.textCursor().hasSelection():
            return False
        position = self.cursorForPosition(event.position().toPoint()).position()
        target = self._target_at(position)
        if target is None or (control and self._link_at(position) is not None):
            return False
        self.target_picked.emit(target, shift)
        return True

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() != Qt.MouseButton.LeftButton or self.textCursor().hasSelection() or self._picked:
            return
        position = self.cursorForPosition(event.position().toPoint()).position()
        alt = event.modifiers() & Qt.KeyboardModifier.AltModifier
        link = None if alt else self.link_under(event.position().toPoint())
        target = self._target_at(position)
        picture = None if alt else self.picture_under(event.position().toPoint())
        if picture is not None:
            self.picture_wanted.emit(picture)
        elif link is not None:
            self.page_wanted.emit(link)
        elif target is not None:
            self.target_clicked.emit(target)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        point = event.position().toPoint()
        over = not event.buttons() and (self.link_under(point) or self.picture_under(point)) is not None
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.IBeamCursor)

    def link_under(self, point: QPoint) -> str | None:
        """Return the URL of the link at a point of the view."""
        cursor, near = self.cursorForPosition(point), round(self._read.look.size)
        # Beside a line, the position is that of its end.
        inside = self.cursorRect(cursor).adjusted(-near, -2, near, 2).contains(point)
        return self._link_at(cursor.position()) if inside else None

    def target_text(self, point: QPoint | None = None) -> str:
        """Return the text of the target at a point of the view, or of the current one; "" if there is none."""
        here = self._target_at(self.cursorForPosition(point).position()) if point is not None else self._current
        target = next((target for target in self._targets if target.id == here), None)
        return self._text[slice(*_target_span(target))] if target is not None else ""

    def _tip(self, point: QPoint) -> str:
        """Return the tooltip at a point: the source of a formula, hidden characters and the URL of a link."""
        position = self.cursorForPosition(point).position()
        hidden = [name for offset, name in self.hidden if abs(offset - position) <= 1]
        tips = [mark.tip for mark in self._quiet if mark.tip and mark.span[0] <= position < mark.span[1]]
        link = self.link_under(point)
        way = self.tr("Click opens the page, {alt}+click selects the target") if link and self._targets else ""
        picture, source = self.picture_under(point), super()._tip(point)
        if picture is not None:
            link, way, source = picture, self.tr("Click fetches the picture"), ""
        lines = (*hidden, *tips, *filter(None, [source, link, way.format(alt=key_text("Alt"))]))
        return "\n".join(dict.fromkeys(lines))

    def _link_at(self, position: int) -> str | None:
        return link_at(self._read, self._text, position)

    def _target_at(self, position: int) -> str | None:
        within = [mark for mark in self._marks if mark.span[0] <= position < mark.span[1]]
        # Of nested targets, the smallest; the others can be clicked beside it.
        smallest = min(within, key=lambda mark: mark.span[1] - mark.span[0], default=None)
        return self._targets[smallest.number - 1].id if smallest is not None else None

    # -- painting

    def _lay_anew(self) -> None:
        self._choice = None
        self._marks = ()  # marks of the previous text; Qt resizes the view while the new text is set
        self._pale, self._inked_span = [], (0, 0)
        super()._lay_anew()
        self._place_layers()
        self._update_marks()

    def _place_layers(self) -> None:
        """Place the layers in the shown text; Markdown syntax is not shown."""
        placed = []
        for marks in self._layers.values():
            for mark in marks:
                span = self.shown_map.shown_span(*mark.span)
                if span is not None and span[0] < span[1]:
                    placed.append(replace(mark, span=span))
        self._quiet = tuple(placed)

    def _frame(self) -> None:
        """Set the margin for shapes at the leading side, and the column to a readable width."""
        near = theme.px(TARGET_MARGIN if self._targets else PLAIN_MARGIN)
        column = theme.reading_px(TEXT_COLUMN_WIDTH)
        far = max(theme.px(FAR_MARGIN if self._targets else PLAIN_MARGIN), self.viewport().width() - near - column)
        self._set_margins(near, far, top=theme.px(4), bottom=theme.px(24))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._frame()
        super().resizeEvent(event)

    def _update_marks(self, changed: Collection[str] | None = None) -> None:
        """Show the targets in their states: all of them, or those whose states have `changed`."""
        colors, targets = theme.tokens(self), self._targets
        if changed is None:
            spans = [self.shown_map.shown_span(*_target_span(target)) for target in targets]
            placed = [(number, span) for number, span in enumerate(spans, 1) if span is not None]
            others: dict[int, TargetMark] = {}
        else:
            placed = [(mark.number, mark.span) for mark in self._marks]
            others = {mark.number: mark for mark in self._marks if targets[mark.number - 1].id not in changed}
        self._marks = tuple(
            [
                others.get(number) or target_mark(self._states.get(targets[number - 1].id), span, number, colors)
                for number, span in placed
            ]
        )
        here = self._current_mark()
        self._pale = [mark for mark in self._marks if mark.words_ink is not None and mark is not here]
        self._ink_words(self._inked_span)
        if changed is None:
            self.viewport().update()
        else:
            for mark in self._marks:
                if mark.number not in others:
                    self._repaint(mark)

    def _repaint(self, mark: TargetMark) -> None:
        """Repaint the lines of a target, and the lines next to them, into which its mark reaches."""
        # By lines, since a cursor would need the glyphs of the whole paragraph.
        first, last = (line_at(self._read, position) for position in mark.span)
        top, beyond = floor(min(first.top(), last.top())) - self.scrolled.y(), self._read.look.line
        height = ceil(max(first.bottom(), last.bottom())) - self.scrolled.y() - top
        self.viewport().update(0, top - beyond, self.viewport().width(), height + 2 * beyond)

    def _near_view(self) -> tuple[int, int]:
        """Return the span of the document that is in view, with half a view above and below it."""
        top, height = self.scrolled.y(), self.viewport().height()
        return VisibleText(self._read, top - height / 2, top + height * 1.5).span

    def _ink_words(self, span: tuple[int, int]) -> None:
        """Colour the words of the pale targets in a span of the document; Qt looks at each when it paints a line."""
        inked = [mark for mark in self._pale if mark.span[0] < span[1] and mark.span[1] > span[0]]
        if inked != self._inked:
            self._inked = inked
            self.setExtraSelections(
                [self._colored(mark, mark.words_ink) for mark in inked if mark.words_ink is not None]
            )

    def _colored(self, mark: TargetMark, ink: QColor) -> QTextEdit.ExtraSelection:
        selection = QTextEdit.ExtraSelection()
        selection.cursor = self._cursor(*mark.span)
        form = QTextCharFormat()
        form.setForeground(ink)
        selection.format = form
        return selection

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self.viewport()) as painter:
            scroll = self.scrolled.y()
            painter.translate(-self.scrolled)
            area, line = event.rect(), self._read.look.line
            sight = VisibleText(self._read, area.top() + scroll - line, area.bottom() + scroll + line)
            first, last = sight.span
            if self._pale and not self._inked_span[0] <= first <= last <= self._inked_span[1]:
                self._inked_span = self._near_view()
                self._ink_words(self._inked_span)
            form = self._read.rootFrame().frameFormat()
            width = self.viewport().width() + self._extra_width
            margin = width - form.rightMargin() if self.backwards else form.leftMargin()
            brush = ResponsePainter(painter, sight, self._read.look, theme.tokens(self), margin=margin)
            brush.grounds(width - form.leftMargin() - form.rightMargin() - self._table_margin)
            brush.quiet(sight.visible_marks(self._quiet))
            here = self._current_mark()
            claim = [span for part in self._claim if (span := self.shown_map.shown_span(*part)) is not None]
            chosen = (number for number, target in enumerate(self._targets, 1) if target.id in self._selected)
            selected = frozenset(chosen if self._selected else ())
            brush.marks(sight.visible_marks(self._marks), here.number if here is not None else None, claim, selected)
        super().paintEvent(event)

    def _current_mark(self) -> TargetMark | None:
        return next((mark for mark in self._marks if self._targets[mark.number - 1].id == self._current), None)

    def _cursor(self, first: int, last: int) -> QTextCursor:
        return select_range(QTextCursor(self._read), first, last)

    def _between(self, first: int, last: int) -> str:
        return self._cursor(first, last).selectedText()

    def _bring_into_view(self, mark: TargetMark | None) -> None:
        if mark is None:
            return
        # By lines, since a cursor would need the glyphs of the whole paragraph.
        lines, scroll = [line_at(self._read, position) for position in mark.span], self.scrolled.y()
        top, bottom = floor(lines[0].top()) - scroll, ceil(lines[1].bottom()) - scroll
        height, bar = self.viewport().height(), self.verticalScrollBar()
        spare = height - (bottom - top)
        around = min(40, max(0, spare // 2))
        if top < 0 or (bottom > height and spare < 0):
            bar.setValue(bar.value() + top - around)
        elif bottom > height:
            bar.setValue(bar.value() + bottom - height + around)
        across, width = self.horizontalScrollBar(), self.viewport().width()
        if across.maximum():
            left = self.cursorRect(self._cursor(mark.span[0], mark.span[0])).left()
            if not 0 <= left < width - 40:
                self._scroll_across(self.scrolled.x() + left - width * (3 if self.backwards else 1) // 4)


def _in_order(targets: Sequence[Target]) -> tuple[Target, ...]:
    """Return the targets that have a place in the text, in its order."""
    placed = (target for target in targets if target.start is not None and target.end is not None)
    return tuple(sorted(placed, key=_target_span))


def _target_span(target: Target) -> tuple[int, int]:
    return target.start or 0, target.end or 0
