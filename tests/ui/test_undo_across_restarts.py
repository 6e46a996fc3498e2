"""What was done can be taken back and done again, also after the program was closed, and after saves that failed."""

import shutil
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, example, given, settings

from desktop_rater.format.change import Progress
from desktop_rater.format.edit import plain_rater_content
from desktop_rater.format.rating import Rating
from desktop_rater.operations.bundles.import_bundle import import_bundle
from desktop_rater.ui.rating.rating_state import RatingState
from tests.operations.bundles import NOON, RATER, make, task, writer
from tests.rubric.test_edits import sittings
from tests.ui.plays import PLAYS, TEXTS, URLS, Play, store_with_a_task
from tests.ui.rooms import part, press, press_until, type_text


@pytest.fixture(scope="module")
def imported(tmp_path_factory):
    """A store with one task."""
    return store_with_a_task(tmp_path_factory.mktemp("imported"))


@pytest.fixture
def play(qapp, imported, tmp_path):
    """A play on a store of its own."""
    shutil.copytree(imported, tmp_path / "store")
    play = Play(tmp_path / "store")
    yield play
    play.sitting.close()


def test_undone_in_one_breath_every_state_between_is_there_to_be_redone(play):
    for n in range(1, 7):
        play.do("evidence", n)
    back = play.sitting.all_back()  # faster than the store: most of these steps are saved as one
    assert len(back) == 8
    play.sitting.again()
    assert play.sitting.all_forth() == back


def test_what_was_never_stored_by_itself_goes_between_what_was(play):
    play.do("disk full", 0)
    play.do("evidence", 1)
    play.do("note", 1)
    play.do("disk free", 0)
    end = play.sitting.now
    play.do("undo", 0)  # a state that the store has never seen: the two steps came to it as one
    play.sitting.wait_until_saved()
    between = play.sitting.now
    play.sitting.again()
    assert play.sitting.now == between
    assert play.sitting.redo()
    assert play.sitting.now == end
    assert play.sitting.undo()
    assert play.sitting.undo()
    assert play.sitting.now == play.states[1]


def test_time_and_opened_pages_are_no_steps_and_are_never_taken_back(play):
    play.do("evidence", 0)
    play.do("pass time", 0)
    play.do("open a page", 0)
    play.do("note", 1)
    play.sitting.again()
    session = play.sitting.session
    assert play.sitting.undo()
    assert play.sitting.undo()
    assert play.sitting.now == play.states[1]
    assert session.rating.time.active_seconds == 7
    assert session.rating.links_opened == (URLS[0],)
    assert play.sitting.redo()
    assert session.rating.evidence[0].opened is not None, "the page was opened, whatever was undone meanwhile"


def test_something_new_leaves_nothing_to_be_redone(play):
    play.do("note", 1)
    play.do("undo", 0)
    play.sitting.again()
    play.do("evidence", 0)
    play.sitting.again()
    assert not play.sitting.redo()
    assert play.sitting.all_back() == play.states


def test_the_steps_of_this_sitting_join_those_of_the_last(play):
    play.do("note", 1)
    play.sitting.again()
    play.do("note", 2)
    play.do("undo", 0)
    play.do("undo", 0)
    play.do("undo", 0)
    assert play.at == 0
    for _ in range(3):
        play.do("redo", 0)
    assert play.sitting.session.rating.note == TEXTS[2]


def test_a_revision_that_was_altered_is_stepped_over(play):
    for n in (1, 2, 3):
        play.do("note", n)
    db = play.sitting.writer.db
    trigger = db.execute("SELECT sql FROM sqlite_schema WHERE name = 'ratings_never_change'").fetchone()[0]
    db.execute("DROP TRIGGER ratings_never_change")
    db.execute("UPDATE ratings SET body = replace(body, 'incomplete', 'complete') WHERE revision = 3")
    db.execute(trigger)
    play.sitting.again()
    assert play.sitting.undo()
    assert play.sitting.session.rating.note == TEXTS[1]


def test_a_read_that_fails_says_so_and_is_tried_again(play):
    play.do("note", 1)
    play.sitting.again()
    sitting, said = play.sitting, []
    sitting.perform.failed.connect(said.append)
    db = sitting.writer.db
    db.execute("ALTER TABLE bundles RENAME TO elsewhere")
    assert not sitting.undo()
    assert len(said) == 1, "the rater is told"
    db.execute("ALTER TABLE elsewhere RENAME TO bundles")
    assert sitting.undo()
    assert sitting.now == play.states[1]


# -- in the window


