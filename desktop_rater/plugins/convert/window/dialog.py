"""The dialog that makes tasks of a file: its records, the map, and the task of the record."""

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QColor, QFont, QKeyEvent, QKeySequence, QShortcut, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QTextEdit, QWidget

from desktop_rater.format.task import ToolCall
from desktop_rater.plugins.convert.maps import MappedTask, RecordMap
from desktop_rater.plugins.convert.run import MapCounts
from desktop_rater.plugins.convert.window.map_pane import LABEL, MapPane, RecordTree, path_for_field
from desktop_rater.rubric import Rubric
from desktop_rater.ui.rating.tool_output import call_status_text, single_line
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.buttons import KeyButton, LinkButton, StepButton
from desktop_rater.ui.widgets.callbacks import DelayedCall
from desktop_rater.ui.widgets.fields import read_only_text
from desktop_rater.ui.widgets.labels import (
    ElidedLabel,
    PlainLabel,
    ZoomedComboBox,
    name_widget,
    set_window_title,
    visible,
)
from desktop_rater.ui.widgets.layouts import OrderedSplitter, fill, horizontal_line, tight_column, tight_row
from desktop_rater.ui.window.companions import tab_stops
from desktop_rater.ui.window.focus import WindowDialog, is_typing

MOST_TEXT = 20_000  # characters of a text that are shown
translate = QCoreApplication.translate


