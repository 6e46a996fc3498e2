"""Comparison of the responses of a pair, and of a response with the output of its tools."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import QModelIndex, QObject
from PySide6.QtWidgets import QFrame

from desktop_rater.format.task import Response
from desktop_rater.text.comparison import (
    MAX_COMPARED_CHARACTERS,
    ComparedSentence,
    ComparedValue,
    Finding,
    SentenceComparison,
    compare_sentences,
    compare_with_tools,
)
from desktop_rater.ui.rating.response_painter import QuietMark
from desktop_rater.ui.rating.response_pane import ResponsePane
from desktop_rater.ui.rating.response_view import ResponseView
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.text_pane import TaskTextPane
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.list_view import LIST_ROW_ROLE, ListRow, ListRowModel, RowList
from desktop_rater.ui.widgets.text_view import height_at
from desktop_rater.ui.window.preferences import Preferences

Span = tuple[int, int]
Heights = tuple[tuple[float, float], ...]

MAX_ANCHORS = 200


class ScrollSynchronizer(QObject):
    """Synchronise the scroll bars of two views; the one that is scrolled leads."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._views: tuple[ResponseView, ResponseView] | None = None
        self._partners: Sequence[tuple[Span, Span]] = ()
        self._measured: tuple[object, Heights] | None = None
        self._moving = False

    def join(self, views: tuple[ResponseView, ResponseView], partners: Sequence[tuple[Span, Span]]) -> None:
        """Synchronise two views; `partners` are the spans that match."""
        self.part()
        self._views = views
        self._partners = partners if len(partners) <= MAX_ANCHORS else partners[:: len(partners) // MAX_ANCHORS + 1]
        for view in views:
            view.verticalScrollBar().valueChanged.connect(self._synchronize)

    def part(self) -> None:
        """Let each view scroll by itself."""
        for view in self._views or ():
            view.verticalScrollBar().valueChanged.disconnect(self._synchronize)
        self._views, self._measured = None, None

    def _synchronize(self) -> None:
        if self._views is None or self._moving:
            return
        heights = self._heights()
        bars = [view.verticalScrollBar() for view in self._views]
        leads = next((height for height, bar in enumerate(bars) if bar is self.sender()), 0)
        if leads:
            heights = tuple((b, a) for a, b in heights)
        high = [view.viewport().height() for view in self._views]
        # The scroll bars know only what is laid out so far, which may be less.
        seen = [
            (max(0, round(_document_height(view)) - height), height)
            for view, height in zip(self._views, high, strict=True)
        ]
        self._moving = True
        bars[1 - leads].setValue(follower_scroll(bars[leads].value(), seen[leads], seen[1 - leads], heights))
        self._moving = False

    def _heights(self) -> Heights:
        """Return the heights of the partners in both texts, measured again only after a new layout."""
        assert self._views is not None
        first, second = self._views
        now = tuple((view.document(), _document_height(view), view.viewport().width()) for view in self._views)
        if self._measured is None or self._measured[0] != now:
            measured = ((_span_top(first, a), _span_top(second, b)) for a, b in self._partners)
            pairs = [(a, b) for a, b in measured if a is not None and b is not None]
            self._measured = now, rising_pairs(pairs, (_document_height(first), _document_height(second)))
        return self._measured[1]


def _document_height(view: ResponseView) -> float:
    """Return the full height of a document; Qt lays out long ones piecemeal."""
    document = view.document()
    document.documentLayout().blockBoundingRect(document.lastBlock())
    return document.size().height()


def _span_top(view: ResponseView, span: Span) -> float | None:
    """Return the height at which a span begins; `None` for Markdown syntax, which is not shown."""
    position = view.shown_map.shown_span(*span)
    return height_at(view.document(), position[0]) if position is not None else None


def rising_pairs(pairs: Sequence[tuple[float, float]], ends: tuple[float, float]) -> Heights:
    """Return the longest series of pairs that rises in both numbers, from the top to both ends.

    Passages in another order in the other text can't be followed.
    """
    inside = {pair for pair in pairs if 0 < pair[0] < ends[0] and 0 < pair[1] < ends[1]}
    lasts: list[float] = []
    rows: list[list[tuple[float, float]]] = []
    for pair in sorted(inside, key=lambda heights: (heights[0], -heights[1])):
        index = bisect_left(lasts, pair[1])
        row = [*(rows[index - 1] if index else []), pair]
        if index == len(lasts):
            lasts.append(pair[1])
            rows.append(row)
        else:
            lasts[index], rows[index] = pair[1], row
    return ((0.0, 0.0), *(rows[-1] if rows else ()), ends)


def follower_scroll(value: int, leader: tuple[int, int], follower: tuple[int, int], heights: Heights) -> int:
    """Return the scroll value of the follower when the leader is at `value`; each pair is (maximum, visible height).

    The aligned line moves from the top of the viewport to its bottom, so that both texts begin and end together.
    """
    greatest, seen = leader
    other_greatest, other_seen = follower
    if greatest <= 0 or other_greatest <= 0:
        return 0
    line = value * (1 + seen / greatest)
    held = _interpolate(line, heights)
    return max(0, min(other_greatest, round(held / (1 + other_seen / other_greatest))))


def _interpolate(height: float, heights: Heights) -> float:
    """Return the height in the other text, interpolated between the two enclosing partners."""
    index = bisect_right([pair[0] for pair in heights], height)
    (low, low_there), (high, high_there) = heights[max(0, index - 1)], heights[min(index, len(heights) - 1)]
    if high <= low:
        return low_there
    return low_there + (height - low) * (high_there - low_there) / (high - low)


DIFFERENCE_LAYER = "differences"
COMPARED_RESPONSES = 2


class ResponseComparison(QObject):
    """Commands for comparing, both stored as settings. They apply to tasks with two responses."""

    def __init__(self, texts: TaskTextPane, session: Session, preferences: Preferences) -> None:
        super().__init__(texts)
        self._texts = texts
        self._session = session
        self._preferences = preferences
        self._comparison: SentenceComparison | None = None
        self._scrolling = ScrollSynchronizer(self)
        session.opened.connect(self._reset)
        preferences.changed.connect(self._setting_changed)
        self._apply()

    def actions(self) -> dict[str, Callable[[], object]]:
        return {"differences": self.toggle_differences, "scroll_together": self.toggle_scrolling}

    def toggle_differences(self) -> None:
        if self._compared_panes() is None:
            self._session.hinted.emit(self.tr("Only tasks with two responses can be compared."))
            return
        on = not self._is_on("differences")
        self._preferences.set("differences", "on" if on else "off")
        comparison = self._compare()
        if on and comparison is not None:
            self._session.hinted.emit(self._summary(comparison))

    def toggle_scrolling(self) -> None:
        """Scroll both responses together, or separately."""
        if self._compared_panes() is None:
            self._session.hinted.emit(self.tr("Only tasks with two responses can scroll together."))
            return
        on = not self._is_on("scroll_together")
        self._preferences.set("scroll_together", "on" if on else "off")
        apart = self.tr("The responses now scroll separately.")
        self._session.hinted.emit(self.tr("The responses now scroll together.") if on else apart)

    def _is_on(self, name: str) -> bool:
        return getattr(self._preferences.now, name) == "on"

    def _setting_changed(self, name: str) -> None:
        if name in {"differences", "scroll_together"}:
            self._apply()

    def _reset(self) -> None:
        self._comparison = None
        self._apply()

    def _apply(self) -> None:
        pair = self._compared_panes()
        wanted = pair is not None and (self._is_on("differences") or self._is_on("scroll_together"))
        comparison = self._compare() if wanted else None
        # With nothing in common, every sentence would be marked.
        marks = comparison is not None and self._is_on("differences") and _has_matches(comparison)
        for index, pane in enumerate(pair or ()):
            sentences = (comparison.first, comparison.second)[index] if comparison is not None and marks else ()
            pane.view.show_layer(DIFFERENCE_LAYER, tuple(_marks(sentences)))
        if pair is not None and comparison is not None and self._is_on("scroll_together"):
            partners = [
                (sentence.span, comparison.second[sentence.partner].span)
                for sentence in comparison.first
                if sentence.partner is not None
            ]
            self._scrolling.join((pair[0].view, pair[1].view), partners)
        else:
            self._scrolling.part()

    def _compared_panes(self) -> tuple[ResponsePane, ResponsePane] | None:
        panes = self._texts.panes if self._session.task is not None else ()
        return (panes[0], panes[1]) if len(panes) == COMPARED_RESPONSES else None

    def _compare(self) -> SentenceComparison | None:
        pair = self._compared_panes()
        task = self._session.task
        if self._comparison is None and pair is not None and task is not None:
            first, second = (pane.response for pane in pair)
            markdown = first.format == "markdown", second.format == "markdown"
            self._comparison = compare_sentences(
                first.text, second.text, lang=task.prompt.lang or "en", markdown=markdown
            )
        return self._comparison

    def _summary(self, comparison: SentenceComparison) -> str:
        everything = (*comparison.first, *comparison.second)
        alone = sum(sentence.kind == "only" for sentence in everything)
        differing = sum(bool(sentence.words) for sentence in everything)
        if not _has_matches(comparison):
            message = self.tr("The responses have no similar sentences, so nothing is marked.")
        elif not alone and not differing:
            message = self.tr("The sentences of both responses are the same.")
        else:
            message = self.tr("Solid line: sentences in only one response ({n}). Dotted line: differing words ({m}).")
            message = message.format(n=formatting.number(alone), m=formatting.number(differing))
        if comparison.whole:
            return message
        bound = self.tr("Only the first {n} characters of each response are compared.").format(
            n=formatting.number(MAX_COMPARED_CHARACTERS)
        )
        return f"{message} {bound}"


def _has_matches(comparison: SentenceComparison) -> bool:
    return any(sentence.partner is not None for sentence in comparison.first)


def _marks(sentences: Iterable[ComparedSentence]) -> Iterable[QuietMark]:
    for sentence in sentences:
        if sentence.kind == "only":
            yield QuietMark(sentence.span, "only")
        else:
            yield from (QuietMark(word, "differs") for word in sentence.words)


TOOL_LAYER = "tool_output"
MAX_COMPARED_ROWS = 4
MARKS: dict[Finding, str] = {"differs": "warns", "absent": "nothing", "found": "done"}


class ComparedValueList(RowList):
    """List of the compared values of one response: those that differ first. A click selects one in the text."""

    def __init__(self, pane: ResponsePane) -> None:
        super().__init__(f"tool_comparison_{pane.response.id}", two_lines=False, pad=16)
        self.setAccessibleName(self.tr("Compared with the tool output"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._pane = pane
        self._values: tuple[ComparedValue, ...] = ()
        self.rows = ListRowModel(self)
        self.setModel(self.rows)
        self.clicked.connect(self._show_value)
        self.activated.connect(self._show_value)

    def show_values(self, values: tuple[ComparedValue, ...]) -> None:
        order = list(MARKS)
        self._values = tuple(sorted(values, key=lambda value: order.index(value.finding)))
        self.rows.show([self._row(number, value) for number, value in enumerate(self._values)])
        self.fit_rows(MAX_COMPARED_ROWS)
        self.setVisible(bool(values))

    def finding_text(self, value: ComparedValue) -> str:
        if value.finding == "differs":
            return self.tr("differs: {value} in the tool output").format(value=value.other)
        return self.tr("in the tool output") if value.finding == "found" else self.tr("not there")

    def _row(self, number: int, value: ComparedValue) -> ListRow:
        text = " ".join(self._pane.response.text[value.start : value.end].split())
        return ListRow(str(number), text, end=self.finding_text(value), mark=MARKS[value.finding])

    def _show_value(self, index: QModelIndex) -> None:
        value = self._values[int(index.data(LIST_ROW_ROLE).id)]
        self._pane.view.select_span(value.start, value.end)


class ToolComparison(QObject):
    """Command that turns the help on or off. It is never an answer, and nothing of it is stored."""

    def __init__(self, texts: TaskTextPane, session: Session) -> None:
        super().__init__(texts)
        self._texts = texts
        self._session = session
        self._is_on = self._was_on = False
        session.opened.connect(lambda: self._apply() if self._is_on or self._was_on else None)

    def actions(self) -> dict[str, Callable[[], object]]:
        return {"tool_comparison": self.toggle}

    def toggle(self) -> None:
        if not self._is_on and not any(map(_outputs, self._responses())):
            self._session.hinted.emit(self.tr("The responses of this task have no tool output."))
            return
        self._is_on = not self._is_on
        values = self._apply()
        if self._is_on:
            counts = {finding: sum(value.finding == finding for value in values) for finding in MARKS}
            text = self.tr("{n} in the tool output, {m} differ, {k} not there. Only a help for reading.")
            numbers = map(formatting.number, (counts["found"], counts["differs"], counts["absent"]))
            self._session.hinted.emit(text.format(**dict(zip("nmk", numbers, strict=True))))

    def _responses(self) -> list[Response]:
        return [pane.response for pane in self._texts.panes] if self._session.task is not None else []

    def _apply(self) -> list[ComparedValue]:
        """Mark the values of each response; return them."""
        self._was_on = self._is_on
        everything: list[ComparedValue] = []
        for pane in self._texts.panes if self._session.task is not None else ():
            outputs = _outputs(pane.response) if self._is_on else []
            values = _compared(pane.response.text, outputs) if outputs else ()
            values_list = pane.findChild(ComparedValueList)
            if values_list is None and not values:
                continue
            if values_list is None:
                values_list = ComparedValueList(pane)
                pane.add_below_text(values_list)
            values_list.show_values(values)
            marks = (
                QuietMark((value.start, value.end), value.finding, values_list.finding_text(value)) for value in values
            )
            pane.view.show_layer(TOOL_LAYER, tuple(marks))
            everything += values
        return everything


def _compared(text: str, outputs: list[object]) -> tuple[ComparedValue, ...]:
    return compare_with_tools(text, outputs)


def _outputs(response: Response) -> list[object]:
    return [call.output for call in response.tools if call.output not in (None, "")]
