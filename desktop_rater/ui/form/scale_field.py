"""The steps of a scale, laid out so that what each of them means is read without pointing at it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop_rater.ui import theme
from desktop_rater.ui.form.scale_step import ScaleStep
from desktop_rater.ui.plain import WrappedLabel
from desktop_rater.ui.theme_tokens import CHOICES, CONTROL, CONTROL_RADIUS, TYPE

if TYPE_CHECKING:
    from collections.abc import Sequence

BETWEEN_LINES, LINE_GAP = 1, 8
INSIDE, BAND_GAP, BAND_PAD, WIDEST = 3, 6, 4, 72
FULL = 10_000
LEAST_TINT, MOST_TINT = 0.04, 0.16


@dataclass(frozen=True)
class Band:
    """A stretch of a scale with a name: the first and the last of its steps, counted from 0."""

    first: int
    last: int
    name: str
    range: str


class ScaleField(QWidget):
    """Sentences stand as lines, or beside each other where there is room for all; figures stand in a row.

    A step between two sentences has none of its own: it stands at the end, between their lines.
    """

    def __init__(self, steps: Sequence[ScaleStep], bands: Sequence[Band] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.steps = tuple(steps)
        self._bands = tuple(bands)
        self._chosen: int | None = None
        for step in self.steps:
            step.setParent(self)
        worded = [bool(step.words) for step in self.steps]
        self._all_worded = all(worded)
        alone = all(worded[at] or (worded[at - 1] and worded[at + 1]) for at in range(1, len(worded) - 1))
        self._lines = bool(worded) and worded[0] and worded[-1] and alone and not bands
        self._legend = WrappedLabel(self._all_said())
        self._legend.setParent(self)
        theme.write(self._legend, "small")
        theme.quiet(self._legend)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def _all_said(self) -> str:
        """What the steps mean in one text, for where it does not stand with each of them."""
        if self._bands:
            return "  ·  ".join(f"{band.name} {band.range}" for band in self._bands)
        return "  ·  ".join(f"{step.label} {step.words}" for step in self.steps if step.words)

    def choose(self, at: int | None) -> None:
        """Which step is taken: its stretch is written strong."""
        if at != self._chosen:
            self._chosen = at
            self.update()

    # -- sizes

    def sizeHint(self) -> QSize:
        wide = FULL if self._lines or self._bands else self._figures_width()
        return QSize(wide, self.heightForWidth(min(wide, theme.px(480))))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.px(80), theme.px(CONTROL))

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        below = theme.px(TYPE["small"][1] + 2 * BAND_PAD) if self._has_bands(width) else self._legend_height(width)
        return max((place.bottom() + 1 for place in self._places(width)), default=0) + below

    def _legend_height(self, width: int) -> int:
        needed = not self._lines and bool(self._legend.text())
        return self._legend.heightForWidth(width) + theme.px(4) if needed else 0

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def _lay_out(self) -> None:
        width = self.width()
        look = "figure" if not self._lines else "words" if self._fits_beside(width) else "line"
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        for step, place in zip(self.steps, self._places(width), strict=True):
            if mirrored:
                place.moveLeft(width - place.right() - 1)
            step.set_look_of_step(look if step.words else "figure")
            step.setGeometry(place)
        high = 0 if self._has_bands(width) else self._legend_height(width)
        self._legend.setVisible(high > 0)
        self._legend.setGeometry(0, self.height() - high, width, high)
        self.update()

    # -- places

    def _places(self, width: int) -> list[QRect]:
        if not self._lines:
            return self._in_a_row(width)
        return self._beside(width) if self._fits_beside(width) else self._beneath(width)

    def _fits_beside(self, width: int) -> bool:
        gaps = (len(self.steps) - 1) * theme.px(CHOICES)
        widest = max(step.width_of_words() for step in self.steps)
        return self._all_worded and widest * len(self.steps) + gaps <= width

    def _beside(self, width: int) -> list[QRect]:
        gap, count = theme.px(CHOICES), len(self.steps)
        each = (width - gap * (count - 1)) / count
        lefts = [round(at * (each + gap)) for at in range(count)]
        return [QRect(left, 0, round(each), theme.px(CONTROL)) for left in lefts]

    def _beneath(self, width: int) -> list[QRect]:
        """A line for each sentence; what has none stands at the end, between the two lines around it."""
        halves = [step for step in self.steps if not step.words]
        aside = max((step.width_of_figure() for step in halves), default=0)
        room = width - (aside + theme.px(LINE_GAP) if halves else 0)
        if halves:  # near the sentences that they stand between
            room = min(room, max(step.width_of_line() for step in self.steps))
        top, places = 0, []
        for step in self.steps:
            if step.words:
                height = step.height_of_line(room)
                places.append(QRect(0, top, room, height))
                top += height + theme.px(BETWEEN_LINES)
            else:
                high = theme.px(24)
                places.append(QRect(room + theme.px(LINE_GAP), top - high // 2, aside, high))
        return places

    def _in_a_row(self, width: int) -> list[QRect]:
        """Figures of one width, or where they are too many as many rows as they need."""
        inside, gap = theme.px(INSIDE if self._bands else CHOICES), theme.px(BAND_GAP)
        starts = {band.first for band in self._bands[1:]}
        pad = theme.px(BAND_PAD) if self._bands else 0
        count = len(self.steps)
        gaps = inside * (count - 1 - len(starts)) + (gap + 2 * pad) * len(starts) + 2 * pad
        least = max((step.width_of_figure() for step in self.steps), default=0)
        each = min((width - gaps) // max(1, count), theme.px(WIDEST) if self._bands else least)
        if each < min(least, theme.px(24)) or (each < least and not self._bands):
            return self._wrapped(width, least)
        left, places = pad, []
        for at in range(count):
            if at in starts:
                left += gap + 2 * pad - inside
            places.append(QRect(left, pad, each, theme.px(CONTROL)))
            left += each + inside
        return places

    def _wrapped(self, width: int, each: int) -> list[QRect]:
        gap, high = theme.px(CHOICES), theme.px(CONTROL)
        per_row = max(1, (width + gap) // (each + gap))
        return [
            QRect(at % per_row * (each + gap), at // per_row * (high + gap), each, high) for at in range(len(self.steps))
        ]

    def _figures_width(self) -> int:
        least = max((step.width_of_figure() for step in self.steps), default=0)
        return len(self.steps) * (least + theme.px(CHOICES)) - theme.px(CHOICES)

    # -- named stretches

    def _has_bands(self, width: int) -> bool:
        """Whether all steps stand in one row, so that the stretches can be seen."""
        places = self._in_a_row(width) if self._bands else []
        return bool(places) and places[-1].top() == places[0].top()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._has_bands(self.width()):
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for at, band in enumerate(self._bands):
            self._paint_band(painter, at, band)
        painter.end()

    def _paint_band(self, painter: QPainter, at: int, band: Band) -> None:
        """A tint that grows with the scale: what is high may be good or bad, so it is no colour of a judgement."""
        colors, pad = theme.tokens(self), theme.px(BAND_PAD)
        own = self.steps[band.first].geometry().united(self.steps[band.last].geometry())
        field = own.adjusted(-pad, -pad, pad, self.height() - own.bottom() - 1)
        on = self._chosen is not None and band.first <= self._chosen <= band.last
        share = LEAST_TINT + (MOST_TINT - LEAST_TINT) * at / max(1, len(self._bands) - 1)
        painter.setBrush(QColor(colors.surface) if colors.high else _mixed(colors.panel, colors.text, share))
        painter.setPen(QPen(QColor(colors.edge), 1) if colors.high else Qt.PenStyle.NoPen)
        radius = theme.px(CONTROL_RADIUS) + 1
        painter.drawRoundedRect(QRectF(field).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        words = QRect(field.left(), own.bottom() + 1, field.width(), field.bottom() - own.bottom())
        font = QFont(self.font())
        font.setPixelSize(theme.px(TYPE["small"][0]))
        font.setWeight(QFont.Weight.DemiBold if on else QFont.Weight.Normal)
        painter.setFont(font)
        painter.setPen(QColor(colors.text))
        said = f"{band.name} {band.range}"
        shown = QFontMetrics(font).elidedText(said, Qt.TextElideMode.ElideRight, words.width() - 4)
        painter.drawText(words, Qt.AlignmentFlag.AlignCenter, shown)


def _mixed(ground: str, ink: str, share: float) -> QColor:
    one, other = QColor(ground), QColor(ink)
    parts = ((one.red(), other.red()), (one.green(), other.green()), (one.blue(), other.blue()))
    return QColor(*(round(a + (b - a) * share) for a, b in parts))
