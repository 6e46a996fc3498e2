"""The keys of the window: where they answer, where they rest, on which keyboards, and which ones a rater can change."""

from collections import Counter

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QMainWindow, QPlainTextEdit, QPushButton

from desktop_rater.rubric.validate import FREE_KEYS, RESERVED_KEYS
from desktop_rater.ui.window import actions, keys
from desktop_rater.ui.window.key_dialogs import KeyCaps, KeySheet
from tests.docs import key_table, pages
from tests.ui.rooms import part, press, type_text

# -- one table


def test_every_action_is_in_a_menu_the_palette_the_sheet_and_the_docs(room):
    ids = {row.id for row in actions.ROWS}
    in_menus = {
        action.objectName().removeprefix("action_")
        for menu in room.window.menuBar().actions()
        for action in menu.menu().actions()
        if action.objectName()
    }
    assert in_menus == ids
    here = actions.actions_in(actions.ActionScope())
    room.commands.actions["palette"].trigger()
    assert {line.id for line in room.window.parts["palette"].model.rows} == {row.id for row in here}
    room.window.parts["palette"].reject()
    room.commands.actions["keys"].trigger()
    sheet = room.window.findChild(KeySheet)
    shown = {key for caps in sheet.findChildren(KeyCaps) for key in caps.texts}
    assert {key for row in here for key in map(keys.key_text, row.keys)} <= shown
    sheet.close()
    page = pages.sections(pages.text("user-guide.md"))["Keys"]
    for row in (row for row in actions.ROWS if row.keys):
        assert f"| {key_table.written(row.keys)} | {row.text}" in page


def test_no_action_has_a_letter_that_a_rubric_may_use_and_the_reserved_ones_are_the_window_s():
    rated = [row for row in actions.ROWS if row.screens != "start"]  # nothing is answered on the start page
    letters = {key.lower() for row in rated for key in row.keys if len(key) == 1 and key.isalnum()}
    assert letters.isdisjoint(FREE_KEYS)
    assert letters <= RESERVED_KEYS


def test_menus_open_by_different_letters(room):
    titles = room.window.menuBar().actions()  # held, since PySide 6.9 lets a menu go with its title
    for menu in (None, *(one.menu() for one in titles)):
        holder = room.window.menuBar() if menu is None else menu
        letters = [one.text().split("&")[1][0].lower() for one in holder.actions() if "&" in one.text()]
        assert max(Counter(letters).values(), default=1) == 1


# -- what was measured of Qt


def test_single_keys_rest_in_fields_and_fire_everywhere_else(qtbot):
    window = QMainWindow()
    qtbot.addWidget(window)
    struck = []
    action = QAction("skip", window)
    action.setShortcut(QKeySequence("X"))
    action.triggered.connect(lambda: struck.append("x"))
    window.addAction(action)
    reading = QPlainTextEdit("read", window)
    reading.setReadOnly(True)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    for widget, fires in (
        (QLineEdit(window), False),
        (QPlainTextEdit(window), False),
        (reading, True),
        (QComboBox(window), True),
        (QPushButton(window), True),
    ):
        struck.clear()
        widget.show()
        widget.setFocus()
        QTest.keyClick(widget, Qt.Key.Key_X)
        assert bool(struck) is fires, type(widget).__name__


def test_two_actions_on_one_key_are_both_silent(qtbot):
    window = QMainWindow()
    qtbot.addWidget(window)
    struck = []
    for name in ("one", "two"):
        action = QAction(name, window)
        action.setShortcut(QKeySequence("F9"))
        action.triggered.connect(lambda _on=False, name=name: struck.append(name))
        window.addAction(action)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, Qt.Key.Key_F9)
    assert struck == []


def test_each_key_stays_bound_once_when_a_rater_changes_some(room):
    room.preferences.set("keys", {"skip": "Shift+X", "next_target": "J"})
    bound = [one.toString() for action in room.commands.actions.values() for one in action.shortcuts()]
    bound += [one.key().toString() for one in room.window.findChildren(QShortcut)]
    assert [key for key, count in Counter(bound).items() if count > 1] == []


@pytest.mark.parametrize("field", ["text_comment", "filter"])
def test_the_keys_that_are_good_always_fire_from_fields_too(room, field):
    press("Y", "W")
    widget = part(room, field)
    fired = []
    for row in actions.actions_in(actions.ActionScope()):
        action = room.commands.actions[row.id]
        action.triggered.disconnect()
        action.triggered.connect(lambda _on=False, name=row.id: fired.append(name))
        action.setEnabled(True)
    for row in actions.actions_in(actions.ActionScope()):
        for key in row.keys:
            if "Ctrl" not in key and not key[-1].isdigit():
                continue
            if keys.normalized_key(key) in {"Ctrl+Z", "Ctrl+Y", "Ctrl+Shift+Z", "Ctrl+V"}:
                continue  # the text's own
            fired.clear()
            widget.setFocus()
            combination = QKeySequence(key)[0]  # ty: ignore[not-subscriptable]
            # By the window's handle, as the system hands keys over: first the shortcuts, then the rest.
            QTest.keyClick(room.window.windowHandle(), combination.key(), combination.keyboardModifiers())
            assert fired == [row.id], key


def test_ctrl_e_belongs_to_line_edits_on_x11_and_to_no_action():
    assert "Ctrl+E" not in {keys.normalized_key(key) for row in actions.ROWS for key in row.keys}
    assert keys.key_conflict("Ctrl+E", "export", {})


def test_return_in_a_line_keeps_and_leaves_and_goes_nowhere(room):
    press("Y")
    room.session.add_evidence("https://example.org/a")
    field = part(room, "evidence_title")
    room.window.form_pane.form.evidence.edit("title")
    assert field.hasFocus()
    type_text("A title")
    target = room.session.place.target
    press("Return")
    assert not field.hasFocus()
    assert room.session.place.target == target
    assert room.session.rating.evidence[0].title == "A title"


# -- the sheet


def test_the_sheet_shows_the_rubric_s_keys_and_closes_by_its_own_key(room, rooms):
    form = room.window.form_pane.form
    form.setFocus()
    press("F1")
    sheet = room.window.findChild(KeySheet)
    answers = sheet.findChild(object, f"keys_{actions.ANSWERS}")
    shown = [caps.texts for caps in answers.findChildren(KeyCaps)]
    assert ("Y", "N") in shown
    assert ("A", "I", "U", "D") in shown
    QTest.keyClick(sheet, Qt.Key.Key_F1)
    assert not sheet.isVisible()
    rooms.qtbot.waitUntil(lambda: QApplication.focusWidget() is form)


def test_larger_smaller_and_the_usual_size(room):
    press("Ctrl++", "Ctrl++", "Ctrl+-")
    assert room.preferences.now.zoom == 110
    for _ in range(40):
        press("Ctrl++")
    assert room.preferences.now.zoom == 300
    press("Ctrl+0")
    assert room.preferences.now.zoom == 100


def test_full_screen_and_back(room):
    press("F11")
    assert room.window.windowState() & Qt.WindowState.WindowFullScreen
    press("F11")
    assert not room.window.windowState() & Qt.WindowState.WindowFullScreen


def test_every_copied_link_becomes_evidence_once(room):
    press("Y")
    QApplication.clipboard().setText("https://example.org/a and\nhttps://example.org/b, https://example.org/a")
    press("Ctrl+V")
    assert [one.url for one in room.session.evidence] == ["https://example.org/a", "https://example.org/b"]
    press("Ctrl+V")
    assert len(room.session.evidence) == 2
