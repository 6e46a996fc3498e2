"""How the labels of each rater are spread: a bar of segments in the order of the rubric."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from desktop_rater.audit.charts.shapes import (
    Ink,
    Key,
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

if TYPE_CHECKING:
    from desktop_rater.audit.judged import Look

LEAST, USUAL, BAR, GAP = 26, 43, 29, 2
LINE, SIGN, AFTER = 22, 14, 10
THINNEST = 2
PLAIN_LOW, PLAIN_HIGH = 0.06, 0.42  # the grounds of labels that have no tone of their own, from the first to the last


class ShareRow(Struct, frozen=True):
    """One rater. `shares` in the order of the labels, each from 0 to 1; `shown` the same as numbers in the bar."""

    name: str
    shares: tuple[float, ...]
    shown: tuple[str, ...]
    words: tuple[str, ...]
    key: Key = ()
    nothing: str = ""  # what stands there where the rater gave none


def shares(labels: tuple[Look, ...], rows: tuple[ShareRow, ...], sheet: Sheet, words: str = "") -> Picture:
    """Draw the legend, and a bar for each row under it."""
    legend, top = _legend(labels, sheet)
    names = name_column(sheet, [row.name for row in rows], most=0.3)
    left = names + 12
    pitch = min(USUAL, max(LEAST, (sheet.height - top) / max(1, len(rows))))
    bar = min(BAR, pitch - 6)
    shapes = list(legend)
    marks: list[Mark] = []
    for index, row in enumerate(rows):
        y = top + pitch * index + 3
        shapes.append(Text(0, y + bar / 2, fitting(sheet, row.name, names + 4)))
        if row.nothing:
            shapes.append(Text(left, y + bar / 2, fitting(sheet, row.nothing, sheet.width - left), Ink("text2")))
            continue
        drawn, pointed = _bar(labels, row, left, y, bar, sheet)
        shapes += drawn
        marks += pointed
    return Picture(sheet.width, top + pitch * len(rows), tuple(shapes), tuple(marks), words)


def _legend(labels: tuple[Look, ...], sheet: Sheet) -> tuple[list[Shape], float]:
    """The labels in lines, as many as are needed, and where they end."""
    shapes: list[Shape] = []
    x, y = 0.0, LINE / 2
    for index, label in enumerate(labels):
        words = fitting(sheet, label.label, sheet.width - SIGN - 5, "small")
        wide = SIGN + 5 + sheet.wide(words, "small")
        if x and x + wide > sheet.width:
            x, y = 0.0, y + LINE
        if label.shape:
            shapes.append(Sign(x + SIGN / 2, y, SIGN, label.shape, Ink("ink", label.tone)))
        else:
            shapes.append(Rect(x + 1, y - 6, SIGN - 3, 12, ground(labels, index), Ink("edge"), 1, 2))
        shapes.append(Text(x + SIGN + 5, y, words, size="small"))
        x += wide + AFTER
    return shapes, y + LINE / 2 + 6


def ground(labels: tuple[Look, ...], index: int) -> Ink:
    """What a segment is filled with: the label's own tint, else a shade by its place among the labels."""
    if labels[index].tone:
        return Ink("tint", labels[index].tone)
    step = (PLAIN_HIGH - PLAIN_LOW) / max(1, len(labels) - 1)
    return Ink("accent", strength=round(PLAIN_LOW + step * index, 3))


def _bar(
    labels: tuple[Look, ...], row: ShareRow, left: float, y: float, height: float, sheet: Sheet
) -> tuple[list[Shape], list[Mark]]:
    shapes: list[Shape] = []
    marks: list[Mark] = []
    there = [index for index, share in enumerate(row.shares) if share > 0]
    room = sheet.width - left - 1 - GAP * max(0, len(there) - 1)
    whole = sum(row.shares) or 1
    needed = [max(THINNEST, room * row.shares[index] / whole) for index in there]
    x = left
    for index, need in zip(there, needed, strict=True):
        label, wide = labels[index], need * room / sum(needed)
        edge = Ink("ink", label.tone) if label.tone else Ink("edge")
        shapes.append(Rect(x, y, wide, height, ground(labels, index), edge, 1, 2))
        ink = edge if label.tone else Ink("text")
        shown = row.shown[index]
        if sheet.wide(shown, "small", bold=True) <= wide - 2:
            shapes.append(Text(x + wide / 2, y + height / 2, shown, ink, "small", bold=True, align="middle"))
        marks.append(Mark(x, y, wide, height, row.words[index], (*row.key, label.id)))
        x += wide + GAP
    return shapes, marks
