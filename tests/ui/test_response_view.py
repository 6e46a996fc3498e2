"""What is marked and what is selected are the very characters of the file."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from desktop_rater.model.task import Target
from desktop_rater.ui.response_view import ResponseView
from desktop_rater.ui.tool_view import MOST_CHARACTERS, shown_json

TEXTS = [
    "One line.\r\nAnother\rand\nmore.\r\n\r\nEnd",
    "👨‍👩‍👧‍👦 families 🇮🇸 and a\u2028line separator, no-break\u00a0space",
    "\ufeffBOM at the start, \ufffc object, tab\tand U+0085 \u0085 here",
    "أهلًا بك، وشكرًا على هذا السؤال الجميل!",
]


@pytest.fixture
def view(qtbot):
    view = ResponseView("view")
    qtbot.addWidget(view)
    view.resize(500, 400)
    view.show()
    return view


@pytest.mark.parametrize("text", TEXTS)
def test_a_selection_gives_code_points_of_the_source(view, text):
    view.show_response(text, [])
    for start in range(0, len(text), 3):
        end = min(len(text), start + 5)
        view.setTextCursor(view._stretch(start, end))
        to_source, to_shown = view.shown_map.to_source, view.shown_map.to_shown
        assert view.selected_stretch() == (to_source(to_shown(start)), to_source(to_shown(end)))
        if "\r\n" not in text:
            assert view.selected_stretch() == (start, end)


@pytest.mark.parametrize("text", TEXTS)
def test_a_mark_covers_its_target(view, text):
    target = Target(id="s1", response="a", start=4, end=len(text) - 2)
    view.show_response(text, [target])
    (mark,) = view.extraSelections()
    shown = view.shown_map
    assert (mark.cursor.selectionStart(), mark.cursor.selectionEnd()) == (
        shown.to_shown(4),
        shown.to_shown(len(text) - 2),
    )


def test_a_click_goes_to_the_smallest_target(view, qtbot):
    text = "A long sentence with a small part."
    view.show_response(
        text, [Target(id="all", response="a", start=0, end=34), Target(id="part", response="a", start=21, end=33)]
    )
    clicked = []
    view.target_clicked.connect(clicked.append)
    for offset in (3, 25):
        there = view.cursorRect(view._stretch(offset, offset)).center() + QPoint(2, 0)
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=there)
    assert clicked == ["all", "part"]


def test_each_text_runs_its_own_way(view):
    view.show_text(TEXTS[3])
    assert view.document().defaultTextOption().textDirection() == Qt.LayoutDirection.RightToLeft
    view.show_text("Left to right")
    assert view.document().defaultTextOption().textDirection() == Qt.LayoutDirection.LeftToRight


def test_a_target_out_of_view_is_brought_into_it(view):
    text = "\n".join(f"Line {number} of many." for number in range(200))
    start = text.index("Line 150")
    view.show_response(text, [Target(id="s1", response="a", start=start, end=start + 8)])
    view.show_state({}, "s1")
    assert view.viewport().rect().contains(view.cursorRect(view._stretch(start, start)).center())


def test_json_is_shown_with_indents_and_capped():
    assert shown_json({"to": "Köln"}) == '{\n  "to": "Köln"\n}'
    assert shown_json("<b>as it stands</b>") == "<b>as it stands</b>"
    assert len(shown_json("x" * 500_000)) == MOST_CHARACTERS
