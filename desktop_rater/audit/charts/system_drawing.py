"""Draw the charts about systems: intervals by row and column, preferences, differences, and two rounds."""

from collections.abc import Callable, Iterable
from math import ceil

from msgspec import Struct
from msgspec.structs import replace

from desktop_rater.audit.charts.svg import (
    Axis,
    DotShape,
    DrawingArea,
    Ink,
    Key,
    LineShape,
    Picture,
    RectShape,
    Shape,
    SymbolShape,
    TextShape,
    TooltipArea,
    axis_around,
    elide,
    name_column,
)

SIGN, GAP, RIM, END, CAP, RADIUS = 15, 10, 6, 20, 5, 4.5
BAND_HEAD, BAND_FOOT, BAND_GAP, MIN_BLOCK = 42, 24, 18, 560
DrawPicture = Callable[[DrawingArea], Picture]
ROW, COMPACT_ROW, MIN_PLOT, COMPACT_PLOT, MAX_PLOT, MAX_TITLE = 46, 28, 96, 34, 280, 170
ACCENT, QUIET, LINE = Ink("accent"), Ink("text2"), Ink("line")


class IntervalColumn(Struct, frozen=True, kw_only=True):
    """Column of figures with an axis of its own, around its intervals and at least up to `reach`.

    `scale` multiplies values for the axis: 100 for percent. `floor` and `ceiling`: the range of the figure.
    """

    title: str
    about: str = ""
    tone: str = ""
    shape: str = ""
    scale: float = 1
    unit: str = ""
    floor: float | None = None
    ceiling: float | None = None
    reach: float | None = None


class IntervalCell(Struct, frozen=True, kw_only=True):
    """Figure with its formatted texts; `count` is its base. Without a value, `missing` is the reason.

    `wide`: the ends of a wider interval.
    """

    value: float | None = None
    low: float | None = None
    high: float | None = None
    wide: tuple[float, ...] = ()
    value_text: str = ""
    interval_text: str = ""
    count: str = ""
    missing: str = ""
    tooltip: str = ""
    key: Key = ()


class IntervalRow(Struct, frozen=True, kw_only=True):
    """Row of figures, one for each column."""

    name: str
    about: str = ""
    cells: tuple[IntervalCell, ...]


class IntervalChart(Struct, frozen=True, kw_only=True):
    """Table of intervals. `compact`: the base is written beside the interval, and the value in the tooltip only."""

    columns: tuple[IntervalColumn, ...]
    rows: tuple[IntervalRow, ...]
    compact: bool = False


