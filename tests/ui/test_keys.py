"""The keys of the window: where they answer, where they rest, on which keyboards, and which ones a rater can change."""

from __future__ import annotations

from collections import Counter

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QMainWindow, QPlainTextEdit, QPushButton

from desktop_rater.rubric.sound import FREE_KEYS, RESERVED_KEYS
from desktop_rater.ui import actions, keys
from desktop_rater.ui.key_fallback import KeyFallback
from desktop_rater.ui.key_positions import MAC, WINDOWS, XKB
from desktop_rater.ui.key_sheet import Caps, KeySheet
from tests.docs import key_table, pages
from tests.ui.rooms import part, press, type_text

NONE, SHIFT, CTRL = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
)
SCAN = {key: code for code, key in XKB.items()}


def strike(room, place, text, key=0, modifiers=NONE):
    """Strike the key that lies where `place` is printed in the United States, and that means `text` on this layout."""
    event = QKeyEvent(
        QEvent.Type.KeyPress, key or ord(text.upper()), modifiers, SCAN[place], 0, 0, "" if modifiers & CTRL else text
    )
    QCoreApplication.sendEvent(room.window.windowHandle(), event)


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
    room.commands.actions["palette"].trigger()
    assert {line.id for line in room.commands.view.palette.model.lines} == ids
    room.commands.view.palette.reject()
    room.commands.actions["keys"].trigger()
    sheet = room.window.findChild(KeySheet)
    shown = {key for caps in sheet.findChildren(Caps) for key in caps.shown}
    assert {key for row in actions.ROWS for key in map(keys.shown, row.keys)} <= shown
    sheet.close()
    page = pages.sections(pages.text("user-guide.md"))["Keys"]
    for row in actions.ROWS:
        assert f"| {row.text} | {key_table.written(row.keys)} |" in page


def test_no_action_has_a_letter_that_a_rubric_may_use_and_the_reserved_ones_are_the_window_s():
    letters = {key.lower() for row in actions.ROWS for key in row.keys if len(key) == 1 and key.isalnum()}
    assert letters.isdisjoint(FREE_KEYS)
    assert letters <= RESERVED_KEYS


def test_menus_open_by_different_letters(room):
    for menu in (None, *(one.menu() for one in room.window.menuBar().actions())):
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
    for row in actions.ROWS:
        action = room.commands.actions[row.id]
        action.triggered.disconnect()
        action.triggered.connect(lambda _on=False, name=row.id: fired.append(name))
        action.setEnabled(True)
    for row in actions.ROWS:
        for key in row.keys:
            if "Ctrl" not in key and not key[-1].isdigit():
                continue
            if keys.normal(key) in {"Ctrl+Z", "Ctrl+Y", "Ctrl+Shift+Z", "Ctrl+V"}:
                continue  # the text's own
            fired.clear()
            widget.setFocus()
            combination = QKeySequence(key)[0]
            # By the window's handle, as the system hands keys over: first the shortcuts, then the rest.
            QTest.keyClick(room.window.windowHandle(), combination.key(), combination.keyboardModifiers())
            assert fired == [row.id], key


def test_ctrl_e_belongs_to_line_edits_on_x11_and_to_no_action():
    assert "Ctrl+E" not in keys.bound({})
    assert keys.why_refused("Ctrl+E", "export", {})


def test_return_in_a_line_keeps_and_leaves_and_goes_nowhere(room):
    press("Y")
    room.session.add_evidence("https://example.org/a")
    field = part(room, "evidence_title")
    field.setFocus()
    if not field.hasFocus():
        pytest.skip("its fields are not shown")
    type_text("A title")
    target = room.session.place.target
    press("Return")
    assert not field.hasFocus()
    assert room.session.place.target == target
    assert room.session.rating.evidence[0].title == "A title"


# -- other keyboards


@pytest.mark.parametrize(
    ("layout", "yes", "key"),
    [("Russian", "н", 0), ("Greek", "υ", 0), ("Arabic", "غ", 0), ("Hebrew", "ט", 0)],
)
def test_a_letter_of_another_script_answers_by_its_place(room, layout, yes, key):
    strike(room, "Y", yes, key)
    assert room.session.rating.answers.targets["s1"] == {"factual": "yes"}


def test_french_digits_answer_without_shift(room):
    press("Y")
    strike(room, "1", "&", Qt.Key.Key_Ampersand.value)
    assert room.session.rating.answers.targets["s1"]["common_knowledge"] == "right"
    strike(room, "2", "é", Qt.Key.Key_Eacute.value)
    assert room.session.rating.answers.targets["s1"]["common_knowledge"] == "wrong"


def test_a_latin_letter_means_itself_wherever_it_lies(room):
    strike(room, "Q", "b", Qt.Key.Key_B.value)
    strike(room, "Y", "z", Qt.Key.Key_Z.value)  # German
    assert room.session.rating.answers.targets == {}


