"""The keys that are drawn on buttons are heard, and are dimmed where they are not; test_tour.py asks all screens."""

import pytest

from tests.ui.drawn_keys import CAN_COPY, faults_of_signs
from tests.ui.reviews import reviewing, three_raters
from tests.ui.rooms import press, press_and_settle, settle

pytestmark = pytest.mark.skipif(not CAN_COPY, reason="the keys are tried in a copy of the process")

RATING = {
    "form": (),
    "answered": ("Y", "1"),
    "problems": ("Y", "3", "5", "U"),
    "skip bar": ("X",),
    "reason to skip": ("X", "1"),
    "note": ("M",),
    "comment": ("Y", "1", "W"),
    "claim": ("Y", "L"),
    "evidence": ("Y", "E"),
    "filter": ("/",),
    "find bar": ("Ctrl+F",),
    "research": ("Shift+F4",),
    "guidelines": ("G",),
    "history": ("F7",),
}
REVIEWING = {
    "rater": (),
    "send back": ("B",),
    "comment to the rater": ("B", "4", "Tab"),
    "correct": ("M",),
    "correct, comment": ("M", "Y", "1", "A", "W"),
    "decide": ("L",),
    "because": ("W",),
    "labels": ("Shift+L",),
    "sample": ("S",),
    "groups": ("G",),
    "filter": ("/",),
    "as rated": ("V",),
    "page": ("3", "O"),
    "results": ("R",),
}


def faults_in(places, seen, reset):
    faults = {}
    for name, keys in places.items():
        press_and_settle(*keys)
        faults[name] = faults_of_signs(seen)
        press("Esc", "Esc")
        reset()
        settle()
    return {name: found for name, found in faults.items() if found}


def test_each_key_drawn_while_rating_is_heard(room):
    def reset():
        while room.session.can_undo:
            room.session.undo()
        room.window.form_pane.form.setFocus()

    assert faults_in(RATING, set(), reset) == {}


def test_each_key_drawn_in_the_review_is_heard(rooms, tmp_path):
    _room, review = reviewing(rooms, three_raters(tmp_path / "in"))
    assert faults_in(REVIEWING, set(), review.show_review) == {}
