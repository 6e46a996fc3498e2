"""A button with the key that presses it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette, QPen

from desktop_rater.ui.form.choice_button import GAP, PADDING, ChoiceButton, draw_cap
from desktop_rater.ui.tokens import tokens

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


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
        colors = tokens(self)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        ink = self.palette().color(QPalette.ColorRole.Text) if self.isEnabled() else QColor(colors.edge)
        pressed = self.underMouse() and self.isEnabled()
        filled = self._primary and self.isEnabled()
        if filled:
            ink = QColor(colors.accent_text)
            painter.setBrush(QColor(colors.accent))
            painter.setPen(QPen(QColor(colors.accent), 1))
        else:
            painter.setBrush(QColor(colors.hover) if pressed else Qt.BrushStyle.NoBrush)
            bare = self._flat and not pressed
            painter.setPen(Qt.PenStyle.NoPen if bare else QPen(QColor(colors.edge), 1))
        painter.drawRoundedRect(box, 4, 4)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(ink if filled else QColor(colors.accent), 2))
            painter.drawRoundedRect(box.adjusted(2, 2, -2, -2) if filled else box, 3, 3)
        painter.setPen(ink)
        painter.setFont(self._bold() if self._primary else self.font())
        cap = self._cap()
        right = GAP + cap.width() if self._key else 0
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        inner = self.rect().adjusted(PADDING + (right if mirrored else 0), 0, -PADDING - (0 if mirrored else right), 0)
        painter.drawText(inner, Qt.AlignmentFlag.AlignCenter, self.label)
        if self._key:
            left = PADDING if mirrored else self.width() - PADDING - cap.width()
            where = QRectF(left, (self.height() - cap.height()) / 2, cap.width(), cap.height())
            draw_cap(painter, where, self._key, self, ink=ink if filled else None)
        painter.end()
