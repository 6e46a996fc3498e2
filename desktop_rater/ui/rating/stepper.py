"""Order of work of a task with the state of each step: a row, or for a pair a button with a list."""

from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRectF,
    QSize,
    Qt,
    QTimer,
)
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QIcon,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QListView, QMenu, QSizePolicy, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.task_stops import StepState, WorkStep, response_letter
from desktop_rater.ui.widgets import formatting, shapes, theme
from desktop_rater.ui.widgets.buttons import LinkButton
from desktop_rater.ui.widgets.labels import draw_text, plain_tooltip, visible
from desktop_rater.ui.widgets.list_view import ItemStrip
from desktop_rater.ui.widgets.theme import font_of, paint_box

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
STEPPER_HEIGHT, STEPPER_BOX_HEIGHT, STEPPER_MARGIN = 40, 26, 16
STEPPER_PADDING, STEPPER_MARK_SIZE, STEPPER_GAP, MIN_CONNECTOR_WIDTH, MAX_CONNECTOR_WIDTH = 8, 16, 6, 8, 48
MAX_STEP_LABEL_WIDTH = 180
STEP_STATE_ROLE = Qt.ItemDataRole.UserRole


class WorkStepModel(QAbstractListModel):
    """Model of the task's steps and their states, constant between two refreshes."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.steps: tuple[WorkStep, ...] = ()
        self._states: tuple[StepState, ...] = ()
        self.current = -1

    def refresh(self) -> bool:
        session = self._session
        state, step, before = session.state, None, (self._states, self.current)
        steps = state.steps if state is not None else ()
        self._states = ()
        if state is not None and steps:
            step = session.reading.step(state, session.navigation)
            self._states = session.reading.states(state)
        self.current = steps.index(step) if step in steps else -1
        if steps != self.steps:
            self.beginResetModel()
            self.steps = steps
            self.endResetModel()
            return True
        if (self._states, self.current) != before:
            self.dataChanged.emit(self.index(0), self.index(len(steps) - 1))
        return False

    def go_to(self, step: WorkStep) -> None:
        self._session.go_to_step(step)

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.steps)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = index.row()
        if role == STEP_STATE_ROLE:
            return self._states[row]
        if role == Qt.ItemDataRole.DisplayRole:
            return visible(self.step_name(self.steps[row]))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return visible(self.accessible_text(row))
        return plain_tooltip(self.accessible_text(row)) if role == Qt.ItemDataRole.ToolTipRole else None

    def step_name(self, step: WorkStep) -> str:
        """Return the name of a step; with two responses, their letter comes first."""
        task = self._session.task
        alone = task is None or len(task.responses) == 1
        name = step.name
        if step.kind == "prompt":
            return self.tr("Prompt")
        if step.kind == "response":
            letter = response_letter(step.place.response or "")
            return self.tr("Response") if alone else self.tr("Response {name}").format(name=letter)
        if step.kind == "tools" and step.reads:
            name = self.tr("tools")
        if alone or step.place.response is None:
            return formatting.capitalized(name)
        return self.tr("{response}: {step}").format(response=response_letter(step.place.response), step=name)

    def accessible_text(self, row: int) -> str:
        """Return the accessible text of a step, as in "A: fulfilment, 4 of 11, current, blocked"."""
        number = self.tr("{n} of {total}").format(n=row + 1, total=len(self.steps))
        current = self.tr("current") if row == self.current else ""
        state = self.state_text(row)
        return ", ".join(filter(None, (self.step_name(self.steps[row]), number, current, state)))

    def state_text(self, row: int) -> str:
        return {
            "todo": self.tr("to do"),
            "done": self.tr("done"),
            "blocked": self.tr("blocked"),
            "warns": self.tr("a warning"),
        }[self._states[row]]


class StepDelegate(QStyledItemDelegate):
    """Delegate that paints a tick or number, the name and a line from the previous step; the current one is boxed."""

    def __init__(self, view: "Stepper") -> None:
        super().__init__(view)
        self._view = view

    def font(self, *, bold: bool = False) -> QFont:
        return font_of(self._view.font(), bold=bold)

    def own_width(self, index: Index) -> float:
        """Return the width of a step without its line, the same while it is current, so that nothing moves."""
        text_width = min(
            QFontMetricsF(self.font(bold=True)).horizontalAdvance(self._label(index)), theme.px(MAX_STEP_LABEL_WIDTH)
        )
        return text_width + theme.px(2 * STEPPER_PADDING + STEPPER_GAP) + self._mark_width(index)

    def _label(self, index: Index) -> str:
        return " ".join(str(index.data() or "").split())

    def _mark_width(self, index: Index) -> float:
        figure = QFontMetricsF(self.font(bold=True)).horizontalAdvance(str(index.row() + 1))
        return max(theme.px(STEPPER_MARK_SIZE), figure)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002 - all are alike
        line = self._view.line if index.row() else 0
        return QSize(round(self.own_width(index) + line), theme.px(STEPPER_HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        colors, px = theme.tokens(), theme.px
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect, mirrored = QRectF(option.rect), self._view.mirrored
        if index.row():
            # The name gets the width it needs, even while the row is laid out for another width.
            rect = self._line(painter, rect, max(0.0, rect.width() - self.own_width(index)), mirrored=mirrored)
        current = index.row() == self._view.model().current  # ty: ignore[missing-attribute]
        if current:
            box = QRectF(
                rect.left(), rect.center().y() - px(STEPPER_BOX_HEIGHT) / 2, rect.width(), px(STEPPER_BOX_HEIGHT)
            ).adjusted(1, 1, -1, -1)
            paint_box(
                painter,
                box,
                4,
                fill=QColor(colors.cur if colors.high else colors.sel),
                edge=QPen(QColor(colors.cur_edge), 2 if colors.high else 1.5),
            )
        inner = rect.adjusted(px(STEPPER_PADDING), 0, -px(STEPPER_PADDING), 0)
        room = self._mark_width(index)
        left = inner.right() - room if mirrored else inner.left()
        state: StepState = index.data(STEP_STATE_ROLE)
        self._mark(painter, QRectF(left, inner.top(), room, inner.height()), index, state, current=current)
        used = room + px(STEPPER_GAP)
        text_rect = inner.adjusted(0, 0, -used, 0) if mirrored else inner.adjusted(used, 0, 0, 0)
        painter.setFont(self.font(bold=current))
        painter.setPen(QColor(colors.text if current or state != "todo" else colors.text2))
        text = painter.fontMetrics().elidedText(
            self._label(index), Qt.TextElideMode.ElideRight, int(text_rect.width()) + 1
        )
        start = Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft
        draw_text(painter, text_rect, start | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute, text)
        painter.restore()

    def _line(self, painter: QPainter, rect: QRectF, line: float, *, mirrored: bool) -> QRectF:
        """Draw the line from the previous step; return the rest of the rectangle."""
        inset = min(theme.px(4), line / 4)
        left = rect.right() - line if mirrored else rect.left()
        y = round(rect.center().y()) + 0.5
        painter.setPen(QPen(QColor(theme.tokens().line), 1))
        painter.drawLine(QPointF(left + inset, y), QPointF(left + line - inset, y))
        return rect.adjusted(0, 0, -line, 0) if mirrored else rect.adjusted(line, 0, 0, 0)

    def _mark(self, painter: QPainter, room: QRectF, index: Index, state: StepState, *, current: bool) -> None:
        colors = theme.tokens()
        if state == "todo" or (current and state == "done"):
            painter.setFont(self.font(bold=True))
            painter.setPen(QColor(colors.text if current else colors.text2))
            end = Qt.AlignmentFlag.AlignLeft if self._view.mirrored else Qt.AlignmentFlag.AlignRight
            flags = end | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute
            draw_text(painter, room, flags, str(index.row() + 1))
            return
        size = theme.px(STEPPER_MARK_SIZE)
        field = QRectF(room.center().x() - size / 2, room.center().y() - size / 2, size, size)
        shape, ink = shapes.STATES[state]
        shapes.paint_shape(painter, field, shape, QColor(getattr(colors, ink)), QColor(colors.surface))


class Stepper(ItemStrip):
    """Row of steps. Arrows and clicks go to a step, Enter goes on; a long row scrolls with the current step.

    The text pane shows it for tasks with an order of work.
    """

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__("stepper", parent)
        self.setAccessibleName(self.tr("Order of work"))
        self._session = session
        self.line = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._delegate = StepDelegate(self)
        self.setItemDelegate(self._delegate)
        self.steps = WorkStepModel(session, self)
        self.setModel(self.steps)
        self.selectionModel().currentChanged.connect(self._chosen)
        theme.set_paper(self, "panel")
        theme.set_ground(self, "panel")
        theme.follow(self, self._measure)
        for signal in (session.opened, session.updated):
            signal.connect(self.refresh)
        self.hide()
        self.steps.refresh()

    @property
    def mirrored(self) -> bool:
        """Return whether the window runs from right to left."""
        return self.layoutDirection() == Qt.LayoutDirection.RightToLeft

    def sizeHint(self) -> QSize:
        return QSize(theme.px(400), theme.px(STEPPER_HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.px(72), theme.px(STEPPER_HEIGHT))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._spread()
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._spread()
        QTimer.singleShot(0, self, lambda: self.scrollTo(self.currentIndex(), QListView.ScrollHint.PositionAtCenter))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self.model() is not None:
            self._spread()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll the row sideways with a vertical wheel, too."""
        turned = event.angleDelta().x() or event.angleDelta().y()
        bar = self.horizontalScrollBar()
        bar.setValue(bar.value() + (turned if self.mirrored else -turned))

    def refresh(self) -> None:
        others = self.steps.refresh()
        if self.isHidden() or not self.steps.steps:
            return
        if others:
            self._spread()
        index = self.steps.index(self.steps.current)
        self.select(index)
        self.scrollTo(index, QListView.ScrollHint.PositionAtCenter)

    def _measure(self) -> None:
        self.setFixedHeight(theme.px(STEPPER_HEIGHT))
        self._spread()

    def _spread(self) -> None:
        """Distribute the width left by the names over the lines between them."""
        total = self.steps.rowCount()
        if not total:
            return
        self.setViewportMargins(theme.px(STEPPER_MARGIN), 0, theme.px(STEPPER_MARGIN), 0)
        names_width = sum(self._delegate.own_width(self.steps.index(row)) for row in range(total))
        room = self.width() - 2 * theme.px(STEPPER_MARGIN) - names_width - total
        self.line = max(theme.px(MIN_CONNECTOR_WIDTH), min(theme.px(MAX_CONNECTOR_WIDTH), room / max(1, total - 1)))
        self.scheduleDelayedItemsLayout()

    def _chosen(self, index: QModelIndex) -> None:
        if index.isValid() and index.row() != self.steps.current:
            self._session.go_to_step(self.steps.steps[index.row()])