def draw_intervals(chart: IntervalChart, area: DrawingArea, description: str = "") -> Picture:
    """Draw a dot with its interval in each cell; columns that do not fit follow below, in another band."""
    drawing = _IntervalDrawing(chart, area)
    count = len(chart.columns)
    available = max(area.width - drawing.left, MIN_PLOT)
    needed = min(available, max(drawing.needed(column) for column in range(count)))
    bands = ceil(count / max(1, int((available + GAP) // (needed + GAP))))
    per_band = ceil(count / bands)
    width = (available + GAP) / per_band - GAP
    bottom = 0.0
    for first in range(0, count, per_band):
        columns = range(first, min(first + per_band, count))
        bottom = drawing.draw_band(columns, width, bottom + (BAND_GAP if first else 0))
    return Picture(area.width, bottom, tuple(drawing.shapes), tuple(drawing.marks), description)


class _IntervalDrawing:
    """Shapes of a chart of intervals. `left`: where the columns begin."""

    def __init__(self, chart: IntervalChart, area: DrawingArea) -> None:
        self._chart, self._area = chart, area
        self._pitch = COMPACT_ROW if chart.compact else ROW
        about = max((area.text_width(row.about, "small") for row in chart.rows), default=0)
        names = name_column(area, [row.name for row in chart.rows], most=0.28)
        self.left = max(names, min(area.width * 0.28, about)) + 2 * GAP
        self.shapes: list[Shape] = []
        self.marks: list[TooltipArea] = []

    def needed(self, at: int) -> float:
        """Return the width that a column takes so that its texts do not touch."""
        column, area, texts = self._chart.columns[at], self._area, 0.0
        title = area.text_width(column.title, bold=True) + (SIGN + 6 if column.shape else 0)
        for cell in (row.cells[at] for row in self._chart.rows):
            value = area.text_width(cell.value_text, bold=True) + area.text_width(cell.interval_text, "small") + 6
            before = COMPACT_PLOT + 2 * RIM if self._chart.compact else value if cell.value_text else 0
            texts = max(texts, area.text_width(cell.count, "small") + RIM + before)
        if self._chart.compact:
            return max(texts, min(title, MIN_PLOT))
        return max(MIN_PLOT, texts + GAP, min(title, MAX_TITLE))

    def draw_band(self, columns: range, width: float, top: float) -> float:
        """Draw some of the columns for all rows; return the bottom."""
        chart, area, pitch = self._chart, self._area, self._pitch
        head = top + (BAND_HEAD if any(chart.columns[at].about for at in columns) else 24)
        bottom = head + pitch * len(chart.rows)
        for index, row in enumerate(chart.rows):
            y, bold, names = head + pitch * index, not chart.compact, self.left - GAP
            self.shapes.append(LineShape(0, y, area.width, y, LINE))
            middle = y + (14 if row.about else pitch / 2)
            self.shapes.append(TextShape(0, middle, elide(area, row.name, names, bold=bold), bold=bold))
            self.shapes.append(TextShape(0, y + 32, elide(area, row.about, names, "small"), QUIET, "small"))
        self.shapes.append(LineShape(0, bottom, area.width, bottom, LINE))
        for place, at in enumerate(columns):
            self._draw_column(at, RectShape(self.left + place * (width + GAP), top, width, 0, None), head, bottom)
        return bottom + BAND_FOOT

    def _draw_column(self, at: int, box: RectShape, head: float, bottom: float) -> None:
        column, area, pitch = self._chart.columns[at], self._area, self._pitch
        start = box.x
        if column.shape:
            sign = Ink("ink", column.tone)
            self.shapes.append(SymbolShape(box.x + SIGN / 2, box.y + 10, SIGN, column.shape, sign))
            start += SIGN + 6
        title = elide(area, column.title, box.x + box.width - start, bold=True)
        about = elide(area, column.about, box.width, "small")
        self.shapes.append(TextShape(start, box.y + 10, title, bold=True))
        self.shapes.append(TextShape(box.x, box.y + 28, about, QUIET, "small"))
        cells = [row.cells[at] for row in self._chart.rows]
        counts = max(area.text_width(cell.count, "small") for cell in cells) + 2 if self._chart.compact else 0
        plot = min(MAX_PLOT, box.width - RIM - max(counts + RIM, 0 if self._chart.compact else END))
        axis = _axis_of(column, cells, box.x + RIM, box.x + RIM + plot)
        for tick in axis.ticks:
            x = axis.at(tick)
            for index in range(len(cells)):
                y = head + pitch * index
                self.shapes.append(LineShape(x, y + 4, x, y + (pitch - 4 if self._chart.compact else 22), LINE))
            text = _tick(tick, axis, area, column.unit)
            self.shapes.append(TextShape(x, bottom + 13, text, QUIET, "small", align="middle"))
        for index, cell in enumerate(cells):
            row = RectShape(box.x, head + pitch * index, box.width, pitch, None)
            self._draw_cell(cell, column.scale, axis, row)
            self.marks.append(TooltipArea(row.x - 5, row.y + 1, row.width + 10, pitch - 2, cell.tooltip, cell.key))

    def _draw_cell(self, cell: IntervalCell, scale: float, axis: Axis, box: RectShape) -> None:
        area, end, compact = self._area, box.x + box.width, self._chart.compact
        middle = box.y + (box.height / 2 if compact else 13)
        if cell.value is None:
            why = elide(area, cell.missing, box.width - RIM, "small")
            cleared = area.text_width(why, "small") + 4
            self.shapes.append(TextShape(box.x, middle, why, QUIET, "small", cleared=cleared))
            return
        self.shapes += interval_shapes(cell, scale, axis, middle)
        below = middle if compact else box.y + 33
        self.shapes.append(TextShape(end, below, cell.count, QUIET, "small", align="right"))
        if not compact:
            start = box.x + area.text_width(cell.value_text, bold=True) + 6
            between = end - start - area.text_width(cell.count, "small") - 4
            beside = cell.interval_text or (elide(area, cell.missing, between, "small") if between > 0 else "")
            self.shapes.append(TextShape(box.x, below, cell.value_text, bold=True))
            self.shapes.append(TextShape(start, below, beside, QUIET, "small"))


def _axis_of(column: IntervalColumn, cells: list[IntervalCell], left: float, right: float) -> Axis:
    """Return the axis of a column, around all its intervals and within the range of the figure."""
    values = [
        value * column.scale
        for cell in cells
        for value in (cell.low, cell.value, cell.high, *cell.wide)
        if value is not None
    ]
    low, high = min(values, default=0), column.reach or max(values, default=1)
    if column.floor is not None and (low - column.floor < (high - column.floor) / 2 or high <= low):
        low = column.floor
    axis = axis_around(low, max(high, low + 1e-9), left, right, between=40)
    over = column.ceiling is not None and axis.high > column.ceiling > axis.low
    return Axis(axis.low, column.ceiling or 0, axis.step, left, right) if over else axis


def _tick(value: float, axis: Axis, area: DrawingArea, after: str = "") -> str:
    """Return the number of a tick."""
    places = next((places for places in range(4) if abs(round(value, places) - value) < axis.step / 100), 3)
    return f"{area.number(value, places).replace('-', '−')} {after}".strip()


def interval_shapes(cell: IntervalCell, scale: float, axis: Axis, y: float) -> list[Shape]:
    """Draw a dot, a line with caps over its interval, and a thin one over the wider interval."""
    ends = [axis.at(end * scale) for end in cell.wide]
    shapes: list[Shape] = [LineShape(ends[0], y, ends[1], y, ACCENT, 1)] if ends else []
    if cell.low is not None and cell.high is not None:
        start, stop = axis.at(cell.low * scale), axis.at(cell.high * scale)
        shapes.append(LineShape(start, y, stop, y, ACCENT, 1.6))
        shapes += [LineShape(x, y - CAP, x, y + CAP, ACCENT, 1.6) for x in (start, stop)]
    if cell.value is not None:
        shapes.append(DotShape(axis.at(cell.value * scale), y, RADIUS, ACCENT))
    return shapes


# Rows on one axis with a dashed line at the value that means "no difference".
EVEN_ROW, EVEN_TOP, EVEN_FOOT, MAX_BESIDE = 28, 4, 24, 130


class EvenChart(Struct, frozen=True, kw_only=True):
    """Intervals around `even`, whose text is written below its dashed line. `scale`: as of a column."""

    rows: tuple[IntervalRow, ...]
    even: float
    even_text: str = ""
    scale: float = 1


def draw_even(chart: EvenChart, area: DrawingArea, description: str = "") -> Picture:
    """Draw a row for each figure: name, interval, value, and base."""
    cells = [row.cells[0] for row in chart.rows]
    bold = max((area.text_width(cell.value_text, bold=True) for cell in cells), default=0)
    beside = [cell.interval_text or (cell.missing if cell.value is not None else "") for cell in cells]
    plain = min(MAX_BESIDE, max((area.text_width(text, "small") for text in beside), default=0))
    counts = max((area.text_width(cell.count, "small") for cell in cells), default=0)
    names = name_column(area, [row.name for row in chart.rows], most=0.34)
    if names + bold + plain + counts + MIN_PLOT + 4 * GAP > area.width:
        counts = 0  # in the tooltip and the table anyway
    left = names + GAP + RIM
    right = max(left + 40, area.width - bold - plain - counts - 3 * GAP - RIM)
    values = [value for cell in cells for value in (cell.low, cell.value, cell.high, *cell.wide) if value is not None]
    away = max((abs(value - chart.even) for value in values), default=0.1) * chart.scale or 0.1
    even = chart.even * chart.scale
    axis = axis_around(even - away, even + away, left, right)
    bottom = EVEN_TOP + EVEN_ROW * len(chart.rows)
    shapes: list[Shape] = []
    marks: list[TooltipArea] = []
    for tick in (even, *(tick for tick in axis.ticks if abs(tick - even) > axis.step / 2)):
        x = axis.at(tick)
        shapes.append(LineShape(x, EVEN_TOP, x, bottom, QUIET if tick == even else LINE, dashed=tick == even))
        text = _tick(tick, axis, area, chart.even_text if tick == even else "")
        shapes.append(TextShape(x, bottom + 12, text, QUIET, "small", align="middle"))
    for index, row in enumerate(chart.rows):
        y, cell = EVEN_TOP + EVEN_ROW * (index + 0.5), row.cells[0]
        shapes.append(TextShape(0, y, elide(area, row.name, names + GAP / 2)))
        if cell.value is None:
            shapes.append(TextShape(left, y, elide(area, cell.missing, area.width - left, "small"), QUIET, "small"))
        else:
            shapes += interval_shapes(cell, chart.scale, axis, y)
            start = right + RIM + GAP
            shapes.append(TextShape(start + bold, y, cell.value_text, bold=True, align="right"))
            text = cell.interval_text or elide(area, beside[index], min(plain, area.width - start - bold - 6), "small")
            shapes.append(TextShape(start + bold + 6, y, text, QUIET, "small"))
            if counts:
                shapes.append(TextShape(area.width, y, cell.count, QUIET, "small", align="right"))
        marks.append(TooltipArea(0, y - EVEN_ROW / 2 + 1, area.width, EVEN_ROW - 2, cell.tooltip, cell.key))
    return Picture(area.width, bottom + EVEN_FOOT, tuple(shapes), tuple(marks), description)


# Bars of wins, ties and losses.
BAR_ROW, BAR = 28, 21


class DuelRow(Struct, frozen=True, kw_only=True):
    """Pairs of two systems: numbers of wins, ties and losses of the first."""

    name: str
    parts: tuple[int, int, int]
    count: str
    tooltip: str = ""
    key: Key = ()


def draw_duels(rows: tuple[DuelRow, ...], area: DrawingArea, description: str = "") -> Picture:
    """Draw a bar for each two systems: wins, ties and losses from left to right."""
    names = name_column(area, [row.name for row in rows], most=0.4)
    counts = max((area.text_width(row.count, "small") for row in rows), default=0)
    left = names + GAP
    whole = max(20, area.width - left - counts - GAP)
    shapes: list[Shape] = []
    marks = []
    for index, row in enumerate(rows):
        y = BAR_ROW * index + (BAR_ROW - BAR) / 2
        shapes.append(TextShape(0, y + BAR / 2, elide(area, row.name, names + 4)))
        shapes.append(TextShape(area.width, y + BAR / 2, row.count, QUIET, "small", align="right"))
        x, total = left, sum(row.parts) or 1
        fills = (Ink("sel"), Ink("line", strength=0.5), Ink("surface"))
        for part, fill, edge in zip(row.parts, fills, (ACCENT, QUIET, Ink("edge")), strict=True):
            width = whole * part / total
            if part:
                shapes.append(RectShape(x + 0.5, y, max(1, width - 2), BAR, fill, edge, 1, 2))
                words = area.number(part, 0)
                if area.text_width(words, "small", bold=True) + 4 < width:
                    bold = fill.name != "line"
                    shapes.append(
                        TextShape(x + width / 2, y + BAR / 2, words, Ink("text"), "small", bold, align="middle")
                    )
            x += width
        marks.append(TooltipArea(0, BAR_ROW * index + 1, area.width, BAR_ROW - 2, row.tooltip, row.key))
    return Picture(area.width, BAR_ROW * len(rows), tuple(shapes), tuple(marks), description)


# Two rounds: a line for each task, from its figure before to the one after.
ROUND_LEFT, ROUND_TOP, ROUND_FOOT, ROUND_GAP = 34, 24, 38, 14
MIN_PITCH, MAX_PITCH, ROUND_HEIGHT = 5, 16, 320
MOST_LINES = 300  # tasks that are drawn: those that gained and lost most


class RoundLine(Struct, frozen=True, kw_only=True):
    """One task with its figure before and after; `turn` is the group in which it is drawn."""

    before: float
    after: float
    turn: str
    tooltip: str
    key: Key


class RoundsChart(Struct, frozen=True, kw_only=True):
    """Tasks of two rounds, most gained first. `turns`: turn → text of its group, in their order."""

    lines: tuple[RoundLine, ...]
    turns: dict[str, str]
    about: str
    scale: float = 1


def draw_rounds(chart: RoundsChart, area: DrawingArea, description: str = "") -> Picture:
    """Draw a line for each task: filled dots are better, squares on dashed lines worse, rings the earlier round."""
    lines = chart.lines
    if len(lines) > MOST_LINES:
        lines = lines[: MOST_LINES // 2] + lines[-MOST_LINES // 2 :]
    height = min(ROUND_HEIGHT, max(140, area.height))
    groups = [(turn, [line for line in lines if line.turn == turn]) for turn in chart.turns]
    groups = [(turn, group) for turn, group in groups if group]
    gaps = ROUND_GAP * max(0, len(groups) - 1)
    pitch = min(MAX_PITCH, max(MIN_PITCH, (area.width - ROUND_LEFT - gaps - 8) / max(1, len(lines))))
    width = max(area.width, ROUND_LEFT + gaps + 8 + pitch * len(lines))
    values = [value * chart.scale for line in lines for value in (line.before, line.after)]
    axis = axis_around(min(0, *values, 0), max(values, default=1), 0, height - ROUND_TOP - ROUND_FOOT)
    bottom = height - ROUND_FOOT

    def level(value: float) -> float:
        return bottom - axis.at(value * chart.scale)

    shapes: list[Shape] = [TextShape(0, 7, elide(area, chart.about, area.width, "small"), QUIET, "small")]
    for tick in axis.ticks:
        y = bottom - axis.at(tick)
        shapes.append(LineShape(ROUND_LEFT, y, width, y, LINE))
        shapes.append(TextShape(ROUND_LEFT - 6, y, _tick(tick, axis, area), QUIET, "small", align="right"))
    marks: list[TooltipArea] = []
    x = ROUND_LEFT + 4.0
    for turn, group in groups:
        start = x
        for line in group:
            _round_line(line, x + pitch / 2, level, shapes)
            marks.append(TooltipArea(x, ROUND_TOP - 8, pitch, bottom - ROUND_TOP + 16, line.tooltip, line.key))
            x += pitch
        _bracket(chart.turns[turn], start, x, bottom + 10, width, area, shapes)
        x += ROUND_GAP
    return Picture(width, height, tuple(shapes), tuple(marks), description)


def _round_line(line: RoundLine, x: float, level: Callable[[float], float], shapes: list[Shape]) -> None:
    before, after = level(line.before), level(line.after)
    ink = {"better": ACCENT, "worse": Ink("text")}.get(line.turn, QUIET)
    if before != after:
        shapes.append(LineShape(x, before, x, after, ink, 1.4, dashed=line.turn == "worse"))
    shapes += [DotShape(x, before, 3.4, ink), DotShape(x, before, 2, Ink("surface"))]
    if line.turn == "worse":
        shapes.append(RectShape(x - 3, after - 3, 6, 6, ink))
    elif line.turn == "better":
        shapes.append(DotShape(x, after, 3.4, ink))


def _bracket(
    text: str, start: float, stop: float, y: float, width: float, area: DrawingArea, shapes: list[Shape]
) -> None:
    """Draw a line below a group, and its text, which stays within the picture."""
    shapes.append(LineShape(start + 1, y, stop - 1, y, QUIET))
    shapes += [LineShape(x, y - 4, x, y, QUIET) for x in (start + 1, stop - 1)]
    half = area.text_width(text, "small") / 2
    if half * 2 <= stop - start + ROUND_GAP:
        middle = min(max((start + stop) / 2, half), width - half)
        shapes.append(TextShape(middle, y + 14, text, Ink("text"), "small", align="middle"))


def arranged(pictures: Iterable[tuple[str, DrawPicture]], area: DrawingArea, description: str = "") -> Picture:
    """Draw pictures below each other, each with its heading, in as many columns as the width allows."""
    columns = max(1, int(area.width // MIN_BLOCK))
    width = (area.width + 2 * BAND_GAP) / columns - 2 * BAND_GAP
    inside = replace(area, width=width)
    bottoms = [0.0] * columns
    shapes: list[Shape] = []
    marks: list[TooltipArea] = []
    for heading, draw in pictures:
        column = bottoms.index(min(bottoms))
        x, y = column * (width + 2 * BAND_GAP), bottoms[column] + (BAND_GAP if bottoms[column] else 0)
        if heading:
            shapes.append(TextShape(x, y + 8, elide(area, heading, width, bold=True), bold=True))
            y += 24
        picture = draw(inside)
        shapes += [_moved(shape, x, y) for shape in picture.shapes]
        marks += [replace(mark, x=mark.x + x, y=mark.y + y) for mark in picture.marks]
        bottoms[column] = y + picture.height
    return Picture(area.width, max(bottoms), tuple(shapes), tuple(marks), description)


def _moved(shape: Shape, x: float, y: float) -> Shape:
    if isinstance(shape, LineShape):
        return replace(shape, x1=shape.x1 + x, x2=shape.x2 + x, y1=shape.y1 + y, y2=shape.y2 + y)
    return replace(shape, x=shape.x + x, y=shape.y + y)
