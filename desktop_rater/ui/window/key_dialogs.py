"""The key sheet and the key editor."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QScrollArea,
    QSizePolicy,
    QWidget,
)

from desktop_rater.rubric import Rubric
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.accessibility import NamedGroup
from desktop_rater.ui.widgets.buttons import KeyButton, draw_key_cap, key_cap_size
from desktop_rater.ui.widgets.labels import PlainLabel, WrappedLabel
from desktop_rater.ui.widgets.layouts import tight_column, tight_row
from desktop_rater.ui.widgets.list_view import LIST_ROW_ROLE, ListRow, ListRowModel, RowList
from desktop_rater.ui.widgets.theme import smooth_painter
from desktop_rater.ui.window import actions, keys
from desktop_rater.ui.window.focus import WindowDialog
from desktop_rater.ui.window.keys import is_latin, key_at
from desktop_rater.ui.window.preferences import Preferences

COLUMNS = ((actions.ALWAYS, actions.PAGES, actions.TEXT), (actions.ANSWERS, actions.MOVING))
GAP = 4


@dataclass(frozen=True)
class KeyEntry:
    """A key's action; `id` is that of the action, or empty."""

    id: str
    text: str
    keys: tuple[str, ...]


class KeyCaps(NamedGroup):
    """Key caps side by side."""

    def __init__(self, keys: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.texts = tuple(keys)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(", ".join(self.texts))

    def sizeHint(self) -> QSize:
        widths = list(map(self._width, self.texts))
        return QSize(sum(widths) + GAP * max(0, len(widths) - 1), key_cap_size(self, "").height())

    def _width(self, key: str) -> int:
        return key_cap_size(self, key).width()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = smooth_painter(self)
        left = 0
        for key in self.texts:
            width = self._width(key)
            draw_key_cap(painter, QRectF(left, 0, width, self.height()), key, self)
            left += width + GAP
        painter.end()


class KeySheet(WindowDialog):
    """The key sheet, created anew each time with the current keys and rubric. Esc or F1 closes it."""

    def __init__(
        self, window: QWidget, own: Mapping[str, str], rubric: Rubric | None, available: Collection[str]
    ) -> None:
        super().__init__(window, "key_sheet", self.tr("Keyboard shortcuts"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        body = QWidget()
        row = QHBoxLayout(body)
        row.setContentsMargins(24, 16, 24, 16)
        row.setSpacing(32)
        answers = list(rubric_entries(rubric)) if rubric is not None else []
        for contexts in COLUMNS:
            column = tight_column(spacing=16)
            for context in contexts:
                extra = answers if context == actions.ANSWERS else []
                lines = [*extra, *context_entries(context, own, available)]
                if lines:
                    column.addWidget(self._group(context, lines))
            column.addStretch(1)
            row.addLayout(column, 1)
        scroll = QScrollArea()
        scroll.setObjectName("key_sheet_scroll")
        scroll.setAccessibleName(self.windowTitle())
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(body)
        outer = tight_column(self)
        outer.addWidget(scroll)

    def _group(self, context: str, rows: Sequence[KeyEntry]) -> QWidget:
        box = QWidget()
        box.setObjectName(f"keys_{context}")
        grid = QGridLayout(box)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(0, 1)
        title = PlainLabel(actions.plain_action_text(context), bold=True)
        grid.addWidget(title, 0, 0, 1, 2)
        for row, entry in enumerate(rows, 1):
            grid.addWidget(WrappedLabel(entry.text), row, 0)
            grid.addWidget(KeyCaps(keys.key_texts(entry.keys)), row, 1, Qt.AlignmentFlag.AlignRight)
        return box

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_F1:
            self.reject()
            return
        super().keyPressEvent(event)

    def ask(self) -> None:
        self.open_with(960, 760)


def context_entries(context: str, own: Mapping[str, str], available: Collection[str]) -> list[KeyEntry]:
    """Return the available actions of a context, and its fixed keys."""
    rows = [
        KeyEntry(row.id, actions.plain_action_text(row.text), actions.keys_of(row, own))
        for row in actions.ROWS
        if row.where == context and row.id in available
    ]
    return rows + [
        KeyEntry("", actions.action_text(fixed.text), fixed.keys) for fixed in actions.FIXED if fixed.where == context
    ]


def rubric_entries(rubric: Rubric) -> Iterator[KeyEntry]:
    """Yield the keys of the rubric's choices, question by question."""
    for question in rubric.file.questions:
        with_keys = [choice for choice in question.choices if choice.key]
        if with_keys:
            labels = ", ".join(choice.label for choice in with_keys)
            yield KeyEntry("", f"{question.ask} {labels}", tuple(choice.key.upper() for choice in with_keys))


MOST_ROWS = 7
LEAVING = {Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_Escape}


class KeyField(QLineEdit):
    """Captures the next key press, whatever its shortcut. Tab and Esc leave it."""

    pressed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, on=False)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in LEAVING:
            self.clearFocus()
            super().keyPressEvent(event)
            return
        pressed = keys.portable_key(event.keyCombination())
        position_key = key_at(event)
        if position_key and not is_latin(event.key()) and position_key.isalnum():
            modifiers = pressed.rpartition("+")[0]
            pressed = f"{modifiers}+{position_key}" if modifiers else position_key
        if pressed:
            self.pressed.emit(pressed)


class KeyEditor(NamedGroup):
    """The list of actions with their keys. An invalid key is refused with the reason."""

    def __init__(
        self, preferences: Preferences, rubric_keys: Callable[[], Collection[str]], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("keys_editor")
        self._preferences = preferences
        self._rubric_keys = rubric_keys
        column = tight_column(self, spacing=8)
        self.list = RowList("key_list", two_lines=False, marks=False, label=self.tr("Actions and their keys"))
        self.model = ListRowModel(self)
        self.list.setModel(self.model)
        self.list.selectionModel().currentChanged.connect(lambda _now, _before: self._show_text(""))
        self.list.activated.connect(lambda _index: self.field.setFocus())
        column.addWidget(self.list)
        row = tight_row(spacing=8)
        self.field = KeyField()
        self.field.setObjectName("new_key")
        self.field.setAccessibleName(self.tr("New key"))
        self.field.setPlaceholderText(self.tr("Press the new key here"))
        self.field.pressed.connect(self.set_key)
        row.addWidget(self.field, 1)
        for name, text, reset in (
            ("usual_key", self.tr("Default key"), self._reset_one),
            ("usual_keys", self.tr("Reset all keys"), self._reset_all),
        ):
            row.addWidget(KeyButton(text, name=name, clicked=reset))
        column.addLayout(row)
        self.message = WrappedLabel(name="key_words")
        column.addWidget(self.message)
        preferences.changed.connect(lambda _name: self.refresh())
        self.refresh()
        self.list.setCurrentIndex(self.model.index(0))

    def refresh(self) -> None:
        own = keys.usable_keys(self._preferences.now.keys)
        lines = []
        for row in actions.ROWS:
            key_texts = keys.key_texts(actions.keys_of(row, own))
            name = f"{actions.plain_action_text(row.menu)}: {actions.plain_action_text(row.text)}"
            lines.append(ListRow(row.id, name, end="  ".join(key_texts), bold=row.id in own))
        self.model.show(lines)
        self.list.fit_rows(MOST_ROWS)

    def set_key(self, key: str) -> None:
        """Give the chosen action a key, or show the reason why not."""
        action = self._action()
        own = keys.usable_keys(self._preferences.now.keys)
        reason = keys.key_conflict(key, action, own, self._rubric_keys())
        if reason:
            self._show_text(reason, "block")
            return
        self._preferences.set("keys", {**own, action: key})
        self._show_text(self.tr("Key set to {key}.").format(key=keys.key_text(key)), "ok")

    def _action(self) -> str:
        line: ListRow = self.list.currentIndex().data(LIST_ROW_ROLE)
        return line.id

    def _reset_one(self) -> None:
        action = self._action()
        own = {name: key for name, key in self._preferences.now.keys.items() if name != action}
        first = actions.BY_ID[action].keys[:1]
        reason = keys.key_conflict(first[0], action, keys.usable_keys(own)) if first else ""
        if reason:
            self._show_text(reason, "block")
            return
        self._preferences.set("keys", own)
        self._show_text("")

    def _reset_all(self) -> None:
        self._preferences.set("keys", {})
        self._show_text("")

    def _show_text(self, text: str, tone: str = "text2") -> None:
        self.message.setText(text)
        theme.set_ink(self.message, tone)
        self.field.setText("")
