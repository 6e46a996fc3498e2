"""Research time: what counts as work on a target, and that no second of it is lost or counted twice."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

from desktop_rater.format.rating import Rating, TimeSpent
from desktop_rater.operations.rating import rater_state
from desktop_rater.operations.rating.open_task import open_task
from desktop_rater.operations.self_test import sample_bundle_path
from desktop_rater.store import state
from desktop_rater.store.open_store import open_reader
from desktop_rater.ui.rating.work_time import ActiveTime
from tests.operations.bundles import RATER, take_in, task, writer
from tests.ui.research_until_killed import RATER as KILLED
from tests.ui.rooms import Clock, press, type_text

# -- what counts


def test_the_target_that_is_worked_on_gets_the_time(room, rooms):
    rooms.clock.seconds += 20
    press("J")
    rooms.clock.seconds += 30
    press("K")
    rooms.clock.seconds += 5
    press("N")
    assert room.session.rating.time == TimeSpent(active_seconds=55, targets={"s1": 25, "s2": 30})


def test_short_stays_at_many_targets_add_up_to_the_time_of_the_task(rooms):
    room = rooms.with_tasks(task("t1", *(f"Sentence {n} is short." for n in range(9))))
    for _target in range(8):
        rooms.clock.seconds += 0.75
        press("J")
    press("N")
    time = room.session.rating.time
    assert time.active_seconds == sum(time.targets.values()) == 6
    assert max(time.targets.values()) == 1


def test_it_stops_two_minutes_after_the_last_input(room, rooms):
    rooms.let_pass(room, 1_000)
    assert int(room.session.seconds_here()) == 120


def test_it_stops_while_another_window_has_the_keys(room, rooms, qtbot):
    rooms.clock.seconds += 20
    other = QWidget()
    qtbot.addWidget(other)
    other.show()
    other.activateWindow()
    qtbot.waitUntil(lambda: not room.window.isActiveWindow())
    rooms.clock.seconds += 50
    room.window.activateWindow()
    qtbot.waitUntil(room.window.isActiveWindow)
    rooms.clock.seconds += 5
    assert int(room.session.seconds_here()) == 25


def test_it_stops_while_the_machine_sleeps(room, rooms):
    rooms.clock.seconds += 20
    room.session.seconds_here()
    rooms.clock.seconds += 8 * 3600
    assert int(room.session.seconds_here()) == 20
    press("N")
    rooms.clock.seconds += 5
    press("Ctrl+Z")
    assert room.session.rating.time == TimeSpent(active_seconds=25, targets={"s1": 25})


def test_turning_the_wheel_over_a_text_is_work(room, rooms):
    rooms.let_pass(room, 100)
    window = room.window.windowHandle()
    at = QPointF(room.window.text_pane.panes[0].view.mapTo(room.window, QPoint(50, 50)))
    no, phase = Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase
    wheel = QWheelEvent(at, at, QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton, no, phase, False)
    QApplication.sendEvent(window, wheel)
    rooms.let_pass(room, 1_000)
    assert int(room.session.seconds_here()) == 220


# -- from one window to the next


def test_time_that_no_rating_holds_goes_on_in_the_next_window(room, rooms, monkeypatch):
    rooms.clock.seconds += 45
    press("J")
    rooms.clock.seconds += 15
    rooms.shut(room)
    assert rooms.stored("t1").time == TimeSpent(), "nothing was answered, so nothing was saved"
    again = rooms.empty()
    again.companions.time_keeping.timer.stop()
    monkeypatch.setattr(again.companions.time_keeping, "_grown", dict)  # a killed window, that saves no more seconds
    rooms.wait_for_task(again)
    session = again.session
    press("K")
    assert int(session.seconds_here()) == 45
    rooms.clock.seconds += 5
    press("N")
    assert session.rating.time == TimeSpent(active_seconds=65, targets={"s1": 50, "s2": 15})
    rooms.wait_until_saved(again)
    rooms.shut(again)
    assert kept(rooms) == {"t1": 60}, "what is kept is older than the rating"
    third = rooms.empty()
    rooms.wait_for_task(third)
    press("Y")
    assert third.session.rating.time == TimeSpent(active_seconds=65, targets={"s1": 50, "s2": 15})


def test_a_task_that_was_only_looked_at_keeps_its_time(room, rooms):
    rooms.clock.seconds += 30
    press("Ctrl+PgDown")
    rooms.wait_for_task(room, "t2")
    rooms.clock.seconds += 7
    rooms.shut(room)
    again = rooms.empty()
    rooms.wait_for_task(again, "t2")
    assert int(again.session.seconds_here()) == 7
    press("Ctrl+PgUp")
    rooms.wait_for_task(again, "t1")
    assert int(again.session.seconds_here()) == 30


def test_coming_back_to_a_task_in_the_same_window_adds_nothing(room, rooms):
    for _ in range(3):
        rooms.clock.seconds += 10
        keep(rooms, room)
        press("Ctrl+PgDown")
        rooms.wait_for_task(room, "t2")
        press("Ctrl+PgUp")
        rooms.wait_for_task(room, "t1")
    assert int(room.session.seconds_here()) == 30


def test_a_window_that_nobody_uses_writes_nothing(room, rooms, monkeypatch):
    rooms.let_pass(room, 300)
    keep(rooms, room)
    assert kept(rooms) == {"t1": 120}
    asked = []
    monkeypatch.setattr(room.perform, "perform", lambda work, *_args, **_more: asked.append(work))
    rooms.let_pass(room, 3_000)
    room.companions.time_keeping.save()
    assert asked == []


def test_what_a_rating_holds_is_not_kept_beside_it(room, rooms):
    rooms.clock.seconds += 40
    keep(rooms, room)
    assert kept(rooms) == {"t1": 40}
    press("N")
    rooms.wait_until_saved(room)
    keep(rooms, room)
    assert kept(rooms) == {}


def test_it_is_kept_beside_a_rating_that_is_not_saved_yet(room, rooms):
    press("Y", "W")
    rooms.wait_until_saved(room)
    rooms.clock.seconds += 40
    keep(rooms, room)
    type_text("x")
    assert room.session.rating.time.active_seconds == 40, "the rating on the screen holds it"
    keep(rooms, room)
    assert kept(rooms) == {"t1": 40}
    rooms.wait_until_saved(room)
    keep(rooms, room)
    assert kept(rooms) == {}


@pytest.mark.parametrize("found", ["nonsense", [{"bundle": 1}], {"a": 1}, [{"bundle": "bundle", "task": "t1"}]])
def test_what_was_kept_and_makes_no_sense_counts_nothing(room, rooms, found):
    rooms.shut(room)
    with writer(rooms.folder / "store") as store:
        state.put_state(store, f"time of {RATER}", found)
    again = rooms.empty()
    rooms.wait_for_task(again)
    assert again.session.seconds_here() == 0


def keep(rooms, room):
    """Keep the time now, as it is kept every few seconds."""
    keeping = room.companions.time_keeping
    for _ in range(2):  # what is on its way goes first
        keeping.save()
        rooms.qtbot.waitUntil(lambda: not keeping.is_busy)


def kept(rooms):
    """Task → the seconds kept beside its rating."""
    store = open_reader(rooms.folder / "store")
    assert store is not None
    with store:
        seconds = {name: rater_state.load_time(store, RATER, "bundle", name).active_seconds for name in ("t1", "t2")}
    return {name: spent for name, spent in seconds.items() if spent}


# -- nothing twice, nothing lost

TARGETS = st.sampled_from(["s1", "s2", None])
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("work"), TARGETS, st.floats(0, 100)),
        st.tuples(st.sampled_from(["answer", "rating is stored", "sums are sent", "sums are stored", "killed"])),
    ),
    max_size=60,
)


class Life:
    """A rater at a window that is killed now and then; what is on its way to the store comes in any order."""

    def __init__(self) -> None:
        self.stored = Rating(task="t")
        self.kept = TimeSpent()
        self.worked: dict[str | None, float] = {}
        self.kills = 0
        self.start()

    def start(self) -> None:
        self.clock = Clock()
        self.active = ActiveTime(self.clock)
        self.rating = self.stored
        self.active.register_task("b", self.rating, self.kept)
        self.ratings: list[Rating] = []
        self.sums: list[TimeSpent] = []

    def do(self, step: str, target: str | None = None, seconds: float = 0) -> None:
        match step:
            case "work":
                self.active.move(("b", "t", target))
                self.active.touch()
                self.clock.seconds += seconds
                self.active.move(None)
                self.worked[target] = self.worked.get(target, 0) + seconds
            case "answer":
                self.rating = self.active.added_to(self.rating, "b")
                self.ratings.append(self.rating)
            case "rating is stored" if self.ratings:
                self.stored, self.ratings = self.ratings[-1], []  # the newer one in the place of those that wait
            case "sums are sent":
                self.sums.append(self.active.spent()["b", "t"])
            case "sums are stored" if self.sums:
                self.kept = self.sums.pop(0)
            case "killed":
                self.check()
                # What was not stored is lost, and nothing else.
                known = {target: self.of(target) for target in self.worked}
                self.kills += 1
                self.start()
                assert {target: self.of(target) for target in self.worked} == known
                self.worked = {target: float(seconds) for target, seconds in known.items()}

    def of(self, target: str | None) -> float:
        """The seconds that the store knows."""
        return max(_of(self.stored.time, target), _of(self.kept, target))

    def check(self) -> None:
        known = self.active.spent()["b", "t"]
        for target, seconds in self.worked.items():
            assert _of(known, target) <= seconds + 1e-6, "no second twice"
            assert _of(known, target) > seconds - 1 - 1e-6, "none is lost but a fraction"
            assert self.of(target) <= _of(known, target)


def _of(spent: TimeSpent, target: str | None) -> float:
    if target is not None:
        return spent.targets.get(target, 0)
    return spent.active_seconds - sum(spent.targets.values())


@settings(max_examples=300, deadline=None)
@given(STEPS)
def test_no_second_counts_twice_whatever_is_stored_first(steps):
    life = Life()
    for step in steps:
        life.do(*step)
    life.check()
    life.do("killed")
    assert life.active.spent()["b", "t"].active_seconds == max(
        life.stored.time.active_seconds, life.kept.active_seconds
    )


@pytest.mark.parametrize("seed", range(3))
def test_a_killed_window_loses_what_it_had_not_kept_and_counts_nothing_twice(tmp_path, seed):
    folder = tmp_path / "store"
    with writer(folder) as store:
        bundle = take_in(store, sample_bundle_path()).id
    before = 0.0
    for life in range(3):
        command = [sys.executable, "-m", "tests.ui.research_until_killed", str(folder), str(seed)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as window:
            assert window.stdout is not None
            lines = [window.stdout.readline() for _ in range(60 + 37 * seed + 23 * life)]
            assert all(lines), "the window ended by itself"
            window.kill()
            lines += [line for line in window.stdout if line.endswith("\n")]
        said = [line.split() for line in lines]
        assert len({task for _word, task, _seconds in said}) == 1
        worked = sum(float(seconds) for word, _task, seconds in said if word == "worked")
        acknowledged = max(float(seconds) for word, _task, seconds in said if word == "kept")
        stored = seconds_of(folder, bundle, said[0][1])
        assert before < acknowledged <= stored <= before + worked, (seed, life)
        before = stored


def seconds_of(folder: Path, bundle: str, task: str) -> float:
    """All active seconds that the store knows of a task."""
    store = open_reader(folder)
    assert store is not None
    with store:
        opened = open_task(store, bundle, task, KILLED)
    return max(opened.spent.active_seconds, opened.rating.time.active_seconds)
