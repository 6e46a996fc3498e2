"""Drawings of charts as SVG."""

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
    grid,
    name_column,
)
from desktop_rater.audit.questions import ValueStyle

# Chart of agreement figures: a dot on a line with its interval and the numbers next to it.
DOT_ROW_MIN, DOT_ROW_MAX = 23, 42  # from row to row
DOT_TOP, DOT_FOOT, DOT_CAP, DOT_RADIUS = 6, 24, 6, 4
DOT_GAP, DOT_RIM = 12, 6
DOT_NAMES_MIN, DOT_PLOT_MIN = 100, 90  # minimum widths of long names and of the plot


class DotRow(Struct, frozen=True):
    """One figure, with its formatted value, interval and base.

    `missing` is the reason if there is no value, and `why` if there is no interval.
    """

    name: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    value_text: str = ""
    interval_text: str = ""
    missing: str = ""
    tooltip: str = ""
    key: Key = ()
    why: str = ""
    base: str = ""


def draw_dots(rows: tuple[DotRow, ...], area: DrawingArea, description: str = "") -> Picture:
    """Draw the rows from top to bottom, as far apart as the height allows."""
    bold = max((area.text_width(row.value_text, bold=True) for row in rows), default=0)
    plain = max((area.text_width(row.interval_text) for row in rows), default=0)
    names = name_column(area, [row.name for row in rows], most=0.5)
    if min(names, DOT_NAMES_MIN) + DOT_PLOT_MIN + bold + plain + 4 * DOT_GAP > area.width:
        plain = 0  # the interval is drawn anyway, and written in the tooltip and the table
    numbers = bold + (plain + 8 if plain else 0)
    names = min(names, area.width - numbers - DOT_PLOT_MIN - 3 * DOT_GAP)
    axis = _axis(rows, max(names, 40) + DOT_GAP + DOT_RIM, area.width - numbers - 2 * DOT_GAP)
    pitch = min(DOT_ROW_MAX, max(DOT_ROW_MIN, (area.height - DOT_TOP - DOT_FOOT) / max(1, len(rows))))
    bottom = DOT_TOP + pitch * len(rows)
    shapes = grid(axis, area, DOT_TOP - 4, bottom, "")
    marks = []
    for index, row in enumerate(rows):
        y = DOT_TOP + pitch * (index + 0.5)
        shapes.append(TextShape(0, y, elide(area, row.name, axis.left - DOT_RIM - DOT_GAP / 2)))
        shapes += _figure(row if plain else replace(row, interval_text=""), axis, y, area.width - numbers, bold, area)
        marks.append(TooltipArea(0, y - pitch / 2 + 1, area.width, pitch - 2, row.tooltip, row.key))
    return Picture(area.width, bottom + DOT_FOOT, tuple(shapes), tuple(marks), description)


def _axis(rows: tuple[DotRow, ...], left: float, right: float) -> Axis:
    """Return an axis from 0 to 1, extended below zero if a figure lies below chance."""
    lowest = min((value for row in rows for value in (row.value, row.low) if value is not None), default=0)
    low = 0.0 if lowest >= 0 else -0.5 if lowest >= -0.5 else -1.0
    pixels_per_unit = (right - left) / (1 - low)
    step = 0.2 if pixels_per_unit * 0.2 >= 28 and low == 0 else 0.5
    return Axis(low, 1, step, left, max(right, left + 20))


def _figure(row: DotRow, axis: Axis, y: float, numbers: float, bold: float, area: DrawingArea) -> list[Shape]:
    if row.value is None:
        available = area.width - axis.left
        why = elide(area, row.missing, available, "small")
        return [TextShape(axis.left, y, why, Ink("text2"), "small", cleared=area.text_width(why, "small") + 4)]
    shapes: list[Shape] = []
    accent = Ink("accent")
    if row.low is not None and row.high is not None:
        low, high = axis.at(row.low), axis.at(row.high)
        shapes.append(LineShape(low, y, high, y, accent, 2))
        shapes += [LineShape(x, y - DOT_CAP, x, y + DOT_CAP, accent, 2) for x in (low, high)]
    shapes.append(DotShape(axis.at(row.value), y, DOT_RADIUS, accent))
    shapes.append(TextShape(numbers, y, row.value_text, bold=True))
    shapes.append(TextShape(numbers + bold + 8, y, row.interval_text, Ink("text2")))
    return shapes


