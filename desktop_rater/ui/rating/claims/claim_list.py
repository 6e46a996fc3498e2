"""List of claims and proposed claims: the selected row shows all its words, and is where they are edited."""

from __future__ import annotations

import re
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPen, QResizeEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QStyle, QTextEdit, QWidget

from desktop_rater.ui.rating.form.typed_questions import GrowingTextEdit
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.buttons import KeyButton, LinkButton
from desktop_rater.ui.widgets.labels import draw_text, right_to_left
from desktop_rater.ui.widgets.layouts import tight_column, tight_row
from desktop_rater.ui.widgets.list_view import LIST_ROW_ROLE, Index, ListRow, ListRowDelegate, RowList

MAX_LINES, CHIP_GAP, EDIT_MARGIN = 4, 8, 4
WRAP = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignTop
_WORD = re.compile(r"\w+(?:['\u2019]\w+)*")


@dataclass(frozen=True)
class ClaimRow(ListRow):
    """Row of a claim: `title` is its words, `chip` its number; a proposed claim has no chip."""

    chip: str = ""
    proposed: bool = False

    @property
    def spoken(self) -> str:
        return ", ".join(part for part in (self.chip, self.title, self.end) if part)


class ClaimRowDelegate(ListRowDelegate):
    """Delegate for rows of one line; the selected one has as many as its words need."""

    view: ClaimList

    def height_of(self, index: Index) -> int:
        if index.row() != self.view.currentIndex().row():
            return self.height()
        if self.view.is_editing:
            return self.view.words_box.sizeHint().height() + 2 * theme.px(EDIT_MARGIN)
        metrics, row = QFontMetrics(self.font), index.data(LIST_ROW_ROLE)
        width = self.words_rect(QRect(0, 0, self.view.viewport().width(), 0), row).width()
        bounds = metrics.boundingRect(QRect(0, 0, max(40, width), 10_000), WRAP.value, row.title)
        lines = max(1, min(MAX_LINES, round(bounds.height() / metrics.lineSpacing())))
        return self.height() + (lines - 1) * metrics.lineSpacing()

    def words_rect(self, rect: QRect, row: ClaimRow) -> QRect:
        """Return the area of the words, between the chip and the words at the end."""
        left = rect.left() + theme.px(self._pad + 24) + self._chip_width() + theme.px(CHIP_GAP)
        end = self.view.confirm_button.sizeHint().width() if self.view.offers_confirm(row) else 0
        end = end or QFontMetrics(self.small).horizontalAdvance(row.end)
        right = rect.right() - theme.px(self._pad) - (end + theme.px(CHIP_GAP) if end else 0)
        top = rect.top() + (self.height() - QFontMetrics(self.font).height()) // 2
        return QRect(left, top, right - left, rect.bottom() - top)

    def _chip_width(self) -> int:
        return QFontMetrics(self.small).horizontalAdvance("c0") + theme.px(8)

    def paint_row(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag, row: ListRow, index: Index) -> None:
        assert isinstance(row, ClaimRow), "the list has no others"
        self.paint_background(painter, rect, state, row)
        if index.row() + 1 < index.model().rowCount():
            painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme.color(self.view, "line"))
        selected = index.row() == self.view.currentIndex().row()
        middle = rect.top() + self.height() / 2
        self.paint_mark(painter, rect, middle, row)
        words = self.words_rect(rect, row)
        if row.chip:
            width = self._chip_width()
            chip = QRect(
                words.left() - theme.px(CHIP_GAP) - width, words.top(), width, QFontMetrics(self.font).height()
            )
            self._paint_chip(painter, QStyle.visualRect(self.view.layoutDirection(), rect, chip), row.chip, on=selected)
        if selected and self.view.is_editing:
            return
        if not self.view.offers_confirm(row):
            painter.setFont(self.small)
            painter.setPen(theme.color(self.view, "text") if row.mark_tone else self.soft)  # a label, or a state
            end = QRect(
                words.right(),
                words.top(),
                rect.right() - theme.px(self._pad) - words.right(),
                QFontMetrics(self.font).height(),
            )
            side = Qt.AlignmentFlag.AlignLeft if self.mirrored else Qt.AlignmentFlag.AlignRight
            flags = side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter
            draw_text(painter, QStyle.visualRect(self.view.layoutDirection(), rect, end), flags, row.end)
        painter.setFont(self.font)
        self._paint_words(painter, QStyle.visualRect(self.view.layoutDirection(), rect, words), row, whole=selected)

    def _paint_words(self, painter: QPainter, area: QRect, row: ClaimRow, *, whole: bool) -> None:
        backwards = right_to_left(row.title)
        painter.setLayoutDirection(Qt.LayoutDirection.RightToLeft if backwards else Qt.LayoutDirection.LeftToRight)
        painter.setPen(theme.color(self.view, "text2" if row.proposed else "text"))
        side = Qt.AlignmentFlag.AlignRight if backwards else Qt.AlignmentFlag.AlignLeft
        flags = side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignTop
        if whole:
            painter.setClipRect(area)
            draw_text(painter, area, WRAP | flags, row.title)
        else:
            elided = painter.fontMetrics().elidedText(row.title, Qt.TextElideMode.ElideRight, area.width())
            draw_text(painter, area, flags | Qt.TextFlag.TextSingleLine, elided)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)

    def _paint_chip(self, painter: QPainter, area: QRect, name: str, *, on: bool) -> None:
        painter.setFont(self.small)
        painter.setPen(QPen(theme.color(self.view, "accent" if on else "edge"), 1))
        painter.setBrush(theme.color(self.view, "accent") if on else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(area).adjusted(0.5, 0.5, -0.5, -0.5), theme.px(3), theme.px(3))
        painter.setPen(theme.color(self.view, "accent_text" if on else "text"))
        draw_text(painter, area, Qt.AlignmentFlag.AlignCenter, name)


