"""Laying out and painting a cell: parts under each other, each running the way its text runs, as it stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QTextLayout, QTextOption

from desktop_rater.ui import shapes, theme
from desktop_rater.ui.direction import right_to_left
from desktop_rater.ui.rows import ink_of
from desktop_rater.ui.theme_tokens import TYPE

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop_rater.ui.review.cells import Cell, Part

ACROSS, ABOVE, BETWEEN = 12, 7, 3
MARK, MARK_ROOM, BAR = 14, 19, 3


@dataclass(frozen=True)
class Laid:
    """A part with its lines; `rect` is where it stands in its cell."""

    part: Part
    lines: QTextLayout
    rect: QRectF


def lay(cell: Cell, width: float, widget: QWidget) -> tuple[Laid, ...]:
    """The parts of a cell of that width, from its top left corner on."""
    px = theme.px
    found: list[Laid] = []
    top = float(px(ABOVE))
    for part in cell.parts:
        room = px(MARK_ROOM) if part.mark or part.deep or part.barred else 0
        wide = max(px(24), width - 2 * px(ACROSS) - room)
        lines = _lines(part, wide, widget)
        height = lines.boundingRect().height()
        left = px(ACROSS) + (0 if widget.layoutDirection() == Qt.LayoutDirection.RightToLeft else room)
        found.append(Laid(part, lines, QRectF(left, top, wide, height)))
        top += height + px(BETWEEN)
    return tuple(found)


def height_of(laid: tuple[Laid, ...]) -> int:
    """How high a cell has to be."""
    bottom = laid[-1].rect.bottom() if laid else theme.px(ABOVE)
    return int(bottom + theme.px(ABOVE) + 0.5)


def _lines(part: Part, width: float, widget: QWidget) -> QTextLayout:
    lines = QTextLayout(part.shown.replace("\n", "\u2028"), font_of(part, widget))
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    backwards = right_to_left(part.shown)
    mirrored = widget.layoutDirection() == Qt.LayoutDirection.RightToLeft
    option.setTextDirection(Qt.LayoutDirection.RightToLeft if backwards else Qt.LayoutDirection.LeftToRight)
    side = Qt.AlignmentFlag.AlignRight if mirrored or backwards else Qt.AlignmentFlag.AlignLeft
    option.setAlignment(side | Qt.AlignmentFlag.AlignAbsolute)
    lines.setTextOption(option)
    height = 0.0
    least = QFontMetrics(lines.font()).lineSpacing() + 1
    lines.beginLayout()
    while (line := lines.createLine()).isValid():
        line.setLineWidth(width)
        line.setPosition(QPointF(0, height))
        height += max(line.height(), least)
    lines.endLayout()
    return lines


def font_of(part: Part, widget: QWidget) -> QFont:
    """The font of a part."""
    font = QFont(widget.font())
    font.setPixelSize(theme.px(TYPE["small" if part.small else "interface"][0]))
    font.setWeight(QFont.Weight.DemiBold if part.bold else QFont.Weight.Normal)
    return font


def paint(painter: QPainter, corner: QPointF, laid: tuple[Laid, ...], widget: QWidget, ground: str) -> None:
    """Paint a cell at its top left corner, on a ground of that name."""
    for one in laid:
        part = one.part
        at = corner + one.rect.topLeft()
        painter.setPen(theme.color(widget, "accent" if part.opens and part.ink == "text" else part.ink))
        one.lines.draw(painter, at)
        if part.mark:
            _mark(painter, part, at, one, widget, ground)
        if part.barred:
            _bar(painter, at, one, widget)


def _mark(painter: QPainter, part: Part, at: QPointF, one: Laid, widget: QWidget, ground: str) -> None:
    size, room = theme.px(MARK), theme.px(MARK_ROOM)
    tone = theme.tone(part.tone)
    ink = QColor(tone.ink) if tone is not None else theme.color(widget, ink_of(part.mark))
    mirrored = widget.layoutDirection() == Qt.LayoutDirection.RightToLeft
    left = at.x() + one.rect.width() + room - size if mirrored else at.x() - room
    line = one.lines.lineAt(0)
    middle = at.y() + line.y() + line.height() / 2
    field = QRectF(left - 1, middle - size / 2 - 1, size + 2, size + 2)
    shapes.paint(painter, field, part.mark, ink, theme.color(widget, ground))


def _bar(painter: QPainter, at: QPointF, one: Laid, widget: QWidget) -> None:
    wide = theme.px(BAR)
    mirrored = widget.layoutDirection() == Qt.LayoutDirection.RightToLeft
    left = at.x() + one.rect.width() + theme.px(6) if mirrored else at.x() - theme.px(6) - wide
    painter.fillRect(QRectF(left, at.y() - 1, wide, one.rect.height() + 2), theme.color(widget, "accent"))
