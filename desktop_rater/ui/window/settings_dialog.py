"""The settings dialog, built from the table of settings. Changes apply at once."""

from collections.abc import Callable, Collection
from functools import partial
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from desktop_rater import settings
from desktop_rater.model.change import Progress
from desktop_rater.settings import Setting
from desktop_rater.text.untrusted import normalised_name
from desktop_rater.ui.rating.writing import BY_TASK, OFF, edit_text_blocks, load_dictionary
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.accessibility import NamedGroup
from desktop_rater.ui.widgets.buttons import ChoiceButton, KeyButton
from desktop_rater.ui.widgets.fields import FieldEdit, NumberField
from desktop_rater.ui.widgets.labels import PlainLabel, WrappedLabel, set_window_title
from desktop_rater.ui.widgets.layouts import FlowLayout, height_for_width, tight_column
from desktop_rater.ui.window.focus import WindowDialog
from desktop_rater.ui.window.key_dialogs import KeyEditor
from desktop_rater.ui.window.main_window import OUTLIVES_CONTENT
from desktop_rater.ui.window.preferences import Preferences, setting_text

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
        foot = QHBoxLayout()
        foot.setContentsMargins(24, 8, 24, 12)
        foot.addStretch(1)
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
        column = QVBoxLayout(body)
        column.setContentsMargins(24, 16, 24, 16)
        column.setSpacing(24)
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
        title = PlainLabel(setting_text(section), bold=True)
        grid.addWidget(title, 0, 0, 1, 2)
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
