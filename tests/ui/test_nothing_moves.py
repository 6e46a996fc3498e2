"""What comes by itself moves no line that the rater may be reading or about to press."""

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget

from desktop_rater.ui.widgets.buttons import ChoiceButton
from tests.ui.pairs import LAPTOP, LOW, WIDE, focused, resize, two_pairs
from tests.ui.rooms import press, settle


def where_all_stand(room):
    """The top left corner of all that can be pressed or typed in, by name."""
    window = room.window
    widgets = [one for one in window.findChildren(QWidget) if one.isVisible() and one.objectName()]
    held = [one for one in widgets if isinstance(one, ChoiceButton) or one.objectName().startswith("text_")]
    spare = ("first_half_way", "second_half_way")  # shown only where nothing else needs the room
    inside = [one for one in held if not window.form_pane.banners.isAncestorOf(one) and one.objectName() not in spare]
    return {one.objectName(): one.mapTo(window, QPoint(0, 0)).toTuple() for one in inside}


@pytest.mark.parametrize("size", [LAPTOP, LOW])
def test_a_word_of_what_is_left_moves_no_line_of_the_form(room, size):
    resize(room, size)
    before = where_all_stand(room)
    assert "choice_factual_yes" in before
    banners = room.window.form_pane.banners
    banners.show_banner("left", "info", "12 tasks left, about 20 min left")
    settle()
    assert banners.isVisible()
    assert where_all_stand(room) == before
    assert banners.mapTo(room.window, QPoint(0, 0)).y() > before["choice_factual_yes"][1]
    banners.drop("left")
    settle()
    assert where_all_stand(room) == before


@pytest.mark.parametrize("size", [WIDE, LAPTOP])
def test_nor_does_it_move_the_halves_of_a_pair(rooms, size):
    room = two_pairs(rooms)
    resize(room, size)
    before = where_all_stand(room)
    halves = [half.geometry().topLeft() for half in room.window.form_pane.form.blocks]
    banners = room.window.form_pane.banners
    banner = banners.show_banner("removed", "info", "Evidence removed", [("Undo", lambda: None)])
    settle()
    assert banner.isVisible()
    assert banner.height() > 20
    assert where_all_stand(room) == before
    assert [half.geometry().topLeft() for half in room.window.form_pane.form.blocks] == halves
    press("F6")
    for _ in range(200):
        press("Tab")
        if focused() is banner.buttons[0]:
            break
    assert focused() is banner.buttons[0], "Tab comes to it"
    press("Space")
    settle()
    assert banners.text("removed") is None


def test_after_a_pair_it_stands_in_the_form_again(rooms):
    room = two_pairs(rooms)
    resize(room, (940, 800))
    banners = room.window.form_pane.banners
    banners.show_banner("left", "info", "1 task left")
    settle()
    assert banners.parentWidget() is room.window.form_pane
    assert banners.banner("left").height() > 20
