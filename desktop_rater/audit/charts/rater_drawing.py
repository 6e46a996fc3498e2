"""Draw the charts of an audit's result: raters with bands of chance, and the bound by the number of places drawn."""

from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

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
    TextShape,
    TooltipArea,
    axis_around,
    elide,
)

ROW, GROUP, HEAD, PLOT_Y, TEXT_Y = 38, 24, 42, 12, 28
GAP, RIM, CAP, RADIUS, BAND = 12, 6, 4.5, 4.5, 12
NAME_SHARE, MIN_CELL, MAX_PLOT, WEEKS, SPARK, MIN_OUTSIDE, MAX_OUTSIDE = 0.16, 90, 150, 84, 22, 70, 150
ACCENT, QUIET, LINE, TEXT = Ink("accent"), Ink("text2"), Ink("line"), Ink("text")


class RaterCell(Struct, frozen=True, kw_only=True):
    """Figure with the band in which it lies by chance; without a value, `missing` is the reason."""

    value: float | None = None
    low: float | None = None
    high: float | None = None
    value_text: str = ""
    interval_text: str = ""
    missing: str = ""
    band: tuple[float, float] | None = None
    outside: bool = False


class RaterRow(Struct, frozen=True, kw_only=True):
    """One rater. `weeks`: the shares by week; without at least two, `no_weeks` says why."""

    name: str
    base: str
    cells: tuple[RaterCell, ...]
    weeks: tuple[float, ...] = ()
    no_weeks: str = ""
    minutes: str = ""
    outside: str = ""
    tooltip: str = ""
    key: Key = ()


class RaterGroup(Struct, frozen=True, kw_only=True):
    """Rows under a heading, which has a note at its end."""

    title: str
    note: str
    rows: tuple[RaterRow, ...]


class RatersChart(Struct, frozen=True, kw_only=True):
    """Raters in groups. `titles`: those of name, base, each figure, weeks, minutes and outside.

    `shares`: whether each figure lies between 0 and 1. `nothing`: the text if there is no row.
    """

    titles: tuple[str, ...]
    shares: tuple[bool, ...]
    groups: tuple[RaterGroup, ...]
    nothing: str = ""


def draw_raters(chart: RatersChart, area: DrawingArea, description: str = "") -> Picture:
    """Draw a row for each rater, and the titles above them, which stay when the picture is scrolled."""
    drawing = _RatersDrawing(chart, area)
    y = float(HEAD)
    for group in chart.groups:
        y = drawing.draw_group(group, y)
    if not chart.groups:
        drawing.shapes.append(TextShape(0, y + ROW / 2, chart.nothing, QUIET))
        y += ROW
    return Picture(drawing.width, y, tuple(drawing.shapes), tuple(drawing.marks), description, HEAD)


