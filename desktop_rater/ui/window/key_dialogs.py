"""The dialogs of the settings, of the keys, and of one's own keys."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QLineEdit,
    QScrollArea,
    QSizePolicy,
    QWidget,
)

from desktop_rater import settings
from desktop_rater.format.change import Progress
from desktop_rater.rubric import Rubric
from desktop_rater.settings import Setting
from desktop_rater.text.untrusted import normalised_name
from desktop_rater.ui.rating.writing import BY_TASK, OFF, edit_text_blocks, load_dictionary
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.buttons import ChoiceButton, KeyButton, draw_key_cap, key_cap_size
from desktop_rater.ui.widgets.fields import FieldEdit, NumberField
from desktop_rater.ui.widgets.labels import PlainLabel, WrappedLabel, name_widget, set_window_title
from desktop_rater.ui.widgets.layouts import FlowLayout, NamedGroup, height_for_width, tight_column, tight_row
from desktop_rater.ui.widgets.list_view import LIST_ROW_ROLE, ListRow, ListRowModel, RowList
from desktop_rater.ui.widgets.theme import smooth_painter
from desktop_rater.ui.window import actions, keys
from desktop_rater.ui.window.focus import WindowDialog
from desktop_rater.ui.window.keys import is_latin, key_at
from desktop_rater.ui.window.main_window import OUTLIVES_CONTENT
from desktop_rater.ui.window.preferences import Preferences, setting_text

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
        with smooth_painter(self) as painter:
            left = 0
            for key in self.texts:
                width = self._width(key)
                draw_key_cap(painter, QRectF(left, 0, width, self.height()), key, self)
                left += width + GAP


class KeySheet(WindowDialog):
    """The key sheet, created anew each time with the current keys and rubric. Esc or F1 closes it."""

    def __init__(
        self, window: QWidget, own: Mapping[str, str], rubric: Rubric | None, available: Collection[str]
    ) -> None:
        super().__init__(window, "key_sheet", self.tr("Keyboard shortcuts"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        body = QWidget()
        row = tight_row(body, spacing=32, margins=(24, 16, 24, 16))
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
        name_widget(scroll, "key_sheet_scroll", self.windowTitle())
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(body)
        tight_column(self, scroll)

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
        name_widget(self.field, "new_key", self.tr("New key"))
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


WIDTH, HEIGHT = 620, 840


class SettingsDialog(WindowDialog):
    """The settings in sections, one row for each."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window, "settings", "")
        self._show: dict[str, Callable[[], None]] = {}
        outer = tight_column(self, spacing=0)
        self._scroll = QScrollArea()
        self._scroll.setObjectName("settings_scroll")
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        outer.addWidget(self._scroll, 1)
        foot = tight_row(None, 1, margins=(24, 8, 24, 12))
        self._close = KeyButton("", "Esc", primary=True, name="settings_close", clicked=self.accept)
        foot.addWidget(self._close)
        outer.addLayout(foot)

    def follow(self, preferences: Preferences, rubric_keys: Callable[[], Collection[str]]) -> None:
        """Show these settings, in the language of the window; an open dialog keeps its place and focus."""
        focus = self.focusWidget()
        name, place = focus.objectName() if focus is not None else "", self._scroll.verticalScrollBar().value()
        self._preferences = preferences
        self._rubric_keys = rubric_keys
        self._show.clear()
        set_window_title(self, self.tr("Settings"))
        self._scroll.setAccessibleName(self.windowTitle())
        self._close.set_label(self.tr("Close"))
        self._scroll.setWidget(self._make_body())
        preferences.changed.connect(self._changed)
        if self.isVisible():
            self._show_values()
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)  # the place depends on the height
            self._scroll.verticalScrollBar().setValue(place)
            again = self.findChild(QWidget, name) if name else None
            if again is not None:
                again.setFocus()

    def _show_values(self) -> None:
        self.setProperty(OUTLIVES_CONTENT, True)
        for show in self._show.values():
            show()

    def ask(self) -> None:
        self._show_values()
        self.open_with(WIDTH, HEIGHT)

    def ask_for(self, setting: str) -> None:
        """Open at the control of a setting."""
        self.ask()
        control = self.findChild(QWidget, f"setting_{setting}")
        if control is not None:
            field = control.findChild(QLineEdit) or control
            field.setFocus()
            self._scroll.ensureWidgetVisible(control)

    def done(self, result: int) -> None:
        """Apply the text of a focused field, and close."""
        focus = self.focusWidget()
        if focus is not None:
            focus.clearFocus()
        self.setProperty(OUTLIVES_CONTENT, False)
        super().done(result)

    def _make_body(self) -> QWidget:
        body = QWidget()
        column = tight_column(body, spacing=24, margins=(24, 16, 24, 16))
        for section in dict.fromkeys(row.section for row in settings.SETTINGS if row.section):
            column.addWidget(self._make_section(section))
        column.addStretch(1)
        return body

    def _make_section(self, section: str) -> QWidget:
        box = QWidget()
        grid = QGridLayout(box)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        grid.setColumnMinimumWidth(0, theme.px(190))
        grid.addWidget(PlainLabel(setting_text(section), bold=True), 0, 0, 1, 2)
        for setting in (entry for entry in settings.SETTINGS if entry.section == section):
            row = grid.rowCount()
            control = self._make_control(setting)
            if setting.kind == "keys":
                grid.addWidget(control, row, 0, 1, 2)
                continue
            grid.addWidget(WrappedLabel(setting_text(setting.label)), row, 0)
            grid.addWidget(control, row, 1)
            if setting.hint:
                hint = WrappedLabel(setting_text(setting.hint), name=f"hint_{setting.id}", ink="text2")
                grid.addWidget(hint, row + 1, 1)
            if setting.id == "spelling":
                self._note_missing_dictionary(setting, hint)
        return box

    def _note_missing_dictionary(self, setting: Setting, hint: WrappedLabel) -> None:
        """Say in the hint, whenever the setting is shown, if there is no dictionary for its language."""
        show_value = self._show[setting.id]

        def show() -> None:
            show_value()
            value, text = self._value(setting), setting_text(setting.hint)
            language = formatting.current_language() if value == BY_TASK else value
            if value != OFF and load_dictionary(language, Progress()) is None:
                missing = self.tr(
                    "No dictionary for {language} is installed, so its spelling is not checked. "
                    "Install libenchant and a Hunspell dictionary."
                )
                text = missing.format(language=dict(setting.choices).get(language, language))
            hint.setText(text)

        self._show[setting.id] = show

    def _make_control(self, setting: Setting) -> QWidget:
        make = {
            "text": self._make_text,
            "choice": self._make_choice,
            "number": self._make_number,
            "keys": lambda _setting: KeyEditor(self._preferences, self._rubric_keys),
            "texts": self._make_texts,
        }[setting.kind]
        control = make(setting)
        control.setObjectName(f"setting_{setting.id}")
        if not control.accessibleName():
            control.setAccessibleName(setting_text(setting.label))
        return control

    def _make_text(self, setting: Setting) -> QWidget:
        field = FieldEdit()
        field.setMaxLength(setting.max)

        def take() -> None:
            text = normalised_name(field.text()) if setting.names else field.text().strip()
            if (text or setting.pattern) and setting.accepts(text):
                self._preferences.set(setting.id, text)
            self._show[setting.id]()

        field.left.connect(take)
        self._show[setting.id] = lambda: field.show_text(self._value(setting))
        return field

    def _make_texts(self, setting: Setting) -> QWidget:
        button = KeyButton(self.tr("Edit…"), clicked=lambda: edit_text_blocks(self, self._preferences))
        button.setAccessibleName(setting_text(setting.label))
        return button

    def _make_number(self, setting: Setting) -> QWidget:
        field = NumberField(setting, setting_text(setting.label))
        field.chosen.connect(partial(self._preferences.set, setting.id))
        self._show[setting.id] = lambda: field.show_value(self._value(setting))
        return field

    def _make_choice(self, setting: Setting) -> QWidget:
        row = NamedGroup()
        row.setSizePolicy(height_for_width())
        flow = FlowLayout(row)
        buttons: dict[str, ChoiceButton] = {}
        for name, text in setting.choices:
            button = ChoiceButton(
                setting_text(text),
                name=f"setting_{setting.id}_{name}",
                clicked=lambda _on=False, chosen=name: self._choose(setting, chosen),
            )
            button.setAccessibleDescription(setting_text(setting.label))
            buttons[name] = button
            flow.addWidget(button)

        def show() -> None:
            for name, button in buttons.items():
                button.setChecked(name == self._value(setting))

        self._show[setting.id] = show
        return row

    def _choose(self, setting: Setting, chosen: str) -> None:
        self._preferences.set(setting.id, chosen)
        self._show[setting.id]()

    def _value(self, setting: Setting) -> Any:
        return getattr(self._preferences.now, setting.id)

    def _changed(self, name: str) -> None:
        if name in self._show:
            self._show[name]()
