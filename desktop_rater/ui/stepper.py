"""The order of work of a task in one row: what is done, what is to come, and where the rater is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
    QTimer,
)
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QFrame, QListView, QSizePolicy, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop_rater.ui import shapes, theme
from desktop_rater.ui.moves import spoken
from desktop_rater.ui.plain import plain_tooltip

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent, QWheelEvent

    from desktop_rater.ui.session import Session
    from desktop_rater.ui.steps import State, WorkStep

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
HEIGHT, BOX, SIDE = 40, 26, 16
PAD, MARK, GAP, LEAST_LINE, MOST_LINE = 8, 16, 6, 8, 48
MOST_WORDS = 180
STATE_ROLE = Qt.ItemDataRole.UserRole


class Steps(QAbstractListModel):
    """The steps of the task with how each stands. Frozen between two refreshes."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.steps: tuple[WorkStep, ...] = ()
        self._states: tuple[State, ...] = ()
        self.current = -1

    def refresh(self) -> bool:
        """Take over what the rating says now, and say whether the steps are others."""
        session = self._session
        steps, step = session.steps, session.step
        self._states = session.step_states
        self.current = steps.index(step) if step in steps else -1
        if steps != self.steps:
            self.beginResetModel()
            self.steps = steps
            self.endResetModel()
            return True
        if steps:
            self.dataChanged.emit(self.index(0), self.index(len(steps) - 1))
        return False

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.steps)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        at = index.row()
        if role == STATE_ROLE:
            return self._states[at]
        if role == Qt.ItemDataRole.DisplayRole:
            return self.words(self.steps[at])
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self.spoken(at)
        return plain_tooltip(self.spoken(at)) if role == Qt.ItemDataRole.ToolTipRole else None

    def words(self, step: WorkStep) -> str:
        """What a step is called: with two responses their letter comes first."""
        task = self._session.task
        alone = task is None or len(task.responses) == 1
        name = step.name
        if step.kind == "prompt":
            return self.tr("Prompt")
        if step.kind == "response":
            letter = spoken(step.place.response or "")
            return self.tr("Response") if alone else self.tr("Response {name}").format(name=letter)
        if step.kind == "tools" and step.reads:
            name = self.tr("tools")
        if alone or step.place.response is None:
            return name[:1].upper() + name[1:]
        return self.tr("{response}: {step}").format(response=spoken(step.place.response), step=name)

    def spoken(self, at: int) -> str:
        """A step in one breath: "A: fulfilment, 4 of 11, current, blocked"."""
        number = self.tr("{n} of {total}").format(n=at + 1, total=len(self.steps))
        current = self.tr("current") if at == self.current else ""
        said = {
            "todo": self.tr("to do"),
            "done": self.tr("done"),
            "blocked": self.tr("blocked"),
            "warns": self.tr("a warning"),
        }[self._states[at]]
        return ", ".join(filter(None, (self.words(self.steps[at]), number, current, said)))