class _RatersDrawing:
    def __init__(self, chart: RatersChart, area: DrawingArea) -> None:
        self._area = area
        rows = [row for group in chart.groups for row in group.rows]
        self._weeks = any(len(row.weeks) > 1 for row in rows)
        columns = [*zip(*(row.cells for row in rows), strict=True)] or [() for _ in chart.shares]
        bold = max((area.text_width(row.name[:400], bold=True) for row in rows), default=0)
        self._names = max(min(bold, area.width * NAME_SHARE), 40.0) + GAP
        base = max([area.text_width(row.base) for row in rows] + [self._title_width(chart.titles[1])]) + GAP
        weeks, minutes, outside = (self._title_width(title) for title in chart.titles[-3:])
        minutes = max([minutes, *(area.text_width(row.minutes) for row in rows)])
        outside = max([outside, *(area.text_width(row.outside, "small") for row in rows)])
        tails = [max(WEEKS, weeks) + GAP if self._weeks else 0.0, minutes + GAP, min(outside, MAX_OUTSIDE)]
        needed = [max(MIN_CELL, *(self._cell_width(cell) for cell in column), self._title_width(title)) + GAP
                  for column, title in zip(columns, chart.titles[2:], strict=False)]  # fmt: skip
        spare = area.width - self._names - base - sum(tails) - sum(needed)
        if spare < 0:
            tails[-1] = max(MIN_OUTSIDE, tails[-1] + spare)
            spare = 0.0
        widths = [self._names, base, *(width + spare / max(1, len(needed)) for width in needed), *tails]
        self.width = max(area.width, sum(widths))
        self._lefts = [sum(widths[:at]) for at in range(len(widths))]
        self._widths = widths
        self._axes = [
            _axis(column, self._lefts[2 + at] + RIM, min(MAX_PLOT, widths[2 + at] - GAP - RIM), share=share)
            for at, (column, share) in enumerate(zip(columns, chart.shares, strict=True))
        ]
        self.shapes: list[Shape] = []
        self.marks: list[TooltipArea] = []
        for at, title in enumerate(chart.titles):
            if title == chart.titles[-3] and not self._weeks:
                continue
            for line, words in enumerate(reversed(_lines(title, area))):
                y = HEAD - 10 - 15 * line
                self.shapes.append(TextShape(self._lefts[at], y, words, TEXT, "small", bold=True))
        self.shapes.append(LineShape(0, HEAD - 1, self.width, HEAD - 1, Ink("edge")))

    def _title_width(self, title: str) -> float:
        return max(self._area.text_width(line, "small", bold=True) for line in _lines(title, self._area))

    def _cell_width(self, cell: RaterCell) -> float:
        if cell.value is None:
            return 0
        width = self._area.text_width
        return width(cell.value_text, "small", bold=True) + width(cell.interval_text, "small") + 6

    def draw_group(self, group: RaterGroup, top: float) -> float:
        """Draw a group; return its bottom."""
        y = top
        if group.title:
            self.shapes.append(RectShape(0, y, self.width, GROUP, Ink("line", strength=0.35)))
            self.shapes.append(TextShape(RIM, y + GROUP / 2, group.title, TEXT, "small", bold=True))
            end = min(self.width, self._area.width) - RIM
            self.shapes.append(TextShape(end, y + GROUP / 2, group.note, QUIET, "small", align="right"))
            y += GROUP
        for row in group.rows:
            self._draw_row(row, y)
            y += ROW
        return y

    def _draw_row(self, row: RaterRow, y: float) -> None:
        area, lefts, middle = self._area, self._lefts, y + ROW / 2
        text = elide(area, row.name, self._names - GAP + 2, bold=True)
        self.shapes.append(TextShape(0, middle, text, TEXT, bold=True))
        self.shapes.append(TextShape(lefts[1], middle, row.base))
        for at, (cell, axis) in enumerate(zip(row.cells, self._axes, strict=True)):
            self._draw_cell(cell, axis, lefts[2 + at], self._widths[2 + at] - GAP, y)
        weeks, minutes, outside = lefts[-3:]
        if len(row.weeks) > 1:
            self._draw_weeks(row.weeks, weeks, middle)
        elif self._weeks:
            self.shapes.append(TextShape(weeks, middle, row.no_weeks, QUIET, "small"))
        self.shapes.append(TextShape(minutes, middle, row.minutes))
        width = self._widths[-1] - 4
        fits = area.text_width(row.outside, "small") <= width
        lines = (row.outside,) if fits else _lines(row.outside, area)
        for at, line in enumerate(lines):
            y_of_line = middle + 15 * (at - (len(lines) - 1) / 2)
            self.shapes.append(TextShape(outside, y_of_line, elide(area, line, width, "small"), TEXT, "small"))
        self.shapes.append(LineShape(0, y + ROW, self.width, y + ROW, LINE))
        self.marks.append(TooltipArea(0, y + 1, self.width, ROW - 2, row.tooltip, row.key))

    def _draw_cell(self, cell: RaterCell, axis: Axis, left: float, width: float, y: float) -> None:
        if cell.value is None:
            words = elide(self._area, cell.missing, width, "small")
            self.shapes.append(TextShape(left, y + ROW / 2, words, QUIET, "small"))
            return
        line = y + PLOT_Y
        if cell.band is not None:
            start, stop = (axis.at(end) for end in cell.band)
            fill = Ink("line", strength=0.95)  # in high contrast only its edge is drawn
            self.shapes.append(RectShape(start, line - BAND / 2, max(2, stop - start), BAND, fill, LINE, radius=1))
        ink = ACCENT if cell.outside else QUIET
        if cell.low is not None and cell.high is not None:
            start, stop = axis.at(cell.low), axis.at(cell.high)
            self.shapes.append(LineShape(start, line, stop, line, ink, 1.6))
            self.shapes += [LineShape(x, line - CAP, x, line + CAP, ink, 1.6) for x in (start, stop)]
        x = axis.at(cell.value)
        self.shapes.append(DotShape(x, line, RADIUS, ink))
        if not cell.outside:
            self.shapes.append(DotShape(x, line, RADIUS - 1.5, Ink("surface")))
        self.shapes.append(TextShape(left, y + TEXT_Y, cell.value_text, TEXT, "small", bold=cell.outside))
        start = left + self._area.text_width(cell.value_text, "small", bold=cell.outside) + 6
        beside = elide(self._area, cell.interval_text or cell.missing, left + width - start, "small")
        self.shapes.append(TextShape(start, y + TEXT_Y, beside, QUIET, "small"))

    def _draw_weeks(self, weeks: tuple[float, ...], left: float, middle: float) -> None:
        step = (WEEKS - 2 * RIM) / (len(weeks) - 1)
        points = [(left + RIM + at * step, middle + SPARK * (0.5 - share)) for at, share in enumerate(weeks)]
        base = middle + SPARK / 2
        self.shapes.append(LineShape(left + RIM, base, left + WEEKS - RIM, base, LINE))
        self.shapes += [LineShape(*start, *end, TEXT, 1.4) for start, end in pairwise(points)]
        self.shapes.append(DotShape(*points[-1], 2.6, TEXT))