def test_a_rater_takes_back_what_was_done_yesterday(room, rooms):
    for keys in ("Y", "J"), ("N", "K"), ("W",):
        rooms.press_and_save(room, *keys)
    type_text("Said in the guide.")
    rooms.wait_until_saved(room)
    room = rooms.reopened(room)
    rooms.qtbot.waitUntil(lambda: part(room, "text_comment").hasFocus())  # where the rater was
    press_until(rooms.qtbot, lambda: "comment" not in room.session.rating.answers.targets["s1"], "Escape", "Ctrl+Z")
    press("Ctrl+Z")
    assert "s2" not in room.session.rating.answers.targets
    assert room.session.place.target == "s2", "the rater stands where it was done"
    assert room.session.current_question == "factual"
    press("Ctrl+Z")
    assert not room.session.rating.answers.targets
    rooms.qtbot.waitUntil(lambda: not room.commands.actions["undo"].isEnabled())
    press("Ctrl+Shift+Z", "Ctrl+Shift+Z", "Ctrl+Shift+Z")
    assert room.session.rating.answers.targets["s1"]["comment"] == "Said in the guide."
    assert not room.commands.actions["redo"].isEnabled()
    rooms.wait_until_saved(room)
    assert rooms.stored("t1").answers.targets["s2"] == {"factual": "no"}


def test_the_menus_know_what_was_done_yesterday_once_the_rater_stays(room, rooms):
    rooms.press_and_save(room, "Y", "Ctrl+Z")
    room = rooms.reopened(room)
    assert room.session.undo_history.earlier, "opening a task reads none of its revisions"
    assert room.companions.recalling.timer.isActive()
    rooms.qtbot.waitUntil(lambda: not room.session.undo_history.earlier)
    assert not room.commands.actions["undo"].isEnabled()
    assert room.commands.actions["redo"].isEnabled()
    press("Ctrl+Shift+Z")
    assert room.session.rating.answers.targets["s1"]["factual"] == "yes"


def test_the_steps_of_a_task_wait_while_another_one_is_rated(room, rooms):
    press("Y", "1")
    rooms.press_for_task(room, "t2", "Ctrl+PgDown")
    rooms.press_for_task(room, "t1", "N", "Ctrl+PgUp")
    press("Ctrl+Z")
    assert room.session.rating.answers.targets["s1"] == {"factual": "yes"}
    press("Ctrl+Z")
    assert not room.session.rating.answers.targets
    rooms.press_for_task(room, "t2", "Ctrl+PgDown")
    assert room.session.rating.answers.targets["s1"] == {"factual": "no"}


def test_what_was_finished_before_the_task_changed_is_not_finished_by_undoing(rooms):
    room = rooms.with_tasks(task("t1"), task("t2"))
    rooms.press_for_task(room, "t2", "N", "Return")
    rooms.wait_until_saved(room)
    assert rooms.stored("t1").status == "complete"
    rooms.shut(room)
    late = make(rooms.folder / "bundle.zip", [task("t1", "Paris lies on the Loire."), task("t2")], revision=2)
    with writer(rooms.folder / "store") as store:
        import_bundle(store, late, progress=Progress(), now=lambda: NOON + timedelta(hours=1))
    room = rooms.at_task("t2")
    rooms.press_for_task(room, "t1", "Ctrl+PgUp")
    press_until(rooms.qtbot, lambda: not room.session.undo_history.earlier, "Backspace", "Ctrl+Z", "Ctrl+Z", "Ctrl+Z")
    assert room.session.rating.answers.targets.get("s1", {}) == {}, "answers of before the import are taken back too"
    press("Ctrl+Shift+Z", "Ctrl+Shift+Z")
    assert room.session.rating.answers.targets["s1"] == {"factual": "no"}
    assert room.session.rating.status == "incomplete"


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(plays=PLAYS)
@example(plays=[("undo", 0), ("skip", 0), ("skip", 0), ("answer", 0)])  # one state twice
@example(plays=[("answer", 0), ("answer", 7), ("answer", 0), ("disk full", 0)])  # back and forth in one save
def test_undone_to_the_beginning_and_redone_to_the_end_it_is_the_same(qapp, imported, tmp_path_factory, plays):
    folder = tmp_path_factory.mktemp("play") / "store"
    shutil.copytree(imported, folder)
    play = Play(folder)
    try:
        for name, n in plays:
            play.do(name, n)
        play.restart()
        play.states[play.at + 1 :] = play.sitting.all_forth()[1:]
        end = play.sitting.now
        back = play.sitting.all_back()
        assert back == play.states, "every state is there, in its order"
        assert back[0] == plain_rater_content(Rating(task="t1", rater=RATER)), "the beginning is the task as it came"
        play.sitting.again()
        assert play.sitting.now == back[0]
        play.sitting.all_back()  # of two equal states no revision says which one it is
        assert play.sitting.all_forth() == back
        assert play.sitting.now == end
    finally:
        play.sitting.close()
        shutil.rmtree(folder.parent)


@given(sittings())
def test_after_each_edit_the_states_of_all_targets_are_those_of_a_task_that_is_opened_anew(sitting):
    rubric, task, (first, *states) = sitting
    state = RatingState.of("b", task, rubric, first)
    for rating in states:
        assert state.target_states  # known to the next state
        state = state.with_rating(rating)
        assert state.target_states == RatingState.of("b", task, rubric, rating).target_states
