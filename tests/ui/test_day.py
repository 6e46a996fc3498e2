"""A rater's day: pauses, what is left, coming back to where one was, and what stands beside the task."""

from datetime import timedelta

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor

from desktop_rater.operations.rating.rater_state import BundleOverview
from tests.operations.bundles import make, noon, task
from tests.ui.rooms import SENTENCES, Text, banner, part, press, type_text

# -- time


def test_a_pause_is_not_counted_and_ends_with_the_next_answer(room, rooms):
    rooms.clock.seconds += 30
    press("Ctrl+Shift+P")
    assert "Timer paused" in banner(room, "pause")
    rooms.clock.seconds += 40
    assert int(room.session.seconds_here()) == 30
    press("N")
    assert banner(room, "pause") is None
    rooms.clock.seconds += 5
    assert int(room.session.seconds_here()) == 35
    assert room.session.rating.time.idle_seconds == 0


def test_the_day_goes_on_in_the_next_window(room, rooms):
    rooms.clock.seconds += 50
    press("N")
    room.companions.day.count()
    assert (room.companions.day.today.seconds, len(room.companions.day.today.targets)) == (50, 1)
    press("Ctrl+Z")
    assert room.companions.day.today.targets == (), "what is open again is not finished"
    press("Ctrl+Shift+Z")
    again = rooms.reopened(room)
    rooms.qtbot.waitUntil(lambda: again.companions.day.today.seconds == 50)
    assert len(again.companions.day.today.targets) == 1
    assert "active today" in part(again, "status_today").text()


def test_the_day_counts_targets_that_are_answered_together_or_as_the_last_one(room):
    day = room.companions.day
    press("Alt+J", "N")
    assert day.today.finished == (2, 0)
    press("Ctrl+Z")
    assert day.today.finished == (0, 0)
    press("Ctrl+Shift+Z", "Esc", "J", "J", ".")
    assert day.today.finished == (3, 0)


def test_a_target_answered_on_an_earlier_day_is_not_counted_again(rooms):
    now = [noon()]
    rooms.now = lambda: now[0]
    room = rooms.with_tasks()
    day = room.companions.day
    press("N", "Return", "N", "K")
    assert day.today.finished == (2, 0)
    now[0] += timedelta(days=1)
    day.count()
    press("Y", "Ctrl+Z")
    assert day.today.finished == (0, 0)
    press("J", "J", "N")
    assert day.today.finished == (1, 0)
    now[0] -= timedelta(days=1)
    rooms.wait_until_saved(room)
    day.count()
    rooms.qtbot.waitUntil(lambda: day.today.finished == (2, 0))
    press("K", "Backspace")
    assert day.today.finished == (1, 0), "what is open again is no longer finished that day either"


def test_samples_and_practice_are_no_work_of_the_day(rooms, qtbot):
    room = rooms.empty()
    for action in ("sample", "practice"):
        room.commands.actions[action].trigger()
        before = room.session.bundle
        qtbot.waitUntil(lambda before=before: room.session.bundle not in {"", before})
        rooms.press_and_save(room, "N")
        assert room.companions.day.today.finished == (0, 0)


def test_a_task_of_which_every_target_is_answered_is_what_is_left(room, rooms):
    """As after another claim in a finished task: nothing of it is open, and it is still to be finished."""
    progress = BundleOverview(
        id="b", revision=1, title="", rubric="", unit="targets", done=4, total=4, tasks=2, finished=1
    )
    room.commands.rating.show_work_left(progress)
    assert banner(room, "left") == "1 task left"


def test_a_finished_task_says_what_is_left(room, rooms):
    rooms.clock.seconds += 40
    rooms.press_for_task(room, "t2", "N", "Return", "N", "Return", "N", "Return")
    rooms.qtbot.waitUntil(lambda: banner(room, "left") is not None)
    assert banner(room, "left").startswith("1 target left, about 1 min")
    press("N")
    assert banner(room, "left") is None, "the next key takes it away"


# -- coming back


