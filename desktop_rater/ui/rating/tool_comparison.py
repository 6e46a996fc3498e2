"""Show what a response says beside the output of its tools: underlines in the text, and a list below it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QObject
from PySide6.QtWidgets import QFrame

from desktop_rater.model.task import Response
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.target_mark import QuietMark
from desktop_rater.ui.widgets import formatting
from desktop_rater.ui.widgets.list_view import LIST_ROW_ROLE, ListRow, ListRowModel, RowList

if TYPE_CHECKING:
    from desktop_rater.text.tool_comparison import ComparedValue, Finding
    from desktop_rater.ui.rating.response_pane import ResponsePane
    from desktop_rater.ui.rating.text_pane import TaskTextPane

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
    from desktop_rater.text.tool_comparison import compare_with_tools  # noqa: PLC0415 - only when it is used

    return compare_with_tools(text, outputs)


def _outputs(response: Response) -> list[object]:
    return [call.output for call in response.tools if call.output not in (None, "")]
