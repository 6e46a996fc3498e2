"""Cells of the comparison as frozen values, with their layout and painting."""

from dataclasses import dataclass, field

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QTextLayout, QTextOption
from PySide6.QtWidgets import QWidget

from desktop_rater.model.rating import Evidence
from desktop_rater.ui.review.answer_groups import GroupName
from desktop_rater.ui.widgets import shapes, theme
from desktop_rater.ui.widgets.labels import right_to_left, visible
from desktop_rater.ui.widgets.list_view import ink_of
from desktop_rater.ui.widgets.theme import font_of
from desktop_rater.ui.widgets.theme_tokens import TYPE

MAX_PART_LENGTH = 700  # characters displayed of one part; the tooltip has the rest
MAX_TIP_LENGTH = 4_000


@dataclass(frozen=True)
class CellPart:
    """A piece of text in a cell, on lines of its own.

    `mark` is the name of a shape or a state, `tone` the tone of a label that colours it. `deep`: indented below a part
    with a mark. `end`: a figure at the end of the first line. `piece`: a click shows that evidence as it is stored;
    `url`: a page that was opened; `rater`: this rater's own column; `more`: the list of all raters. A `chip` stands
    beside the one before it.
    """

    text: str
    ink: str = "text"
    bold: bool = False
    small: bool = True
    mark: str = ""
    tone: str = ""
    deep: bool = False
    barred: bool = False
    piece: Evidence | None = field(default=None, hash=False)  # unknown fields of a newer format may not be hashable
    url: str = ""
    end: str = ""
    rater: str = ""
    more: bool = False
    chip: bool = False

    @property
    def display_text(self) -> str:
        """The text as displayed, shortened to `MAX_PART_LENGTH` characters."""
        text = self.text.strip()
        return text if len(text) <= MAX_PART_LENGTH else f"{text[: MAX_PART_LENGTH - 1]}…"

    @property
    def opens(self) -> bool:
        return self.piece is not None or bool(self.url or self.rater) or self.more

    @property
    def spoken(self) -> str:
        """The text for screen readers, with its figure."""
        return " ".join(f"{self.end} {self.display_text}".split())


@dataclass(frozen=True)
class ComparisonCell:
    """The content of one row for one rater. `details` is shown as a tooltip."""

    parts: tuple[CellPart, ...] = ()
    details: str = ""

    @property
    def spoken(self) -> str:
        """The text of the cell for screen readers."""
        return ", ".join(part.spoken for part in self.parts)

    @property
    def tip(self) -> str:
        """The details, or the whole text where a part is too long to be displayed, else an empty string."""
        if self.details:
            return self.details[:MAX_TIP_LENGTH]
        if all(len(part.text) <= MAX_PART_LENGTH for part in self.parts):
            return ""
        return "\n\n".join(part.text for part in self.parts)[:MAX_TIP_LENGTH]


@dataclass(frozen=True)
class ComparisonRow:
    """The heading of a row; `note` is shown below it, with a warning mark."""

    id: str
    title: str
    note: str = ""


@dataclass(frozen=True)
class ComparisonColumn:
    """One rater's answers, or those of a group, a cell for each row. `key` is the key that chooses it.

    A group has no `rater` but a `title`, and the shape and tone of its label.
    """

    rater: str
    cells: tuple[ComparisonCell, ...]
    key: str = ""
    aside: str = ""
    model: str = ""
    title: str = ""
    mark: str = ""
    tone: str = ""
    group: GroupName | None = None

    @property
    def name(self) -> str:
        return self.title or self.rater


@dataclass(frozen=True)
class Comparison:
    """All raters of one item, side by side."""

    rows: tuple[ComparisonRow, ...] = ()
    columns: tuple[ComparisonColumn, ...] = ()
    name: tuple[str, str] = field(default=("", ""))  # task and where

    @property
    def is_grouped(self) -> bool:
        return any(column.group is not None for column in self.columns)

    def column_of(self, rater: str) -> int:
        """Return the column of a rater, −1 without one."""
        columns = enumerate(self.columns)
        return next((index for index, column in columns if rater and column.rater == rater), -1)

    def group_of(self, group: GroupName | None) -> int:
        """Return the column of a group, −1 without one."""
        columns = enumerate(self.columns)
        return next((index for index, column in columns if group is not None and column.group == group), -1)


ACROSS, ABOVE, BETWEEN = 12, 7, 3
MARK, MARK_INDENT, BAR = 14, 19, 3
CHIP_PAD, CHIP_GAP = 6, 5


@dataclass(frozen=True)
class PartLayout:
    """A part with its text layout; `rect` is its place in the cell, and `end` the layout of its figure."""

    part: CellPart
    lines: QTextLayout
    rect: QRectF
    end: QTextLayout | None = None