def test_the_window_opens_where_the_rater_was(room, rooms):
    rooms.press_for_task(room, "t2", "Ctrl+PgDown")
    rooms.press_for_task(room, "t1", "Ctrl+PgUp")
    press("J", "Y", "W", Text("half a sen"))
    part(room, "text_comment").moveCursor(part(room, "text_comment").textCursor().MoveOperation.Left)
    again = rooms.reopened(room)
    session = again.session
    assert (session.task.id, session.place.target, session.current_question) == ("t1", "s2", "comment")
    comment = part(again, "text_comment")
    assert comment.text() == "half a sen"
    rooms.qtbot.waitUntil(comment.hasFocus)
    assert comment.textCursor().position() == len("half a se")


def test_a_place_that_is_gone_is_forgotten(room, rooms):
    rooms.press_for_task(room, "t2", "Ctrl+PgDown")
    rooms.shut(room)
    newer = make(rooms.folder / "bundle.zip", [task("t1", *SENTENCES), task("t3")], revision=2)
    again = rooms.at_task()
    again.transfer.import_bundle(newer)
    rooms.wait_for_task(again, "t1")


# -- guidelines and states


def test_the_guidelines_open_at_the_question(room, qtbot):
    press("Y")
    pane = room.commands.rating.guidelines
    assert not pane.isVisible()
    press("G")
    assert pane.isVisible()
    heading = next(block for block in pane.text.headings() if block.text() == "Common knowledge")
    qtbot.waitUntil(lambda: 0 <= pane.text.cursorRect(QTextCursor(heading)).top() <= 8)
    pane.search.setFocus()
    type_text("consensus")
    assert "of" in part(room, "guidelines_found").text()
    first = pane.text.textCursor().position()
    press("Return")
    assert pane.text.textCursor().position() > first
    press("Shift+Return")
    assert pane.text.textCursor().position() == first
    press("Esc", "G")
    assert not pane.isVisible()


def test_esc_closes_the_guidelines_before_the_page_and_their_place_is_kept_at_another_width(room, rooms, qtbot):
    room.window.resize(1440, 900)
    press("Y", "G")
    pane = room.commands.rating.guidelines
    text, heading = pane.text, [block.text() for block in pane.text.headings()][4]
    pane.open_at(heading)
    qtbot.waitUntil(lambda: top_line(text) == heading)
    before = text.width()
    room.browsing.open("https://example.org/a")
    rooms.wait_for_page(room, "https://example.org/a")
    qtbot.waitUntil(lambda: text.width() < before - 100)
    assert top_line(text) == heading
    room.window.preview.focus_page()
    press("Esc")
    assert (pane.isVisible(), room.window.preview.is_open) == (False, True)
    press("Esc")
    assert not room.window.preview.is_open


def top_line(view):
    """The paragraph at the top of a text."""
    return view.cursorForPosition(QPoint(1, 8)).block().text()


def test_guidelines_load_nothing_and_follow_nothing(room):
    text = room.commands.rating.guidelines.text
    room.commands.rating.guidelines.show_text(
        "# A\n\n![x](https://example.org/x.png) <img src='https://example.org/y.png'> [z](https://e.org)"
    )
    text.lay_out()
    assert text.loadResource(2, "https://example.org/x.png") is None
    assert "<img" in text.toPlainText()
    assert not text.textInteractionFlags() & Qt.TextInteractionFlag.LinksAccessibleByMouse


def test_a_task_that_can_only_be_read_refuses_answers(room):
    session = room.session
    why = "These results are sent."
    session.open(session.bundle, session.task, session.rating, session.rubric, read_only=why)
    before = session.rating
    press("Y")
    assert session.rating == before
    assert banner(room, "hint") == why
    assert not part(room, "choice_factual_yes").isEnabled()


def test_a_task_that_is_slow_to_come_says_so(room, rooms):
    opening = room.companions.opening
    opening.timer.setInterval(0)
    rooms.qtbot.waitUntil(lambda: not room.saver.unsaved)
    room.desk.opening.emit("t-0017")
    rooms.qtbot.waitUntil(lambda: banner(room, "opening") == "Opening t-0017 …")
    room.desk.settled.emit()
    assert banner(room, "opening") is None
