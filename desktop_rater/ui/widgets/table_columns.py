"""Widths of the columns of tables: no word and no number is split, and a table that needs more width scrolls."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtGui import QFont, QFontMetricsF, QTextBlock, QTextDocument, QTextLength, QTextTable

MAX_WORD_CHARACTERS = 40  # a longer word, such as an address, may be split
MAX_COLUMN_CHARACTERS = 60  # a column gets no wider for the sake of one line
_SLACK = 2  # pixels: widths of words are fractions
_EDGE = 1  # pixel: in Qt 6.9 a table may be that much wider than its columns and borders


class TableColumns:
    """The columns of the tables of a document: the widths that their longest words and whole texts need."""

    def __init__(self, document: QTextDocument) -> None:
        self._tables = [(table, *_needs(table, document.defaultFont())) for table in _tables(document)]
        self._widths = (-1.0, -1.0)
        self._lacking = 0.0

    def fit(self, width: float, beyond: float = 0, *, backwards: bool = False) -> float:
        """Distribute a width among the columns: each gets what its words need, then what its texts need.

        `beyond`: width of the margin after the text, which a wide table may use. `backwards`: tables end at the right;
        their own alignment would ignore margins. Return what the widest table needs in addition to the width.
        """
        if (width, beyond) == self._widths or not self._tables:
            return self._lacking
        self._widths = width, beyond
        needs = [
            sum(least) + table.format().toTableFormat().border() * (len(least) + 1) + _EDGE
            for table, least, _ in self._tables
        ]
        self._lacking = max(0.0, max(needs) - width)
        for (table, least, wanted), needed in zip(self._tables, needs, strict=True):
            form = table.format().toTableFormat()
            spare = max(0.0, width - needed)
            asked = sum(wanted) - sum(least)
            share = min(1.0, spare / asked) if asked > 0 else 0.0
            widths = [float(int(low + (high - low) * share)) for low, high in zip(least, wanted, strict=True)]
            form.setColumnWidthConstraints([QTextLength(QTextLength.Type.FixedLength, column) for column in widths])
            if backwards:
                form.setLeftMargin(width + self._lacking - sum(widths) - needed + sum(least))
            else:
                form.setRightMargin(-max(0.0, min(needed - width, beyond)))
            table.setFormat(form)
        return self._lacking


def _tables(document: QTextDocument) -> Iterator[QTextTable]:
    return (frame for frame in document.rootFrame().childFrames() if isinstance(frame, QTextTable))


def _needs(table: QTextTable, font: QFont) -> tuple[list[float], list[float]]:
    """Return the widths that the longest word, and the longest text, of each column need."""
    metrics: dict[str, QFontMetricsF] = {}
    form = table.format().toTableFormat()
    padding = 2 * form.cellPadding() + form.border() + _SLACK
    letter = QFontMetricsF(font).averageCharWidth()
    least, wanted = [0.0] * table.columns(), [0.0] * table.columns()
    for row in range(table.rows()):
        for column in range(table.columns()):
            block = table.cellAt(row, column).firstCursorPosition().block()
            word, text = _widths(block, metrics)
            least[column] = max(least[column], min(word, MAX_WORD_CHARACTERS * letter))
            wanted[column] = max(wanted[column], min(text, MAX_COLUMN_CHARACTERS * letter))
    least = [width + padding for width in least]
    return least, [max(low, width + padding) for low, width in zip(least, wanted, strict=True)]


def _widths(block: QTextBlock, metrics: dict[str, QFontMetricsF]) -> tuple[float, float]:
    """Return the width of the longest word of a cell, and of all its text. Neighbouring runs may be one word."""
    longest = word = total = 0.0
    fragments = block.begin()
    while not fragments.atEnd():
        fragment = fragments.fragment()
        form, text = fragment.charFormat(), fragment.text()
        if form.isImageFormat():
            parts = [form.toImageFormat().width() * fragment.length()]
        else:
            font = form.font()
            measure = metrics.setdefault(font.key(), QFontMetricsF(font))
            total += measure.horizontalAdvance(" ") * text.count(" ")
            parts = [measure.horizontalAdvance(part) for part in text.split(" ")]
        for index, part in enumerate(parts):
            word = word + part if index == 0 else part
            longest = max(longest, word)
            total += part
        fragments += 1
    return longest, total
