"""What was given against what the others gave: counts in cells, the share of the row as their ground."""

from __future__ import annotations

from msgspec import Struct

from desktop_rater.audit.charts.shapes import (
    Ink,
    Mark,
    Picture,
    Rect,
    Shape,
    Sheet,
    Sign,
    Text,
    fitting,
    name_column,
)
from desktop_rater.audit.judged import Look

STRONGEST = 0.5  # more, and the number in a dark window could not be read on it
CELL, LEAST, GAP = 44, 22, 2
LEAST_HIGH, MOST_HIGH = 20, 43
SIGN, HEAD = 16, 46
TOTAL = 12  # about the sums


class Matrix(Struct, frozen=True):
    """`counts`: a row for each label that was given, a column for each that the others gave.

    `over` stands above the columns, `total` above the sums. `cells`: what each cell says in words.
    """

    labels: tuple[Look, ...]
    counts: tuple[tuple[int, ...], ...]
    over: str
    total: str
    cells: tuple[tuple[str, ...], ...]


def matrix(table: Matrix, sheet: Sheet, words: str = "") -> Picture:
    """Draw the table. With more labels than fit it is wider than the sheet, and is scrolled."""
    count = max(1, len(table.labels))
    names = name_column(sheet, [_named(table, index) for index in range(len(table.labels))], most=0.42, before=SIGN + 9)
    left = names + 8
    sums = [sheet.wide(sheet.number(sum(line), 0)) for line in table.counts]
    total = max(sheet.wide(table.total, "small"), *sums, 0) + TOTAL
    numbers = [sheet.number(number, 0) for line in table.counts for number in line]
    least = max(LEAST, *(sheet.wide(number, "small") + 4 for number in numbers), 0)
    wide = max(least, min(CELL, (sheet.width - left - total) / count - GAP))
    high = min(MOST_HIGH, max(LEAST_HIGH, (sheet.height - HEAD) / count - GAP))
    shapes: list[Shape] = [
        Text(left, 7, fitting(sheet, table.over, sheet.width - left - total, "small"), Ink("text2"), "small")
    ]
    marks = []
    for index, label in enumerate(table.labels):
        x = left + index * (wide + GAP) + wide / 2
        number = Text(x, 29, _numbered(label, index), Ink("text2"), bold=True, align="middle")
        shapes.append(_sign(label, x, 29) or number)
    end = left + count * (wide + GAP)
    shapes.append(Text(end + total - 4, 29, table.total, Ink("text2"), "small", align="right"))
    for row, label in enumerate(table.labels):
        y = HEAD + row * (high + GAP) + high / 2
        shapes += _head(label, _named(table, row), y, names, sheet)
        sum_of_row = sum(table.counts[row])
        shapes.append(Text(end + total - 4, y, sheet.number(sum_of_row, 0), Ink("text2"), align="right"))
        for column, number in enumerate(table.counts[row]):
            x = left + column * (wide + GAP)
            shapes += _cell(x, y - high / 2, wide, high, number, sum_of_row, same=row == column, sheet=sheet)
            key = ("cell", label.id, table.labels[column].id)
            marks.append(Mark(x, y - high / 2, wide, high, table.cells[row][column], key))
    return Picture(max(sheet.width, end + total), HEAD + count * (high + GAP), tuple(shapes), tuple(marks), words)


def _named(table: Matrix, index: int) -> str:
    """A label's words; where it has no shape its number, which heads the column, goes before them."""
    label = table.labels[index]
    return label.label if label.shape or _is_step(label) else f"{index + 1}  {label.label}"


def _is_step(label: Look) -> bool:
    return isinstance(label.id, int | float)


def _numbered(label: Look, index: int) -> str:
    """The number that stands for a label: a step of a scale has its own, and its words begin with it."""
    return label.label.split(" ", 1)[0] if _is_step(label) else f"{index + 1}"


def _sign(label: Look, x: float, y: float) -> Sign | None:
    return Sign(x, y, SIGN, label.shape, Ink("ink", label.tone)) if label.shape else None


def _head(label: Look, words: str, y: float, names: float, sheet: Sheet) -> list[Shape]:
    sign = _sign(label, SIGN / 2, y)
    start = SIGN + 9 if sign is not None else 0
    text = Text(start, y, fitting(sheet, words, names - start))
    return [text] if sign is None else [sign, text]


def _cell(
    x: float, y: float, width: float, height: float, number: int, total: int, *, same: bool, sheet: Sheet
) -> list[Shape]:
    share = number / total if total else 0
    edge, thick = (Ink("accent"), 1.5) if same else (Ink("line"), 1)
    fill = Ink("accent", strength=round(STRONGEST * share, 3))
    words = sheet.number(number, 0)
    small = sheet.wide(words, bold=same) > width - 4
    bold = same and (not small or sheet.wide(words, "small", bold=True) <= width - 3)
    ink = Ink("text" if number else "text2")
    return [
        Rect(x, y, width, height, fill, edge, thick),
        Text(x + width / 2, y + height / 2, words, ink, "small" if small else "interface", bold, "middle"),
    ]
