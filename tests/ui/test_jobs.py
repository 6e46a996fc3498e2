"""Work off the GUI thread, its callbacks on it, and what goes first."""

from threading import Event, current_thread, main_thread
from typing import cast

import pytest
from PySide6.QtCore import QObject
from shiboken6 import isValid

from desktop_rater.format.change import Cancelled, Change
from desktop_rater.format.errors import RaterError
from desktop_rater.store.store import Store
from desktop_rater.ui.window.crash_report import error_places
from desktop_rater.ui.window.jobs import Jobs, WorkRunner

CHANGE = Change(bundles=frozenset({"b"}))


@pytest.fixture
def jobs(qtbot):
    jobs = Jobs()
    yield jobs
    jobs.close()


@pytest.fixture
def perform(jobs):
    store = cast("Store", "a store")
    return WorkRunner(jobs, store, store, jobs)


def test_callbacks_come_home(jobs, qtbot):
    threads = []
    jobs.start(
        lambda progress: [threads.append(current_thread()), progress(1, 2)],
        queue="read",
        receiver=jobs,
        progressed=lambda done, total: threads.append((done, total, current_thread())),
        done=lambda _result: threads.append(current_thread()),
    )
    qtbot.waitUntil(lambda: len(threads) == 3)
    work, progressed, done = threads
    assert work is not main_thread()
    assert progressed == (1, 2, main_thread())
    assert done is main_thread()


def test_what_goes_first_overtakes_what_waits_and_runs_inside_what_reports(jobs, qtbot):
    order, started, gate = [], Event(), Event()

    def slow(progress):
        order.append("slow begins")
        started.set()
        gate.wait(5)
        progress(1, 2)
        order.append("slow ends")

    jobs.start(slow, queue="store", receiver=jobs)
    jobs.start(lambda _: order.append("waits"), queue="store", receiver=jobs)
    started.wait(5)
    for name in ("first", "second"):
        jobs.start(lambda _, name=name: order.append(name), queue="store", receiver=jobs, first=True)
    gate.set()
    qtbot.waitUntil(lambda: len(order) == 5)
    assert order == ["slow begins", "first", "second", "slow ends", "waits"]


def test_a_failure_of_what_goes_first_is_its_own(jobs, qtbot):
    said = []

    def slow(progress):
        progress(1, 2)
        return "slow"

    def fails(_progress):
        raise RaterError("No.")

    jobs.start(fails, queue="store", receiver=jobs, failed=said.append, first=True)
    jobs.start(slow, queue="store", receiver=jobs, done=said.append)
    qtbot.waitUntil(lambda: len(said) == 2)
    assert str(said[0]) == "No."
    assert said[1] == "slow"


def test_cancelled_work_ends_without_a_word(jobs, qtbot):
    said, ended, started, gate = [], Event(), Event(), Event()

    def work(progress):
        started.set()
        gate.wait(5)
        try:
            progress(1, 2)
        finally:
            ended.set()

    running = jobs.start(work, queue="store", receiver=jobs, done=said.append, failed=said.append)
    started.wait(5)
    jobs.cancel(running)
    gate.set()
    qtbot.waitUntil(ended.is_set)
    qtbot.waitUntil(lambda: not jobs._running)
    assert said == []


def test_a_receiver_that_is_gone_is_not_called(jobs, qtbot):
    said, gate, receiver = [], Event(), QObject()
    jobs.start(lambda _: gate.wait(5), queue="read", receiver=receiver, done=said.append)
    receiver.deleteLater()
    qtbot.waitUntil(lambda: not isValid(receiver))
    gate.set()
    qtbot.waitUntil(lambda: not jobs._running)
    assert said == []


def test_closing_finishes_every_write(qtbot):
    jobs, written = Jobs(), []
    for number in range(50):
        jobs.start(lambda _, n=number: written.append(n), queue="store", receiver=jobs)
    jobs.start(lambda _: written.append("first"), queue="store", receiver=jobs, first=True)
    jobs.close()
    assert sorted(map(str, written)) == sorted([*map(str, range(50)), "first"])
    jobs.close()


def test_a_change_is_broadcast_once(perform, qtbot):
    changes, done = [], []
    perform.changed.connect(changes.append)
    perform.perform(lambda store: Change(), done=done.append)
    perform.perform(lambda store: CHANGE, done=done.append)
    qtbot.waitUntil(lambda: len(done) == 2)
    assert changes == [CHANGE]


def test_known_trouble_is_told_and_a_bug_crashes(perform, qtbot):
    troubles, crashes, failed = [], [], []
    perform.failed.connect(troubles.append)
    perform.crashed.connect(crashes.append)

    def refused(_store):
        raise RaterError("It is so.", "For this reason.", "Do that.")

    def broken(_store):
        raise ValueError("a secret of the task")

    perform.perform(refused)
    perform.ask(refused, done=failed.append, failed=failed.append)
    perform.perform(broken)
    qtbot.waitUntil(lambda: len(troubles) + len(failed) + len(crashes) == 3)
    assert [str(one) for one in troubles] == ["It is so. For this reason. Do that."]
    assert len(failed) == 1
    assert len(crashes) == 1


def test_error_places_hold_no_text_of_the_task():
    secret = "what the rater reads"

    def inner(text):
        raise KeyError(text)

    try:
        try:
            inner(secret)
        except KeyError as error:
            raise RuntimeError(secret) from error
    except RuntimeError as error:
        text = error_places(error)
    assert secret not in text
    assert "RuntimeError" in text
    assert "KeyError" in text
    assert "in inner" in text


def test_what_the_net_writes_goes_before_what_waits_and_inside_what_reports(jobs, qtbot):
    order, started, gate = [], Event(), Event()

    def slow(progress):
        started.set()
        gate.wait(5)
        progress(1, 2)
        order.append("slow ends")

    jobs.start(slow, queue="store", receiver=jobs)
    started.wait(5)
    jobs.start(lambda _: order.append("waits"), queue="store", receiver=jobs)
    came = []

    def exchange(_progress):
        came.append(jobs.on_store(lambda: order.append("exchange") or "written"))

    jobs.start(exchange, queue="net", receiver=jobs)
    qtbot.waitUntil(lambda: bool(jobs._first))
    gate.set()
    qtbot.waitUntil(lambda: came == ["written"] and len(order) == 3)
    assert order == ["exchange", "slow ends", "waits"]


def test_what_fails_in_the_store_fails_in_the_exchange(jobs, qtbot):
    failed = []

    def breaks():
        raise RaterError("The disk is full.")

    jobs.start(lambda _: jobs.on_store(breaks), queue="net", receiver=jobs, failed=failed.append)
    qtbot.waitUntil(lambda: bool(failed))
    assert failed[0].title == "The disk is full."


def test_an_exchange_that_is_stopped_by_closing_still_writes_how_far_it_was(qtbot):
    jobs, begun, written = Jobs(), Event(), []

    def exchange(progress):
        begun.set()
        try:
            while True:
                progress(0, 0)
        finally:
            jobs.on_store(lambda: written.append("put back"))

    jobs.start(exchange, queue="net", receiver=jobs)
    begun.wait(5)
    jobs.close()
    assert written == ["put back"]
    with pytest.raises(Cancelled):
        jobs.on_store(lambda: written.append("too late"))
    assert written == ["put back"]
