"""A rater at the keyboard: answers, meets the rules, goes back, and finishes."""

from PySide6.QtWidgets import QApplication

from tests.operations.bundles import make, task
from tests.ui.rooms import Text, part, press, press_until, type_text


def texts(room):
    return [line.title for line in room.window.form_pane.problems.model.rows]


def test_a_task_from_the_first_key_to_the_next_task(room, rooms):
    session = room.session
    press("Y", "1", "A", "Return")
    assert session.place.target == "s2"
    press("Y", "2", "I", "7", "Return")
    assert session.place.target == "s3"
    rooms.press_for_task(room, "t2", "N", "Return")
    rooms.wait_until_saved(room)
    stored = rooms.stored("t1")
    assert stored.status == "complete"
    assert stored.answers.targets == {
        "s1": {"factual": "yes", "common_knowledge": "right", "accuracy": "accurate"},
        "s2": {"factual": "yes", "common_knowledge": "wrong", "accuracy": "inaccurate", "severity": "major"},
        "s3": {"factual": "no"},
    }
    press_until(rooms.qtbot, lambda: room.window.banners.text("all_done") is not None, "N", "Return")


def test_a_broken_rule_is_said_at_once_and_keeps_the_task(room, rooms):
    session = room.session
    press("Y", "1")
    assert not texts(room), "the label that the facts imply is not shown before one is chosen"
    press("I")
    assert "This project's rule says Accurate." in texts(room)[0]
    assert "blocks" in part(room, "problem_count").text()
    press("8", "Return", "N", "Return", "N", "Return")
    assert session.place.target == "s1", "the unfinished target is where going on leads"
    press("Return")
    assert session.task.id == "t1"
    assert "1 problem blocks" in room.window.form_pane.banners.text("refused")
    press("A")
    assert texts(room) == []
    rooms.press_for_task(room, "t2", "Return")


def test_going_back_to_the_beginning_and_forward_again(room, rooms):
    session = room.session
    empty = session.rating.answers
    press("Y", "3", "4", "I", "6", "J", "N", "K", "W")
    type_text("Searched the archive.", "Esc", "Backspace", "X", "2", "Return")
    assert session.rating.status == "skipped"
    end = session.rating
    for _ in range(20):
        press("Ctrl+Z")
    assert session.rating.answers == empty
    assert session.rating.status == "incomplete"
    for _ in range(20):
        press("Ctrl+Shift+Z")
    assert session.rating == end
    rooms.wait_until_saved(room)
    assert rooms.stored("t1").answers == end.answers


def test_evidence_from_the_clipboard(room, rooms):
    session = room.session
    press("Y")
    QApplication.clipboard().setText("https://example.org/a")
    press("E", "S")
    (piece,) = session.rating.evidence
    assert (piece.url, piece.stance, piece.target) == ("https://example.org/a", "supporting", "s1")
    press("O")
    rooms.wait_for_page(room, "https://example.org/a")
    part(room, "count_as_opened").click()
    assert session.rating.links_opened == ("https://example.org/a",)
    press("Esc", "E")  # the same link again is none: the line for an address opens
    type_text("https://example.org/b")
    assert len(session.rating.evidence) == 1, "there is nothing before Enter"
    press("Return", "C")
    assert [one.stance for one in session.evidence] == ["supporting", "contradicting"]
    asked = [one.question.id for one in session.form_questions]
    assert "consensus" in asked
    assert "common_knowledge" not in asked
    press("Delete")
    assert len(session.rating.evidence) == 1
    press("Ctrl+Z")
    assert len(session.rating.evidence) == 2


def test_claims_from_the_selection(room):
    session = room.session
    view = room.window.text_pane.panes[0].view
    press("Y", "L")
    assert "Select words with the arrow keys" in room.window.form_pane.banners.text("hint")
    press("Esc")
    for start, end in ((0, 8), (9, 31)):
        cursor = view.textCursor()
        cursor.setPosition(start)
        cursor.setPosition(end, cursor.MoveMode.KeepAnchor)
        view.setTextCursor(cursor)
        press("L")
    assert [(one.text, one.ranges) for one in session.claims] == [
        ("Paris is", ((0, 8),)),
        ("the capital of France.", ((9, 31),)),
    ]
    assert session.place.claim == "c2"
    press("1", "A", "Return")
    assert session.place.claim == "c1", "the other claim is still open"
    press("2", "I", "6")
    whole = part(room, "whole_target")
    assert whole.isVisible()
    assert "Inaccurate" in whole.text()
    press("Return")
    assert session.place.target == "s2"


def test_problems_are_gone_to_by_key(room):
    session = room.session
    press("Y", "1", "I", "6", "J", "J")
    assert session.place.target == "s3"
    press("F8")
    assert (session.place.target, session.current_question) == ("s1", "accuracy")
    press("Shift+F8")
    assert session.place.target in {"s2", "s3"}
    assert texts(room) == [], "what is wrong elsewhere is counted, and one key away"
    press("F8", "Up")
    assert (session.place.target, session.current_question) == ("s1", "common_knowledge")
    problems = room.window.form_pane.problems
    problems.list.setFocus()
    problems.list.setCurrentIndex(problems.model.index(0))
    press("Return")
    assert (session.place.target, session.current_question) == ("s1", "accuracy")
    assert session.task.id == "t1", "Return in the list goes to the problem, it does not go on"


def test_skipping_for_another_reason_needs_words(room, rooms):
    press("X", "5")
    assert QApplication.focusWidget() is part(room, "skip_comment")
    assert not part(room, "skip_confirm").isEnabled()
    type_text("A test", "Return", "Return")
    assert room.session.rating.skipped.reason == "other"
    assert room.session.outcome.asked == {}
    rooms.press_for_task(room, "t2", "Return")
    rooms.wait_until_saved(room)
    assert rooms.stored("t1").status == "skipped"


def test_plain_keys_type_while_a_text_has_the_focus(room):
    press("Y", "W")
    comment = part(room, "text_comment")
    assert comment.hasFocus()
    type_text("any", "Return", "Backspace")
    assert comment.text() == "any"
    assert "accuracy" not in room.session.rating.answers.targets["s1"]
    assert room.session.rating.answers.targets["s1"]["comment"] == "any"
    press("Ctrl+Return")
    assert not comment.hasFocus()
    assert room.session.current_question == "common_knowledge"


def test_tasks_by_key_and_the_filter(room, rooms):
    rooms.press_for_task(room, "t2", "Ctrl+PgDown")
    rooms.press_for_task(room, "t1", "Ctrl+PgUp")
    press("/", Text("t2"))
    model = room.window.task_list.model
    rooms.qtbot.waitUntil(lambda: model.rowCount() == 1)
    press("Return", "Down")
    assert room.session.task is not None
    room.window.task_list.clear_filter()
    rooms.qtbot.waitUntil(lambda: model.rowCount() == 2)


def test_the_rail_follows_the_arrows_and_backspace_clears_there(room):
    session = room.session
    press("Y", "1", "A")
    assert session.current_question == "accuracy"
    press("Up", "Backspace")
    assert "common_knowledge" not in session.rating.answers.targets["s1"]
    assert [one.question.id for one in session.form_questions if one.open] == ["common_knowledge"]


def test_two_quick_steps_go_two_tasks_and_the_last_wish_counts(rooms):
    names = [f"t-{number}" for number in range(10)]
    room = rooms.with_bundle(make(rooms.folder / "bundle.zip", map(task, names)))
    room.desk.move(1)
    room.desk.move(1)
    rooms.wait_for_task(room, "t-2")
    room.desk.move(1)
    rooms.open_task(room, "t-9")
