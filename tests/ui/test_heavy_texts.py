"""Texts that are expensive to render are shown as their source, and those that are expensive to lay out to their end.

The benchmark measures how long they take.
"""

import pytest

from desktop_rater.format.task import Response, ToolCall
from desktop_rater.text.untrusted import MAX_SHOWN_CHARACTERS
from desktop_rater.ui.rating.response_view import ResponseView
from desktop_rater.ui.rating.tool_calls import ToolView
from desktop_rater.ui.rating.tool_output import MAX_JSON_LENGTH
from desktop_rater.ui.window.window_place import PaneSizes
from tests.operations.bundles import task
from tests.ui.heavy_texts import PLAIN, RENDERED, TOO_HEAVY
from tests.ui.rooms import part


@pytest.fixture
def view(qtbot):
    view = ResponseView("heavy")
    qtbot.addWidget(view)
    view.resize(600, 500)
    view.show()
    return view


def show(view, text, *, plain):
    view.show_response(text, [], plain=plain)
    view.grab()


@pytest.mark.parametrize("text", TOO_HEAVY.values(), ids=TOO_HEAVY.keys())
def test_markdown_that_is_too_heavy_is_shown_as_its_source(view, text):
    show(view, text, plain=False)
    assert not view.is_rendered
    assert view.toPlainText()[:5_000] == text[:5_000]


@pytest.mark.parametrize("text", RENDERED.values(), ids=RENDERED.keys())
def test_markdown_within_the_limits_is_rendered_whatever_it_is_made_of(view, text):
    show(view, text, plain=False)
    assert view.is_rendered


@pytest.mark.parametrize("text", PLAIN.values(), ids=PLAIN.keys())
def test_a_text_that_is_expensive_to_lay_out_is_shown_to_its_end(view, text):
    show(view, text, plain=True)
    assert view.document().characterCount() > len(text) * 0.5


def test_markdown_of_a_usual_size_is_rendered(view):
    text = "# A report\n\n" + "- A point with **weight**.\n" * 300 + "\n|a|b|\n|-|-|\n" + "|c|d|\n" * 300
    show(view, text, plain=False)
    assert view.is_rendered


def test_a_tool_that_answered_one_long_word_is_shown(qtbot):
    tools = ToolView("tools", PaneSizes())
    qtbot.addWidget(tools)
    tools.resize(600, 500)
    tools.show()
    call = ToolCall(name="search", output="a" * MAX_JSON_LENGTH)
    tools.show_tools(Response(id="a", text="", tools=(call,)))
    tools.grab()
    assert tools.output.text.toPlainText().endswith("a" * MAX_JSON_LENGTH)


def test_of_a_prompt_as_long_as_a_book_the_beginning_is_shown(rooms):
    room = rooms.with_tasks(task("t1", prompt={"text": "word " * (MAX_SHOWN_CHARACTERS // 5 + 1)}))
    shown = part(room, "prompt_text").toPlainText()
    assert shown.endswith("word  …")
    assert len(shown) == MAX_SHOWN_CHARACTERS + 2