def lay_out_cell(cell: ComparisonCell, width: float, widget: QWidget) -> tuple[PartLayout, ...]:
    """Lay out the parts of a cell of that width, from its top left corner."""
    px = theme.px
    layouts: list[PartLayout] = []
    top = float(px(ABOVE))
    mirrored = widget.layoutDirection() == Qt.LayoutDirection.RightToLeft
    whole = width - 2 * px(ACROSS)
    for part in cell.parts:
        if part.chip:
            rect, lines = _chip_layout(part, layouts, whole, top, widget)
            layouts.append(PartLayout(part, lines, rect))
            top = rect.bottom() + px(CHIP_GAP)
            continue
        indent = px(MARK_INDENT) if part.mark or part.deep or part.barred else 0
        end = _text_layout(part, part.end, _natural_width(part, part.end, widget), widget) if part.end else None
        used = _natural_width(part, part.end, widget) + px(CHIP_PAD) if end is not None else 0
        wide = max(px(24), whole - indent - used)
        lines = _text_layout(part, part.display_text, wide, widget)
        height = lines.boundingRect().height()
        left = px(ACROSS) + (used if mirrored else indent)
        layouts.append(PartLayout(part, lines, QRectF(left, top, wide, height), end))
        top += height + px(BETWEEN)
    return tuple(layouts)


def _chip_layout(
    part: CellPart, before: list[PartLayout], whole: float, top: float, widget: QWidget
) -> tuple[QRectF, QTextLayout]:
    """Return the place of a chip, beside the chip before it if there is room, and its text."""
    px = theme.px
    wide = min(_natural_width(part, part.display_text, widget) + 2 * px(CHIP_PAD), whole)
    lines = _text_layout(part, part.display_text, wide - 2 * px(CHIP_PAD), widget)
    height = lines.boundingRect().height() + px(6)
    mirrored = widget.layoutDirection() == Qt.LayoutDirection.RightToLeft
    edge = px(ACROSS) + (whole - wide if mirrored else 0)
    if before and before[-1].part.chip:
        last = before[-1].rect
        beside = last.left() - px(CHIP_GAP) - wide if mirrored else last.right() + px(CHIP_GAP)
        if px(ACROSS) <= beside and beside + wide <= px(ACROSS) + whole + 0.5:
            return QRectF(beside, last.top(), wide, last.height()), lines
    return QRectF(edge, top, wide, height), lines


def _natural_width(part: CellPart, text: str, widget: QWidget) -> int:
    return QFontMetrics(part_font(part, widget)).horizontalAdvance(visible(text)) + 2


def cell_height(laid: tuple[PartLayout, ...]) -> int:
    """Return the height that a cell needs."""
    bottom = laid[-1].rect.bottom() if laid else theme.px(ABOVE)
    return int(bottom + theme.px(ABOVE) + 0.5)


def _text_layout(part: CellPart, text: str, width: float, widget: QWidget) -> QTextLayout:
    lines = QTextLayout(visible(text).replace("\n", "\u2028"), part_font(part, widget))
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    backwards = right_to_left(text)
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


def part_font(part: CellPart, widget: QWidget) -> QFont:
    """Return the font of a part."""
    return font_of(widget.font(), pixels=theme.px(TYPE["small" if part.small else "interface"][0]), bold=part.bold)


def paint_cell(painter: QPainter, corner: QPointF, laid: tuple[PartLayout, ...], widget: QWidget, ground: str) -> None:
    """Paint a cell at its top left corner, on a background of that name."""
    for layout in laid:
        part = layout.part
        position = corner + layout.rect.topLeft()
        if part.chip:
            _paint_chip(painter, layout, position, widget)
            continue
        painter.setPen(theme.color(widget, "accent" if part.opens and part.ink == "text" else part.ink))
        layout.lines.draw(painter, position)
        if layout.end is not None:
            painter.setPen(theme.color(widget, "text2"))
            mirrored = widget.layoutDirection() == Qt.LayoutDirection.RightToLeft
            used = _natural_width(part, part.end, widget) + theme.px(CHIP_PAD)
            left = -used if mirrored else layout.rect.width() + theme.px(CHIP_PAD)
            layout.end.draw(painter, position + QPointF(left, 0))
        if part.mark:
            _paint_mark(painter, part, position, layout, widget, ground)
        if part.barred:
            wide, gap = theme.px(BAR), theme.px(6)
            mirrored = widget.layoutDirection() == Qt.LayoutDirection.RightToLeft
            left = position.x() + layout.rect.width() + gap if mirrored else position.x() - gap - wide
            bar = QRectF(left, position.y() - 1, wide, layout.rect.height() + 2)
            painter.fillRect(bar, theme.color(widget, "accent"))


def _paint_chip(painter: QPainter, layout: PartLayout, position: QPointF, widget: QWidget) -> None:
    if not layout.part.more:
        painter.setBrush(theme.color(widget, "raised"))
        painter.setPen(theme.color(widget, "accent" if layout.part.bold else "edge"))
        box = QRectF(position, layout.rect.size()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(box, 3, 3)
    painter.setPen(theme.color(widget, layout.part.ink))
    layout.lines.draw(painter, position + QPointF(theme.px(CHIP_PAD), theme.px(3)))


def _paint_mark(
    painter: QPainter, part: CellPart, position: QPointF, layout: PartLayout, widget: QWidget, ground: str
) -> None:
    size, indent = theme.px(MARK), theme.px(MARK_INDENT)
    tone = theme.tone(part.tone)
    ink = QColor(tone.ink) if tone is not None else theme.color(widget, ink_of(part.mark))
    mirrored = widget.layoutDirection() == Qt.LayoutDirection.RightToLeft
    left = position.x() + layout.rect.width() + indent - size if mirrored else position.x() - indent
    line = layout.lines.lineAt(0)
    middle = position.y() + line.y() + line.height() / 2
    field = QRectF(left - 1, middle - size / 2 - 1, size + 2, size + 2)
    shapes.paint_shape(painter, field, part.mark, ink, theme.color(widget, ground))
