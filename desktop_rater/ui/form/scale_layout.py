"""Where the steps of a scale stand: as lines with their sentences, or as figures in a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt

from desktop_rater.ui import theme
from desktop_rater.ui.items_layout import ItemsLayout
from desktop_rater.ui.theme_tokens import CHOICES, CONTROL, TYPE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QLabel, QWidget

    from desktop_rater.ui.form.scale_step import ScaleStep

BETWEEN_LINES, LINE_GAP = 1, 8
INSIDE, BAND_GAP, BAND_PAD, WIDEST = 3, 6, 4, 72
FULL = 10_000
LEAST_TARGET = 24


class ScaleLayout(ItemsLayout):
    """Takes the steps, and a legend for where what they mean does not stand with each of them.

    `firsts` are the steps with which a named stretch begins, counted from 0. A step without a sentence between two that
    have one stands at the end, between their lines.
    """

    def __init__(self, parent: QWidget, steps: Sequence[ScaleStep], legend: QLabel, firsts: Sequence[int]) -> None:
        super().__init__(parent)
        self._steps = tuple(steps)
        self._legend = legend
        self._firsts = frozenset(firsts)
        for widget in (*steps, legend):
            self.addWidget(widget)
        worded = [bool(step.words) for step in steps]
        alone = all(worded[at] or (worded[at - 1] and worded[at + 1]) for at in range(1, len(worded) - 1))
        self.in_lines = bool(worded) and worded[0] and worded[-1] and alone and not firsts

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation.Horizontal

    def heightForWidth(self, width: int) -> int:
        below = self.band_height() if self.has_bands(width) else self._legend_height(width)
        return max((place.bottom() + 1 for place in self._places(width)), default=0) + below

    def sizeHint(self) -> QSize:
        wide = FULL if self.in_lines or self._firsts else self._figures_width()
        return QSize(wide, self.heightForWidth(min(wide, theme.px(480))))

    def minimumSize(self) -> QSize:
        return QSize(theme.px(80), theme.px(CONTROL))

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        width = rect.width()
        for step, place in zip(self._steps, self._places(width), strict=True):
            step.set_line(self.in_lines and bool(step.words))
            step.setGeometry(self.in_window(rect, place.translated(rect.topLeft())))
        high = 0 if self.has_bands(width) else self._legend_height(width)
        self._legend.setVisible(high > 0)
        self._legend.setGeometry(rect.left(), rect.bottom() + 1 - high, width, high)

    def has_bands(self, width: int) -> bool:
        """Whether all steps stand in one row, so that named stretches can be seen."""
        places = self._in_a_row(width) if self._firsts else []
        return bool(places) and places[-1].top() == places[0].top()

    @staticmethod
    def band_height() -> int:
        """The room for the name of a stretch."""
        return theme.px(TYPE["small"][1] + 2 * BAND_PAD)

    def _legend_height(self, width: int) -> int:
        needed = not self.in_lines and bool(self._legend.text())
        return self._legend.heightForWidth(width) + theme.px(4) if needed else 0

    def _places(self, width: int) -> list[QRect]:
        return self._beneath(width) if self.in_lines else self._in_a_row(width)

    def _beneath(self, width: int) -> list[QRect]:
        """A line for each sentence; what has none stands at the end, between the two lines around it."""
        halves = [step for step in self._steps if not step.words]
        gap, high = theme.px(LINE_GAP), theme.px(LEAST_TARGET)
        aside = max((step.width_of_figure() for step in halves), default=0)
        room = width
        if halves:  # near the sentences that they stand between
            room = min(width - aside - gap, max(step.width_of_line() for step in self._steps if step.words))
        top, places = 0, []
        for step in self._steps:
            if step.words:
                height = step.height_of_line(room)
                places.append(QRect(0, top, room, height))
                top += height + theme.px(BETWEEN_LINES)
            else:
                places.append(QRect(room + gap, top - high // 2, aside, high))
        return places

    def _in_a_row(self, width: int) -> list[QRect]:
        """Figures of one width; where they are too many, as many rows as they need."""
        banded = bool(self._firsts)
        inside, pad = theme.px(INSIDE if banded else CHOICES), theme.px(BAND_PAD) if banded else 0
        apart = theme.px(BAND_GAP) + 2 * pad
        starts = self._firsts - {0}
        count = len(self._steps)
        gaps = inside * (count - 1 - len(starts)) + apart * len(starts) + 2 * pad
        least = max((step.width_of_figure() for step in self._steps), default=0)
        each = min((width - gaps) // max(1, count), theme.px(WIDEST)) if banded else least
        if each * count + gaps > width or each < theme.px(LEAST_TARGET):
            return self._wrapped(width, least)
        left, places = pad, []
        for at in range(count):
            left += apart - inside if at in starts else 0
            places.append(QRect(left, pad, each, theme.px(CONTROL)))
            left += each + inside
        return places

    def _wrapped(self, width: int, each: int) -> list[QRect]:
        gap, high = theme.px(CHOICES), theme.px(CONTROL)
        row = max(1, (width + gap) // (each + gap))
        spots = (divmod(at, row) for at in range(len(self._steps)))
        return [QRect(across * (each + gap), down * (high + gap), each, high) for down, across in spots]

    def _figures_width(self) -> int:
        least = max((step.width_of_figure() for step in self._steps), default=0)
        return len(self._steps) * (least + theme.px(CHOICES)) - theme.px(CHOICES)
