"""A row of short words, one of which is on: what a list shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QSizePolicy, QWidget

from desktop_rater.ui import theme
from desktop_rater.ui.flow import FlowLayout
from desktop_rater.ui.theme_tokens import TOOL, TYPE

if TYPE_CHECKING:
    from collections.abc import Sequence


class Chip(QAbstractButton):
    """A word and a figure; filled where it is on."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def _font(self, *, bold: bool) -> QFont:
        font = QFont(self.font())
        font.setPixelSize(theme.px(TYPE["small"][0]))
        font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
        return font

    def sizeHint(self) -> QSize:
        wide = QFontMetrics(self._font(bold=True)).horizontalAdvance(self.text())
        return QSize(wide + theme.px(12), theme.px(TOOL))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.px(TOOL), theme.px(TOOL))

    def paintEvent(self, _event: QPaintEvent) -> None:
        colors, on = theme.tokens(self), self.isChecked()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if on or self.underMouse():
            painter.setBrush(QColor(colors.sel if on else colors.hover))
            painter.setPen(QColor(colors.accent) if on and colors.high else Qt.PenStyle.NoPen)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 1.5, -0.5, -1.5), 4, 4)
        painter.setPen(QColor(colors.text if on else colors.text2))
        painter.setFont(self._font(bold=on))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())
        painter.end()


class Chips(QWidget):
    """One of them is on. Those that are not asked for at the moment are hidden."""

    chosen = Signal(str)

    def __init__(self, name: str, ids: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        flow = FlowLayout(self, spacing=2)
        self._group = QButtonGroup(self)
        self._chips = {one: Chip() for one in ids}
        for one, chip in self._chips.items():
            chip.setObjectName(f"{name}_{one}")
            self._group.addButton(chip)
            flow.addWidget(chip)
            chip.clicked.connect(lambda _on=False, one=one: self.chosen.emit(one))
        self.choose(next(iter(ids)))

    @property
    def current(self) -> str:
        return next((one for one, chip in self._chips.items() if chip.isChecked()), "")

    def choose(self, one: str) -> None:
        """Turn one on, without a word to anyone."""
        self._chips[one].setChecked(True)

    def show_words(self, one: str, words: str, *, there: bool = True) -> None:
        chip = self._chips[one]
        if chip.text() != words:
            chip.setText(words)
            chip.updateGeometry()
        chip.setVisible(there)
