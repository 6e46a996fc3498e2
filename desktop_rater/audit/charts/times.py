"""How long each rater takes: a dot at the median, a line from the 10th to the 90th percentile."""

from __future__ import annotations

from msgspec import Struct

from desktop_rater.audit.charts.axis import about, grid
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

LEAST, USUAL = 34, 48
TOP, FOOT, RIM, RADIUS, CAP = 4, 24, 40, 5, 5


class TimeRow(Struct, frozen=True):
    """One rater; times in minutes. Without a median `nothing` says why."""

    name: str
    median: float | None = None
    low: float = 0
    high: float = 0
    words: str = ""
    key: Key = ()
    nothing: str = ""


def times(
    rows: tuple[TimeRow, ...], sheet: Sheet, *, unit: str, guideline: float | None = None, words: str = ""
) -> Picture:
    """Draw the rows on one axis from nought. `guideline`: the minutes that the guideline asks for, as a dashed line."""
    names = name_column(sheet, [row.name for row in rows], most=0.3)
    left = names + 16
    longest = max([*(row.high for row in rows), *(row.median or 0 for row in rows), guideline or 0, 0.5])
    axis = about(0, longest, left, sheet.width - RIM)
    pitch = min(USUAL, max(LEAST, (sheet.height - TOP - FOOT) / max(1, len(rows))))
    top = TOP if TOP + pitch * len(rows) + FOOT <= sheet.height else FOOT  # scrolled, its numbers stand above
    bottom = top + pitch * len(rows)
    shapes = grid(axis, sheet, top, bottom, unit, above=top != TOP)
    if guideline is not None:
        x = axis.at(guideline)
        shapes.append(Line(x, top, x, bottom, Ink("warn"), 1.6, dashed=True))
    marks = []
    for index, row in enumerate(rows):
        y = top + pitch * (index + 0.5) + 4
        shapes.append(Text(0, y, fitting(sheet, row.name, names + 6)))
        if row.median is None:
            shapes.append(
                Text(left, y, fitting(sheet, row.nothing, sheet.width - left, "small"), Ink("text2"), "small")
            )
        else:
            shapes += _row(row, axis.at(row.low), axis.at(row.median), axis.at(row.high), y, sheet)
        marks.append(Mark(0, y - pitch / 2 - 3, sheet.width, pitch - 2, row.words, row.key))
    return Picture(sheet.width, bottom + FOOT, tuple(shapes), tuple(marks), words)


def _row(row: TimeRow, low: float, median: float, high: float, y: float, sheet: Sheet) -> list[Shape]:
    assert row.median is not None, "a row with times"
    shown, most = sheet.number(row.median, 1), sheet.number(row.high, 1)
    half = sheet.wide(shown, bold=True) / 2
    wide = sheet.wide(most)
    return [
        Line(low, y, high, y, Ink("edge"), 2),
        Line(high, y - CAP, high, y + CAP, Ink("edge"), 2),
        Text(high + 6, y, most, Ink("text2"), cleared=wide + 4),
        Dot(median, y, RADIUS, Ink("accent")),
        Text(median, y - 14, shown, bold=True, align="middle", cleared=2 * half + 4),
    ]
