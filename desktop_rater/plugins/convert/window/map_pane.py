"""The map: a row for each field with the path of its value, and the labels with their answers."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication, QMimeData, QModelIndex, Qt, Signal
from PySide6.QtGui import QBrush, QDropEvent, QFocusEvent, QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QGridLayout, QHeaderView, QWidget

from desktop_rater.format.errors import BundleFault
from desktop_rater.plugins.convert.maps import LabelMap, RecordMap, parse_path
from desktop_rater.plugins.convert.maps.record_map import Scope, child_path
from desktop_rater.plugins.convert.run import MapCounts
from desktop_rater.rubric import Rubric
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.buttons import ChoiceButton
from desktop_rater.ui.widgets.fields import FILTER_KEY, FieldEdit
from desktop_rater.ui.widgets.json_tree import DataTree, is_foldable, json_children, json_row_text
from desktop_rater.ui.widgets.labels import PlainLabel, WrappedLabel, ZoomedComboBox, name_widget, visible
from desktop_rater.ui.widgets.layouts import ScrollColumn, fill, horizontal_line, tight_column, tight_row
from desktop_rater.ui.widgets.text_view import small_fixed_font

PATH_ROLE = Qt.ItemDataRole.UserRole
LIST_FIELDS = ("targets", "claims", "label")
_INDEX = re.compile(r"\[[^\[\]]*\]")
MAX_TREE_ROWS = 5_000
_SHOWN_ENTRIES = 2  # of each list, opened at first


class RecordModel(QStandardItemModel):
    """Values of a record, which are dragged as their paths."""

    def mimeTypes(self) -> list[str]:
        return ["text/plain"]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        data = QMimeData()
        data.setText(next((path for index in indexes if (path := index.data(PATH_ROLE))), ""))
        return data


class RecordTree(DataTree):
    """Tree with a row for each value, and in a second column the field that uses it. Return takes a value."""

    taken = Signal(str)  # the path of a value
    stepped = Signal(int)
    find_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("record_tree", parent)
        self.setAccessibleName(self.tr("Record"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        theme.follow(self, lambda: self.setFont(small_fixed_font()))
        self._model = RecordModel(0, 2, self)
        self.setDragEnabled(True)
        self.setModel(self._model)
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.doubleClicked.connect(lambda index: self._take(index.siblingAtColumn(0).data(PATH_ROLE)))
        theme.follow(self, self._color)
        self._used: dict[str, str] = {}

    def show_record(self, record: Mapping[str, Any]) -> None:
        self._model.removeRows(0, self._model.rowCount())
        waiting: list[tuple[QStandardItem, Any, str]] = [(self._model.invisibleRootItem(), record, "")]
        rows = 0
        while waiting and rows < MAX_TREE_ROWS:
            parent, value, before = waiting.pop(0)
            for number, (name, child) in enumerate(json_children(value)):
                path = f"{before}[{name}]" if isinstance(value, list) else child_path(before, name)
                item, use = QStandardItem(json_row_text(name, child)), QStandardItem()
                item.setData(path, PATH_ROLE)
                parent.appendRow([item, use])
                rows += 1
                if is_foldable(child):
                    waiting.append((item, child, path))
                if is_foldable(child) and (not isinstance(value, list) or number < _SHOWN_ENTRIES):
                    self.expand(item.index())
                if rows >= MAX_TREE_ROWS:
                    parent.appendRow([QStandardItem("…"), QStandardItem()])
                    break
        self._color()

    def show_uses(self, paths: Mapping[str, str]) -> None:
        """Show which field uses a value: field → path."""
        self._used = {every_entry(path): field for field, path in paths.items() if path}
        self._color()

    def find_text(self, text: str) -> bool:
        """Select the next row that contains a text, as a key or in its value."""
        hits = self._model.match(
            self._model.index(0, 0),
            Qt.ItemDataRole.DisplayRole,
            text,
            -1,
            Qt.MatchFlag.MatchContains | Qt.MatchFlag.MatchRecursive | Qt.MatchFlag.MatchWrap,
        )
        if not text or not hits:
            return False
        paths = [hit.data(PATH_ROLE) for hit in hits]
        here = self.currentIndex().siblingAtColumn(0).data(PATH_ROLE)
        hit = hits[(paths.index(here) + 1) % len(hits)] if here in paths else hits[0]
        self.setCurrentIndex(hit)
        self.scrollTo(hit)
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_J: 1, Qt.Key.Key_K: -1}
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and not event.modifiers():
            self._take(self.currentIndex().siblingAtColumn(0).data(PATH_ROLE))
        elif event.key() in steps and not event.modifiers():
            self.stepped.emit(steps[Qt.Key(event.key())])
        elif event.text() == FILTER_KEY:
            self.find_wanted.emit()
        else:
            super().keyPressEvent(event)

    def _take(self, path: str | None) -> None:
        if path:
            self.taken.emit(path)

    def _color(self) -> None:
        quiet, accent = QBrush(theme.color(self, "text2")), QBrush(theme.color(self, "accent"))
        waiting = [self._model.invisibleRootItem()]
        while waiting:
            parent = waiting.pop()
            for row in range(parent.rowCount()):
                item, use = parent.child(row, 0), parent.child(row, 1)
                path = item.data(PATH_ROLE)
                field = self._used.get(every_entry(path), "") if path else ""
                if use is not None and use.text() != field:
                    use.setText(field)
                if use is not None:
                    use.setForeground(accent)
                item.setForeground(quiet if item.hasChildren() else QBrush(theme.color(self, "text")))
                waiting.append(item)


def every_entry(path: str) -> str:
    """Return a path with each index and filter replaced by that of all entries."""
    return _INDEX.sub("[*]", path)


def path_for_field(field: str, path: str) -> str:
    """Return the path of a value as a field takes it: all entries of a list where the field may have several."""
    return every_entry(path) if field.partition(".")[0].partition(" ")[0] in LIST_FIELDS else path


USUAL_FIELDS = ("id", "prompt", "response", "context", "reference", "tools", "targets", "claims")
MORE_FIELDS = ("messages", "lang", "history", "response.a", "response.b", "targets.start", "targets.end", "targets.id")
LABEL = "label"
SCOPES = {"targets": ("target", "claim"), "claims": ("target", "claim"), "responses": ("response",), "task": ("task",)}
translate = QCoreApplication.translate


class PathEdit(FieldEdit):
    """Line edit for a path; a value of the record that is dropped on it replaces its path."""

    entered = Signal()

    def __init__(self, field: str) -> None:
        super().__init__()
        self._field = field

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.entered.emit()

    def dropEvent(self, event: QDropEvent) -> None:
        self.setText(path_for_field(self._field, event.mimeData().text()))
        self.textEdited.emit(self.text())
        event.acceptProposedAction()


class FieldRow:
    """Widgets of one field: its name, its path, and what the path gives."""

    def __init__(self, field: str) -> None:
        self.name = PlainLabel(field)
        self.path = PathEdit(field)
        name_widget(self.path, f"map_{field}", visible(translate("MapPane", "Path of {field}").format(field=field)))
        self.path.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        theme.follow(self.path, lambda: self.path.setFont(small_fixed_font()))
        self.left = PlainLabel(name=f"map_left_{field}", ink="text2")

    def show_left(self, text: str, ink: str = "text2") -> None:
        self.left.setText(text)
        theme.set_ink(self.left, ink)


class MapPane(QWidget):
    """Editor of a map. `current` is the field that was edited last, which a chosen value goes to; "" at first."""

    changed = Signal(object)  # RecordMap

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.current = ""
        self._map = RecordMap(fields={})
        self._rubric: Rubric | None = None
        self._counts: MapCounts | None = None
        self._rows: dict[str, FieldRow] = {}
        body = QWidget()
        theme.set_ground(body, "surface")
        column = tight_column(body, spacing=8, margins=(16, 8, 16, 12))
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(1, 1)
        column.addLayout(self._grid)
        self._more = ZoomedComboBox()
        name_widget(self._more, "map_more", self.tr("Another field"))
        self._more.addItem(self.tr("Another field …"))
        self._more.addItems(MORE_FIELDS)
        self._more.activated.connect(self._add_field)
        column.addWidget(self._more, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(horizontal_line())
        self._labels = LabelsSection(self)
        self._labels.changed.connect(self._take_map)
        fill(column, self._labels, 1)
        scroll = ScrollColumn("map_scroll", content=body)
        scroll.setAccessibleName(self.tr("Map"))
        tight_column(self, scroll)

    # -- showing

    def show_map(self, record_map: RecordMap, rubric: Rubric) -> None:
        self._map, self._rubric, self._counts = record_map, rubric, None
        for field in (*USUAL_FIELDS, *record_map.fields, LABEL):
            self._row(field)
        for field, row in self._rows.items():
            row.path.show_text(self._path_of(field))
        self._show_left()
        self._labels.show_labels(record_map, rubric, None)

    def show_counts(self, counts: MapCounts | None) -> None:
        """Show how many records are left after each field, and the labels; `None` while they are counted."""
        self._counts = counts
        self._show_left()
        if self._rubric is not None:
            self._labels.show_labels(self._map, self._rubric, counts)

    def take_value(self, path: str) -> None:
        """Set the path of the current field."""
        self._rows[self.current].path.show_text(path)
        self._take_path(self.current)

    def focus_field(self, field: str) -> None:
        self._rows[field].path.setFocus()

    def _row(self, field: str) -> FieldRow:
        if field not in self._rows:
            row = FieldRow(field)
            number = self._grid.rowCount()
            self._grid.addWidget(row.name, number, 0)
            self._grid.addWidget(row.path, number, 1)
            self._grid.addWidget(row.left, number, 2)
            row.path.textEdited.connect(lambda _text: self._take_path(field))
            row.path.entered.connect(partial(self._set_current, field))
            self._rows[field] = row
        return self._rows[field]

    def _set_current(self, field: str) -> None:
        for name in filter(None, (self.current, field)):
            theme.set_type(self._rows[name].name, "interface", bold=name == field)
        self.current = field

    def _path_of(self, field: str) -> str:
        if field == LABEL:
            return self._map.labels[0].path if self._map.labels else ""
        return self._map.fields.get(field, "")

    def _show_left(self) -> None:
        counts = self._counts
        left = counts.records - counts.unreadable if counts else 0
        for field, row in self._rows.items():
            path = self._path_of(field)
            if counts is None or not path:
                row.show_left("")
                continue
            lost = counts.failed.get(field, 0)
            left -= lost
            if field == LABEL:
                row.show_left(formatting.number(sum(counts.labels.values()) + sum(counts.unknown_labels.values())))
            elif lost:
                text = translate("MapPane", "{n} left, −{lost}")
                row.show_left(text.format(n=formatting.number(left), lost=formatting.number(lost)), "warn")
            else:
                row.show_left(translate("MapPane", "in {n}").format(n=formatting.number(counts.filled.get(field, 0))))

    # -- editing

    def _add_field(self, number: int) -> None:
        if number:
            field = MORE_FIELDS[number - 1]
            self._more.setCurrentIndex(0)
            self._row(field)
            self.focus_field(field)

    def _take_path(self, field: str) -> None:
        path = self._rows[field].path.text().strip()
        try:
            if path and not path.startswith("="):
                parse_path(path)
        except BundleFault as error:
            self._rows[field].show_left(str(error), "block")
            return
        if field == LABEL:
            self._take_label(path)
            return
        fields = {name: given for name, given in {**self._map.fields, field: path}.items() if given}
        if field == "response":
            fields.pop("response.a", None)
        self._take_map(replace(self._map, fields=fields))

    def _take_label(self, path: str) -> None:
        first = self._map.labels[:1] or (LabelMap(path=path, of=self._label_scope(), question=self._first_question()),)
        labels = (replace(first[0], path=path), *self._map.labels[1:]) if path else self._map.labels[1:]
        self._take_map(replace(self._map, labels=labels))

    def _label_scope(self) -> Scope:
        fields = self._map.fields
        return "claims" if "claims" in fields else "targets" if "targets" in fields else "responses"

    def _first_question(self) -> str:
        """Return the question with the most choices: that of the labels of most sources."""
        assert self._rubric is not None
        questions = label_questions(self._rubric, self._label_scope())
        return max(questions, key=lambda question: len(questions[question]), default="")

    def _take_map(self, record_map: RecordMap) -> None:
        self._map = record_map
        self.changed.emit(record_map)


def label_questions(rubric: Rubric, of: str) -> dict[str, tuple[tuple[str, str], ...]]:
    """Return the questions that labels may answer: id → (choice, label)."""
    return {
        id_: tuple((choice.id, choice.label) for choice in compiled.question.choices)
        for id_, compiled in rubric.questions.items()
        if compiled.question.per in SCOPES[of] and compiled.question.choices
    }


class LabelsSection(QWidget):
    """The labels of a source: what they become, the question, and the answer that each label is."""

    changed = Signal(object)  # RecordMap

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._map = RecordMap(fields={})
        self._questions: dict[str, tuple[tuple[str, str], ...]] = {}
        column = tight_column(self, spacing=8)
        head = tight_row(spacing=6)
        self._title = PlainLabel(self.tr("Labels"), bold=True)
        fill(head, self._title, 1, PlainLabel(self.tr("Take as"), ink="text2"))
        self._uses: dict[str, ChoiceButton] = {}
        texts = {"suggestion": self.tr("Suggestion"), "gold": self.tr("Gold"), "rating": self.tr("Rating")}
        for use, text in texts.items():
            self._uses[use] = button = ChoiceButton(text)
            button.setObjectName(f"take_{use}")
            button.clicked.connect(partial(self._set_use, use))
            head.addWidget(button)
        column.addLayout(head)
        row = tight_row(None, PlainLabel(self.tr("Question"), ink="text2"), spacing=8)
        self._question = ZoomedComboBox()
        name_widget(self._question, "label_question", self.tr("Question"))
        self._question.setSizeAdjustPolicy(ZoomedComboBox.SizeAdjustPolicy.AdjustToContents)
        self._question.activated.connect(lambda _number: self._set_question(self._question.currentText()))
        fill(row, self._question, 1)
        column.addLayout(row)
        self._answers = QGridLayout()
        self._answers.setHorizontalSpacing(12)
        self._answers.setVerticalSpacing(4)
        self._answers.setColumnStretch(0, 1)
        column.addLayout(self._answers)
        self._hint = WrappedLabel(name="label_hint", ink="text2")
        column.addWidget(self._hint)
        self._shown: tuple[object, ...] = ()

    def show_labels(self, record_map: RecordMap, rubric: Rubric, counts: MapCounts | None) -> None:
        self._map = record_map
        label = record_map.labels[0] if record_map.labels else None
        self.setVisible(label is not None)
        if label is None:
            return
        self._questions = label_questions(rubric, label.of)
        for use, button in self._uses.items():
            button.setChecked(use == record_map.take)
        names = list(self._questions)
        if [self._question.itemText(number) for number in range(self._question.count())] != names:
            self._question.clear()
            self._question.addItems(names)
        self._question.setCurrentText(label.question)
        found = {**counts.labels, **counts.unknown_labels} if counts else {}
        numbers = {name: found.get(name, 0) for name in {**label.answers, **found}}
        shown = (label, tuple(numbers.items()), tuple(names))
        if shown != self._shown:
            self._shown = shown
            self._fill(label, numbers)
        given = {name for name, answer in label.answers.items() if answer != ""}
        unknown = sum(count for name, count in found.items() if name not in given) if label.answers else 0
        uses = {
            "suggestion": self.tr("Raters see the labels as suggestions."),
            "gold": self.tr("Gold speaks on the label only; other questions are not compared with it."),
            "rating": self.tr("The labels are written to a file of ratings beside the bundle."),
        }
        lost = self.tr("{n} have no answer and are left out.").format(n=formatting.number(unknown)) if unknown else ""
        self._hint.setText(" ".join(part for part in (uses[record_map.take], lost) if part))

    def _fill(self, label: LabelMap, numbers: Mapping[str, int]) -> None:
        while (item := self._answers.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        for row, (name, count) in enumerate(numbers.items()):
            self._answers.addWidget(PlainLabel(name), row, 0)
            self._answers.addWidget(PlainLabel(formatting.number(count) if count else "", ink="text2"), row, 1)
            self._answers.addWidget(self._answer_box(label, name), row, 2)

    def _answer_box(self, label: LabelMap, name: str) -> QWidget:
        box = ZoomedComboBox()
        name_widget(box, f"answer_{name}", visible(self.tr("Answer of {label}").format(label=name)))
        box.addItem(self.tr("no answer"), "")
        for choice, text in self._questions.get(label.question, ()):
            box.addItem(visible(text), choice)
        given = label.answers.get(name, "")
        if isinstance(given, dict) or box.findData(given) < 0:
            text = ", ".join(f"{key}: {value}" for key, value in given.items()) if isinstance(given, dict) else given
            box.addItem(visible(str(text)), given)
        box.setCurrentIndex(max(box.findData(given), 0) if not isinstance(given, dict) else box.count() - 1)
        box.activated.connect(lambda number: self._set_answer(name, box.itemData(number)))
        return box

    def _change(self, edit: Callable[[LabelMap], LabelMap]) -> None:
        first, *others = self._map.labels
        self.changed.emit(replace(self._map, labels=(edit(first), *others)))

    def _set_use(self, use: str) -> None:
        self.changed.emit(replace(self._map, take=use))

    def _set_question(self, question: str) -> None:
        self._change(lambda label: replace(label, question=question))

    def _set_answer(self, name: str, answer: object) -> None:
        self._change(lambda label: replace(label, answers={**label.answers, name: answer}))
