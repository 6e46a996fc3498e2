"""Keys and menus as macOS has them: its signs of keys, and About, Settings and Quit in the menu of the program."""

import re

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QLabel

from desktop_rater.ui.widgets.buttons import ChoiceButton
from desktop_rater.ui.window import actions, keys
from desktop_rater.ui.window.key_dialogs import KeyCaps, KeySheet
from tests.ui.rooms import press

PC_NAMES = re.compile(r"\b(Ctrl|Shift|Alt|Meta|Esc|PgUp|PgDn)\b")


@pytest.fixture
def mac(monkeypatch):
    monkeypatch.setattr(keys, "on_mac", True)


# What QKeySequence.toString(NativeText) returns on macOS; see QKeySequencePrivate::keyName and encodeString in Qt.
@pytest.mark.parametrize(
    ("key", "native"),
    [
        ("Ctrl+O", "⌘O"),
        ("Ctrl+Shift+E", "⇧⌘E"),
        ("Ctrl+Alt+Shift+Meta+K", "⌃⌥⇧⌘K"),
        ("Ctrl++", "⌘+"),
        ("Alt+Left", "⌥←"),
        ("Ctrl+Shift+Return", "⇧⌘↵"),
        ("Ctrl+PgDown", "⌘⇟"),
        ("Backspace", "⌫"),
        ("Del", "⌦"),
        ("Esc", "⎋"),
        ("Meta+Tab", "⌃⇥"),
        ("F1", "F1"),
        ("J", "J"),
    ],
)
def test_a_key_is_written_as_the_menus_of_macos_write_it(mac, qapp, key, native):
    assert keys.key_text(key) == native
    assert keys.cap_text(keys.english_key_text(key)) == native


def test_a_cap_for_two_keys_and_the_user_s_own_key_are_written_so_too(mac, room):
    assert keys.cap_text("Ctrl Shift ↑ ↓") == "⇧⌘↑ ↓"
    room.preferences.set("keys", {"import": "Ctrl+Shift+I"})
    assert keys.cap_text("Ctrl O") == "⇧⌘I"


def test_no_key_of_a_pc_is_left_in_the_window(mac, room):
    press("Ctrl+K")
    rows = room.window.parts["palette"].model.rows
    assert {row.end for row in rows if row.id == "settings"} == {"⌘,"}
    room.window.parts["palette"].reject()
    room.commands.actions["keys"].trigger()
    sheet = room.window.findChild(KeySheet)
    caps = {key for shown in sheet.findChildren(KeyCaps) for key in shown.texts}
    sheet.close()
    window_texts = [widget.accessibleName() for widget in QApplication.allWidgets() if widget.isVisible()]
    window_texts += [widget.toolTip() for widget in QApplication.allWidgets() if widget.isVisible()]
    window_texts += [label.text() for label in room.window.findChildren(QLabel) if label.isVisible()]
    assert any("⌘" in button.accessibleName() for button in room.window.findChildren(ChoiceButton))
    assert [text for text in (*caps, *(row.end for row in rows), *window_texts) if PC_NAMES.search(text)] == []


def test_the_command_key_with_tab_stays_with_the_system():
    row = actions.BY_ID["text_or_page"]
    assert actions.keys_of(row, {}, "darwin") == ("Meta+Tab",)
    assert actions.keys_of(row, {}, "linux") == ("Ctrl+Tab",)


def test_about_settings_and_quit_move_to_the_menu_of_the_program_and_nothing_else_by_its_name(room):
    kinds = QAction.MenuRole
    moved = {"about": kinds.AboutRole, "settings": kinds.PreferencesRole, "quit": kinds.QuitRole}
    for name, action in room.commands.actions.items():
        assert action.menuRole() == moved.get(name, kinds.NoRole)
    assert moved.keys() <= room.commands.actions.keys()