class TaskPreview(QTextEdit):
    """Read-only text of a task."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name_widget(self, "task_preview", self.tr("The task, as the rater sees it"))
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


WIDTH, HEIGHT = 1360, 860
SHARES = (330, 500, 430)
SETTLED_MS = 300


class MappingDialog(WindowDialog):
    """Three panes: the record as a tree, the map, and the task. Nothing is written before "Make"."""

    record_wanted = Signal(int)  # steps from the record that is shown
    map_changed = Signal(object)  # RecordMap
    settled = Signal()  # the map did not change for a moment
    make_wanted = Signal()
    save_wanted = Signal()
    open_wanted = Signal(str)  # the name of a map, or "" for a file
    rubric_wanted = Signal(str)
    left = Signal()

    def __init__(self, window: QWidget, map_names: list[str], rubrics: list[str]) -> None:
        super().__init__(window, "mapping", self.tr("Make tasks of a file"))
        self.tree, self.map_pane, self.preview = RecordTree(), MapPane(), TaskPreview()
        self._timer = DelayedCall(self, SETTLED_MS, self.settled)
        self._counts: MapCounts | None = None
        self._unsaved = False  # the map was edited, and closing would lose it
        outer = tight_column(self, spacing=0)
        panes = OrderedSplitter()
        panes.setChildrenCollapsible(False)
        panes.addWidget(self._pane(self._record_head(), self.tree))
        panes.addWidget(self._pane(self._map_head(map_names, rubrics), self.map_pane))
        self._lost = read_only_text("mapping_left_out", self.tr("Records left out"))
        task = QWidget()
        tight_column(task, self.preview, self._lost, spacing=0)
        self._lost.hide()
        right = self._pane(self._task_head(), task)
        panes.addWidget(right)
        panes.setSizes([theme.px(share) for share in SHARES])
        fill(outer, (panes, 1), horizontal_line(), self._summary_bar(), horizontal_line(), self._buttons())
        self.tree.taken.connect(self._take_value)
        self.tree.find_wanted.connect(self._find.setFocus)
        self.tree.stepped.connect(self.record_wanted)
        self.map_pane.changed.connect(self._change_map)
        for keys, button in (("Ctrl+Return", self._make), ("Ctrl+S", self._save)):
            QShortcut(QKeySequence(keys), self, button.click)

    # -- parts

    def _pane(self, head: QHBoxLayout, body: QWidget) -> QWidget:
        pane = QWidget()
        theme.set_ground(pane, "surface")
        column = tight_column(pane, spacing=0)
        head.setContentsMargins(16, 8, 12, 8)
        head.setSpacing(8)
        fill(column, head, horizontal_line(), (body, 1))
        return pane

    def _record_head(self) -> QHBoxLayout:
        head = QHBoxLayout()
        self._place = PlainLabel(name="mapping_record", bold=True)
        head.addWidget(self._place)
        self._find = QLineEdit()
        name_widget(self._find, "mapping_find", self.tr("Find a key or a value"))
        self._find.setPlaceholderText(self.tr("Find"))
        self._find.returnPressed.connect(self._find_next)
        head.addWidget(self._find, 1)
        for label, key, step in ((self.tr("Previous record"), "K", -1), (self.tr("Next record"), "J", 1)):
            button = StepButton(label, key, forward=step > 0)
            button.clicked.connect(lambda _checked=False, step=step: self.record_wanted.emit(step))
            head.addWidget(button)
        return head

    def _map_head(self, map_names: list[str], rubrics: list[str]) -> QHBoxLayout:
        head = fill(QHBoxLayout(), PlainLabel(self.tr("Map"), bold=True))
        self._rubric = ZoomedComboBox()
        name_widget(self._rubric, "mapping_rubric", self.tr("Rubric"))
        self._rubric.addItems(rubrics)
        self._rubric.activated.connect(lambda _number: self.rubric_wanted.emit(self._rubric.currentText()))
        fill(head, self._rubric, 1)
        self._maps = ZoomedComboBox()
        name_widget(self._maps, "mapping_maps", self.tr("Open a map"))
        self._maps.addItem(self.tr("Open a map …"))
        self._maps.addItem(self.tr("From a file …"), "")
        for name in map_names:
            self._maps.addItem(visible(name), name)
        self._maps.activated.connect(self._open_map)
        head.addWidget(self._maps)
        return head

    def _task_head(self) -> QHBoxLayout:
        head = fill(QHBoxLayout(), PlainLabel(self.tr("The task, as the rater sees it"), bold=True))
        self._id = ElidedLabel(name="mapping_id", ink="text2")
        self._id.setAlignment(Qt.AlignmentFlag.AlignTrailing | Qt.AlignmentFlag.AlignVCenter)
        head.addWidget(self._id, 1)
        return head

    def _summary_bar(self) -> QHBoxLayout:
        bar = tight_row(spacing=12, margins=(16, 8, 16, 8))
        self._total = PlainLabel(name="mapping_total", bold=True)
        bar.addWidget(self._total)
        self._reasons = ElidedLabel(name="mapping_reasons", ink="text2")
        bar.addWidget(self._reasons, 1)
        self._see = LinkButton("", name="mapping_see", clicked=self._toggle_lost)
        bar.addWidget(self._see)
        self._sums = PlainLabel(name="mapping_sums", ink="text2")
        bar.addWidget(self._sums)
        return bar

    def _buttons(self) -> QHBoxLayout:
        row = tight_row(spacing=8, margins=(16, 10, 16, 12))
        self._save = KeyButton(self.tr("Save the map …"), "Ctrl S", name="mapping_save", clicked=self.save_wanted)
        row.addWidget(self._save)
        self._note = ElidedLabel(name="mapping_note", ink="text2")
        fill(row, (self._note, 1), KeyButton(self.tr("Cancel"), "Esc", name="mapping_cancel", clicked=self.reject))
        self._make = KeyButton("", "Ctrl Return", primary=True, name="mapping_make", clicked=self.make_wanted)
        row.addWidget(self._make)
        return row

    # -- showing

    @property
    def is_counted(self) -> bool:
        return self._counts is not None

    def begin(self, path: Path) -> None:
        set_window_title(self, self.tr("Make tasks of {name}").format(name=path.name))
        self.show_counts(None)
        self._unsaved = False
        self.say(self.tr("Reading {name} …").format(name=path.name))
        self._lost.hide()
        self.open_with(WIDTH, HEIGHT)
        self.tree.setFocus()

    def show_record(self, record: Mapping[str, Any], number: int, shown: int) -> None:
        text = self.tr("Record {n} of {total}")
        self._place.setText(text.format(n=formatting.number(number), total=formatting.number(shown)))
        self.tree.show_record(record)

    def show_map(self, record_map: RecordMap, rubric: Rubric) -> None:
        self._rubric.setCurrentText(rubric.file.id)
        self.map_pane.show_map(record_map, rubric)
        self.show_uses(record_map)

    def show_uses(self, record_map: RecordMap) -> None:
        labels = {LABEL: record_map.labels[0].path} if record_map.labels else {}
        self.tree.show_uses({**record_map.fields, **labels})

    def show_task(self, mapped: MappedTask) -> None:
        self._id.setText(mapped.task["id"] if mapped.task is not None else "")
        self.preview.show_task(mapped)

    def show_counts(self, counts: MapCounts | None) -> None:
        """Show what the map makes of the files; `None` while the records are counted."""
        self._counts = counts
        self.map_pane.show_counts(counts)
        number = formatting.number
        self._make.setEnabled(counts is not None and counts.tasks > 0)
        self._make.set_label(self.tr("Make the tasks"))
        self._see.setVisible(counts is not None and bool(counts.left_out))
        if counts is None:
            for label in (self._total, self._reasons, self._sums):
                label.setText("")
            self._total.setText(self.tr("Counting …"))
            return
        lost = counts.records - counts.tasks
        text = self.tr("{records} records: {tasks} tasks, {lost} left out")
        self._total.setText(text.format(records=number(counts.records), tasks=number(counts.tasks), lost=number(lost)))
        self._reasons.setText(" · ".join(f"{number(count)}: {reason}" for reason, count in counts.reasons.items()))
        self._see.set_label(self.tr("See what is left out"))
        sums = self.tr("{targets} targets, {calls} tool calls, {unplaced} texts without a place")
        values = {"targets": counts.targets, "calls": counts.calls, "unplaced": counts.unplaced}
        self._sums.setText(sums.format(**{name: number(value) for name, value in values.items()}))
        self._make.set_label(self.tr("Make {n} tasks").format(n=number(counts.tasks)))
        self._lost.setPlainText(visible("\n".join(counts.left_out)))

    def say(self, text: str, ink: str = "text2") -> None:
        """Show a message beside the buttons."""
        self._note.setText(text)
        theme.set_ink(self._note, ink)

    def show_saved(self, name: str) -> None:
        """Show that the map was saved, so that closing loses nothing."""
        self._unsaved = False
        self.say(self.tr("{name} is also a map for the command line.").format(name=name))

    def _find_next(self) -> None:
        """Go to the next row with the text of the field."""
        if self.tree.find_text(self._find.text()):
            self.tree.setFocus()

    def _take_value(self, path: str) -> None:
        field = self.map_pane.current
        if field:
            self.map_pane.take_value(path_for_field(field, path))
        else:
            self.say(self.tr("Choose a field of the map first: the value is taken for the field that was edited last."))

    def _toggle_lost(self) -> None:
        self._lost.setVisible(self._lost.isHidden())
        self.preview.setVisible(self._lost.isHidden())

    def _open_map(self, number: int) -> None:
        self._maps.setCurrentIndex(0)
        if number:
            self.open_wanted.emit(self._maps.itemData(number))

    def _change_map(self, record_map: RecordMap) -> None:
        self._unsaved = True
        self.map_changed.emit(record_map)
        self._timer.start()

    def focusNextPrevChild(self, onward: bool) -> bool:
        for widget, next_widget in pairwise(tab_stops(self)):  # rows and labels come and go with the map
            QWidget.setTabOrder(widget, next_widget)
        return super().focusNextPrevChild(onward)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and is_typing(self.focusWidget()):
            self.tree.setFocus()
            return
        super().keyPressEvent(event)

    def reject(self) -> None:
        """Close without making tasks; with an edited map only the second time."""
        if self._unsaved:
            self._unsaved = False
            self.say(self.tr("The map is not saved. Cancel again to close without it."), "warn")
            return
        super().reject()

    def done(self, result: int) -> None:
        self._timer.stop()
        self.left.emit()
        super().done(result)
