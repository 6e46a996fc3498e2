"""Two responses held against each other: what differs is marked, and they scroll together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtWidgets import QApplication

from desktop_rater.ui.rating.comparison import DIFFERENCE_LAYER, follower_scroll, rising_pairs
from tests.operations.bundles import make
from tests.ui.rooms import banner, part, press, press_until

FIRST = "I found one. Adria West leaves at 09:40."
SECOND = "Adria West leaves at 10:15. **Nothing** else was found today."
WORDS = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta")
LONG = [f"Paragraph {at} says {word * 12}." for at, word in enumerate(WORDS * 12)]


def pair(name, first, second):
    return {
        "id": name,
        "prompt": {"text": "Which flight?"},
        "responses": [
            {"id": "a", "text": first, "format": "markdown"},
            {"id": "b", "text": second, "format": "markdown"},
        ],
    }


@pytest.fixture
def room(rooms):
    tasks = [
        pair("t1", FIRST, SECOND),
        pair("t2", "\n\n".join(LONG), "\n\n".join(["Something else comes first. " * 60, *LONG])),
        pair("t4", "GPS is free.", "Radios listen to broadcasts of some satellites."),
        pair("t5", "GPS is free.", "GPS  is free."),
        {"id": "t3", "prompt": {"text": "?"}, "responses": [{"id": "a", "text": "Alone."}]},
    ]
    opened = rooms.with_bundle(make(rooms.folder / "bundle.zip", tasks, rubric="side-by-side"))
    opened.window.resize(1440, 900)
    rooms.qtbot.waitUntil(lambda: opened.window.text_pane.panes[0].view.height() > 100)
    return opened


def marked(room, at):
    """What is marked in a response."""
    pane = room.window.text_pane.panes[at]
    text = pane.response.text
    return [(mark.look, text[slice(*mark.span)]) for mark in pane.view.layer(DIFFERENCE_LAYER)]


def test_differences_are_marked_when_they_are_wanted_and_only_then(room):
    assert marked(room, 0) == []
    press("Ctrl+Shift+D")
    assert marked(room, 0) == [("only", "I found one."), ("differs", "09:40")]
    assert marked(room, 1) == [("differs", "10:15"), ("only", "**Nothing** else was found today.")]
    assert "Dotted line" in banner(room, "hint")
    press("Ctrl+Shift+D")
    assert marked(room, 0) == marked(room, 1) == []


def test_where_all_or_nothing_differs_no_sentence_is_marked_and_that_is_said(rooms, room):
    for name, words in (("t4", "no similar sentences"), ("t5", "are the same")):
        rooms.open_task(room, name)
        press("Ctrl+Shift+D")
        assert words in banner(room, "hint")
        assert marked(room, 0) == marked(room, 1) == []
        press("Ctrl+Shift+D")


def picture(view):
    """What is seen of a text."""
    QApplication.processEvents()
    assert view.height() > 50, "something is to be seen"
    return view.grab().toImage()


def test_marks_move_no_letter(room):
    view = room.window.text_pane.panes[1].view
    before = view.document().size(), view.toPlainText(), picture(view)
    press("Ctrl+Shift+D")
    assert (view.document().size(), view.toPlainText()) == before[:2]
    assert picture(view) != before[2]


def test_they_stay_as_they_were_left_for_the_next_task(rooms, room):
    rooms.press_for_task(room, "t2", "Ctrl+Shift+D", "Ctrl+Shift+L", "Ctrl+PgDown")
    assert [look for look, _words in marked(room, 1)] == ["only"] * 60
    assert room.preferences.now.scroll_together == "on"
    rooms.press_for_task(room, "t1", "Ctrl+PgUp")
    assert marked(room, 0) != []


def test_with_one_response_there_is_nothing_to_compare(rooms, room):
    rooms.open_task(room, "t3")
    press("Ctrl+Shift+D")
    assert "Only tasks with two responses" in banner(room, "hint")
    press("Ctrl+Shift+L")
    assert "Only tasks with two responses" in banner(room, "hint")
    assert (room.preferences.now.differences, room.preferences.now.scroll_together) == ("off", "off")


def test_scrolling_one_brings_the_same_sentence_of_the_other(rooms, room):
    rooms.open_task(room, "t2")
    first, second = (pane.view for pane in room.window.text_pane.panes)
    bars = first.verticalScrollBar(), second.verticalScrollBar()
    rooms.qtbot.waitUntil(lambda: all(map(is_laid_out, (first, second))))
    bars[0].setValue(bars[0].maximum() // 2)
    assert bars[1].value() == 0, "each by itself until it is wanted"
    press_until(rooms.qtbot, lambda: all(map(is_laid_out, (first, second))), "Ctrl+Shift+L")
    bars[0].setValue(bars[0].maximum() // 3)
    seen = {view: {line for line in LONG if line[:14] in in_sight(view)} for view in (first, second)}
    assert seen[first] & seen[second]
    bars[1].setValue(bars[1].maximum())
    assert bars[0].value() == bars[0].maximum()
    bars[1].setValue(0)
    assert bars[0].value() == 0
    press("Ctrl+Shift+L")
    bars[1].setValue(100)
    assert bars[0].value() == 0


def is_laid_out(view):
    """Whether a bar knows how long its text is."""
    whole = round(view.document().size().height()) - view.viewport().height()
    return view.verticalScrollBar().maximum() == whole > 0


def in_sight(view):
    rect = view.viewport().rect()
    first, last = view.cursorForPosition(rect.topLeft()), view.cursorForPosition(rect.bottomRight())
    return view.toPlainText()[first.block().position() : last.position() + 20]


def test_the_menu_has_both(room):
    assert part(room, "action_differences").text() == "Show differences"
    assert part(room, "action_scroll_together").text() == "Scroll in sync"


heights = st.lists(st.tuples(st.floats(0, 5_000), st.floats(0, 5_000)), max_size=20)


@given(heights, st.integers(0, 4_000), st.integers(1, 4_000), st.integers(0, 4_000), st.integers(1, 900))
def test_scrolling_never_leaves_the_text_and_never_turns_back(pairs, greatest, seen, other, other_seen):
    ends = greatest + seen, other + other_seen
    line = rising_pairs(pairs, (float(ends[0]), float(ends[1])))
    assert (line[0], line[-1]) == ((0.0, 0.0), ends)
    for number in (0, 1):
        assert [pair[number] for pair in line] == sorted({pair[number] for pair in line})
    wanted = [
        follower_scroll(value, (greatest, seen), (other, other_seen), line) for value in range(0, greatest + 1, 97)
    ]
    assert all(0 <= one <= other for one in wanted)
    assert wanted == sorted(wanted)
    if greatest and other:
        assert wanted[0] == 0
        assert follower_scroll(greatest, (greatest, seen), (other, other_seen), line) == other
