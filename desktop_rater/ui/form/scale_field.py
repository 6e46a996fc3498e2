"""The steps of a scale with all that they mean in view: nobody has to point at them first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop_rater.ui import theme
from desktop_rater.ui.form.scale_layout import BAND_PAD, ScaleLayout
from desktop_rater.ui.plain import WrappedLabel
from desktop_rater.ui.theme_tokens import CONTROL_RADIUS, TYPE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_rater.ui.form.scale_step import ScaleStep

LEAST_TINT, MOST_TINT = 0.04, 0.16


@dataclass(frozen=True)
class Band:
    """A stretch of a scale with a name: the first and the last of its steps, counted from 0."""

    first: int
    last: int
    name: str
    range: str

    @property
    def words(self) -> str:
        return f"{self.name} {self.range}"


class ScaleField(QWidget):
    """Lays the steps out, and paints the named stretches beneath them."""

    def __init__(self, steps: Sequence[ScaleStep], bands: Sequence[Band] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.steps = tuple(steps)
        self._bands = tuple(bands)
        self._chosen: int | None = None
        said = [band.words for band in bands] or [f"{step.label} {step.words}" for step in steps if step.words]
        legend = WrappedLabel("  ·  ".join(said))
        theme.write(legend, "small")
        theme.quiet(legend)
        self._places = ScaleLayout(self, self.steps, legend, [band.first for band in bands])
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def in_lines(self) -> bool:
        """Whether each step stands in a line with its sentence."""
        return self._places.in_lines

    def choose(self, at: int | None) -> None:
        """Which step is taken: its stretch is written strong."""
        if at != self._chosen:
            self._chosen = at
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._places.has_bands(self.width()):
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for at, band in enumerate(self._bands):
                self._paint_band(painter, at, band)
            painter.end()

    def _paint_band(self, painter: QPainter, at: int, band: Band) -> None:
        """A tint that grows with the scale: what is high may be good or bad, so it is no colour of a judgement."""
        colors, pad = theme.tokens(self), theme.px(BAND_PAD)
        own = self.steps[band.first].geometry().united(self.steps[band.last].geometry())
        below = self._places.band_height()
        field = QRectF(own.adjusted(-pad, -pad, pad, below))
        share = LEAST_TINT + (MOST_TINT - LEAST_TINT) * at / max(1, len(self._bands) - 1)
        painter.setBrush(QColor(colors.surface) if colors.high else _mixed(colors.panel, colors.text, share))
        painter.setPen(QPen(QColor(colors.edge), 1) if colors.high else Qt.PenStyle.NoPen)
        radius = theme.px(CONTROL_RADIUS) + 1
        painter.drawRoundedRect(field.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        on = self._chosen is not None and band.first <= self._chosen <= band.last
        font = QFont(self.font())
        font.setPixelSize(theme.px(TYPE["small"][0]))
        font.setWeight(QFont.Weight.DemiBold if on else QFont.Weight.Normal)
        painter.setFont(font)
        painter.setPen(QColor(colors.text))
        words = QRect(own.left() - pad, own.bottom() + 1, own.width() + 2 * pad, below)
        shown = QFontMetrics(font).elidedText(band.words, Qt.TextElideMode.ElideRight, words.width() - 4)
        painter.drawText(words, Qt.AlignmentFlag.AlignCenter, shown)


def _mixed(ground: str, ink: str, share: float) -> QColor:
    one, other = QColor(ground), QColor(ink)
    parts = ((one.red(), other.red()), (one.green(), other.green()), (one.blue(), other.blue()))
    return QColor(*(round(a + (b - a) * share) for a, b in parts))