# Confusion matrix chart: counts in cells, shaded by their share of the row.
CELL_MAX_STRENGTH = 0.5  # above this the number is unreadable in a dark window
CELL_MAX_WIDTH, CELL_MIN_WIDTH, CELL_GAP = 44, 22, 2
CELL_MIN_HEIGHT, CELL_MAX_HEIGHT = 20, 43
CELL_SIGN, MATRIX_HEAD = 16, 46
TOTAL_PADDING = 12  # padding around the sums


class ConfusionChart(Struct, frozen=True):
    """Data of the chart.

    `counts`: a row for each label given, a column for each label the others gave. `over` is the heading of the columns,
    `total` of the sums. `cells`: the text of each cell.
    """

    labels: tuple[ValueStyle, ...]
    counts: tuple[tuple[int, ...], ...]
    over: str
    total: str
    cells: tuple[tuple[str, ...], ...]


def draw_matrix(table: ConfusionChart, area: DrawingArea, description: str = "") -> Picture:
    """Draw the table. With more labels than fit it is wider than the area, and is scrolled."""
    count = max(1, len(table.labels))
    names = name_column(
        area, [_named(table, index) for index in range(len(table.labels))], most=0.42, before=CELL_SIGN + 9
    )
    left = names + 8
    sums = [area.text_width(area.number(sum(line), 0)) for line in table.counts]
    total = max(area.text_width(table.total, "small"), *sums, 0) + TOTAL_PADDING
    numbers = [area.number(number, 0) for line in table.counts for number in line]
    least = max(CELL_MIN_WIDTH, *(area.text_width(number, "small") + 4 for number in numbers), 0)
    wide = max(least, min(CELL_MAX_WIDTH, (area.width - left - total) / count - CELL_GAP))
    high = min(CELL_MAX_HEIGHT, max(CELL_MIN_HEIGHT, (area.height - MATRIX_HEAD) / count - CELL_GAP))
    shapes: list[Shape] = [
        TextShape(left, 7, elide(area, table.over, area.width - left - total, "small"), Ink("text2"), "small")
    ]
    marks = []
    for index, label in enumerate(table.labels):
        x = left + index * (wide + CELL_GAP) + wide / 2
        number = TextShape(x, 29, _numbered(label, index), Ink("text2"), bold=True, align="middle")
        shapes.append(_sign(label, x, 29) or number)
    end = left + count * (wide + CELL_GAP)
    shapes.append(TextShape(end + total - 4, 29, table.total, Ink("text2"), "small", align="right"))
    for row, label in enumerate(table.labels):
        y = MATRIX_HEAD + row * (high + CELL_GAP) + high / 2
        shapes += _head(label, _named(table, row), y, names, area)
        sum_of_row = sum(table.counts[row])
        shapes.append(TextShape(end + total - 4, y, area.number(sum_of_row, 0), Ink("text2"), align="right"))
        for column, number in enumerate(table.counts[row]):
            x = left + column * (wide + CELL_GAP)
            shapes += _cell(x, y - high / 2, wide, high, number, sum_of_row, same=row == column, area=area)
            key = ("cell", label.id, table.labels[column].id)
            marks.append(TooltipArea(x, y - high / 2, wide, high, table.cells[row][column], key))
    return Picture(
        max(area.width, end + total), MATRIX_HEAD + count * (high + CELL_GAP), tuple(shapes), tuple(marks), description
    )


def _named(table: ConfusionChart, index: int) -> str:
    label = table.labels[index]
    return label.label if label.shape or _is_step(label) else f"{index + 1}  {label.label}"


def _is_step(label: ValueStyle) -> bool:
    return isinstance(label.id, int | float)


def _numbered(label: ValueStyle, index: int) -> str:
    """Return the number shown for a label; a step of a scale has its own, and its text begins with it."""
    return label.label.split(" ", 1)[0] if _is_step(label) else f"{index + 1}"


def _sign(label: ValueStyle, x: float, y: float) -> SymbolShape | None:
    return SymbolShape(x, y, CELL_SIGN, label.shape, Ink("ink", label.tone)) if label.shape else None


def _head(label: ValueStyle, words: str, y: float, names: float, area: DrawingArea) -> list[Shape]:
    sign = _sign(label, CELL_SIGN / 2, y)
    start = CELL_SIGN + 9 if sign is not None else 0
    text = TextShape(start, y, elide(area, words, names - start))
    return [text] if sign is None else [sign, text]


