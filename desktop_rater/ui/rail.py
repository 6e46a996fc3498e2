"""The task list folded away: how far the bundle is, and the shapes of the tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QFrame, QVBoxLayout, QWidget

from desktop_rater.ui import icons, spelling, theme
from desktop_rater.ui.folds import RAIL
from desktop_rater.ui.plain import PlainLabel, set_tooltip
from desktop_rater.ui.rows import LINE_ROLE, MARK, Index, LineDelegate, LineList

if TYPE_CHECKING:
    from PySide6.QtWidgets import QStyleOptionViewItem

    from desktop_rater.store.tasks import StateCounts
    from desktop_rater.ui.task_list import TaskList

ROW = 26


class ShapeDelegate(LineDelegate):
    """A row of a shape alone; the words are in its tooltip, and are spoken."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, two_lines=False, pad=(RAIL - MARK) // 2)

    def height(self) -> int:
        return theme.px(ROW)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002 - all rows are alike
        return QSize(theme.px(RAIL), self.height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        line, rect = index.data(LINE_ROLE), option.rect
        self.frame(painter, rect, option.state, line)
        self.mark(painter, rect, rect.center().y(), line)
        painter.restore()


class OpenButton(QAbstractButton):
    """Opens the list over the text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("open_tasks")
        self.setAccessibleName(self.tr("Task list, Ctrl B"))
        set_tooltip(self, self.accessibleName())
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        theme.follow(self, lambda: self.setFixedSize(theme.px(30), theme.px(30)))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.underMouse():
            painter.setBrush(theme.color(self, "hover"))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.drawRoundedRect(self.rect(), 4, 4)
        size = theme.px(16)
        field = QRectF((self.width() - size) / 2, (self.height() - size) / 2, size, size)
        icons.paint(painter, field, "list", theme.color(self, "text2"))
        painter.end()


class Rail(QWidget):
    """Shares the rows and the current one with the list."""

    opened = Signal()

    def __init__(self, tasks: TaskList, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("rail")
        theme.ground(self, "panel")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(0)
        self._button = OpenButton()
        self._button.clicked.connect(self.opened)
        column.addWidget(self._button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addSpacing(8)
        self._done = PlainLabel(name="rail_done")
        self._of = PlainLabel(name="rail_of")
        for label in (self._done, self._of):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            theme.write(label, "small", bold=label is self._done)
            column.addWidget(label)
        theme.quiet(self._of)
        column.addSpacing(8)
        self.list = LineList("task_rail", two_lines=False)
        self.list.setItemDelegate(ShapeDelegate(self.list))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName(self.tr("Tasks"))
        self.list.setModel(tasks.model)
        self.list.setSelectionModel(tasks.list.selectionModel())
        theme.paper(self.list, "panel")
        column.addWidget(self.list, 1)
        tasks.model.counted.connect(self._show_counts)
        theme.follow(self, lambda: self.setFixedWidth(theme.px(RAIL)))

    def _show_counts(self, counts: StateCounts) -> None:
        done, spelt = counts.complete + counts.skipped, spelling.number
        said = (spelt(done), self.tr("of {total}").format(total=spelt(counts.all)))
        for label, text in zip((self._done, self._of), said, strict=True):
            fits = label.fontMetrics().horizontalAdvance(text) <= theme.px(RAIL - 2)
            label.setText(text if fits else "…")
            set_tooltip(label, "" if fits else text)

    def showEvent(self, event: QEvent) -> None:
        super().showEvent(event)  # ty: ignore[invalid-argument-type]
        self.list.scrollTo(self.list.currentIndex())
