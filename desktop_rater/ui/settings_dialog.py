"""The settings, built from their table. Each change holds at once."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from desktop_rater import settings
from desktop_rater.ui import theme
from desktop_rater.ui.flow import FlowLayout
from desktop_rater.ui.focus_back import FocusBack
from desktop_rater.ui.form.choice_button import ChoiceButton
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.form.typed import FieldEdit
from desktop_rater.ui.keyboard.editor import KeysEditor
from desktop_rater.ui.number_field import NumberField
from desktop_rater.ui.plain import PlainLabel, WrappedLabel

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from desktop_rater.settings import Setting
    from desktop_rater.ui.preferences import Preferences

WIDTH, HEIGHT = 620, 840


def words(text: str) -> str:
    """A text of the table in the language of the window."""
    return QCoreApplication.translate(settings.CONTEXT, text)


class SettingsDialog(QDialog):
    """A section after the other, a row a setting."""

    def __init__(self, window: QWidget, preferences: Preferences, rubric_keys: Callable[[], Collection[str]]) -> None:
        super().__init__(window)
        self.setObjectName("settings")
        self.setWindowTitle(self.tr("Settings"))
        self._window = window
        self._preferences = preferences
        self._rubric_keys = rubric_keys
        self._focus = FocusBack()
        self._show: dict[str, Callable[[], None]] = {}
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        scroll = QScrollArea()
        scroll.setObjectName("settings_scroll")
        scroll.setAccessibleName(self.windowTitle())
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(self._make_body())
        outer.addWidget(scroll, 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(24, 8, 24, 12)
        foot.addStretch(1)
        close = KeyButton(self.tr("Close"), "Esc", primary=True)
        close.setObjectName("settings_close")
        close.clicked.connect(self.accept)
        foot.addWidget(close)
        outer.addLayout(foot)
        preferences.changed.connect(self._changed)

    def ask(self) -> None:
        """Open, with everything as it is now."""
        self._focus.remember()
        for show in self._show.values():
            show()
        self.resize(min(theme.px(WIDTH), self._window.width() - 32), min(theme.px(HEIGHT), self._window.height() - 32))
        self.open()

    def done(self, result: int) -> None:
        """The focus goes back to where it was; what stands in a field counts."""
        focus = self.focusWidget()
        if focus is not None:
            focus.clearFocus()
        super().done(result)
        self._focus.give(self._window)

    def _make_body(self) -> QWidget:
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(24, 16, 24, 16)
        column.setSpacing(24)
        for section in dict.fromkeys(row.section for row in settings.TABLE if row.section):
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
        title = PlainLabel(words(section))
        theme.write(title, bold=True)
        grid.addWidget(title, 0, 0, 1, 2)
        for setting in (row for row in settings.TABLE if row.section == section):
            at = grid.rowCount()
            control = self._make_control(setting)
            if setting.kind == "keys":
                grid.addWidget(control, at, 0, 1, 2)
                continue
            grid.addWidget(WrappedLabel(words(setting.label)), at, 0)
            grid.addWidget(control, at, 1)
            if setting.hint:
                hint = WrappedLabel(words(setting.hint))
                theme.quiet(hint)
                grid.addWidget(hint, at + 1, 1)
        return box

    def _make_control(self, setting: Setting) -> QWidget:
        make = {
            "text": self._make_text,
            "choice": self._make_choice,
            "number": self._make_number,
            "keys": self._make_keys,
        }[setting.kind]
        control = make(setting)
        control.setObjectName(f"setting_{setting.id}")
        if not control.accessibleName():
            control.setAccessibleName(words(setting.label))
        return control

    def _make_keys(self, _setting: Setting) -> QWidget:
        return KeysEditor(self._preferences, self._rubric_keys)

    def _make_text(self, setting: Setting) -> QWidget:
        field = FieldEdit()
        field.setMaxLength(setting.max)

        def take() -> None:
            text = field.text().strip()
            if (text or setting.pattern) and setting.fits(text):
                self._preferences.set(setting.id, text)
            self._show[setting.id]()

        field.left.connect(take)
        self._show[setting.id] = lambda: field.show_text(self._value(setting))
        return field

    def _make_number(self, setting: Setting) -> QWidget:
        field = NumberField(setting, words(setting.label))
        field.chosen.connect(partial(self._preferences.set, setting.id))
        self._show[setting.id] = lambda: field.show_value(self._value(setting))
        return field

    def _make_choice(self, setting: Setting) -> QWidget:
        row = QWidget()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        row.setSizePolicy(policy)
        flow = FlowLayout(row)
        buttons: dict[str, ChoiceButton] = {}
        for name, text in setting.choices:
            button = ChoiceButton(words(text))
            button.setObjectName(f"setting_{setting.id}_{name}")
            button.setAccessibleDescription(words(setting.label))
            button.clicked.connect(lambda _on=False, chosen=name: self._choose(setting, chosen))
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