def _cell(
    x: float, y: float, width: float, height: float, number: int, total: int, *, same: bool, area: DrawingArea
) -> list[Shape]:
    share = number / total if total else 0
    edge, thick = (Ink("accent"), 1.5) if same else (Ink("line"), 1)
    fill = Ink("accent", strength=round(CELL_MAX_STRENGTH * share, 3))
    words = area.number(number, 0)
    small = area.text_width(words, bold=same) > width - 4
    bold = same and (not small or area.text_width(words, "small", bold=True) <= width - 3)
    ink = Ink("text" if number else "text2")
    return [
        RectShape(x, y, width, height, fill, edge, thick),
        TextShape(x + width / 2, y + height / 2, words, ink, "small" if small else "interface", bold, "middle"),
    ]


# Chart of each rater's label distribution: a bar of segments in the order of the rubric.
SHARE_ROW_MIN, SHARE_ROW_MAX, SHARE_BAR, SEGMENT_GAP = 26, 43, 29, 2
LEGEND_LINE, LEGEND_SIGN, LEGEND_GAP = 22, 14, 10
SEGMENT_MIN = 2
PLAIN_LOW, PLAIN_HIGH = 0.06, 0.42  # fill strength of labels without a tone, first to last


class ShareRow(Struct, frozen=True):
    """One rater. `shares` in the order of the labels, each from 0 to 1; `numbers`: those written in the bar."""

    name: str
    shares: tuple[float, ...]
    numbers: tuple[str, ...]
    tooltips: tuple[str, ...]
    key: Key = ()
    missing: str = ""  # text for a rater without labels


def draw_shares(
    labels: tuple[ValueStyle, ...], rows: tuple[ShareRow, ...], area: DrawingArea, description: str = ""
) -> Picture:
    """Draw the legend, and below it a bar for each row."""
    legend, top = _legend(labels, area)
    names = name_column(area, [row.name for row in rows], most=0.3)
    left = names + 12
    pitch = min(SHARE_ROW_MAX, max(SHARE_ROW_MIN, (area.height - top) / max(1, len(rows))))
    bar = min(SHARE_BAR, pitch - 6)
    shapes = list(legend)
    marks: list[TooltipArea] = []
    for index, row in enumerate(rows):
        y = top + pitch * index + 3
        shapes.append(TextShape(0, y + bar / 2, elide(area, row.name, names + 4)))
        if row.missing:
            shapes.append(TextShape(left, y + bar / 2, elide(area, row.missing, area.width - left), Ink("text2")))
            continue
        drawn, pointed = _bar(labels, row, left, y, bar, area)
        shapes += drawn
        marks += pointed
    return Picture(area.width, top + pitch * len(rows), tuple(shapes), tuple(marks), description)


def _legend(labels: tuple[ValueStyle, ...], area: DrawingArea) -> tuple[list[Shape], float]:
    """Draw the labels in as many lines as needed; return the shapes and the bottom of the legend."""
    shapes: list[Shape] = []
    x, y = 0.0, LEGEND_LINE / 2
    for index, label in enumerate(labels):
        words = elide(area, label.label, area.width - LEGEND_SIGN - 5, "small")
        width = LEGEND_SIGN + 5 + area.text_width(words, "small")
        if x and x + width > area.width:
            x, y = 0.0, y + LEGEND_LINE
        if label.shape:
            shapes.append(SymbolShape(x + LEGEND_SIGN / 2, y, LEGEND_SIGN, label.shape, Ink("ink", label.tone)))
        else:
            shapes.append(RectShape(x + 1, y - 6, LEGEND_SIGN - 3, 12, segment_fill(labels, index), Ink("edge"), 1, 2))
        shapes.append(TextShape(x + LEGEND_SIGN + 5, y, words, size="small"))
        x += width + LEGEND_GAP
    return shapes, y + LEGEND_LINE / 2 + 6


def segment_fill(labels: tuple[ValueStyle, ...], index: int) -> Ink:
    """Return the fill of a segment: the label's own tint, otherwise a shade by its position among the labels."""
    if labels[index].tone:
        return Ink("tint", labels[index].tone)
    step = (PLAIN_HIGH - PLAIN_LOW) / max(1, len(labels) - 1)
    return Ink("accent", strength=round(PLAIN_LOW + step * index, 3))


