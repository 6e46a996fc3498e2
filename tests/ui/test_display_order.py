"""A rater whose assignment shows two responses in the other order rates what is on the screen."""

from desktop_rater.format.values import TASK_PLACE
from desktop_rater.operations.rating.gold import gold_answer
from desktop_rater.operations.rating.history import load_history
from desktop_rater.store.ratings import rating_head
from tests.operations import bundles
from tests.operations.bundles import write_lines
from tests.ui.pairs import A, B
from tests.ui.reviews import BUNDLE, all_said, reviewing, sent
from tests.ui.rooms import part, press, press_and_settle, press_until, two_responses, type_text

ORDER = ("b", "a")
FINISHED = {"punt": "none", "fulfilment": "completely", "factuality": "completely_accurate"}


def swapped(name, **more):
    return two_responses(name) | {"display_order": ORDER, **more}


def texts(room):
    return [(pane.response.id, pane.response.text.split()[0]) for pane in room.window.text_pane.panes]


def answers_of_file(room, rater):
    """The rating of the first task in the order of the file, as it is stored."""
    head = rating_head(room.writer, "bundle", "t1", rater)
    assert head is not None
    return head.rating


def test_a_pair_in_the_other_order_is_rated_by_its_letters_and_stored_by_its_file(rooms):
    suggested = {"task": {"preference": 2}, "responses": {"b": {"fulfilment": "completely"}}}
    room = rooms.with_tasks(swapped("t1", suggestions=suggested), two_responses("t2"), rubric="side-by-side")
    session = room.session
    assert texts(room) == [("a", "Nothing"), ("b", "See")]
    assert session.task.suggestions.task == {"preference": -2}
    assert part(room, "links_b").text() == "0 of 1 links opened"
    press("2", "1", "3", "1", "J")
    assert session.stop == B
    press("1", "3", "1", "Shift+O")
    rooms.wait_for_page(room, "https://example.org/a")
    part(room, "count_as_opened").click()
    press_and_settle("Esc")
    press("J")
    assert session.stop == TASK_PLACE
    press("2", "Return")
    assert session.rating.answers.task["preference"] == -2
    type_text("A says so.", "Ctrl+Return")
    rooms.wait_for_task(room, "t2")
    rooms.wait_until_saved(room)
    stored = answers_of_file(room, rooms.stored("t1").rater)
    assert (stored.status, stored.display_order) == ("complete", ORDER)
    assert stored.answers.task == {"preference": 2, "justification": "A says so."}
    assert stored.answers.responses == {"a": FINISHED, "b": {"tool_needed_and_failed": "no", **FINISHED}}
    assert texts(room) == [("a", "See"), ("b", "Nothing")]


def test_history_undo_and_gold_follow_the_display_after_a_restart(rooms):
    lines = write_lines(rooms.folder / "gold.jsonl", [{"task": "t1", "answers": {"task": {"preference": -3}}}])
    room = rooms.with_tasks(swapped("t1"), rubric="side-by-side", gold=lines, practice=True)
    for preference in (-3, 1):
        room.session.go_to(TASK_PLACE)
        room.session.answer("preference", preference)
        rooms.wait_until_saved(room)
    gold = gold_answer(room.writer, "bundle", "t1")
    assert gold is not None
    assert gold.answers.task["preference"] == 3
    room = rooms.reopened(room)
    session = room.session
    assert session.rating.answers.task == {"preference": 1}
    history = load_history(room.writer, "bundle", "t1", session.rating.rater)
    assert [difference.value for entry in history for difference in entry.differences] == [1, -3]
    press_until(rooms.qtbot, lambda: session.rating.answers.task == {"preference": -3}, "Ctrl+Z")
    rooms.wait_until_saved(room)
    assert answers_of_file(room, session.rating.rater).answers.task == {"preference": 3}


def test_a_lead_compares_raters_who_saw_different_orders_and_sees_the_page_of_each(rooms):
    given = {"a": FINISHED, "b": {**FINISHED, "fulfilment": "partially", "tool_needed_and_failed": "no"}}
    answers = {"task": {"preference": 2, "justification": "A says so."}, "responses": given}
    link, results = "https://example.org/a", []
    for rater, task in (("ana", swapped("t1")), ("ben", two_responses())):
        bundles.make(rooms.folder / f"{BUNDLE}.zip", [task], rubric="side-by-side")
        answered = {"task": "t1", "answers": answers, "links_opened": [link], "links_counted": [link]}
        results.append(sent(rooms.folder, rater, answered))
    _room, review = reviewing(rooms, results)
    rooms.qtbot.waitUntil(lambda: review.desk.name == ("t1", "responses/a"))
    said = all_said(review.compare.grid)
    assert "Response B, seen as A" in said
    assert "Response A" in said
    press("V")
    view = review.navigator.pages.view
    shown = [(pane.response.id, pane.response.text.split()[0]) for pane in view.text_pane.panes]
    assert shown == [("a", "Nothing"), ("b", "See")]
    assert view.session.stop == B
    assert view.session.rating.answers.task["preference"] == -2
    press_until(rooms.qtbot, lambda: view.session.stop == A, "2")
    assert view.session.rating.answers.task["preference"] == 2
