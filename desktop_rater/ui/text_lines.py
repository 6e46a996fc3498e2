"""Where stretches of a document lie on the screen, line by line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar, cast

from PySide6.QtCore import QPointF, QRectF, Qt

from desktop_rater.ui.direction import turns_round

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from PySide6.QtGui import QTextBlock, QTextDocument, QTextLine

    class Marked(Protocol):
        """What has a place in a document."""

        @property
        def span(self) -> tuple[int, int]: ...

    M = TypeVar("M", bound=Marked)

BLANKS = frozenset(" \t\u00a0\u2028\u3000".encode("utf-16-le")[at : at + 2] for at in range(0, 10, 2))


@dataclass(frozen=True)
class Piece:
    """What of a stretch lies on one line, from `left` to `right`; where the direction changes a line has several.

    Document coordinates. `first`: the stretch begins on this line.
    """

    left: float
    right: float
    baseline: float
    first: bool


class Sight:
    """What of a document is seen between two heights of it. Nothing else is even looked at."""

    def __init__(self, document: QTextDocument, top: float, bottom: float) -> None:
        self._layout = document.documentLayout()
        self.top, self.bottom = top, bottom
        self.blocks = tuple(self._seen(document))
        self._texts: dict[int, tuple[bytes, bool]] = {}

    def _seen(self, document: QTextDocument) -> Iterator[QTextBlock]:
        at = self._layout.hitTest(QPointF(0, max(0.0, self.top)), Qt.HitTestAccuracy.FuzzyHit)
        block = document.findBlock(max(0, at))
        # The cells of a row stand beside each other: the first of the row may come before the one that was hit.
        while block.previous().isValid() and self.rect(block.previous()).bottom() >= self.top:
            block = block.previous()
        while block.isValid() and self.rect(block).top() <= self.bottom:
            yield block
            block = block.next()

    @property
    def span(self) -> tuple[int, int]:
        """The positions of the first and the last character in sight."""
        if not self.blocks:
            return 0, 0
        begin, end = self.blocks[0], self.blocks[-1]
        top = begin.layout().lineAt(self._line_at(begin, self.top))
        bottom = end.layout().lineAt(self._line_at(end, self.bottom))
        return begin.position() + top.textStart(), end.position() + bottom.textStart() + bottom.textLength() + 1

    def among(self, marks: Sequence[M]) -> list[M]:
        """Those of many marks that can be seen."""
        first, last = self.span
        return [mark for mark in marks if mark.span[0] < last and mark.span[1] > first]

    def rect(self, block: QTextBlock) -> QRectF:
        """Where a block stands."""
        return self._layout.blockBoundingRect(block)

    def pieces(self, first: int, last: int) -> Iterator[Piece]:
        """What is seen of the stretch between two positions."""
        for block in self.blocks:
            start, end = max(first - block.position(), 0), min(last - block.position(), block.length() - 1)
            if start < end:
                yield from self._pieces(block, start, end, begins=start == first - block.position())

    def caret(self, position: int) -> Piece | None:
        """Where the place between two characters is seen."""
        for block in self.blocks:
            at = position - block.position()
            if 0 <= at < block.length() and block.layout().lineCount():
                line, origin = block.layout().lineForTextPosition(at), self.rect(block).topLeft()
                x = origin.x() + _x(line, at)
                return Piece(x, x, round(origin.y() + line.y() + line.ascent()), first=True)
        return None

    def _pieces(self, block: QTextBlock, start: int, end: int, *, begins: bool) -> Iterator[Piece]:
        units, turning = self._text(block)
        origin, layout = self.rect(block).topLeft(), block.layout()
        for number in range(self._first_line(block, start), layout.lineCount()):
            line = layout.lineAt(number)
            if line.textStart() >= end or origin.y() + line.y() > self.bottom:
                return
            left, right = max(start, line.textStart()), min(end, line.textStart() + line.textLength())
            while left < right and units[2 * right - 2 : 2 * right] in BLANKS:
                right -= 1
            while left < right and units[2 * left : 2 * left + 2] in BLANKS:
                left += 1
            if left >= right:
                continue
            baseline = round(origin.y() + line.y() + line.ascent())  # as Qt draws the letters: marks get sharp edges
            first = begins and line.textStart() <= start
            for near, far in _parts(line, left, right) if turning else ((_x(line, left), _x(line, right)),):
                yield Piece(origin.x() + near, origin.x() + far, baseline, first)

    def _first_line(self, block: QTextBlock, start: int) -> int:
        """The line of that place of a block, or the first one in sight."""
        if self.rect(block).top() >= self.top:
            return block.layout().lineForTextPosition(start).lineNumber()
        return self._line_at(block, self.top)

    def _line_at(self, block: QTextBlock, height: float) -> int:
        """The first line that does not end above that height, or the last one: a block may have thousands."""
        layout, origin = block.layout(), self.rect(block).top()
        low, high = 0, max(layout.lineCount() - 1, 0)
        while low < high:
            middle = (low + high) // 2
            line = layout.lineAt(middle)
            if origin + line.y() + line.height() < height:
                low = middle + 1
            else:
                high = middle
        return low

    def _text(self, block: QTextBlock) -> tuple[bytes, bool]:
        """The text of a block in UTF-16, as Qt counts, and whether some of it runs the other way."""
        number = block.blockNumber()
        if number not in self._texts:
            text = block.text()
            self._texts[number] = text.encode("utf-16-le", "surrogatepass"), turns_round(text)
        return self._texts[number]


def height_at(document: QTextDocument, position: int) -> float:
    """How far from its top the line with that place begins."""
    block = document.findBlock(position)
    top = document.documentLayout().blockBoundingRect(block).top()
    layout = block.layout()
    return top + layout.lineForTextPosition(position - block.position()).y() if layout.lineCount() else top


def _x(line: QTextLine, position: int) -> float:
    x, _position = cast("tuple[float, int]", line.cursorToX(position))
    return x


def _parts(line: QTextLine, start: int, stop: int) -> list[tuple[float, float]]:
    """Left and right of each part of a stretch that stands together."""
    rects = sorted((run.boundingRect() for run in line.glyphRuns(start, stop - start)), key=QRectF.left)
    found: list[tuple[float, float]] = []
    for rect in rects:
        if found and rect.left() <= found[-1][1] + 1:
            found[-1] = found[-1][0], max(found[-1][1], rect.right())
        else:
            found.append((rect.left(), rect.right()))
    return found
