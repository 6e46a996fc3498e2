"""The signs of plain keys on the buttons of the rating screen: one receiver each, and dimmed where they do not act."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QAbstractButton

from desktop_rater.ui.rating.form.choice_button import ChoiceButton, is_key_dimmed
from desktop_rater.ui.window.focus import keeps_keys
from tests.ui.rooms import press, settle

PLACES = {
    "form": (),
    "answered": ("Y", "1"),
    "problems": ("Y", "3", "5", "U"),
    "skip bar": ("X",),
    "note": ("M",),
    "comment": ("Y", "1", "W"),
    "research": ("Shift+F4",),
    "guidelines": ("G",),
    "history": ("F7",),
}
SAME = ({"write_comment", "way_write"}, {"close_guidelines", "guideline_factual"})  # two buttons of one command
TYPING = {"note", "comment"}


def buttons(window):
    """The visible, enabled buttons on which a plain key is drawn."""
    shown = (button for button in window.findChildren(ChoiceButton) if button.isVisible() and button.isEnabled())
    return [button for button in shown if len(button._key) == 1]


@pytest.mark.parametrize("name", PLACES)
def test_a_plain_key_that_is_drawn_has_one_receiver_and_is_dimmed_where_it_would_only_type(room, name):
    press(*PLACES[name])
    settle()
    receivers = {}
    for button in buttons(room.window):
        inside = room.window.form_pane.skip_bar.isAncestorOf(button)
        acts = inside if name == "skip bar" else name not in TYPING
        assert is_key_dimmed(button._key, button) is not acts, f"{button.objectName()}: {button._key}"
        if acts:
            receivers.setdefault(button._key, set()).add(button.objectName())
    assert {key: names for key, names in receivers.items() if len(names) > 1 and names not in SAME} == {}
    press("Esc", "Esc")
    settle()
    assert not any(is_key_dimmed(button._key, button) for button in buttons(room.window))


@pytest.mark.parametrize("keys", [("X", "1"), ("M",)], ids=["skip bar", "note"])
def test_enter_is_drawn_as_a_key_in_the_bar_that_hears_it_alone(room, keys):
    press(*keys)
    settle()
    drawn = [button for button in room.window.findChildren(QAbstractButton) if getattr(button, "_key", "") == "Enter"]
    shown = [button for button in drawn if button.isVisible() and button.isEnabled()]
    assert {keeps_keys(button) for button in shown} == {True, False}, "that of the bar, and that of the form"
    assert [is_key_dimmed("Enter", button) for button in shown] == [not keeps_keys(button) for button in shown]
