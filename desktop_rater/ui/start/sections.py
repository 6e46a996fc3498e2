"""Sections of the start page: a heading with buttons, and a frame with rows."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QSizePolicy, QVBoxLayout, QWidget

from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.labels import ElidedLabel, PlainLabel
from desktop_rater.ui.widgets.layouts import tight_column, tight_row
from desktop_rater.ui.widgets.list_view import ListRow, ListRowModel, RowList


class Frame(QWidget):
    """A frame around a group."""

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.color(self, "line"), 1))
        painter.setBrush(theme.color(self, "surface"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)
        painter.end()


def framed(*widgets: QWidget) -> Frame:
    """Return a frame with widgets one below the other."""
    frame = Frame()
    column = QVBoxLayout(frame)
    column.setContentsMargins(1, 1, 1, 1)
    column.setSpacing(0)
    for widget in widgets:
        column.addWidget(widget)
    return frame


class Section(QWidget):
    """A heading with a note and buttons, above a body."""

    def __init__(self, name: str, title: str, body: QWidget, buttons: Sequence[QWidget] = ()) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(title)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        column = tight_column(self, spacing=8)
        head = tight_row(spacing=8)
        self.title = PlainLabel(title, name=f"{name}_title", bold=True)
        self.note = ElidedLabel(name=f"{name}_note", size="small", ink="text2")
        head.addWidget(self.title)
        head.addWidget(self.note, 1)
        for button in buttons:
            head.addWidget(button)
        column.addLayout(head)
        column.addWidget(body)


class Rows(RowList):
    """A list that is as high as its rows. `opened` carries the id of a clicked row."""

    opened = Signal(object)

    def __init__(self, name: str, label: str, *, most: int, two_lines: bool = True, marks: bool = True) -> None:
        super().__init__(name, two_lines=two_lines, marks=marks)
        self._most_rows = most
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(label)
        self.rows = ListRowModel(self)
        self.setModel(self.rows)
        self.clicked.connect(lambda index: self.opened.emit(self.rows.rows[index.row()].id))

    def show_rows(self, rows: Sequence[ListRow]) -> None:
        self.rows.show(rows)
        self.fit_rows(self._most_rows)

    @property
    def current_id(self) -> object:
        index = self.currentIndex()
        return self.rows.rows[index.row()].id if index.isValid() else None
