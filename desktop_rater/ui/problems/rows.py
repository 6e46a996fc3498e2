"""Rows of the list of problems: why, and the ways out as buttons beside the words or beneath them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from desktop_rater.ui import theme
from desktop_rater.ui.flow import FlowLayout
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.form.pair import SLACK, PairLayout
from desktop_rater.ui.icons import Icon
from desktop_rater.ui.plain import WrappedLabel
from desktop_rater.ui.problems.ways_out import WayOut, short_name
from desktop_rater.ui.rows import LINE_ROLE, Index, Line, LineDelegate, LineList, ink_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent
    from PySide6.QtWidgets import QStyleOptionViewItem

MOST_LINES = 4  # beside which a single way out may stand
translate = QCoreApplication.translate


def way_words(way: WayOut) -> str:
    """What stands on the button of a way out."""
    about = short_name(way.question) if way.question is not None else ""
    label = way.choice.label if way.choice is not None else str(way.value)
    words = {
        "change": translate("Problems", "Change to {label}"),
        "reconsider": translate("Problems", "Reconsider {about}"),
        "weigh": translate("Problems", "Weigh the evidence"),
        "write": translate("Problems", "Write the {about}"),
        "answer": translate("Problems", "Answer"),
        "open": translate("Problems", "Open"),
        "mend": translate("Problems", "Write the quote") if way.field == "quote" else translate("Problems", "Mend"),
        "acknowledge": translate("Problems", "Acknowledge…"),
        "take_back": translate("Problems", "Take back"),
    }[way.kind]
    return words.format(label=label, about=about)


class ProblemRow(QWidget):
    """Lies over its row of the list. A click beside the buttons is the list's."""

    taken = Signal(object)  # WayOut

    def __init__(self, line: Line, ways: Sequence[WayOut], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setSpacing(theme.px(10))
        row.setContentsMargins(theme.px(16), theme.px(3), theme.px(16), theme.px(7))
        mark = QVBoxLayout()
        mark.addSpacing(SLACK)
        mark.addWidget(Icon(line.mark, ink=ink_of(line.mark)), 0, Qt.AlignmentFlag.AlignTop)
        mark.addStretch(1)
        row.addLayout(mark)
        both = QWidget()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        both.setSizePolicy(policy)
        pair = PairLayout(both)
        pair.most_lines = MOST_LINES if len(ways) == 1 else pair.most_lines
        self.label = WrappedLabel(line.title)
        pair.addWidget(self.label)
        buttons = QWidget()
        buttons.setSizePolicy(policy)
        flow = FlowLayout(buttons, spacing=theme.px(8))
        self.buttons = [self._button(way, flat=len(ways) == 1) for way in ways]
        for button in self.buttons:
            flow.addWidget(button)
        pair.addWidget(buttons)
        row.addWidget(both, 1)

    def height_in(self, width: int) -> int:
        """The height that the row needs at a width."""
        layout = self.layout()
        assert layout is not None
        return max(theme.px(36), layout.heightForWidth(width)) if width > 0 else theme.px(36)

    def _button(self, way: WayOut, *, flat: bool) -> KeyButton:
        button = KeyButton(way_words(way), way.keys, flat=flat)
        button.setObjectName(f"way_{way.kind}")
        if way.kind == "change" and way.choice is not None:
            button.set_look(way.choice.tone, way.choice.shape)
        button.clicked.connect(lambda: self.taken.emit(way))
        return button


class ProblemDelegate(LineDelegate):
    """The ground and the rail of a row; the words are those of the widget over it."""

    def __init__(self, view: ProblemList) -> None:
        super().__init__(view, two_lines=False)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002 - the list gives the width
        return QSize(80, self._view.row_height(index))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line: Line = index.data(LINE_ROLE)
        painter.save()
        self.frame(painter, option.rect, option.state, line)
        painter.restore()


class ProblemList(LineList):
    """Return goes to the problem: it does not go on."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, two_lines=False, parent=parent)
        self.setUniformItemSizes(False)
        self.setItemDelegate(ProblemDelegate(self))
        self._room = 0

    def fit_height(self, most: int) -> None:
        """Be as high as the rows, at most `most` pixels: then it scrolls."""
        self._room = most
        rows = (self.row_height(self.model().index(row, 0)) for row in range(self.model().rowCount()))
        self.setFixedHeight(min(most, sum(rows) + 2 * self.frameWidth()))
        self.scheduleDelayedItemsLayout()

    def row_height(self, index: Index) -> int:
        """What a row needs at this width. Qt's own answer counts what its widget would like, which is more."""
        row = self.indexWidget(index)
        return row.height_in(self.viewport().width()) if isinstance(row, ProblemRow) else self.line_delegate.height()

    def row_widgets(self) -> list[QWidget]:
        """What lies over the rows, from top to bottom."""
        found = (self.indexWidget(self.model().index(row, 0)) for row in range(self.model().rowCount()))
        return [widget for widget in found if widget is not None]

    def put(self, row: int, widget: ProblemRow) -> None:
        """Lay a widget over a row, in the place of the one that is there: that one goes only later, so it is hidden."""
        index = self.model().index(row, 0)
        before = self.indexWidget(index)
        if before is not None:
            before.hide()
        self.setIndexWidget(index, widget)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._room and event.size().width() != event.oldSize().width():
            self.fit_height(self._room)  # words wrap otherwise in another width
        self.scheduleDelayedItemsLayout()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._goes(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._goes(event):
            self.activated.emit(self.currentIndex())
            return
        super().keyPressEvent(event)

    def _goes(self, event: QKeyEvent) -> bool:
        plain = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and not event.modifiers()
        return plain and self.currentIndex().isValid()
