"""Two texts that scroll together: what they have in common stands at about the same height."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop_rater.ui.text_lines import height_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_rater.ui.response.view import ResponseView

    Span = tuple[int, int]
    Heights = tuple[tuple[float, float], ...]

MOST_ANCHORS = 200


class ScrollTogether(QObject):
    """Follows whichever of the two is scrolled."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._views: tuple[ResponseView, ResponseView] | None = None
        self._partners: Sequence[tuple[Span, Span]] = ()
        self._measured: tuple[object, Heights] | None = None
        self._moving = False

    def join(self, views: tuple[ResponseView, ResponseView], partners: Sequence[tuple[Span, Span]]) -> None:
        """Let two texts scroll together from now on; `partners` are stretches that they have in common."""
        self.part()
        self._views = views
        self._partners = partners if len(partners) <= MOST_ANCHORS else partners[:: len(partners) // MOST_ANCHORS + 1]
        for view in views:
            view.verticalScrollBar().valueChanged.connect(self._scrolled)

    def part(self) -> None:
        """Let each scroll by itself."""
        for view in self._views or ():
            view.verticalScrollBar().valueChanged.disconnect(self._scrolled)
        self._views, self._measured = None, None

    def _scrolled(self) -> None:
        if self._views is None or self._moving:
            return
        heights = self._heights()
        bars = [view.verticalScrollBar() for view in self._views]
        leads = next((at for at, bar in enumerate(bars) if bar is self.sender()), 0)
        if leads:
            heights = tuple((b, a) for a, b in heights)
        high = [view.viewport().height() for view in self._views]
        # The bars know of what is laid out so far, which may be less.
        seen = [(max(0, round(_whole(view)) - at), at) for view, at in zip(self._views, high, strict=True)]
        self._moving = True
        bars[1 - leads].setValue(follow(bars[leads].value(), seen[leads], seen[1 - leads], heights))
        self._moving = False

    def _heights(self) -> Heights:
        """Where the partners stand in both texts, as long as neither is laid out anew."""
        assert self._views is not None
        first, second = self._views
        now = tuple((view.document(), _whole(view), view.viewport().width()) for view in self._views)
        if self._measured is None or self._measured[0] != now:
            found = ((_height(first, a), _height(second, b)) for a, b in self._partners)
            pairs = [(a, b) for a, b in found if a is not None and b is not None]
            self._measured = now, rising(pairs, (_whole(first), _whole(second)))
        return self._measured[1]


def _whole(view: ResponseView) -> float:
    """How high a text is, all of it: Qt lays long ones out bit by bit."""
    document = view.document()
    document.documentLayout().blockBoundingRect(document.lastBlock())
    return document.size().height()


def _height(view: ResponseView, span: Span) -> float | None:
    """Where a stretch begins in the document; marks of Markdown stand nowhere."""
    shown = view.shown_map.shown_span(*span)
    return height_at(view.document(), shown[0]) if shown is not None else None


def rising(pairs: Sequence[tuple[float, float]], ends: tuple[float, float]) -> Heights:
    """The longest row of pairs of which both numbers rise, from the top to both ends.

    What stands in another order in the other text can't be followed.
    """
    inside = {pair for pair in pairs if 0 < pair[0] < ends[0] and 0 < pair[1] < ends[1]}
    lasts: list[float] = []
    rows: list[list[tuple[float, float]]] = []
    for pair in sorted(inside, key=lambda one: (one[0], -one[1])):
        at = bisect_left(lasts, pair[1])
        row = [*(rows[at - 1] if at else []), pair]
        if at == len(lasts):
            lasts.append(pair[1])
            rows.append(row)
        else:
            lasts[at], rows[at] = pair[1], row
    return ((0.0, 0.0), *(rows[-1] if rows else ()), ends)


def follow(value: int, leader: tuple[int, int], follower: tuple[int, int], heights: Heights) -> int:
    """Where a text scrolls to when the other stands at `value`; each is its greatest value and the height in sight.

    The line that is held in common wanders from the top of what is seen to its foot: both begin and end together.
    """
    greatest, seen = leader
    other_greatest, other_seen = follower
    if greatest <= 0 or other_greatest <= 0:
        return 0
    line = value * (1 + seen / greatest)
    held = _between(line, heights)
    return max(0, min(other_greatest, round(held / (1 + other_seen / other_greatest))))


def _between(height: float, heights: Heights) -> float:
    """The height in the other text, between the two partners that enclose it."""
    at = bisect_right([pair[0] for pair in heights], height)
    (low, low_there), (high, high_there) = heights[max(0, at - 1)], heights[min(at, len(heights) - 1)]
    if high <= low:
        return low_there
    return low_there + (height - low) * (high_there - low_there) / (high - low)
