"""Tasks, tabs, panes and sizes of the window in random order: no step raises an exception."""

from random import Random

import pytest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QScrollBar
from pytestqt.exceptions import capture_exceptions

from desktop_rater.paths import sample_bundle_path
from tests.operations.bundles import make, task
from tests.ui.rooms import part, press, settle, two_responses

STEPS = 120
SIZES = [(1366, 768), (1280, 700), (940, 800), (720, 450), (1700, 950)]
ACTIONS = (
    "next_task", "previous_task", "next_task", "previous_task", "next_target", "previous_target", "toggle_prompt",
    "tools", "context", "next_citation", "toggle_tasks", "guideline", "find", "leave", "history", "research", "claim",
    "split_claims", "confirm_all", "evidence", "write", "undo", "redo", "clear", "next_pane", "texts_only", "zoom_in",
    "zoom_reset", "markdown_source", "differences", "tool_comparison", "scroll_together", "taller_texts", "repeat",
)  # fmt: skip
TURNS = [{"role": role, "text": f"{role} speaks. " * 120} for role in ("user", "assistant") * 3]
DOCUMENTS = [{"id": f"c{n}", "text": f"Document {n} says the capital is Paris. " * 40} for n in range(4)]
CALLS = [{"name": "search", "status": status, "input": {"q": "x"}, "output": "y\n" * 90} for status in ("ok", "error")]


def rich(name, **more):
    """A task in which every pane has something to show."""
    answer = [{"id": "a", "text": "Paris is the capital of France [doc1]. It lies on the Seine.", "tools": CALLS}]
    return {"id": name, "prompt": {"text": "Which is it? " * 90}, "responses": answer, **more}


def bundles(folder):
    """Bundles of spans, pairs and scales in which tasks with many texts are beside tasks with few."""
    everything = {"history": TURNS, "reference": "Paris. " * 90, "context": DOCUMENTS}
    long_one = task("t2", *[f"Sentence {n} of the answer is here." for n in range(60)])
    spans = [rich("t1", history=TURNS), long_one, rich("t3", reference="Paris."), task("t4"), rich("t5", **everything)]
    pairs = [two_responses("t1") | {"history": TURNS}, two_responses("t2"), two_responses("t3") | everything]
    scales = [rich("t1", **everything), rich("t2"), rich("t3", history=TURNS[:1])]
    for rubric, tasks in (("span-factuality", spans), ("side-by-side", pairs), ("response-quality", scales)):
        yield make(folder / f"{rubric}.zip", tasks, rubric=rubric)
    yield sample_bundle_path()


class Monkey:
    """Takes random steps in a window."""

    def __init__(self, room, seed):
        self.room, self.random = room, Random(seed)
        self.taken = []

    def step(self):
        kind = self.random.choice((self.act, self.act, self.tab, self.tab, self.row, self.size, self.scroll, self.key))
        self.taken.append((kind.__name__, kind()))
        QApplication.processEvents()

    def act(self):
        name = self.random.choice(ACTIONS)
        action = self.room.commands.actions.get(name)
        if action is not None and action.isEnabled():
            action.trigger()
        return name

    def shown(self, kind):
        return [widget for widget in self.room.window.findChildren(kind) if widget.isVisible() and widget.isEnabled()]

    def tab(self):
        tabs = part(self.room, "prompt_tabs")
        index = self.random.randrange(max(1, tabs.count()))
        tabs.tabBarClicked.emit(index)
        return index

    def row(self):
        view = self.random.choice(self.shown(QAbstractItemView) or [None])
        if view is not None and view.model() is not None and (rows := view.model().rowCount()):
            row = self.random.randrange(rows)
            view.setCurrentIndex(view.model().index(row, 0))
            return view.objectName(), row
        return None

    def size(self):
        size = self.random.choice(SIZES)
        self.room.window.resize(*size)
        return size

    def scroll(self):
        bar = self.random.choice(self.shown(QScrollBar) or [None])
        if bar is not None:
            bar.setValue(self.random.randint(bar.minimum(), bar.maximum()))
        return bar and bar.value()

    def key(self):
        key = self.random.choice(("Y", "N", "1", "2", "3", "A", "I", "Return", "Escape", "F6", "Up", "Down"))
        press(key)
        return key


@pytest.mark.parametrize("seed", [0])
def test_no_order_of_steps_raises_an_exception(rooms, tmp_path, seed):
    room = rooms.empty()
    for path in bundles(tmp_path):
        room.transfer.import_bundle(path)
        rooms.qtbot.waitUntil(lambda: not room.jobs._running)
    rooms.wait_for_task(room)
    reported = []
    room.perform.crashed.connect(reported.append)
    monkey = Monkey(room, seed)
    with capture_exceptions() as raised:
        for number in range(STEPS):
            if number % (STEPS // 4) == 0:
                room.window.task_list.bundles.setCurrentIndex(number * 4 // STEPS)
                room.window.task_list.bundles.activated.emit(number * 4 // STEPS)
                settle()
            monkey.step()
            assert [*reported, *raised] == [], (seed, monkey.taken[-12:])
        settle()