ARROW_SIZE = 14


class StepMenuButton(LinkButton):
    """Number of the current step; its menu goes to any other."""

    def __init__(self, steps: WorkStepModel, parent: QWidget | None = None) -> None:
        super().__init__("", parent=parent)
        self.setObjectName("step_menu")
        self.align_to_start()
        self._steps = steps
        self.menu = QMenu(self)
        self.menu.setObjectName("steps_of_task")
        self.clicked.connect(self._open)

    def refresh(self) -> None:
        model = self._steps
        text = self.tr("Step {n} of {total}") if model.current >= 0 else self.tr("{total} steps")
        self.set_label(text.format(n=model.current + 1, total=len(model.steps)))
        self.set_meaning(model.index(model.current).data() or "" if model.current >= 0 else "")

    def _open(self) -> None:
        self.menu.clear()
        for row, step in enumerate(self._steps.steps):
            index = self._steps.index(row)
            text = f"{index.data()}\t{self._steps.state_text(row)}".replace("&", "&&")
            action = self.menu.addAction(_state_icon(index.data(STEP_STATE_ROLE)), text)
            action.triggered.connect(lambda _on=False, wanted=step: self._steps.go_to(wanted))
        self.menu.popup(self.mapToGlobal(QPoint(0, self.height())))
        if self._steps.current >= 0:
            self.menu.setActiveAction(self.menu.actions()[self._steps.current])

    def sizeHint(self) -> QSize:
        size = super().sizeHint()
        return QSize(size.width() + theme.px(ARROW_SIZE), size.height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        super().paintEvent(_event)
        with QPainter(self) as painter:
            size = theme.px(ARROW_SIZE)
            mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
            left = theme.px(4) if mirrored else self.width() - theme.px(4) - size
            field = QRectF(left, (self.height() - size) / 2, size, size)
            ink, ground = theme.color(self, "text2"), theme.color(self, "panel")
            shapes.paint_shape(painter, field, "chevron-down", ink, ground)


def _state_icon(state: str) -> QIcon:
    colors = theme.tokens()
    shape, ink = shapes.STATES[state]
    picture = QPixmap(32, 32)
    picture.fill(Qt.GlobalColor.transparent)
    with QPainter(picture) as painter:
        shapes.paint_shape(painter, QRectF(0, 0, 32, 32), shape, QColor(getattr(colors, ink)), QColor(colors.raised))
    return QIcon(picture)
