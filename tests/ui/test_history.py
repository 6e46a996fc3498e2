"""The history of a task: what was done in words, an earlier state to look at, and the way back to it."""

from desktop_rater.format.change import Progress
from desktop_rater.operations.rating.save import rate_from_file
from desktop_rater.ui.widgets.list_view import LIST_ROW_ROLE
from tests.operations.bundles import RATER, noon, rating, write_lines, writer
from tests.ui.rooms import Text, banner, part, press, press_until
from tests.ui.test_saving import refuse_writes


def titles(room):
    return [one.title for one in room.window.parts["history"].pane.model.rows]


def open_history(room, rooms, *expected):
    """F7, until the first rows are these."""
    press_until(rooms.qtbot, lambda: tuple(titles(room)[: len(expected)]) == expected, "F7")


def answer_three(room, rooms):
    for key in ("Y", "1", "A"):
        rooms.press_and_save(room, key)


THREE = (
    "Target 1, accuracy: Accurate",
    "Target 1, common knowledge: Yes, and right",
    "Target 1, facts: Yes",
    "The task as received",
)


def test_what_was_done_stands_there_in_words_the_latest_first(room, rooms):
    answer_three(room, rooms)
    open_history(room, rooms, *THREE)
    pane = room.window.parts["history"].pane
    lines = pane.model.rows
    assert len(lines) == 4
    assert lines[0].detail_end == "now, revision 3"
    assert lines[1].detail_end == "revision 2"
    assert lines[0].end, "it says when"
    assert pane.list.hasFocus()
    assert pane.model.index(0).data(LIST_ROW_ROLE) is lines[0]
    assert not part(room, "history_back").isEnabled(), "what counts is here already"


def test_each_kind_of_change_has_its_words(room, rooms):
    session = room.session
    press("Y")
    steps = (
        lambda: session.add_claim(0, 5),
        lambda: session.answer("common_knowledge", "right"),
        lambda: session.add_evidence("https://example.org/a"),
        lambda: session.set_stance(session.evidence[0].id, "supporting"),
        lambda: session.remove_evidence(session.evidence[0].id),
        lambda: session.answer("comment", "Said\nby all."),
        lambda: session.answer("comment", None),
        lambda: session.remove_claim("c1"),
        lambda: session.correct_border(0, 5),
        session.undo,
        lambda: session.note_to_lead("Too short?"),
        lambda: session.skip_task("duplicate"),
        session.withdraw_skip,
    )
    for step in steps:
        step()
        rooms.wait_until_saved(room)
    open_history(room, rooms, "Skip withdrawn")
    assert titles(room)[:-2] == [
        "Skip withdrawn",
        "The task is skipped: Duplicate",
        "Note to the QA lead, “Too short?”",
        "Target 1: borders reset to the bundle's",
        "Target 1: now contains “Paris”",
        "Target 1, claim 1: removed, “Paris”",
        "Target 1, comment: answer cleared",
        "Target 1, comment: “Said by all.”",
        "Target 1, claim 1: evidence removed, example.org",
        "Target 1, claim 1: evidence changed, example.org, supports",
        "Target 1, claim 1: evidence added, example.org",
        "Target 1, claim 1, common knowledge: Yes, and right",
        "Target 1, claim 1: recorded, “Paris”",
    ]
    assert room.window.parts["history"].pane.model.rows[3].detail == "by Undo"


def test_an_earlier_state_is_shown_and_nothing_can_be_changed_in_it(room, rooms):
    heard = []
    room.companions.announcer.announced.connect(heard.append)
    answer_three(room, rooms)
    open_history(room, rooms, *THREE)
    press("Down", "Down", "Return")
    session = room.session
    assert session.rating.answers.targets["s1"] == {"factual": "yes"}
    assert part(room, "choice_factual_yes").isChecked()
    assert not part(room, "choice_accuracy_accurate").isChecked()
    assert not room.window.form_pane.form.body.isEnabled()
    assert "It is read-only." in banner(room, "looking_back")
    assert banner(room, "looking_back") in heard
    press("N", "Ctrl+Z", "Backspace")
    assert session.rating.answers.targets["s1"] == {"factual": "yes"}
    assert room.window.parts["history"].pane.model.rows[2].detail_end == "shown, revision 1"
    press("Up", "Up", "Return")
    assert session.rating.answers.targets["s1"]["accuracy"] == "accurate", "the first row is what counts"
    assert not session.read_only
    assert banner(room, "looking_back") is None
    assert rooms.stored("t1").revision == 3, "looking changes nothing"


def test_escape_comes_back_to_what_counts(room, rooms):
    answer_three(room, rooms)
    open_history(room, rooms, *THREE)
    press("End", "Return")
    assert not room.session.rating.answers.targets
    press("Escape")
    assert room.session.rating.answers.targets["s1"]["accuracy"] == "accurate"
    assert part(room, "history").isHidden()
    press("I")
    assert room.session.rating.answers.targets["s1"]["accuracy"] == "inaccurate", "keys answer again"


