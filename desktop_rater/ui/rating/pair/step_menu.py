"""Order of work of a pair: a button with the current step, and a list of all steps."""

from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QMenu, QWidget

from desktop_rater.ui.rating.stepper import STEP_STATE_ROLE, WorkStepModel
from desktop_rater.ui.widgets import shapes, theme
from desktop_rater.ui.widgets.buttons import LinkButton

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
        painter = QPainter(self)
        size = theme.px(ARROW_SIZE)
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        left = theme.px(4) if mirrored else self.width() - theme.px(4) - size
        field = QRectF(left, (self.height() - size) / 2, size, size)
        ink, ground = theme.color(self, "text2"), theme.color(self, "panel")
        shapes.paint_shape(painter, field, "chevron-down", ink, ground)
        painter.end()


def _state_icon(state: str) -> QIcon:
    colors = theme.tokens()
    shape, ink = shapes.STATES[state]
    picture = QPixmap(32, 32)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    shapes.paint_shape(painter, QRectF(0, 0, 32, 32), shape, QColor(getattr(colors, ink)), QColor(colors.raised))
    painter.end()
    return QIcon(picture)
