"""What a lead does in the review while something is still being read, stored or computed."""

from contextlib import contextmanager
from threading import Event

import pytest

from desktop_rater.audit.adjudication import fit_label_rule
from desktop_rater.audit.questions import LabelChoice
from desktop_rater.format.change import Change
from desktop_rater.format.errors import RaterError
from desktop_rater.store.errors import StoreDamaged
from desktop_rater.ui.review import desk as desk_module
from tests.operations.bundles import rating, task
from tests.operations.rated import results_of
from tests.ui.leads import lead_review
from tests.ui.reviews import told
from tests.ui.rooms import press, press_until

TASKS = tuple(f"t-{number}" for number in range(1, 6))
FIRST, LAST = (TASKS[0], "targets/s1"), (TASKS[-1], "targets/s1")
WAIT = 20  # seconds until a held queue goes on by itself, so that a failed test ends


@pytest.fixture
def results(rooms):
    """The results of two bundles with tasks of the same names."""

    def of(bundle, raters):
        given = {rater: [rating(name) for name in TASKS] for rater in raters}
        return results_of(rooms.folder / bundle, [task(name) for name in TASKS], given, called=bundle)

    return [*of("b", ("ann", "ben")), *of("c", ("cy", "dee"))]


@pytest.fixture
def room(rooms, results):
    """The window of a lead who reviews the first bundle, with its first place before the lead."""
    room = lead_review(rooms, results)
    rooms.qtbot.waitUntil(lambda: review(room).navigator.item is not None and review(room).navigator.is_shown)
    return room


def review(room):
    return room.screens.screen("review")


def audited(room):
    return room.lead_screens.context.audited


@contextmanager
def held(start):
    """Hold a queue while the block runs. `start` runs a function in it."""
    begun, go_on = Event(), Event()

    def wait(_store):
        begun.set()
        assert go_on.wait(WAIT)
        return Change()

    start(wait, done=lambda _result: None)
    assert begun.wait(WAIT)
    try:
        yield
    finally:
        go_on.set()


def held_reading(room):
    return held(room.lead_screens.context.perform.ask)


def held_storing(room):
    return held(room.lead_screens.context.perform.perform)


def test_keys_pressed_before_a_task_is_read_apply_to_its_place_once_it_is_shown(rooms, room):
    screen = review(room)
    grid, bar = screen.compare.grid, screen.compare.verdict
    with held_reading(room):
        screen.navigator.go(LAST)
        press("2", "B", "4")
        assert grid.comparison.name == FIRST, "the place before stays until the next one is read"
        assert not bar.is_writing
        press("Return")
    rooms.qtbot.waitUntil(lambda: grid.comparison.name == LAST)
    assert grid.chosen == "ben"
    assert bar.is_writing
    _verdict, reason, _comment = bar.draft
    assert reason == "search-too-thin"
    assert screen.desk.item.reviewed == "none", "what was not seen was not accepted"


def test_keys_for_a_place_that_was_left_before_it_was_read_are_forgotten(rooms, room):
    screen = review(room)
    with held_reading(room):
        screen.navigator.go(LAST)
        press("B")  # sends a rating back
        screen.navigator.go((TASKS[3], FIRST[1]))
    rooms.qtbot.waitUntil(lambda: screen.navigator.is_shown and screen.desk.task is not None)
    assert screen.desk.name[0] == TASKS[3]
    assert not screen.compare.verdict.is_writing


def test_a_column_of_the_place_before_chooses_no_rater_of_the_next_place(rooms, room):
    screen = review(room)
    with held_reading(room):
        screen.navigator.go(LAST)
        screen.compare.grid.choose(1)  # by the mouse
        assert screen.navigator.entry is None
        press("Return")
    rooms.qtbot.waitUntil(lambda: screen.compare.grid.comparison.name == LAST)
    assert screen.desk.item_of(FIRST).reviewed == screen.desk.item.reviewed == "none"


def test_the_next_group_is_chosen_once_its_place_is_shown(rooms, room):
    screen = review(room)
    grid = screen.compare.grid
    screen.navigator.switch_grouping()
    screen.navigator.show_raters(frozenset({"ben"}))  # a second column, beside that of the group
    screen.navigator.go(FIRST, "ben")
    with held_reading(room):
        screen.navigator.go(LAST)
        press("Left", "Right")
        assert grid.comparison.name == FIRST
    rooms.qtbot.waitUntil(lambda: grid.comparison.name == LAST)
    assert screen.navigator.entry.rater == "ben"


