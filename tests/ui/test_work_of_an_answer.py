"""An answer does its own work only, in calls and events, which depend neither on the machine nor on its load."""

import os
import sys
from collections import Counter

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication

from tests.operations.bundles import task
from tests.ui.pairs import two_pairs
from tests.ui.rooms import press, press_and_settle, press_until, settle

OURS = f"desktop_rater{os.sep}"
MOST_CALLS = 2_200  # of the program, on the thread of the window: measured 1,930
PAINTED, LAID_OUT, RESIZED = QEvent.Type.Paint, QEvent.Type.LayoutRequest, QEvent.Type.Resize
VIEWS = ("RatingForm", "FormPane", "ProblemsPane", "TaskTextPane", "TargetStrip", "Stepper")


class Watched(QObject):
    """The calls by function, and the names of the widgets that were painted, resized, and whose parts were laid out."""

    def __init__(self):
        super().__init__()
        app = QApplication.instance()
        assert app is not None
        self._app = app
        self.calls = Counter()
        self.events = {PAINTED: set(), LAID_OUT: set(), RESIZED: set()}

    def __enter__(self):
        self._app.installEventFilter(self)
        sys.setprofile(self._count)
        return self

    def __exit__(self, *_error):
        sys.setprofile(None)
        self._app.removeEventFilter(self)

    def _count(self, frame, event, _argument):
        code = frame.f_code
        if event == "call" and (OURS in code.co_filename or code.co_filename == "<override>"):
            self.calls[code.co_qualname] += 1

    def eventFilter(self, watched, event):  # noqa: N802 - Qt's name
        if event.type() in self.events:
            self.events[event.type()].add(watched.objectName())
        return False


def test_an_answer_is_checked_once_and_shown_once_where_it_changes_something(rooms):
    room = rooms.with_tasks(task("t1", *(f"Sentence {n} says something." for n in range(10))), task("t2"))
    session, form = room.session, room.window.form_pane.form
    rooms.qtbot.waitUntil(lambda: all(form.row(name) is not None for name in session.rubric.questions))

    def answer(key):
        with rooms.qtbot.waitSignal(room.window.task_list.model.counted):  # the last view that follows
            press(key)
        QApplication.processEvents()

    for key in ("Y", "N", "Y"):
        answer(key)
    with Watched() as watched:
        answer("N")
    assert rooms.stored("t1").answers.targets[session.place.target]["factual"] == "no"

    calls = watched.calls
    assert calls["check_rating"] == 1
    assert {view: calls[f"{view}.refresh"] for view in VIEWS} == dict.fromkeys(VIEWS, 1)
    assert calls["tab_stops"] == 0, "the order of Tab is found when Tab is pressed"
    assert calls["StopDelegate.paint"] == calls["target_mark"] == 1, "one of ten targets"
    assert calls["ResponsePainter._tint"] < 10, "the lines of the target and those beside them"
    assert calls["ListRowDelegate.paint"] <= 1, "the row of the task"
    assert calls.total() < MOST_CALLS, calls.most_common(40)

    painted, laid_out = watched.events[PAINTED], watched.events[LAID_OUT]
    assert {"question_factual", "choice_factual_yes", "choice_factual_no"} <= painted
    others = {"header", "menus", "find_action", "task_title", "task_id", "where", "prompt", "preview", "skip"}
    others |= {"text_pane", "responses", "previous_stop", "next_stop"}
    assert (painted | laid_out).isdisjoint(others)


def test_texts_of_a_pair_keep_their_size_when_it_is_answered_and_the_next_pair_fills_the_same_forms_once(rooms):
    room = two_pairs(rooms)
    settle()
    with Watched() as watched:
        press_and_settle("2")
    assert room.session.rating.answers.responses["a"]
    assert watched.calls["PairForms.refresh"] == 1
    assert watched.events[RESIZED].isdisjoint({"stepper", "responses", "response_text_a", "response_text_b"})

    rooms.qtbot.waitUntil(lambda: len(room.window.text_pane.panes[0].view._prepared) > 0)
    with Watched() as watched:
        press_until(rooms.qtbot, lambda: room.session.task.id == "t2", "Ctrl+PgDown")
        settle()
    calls = watched.calls
    assert calls["PairForms.refresh"] == calls["FormPane.refresh"] == 1
    assert calls["PairArrangement.arrange"] == calls["ToolView.show_tools"] == 0, "the layout stays"
    assert "stepper" not in watched.events[RESIZED]
