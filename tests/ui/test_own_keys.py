"""Keys that a rater changes: bound, shown, and refused with words."""

import pytest

from desktop_rater.ui.window import keys
from desktop_rater.ui.window.key_dialogs import KeyCaps, KeySheet
from tests.ui.rooms import part, press


def test_a_key_of_ones_own_takes_the_place_of_the_first(room):
    room.preferences.set("keys", {"next_target": "F12"})
    press("J")
    assert room.session.place.target == "s1"
    press("F12")
    assert room.session.place.target == "s2"
    press("Ctrl+J")
    assert room.session.place.target == "s3", "the second key stays"
    room.preferences.set("keys", {})
    press("K")
    assert room.session.place.target == "s2"


def test_the_caps_in_the_window_show_it(room):
    skip = part(room, "skip")
    assert skip.accessibleName() == "Skip the task, X"
    room.preferences.set("keys", {"skip": "Shift+F12", "next_target": "K", "previous_target": "J"})
    assert keys.cap_text("X") == "Shift F12"
    assert skip.accessibleName() == "Skip the task, Shift F12"
    assert (keys.cap_text("K"), keys.cap_text("J")) == ("J", "K")
    assert skip.sizeHint().width() > skip.width(), "the longer key needs more room"
    room.commands.actions["keys"].trigger()
    sheet = room.window.findChild(KeySheet)
    assert ("K", "Ctrl J") in [caps.texts for caps in sheet.findChildren(KeyCaps)]
    sheet.close()
    room.preferences.set("keys", {})
    assert keys.cap_text("X") == "X"


def test_enter_and_esc_stay_what_they_are():
    assert keys.key_conflict("F12", "go_on", {}) == "The key Enter for “Continue” can't be changed."
    assert keys.usable_keys({"leave": "F12"}) == {}


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("A", "A is reserved for rubric answers."),
        ("7", "7 is reserved for rubric answers."),
        ("R", "R is already the key for “Switch between reader and page”."),
        ("J", "J is already the key for “Next target”."),
        ("Ctrl+K", "Ctrl K is already the key for “Find an action”."),
        ("Ctrl+C", "Ctrl C is used to edit text in fields."),
        ("Space", "Space is used to navigate and edit in lists and fields."),
        ("Down", "↓ is used to navigate and edit in lists and fields."),
        ("Alt+F", "Alt F can't be used: Alt opens menus or types symbols."),
        ("", "Press one key, with or without Ctrl and Shift."),
    ],
)
def test_a_clash_is_refused_with_words(room, key, words):
    assert keys.key_conflict(key, "skip", {}) == words


def test_what_can_be_had_is_not_refused():
    for key in ("F12", "Shift+B", "Ctrl+Shift+K", "X", "Ctrl+;"):
        assert keys.key_conflict(key, "skip", {}) == ""
    assert keys.key_conflict("Ctrl+Z", "undo", {}) == ""
    assert keys.key_conflict("+", "skip", {}, rubric_keys=["+"]) == "+ is reserved for rubric answers."


def test_keys_in_a_file_that_clash_are_left_out():
    own = {"skip": "J", "evidence": "F12", "nothing": "F10", "undo": "A", "claim": "F12"}
    assert keys.usable_keys(own) == {}
    swapped = {"next_target": "K", "previous_target": "J"}
    assert keys.usable_keys(swapped) == swapped


def test_combinations_are_written_as_the_window_writes_them():
    assert [keys.key_text(key) for key in ("Ctrl++", "Ctrl+-", "Ctrl+Shift+Return", "Shift+Tab", "/", "+")] == [
        "Ctrl +",
        "Ctrl −",
        "Ctrl Shift Enter",
        "Shift Tab",
        "/",
        "+",
    ]
