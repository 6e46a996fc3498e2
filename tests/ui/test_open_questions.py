"""What is open and what blocks is said where the rater looks, and undo goes on into the task before."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication

from desktop_rater.ui.rating.response_painter import target_mark
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.list_view import LIST_ROW_ROLE
from tests.operations.bundles import task
from tests.ui.pairs import resize
from tests.ui.rooms import Text, banner, part, press, press_and_settle, press_until


def blocked_first_target(room):
    """The label that its own answers contradict: nothing blocks going on."""
    press("Y", "1", "U", "J")


def inks(view):
    """The colours that a text is painted in."""
    image = view.grab().toImage()
    return {image.pixelColor(x, y).name().upper() for x in range(image.width()) for y in range(image.height())}


def test_an_open_question_is_counted_and_flashes_when_the_rater_cannot_go_on(room, monkeypatch):
    heard = []
    monkeypatch.setattr("desktop_rater.ui.rating.commands.announce", lambda _source, text: heard.append(text))
    footer = part(room, "footer_word")
    assert footer.text() == "1 question open"
    row = room.window.form_pane.form.row("factual")
    assert not row.flashes
    press("Return")
    assert row.flashes
    assert heard == ["Not answered yet: Does this sentence attempt to convey any factual information?"]
    press("Y")
    assert footer.text() == "2 questions open"
    part(room, "go_on").click()
    assert room.window.form_pane.form.row(room.session.current_question).flashes, "the button says it too"
    press("N")
    assert footer.text() == "No problems here"


def test_where_one_pane_is_shown_at_a_time_the_open_question_comes_up(room, qtbot):
    resize(room, (720, 600))
    room.window.text_pane.setFocus()
    form = room.window.form_pane.form
    qtbot.waitUntil(lambda: form.visibleRegion().isEmpty())
    press_until(qtbot, lambda: not form.row("factual").visibleRegion().isEmpty(), "Return")
    assert form.row("factual").flashes


def test_a_target_that_blocks_shows_it_in_strip_margin_and_text_and_the_form_says_where(room, qtbot):
    blocked_first_target(room)
    first, state = room.session.stops[0], room.session.target_states[room.session.stops[0]]
    assert (state.text, state.blocked) == ("Unsupported", True)
    strip = part(room, "target_strip")
    named = strip.model().index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert named == "1 of 3, Unsupported, blocked"
    assert target_mark(state, (0, 5), 1, theme.tokens()).blocked
    pane = room.window.text_pane.panes[0]
    qtbot.waitUntil(lambda: pane.view.height() > 0)
    assert inks(pane.view).issuperset({theme.tokens().block}), "a line over it, and a sign in the margin"
    press("K")
    assert pane.view.accessibleDescription() == "Target 1 of 3, Unsupported, blocked"
    press("A", "J")
    assert theme.tokens().block not in inks(pane.view)
    press("K", "U", "J")
    assert part(room, "next_problem").label == "Blocked: target 1"
    part(room, "next_problem").click()
    assert room.session.stop == first


def test_undo_goes_on_into_the_task_before_and_redo_comes_back(room, rooms):
    session = room.session
    rooms.press_for_task(room, "t2", "N", "J", "N", "J", "N", "Return")
    press("N", "Ctrl+Z")
    assert (session.task.id, session.rating.answers.targets) == ("t2", {})
    rooms.press_for_task(room, "t1", "Ctrl+Z")
    assert banner(room, "hint") == "Undone in t1, which is open again."
    assert session.rating.status == "incomplete"
    press("Ctrl+Z")
    assert len(session.rating.answers.targets) == 2
    assert session.stop == session.stops[2]
    press("Ctrl+Shift+Z", "Ctrl+Shift+Z")
    assert session.rating.status == "complete"
    rooms.press_for_task(room, "t2", "Ctrl+Shift+Z")
    assert banner(room, "hint") == "Done again in t2, which is open again."
    assert session.rating.answers.targets["s1"] == {"factual": "no"}
    rooms.wait_until_saved(room)
    assert rooms.stored("t1").status == "complete"


def test_a_task_that_was_finished_is_undone_before_what_yesterday_left_in_the_next(room, rooms):
    rooms.press_for_task(room, "t2", "Ctrl+PgDown")
    rooms.press_and_save(room, "Y")
    room = rooms.reopened(room, "t2")
    rooms.press_for_task(room, "t1", "Ctrl+PgUp")
    rooms.press_for_task(room, "t2", "N", "J", "N", "J", "N", "Return")
    rooms.press_for_task(room, "t1", "Ctrl+Z")
    assert rooms.stored("t2").answers.targets["s1"] == {"factual": "yes"}


def test_skipping_a_target_and_skipping_the_task_are_told_apart(room):
    skip, only = part(room, "skip"), part(room, "question_skipped")
    assert skip.label == "Skip the task"
    assert only.question.ask == "Skip only this target?"
    press("Y", "3")
    room.session.set_current_question("skipped")
    assert part(room, "choice_skipped_cut_off").key == "1"
    assert part(room, "choice_common_knowledge_right").key == "", "a digit stands on the screen once"
    skip.click()
    assert part(room, "skip_cut_off").key == "1"
    assert {part(room, f"choice_{name}").key for name in ("skipped_cut_off", "factual_yes")} == {""}
    press("Esc", "1")
    assert room.session.rating.answers.targets["s1"]["skipped"] == "cut_off"
    assert room.session.rating.status == "incomplete", "the other targets stay"


def test_the_meaning_of_a_label_stands_beside_the_choices_and_is_heard(room, qtbot):
    question, hint = room.window.form_pane.form.row("factual"), room.window.form_pane.form.row("factual")._hint
    no = part(room, "choice_factual_no")
    assert (hint.text(), hint.isVisible()) == ("Anything that could be checked.", True)
    assert part(room, "guideline_factual").isVisible(), "also at the first question"
    no.setFocus()
    assert hint.text() == question.question.choices[1].hint
    assert no.toolTip()
    assert no.accessibleDescription().endswith(hint.text())
    room.window.form_pane.form.setFocus()
    assert hint.text() == "Anything that could be checked."
    height = question.height()
    press("Y")
    assert hint.text() == question.question.choices[0].hint, "what was chosen"
    qtbot.waitUntil(lambda: part(room, "guideline_common_knowledge").isVisible())
    assert question.height() == height, "also without the link to the guideline"
    assert question.rect().contains(hint.mapTo(question, hint.rect().bottomRight()))


def test_two_rules_that_say_the_same_are_one_message(room):
    press("Y", "3", "4", "U")
    messages = [line.title for line in room.window.form_pane.problems.model.rows]
    assert messages.count("Say in a sentence or two what you searched for.") == 1
    assert len(messages) == len(set(messages))
    assert part(room, "problem_count").text().startswith("2 problems block the export")


def ends(room):
    """What the two ends of the strip say: the number of targets beyond, "" where there are none."""
    strip = part(room, "target_strip")
    return [button.label if button.isVisible() else "" for button in strip._ends]


def test_a_strip_of_many_targets_says_how_many_are_beyond_its_ends(rooms, qtbot):
    many = task("t1", *[f"Sentence {number} is here." for number in range(60)])
    room = rooms.with_tasks(many, task("t2"))
    strip = part(room, "target_strip")
    qtbot.waitUntil(lambda: ends(room)[1] != "")
    before, after = ends(room)
    assert before == ""
    assert int(after) > 20
    part(room, "targets_after").click()
    assert int(ends(room)[0]) > 0
    assert int(ends(room)[1]) < int(after)
    assert room.session.stop == room.session.stops[0], "looking ahead goes nowhere"
    turned = QWheelEvent(
        QPointF(30, 10),
        strip.mapToGlobal(QPointF(30, 10)),
        QPoint(0, 0),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    for _ in range(9):
        QApplication.sendEvent(strip.viewport(), turned)
    assert ends(room) == ["", after]
    strip.setFocus()
    press("End")
    assert room.session.stop == room.session.stops[-1]
    assert ends(room)[1] == ""
    assert part(room, "targets_before").accessibleName() == f"{ends(room)[0].removeprefix('+')} more before"


def test_progress_counts_targets_everywhere(room, rooms, qtbot):
    def said():
        row = room.window.task_list.model.index(0, 0).data(LIST_ROW_ROLE)
        return part(room, "done_count").text(), part(room, "of_count").text(), row.detail_end

    qtbot.waitUntil(lambda: said() == ("0", "of 4 targets", "3 targets"))
    rooms.press_and_save(room, "Y", "3")
    qtbot.waitUntil(lambda: said() == ("0", "of 4 targets", "0 of 3"))
    press_until(qtbot, lambda: said() == ("1", "of 4 targets", "1 of 3, 1 problem"), "4", "I", "6")
    assert part(room, "where").text() == "Target 1 of 3"
    assert part(room, "status_today").text().startswith("1 target")
    press("W", Text("I searched."), "Esc", "J", "N", "J", "N", "Return")
    rooms.wait_for_task(room, "t2")
    qtbot.waitUntil(lambda: said() == ("3", "of 4 targets", "3 of 3"))
    qtbot.waitUntil(lambda: (banner(room, "left") or "").startswith("1 target left"))


def painted_stops(strip):
    """Return the numbers of the stops that are visible, and those of them that are cut."""
    area = strip.viewport().rect()
    rects = {row: strip.visualRect(strip.model().index(row, 0)) for row in range(strip.model().rowCount())}
    seen = [row for row, rect in rects.items() if rect.intersects(area)]
    return seen, [row for row in seen if not area.contains(rects[row])]


@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
def test_a_strip_shows_whole_targets_and_the_current_one_after_any_other_task(rooms, direction):
    counts = (2, 3, 4, 60, 12)
    tasks = [task(f"t{n}", *[f"Sentence {k} is here." for k in range(count)]) for n, count in enumerate(counts)]
    room = rooms.with_tasks(*tasks)
    strip = part(room, "target_strip")
    strip.setLayoutDirection(direction)
    for width in (1_700, 700):
        room.window.resize(width, 720)
        for at in (0, 1, 2, 3, 1, 4):
            rooms.open_task(room, f"t{at}")
            for key in ((), ("End",), ("Left",)):
                strip.setFocus()
                press_and_settle(*key)
                seen, cut = painted_stops(strip)
                total, current = counts[at], room.session.stops.index(room.session.stop)
                assert cut == []
                assert current in seen
                before, after = (int(label.removeprefix("+") or 0) for label in ends(room))
                assert (before, after) == (seen[0], total - 1 - seen[-1])
                assert not any(
                    button.isVisible() and button.geometry().intersects(strip.viewport().geometry())
                    for button in strip._ends
                )
