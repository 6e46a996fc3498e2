"""The first task of a new rater, with a guide of five steps."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop_rater.ui.widgets.banners import Banner
from tests.ui.rooms import banner, press, press_until


@pytest.fixture
def guided(rooms, qtbot):
    """A window in which somebody opens the sample for the first time."""
    room = rooms.empty()
    press_until(qtbot, lambda: banner(room, "guide") is not None, "Ctrl+Shift+O")
    return room


def outlined(room):
    outline = room.window.parts["guide"]._outline
    return outline.geometry() if outline.isVisible() else None


def place_of(room, widget):
    return widget.rect().translated(widget.mapTo(room.window, widget.rect().topLeft()))


def test_each_step_ends_when_the_rater_has_done_it(guided):
    room, window = guided, guided.window
    assert banner(room, "guide").startswith("Step 1 of 5: Read the prompt")
    assert "J goes to the next one" in banner(room, "guide"), "the key is the one that is bound"
    assert outlined(room) == place_of(room, window.text_pane)
    press("J")
    assert banner(room, "guide").startswith("Step 2 of 5")
    assert outlined(room) == place_of(room, window.form_pane.form)
    press("Y")
    assert banner(room, "guide").startswith("Step 3 of 5: Look it up")
    QTest.mouseClick(window.form_pane.banners.banner("guide").buttons[0], Qt.MouseButton.LeftButton)
    assert banner(room, "guide").startswith("Step 4 of 5")
    press("1", "A")
    assert banner(room, "guide").startswith("Step 5 of 5: Enter goes on")
    press("Return")
    assert banner(room, "guide") is None
    assert outlined(room) is None
    assert room.preferences.now.guide == "ended"


def test_a_step_is_spoken(guided):
    heard = []
    guided.companions.announcer.announced.connect(heard.append)
    press("J")
    assert any(text.startswith("Step 2 of 5") for text in heard)


def test_esc_ends_it_for_good_and_the_menu_begins_it_again(guided, qtbot):
    press("Esc")
    assert banner(guided, "guide") is None
    press_until(qtbot, lambda: not guided.transfer.is_running, "Ctrl+Shift+O")
    press("J")
    assert banner(guided, "guide") is None, "it has been seen"
    guided.commands.actions["guided_task"].trigger()
    qtbot.waitUntil(lambda: banner(guided, "guide") is not None)


def test_in_one_line_the_text_has_the_width_and_the_button_that_of_its_words(qtbot):
    shown = Banner("info", "Words " * 40, [("End the guide", lambda: None)], one_line=True)
    qtbot.addWidget(shown)
    shown.resize(1_200, shown.sizeHint().height())
    shown.show()
    assert shown.buttons[0].width() == shown.buttons[0].sizeHint().width()
    assert shown.label.width() > 1_200 // 2


def test_the_window_can_be_closed_while_it_runs(rooms, guided, capfd):
    rooms.shut(guided)
    assert "already deleted" not in capfd.readouterr().err
