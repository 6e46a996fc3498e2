"""Input and output of one tool call: a tree of its values, and the whole text of the selected one."""

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from PySide6.QtCore import QCoreApplication, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent, QTextCursor, QTextOption
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from desktop_rater.format.task import ToolCall
from desktop_rater.text.spans import Utf16Map, WidgetTextMap
from desktop_rater.text.untrusted import has_long_word
from desktop_rater.text.urls import find_links
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.json_tree import JsonNode, JsonTree, Path, is_foldable, json_texts, scalar_text
from desktop_rater.ui.widgets.labels import ElidedLabel, isolated, select_range, visible
from desktop_rater.ui.widgets.layouts import OrderedSplitter, tight_column, tight_row
from desktop_rater.ui.widgets.list_view import ListRow
from desktop_rater.ui.widgets.menu_chooser import MenuRow, copy_text, offer_menu, text_rows
from desktop_rater.ui.widgets.text_view import small_fixed_font

translate = QCoreApplication.translate

MAX_JSON_LENGTH = 200_000
MAX_JSON_LINE_LENGTH = 100  # length of JSON shown on one line
MAX_ARGUMENTS = 40  # of a call, on its line
MAX_CALL_LINE_LENGTH = 400  # characters of one line; more does not fit on a screen


# The state of each status, with shape and ink from `shapes`.
CALL_STATES = {"ok": "done", "no_results": "warns", "empty": "warns", "error": "failed", "missing": "nothing"}
WORST_FIRST = ("failed", "warns", "nothing", "done")


class ToolCallRow(ListRow, frozen=True):
    """Row of a call: its status is `state`, its time `end`; input and output are `detail`, an error `detail_end`."""

    @property
    def tooltip(self) -> str:
        return self.spoken


def tool_call_row(call: ToolCall, calls: Sequence[ToolCall] = ()) -> ToolCallRow:
    """Return the row of one of several calls."""
    given = arguments_line(call, calls)
    gave = single_line(call.output) if call.output not in (None, "") else ""
    fails = call.status == "error"
    if call.status in ("empty", "no_results") and not gave:
        gave = translate("ToolWords", "(nothing)")
    line = " → ".join(isolated(part) for part in (given, "" if fails else gave) if part)
    name = " ".join(WidgetTextMap(call.name[:MAX_CALL_LINE_LENGTH]).shown.split())
    return ToolCallRow(
        None,
        name,
        end=call_time_text(call.at),
        detail=line,
        detail_end=gave if fails else "",
        mark=tool_call_state(call),
        state=call_status_text(call.status),
    )


def arguments_line(call: ToolCall, calls: Sequence[ToolCall] = ()) -> str:
    """Return the beginning of the input on one line: first the arguments in which calls of the same tool differ."""
    if not isinstance(call.input, dict) or not call.input:
        return "" if call.input is None else single_line(call.input)
    others = [other.input.items() for other in calls if other.name == call.name and isinstance(other.input, dict)]
    arguments = list(call.input.items())[:MAX_ARGUMENTS]
    arguments.sort(key=lambda argument: all(argument in other for other in others))
    return single_line(", ".join(f"{name}: {single_line(value)}" for name, value in arguments))


def failed_first(calls: Sequence[ToolCall]) -> list[tuple[int, ToolCall]]:
    """Return calls with their numbers, failed ones first, else in call order."""
    return sorted(enumerate(calls, 1), key=lambda pair: WORST_FIRST.index(tool_call_state(pair[1])))


def tool_call_state(call: ToolCall) -> str:
    """Return the state that represents a call's status."""
    return CALL_STATES.get(call.status, "nothing")


def call_status_text(status: str) -> str:
    """Return the text of a status."""
    return {
        "ok": translate("ToolWords", "ok"),
        "no_results": translate("ToolWords", "no results"),
        "empty": translate("ToolWords", "empty result"),
        "error": translate("ToolWords", "error"),
        "missing": translate("ToolWords", "output not stored"),
        "not_recorded": translate("ToolWords", "ok, output not recorded"),
    }.get(status, status)


def call_time_text(timestamp: str | None) -> str:
    """Return the time of a tool response with its time zone, since prices and times are judged by that moment."""
    if timestamp is None:
        return ""
    try:
        when = datetime.fromisoformat(timestamp)
    except ValueError:
        return timestamp
    if when.tzinfo is None:
        return timestamp
    when = when.astimezone(UTC)
    time = formatting.clock(when, seconds=when.second > 0)
    return translate("ToolWords", "{day}, {time} UTC").format(day=formatting.day(when), time=time)


