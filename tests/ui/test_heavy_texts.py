"""Texts that are nothing but what is dear to lay out: the window shows them, if need be as their source, at once."""

from __future__ import annotations

import time

import pytest

from desktop_rater.bundle.targets import MOST_RESPONSES
from desktop_rater.model.task import Response, ToolCall
from desktop_rater.text.untrusted import MAX_MARKDOWN_CHARACTERS, MAX_SHOWN_CHARACTERS
from desktop_rater.ui.rating.response_view import ResponseView
from desktop_rater.ui.rating.task_texts.tool_texts import MAX_JSON_LENGTH
from desktop_rater.ui.rating.tool_view import ToolView
from desktop_rater.ui.window.pane_layout import PaneSizes
from tests.ui.rooms import part
from tests.work.bundles import task

MOST_SECONDS = 3  # of the processor
MARKDOWN = {
    "a long table": "|a|b|\n|-|-|\n" + "|c|d|\n" * 40_000,
    "a wide table": "|" + "a|" * 50_000 + "\n|" + "-|" * 50_000 + "\n",
    "a list": "1. a\n" * 50_000,
    "boxes": "- [ ] a\n" * 25_000,
    "lists in lists": "- a\n  " * 40_000,
    "quotations in quotations": "> " * 100_000,
    "pictures": "![a](b) " * 25_000,
    "brackets": "[" * MAX_MARKDOWN_CHARACTERS,
    "stars and words": "*a **b " * (MAX_MARKDOWN_CHARACTERS // 7),
    "headings": "# a\n" * (MAX_MARKDOWN_CHARACTERS // 4),
    "paragraphs": "a\n\n" * (MAX_MARKDOWN_CHARACTERS // 3),
    "entities": "&amp;" * (MAX_MARKDOWN_CHARACTERS // 5),
}
PLAIN = {
    "one word": "a" * 300_000,
    "one Hebrew word": "ש" * 200_000,
    "characters that turn the order round": "\u202e" * 200_000,
    "vertical tabs": "\x0b" * 200_000,
    "combining marks": "e" + "\u0301" * 200_000,
    "families": "👩‍👩‍👧" * 20_000,
    "empty lines": "\n" * 100_000,
    "words": "word " * (MOST_RESPONSES // 5),
}


@pytest.fixture
def view(qtbot):
    view = ResponseView("heavy")
    qtbot.addWidget(view)
    view.resize(600, 500)
    view.show()
    return view


def seconds(view, text, *, plain):
    begin = time.process_time()
    view.show_response(text, [], plain=plain)
    view.grab()
    return time.process_time() - begin


@pytest.mark.parametrize("text", MARKDOWN.values(), ids=MARKDOWN.keys())
def test_markdown_that_is_dear_to_render_is_shown_all_the_same(view, text):
    assert seconds(view, text, plain=False) < MOST_SECONDS


@pytest.mark.parametrize("text", PLAIN.values(), ids=PLAIN.keys())
def test_a_text_that_is_dear_to_lay_out_is_shown_to_its_end(view, text):
    assert seconds(view, text, plain=True) < MOST_SECONDS
    assert view.document().characterCount() > len(text) * 0.5


def test_markdown_of_a_usual_size_is_rendered(view):
    text = "# A report\n\n" + "- A point with **weight**.\n" * 300 + "\n|a|b|\n|-|-|\n" + "|c|d|\n" * 300
    assert seconds(view, text, plain=False) < MOST_SECONDS
    assert view.is_rendered


def test_a_tool_that_answered_one_long_word_is_shown(qtbot):
    tools = ToolView("tools", PaneSizes())
    qtbot.addWidget(tools)
    tools.resize(600, 500)
    tools.show()
    call = ToolCall(name="search", output="a" * MAX_JSON_LENGTH)
    begin = time.process_time()
    tools.show_tools(Response(id="a", text="", tools=(call,)))
    tools.grab()
    assert time.process_time() - begin < MOST_SECONDS
    assert tools.output.text.toPlainText().endswith("a" * MAX_JSON_LENGTH)


def test_of_a_prompt_as_long_as_a_book_the_beginning_is_shown(rooms):
    room = rooms.with_tasks(task("t1", prompt={"text": "word " * (MAX_SHOWN_CHARACTERS // 5 + 1)}))
    shown = part(room, "prompt_text").toPlainText()
    assert shown.endswith("word  …")
    assert len(shown) == MAX_SHOWN_CHARACTERS + 2
