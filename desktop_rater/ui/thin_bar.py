"""How much of something is done, as a thin bar; the number beside it says the same in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from desktop_rater.ui.theme import color, tokens

if TYPE_CHECKING:
    from PySide6.QtCore import QRect


class ThinBar(QWidget):
    """Four pixels high."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._share = 0.0
        self.setFixedHeight(4)

    def show_share(self, share: float) -> None:
        if share != self._share:
            self._share = share
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        whole: QRect = self.rect()
        if tokens(self).high:
            # Lines are as strong as text there: a filled track would look like a bar that is full.
            painter.setPen(color(self, "line"))
            painter.drawRect(QRectF(whole).adjusted(0.5, 0.5, -0.5, -0.5))
        painter.setPen(Qt.PenStyle.NoPen)
        if not tokens(self).high:
            painter.setBrush(color(self, "line"))
            painter.drawRoundedRect(QRectF(whole), 2, 2)
        if self._share > 0:
            wide = max(4.0, whole.width() * min(1.0, self._share))
            left = whole.width() - wide if self.layoutDirection() == Qt.LayoutDirection.RightToLeft else 0.0
            painter.setBrush(color(self, "accent"))
            painter.drawRoundedRect(QRectF(left, 0, wide, whole.height()), 2, 2)
        painter.end()