def formatted_json(value: Any, *, whole: bool = False) -> str:
    """Return a tool's input or output: text unchanged, JSON indented if one line is too short.

    JSON is limited in length unless it is wanted `whole`; an ellipsis shows that it is cut.
    """
    if isinstance(value, str):
        return value
    line = _limited(value, MAX_JSON_LINE_LENGTH + 1)
    if len(line) <= MAX_JSON_LINE_LENGTH:
        return line
    if whole:
        return json.dumps(value, ensure_ascii=False, indent=2)
    text = _limited(value, MAX_JSON_LENGTH, indent=2)
    return f"{text}\n…" if len(text) == MAX_JSON_LENGTH else text


def single_line(value: Any) -> str:
    """Return the beginning of an input or output, on one line."""
    begun = _limited(value, MAX_CALL_LINE_LENGTH)
    line = " ".join(WidgetTextMap(begun).shown.split())
    return f"{line} …" if len(begun) == MAX_CALL_LINE_LENGTH else line


def _limited(value: Any, most: int, indent: int | None = None) -> str:
    if isinstance(value, str):
        return value[:most]
    parts: list[str] = []
    size = 0
    for part in json.JSONEncoder(ensure_ascii=False, indent=indent).iterencode(value):
        parts.append(part[: most - size])
        size += len(parts[-1])
        if size >= most:
            break
    return "".join(parts)


OUTPUT_TOP_MARGIN, OUTPUT_DOCUMENT_MARGIN = 4, 4
MAX_OUTPUT_ROWS = 100
MAX_LINK_LINE = 20_000  # characters of a line in which links are looked for
BESIDE_WIDTH, TREE_SHARE, MIN_VIEW_HEIGHT, LOW_VALUE_HEIGHT = 440, 0.46, 36, 56
LONG_OUTPUT = 400  # characters
SLACK = 1_000  # characters by which a part may be longer, so that a heading makes no second part


def shown_text(text: str) -> str:
    """Return a text as a plain text view shows it: with its line breaks, and hidden characters spelled out."""
    return text if text.isascii() and text.isprintable() else visible(WidgetTextMap(text).shown)


class OutputText(QPlainTextEdit):
    """A wrapped text of a program. A click with Ctrl opens the link under the pointer."""

    link_wanted = Signal(str)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"{name}_text")
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.document().setDocumentMargin(OUTPUT_DOCUMENT_MARGIN)

    def link_at(self, place: QPoint) -> str:
        """Return the link at a place in the viewport; empty without one."""
        cursor = self.cursorForPosition(place)
        line, after = cursor.block().text()[:MAX_LINK_LINE], 0
        for link in find_links(line):
            start = line.index(link, after)
            after = start + len(link)
            if start <= cursor.positionInBlock() <= after:
                return link
        return ""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            link = self.link_at(event.position().toPoint())
            if link and not self.textCursor().hasSelection():
                self.link_wanted.emit(link)