class ClaimWordsEdit(GrowingTextEdit):
    """Text field for the words of a claim, on one line of text; Enter keeps them."""

    kept = Signal()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and _is_enter(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if _is_enter(event):
            self.kept.emit()
            return
        super().keyPressEvent(event)

    def mark_added_words(self, response: str) -> None:
        """Underline the words that the response does not have with dashes."""
        known = {word.casefold() for word in _WORD.findall(response)}
        selections = []
        for match in _WORD.finditer(self.toPlainText()):
            if match[0].casefold() not in known:
                selection = QTextEdit.ExtraSelection()
                selection.cursor = QTextCursor(self.document())
                selection.cursor.setPosition(match.start())
                selection.cursor.setPosition(match.end(), QTextCursor.MoveMode.KeepAnchor)
                form = QTextCharFormat()
                form.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DashUnderline)
                selection.format = form
                selections.append(selection)
        self.setExtraSelections(selections)


def _is_enter(event: QEvent) -> bool:
    keys = {Qt.Key.Key_Return, Qt.Key.Key_Enter}
    bare = {Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier}
    return isinstance(event, QKeyEvent) and event.key() in keys and event.modifiers() in bare


class ClaimWordsBox(QWidget):
    """The field for the words of the selected claim, and what its keys do."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        column = tight_column(self, spacing=0)
        self.edit = ClaimWordsEdit()
        self.edit.setObjectName("claim_words")
        self.edit.setAccessibleName(self.tr("The claim in words that stand by themselves"))
        column.addWidget(self.edit)
        row = tight_row(spacing=0)
        self.span_button = LinkButton(self.tr("Add selection"), "Ctrl L", name="add_span")
        self.keep_button = LinkButton(self.tr("Keep"), "Enter", name="keep_words")
        self.back_button = LinkButton(self.tr("As proposed"), "Alt Z", name="words_as_proposed")
        row.addWidget(self.span_button)
        row.addStretch(1)
        row.addWidget(self.keep_button)
        row.addWidget(self.back_button)
        column.addLayout(row)
        self.hide()


class ClaimList(RowList):
    """List of claims. The box for the words lies over the selected row, the button to confirm at its end."""

    delegate_class = ClaimRowDelegate

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        # The delegate measures both.
        self.words_box: ClaimWordsBox
        self.confirm_button: KeyButton
        self._is_fitting = False  # the layout may show or hide the scroll bar, which resizes the viewport
        super().__init__(name, two_lines=False, parent=parent)
        self.words_box = ClaimWordsBox(self.viewport())
        self.confirm_button = LinkButton(self.tr("Confirm"), "Z", name="confirm_claim", parent=self.viewport())
        self.confirm_button.hide()
        self.vary_heights()

    @property
    def is_editing(self) -> bool:
        return not self.words_box.isHidden()

    def offers_confirm(self, row: ClaimRow) -> bool:
        current = self.currentIndex().data(LIST_ROW_ROLE)
        return row.proposed and current is not None and current.id == row.id and not self.is_editing

    def edit_row(self, *, on: bool) -> None:
        """Show or hide the box for the words of the selected row."""
        self.words_box.setHidden(not on)

    def fit_rows(self, most: int) -> None:
        """Set the height to the rows, at most `most` of one line and the rest of the selected one."""
        if self._is_fitting:
            return
        self._most, self._is_fitting = most, True
        heights = [self.sizeHintForRow(row) for row in range(self.model().rowCount())]
        extra = max(0, max(heights, default=0) - self.row_delegate.height())
        self.setFixedHeight(min(sum(heights), most * self.row_delegate.height() + extra) + 2 * self.frameWidth())
        self.scheduleDelayedItemsLayout()
        self.executeDelayedItemsLayout()
        self._is_fitting = False
        self.place_widgets()

    def place_widgets(self) -> None:
        """Move the box and the button to the selected row."""
        index = self.currentIndex()
        row, rect = index.data(LIST_ROW_ROLE), self.visualRect(index)
        delegate = self.row_delegate
        assert isinstance(delegate, ClaimRowDelegate)
        self.confirm_button.setVisible(row is not None and self.offers_confirm(row))
        if row is None:
            return
        direction, pad = self.layoutDirection(), theme.px(EDIT_MARGIN)
        words = delegate.words_rect(rect, row)
        box = QRect(words.left() - pad, rect.top() + pad, rect.right() - words.left(), rect.height() - 2 * pad)
        self.words_box.setGeometry(QStyle.visualRect(direction, rect, box))
        size = self.confirm_button.sizeHint()
        left = rect.right() - theme.px(8) - size.width()
        top = rect.top() + (delegate.height() - size.height()) // 2
        self.confirm_button.setGeometry(
            QStyle.visualRect(direction, rect, QRect(left, top, size.width(), size.height()))
        )

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        super().scrollContentsBy(dx, dy)
        self.place_widgets()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._most and event.size().width() != event.oldSize().width():
            self.fit_rows(self._most)