def test_a_verdict_that_is_not_stored_yet_stays_while_the_list_is_read_again(rooms, room):
    screen = review(room)
    with held_storing(room):
        press("Return")
        assert screen.desk.item_of(FIRST).entry("ann").verdict.kind == "accepted"
        for again in (screen.desk.read, audited(room)._load):  # in the same rows, and the whole list
            with rooms.qtbot.waitSignal(screen.desk.progressed):
                again()
            assert screen.desk.item_of(FIRST).entry("ann").verdict.kind == "accepted"
    rooms.qtbot.waitUntil(lambda: screen.recorder.is_idle)
    press_until(rooms.qtbot, lambda: screen.desk.item_of(FIRST).entry("ann").verdict is None, "Ctrl+Z")


def test_a_verdict_that_is_stored_after_another_bundle_was_opened_is_no_step_of_that_one(rooms, room):
    screen = review(room)
    with held_storing(room):
        press("Return")
        audited(room).open("c")
    rooms.qtbot.waitUntil(lambda: screen.recorder.is_idle and bool(screen.desk.items))
    assert told(rooms, "verdict", *FIRST, "ann", bundle="b")["kind"] == "accepted"
    assert not screen.recorder.can_undo
    audited(room).open("b")
    rooms.qtbot.waitUntil(lambda: screen.desk.item is not None and screen.desk.bundle == "b")
    assert screen.desk.item_of(FIRST).entry("ann").verdict.kind == "accepted"
    screen.recorder.take_back(screen.desk.item_of(FIRST), screen.desk.item_of(FIRST).entry("ann"))
    rooms.qtbot.waitUntil(lambda: screen.recorder.is_idle)
    assert told(rooms, "verdict", *FIRST, "ann", bundle="b")["kind"] == "none"
    press_until(rooms.qtbot, lambda: screen.desk.item_of(FIRST).entry("ann").verdict is not None, "Ctrl+Z")


def test_another_bundle_is_listed_while_a_model_of_the_first_is_fitted(rooms, room, monkeypatch):
    screen, begun, go_on = review(room), Event(), Event()

    def fit(*args):
        begun.set()
        assert go_on.wait(WAIT)
        return fit_label_rule(*args)

    monkeypatch.setattr(desk_module, "fit_label_rule", fit)
    screen.recorder.choose_labels(LabelChoice(by="dawid-skene"))
    rooms.qtbot.waitUntil(begun.is_set)
    audited(room).open("c")
    rooms.qtbot.waitUntil(lambda: screen.desk.bundle == "c" and bool(screen.desk.items))
    go_on.set()
    audited(room).open("b")
    rooms.qtbot.waitUntil(lambda: bool(screen.desk.items) and screen.desk.items[0].method == "dawid-skene")


def test_a_list_that_can_not_be_read_says_why_and_is_read_again(rooms, room, monkeypatch):
    screen = review(room)

    def refuse(*_args):
        raise StoreDamaged("A verdict was altered.", "It does not match its SHA-256.")

    with monkeypatch.context() as patch:
        patch.setattr(desk_module, "load_listing", refuse)
        audited(room).open("c")
        rooms.qtbot.waitUntil(lambda: "A verdict was altered." in (screen.banners.text("list_failed") or ""))
        assert not screen.desk.items
    screen.banners.banner("list_failed").buttons[0].click()
    rooms.qtbot.waitUntil(lambda: bool(screen.desk.items))
    assert screen.banners.text("list_failed") is None


def test_a_failure_to_read_one_bundle_does_not_keep_the_next_from_being_listed(rooms, room, monkeypatch):
    screen = review(room)
    loads = []
    load = desk_module.load_listing

    def refuse_once(*args):
        loads.append(args)
        if len(loads) == 1:
            raise RaterError("The first list can't be read.")
        return load(*args)

    monkeypatch.setattr(desk_module, "load_listing", refuse_once)
    with held_reading(room):
        screen.desk.read()
        audited(room).open("c")
    rooms.qtbot.waitUntil(lambda: screen.desk.bundle == "c" and bool(screen.desk.items))
    assert screen.banners.text("list_failed") is None