class ValueView(QWidget):
    """A text of any length, wrapped. Beyond the size that a view can take, it is shown in parts."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts: list[str] = [""]
        self._at = self._characters = 0
        self._name = ""
        self._head = QWidget()
        self._title = ElidedLabel(name=f"{name}_value", size="small", ink="text2")
        self._steps = [
            KeyButton(self.tr("Previous part"), flat=True, name=f"{name}_previous", clicked=lambda: self._step(-1)),
            KeyButton(self.tr("Next part"), flat=True, name=f"{name}_next", clicked=lambda: self._step(1)),
        ]
        row = tight_row(self._head, (self._title, 1), *self._steps)
        theme.pad(row, 4, 0, 0, 2)
        self.text = OutputText(name)
        self.text.setAccessibleName(self.tr("Input and output of the tool call"))
        tight_column(self, self._head, (self.text, 1), spacing=0)

    def show_text(self, text: str, title: str = "") -> None:
        """Show a text from its start, under a title unless it is empty."""
        shown = shown_text(text)
        size = MAX_JSON_LENGTH
        if len(shown) <= size + SLACK:
            self._parts = [shown]
        else:
            self._parts = [shown[start : start + size] for start in range(0, len(shown), size)]
        self._name = title
        self._characters = len(text)
        self._show_part(0)

    def select(self, start: int, end: int) -> None:
        """Select a span of the shown text, given in code points."""
        part = min(start // MAX_JSON_LENGTH, len(self._parts) - 1)
        if part != self._at:
            self._show_part(part)
        before, shown = part * MAX_JSON_LENGTH, self._parts[part]
        units = Utf16Map(shown)
        cursor = select_range(
            QTextCursor(self.text.document()),
            units.to_utf16(min(start - before, len(shown))),
            units.to_utf16(min(end - before, len(shown))),
        )
        self.text.setTextCursor(cursor)
        self.text.ensureCursorVisible()

    def _step(self, direction: int) -> None:
        self._show_part(max(0, min(len(self._parts) - 1, self._at + direction)))

    def _show_part(self, number: int) -> None:
        self._at = number
        text, several = self._parts[number], len(self._parts) > 1
        self.text.clear()  # otherwise the old text would be laid out once more
        modes = QTextOption.WrapMode
        breaks = has_long_word(text)
        self.text.setWordWrapMode(modes.WrapAnywhere if breaks else modes.WrapAtWordBoundaryOrAnywhere)
        self.text.setPlainText(text)
        size = self.tr("{n} characters").format(n=formatting.number(self._characters))
        part = self.tr("part {n} of {total}").format(n=number + 1, total=len(self._parts)) if several else ""
        self._title.setText(" · ".join(filter(None, (self._name, size, part))))
        self._show_head()
        for button, possible in zip(self._steps, (number > 0, number + 1 < len(self._parts)), strict=True):
            button.setVisible(several)
            button.setEnabled(possible)

    def _show_head(self) -> None:
        """Show the head, which gives way to the text in a low pane."""
        low = self.height() < theme.px(LOW_VALUE_HEIGHT)
        self._head.setVisible(len(self._parts) > 1 or (bool(self._name) and not low))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_head()


class ToolOutput(QWidget):
    """The text of textual output; of other output a tree beside the value of the selected row."""

    page_wanted = Signal(str)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._call: ToolCall | None = None
        self._split = OrderedSplitter()
        self._split.setObjectName(f"{name}_split")
        self._split.setChildrenCollapsible(False)
        self._split.setHandleWidth(1)
        column = tight_column(self, self._split)
        theme.pad(column, 12, OUTPUT_TOP_MARGIN, 8, 0)
        self.tree = JsonTree(f"{name}_json")
        self.tree.setAccessibleName(self.tr("Output of the tool call"))
        self.value = ValueView(name)
        self.text = self.value.text
        for pane in (self.tree, self.value):
            self._split.addWidget(pane)
        self.tree.chosen.connect(self._show_value)
        self.tree.copied.connect(self._copy_value)
        self.text.link_wanted.connect(self.page_wanted)
        offer_menu(self.text, lambda place: [*self._link_rows(self.text.link_at(place)), *text_rows(self.text)])
        offer_menu(self.tree, self._tree_rows)
        theme.follow(self, self._measure)

    def _measure(self) -> None:
        font = small_fixed_font()
        for view in (self.text, self.tree):
            view.setFont(font)
            view.setMinimumHeight(theme.px(MIN_VIEW_HEIGHT))

    def show_call(self, call: ToolCall) -> None:
        """Show a call; the heading of the output has the time of the response."""
        self._call = call
        folds = is_foldable(call.output)
        self.tree.setVisible(folds)
        if folds:
            self.tree.show_value(call_parts(call))
        else:
            self.value.show_text(call_text(call))

    def _show_value(self, index: QModelIndex) -> None:
        node = self.tree.values.node(index)
        title = visible(self._path(node))
        if is_foldable(node.value):
            self.value.show_text(formatted_json(node.value), title)
        else:
            self.value.show_text(scalar_text(node.value), title)

    def _path(self, node: JsonNode) -> str:
        """Return the path of a value, without the words of the heading."""
        top = node
        while top.parent is not None and top.parent.parent is not None:
            top = top.parent
        part = "output" if top.row == self.tree.values.rowCount() - 1 else "input"
        return part + node.path[len(top.name) :]

    def show_match(self, path: Path, start: int, end: int, *, in_key: bool) -> None:
        """Show a match of a search: open what holds it, and select it."""
        if path and self.tree.isVisibleTo(self):
            self.tree.show_path(path)
        if not in_key:
            self.value.select(start, end)

    def _tree_rows(self, place: QPoint) -> list[MenuRow | str]:
        index = self.tree.indexAt(place)
        if not index.isValid():
            return []
        node = self.tree.values.node(index)
        links = find_links(node.value[:MAX_LINK_LINE]) if isinstance(node.value, str) else []
        return [
            *self._link_rows(next(iter(links), "")),
            MenuRow(self.tr("Copy value"), self._copy_value),
            MenuRow(self.tr("Copy row"), lambda: copy_text(node.row_text)),
            MenuRow(self.tr("Copy path"), lambda: copy_text(self._path(node))),
            MenuRow(self.tr("Select all of the value"), self._select_value),
            "",
            "find",
        ]

    def _link_rows(self, link: str) -> list[MenuRow | str]:
        """Return the rows for a link, if there is one."""
        if not link:
            return []
        open_page = MenuRow(self.tr("Open the page"), lambda: self.page_wanted.emit(link))
        return [open_page, MenuRow(self.tr("Copy the address"), lambda: copy_text(link)), ""]

    def _copy_value(self) -> None:
        node = self.tree.values.node(self.tree.currentIndex())
        copy_text(formatted_json(node.value, whole=True) if is_foldable(node.value) else scalar_text(node.value))

    def _select_value(self) -> None:
        self.text.setFocus()
        self.text.selectAll()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        beside = self.width() >= theme.px(BESIDE_WIDTH)
        way = Qt.Orientation.Horizontal if beside else Qt.Orientation.Vertical
        if self._split.orientation() != way or event.oldSize().width() <= 0:
            self._split.setOrientation(way)
            whole = self.width() if beside else self.height()
            self._split.setSizes([round(whole * TREE_SHARE), round(whole * (1 - TREE_SHARE))])

    def preferred_height(self) -> int:
        """Return the height that shows everything, up to a limit for long output."""
        margins = theme.px(OUTPUT_TOP_MARGIN) + 2 * OUTPUT_DOCUMENT_MARGIN
        if self.tree.isVisibleTo(self):
            rows, index = 0, self.tree.model().index(0, 0)
            while index.isValid() and rows < MAX_OUTPUT_ROWS:
                rows, index = rows + 1, self.tree.indexBelow(index)
            return rows * max(1, self.tree.sizeHintForRow(0)) + margins
        lines = min(MAX_OUTPUT_ROWS, int(self.text.document().size().height()))  # in lines, for plain text
        return (lines + 1) * self.text.fontMetrics().lineSpacing() + margins


def call_parts(call: ToolCall) -> dict[str, Any]:
    """Return input and output of a call by their headings."""
    when = call_time_text(call.at)
    output = translate("ToolOutput", "Output, {time}").format(time=when) if when else translate("ToolOutput", "Output")
    parts = {translate("ToolOutput", "Input"): call.input} if call.input is not None else {}
    parts[output] = translate("ToolOutput", "(nothing)") if call.output in (None, "") else call.output
    return parts


def has_long_output(call: ToolCall) -> bool:
    """Return whether the output of a call takes more than a few lines."""
    return is_foldable(call.output) or (isinstance(call.output, str) and len(call.output) > LONG_OUTPUT)


def call_text(call: ToolCall) -> str:
    """Return input and output of a call as one text."""
    return "\n\n".join(f"{name}\n{formatted_json(value)}" for name, value in call_parts(call).items())


def call_texts(call: ToolCall) -> Iterator[tuple[Path, bool, str]]:
    """Yield the texts of a call as `ToolOutput` shows them: path, whether it is a key, and text."""
    if not is_foldable(call.output):
        yield (), False, shown_text(call_text(call))
        return
    for path, is_key, text in json_texts(call_parts(call)):
        if len(path) > 1 or not is_key:
            yield path, is_key, shown_text(text)


def call_menu_rows(call: ToolCall) -> list[MenuRow | str]:
    """Return the rows of the menu of a call."""
    return [
        MenuRow(translate("ToolOutput", "Copy output"), lambda: copy_text(formatted_json(call.output, whole=True))),
        MenuRow(translate("ToolOutput", "Copy input"), lambda: copy_text(formatted_json(call.input, whole=True))),
        MenuRow(translate("ToolOutput", "Copy name"), lambda: copy_text(call.name)),
        "",
        "find",
    ]
