"""A thin line between two parts of the window."""

from __future__ import annotations

from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop_rater.ui import theme


class Separator(QWidget):
    """One pixel, at any zoom."""

    def __init__(self, parent: QWidget | None = None, *, upright: bool = False) -> None:
        super().__init__(parent)
        along, across = QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed
        self.setSizePolicy(across if upright else along, along if upright else across)
        if upright:
            self.setFixedWidth(1)
        else:
            self.setFixedHeight(1)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color(self, "line"))
        painter.end()


def line(parent: QWidget | None = None) -> Separator:
    """One pixel high."""
    return Separator(parent)
