"""A rater who compares two responses that stand next to each other."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_rater.format.values import TASK_PLACE
from desktop_rater.ui.rating.pair.lines import ProblemLine
from tests.ui.pairs import A, B, focused, half, strip
from tests.ui.rooms import Text, banner, part, press, press_and_settle, settle, two_responses, type_text


def open_link(rooms, room):
    """The one link of the first response counts as opened, though there is no network."""
    press("Shift+O")
    rooms.wait_for_page(room, "https://example.org/a")
    part(room, "count_as_opened").click()
    press_and_settle("Esc")


def test_a_pair_is_rated_by_keys_to_its_end(pairs, rooms):
    press("1", "3", "1")
    assert pairs.session.rating.answers.responses["a"] == {
        "punt": "none",
        "fulfilment": "completely",
        "factuality": "completely_accurate",
    }
    open_link(rooms, pairs)
    assert part(pairs, "links_a").text() == "1 of 1 links opened"
    press("J")
    assert pairs.session.stop == B
    press("2", "1", "3", "1", "J")
    assert pairs.session.stop == TASK_PLACE
    press("1")
    assert pairs.session.rating.answers.task["preference"] == -3
    assert pairs.session.current_question == "justification"
    press("Return")
    assert part(pairs, "text_justification").hasFocus()
    type_text("B failed.", "Ctrl+Return")
    rooms.wait_for_task(pairs, "t2")
    assert pairs.session.stop == A
    rooms.wait_until_saved(pairs)
    assert rooms.stored("t1").status == "complete"
    assert rooms.stored("t1").answers.task == {"preference": -3, "justification": "B failed."}


def test_a_punt_in_part_is_judged_by_what_else_the_response_says(rooms):
    task = two_responses()
    task["responses"][0]["text"] = "I can't book hotels. Ghent is the capital of Italy."
    room = rooms.with_tasks(task, rubric="side-by-side")
    press("2", "2", "2", "3")
    given = {"punt": "acknowledged", "punt_only": "no", "fulfilment": "partially", "factuality": "not_accurate"}
    assert room.session.rating.answers.responses["a"] == given
    assert not any(problem.rule.startswith("contradicts:") for problem in room.session.outcome.problems)
    press("Up", "Up", "1")
    assert room.session.rating.answers.responses["a"] == given | {"punt_only": "yes"}
    (problem,) = [one for one in room.session.outcome.problems if one.rule.startswith("contradicts:")]
    assert (problem.rule, problem.where) == ("contradicts:punt-acknowledged", "responses/a")


def test_who_goes_on_comes_to_what_blocks(pairs):
    """All is answered, and what is wrong with it is not the first question of a half."""
    press("1", "3", "2", "J", "2", "1", "3", "1", "J", "1", "W", Text("B failed."), "Ctrl+Return")
    assert (pairs.session.stop, pairs.session.current_question) == (A, "explanation")


def shown(form):
    """What a form shows of each question: the whole of it, a line, or a line with its problem."""
    found = {}
    for name in form._rows:
        parts = {"line": f"line_{name}", "whole": f"question_{name}", "problem": f"wrong_{name}"}
        seen = [what for what, child in parts.items() if form.findChild(object, child).isVisible()]
        if seen:
            found[name] = " ".join(seen)
    return found


def click(widget):
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)


def test_only_the_question_at_hand_is_whole_and_a_click_goes_to_another(pairs):
    press("1", "3")
    assert shown(half(pairs, "a")) == {
        "punt": "line",
        "fulfilment": "line",
        "factuality": "whole",
        "explanation": "line",
    }
    assert set(shown(half(pairs, "b")).values()) == {"line"}
    line = half(pairs, "a").findChild(object, "line_punt")
    assert line.accessibleName() == "Punts, No, It never came to that"
    assert half(pairs, "a").findChild(object, "line_explanation").accessibleName() == (
        "Explanation, not answered, optional"
    )
    click(half(pairs, "b").findChild(object, "line_punt"))
    assert (pairs.session.stop, pairs.session.current_question) == (B, "punt")
    assert shown(half(pairs, "b"))["punt"] == "whole"
    click(half(pairs, "b").row("punt").buttons[1])
    assert pairs.session.rating.answers.responses["b"] == {"punt": "acknowledged"}
    assert [button.key for button in half(pairs, "b").row(pairs.session.current_question).buttons[:2]] == ["1", "2"]
    assert not strip(pairs).isVisible()
    click(part(pairs, "comparing_preference"))
    assert (pairs.session.stop, strip(pairs).isVisible()) == (TASK_PLACE, True)
    click(strip(pairs).row("preference").buttons[3])
    assert pairs.session.rating.answers.task["preference"] == 0
    assert part(pairs, "comparing_preference").accessibleName() == "Which is better?, answered"
    click(half(pairs, "a").findChild(object, "line_explanation"))
    press("W", Text("x"))
    assert pairs.session.rating.answers.responses["a"]["explanation"] == "x"
    click(half(pairs, "b").findChild(object, "line_factuality"))
    assert half(pairs, "b").hasFocus(), "the field that had the keys is folded"


def test_a_question_still_to_come_says_with_which_answers(pairs):
    coming = half(pairs, "a").findChild(object, "line_punt_only")
    assert coming.isVisible()
    assert coming.accessibleName() == "Only a punt, not asked yet, asked with Says so or Says no, not what"
    press("1")
    assert not coming.isVisible()
    press("Up", "2")
    assert shown(half(pairs, "a"))["punt_only"] == "whole"


def test_what_is_wrong_is_one_line_with_the_way_out(pairs):
    pairs.session.go_to(B)
    press("1", "1", "2")
    lines = half(pairs, "b").findChild(object, "wrong_fulfilment")
    assert lines.isVisible()
    assert [one.rule for one in lines.problems] == ["contradicts:failed-tool"]
    assert shown(half(pairs, "b"))["fulfilment"] == "problem", "the line of the question is that of its problem"
    settle()
    assert lines.height() == 30
    spoken = [line.accessibleName() for line in lines.findChildren(ProblemLine)]
    assert [(name.startswith("Fulfilment, Partially, A tool"), name.endswith("blocks")) for name in spoken] == [
        (True, True)
    ]
    assert not pairs.window.form_pane.problems.isVisible()
    pairs.session.go_to(A)
    click(lines.findChild(object, "way_change"))
    assert pairs.session.stop == B
    assert pairs.session.rating.answers.responses["b"]["fulfilment"] == "not_at_all"
    assert not lines.isVisible()


def test_the_footer_counts_what_is_wrong_and_goes_there(pairs):
    pairs.session.go_to(B)
    press("1", "1", "2")
    pairs.session.go_to(TASK_PLACE)
    assert part(pairs, "summary_count").text() == "1 problem blocks, 6 questions open"
    assert part(pairs, "summary_first").text() == "Response B, fulfilment"
    seen = set()
    for _ in range(2):
        part(pairs, "summary_go").click()
        seen.add(pairs.session.stop)
    assert seen == {A, B}, "and to what an untouched response has still to get"


def test_who_may_not_finish_comes_to_what_blocks_and_not_to_a_warning(pairs):
    pairs.session.record_opened_link("https://example.org/a", "2026-11-20T12:00:00Z")
    press("1", "3", "3")  # not accurate, and not a word why
    pairs.session.go_to(B)
    press("2", "1", "3", "1", "Ctrl+Shift+Return")
    assert banner(pairs, "refused").startswith("Not finished")
    assert any(one.level == "warn" for one in pairs.session.outcome.problems)
    assert (pairs.session.stop, pairs.session.current_question) == (TASK_PLACE, "preference")


def test_a_warning_is_acknowledged_where_it_stands(pairs):
    press("1", "3", "3")
    lines = half(pairs, "a").findChild(object, "wrong_explanation")
    assert [one.level for one in lines.problems] == ["warn"]
    press("V", Text("Seen elsewhere"), "Ctrl+Return")
    assert pairs.session.rating.acknowledged[0].comment == "Seen elsewhere"
    settle()
    assert lines.findChild(object, "way_take_back").isVisible()


def test_evidence_is_one_line_until_it_is_wanted(pairs):
    evidence = pairs.window.form_pane.form.evidence
    line = half(pairs, "a").evidence_line
    assert line.isVisible()
    assert not evidence.isVisible()
    QApplication.clipboard().setText("https://example.org/a")
    press_and_settle("E")
    assert half(pairs, "a").isAncestorOf(evidence)
    assert evidence.list.isVisible()
    press("C")
    assert pairs.session.rating.evidence[0].stance == "contradicting"
    press_and_settle("J")
    assert not evidence.isVisible(), "it folds when the rater goes on"
    assert line.findChild(object, "open_evidence").label == "1 page, 1 contradicting"
    assert half(pairs, "b").evidence_line.isVisible()
    line.findChild(object, "open_evidence").click()
    settle()
    assert pairs.session.stop == A
    assert evidence.isVisible()
    evidence.list.setFocus()
    press("Delete")
    assert pairs.session.rating.evidence == ()
    press("Ctrl+Z")
    assert len(pairs.session.rating.evidence) == 1
    part(pairs, "fold_evidence").click()
    assert not evidence.isVisible()
    assert line.isVisible()


def test_a_skipped_pair_stays_one_and_can_be_taken_up(pairs, rooms):
    rooms.press_for_task(pairs, "t2", "1", "X", "1", "Return", "Return")
    rooms.press_for_task(pairs, "t1", "Ctrl+PgUp")
    settle()
    assert pairs.window.form_pane.form.blocks
    assert part(pairs, "skipped_box").isVisible()
    part(pairs, "take_up").click()
    settle()
    assert half(pairs, "a").findChild(object, "line_punt").isVisible()
    assert pairs.session.rating.answers.responses["a"]["punt"] == "none"


def test_what_can_not_be_changed_says_why(pairs):
    session = pairs.session
    session.open(session.bundle, session.task, session.rating, session.rubric, read_only="Sent on 3 May.")
    settle()
    assert part(pairs, "footer_word").text() == "Sent on 3 May."
    assert not half(pairs, "a").row("punt").buttons[0].isEnabled()
    press("1")
    assert session.rating.answers.responses == {}


def test_the_other_half_is_taken_up_where_it_was_left(pairs, rooms):
    pairs.session.go_to(B)
    press("W", Text("half a"))
    rooms.wait_until_saved(pairs)
    room = rooms.reopened(pairs, "t1")
    rooms.qtbot.waitUntil(lambda: focused().objectName() == "text_explanation")
    assert room.session.stop == B
    assert half(room, "b").isAncestorOf(QApplication.focusWidget())
    type_text(" word")
    assert room.session.rating.answers.responses["b"]["explanation"] == "half a word"


def test_undo_goes_through_all_that_was_done_in_a_pair(pairs):
    press("1", "3")
    pairs.session.go_to(TASK_PLACE)
    press("5", "Ctrl+Z", "Ctrl+Z", "Ctrl+Z")
    assert pairs.session.rating.answers.responses.get("a", {}) == {}
    assert pairs.session.rating.answers.task == {}
    assert pairs.session.stop == A
    press("Ctrl+Shift+Z", "Ctrl+Shift+Z", "Ctrl+Shift+Z")
    assert pairs.session.rating.answers.task == {"preference": 1}