def test_going_back_is_a_step_that_can_be_undone_and_is_there_after_a_restart(room, rooms):
    answer_three(room, rooms)
    open_history(room, rooms, *THREE)
    press("Down", "Down")
    part(room, "history_back").click()
    session = room.session
    assert session.rating.answers.targets["s1"] == {"factual": "yes"}
    assert "Restored:" in banner(room, "undo")
    assert part(room, "history").isHidden()
    rooms.wait_until_saved(room)
    room = rooms.reopened(room)
    assert room.session.rating.answers.targets["s1"] == {"factual": "yes"}
    press_until(rooms.qtbot, lambda: "accuracy" in room.session.rating.answers.targets["s1"], "Ctrl+Z")
    rooms.wait_until_saved(room)
    open_history(room, rooms, "Target 1, accuracy: Accurate")
    lines = room.window.parts["history"].pane.model.rows
    assert [one.detail.rpartition("; ")[2] for one in lines[:2]] == ["by Undo", "by restoring an earlier state"]
    assert len(lines) == 6


def test_going_back_from_the_state_that_is_shown(room, rooms):
    answer_three(room, rooms)
    press("J")
    open_history(room, rooms, *THREE)
    press("Down", "Return")
    room.window.form_pane.banners.banner("looking_back").buttons[0].click()
    assert room.session.rating.answers.targets["s1"] == {"factual": "yes", "common_knowledge": "right"}
    assert room.session.place.target == "s1"
    assert not room.session.read_only
    assert banner(room, "looking_back") is None
    press("Ctrl+Z")
    assert room.session.rating.answers.targets["s1"]["accuracy"] == "accurate"


def test_the_history_grows_while_it_is_open(room, rooms):
    rooms.press_and_save(room, "Y")
    open_history(room, rooms, "Target 1, facts: Yes")
    room.window.form_pane.form.setFocus()
    press_until(rooms.qtbot, lambda: len(titles(room)) == 3, "1")
    assert titles(room)[0] == "Target 1, common knowledge: Yes, and right"
    rooms.press_for_task(room, "t2", "Ctrl+PgDown")
    assert part(room, "history").isHidden(), "it was of the other task"


def test_what_is_not_saved_yet_says_so(room, rooms):
    rooms.press_and_save(room, "Y")
    refuse_writes(room, on=True)
    press_until(rooms.qtbot, lambda: room.saver.failing, "1")
    open_history(room, rooms, "Target 1, common knowledge: Yes, and right", "Target 1, facts: Yes")
    lines = room.window.parts["history"].pane.model.rows
    assert lines[0].detail_end == "now, not saved yet"
    press("Down", "Return")
    assert room.session.rating.answers.targets["s1"] == {"factual": "yes"}
    assert room.session.shows_earlier_state
    press("Escape")
    assert room.session.rating.answers.targets["s1"]["common_knowledge"] == "right", "it is not lost by looking back"
    refuse_writes(room, on=False)
    room.saver.try_now()
    rooms.wait_until_saved(room)
    assert rooms.stored("t1").answers.targets["s1"]["common_knowledge"] == "right"


def test_another_task_while_an_earlier_state_is_shown(room, rooms):
    answer_three(room, rooms)
    open_history(room, rooms, *THREE)
    rooms.press_for_task(room, "t2", "End", "Return", "Ctrl+PgDown")
    assert not room.session.read_only
    rooms.press_for_task(room, "t1", "N", "Ctrl+PgUp")
    assert room.session.rating.answers.targets["s1"]["accuracy"] == "accurate"
    assert rooms.stored("t1").answers.targets["s1"]["accuracy"] == "accurate"
    rooms.shut(room)
    assert rooms.stored("t1").answers.targets["s1"]["accuracy"] == "accurate"


def test_closing_while_an_earlier_state_is_shown_keeps_what_counts(room, rooms):
    answer_three(room, rooms)
    press("W", Text("Typed"))
    open_history(room, rooms, "Target 1, comment: “Typed”")
    press("End", "Return")
    rooms.shut(room)
    assert rooms.stored("t1").answers.targets["s1"]["comment"] == "Typed"
    assert rooms.stored("t1").answers.targets["s1"]["accuracy"] == "accurate"


def test_what_a_file_brought_says_so(room, rooms):
    lines = write_lines(rooms.folder / "ratings.jsonl", [rating("t1", {"factual": "no"}, {"factual": "no"})])
    rooms.shut(room)
    with writer(rooms.folder / "store") as store:
        rate_from_file(store, "bundle", lines, RATER, progress=Progress(), now=noon)
    room = rooms.at_task()
    open_history(room, rooms, "Target 1, facts: No")
    assert room.window.parts["history"].pane.model.rows[0].detail == "Target 2, facts: No; from a file"


def test_the_guidelines_and_the_history_take_turns(room, rooms):
    answer_three(room, rooms)
    open_history(room, rooms, *THREE)
    room.commands.rating.open_guideline("")
    assert part(room, "history").isHidden() or room.commands.rating.guidelines.is_empty
    press("F7")
    assert part(room, "guidelines").isHidden()


def test_a_window_that_may_not_write_shows_the_history_and_goes_nowhere(room, rooms):
    answer_three(room, rooms)
    rooms.shut(room)
    with writer(rooms.folder / "store"):
        room = rooms.at_task()
        why = room.session.read_only
        assert why
        open_history(room, rooms, *THREE)
        press("Down", "Return")
        assert room.session.rating.answers.targets["s1"] == {"factual": "yes", "common_knowledge": "right"}
        assert [one.text() for one in room.window.form_pane.banners.banner("looking_back").buttons] == [
            "Back to the current state"
        ]
        assert not part(room, "history_back").isEnabled()
        press("Escape")
        assert room.session.read_only == why
        assert room.session.rating.answers.targets["s1"]["accuracy"] == "accurate"
        rooms.shut(room)
