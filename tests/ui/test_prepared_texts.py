"""The texts of the next and the previous task are laid out while the rater works, and look as if they were not."""

import sys
from contextlib import contextmanager

import pytest
from PySide6.QtCore import QEvent, QObject

from desktop_rater.format.task import Response, ToolCall
from desktop_rater.text.untrusted import MAX_SHOWN_CHARACTERS
from desktop_rater.ui.rating.tool_calls import ToolView
from desktop_rater.ui.rating.tool_output import MAX_JSON_LENGTH
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.text_document import ReadDocument
from desktop_rater.ui.widgets.text_view import MAX_PREPARED_LENGTH, PREPARED_DOCUMENTS
from desktop_rater.ui.window.window_place import PaneSizes
from tests.operations.bundles import task
from tests.ui.heavy_texts import PLAIN, RENDERED, TOO_HEAVY
from tests.ui.pairs import two_pairs
from tests.ui.rooms import part, press, press_until, settle

VIEW_SIZE = (600, 500)

MARKDOWN = """# Cheese of {name}

A **hard** cheese, a [page](https://example.org/{name}), and `code`.

- one
- two with $x^2$

| name | age |
|---|---|
| {name} | 12 |

```python
def taste(cheese):
    return "fine"
```
"""


def rich(name):
    text = MARKDOWN.format(name=name)
    quote = f"Cheese of {name}"
    start = text.index(quote)
    target = {"id": "s1", "response": "a", "start": start, "end": start + len(quote), "quote": quote}
    tools = [{"name": "search", "status": "ok", "output": f"Twelve months, says {name}."}]
    response = {"id": "a", "text": text, "format": "markdown", "tools": tools}
    return {"id": name, "prompt": {"text": f"Which cheese is {name}?"}, "responses": [response], "targets": [target]}


def views(room):
    return [room.window.text_pane.prompt.text, *(pane.view for pane in room.window.text_pane.panes)]


def wait_until_prepared(room, rooms, task_id):
    """Until the prompt and the responses of a task beside the open one are laid out."""

    def ready():
        return all(any(f" {task_id}" in read.source.text for read in view._prepared) for view in views(room))

    rooms.qtbot.waitUntil(ready)


def picture(room):
    settle()
    return [pane.grab().toImage() for pane in (room.window.text_pane, room.window.form_pane)]


def go(room, rooms, key, task_id, *, prepared=True):
    """Open the task behind a key, with the texts that are laid out or without; return its picture."""
    if prepared:
        wait_until_prepared(room, rooms, task_id)
    else:
        for view in views(room):
            view.drop_prepared()
    rooms.press_for_task(room, task_id, key)
    return picture(room)


@pytest.fixture
def usual_look(qapp):
    yield
    theme.apply(qapp, theme.Look())


@pytest.fixture
def made(monkeypatch):
    """The texts of the documents that are filled."""
    texts, fill = [], ReadDocument.fill

    def noted(document, text, **more):
        texts.append(text)
        fill(document, text, **more)

    monkeypatch.setattr(ReadDocument, "fill", noted)
    return texts


@pytest.mark.usefixtures("usual_look")
def test_a_prepared_task_is_painted_without_rendering_and_looks_the_same(rooms, made, qapp):
    room = rooms.with_tasks(rich("t1"), rich("t2"))

    def looks_the_same(change=lambda: None):
        wait_until_prepared(room, rooms, "t2")
        change()
        made.clear()
        rooms.press_for_task(room, "t2", "Ctrl+PgDown")
        ahead, rendered = picture(room), [text for text in made if "t2" in text]
        go(room, rooms, "Ctrl+PgUp", "t1", prepared=False)
        assert go(room, rooms, "Ctrl+PgDown", "t2", prepared=False) == ahead
        return rendered

    assert looks_the_same() == [], "the documents were ready"
    back = go(room, rooms, "Ctrl+PgUp", "t1")
    go(room, rooms, "Ctrl+PgDown", "t2", prepared=False)
    assert go(room, rooms, "Ctrl+PgUp", "t1", prepared=False) == back
    assert looks_the_same(lambda: room.window.resize(room.window.width() + 160, 800))
    go(room, rooms, "Ctrl+PgUp", "t1", prepared=False)
    assert looks_the_same(lambda: theme.apply(qapp, theme.Look("dark", "high", zoom=150, reading_size=17)))