class StepDelegate(QStyledItemDelegate):
    """A tick or a number, the words, and a line to the step before; the current one stands in a box."""

    def __init__(self, view: Stepper) -> None:
        super().__init__(view)
        self._view = view

    def font(self, *, bold: bool = False) -> QFont:
        """The font of the words."""
        font = QFont(self._view.font())
        font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
        return font

    def own_width(self, index: Index) -> float:
        """How wide a step is without its line. It is as wide while it is current, so that nothing moves."""
        words = min(QFontMetricsF(self.font(bold=True)).horizontalAdvance(self._words(index)), theme.px(MOST_WORDS))
        return words + theme.px(2 * PAD + GAP) + self._mark_width(index)

    def _words(self, index: Index) -> str:
        return " ".join(str(index.data() or "").split())

    def _mark_width(self, index: Index) -> float:
        figure = QFontMetricsF(self.font(bold=True)).horizontalAdvance(str(index.row() + 1))
        return max(theme.px(MARK), figure)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002 - all are alike
        line = self._view.line if index.row() else 0
        return QSize(round(self.own_width(index) + line), theme.px(HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        colors, px = theme.tokens(), theme.px
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect, mirrored = QRectF(option.rect), self._view.mirrored
        if index.row():
            # What the words need is theirs, also while the row is still laid out for another width.
            rect = self._line(painter, rect, max(0.0, rect.width() - self.own_width(index)), mirrored=mirrored)
        current = index.row() == self._view.model().current  # ty: ignore[missing-attribute]
        if current:
            box = QRectF(rect.left(), rect.center().y() - px(BOX) / 2, rect.width(), px(BOX)).adjusted(1, 1, -1, -1)
            painter.setBrush(QColor(colors.cur if colors.high else colors.sel))
            painter.setPen(QPen(QColor(colors.cur_edge), 2 if colors.high else 1.5))
            painter.drawRoundedRect(box, 4, 4)
        inner = rect.adjusted(px(PAD), 0, -px(PAD), 0)
        room = self._mark_width(index)
        left = inner.right() - room if mirrored else inner.left()
        state: State = index.data(STATE_ROLE)
        self._mark(painter, QRectF(left, inner.top(), room, inner.height()), index, state, current=current)
        used = room + px(GAP)
        words = inner.adjusted(0, 0, -used, 0) if mirrored else inner.adjusted(used, 0, 0, 0)
        painter.setFont(self.font(bold=current))
        painter.setPen(QColor(colors.text if current or state != "todo" else colors.text2))
        shown = painter.fontMetrics().elidedText(
            self._words(index), Qt.TextElideMode.ElideRight, int(words.width()) + 1
        )
        start = Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft
        painter.drawText(words, start | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute, shown)
        painter.restore()

    def _line(self, painter: QPainter, rect: QRectF, line: float, *, mirrored: bool) -> QRectF:
        """The line that leads here from the step before; what is left of the room."""
        inset = min(theme.px(4), line / 4)
        left = rect.right() - line if mirrored else rect.left()
        y = round(rect.center().y()) + 0.5
        painter.setPen(QPen(QColor(theme.tokens().line), 1))
        painter.drawLine(QPointF(left + inset, y), QPointF(left + line - inset, y))
        return rect.adjusted(0, 0, -line, 0) if mirrored else rect.adjusted(line, 0, 0, 0)

    def _mark(self, painter: QPainter, room: QRectF, index: Index, state: State, *, current: bool) -> None:
        colors = theme.tokens()
        if state == "todo" or (current and state == "done"):
            painter.setFont(self.font(bold=True))
            painter.setPen(QColor(colors.text if current else colors.text2))
            end = Qt.AlignmentFlag.AlignLeft if self._view.mirrored else Qt.AlignmentFlag.AlignRight
            flags = end | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute
            painter.drawText(room, flags, str(index.row() + 1))
            return
        size = theme.px(MARK)
        field = QRectF(room.center().x() - size / 2, room.center().y() - size / 2, size, size)
        shape, ink = shapes.STATES[state]
        shapes.paint(painter, field, shape, QColor(getattr(colors, ink)), QColor(colors.surface))


class Stepper(QListView):
    """Arrows and clicks go to a step, Enter goes on; where there is no room the row scrolls with the current one.

    It is there where a task has an order of work, and hides itself elsewhere.
    """

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("stepper")
        self.setAccessibleName(self.tr("Order of work"))
        self._session = session
        self.line = 0.0
        self.setFlow(QListView.Flow.LeftToRight)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        for hide in (self.setHorizontalScrollBarPolicy, self.setVerticalScrollBarPolicy):
            hide(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._delegate = StepDelegate(self)
        self.setItemDelegate(self._delegate)
        self.steps = Steps(session, self)
        self.setModel(self.steps)
        self.selectionModel().currentChanged.connect(self._chosen)
        theme.paper(self, "panel")
        theme.ground(self, "panel")
        theme.follow(self, self._measure)
        for told in (session.opened, session.rating_changed, session.place_changed):
            told.connect(self.refresh)
        self.refresh()

    @property
    def mirrored(self) -> bool:
        """Whether the window runs from right to left."""
        return self.layoutDirection() == Qt.LayoutDirection.RightToLeft

    def keyboardSearch(self, _search: str) -> None:
        """Letters answer; they do not search here."""

    def sizeHint(self) -> QSize:
        return QSize(theme.px(400), theme.px(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.px(72), theme.px(HEIGHT))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._spread()
        QTimer.singleShot(0, self, lambda: self.scrollTo(self.currentIndex(), QListView.ScrollHint.PositionAtCenter))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self.model() is not None:
            self._spread()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """A wheel that turns up and down moves the row, which goes from side to side only."""
        turned = event.angleDelta().x() or event.angleDelta().y()
        bar = self.horizontalScrollBar()
        bar.setValue(bar.value() + (turned if self.mirrored else -turned))

    def refresh(self) -> None:
        """Show how each step stands, and which one is current."""
        others = self.steps.refresh()
        self.setVisible(bool(self.steps.steps))
        if not self.steps.steps:
            return
        if others:
            self._spread()
        selection, index = self.selectionModel(), self.steps.index(self.steps.current)
        selection.blockSignals(True)
        selection.setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        selection.blockSignals(False)
        self.scrollTo(index, QListView.ScrollHint.PositionAtCenter)
        self.viewport().update()

    def _measure(self) -> None:
        self.setFixedHeight(theme.px(HEIGHT))
        self._spread()

    def _spread(self) -> None:
        """Give the room that the words leave to the lines between them."""
        total = self.steps.rowCount()
        if not total:
            return
        self.setViewportMargins(theme.px(SIDE), 0, theme.px(SIDE), 0)
        words = sum(self._delegate.own_width(self.steps.index(at)) for at in range(total))
        room = self.width() - 2 * theme.px(SIDE) - words - total
        self.line = max(theme.px(LEAST_LINE), min(theme.px(MOST_LINE), room / max(1, total - 1)))
        self.scheduleDelayedItemsLayout()

    def _chosen(self, index: QModelIndex) -> None:
        if index.isValid() and index.row() != self.steps.current:
            self._session.go_to_step(self.steps.steps[index.row()])