def _bar(
    labels: tuple[ValueStyle, ...], row: ShareRow, left: float, y: float, height: float, area: DrawingArea
) -> tuple[list[Shape], list[TooltipArea]]:
    shapes: list[Shape] = []
    marks: list[TooltipArea] = []
    present = [index for index, share in enumerate(row.shares) if share > 0]
    available = area.width - left - 1 - SEGMENT_GAP * max(0, len(present) - 1)
    whole = sum(row.shares) or 1
    needed = [max(SEGMENT_MIN, available * row.shares[index] / whole) for index in present]
    x = left
    for index, need in zip(present, needed, strict=True):
        label, width = labels[index], need * available / sum(needed)
        edge = Ink("ink", label.tone) if label.tone else Ink("edge")
        shapes.append(RectShape(x, y, width, height, segment_fill(labels, index), edge, 1, 2))
        ink = edge if label.tone else Ink("text")
        number = row.numbers[index]
        if area.text_width(number, "small", bold=True) <= width - 2:
            shapes.append(TextShape(x + width / 2, y + height / 2, number, ink, "small", bold=True, align="middle"))
        marks.append(TooltipArea(x, y, width, height, row.tooltips[index], (*row.key, label.id)))
        x += width + SEGMENT_GAP
    return shapes, marks


# Chart of the time each rater takes: a dot at the median, a line from the 10th to the 90th percentile.
TIME_ROW_MIN, TIME_ROW_MAX = 34, 48
TIME_TOP, TIME_FOOT, TIME_RIM, TIME_DOT_RADIUS, TIME_CAP = 4, 24, 40, 5, 5


class TimeRow(Struct, frozen=True):
    """One rater; times in minutes. `missing` is the reason if there is no median."""

    name: str
    median: float | None = None
    low: float = 0
    high: float = 0
    tooltip: str = ""
    key: Key = ()
    missing: str = ""


def draw_times(
    rows: tuple[TimeRow, ...], area: DrawingArea, *, unit: str, guideline: float | None = None, description: str = ""
) -> Picture:
    """Draw the rows on one axis from zero. `guideline`: the minutes required by the guideline, as a dashed line."""
    names = name_column(area, [row.name for row in rows], most=0.3)
    left = names + 16
    longest = max([*(row.high for row in rows), *(row.median or 0 for row in rows), guideline or 0, 0.5])
    axis = axis_around(0, longest, left, area.width - TIME_RIM)
    pitch = min(TIME_ROW_MAX, max(TIME_ROW_MIN, (area.height - TIME_TOP - TIME_FOOT) / max(1, len(rows))))
    fits = TIME_TOP + pitch * len(rows) + TIME_FOOT <= area.height
    top = TIME_TOP if fits else TIME_FOOT  # scrolled charts have their numbers above
    bottom = top + pitch * len(rows)
    shapes = grid(axis, area, top, bottom, unit, above=not fits)
    if guideline is not None:
        x = axis.at(guideline)
        shapes.append(LineShape(x, top, x, bottom, Ink("warn"), 1.6, dashed=True))
    marks = []
    for index, row in enumerate(rows):
        y = top + pitch * (index + 0.5) + 4
        shapes.append(TextShape(0, y, elide(area, row.name, names + 6)))
        if row.median is None:
            shapes.append(
                TextShape(left, y, elide(area, row.missing, area.width - left, "small"), Ink("text2"), "small")
            )
        else:
            shapes += _row(row, axis.at(row.low), axis.at(row.median), axis.at(row.high), y, area)
        marks.append(TooltipArea(0, y - pitch / 2 - 3, area.width, pitch - 2, row.tooltip, row.key))
    return Picture(area.width, bottom + TIME_FOOT, tuple(shapes), tuple(marks), description)


def _row(row: TimeRow, low: float, median: float, high: float, y: float, area: DrawingArea) -> list[Shape]:
    assert row.median is not None, "a row with times"
    median_text, high_text = area.number(row.median, 1), area.number(row.high, 1)
    half = area.text_width(median_text, bold=True) / 2
    high_width = area.text_width(high_text)
    return [
        LineShape(low, y, high, y, Ink("edge"), 2),
        LineShape(high, y - TIME_CAP, high, y + TIME_CAP, Ink("edge"), 2),
        TextShape(high + 6, y, high_text, Ink("text2"), cleared=high_width + 4),
        DotShape(median, y, TIME_DOT_RADIUS, Ink("accent")),
        TextShape(median, y - 14, median_text, bold=True, align="middle", cleared=2 * half + 4),
    ]


LEAST_WIDTH, PLOT, HEAD, FOOT, LEFT, GAP = 200, 150, 44, 38, 30, 18
RADIUS, HOLE, STEP, MOST_STEPS = 3.5, 2.2, 4, 4  # a dot moves sideways in steps until it lies beside the others
ROOM = STEP * MOST_STEPS  # for dots moved sideways
ACCENT, QUIET, LINE, SURFACE = Ink("accent"), Ink("text2"), Ink("line"), Ink("surface")


