"""A button with the key that presses it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen

from desktop_rater.ui import theme
from desktop_rater.ui.form.choice_button import ChoiceButton
from desktop_rater.ui.theme_tokens import CONTROL_RADIUS

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

LEAST_TARGET = 24  # what a pointer can hit


class KeyButton(ChoiceButton):
    """`primary` is the one way on; `flat` ones show an edge under the pointer only."""

    def __init__(
        self, label: str, key: str = "", *, primary: bool = False, flat: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(label, key, parent=parent)
        self.setCheckable(False)
        self._primary = primary
        self._flat = flat

    def set_label(self, label: str) -> None:
        """Say something else."""
        if label != self.label:
            self.label = label
            self._name()
            self.updateGeometry()
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        colors = theme.tokens(self)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ink = QColor(colors.text if self.isEnabled() else colors.text3)
        over = self.underMouse() and self.isEnabled()
        filled = self._primary and self.isEnabled()
        if filled:
            ink = QColor(colors.accent_text)
            painter.setBrush(QColor(colors.accent))
            painter.setPen(Qt.PenStyle.NoPen)
        else:
            bare = self._flat and not over
            painter.setBrush(QColor(colors.hover if over else colors.raised) if not bare else Qt.BrushStyle.NoBrush)
            edge = QColor(colors.edge if self.isEnabled() else colors.line)
            painter.setPen(Qt.PenStyle.NoPen if bare else QPen(edge, 1))
        radius = theme.px(CONTROL_RADIUS)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        painter.setPen(ink)
        painter.setFont(self._bold() if self._primary else self.font())
        look = theme.tone(self._tone) if self._shape else None
        self.paint_inside(painter, ink, look, ink if filled or not self.isEnabled() else None)
        painter.end()


class Link(KeyButton):
    """A flat one that is no higher than it must be beside the words of a heading."""

    def __init__(self, label: str, key: str = "", parent: QWidget | None = None) -> None:
        super().__init__(label, key, flat=True, parent=parent)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), theme.px(LEAST_TARGET))
