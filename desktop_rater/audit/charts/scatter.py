"""Draw scores against grades: one small plot for each score, a dot for each text."""

from msgspec import Struct

from desktop_rater.audit.charts.shapes import (
    Axis,
    DotShape,
    DrawingArea,
    Ink,
    Key,
    LineShape,
    Picture,
    Shape,
    TextShape,
    TooltipArea,
    axis_around,
    elide,
)

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
