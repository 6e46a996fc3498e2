"""Rows of the problem list: the message, and the fixes as buttons beside or beneath it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QEvent, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QStyle, QVBoxLayout, QWidget

from desktop_rater.model.rubric import SourcedStruct
from desktop_rater.ui.rating.form.question import LABEL_SLACK, LabelControlLayout
from desktop_rater.ui.rating.problem_fixes import ProblemFix, question_subject
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.icons import Icon
from desktop_rater.ui.widgets.labels import WrappedLabel
from desktop_rater.ui.widgets.layouts import FlowLayout
from desktop_rater.ui.widgets.list_view import Index, ListRow, ListRowDelegate, RowList, ink_of
from desktop_rater.ui.widgets.source_badge import SourceBadge
from desktop_rater.ui.widgets.theme_tokens import CONTROL, TOOL

MAX_LINES_BESIDE_BUTTON = 4  # longest text beside a single button
translate = QCoreApplication.translate


def fix_label(way: ProblemFix) -> str:
    """Return the label of a fix's button."""
    about = question_subject(way.question) if way.question is not None else ""
    label = way.choice.label if way.choice is not None else str(way.value)
    templates = {
        "split": translate("Problems", "Split into claims"),
        "change": translate("Problems", "Change to {label}"),
        "reconsider": translate("Problems", "Reconsider {about}"),
        "weigh": translate("Problems", "Review the evidence"),
        "write": translate("Problems", "Write the {about}"),
        "answer": translate("Problems", "Answer"),
        "open": translate("Problems", "Open"),
        "mend": translate("Problems", "Write the quote") if way.field == "quote" else translate("Problems", "Fix"),
        "acknowledge": translate("Problems", "Acknowledge…"),
        "take_back": translate("Problems", "Withdraw"),
    }[way.kind]
    return templates.format(label=label, about=about)


class ProblemRow(QWidget):
    """Widget over a row of the list. A click beside the buttons reaches the list."""

    taken = Signal(object)  # WayOut

    def __init__(self, line: ListRow, ways: Sequence[ProblemFix], source: SourcedStruct | None = None) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setSpacing(theme.px(10))
        row.setContentsMargins(theme.px(16), theme.px(3), theme.px(16), theme.px(7))
        mark = QVBoxLayout()
        mark.addSpacing(LABEL_SLACK)
        mark.addWidget(Icon(line.mark, ink=ink_of(line.mark)), 0, Qt.AlignmentFlag.AlignTop)
        mark.addStretch(1)
        row.addLayout(mark)
        both = QWidget()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        both.setSizePolicy(policy)
        pair = LabelControlLayout(both)
        pair.most_lines = MAX_LINES_BESIDE_BUTTON if len(ways) == 1 else pair.most_lines
        self.label = WrappedLabel(line.title)
        pair.addWidget(self.label)
        buttons = QWidget()
        buttons.setSizePolicy(policy)
        flow = FlowLayout(buttons, spacing=theme.px(8), alike=False)
        badge = SourceBadge(source)
        badge.setMinimumHeight(theme.px(CONTROL if ways else TOOL))
        flow.addWidget(badge)
        self.buttons = [self._button(way, flat=len(ways) == 1) for way in ways]
        for button in self.buttons:
            flow.addWidget(button)
        pair.addWidget(buttons)
        row.addWidget(both, 1)

    def height_in(self, width: int) -> int:
        layout = self.layout()
        assert layout is not None
        return max(theme.px(36), layout.heightForWidth(width)) if width > 0 else theme.px(36)

    def _button(self, way: ProblemFix, *, flat: bool) -> KeyButton:
        button = KeyButton(fix_label(way), way.keys, flat=flat)
        button.setObjectName(f"way_{way.kind}")
        if way.kind == "change" and way.choice is not None:
            button.set_look(way.choice.tone, way.choice.shape)
        button.clicked.connect(lambda: self.taken.emit(way))
        return button


class ProblemDelegate(ListRowDelegate):
    """Delegate that paints the background and rail of a row; the widget over it shows the text."""

    view: ProblemList

    def height_of(self, index: Index) -> int:
        return self.view.row_height(index)

    def paint_row(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag, row: ListRow, index: Index) -> None:
        del index
        self.paint_background(painter, rect, state, row)


class ProblemList(RowList):
    """List of problems; Return goes to the problem instead of going on."""

    delegate_class = ProblemDelegate

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, two_lines=False, parent=parent)
        self.setUniformItemSizes(False)
        self._max_height = 0

    def fit_height(self, most: int) -> None:
        """Set the height to that of the rows, at most `most` pixels; beyond that it scrolls."""
        self._max_height = most
        self.setFixedHeight(min(most, self.rows_height() + 2 * self.frameWidth()))
        self.scheduleDelayedItemsLayout()

    def row_height(self, index: Index) -> int:
        """Return the height of a row at this width. Qt's own result is based on the size hint, which is higher."""
        row = self.indexWidget(index)
        return row.height_in(self.viewport().width()) if isinstance(row, ProblemRow) else self.row_delegate.height()

    def row_widgets(self) -> list[QWidget]:
        """Return the widgets over the rows, from top to bottom."""
        widgets = (self.indexWidget(self.model().index(row, 0)) for row in range(self.model().rowCount()))
        return [widget for widget in widgets if widget is not None]

    def put(self, row: int, widget: ProblemRow) -> None:
        """Set the widget over a row; hide the previous one, which Qt deletes later."""
        index = self.model().index(row, 0)
        before = self.indexWidget(index)
        if before is not None:
            before.hide()
        self.setIndexWidget(index, widget)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._max_height and event.size().width() != event.oldSize().width():
            self.fit_height(self._max_height)  # text wraps differently at another width
        self.scheduleDelayedItemsLayout()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._is_go_key(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._is_go_key(event):
            self.activated.emit(self.currentIndex())
            return
        super().keyPressEvent(event)

    def _is_go_key(self, event: QKeyEvent) -> bool:
        plain = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and not event.modifiers()
        return plain and self.currentIndex().isValid()
