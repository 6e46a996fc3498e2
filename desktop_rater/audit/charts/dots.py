"""Figures of agreement: a dot on a line, with the interval about it, and the numbers beside it."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from desktop_rater.audit.charts.axis import Axis, grid
from desktop_rater.audit.charts.shapes import (
    Dot,
    Ink,
    Key,
    Line,
    Mark,
    Picture,
    Shape,
    Sheet,
    Text,
    fitting,
    name_column,
)

LEAST, USUAL = 23, 42  # from row to row
TOP, FOOT, CAP, RADIUS = 6, 24, 6, 4
GAP, RIM = 12, 6
NAMES, PLOT = 100, 90  # the least widths: of names that are longer, and of the line that the dots stand on


class DotRow(Struct, frozen=True):
    """One figure. `shown` and `between` are its numbers as they are written; without a value `why` says why."""

    name: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    shown: str = ""
    between: str = ""
    why: str = ""
    words: str = ""
    key: Key = ()


def dots(rows: tuple[DotRow, ...], sheet: Sheet, words: str = "") -> Picture:
    """Draw the rows from the top down, as far apart as the room allows."""
    bold = max((sheet.wide(row.shown, bold=True) for row in rows), default=0)
    plain = max((sheet.wide(row.between) for row in rows), default=0)
    names = name_column(sheet, [row.name for row in rows], most=0.5)
    if min(names, NAMES) + PLOT + bold + plain + 4 * GAP > sheet.width:
        plain = 0  # what is drawn need not be written too: the mark and the table say it
    numbers = bold + (plain + 8 if plain else 0)
    names = min(names, sheet.width - numbers - PLOT - 3 * GAP)
    axis = _axis(rows, max(names, 40) + GAP + RIM, sheet.width - numbers - 2 * GAP)
    pitch = min(USUAL, max(LEAST, (sheet.height - TOP - FOOT) / max(1, len(rows))))
    bottom = TOP + pitch * len(rows)
    shapes = grid(axis, sheet, TOP - 4, bottom, "")
    marks = []
    for index, row in enumerate(rows):
        y = TOP + pitch * (index + 0.5)
        shapes.append(Text(0, y, fitting(sheet, row.name, axis.left - RIM - GAP / 2)))
        shapes += _figure(row if plain else replace(row, between=""), axis, y, sheet.width - numbers, bold, sheet)
        marks.append(Mark(0, y - pitch / 2 + 1, sheet.width, pitch - 2, row.words, row.key))
    return Picture(sheet.width, bottom + FOOT, tuple(shapes), tuple(marks), words)


def _axis(rows: tuple[DotRow, ...], left: float, right: float) -> Axis:
    """From 0 to 1, and further down where a figure lies below chance."""
    lowest = min((value for row in rows for value in (row.value, row.low) if value is not None), default=0)
    low = 0.0 if lowest >= 0 else -0.5 if lowest >= -0.5 else -1.0
    room = (right - left) / (1 - low)
    step = 0.2 if room * 0.2 >= 28 and low == 0 else 0.5
    return Axis(low, 1, step, left, max(right, left + 20))


def _figure(row: DotRow, axis: Axis, y: float, numbers: float, bold: float, sheet: Sheet) -> list[Shape]:
    if row.value is None:
        room = sheet.width - axis.left
        why = fitting(sheet, row.why, room, "small")
        return [Text(axis.left, y, why, Ink("text2"), "small", cleared=sheet.wide(why, "small") + 4)]
    shapes: list[Shape] = []
    accent = Ink("accent")
    if row.low is not None and row.high is not None:
        low, high = axis.at(row.low), axis.at(row.high)
        shapes.append(Line(low, y, high, y, accent, 2))
        shapes += [Line(x, y - CAP, x, y + CAP, accent, 2) for x in (low, high)]
    shapes.append(Dot(axis.at(row.value), y, RADIUS, accent))
    shapes.append(Text(numbers, y, row.shown, bold=True))
    shapes.append(Text(numbers + bold + 8, y, row.between, Ink("text2")))
    return shapes