def _axis(cells: Sequence[RaterCell], left: float, width: float, *, share: bool) -> Axis:
    """Return the axis of a figure around all its intervals and bands."""
    values = [
        value for cell in cells if cell.value is not None
        for value in (cell.low, cell.value, cell.high, *(cell.band or ())) if value is not None
    ]  # fmt: skip
    low, high = min(values, default=0.0), max(values, default=1.0)
    if not share:
        high = max(abs(low), abs(high), 0.1)
        low = -high
    pad = max(1e-6, 0.02 * (high - low))
    return Axis(low - pad, high + pad, 1, left, left + width)


def _lines(title: str, area: DrawingArea) -> tuple[str, ...]:
    """Split a title into one line or two of nearly equal width."""
    words = title.split()
    splits = [(" ".join(words[:cut]), " ".join(words[cut:])) for cut in range(1, len(words))]
    return min(splits, key=lambda pair: max(area.text_width(line, "small") for line in pair), default=(title,))


# The bound by the number of places drawn.
CURVE_LEFT, CURVE_TOP, CURVE_FOOT, CURVE_HEIGHT = 40, 14, 24, 148


class BoundChart(Struct, frozen=True, kw_only=True):
    """Bound in per cent by the number of places, with its marks: now, the first below the goal, goal and estimate."""

    points: tuple[tuple[int, float], ...]
    now: tuple[int, float, str]
    first: tuple[int, float, str] | None
    goal: tuple[float, str]
    rate: tuple[float, str] | None


def draw_bound(chart: BoundChart, area: DrawingArea, description: str = "") -> Picture:
    """Draw the bound as a line, the goal dashed, and the estimate."""
    across = axis_around(chart.points[0][0], chart.points[-1][0], CURVE_LEFT, area.width - RIM - 6, between=64)
    across = Axis(chart.points[0][0], max(chart.points[-1][0], chart.points[0][0] + 1), across.step, across.left,
                  across.right)  # fmt: skip
    levels = [bound for _places, bound in chart.points] + [chart.goal[0], chart.rate[0] if chart.rate else 0]
    height = CURVE_HEIGHT - CURVE_TOP - CURVE_FOOT
    up = axis_around(min(levels), max(levels), 0, height, between=36)
    bottom = CURVE_TOP + height
    shapes: list[Shape] = []
    for tick in up.ticks:
        y = bottom - up.at(tick)
        shapes.append(LineShape(CURVE_LEFT, y, area.width, y, LINE))
        words = f"{area.number(tick, up.places)} %"
        shapes.append(TextShape(CURVE_LEFT - 6, y, words, QUIET, "small", align="right"))
    for tick in axis_around(across.low, across.high, 0, across.right - across.left, between=64).ticks:
        if across.low <= tick <= across.high:
            words = area.number(tick, 0)
            shapes.append(TextShape(across.at(tick), bottom + 14, words, QUIET, "small", align="middle"))
    for (level, words), ink in ((chart.goal, Ink("warn")), *(((chart.rate, QUIET),) if chart.rate else ())):
        y = bottom - up.at(level)
        shapes.append(LineShape(CURVE_LEFT, y, area.width, y, ink, 1.4, dashed=True))
        below = 9 if ink is QUIET else -9
        width = area.text_width(words, "small") + 4
        shapes.append(TextShape(area.width, y + below, words, ink, "small", align="right", cleared=width))
    at = [(across.at(places), bottom - up.at(bound)) for places, bound in chart.points]
    shapes += [LineShape(*start, *end, ACCENT, 2) for start, end in pairwise(at)]
    for mark, filled in ((chart.now, True), (chart.first, False)):
        if mark is None:
            continue
        x, y = across.at(mark[0]), bottom - up.at(mark[1])
        shapes.append(DotShape(x, y, RADIUS, ACCENT))
        if not filled:
            shapes.append(DotShape(x, y, RADIUS - 1.5, Ink("surface")))
        width = area.text_width(mark[2], "small", bold=True)
        start = min(x + 8, area.width - width)
        label_y = y - 12 if filled else y + 13
        shapes.append(TextShape(start, label_y, mark[2], TEXT, "small", bold=True, cleared=width + 4))
    marks = tuple(
        TooltipArea(x - 4, CURVE_TOP, 8, height, f"{area.number(places, 0)}: {area.number(bound, 1)} %")
        for (x, _y), (places, bound) in zip(at, chart.points, strict=True)
    )
    return Picture(area.width, CURVE_HEIGHT, tuple(shapes), marks, description)
