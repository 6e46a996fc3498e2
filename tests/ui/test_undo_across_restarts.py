"""What was done can be taken back and done again, also after the program was closed, and after saves that failed."""

from __future__ import annotations

import shutil
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop_rater.model.difference import content
from desktop_rater.model.progress import Progress
from desktop_rater.model.rating import Rating
from desktop_rater.work.import_bundle import import_bundle
from tests.ui.rooms import SENTENCES, part, press, type_text
from tests.ui.sittings import Sitting
from tests.work.bundles import NOON, RATER, make, take_in, task, writer

TEXTS = ("", "Because.", "Za\u0308hlt nicht: \U0001f469\u200d\U0001f52c \u200fمرحبا", "two\r\nlines\u2028and one")
URLS = ("https://example.org/a", "https://example.org/b", "not a link")


# -- what a rater does; `n` chooses among what there is to choose from


def answer(session, n):
    asked = [one.question for one in session.shown if one.question.choices]
    if asked:
        question = asked[n % len(asked)]
        choice = question.choices[n // 7 % len(question.choices)].id
        session.answer(question.id, [choice] if question.kind == "choices" else choice)


def clear(session, n):
    given_now = [one.question.id for one in session.shown if one.asked.value is not None]
    if given_now:
        session.answer(given_now[n % len(given_now)], None)


def write(session, n):
    texts = [one.question.id for one in session.shown if one.question.kind == "text"]
    for end in range(1, len(TEXTS[n % len(TEXTS)]) + 1) if texts else ():
        session.answer(texts[0], TEXTS[n % len(TEXTS)][:end], typing=True)
    session.pause_typing()


def claim(session, n):
    target = session.target
    if target is not None:
        session.add_claim(target.start + n % 5, target.end - n % 3)


def remove_claim(session, n):
    if session.claims:
        session.remove_claim(session.claims[n % len(session.claims)].id)


def evidence(session, n):
    session.add_evidence(URLS[n % len(URLS)])


def change_evidence(session, n):
    if session.evidence:
        name = session.evidence[n % len(session.evidence)].id
        if n % 2:
            session.set_stance(name, ("supporting", "contradicting")[n // 3 % 2])
        else:
            session.change_evidence(name, quote=TEXTS[n // 5 % len(TEXTS)])


def remove_evidence(session, n):
    if session.evidence:
        session.remove_evidence(session.evidence[n % len(session.evidence)].id)


def acknowledge(session, n):
    warnings = [one for one in session.outcome.problems if one.level == "warn"]
    if warnings:
        session.acknowledge(warnings[n % len(warnings)].rule, warnings[n % len(warnings)].where, "I know.")


def border(session, n):
    if session.target is not None:
        session.correct_border(session.target.start + n % 3, session.target.end - n % 4)


def skip(session, n):
    if session.rating.status == "skipped":
        session.take_up()
    else:
        session.skip_task("other", TEXTS[n % len(TEXTS)])


ACTS = {
    "answer": answer,
    "clear": clear,
    "write": write,
    "claim": claim,
    "remove claim": remove_claim,
    "evidence": evidence,
    "change evidence": change_evidence,
    "remove evidence": remove_evidence,
    "acknowledge": acknowledge,
    "border": border,
    "skip": skip,
    "note": lambda session, n: session.note_to_lead(TEXTS[n % len(TEXTS)]),
    "finish": lambda session, _n: session.finish(),
    "confirm": lambda session, _n: session.confirm_suggestions(),
}
# What is no answer, and is never taken back.
BESIDE = {
    "go": lambda session, n: session.go_to(session.stops[n % len(session.stops)]),
    "open a page": lambda session, n: session.opened_link(URLS[n % 2], "2026-11-20T12:00:00Z"),
}
WAYS = ("undo", "redo", "restart", "come back", "pass time", "disk full", "disk free")
PLAYS = st.lists(
    st.tuples(
        st.one_of(st.sampled_from(("answer", "undo")), st.sampled_from((*ACTS, *BESIDE, *WAYS))), st.integers(0, 200)
    ),
    max_size=22,
)


class Play:
    """A session as it is played, beside the simplest thing that it could be: a list of states and a finger on it."""

    def __init__(self, folder):
        self.sitting = Sitting(folder)
        self.states, self.at = [self.sitting.now], 0
        self.full = self.rough = False
        self.sitting.session.answer("factual", "yes")  # from here on claims and evidence are asked for
        self.took_step()
        self.sitting.wait_until_saved()

    def do(self, name, n):
        session = self.sitting.session
        if name in WAYS:
            {"undo": self.undo, "redo": self.redo, "restart": self.restart, "come back": self.come_back}.get(
                name, lambda: self.beside(name)
            )()
        else:
            {**ACTS, **BESIDE}[name](session, n)
            self.took_step()
        if not self.full:
            self.sitting.wait_until_saved()

    def took_step(self):
        if self.sitting.now != self.states[self.at]:
            self.states[self.at + 1 :] = [self.sitting.now]
            self.at += 1

    def undo(self):
        if self.sitting.undo():
            self.at -= 1
        else:
            assert self.at == 0, "a step can't be taken back"
        assert self.sitting.now == self.states[self.at]

    def redo(self):
        if self.sitting.redo():
            self.at += 1
        else:
            assert self.at == len(self.states) - 1, "a step can't be done again"
        assert self.sitting.now == self.states[self.at]

    def beside(self, name):
        if name == "pass time":
            self.sitting.clock.seconds += 7
            return
        self.full = name == "disk full"
        self.rough |= self.full
        self.sitting.refuse_writes(on=self.full)
        if not self.full:
            self.sitting.saver.try_now()

    def come_back(self):
        """Leave the task and take it up again in the same sitting."""
        self.sitting.session.close()
        self.sitting.open()
        assert self.sitting.now == self.states[self.at]

    def restart(self):
        self.full = False
        before = self.sitting.now
        self.sitting.again()
        assert self.sitting.now == before, "an answer is lost"
        if self.rough:
            self.learn()

    def learn(self):
        """Saves that came late came together: the steps between are fewer, and both ends are where they were."""
        here, first = self.sitting.now, self.states[0]
        back = self.sitting.all_back()
        assert back[0] == first, "undone to the end it is the beginning"
        assert back[-1] == here
        self.states = self.sitting.all_forth()
        self.at = len(back) - 1
        assert self.states[: len(back)] == back
        for _ in self.states[len(back) :]:
            assert self.sitting.undo()
        self.sitting.wait_until_saved()
        self.rough = False


@pytest.fixture(scope="module")
def imported(tmp_path_factory):
    """A store with one task."""
    folder = tmp_path_factory.mktemp("imported")
    suggested = {"targets": {"s1": {"factual": "yes", "common_knowledge": "right"}}}
    bundle = make(folder / "bundle.zip", [task("t1", *SENTENCES, suggestions=suggested), task("t2")])
    with writer(folder / "store") as store:
        take_in(store, bundle)
    return folder / "store"


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(plays=PLAYS)
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
        assert back[0] == content(Rating(task="t1", rater=RATER)), "the beginning is the task as it came"
        play.sitting.again()
        assert play.sitting.now == back[0]
        assert play.sitting.all_forth() == back
        assert play.sitting.now == end
    finally:
        play.sitting.close()
        shutil.rmtree(folder.parent)


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
    db = play.sitting.writer.db.conn
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
    sitting.perform.trouble.connect(said.append)
    db = sitting.writer.db.conn
    db.execute("ALTER TABLE bundles RENAME TO elsewhere")
    assert not sitting.undo()
    assert len(said) == 1, "the rater is told"
    db.execute("ALTER TABLE elsewhere RENAME TO bundles")
    assert sitting.undo()
    assert sitting.now == play.states[1]


# -- in the window


def test_a_rater_takes_back_what_was_done_yesterday(room, rooms):
    for keys in ("Y", "J"), ("N", "K"), ("W",):
        press(*keys)
        rooms.wait_until_saved(room)
    type_text("Said in the guide.")
    rooms.wait_until_saved(room)
    rooms.shut(room)
    room = rooms.empty()
    rooms.wait_for_task(room)
    rooms.qtbot.waitUntil(lambda: part(room, "text_comment").hasFocus())  # where the rater was
    press("Escape", "Ctrl+Z")
    rooms.qtbot.waitUntil(lambda: "comment" not in room.session.rating.answers.targets["s1"])
    press("Ctrl+Z")
    assert "s2" not in room.session.rating.answers.targets
    assert room.session.place.target == "s2", "the rater stands where it was done"
    assert room.session.rail == "factual"
    press("Ctrl+Z")
    assert not room.session.rating.answers.targets
    rooms.qtbot.waitUntil(lambda: not room.commands.actions["undo"].isEnabled())
    press("Ctrl+Shift+Z", "Ctrl+Shift+Z", "Ctrl+Shift+Z")
    assert room.session.rating.answers.targets["s1"]["comment"] == "Said in the guide."
    assert not room.commands.actions["redo"].isEnabled()
    rooms.wait_until_saved(room)
    assert rooms.stored("t1").answers.targets["s2"] == {"factual": "no"}


def test_the_menus_know_what_was_done_yesterday_once_the_rater_stays(room, rooms):
    press("Y", "Ctrl+Z")
    rooms.wait_until_saved(room)
    rooms.shut(room)
    room = rooms.empty()
    rooms.wait_for_task(room)
    assert room.session.earlier, "opening a task reads none of its revisions"
    assert room.beside.recalling.timer.isActive()
    rooms.qtbot.waitUntil(lambda: not room.session.earlier)
    assert not room.commands.actions["undo"].isEnabled()
    assert room.commands.actions["redo"].isEnabled()
    press("Ctrl+Shift+Z")
    assert room.session.rating.answers.targets["s1"]["factual"] == "yes"


def test_the_steps_of_a_task_wait_while_another_one_is_rated(room, rooms):
    press("Y", "1")
    press("Ctrl+PgDown")
    rooms.wait_for_task(room, "t2")
    press("N", "Ctrl+PgUp")
    rooms.wait_for_task(room, "t1")
    press("Ctrl+Z")
    assert room.session.rating.answers.targets["s1"] == {"factual": "yes"}
    press("Ctrl+Z")
    assert not room.session.rating.answers.targets
    press("Ctrl+PgDown")
    rooms.wait_for_task(room, "t2")
    assert room.session.rating.answers.targets["s1"] == {"factual": "no"}


def test_what_was_finished_before_the_task_changed_is_not_finished_by_undoing(rooms):
    room = rooms.with_tasks(task("t1"), task("t2"))
    press("N", "Return")
    rooms.wait_for_task(room, "t2")
    rooms.wait_until_saved(room)
    assert rooms.stored("t1").status == "complete"
    rooms.shut(room)
    late = make(rooms.folder / "bundle.zip", [task("t1", "Paris lies on the Loire."), task("t2")], revision=2)
    with writer(rooms.folder / "store") as store:
        import_bundle(store, late, progress=Progress(), now=lambda: NOON + timedelta(hours=1))
    room = rooms.empty()
    rooms.wait_for_task(room, "t2")
    press("Ctrl+PgUp")
    rooms.wait_for_task(room, "t1")
    press("Backspace", "Ctrl+Z", "Ctrl+Z", "Ctrl+Z")
    rooms.qtbot.waitUntil(lambda: not room.session.earlier)
    assert room.session.rating.answers.targets.get("s1", {}) == {}, "answers of before the import are taken back too"
    press("Ctrl+Shift+Z", "Ctrl+Shift+Z")
    assert room.session.rating.answers.targets["s1"] == {"factual": "no"}
    assert room.session.rating.status == "incomplete"