class ScatterDot(Struct, frozen=True):
    """Text by its grade and score."""

    grade: float
    score: float
    tooltip: str = ""
    key: Key = ()


class ScatterPlot(Struct, frozen=True, kw_only=True):
    """Plot of one score. `figure`: its correlation as text. `ring`: dots are hollow. `guide`: a dashed line."""

    title: str
    figure: str
    dots: tuple[ScatterDot, ...]
    low: float
    high: float
    ring: bool = False
    guide: float | None = None


def draw_scatters(plots: tuple[ScatterPlot, ...], area: DrawingArea, grades: str, description: str = "") -> Picture:
    """Draw the plots side by side, in as many rows as the width asks for. `grades`: the name of the axis below."""
    columns = max(1, min(len(plots), int((area.width + GAP) // (LEAST_WIDTH + GAP))))
    columns = -(-len(plots) // -(-len(plots) // columns))  # rows of equal length
    width = (area.width + GAP) / columns - GAP
    every = [dot.grade for plot in plots for dot in plot.dots]
    low, high = min(every, default=0), max(every, default=1)
    shapes: list[Shape] = []
    marks: list[TooltipArea] = []
    height = HEAD + PLOT + FOOT
    for index, plot in enumerate(plots):
        left, top = (index % columns) * (width + GAP), (index // columns) * (height + GAP)
        across = axis_around(low, high, left + LEFT + ROOM, left + width - ROOM)
        _draw_frame(plot, across, (left, top, width), grades, area, shapes)
        upward = _upward(plot, top)
        _draw_dots(plot, across, upward, shapes, marks)
    rows = -(-len(plots) // columns)
    return Picture(area.width, rows * (height + GAP) - GAP, tuple(shapes), tuple(marks), description)


def _upward(plot: ScatterPlot, top: float) -> Axis:
    """Return the axis of the scores: its left end is the bottom of the plot."""
    axis = axis_around(plot.low, plot.high, 0, PLOT, between=36)
    return Axis(axis.low, axis.high, axis.step, top + HEAD + PLOT, top + HEAD)


def _draw_frame(
    plot: ScatterPlot,
    across: Axis,
    place: tuple[float, float, float],
    grades: str,
    area: DrawingArea,
    shapes: list[Shape],
) -> None:
    left, top, width = place
    upward, right, bottom = _upward(plot, top), left + width, top + HEAD + PLOT
    shapes.append(TextShape(left, top + 9, elide(area, plot.title, width, bold=True), bold=True))
    shapes.append(TextShape(left, top + 26, elide(area, plot.figure, width, "small"), QUIET, "small"))
    for tick in upward.ticks:
        y = upward.at(tick)
        shapes.append(LineShape(left + LEFT, y, right, y, LINE))
        shapes.append(TextShape(left + LEFT - 6, y, area.number(tick, upward.places), QUIET, "small", align="right"))
    if plot.guide is not None and upward.low <= plot.guide <= upward.high:
        y = upward.at(plot.guide)
        shapes.append(LineShape(left + LEFT, y, right, y, QUIET, dashed=True))
    for tick in across.ticks:
        words = area.number(tick, across.places)
        shapes.append(TextShape(across.at(tick), bottom + 12, words, QUIET, "small", align="middle"))
    shapes.append(TextShape(right, bottom + 28, elide(area, grades, width, "small"), QUIET, "small", align="right"))


def _draw_dots(plot: ScatterPlot, across: Axis, upward: Axis, shapes: list[Shape], marks: list[TooltipArea]) -> None:
    placed: list[tuple[float, float]] = []
    half = (across.at(across.low + 1) - across.at(across.low)) / 2  # of the way to the next grade
    steps = max(1, min(MOST_STEPS, int(half // STEP)))
    for dot in plot.dots:
        middle, y = across.at(dot.grade), upward.at(dot.score)
        offsets = [0] + [sign * step * STEP for step in range(1, steps) for sign in (1, -1)]
        free = (middle + offset for offset in offsets if not _is_near(placed, middle + offset, y))
        x = next(free, middle)
        placed.append((x, y))
        shapes.append(DotShape(x, y, RADIUS, QUIET if plot.ring else ACCENT))
        if plot.ring:
            shapes.append(DotShape(x, y, HOLE, SURFACE))
        marks.append(TooltipArea(x - 5, y - 5, 10, 10, dot.tooltip, dot.key))


def _is_near(placed: list[tuple[float, float]], x: float, y: float) -> bool:
    return any(abs(x - other) < STEP and abs(y - above) < STEP for other, above in placed)