def test_a_task_whose_rating_changed_shows_it_although_its_text_was_prepared(rooms, made):
    room = rooms.with_tasks(*(task(name, f"One of {name}.", f"Two of {name}.") for name in ("t1", "t2", "t3")))
    untouched = go(room, rooms, "Ctrl+PgDown", "t2")
    press("N")
    answered = picture(room)
    assert answered != untouched
    go(room, rooms, "Ctrl+PgDown", "t3")
    wait_until_prepared(room, rooms, "t2")
    made.clear()
    rooms.press_for_task(room, "t2", "Ctrl+Z")
    assert room.session.rating.answers.targets == {}, "undo goes on into the task before"
    go(room, rooms, "Ctrl+PgUp", "t1")
    rooms.wait_until_saved(room)
    again = go(room, rooms, "Ctrl+PgDown", "t2")
    go(room, rooms, "Ctrl+PgUp", "t1")
    assert go(room, rooms, "Ctrl+PgDown", "t2", prepared=False) == again


def test_both_responses_of_a_pair_are_prepared(rooms, made):
    room = two_pairs(rooms)
    texts = [response.text for response in room.session.task.responses]
    prepared = [pane.view._prepared for pane in room.window.text_pane.panes]
    rooms.qtbot.waitUntil(lambda: all(prepared))
    assert [documents[0].source.text for documents in prepared] == texts
    made.clear()
    press("Ctrl+PgDown")
    assert (room.session.task.id, made) == ("t2", []), "without a turn of the event loop"
    ahead = picture(room)
    go(room, rooms, "Ctrl+PgUp", "t1", prepared=False)
    assert go(room, rooms, "Ctrl+PgDown", "t2", prepared=False) == ahead


def test_few_documents_are_kept_and_none_of_a_long_text(rooms):
    long = "A long sentence about cheese. " * (MAX_PREPARED_LENGTH // 30 + 2)
    room = rooms.with_tasks(*(task(f"t{number}", f"One of t{number}.") for number in range(1, 6)), task("t6", long))
    for number in range(2, 6):
        go(room, rooms, "Ctrl+PgDown", f"t{number}")
        assert all(len(view._prepared) <= PREPARED_DOCUMENTS for view in views(room))
    prompt, response = views(room)
    rooms.qtbot.waitUntil(lambda: any(" t6" in read.source.text for read in prompt._prepared))
    wait_until_prepared(room, rooms, "t4")
    assert not any(read.source.text.startswith("A long") for read in response._prepared)
    rooms.press_for_task(room, "t6", "Ctrl+PgDown")
    assert response.toPlainText() == room.session.task.responses[0].text


class Painted(QObject):
    """Whether a widget was painted."""

    yet = False

    def __init__(self, widget):
        super().__init__(widget)
        widget.installEventFilter(self)

    def eventFilter(self, _watched, event):  # noqa: N802 - Qt's name
        self.yet = self.yet or event.type() == QEvent.Type.Paint
        return False


@contextmanager
def counted_calls():
    calls = []
    sys.setprofile(lambda _frame, event, _argument: calls.append(event) if event == "call" else None)
    try:
        yield calls
    finally:
        sys.setprofile(None)


MOST_CALLS = 3_500  # of Python functions, until a task of ten targets is painted


def test_the_next_task_takes_few_calls_until_it_is_painted(rooms):
    names = ("t1", "t2", "t3", "t4")
    room = rooms.with_tasks(*(task(name, *(f"Sentence {n} of {name} is long." for n in range(10))) for name in names))
    for name in names[1:3]:
        wait_until_prepared(room, rooms, name)
        painted = Painted(views(room)[1].viewport())
        with counted_calls() as calls:
            press_until(rooms.qtbot, lambda painted=painted: painted.yet, "Ctrl+PgDown")
        rooms.wait_for_task(room, name)
    assert len(calls) < MOST_CALLS


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
