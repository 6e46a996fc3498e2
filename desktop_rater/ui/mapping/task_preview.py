"""The task that a map makes of a record, as text with its targets marked, and the answers of its labels."""

from typing import Any

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QColor, QFont, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QTextEdit, QWidget

from desktop_rater.bundle.convert.maps import MappedTask
from desktop_rater.model.task import ToolCall
from desktop_rater.ui.rating.task_texts.tool_output import call_status_text, single_line
from desktop_rater.ui.widgets import theme

MOST_TEXT = 20_000  # characters of a text that are shown
translate = QCoreApplication.translate


class TaskPreview(QTextEdit):
    """Read-only text of a task."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("task_preview")
        self.setAccessibleName(self.tr("The task, as the rater sees it"))
        self.setReadOnly(True)
        self.setAcceptRichText(False)
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.document().setDocumentMargin(16)
        self._mapped: MappedTask | None = None
        theme.follow(self, self._render)

    def show_task(self, mapped: MappedTask) -> None:
        self._mapped = mapped
        self._render()

    def _render(self) -> None:
        mapped = self._mapped
        if mapped is None:
            return
        place = self.verticalScrollBar().value()
        self.clear()
        cursor = self.textCursor()
        if mapped.task is None:
            self._caption(cursor, self.tr("No task"))
            cursor.insertText(mapped.why.removeprefix(", "), self._look("warn"))
            return
        task = mapped.task
        self._caption(cursor, self.tr("Prompt"))
        cursor.insertText(task["prompt"]["text"][:MOST_TEXT], self._look())
        for response in task["responses"]:
            name = self.tr("Response")
            self._caption(cursor, f"{name} {response['id']}" if len(task["responses"]) > 1 else name)
            self._response(cursor, response, task.get("targets", ()))
        self._tools(cursor, task)
        self._documents(cursor, task)
        self._answers(cursor, mapped)
        self.verticalScrollBar().setValue(place)

    def _look(self, ink: str = "text", *, bold: bool = False) -> QTextCharFormat:
        look = QTextCharFormat()
        look.setForeground(QColor(theme.color(self, ink)))
        look.setFontWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
        return look

    def _caption(self, cursor: QTextCursor, text: str) -> None:
        if not self.document().isEmpty():
            cursor.insertText("\n\n", self._look())
        cursor.insertText(f"{text}\n", self._look("text2", bold=True))

    def _response(self, cursor: QTextCursor, response: dict[str, Any], targets: Any) -> None:
        text, start = response["text"][:MOST_TEXT], 0
        own = [target for target in targets if target.get("response") == response["id"]]
        for target in sorted(own, key=lambda target: target.get("start", 0)):
            begin, end = max(target.get("start", 0), start), target.get("end", 0)
            if end <= begin:
                continue
            cursor.insertText(text[start:begin], self._look())
            cursor.insertText(f"{target['id']} ", self._look("accent", bold=True))
            marked = self._look()
            marked.setBackground(QColor(theme.color(self, "cur")))
            cursor.insertText(text[begin:end], marked)
            start = end
        cursor.insertText(text[start:], self._look())

    def _tools(self, cursor: QTextCursor, task: dict[str, Any]) -> None:
        calls = [call for response in task["responses"] for call in response.get("tools", ())]
        if not calls:
            return
        one, more = self.tr("1 tool call"), self.tr("{n} tool calls")
        self._caption(cursor, one if len(calls) == 1 else more.format(n=len(calls)))
        before = ""
        for plain in calls:
            call = ToolCall(**{key: plain.get(key) for key in ("name", "status", "input", "output")})
            cursor.insertText(f"{before}{call.name} ", self._look(bold=True))
            before = "\n"
            cursor.insertText(call_status_text(call.status), self._look("text2"))
            for value in (call.input, call.output):
                if value is not None:
                    cursor.insertText(f"\n    {single_line(value)}", self._look())

    def _documents(self, cursor: QTextCursor, task: dict[str, Any]) -> None:
        name = self.tr("Context")
        for document in task.get("context", ()):
            self._caption(cursor, f"{name} {document['id']}")
            cursor.insertText(single_line(document.get("text", "")), self._look())
        if task.get("reference"):
            self._caption(cursor, self.tr("Reference"))
            cursor.insertText(single_line(task["reference"]), self._look())

    def _answers(self, cursor: QTextCursor, mapped: MappedTask) -> None:
        assert mapped.task is not None
        claims = mapped.task.get("suggestions", {}).get("claims", {})
        if claims:
            self._caption(cursor, self.tr("Claims"))
            lines = [
                f"{id_} {claim['id']}: {claim.get('text', '')}" for id_, group in claims.items() for claim in group
            ]
            cursor.insertText("\n".join(lines), self._look())
        rating = mapped.rating
        if rating is not None:
            self._caption(cursor, self.tr("Labels, which the rater does not see here"))
            given = {**rating.answers.targets, **rating.answers.responses, "": rating.answers.task}
            lines = [_answer_text(place, answers) for place, answers in given.items() if answers]
            lines += [
                _answer_text(f"{place} {claim.id}", claim.answers)
                for place, group in rating.claims.items()
                for claim in group
                if claim.answers
            ]
            cursor.insertText("\n".join(lines), self._look())
        if mapped.unplaced:
            self._caption(cursor, self.tr("Without a place in the response"))
            cursor.insertText("\n".join(lost.quote or lost.target for lost in mapped.unplaced), self._look("warn"))


def _answer_text(place: str, answers: dict[str, Any]) -> str:
    return f"{place} {', '.join(f'{question}: {value}' for question, value in answers.items())}".strip()