def test_actions_go_by_place_too_with_their_modifiers(room):
    strike(room, "J", "о")
    assert room.session.place.target == "s2"
    strike(room, "J", "О", modifiers=SHIFT | CTRL)
    assert room.session.place.target == "s1"
    strike(room, "K", "л", modifiers=CTRL)
    assert room.commands.view.palette.isVisible()
    room.commands.view.palette.reject()


def test_the_slash_is_found_where_a_layout_has_it_behind_shift(room):
    strike(room, "7", "/", Qt.Key.Key_Slash.value, SHIFT)
    assert part(room, "filter").hasFocus()


def test_another_script_types_in_a_field(room):
    press("Y", "W")
    comment = part(room, "text_comment")
    strike(room, "N", "т")
    strike(room, "Y", "н")
    assert comment.text() == "тн"
    assert room.session.rating.answers.targets["s1"].get("factual") == "yes"
    strike(room, "Z", "я", modifiers=CTRL)
    assert "comment" in room.session.rating.answers.targets["s1"], "undo is the text's own there"


def test_places_are_known_on_each_system():
    wanted = set("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
    for table in (XKB, WINDOWS, MAC):
        assert wanted <= set(table.values())
        assert len(set(table.values())) == len(table)
    assert (XKB[24], XKB[38], XKB[10], MAC[0], MAC[29], WINDOWS[0x41]) == ("Q", "A", "1", "A", "0", "A")


@pytest.mark.parametrize(("platform", "virtual", "key"), [("win32", 0x59, "Y"), ("darwin", 16, "Y")])
def test_windows_and_macos_know_a_place_by_its_virtual_key(room, platform, virtual, key):
    taken = []
    fallback = KeyFallback(room.window.windowHandle(), lambda key: taken.append(key) or True, platform)
    event = QKeyEvent(QEvent.Type.KeyPress, ord("Н"), NONE, 0, virtual, 0, "н")
    assert fallback.eventFilter(room.window.windowHandle(), event)
    assert taken == [key]


# -- keys of one's own


def test_a_key_of_ones_own_takes_the_place_of_the_first(room):
    room.preferences.set("keys", {"next_target": "F9"})
    press("J")
    assert room.session.place.target == "s1"
    press("F9")
    assert room.session.place.target == "s2"
    press("Ctrl+J")
    assert room.session.place.target == "s3", "the second key stays"
    room.preferences.set("keys", {})
    press("K")
    assert room.session.place.target == "s2"


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("A", "A is kept for the answers of a rubric."),
        ("7", "7 is kept for the answers of a rubric."),
        ("R", "R is kept for another room."),
        ("J", "J is the key of “Next target”."),
        ("Ctrl+K", "Ctrl K is the key of “Find an action”."),
        ("Ctrl+C", "Ctrl C edits the text of a field."),
        ("Space", "Space moves and edits in lists and fields."),
        ("Down", "↓ moves and edits in lists and fields."),
        ("Alt+F", "Alt F is no key of this window: Alt opens the menus."),
        ("", "Press one key, with or without Ctrl and Shift."),
    ],
)
def test_a_clash_is_refused_with_words(room, key, words):
    assert keys.why_refused(key, "skip", {}) == words


def test_what_can_be_had_is_not_refused():
    for key in ("F9", "Shift+X", "Ctrl+Shift+K", "X", "Ctrl+;"):
        assert keys.why_refused(key, "skip", {}) == ""
    assert keys.why_refused("Ctrl+Z", "undo", {}) == ""
    assert keys.why_refused("+", "skip", {}, rubric_keys=["+"]) == "+ is kept for the answers of a rubric."


def test_keys_in_a_file_that_clash_are_left_out():
    own = {"skip": "J", "evidence": "F9", "nothing": "F10", "undo": "A", "claim": "F9"}
    assert keys.usable(own) == {}
    swapped = {"next_target": "K", "previous_target": "J"}
    assert keys.usable(swapped) == swapped


def test_combinations_are_written_as_the_window_writes_them():
    assert [keys.shown(key) for key in ("Ctrl++", "Ctrl+-", "Ctrl+Shift+Return", "Shift+Tab", "/", "+")] == [
        "Ctrl +",
        "Ctrl −",
        "Ctrl Shift Enter",
        "Shift Tab",
        "/",
        "+",
    ]


# -- the sheet


def test_the_sheet_shows_the_rubric_s_keys_and_closes_by_its_own_key(room, rooms):
    form = room.window.form_pane.form
    form.setFocus()
    press("F1")
    sheet = room.window.findChild(KeySheet)
    answers = sheet.findChild(object, f"keys_{actions.ANSWERS}")
    shown = [caps.shown for caps in answers.findChildren(Caps)]
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
