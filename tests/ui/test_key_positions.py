"""Keyboards of other layouts and scripts: a key counts by its place where its letter means nothing here."""

import sys

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QKeyEvent

from desktop_rater.ui.window.keys import MAC, WINDOWS, XKB, KeyFallback
from tests.ui.rooms import part, press

NONE, SHIFT, CTRL = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
)
SCAN = {key: code for code, key in XKB.items()}
VIRTUAL = {key: code for code, key in {"win32": WINDOWS, "darwin": MAC}.get(sys.platform, {}).items()}


def strike(room, place, text, key=0, modifiers=NONE):
    """Strike the key that lies where `place` is printed in the United States, and that means `text` on this layout."""
    codes = (SCAN[place], VIRTUAL.get(place, 0), 0)
    event = QKeyEvent(
        QEvent.Type.KeyPress, key or ord(text.upper()), modifiers, *codes, "" if modifiers & CTRL else text
    )
    QCoreApplication.sendEvent(room.window.windowHandle(), event)


@pytest.mark.parametrize(
    ("layout", "yes", "key"), [("Russian", "н", 0), ("Greek", "υ", 0), ("Arabic", "غ", 0), ("Hebrew", "ט", 0)]
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
    assert room.window.parts["palette"].isVisible()
    room.window.parts["palette"].reject()


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


def test_french_digits_switch_the_claims_of_evidence(room):
    press("Y")
    for span in ((0, 5), (6, 12)):
        room.session.add_claim(*span)
    room.session.add_evidence("https://example.org/")
    assert room.session.rating.evidence[0].claims == ("c2",)
    strike(room, "1", "&", Qt.Key.Key_Ampersand.value, Qt.KeyboardModifier.AltModifier)
    assert room.session.rating.evidence[0].claims == ("c1", "c2")
