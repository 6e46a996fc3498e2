"""A sync runs beside the rating: answers are saved while results are made and sent; what leaves is of one moment."""

import json
import threading
import zipfile
from concurrent.futures import ThreadPoolExecutor

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.operations.audit.check_results import check_results
from desktop_rater.operations.hub.context import SyncContext, SyncEnvironment, SyncOptions
from desktop_rater.operations.hub.receive import waiting_arrivals
from desktop_rater.operations.hub.sync import sync_with_hub
from desktop_rater.operations.rating.export import export_results
from desktop_rater.store import hubs, mailbox
from tests.readers import reader_of

from .bundles import make, task
from .hubs import PROJECT, Failing


@pytest.fixture
def lane():
    """The store's lane, as the window has it."""
    with ThreadPoolExecutor(1) as lane:
        yield lane


@pytest.fixture
def reader(laptop):
    reader = reader_of(laptop.store.folder)
    yield reader
    reader.close()


def exchange(laptop, lane, reader, through=lambda hub: hub, told=lambda _step: None, **wanted):
    """A sync on this thread, whose writes go to the lane."""
    row = hubs.current_hub(reader)
    assert row is not None
    with laptop.team.opened() as hub:
        means = SyncEnvironment(laptop.clock, lambda: 0.5)
        on_store = lambda work: lane.submit(work, laptop.store).result()  # noqa: E731 - the store's lane
        between = SyncContext(on_store, reader, through(hub), row, laptop.rater, means, Progress(), told)
        return sync_with_hub(between, SyncOptions(**wanted))


def test_all_that_is_written_is_written_on_the_lane(tmp_path, laptop, lane, reader):
    laptop.get(make(tmp_path / "b.zip", [task(f"t-{n}") for n in range(5)]), *(f"t-{n}" for n in range(5)))
    assert exchange(laptop, lane, reader).whole
    assert [one.state for one in mailbox.list_items(reader, PROJECT)] == ["verified"]


def test_answers_are_saved_while_a_sync_sends(tmp_path, laptop, lane, reader):
    laptop.get(make(tmp_path / "b.zip", [task("t-1"), task("t-2")]), "t-1", "t-2")
    saved = []

    def save(verb, name):
        if verb == "put_new":
            laptop.clock.seconds += 1
            lane.submit(laptop.rate, "b", "t-2", confidence="low").result(timeout=20)
            saved.append(name)

    first = exchange(laptop, lane, reader, lambda hub: Failing(hub, save))
    assert (len(first.uploaded), len(saved)) == (1, 1)
    (second,) = exchange(laptop, lane, reader).uploaded
    assert second.revision == 2
    with zipfile.ZipFile(tmp_path / "hub" / second.name) as opened:
        assert json.loads(opened.read("manifest.json"))["supersedes"] == first.uploaded[0].sha256


def test_what_leaves_is_of_one_moment_whatever_is_saved_meanwhile(tmp_path, laptop, lane, reader):
    names = [f"t-{n}" for n in range(250)]
    laptop.get(make(tmp_path / "b.zip", [task(name) for name in names]), *names)
    stop = threading.Event()

    def go_on_rating():
        while not stop.is_set():
            laptop.clock.seconds += 1
            lane.submit(laptop.rate, "b", names[0], names[-1], confidence="low").result(timeout=60)

    with ThreadPoolExecutor(1) as other:
        rating = other.submit(go_on_rating)
        try:
            for _ in range(3):
                done = exchange(laptop, lane, reader)
                assert done.stopped is None
        finally:
            stop.set()
        rating.result(timeout=60)
    assert exchange(laptop, lane, reader).whole
    sent = sorted((tmp_path / "hub" / "results").rglob("*.zip"))
    assert sent
    for path in sent:
        assert not check_results(path, progress=Progress()).broken


def test_an_export_by_hand_that_comes_between_is_followed_and_makes_no_fork(tmp_path, laptop, lane, reader):
    laptop.get(make(tmp_path / "b.zip", [task("t-1"), task("t-2")]), "t-1", "t-2")
    by_hand = []

    def export(step):
        if step.activity == "making" and step.title and not by_hand:
            laptop.rate("b", "t-1", confidence="low")
            by_hand.append(
                lane.submit(export_results, laptop.store, "b", "r-17", tmp_path / "x.zip", progress=Progress()).result(
                    timeout=20
                )
            )

    (done,) = exchange(laptop, lane, reader, told=export).uploaded
    assert done.sha256 == by_hand[0].sha256


def test_an_export_that_comes_between_reading_and_writing_makes_no_second_branch(tmp_path, laptop, lane, reader):
    laptop.get(make(tmp_path / "b.zip", [task("t-1")]), "t-1")
    by_hand = []

    def on_store(work):
        # The first thing that is written of results that were made is that they were exported.
        if "_queued" in repr(work.__code__.co_names) and not by_hand:
            laptop.clock.seconds += 1
            laptop.rate("b", "t-1", confidence="low")
            by_hand.append(export_results(laptop.store, "b", "r-17", tmp_path / "x.zip", progress=Progress()))
        return work(laptop.store)

    with laptop.team.opened() as hub:
        means = SyncEnvironment(laptop.clock, lambda: 0.5)
        done = sync_with_hub(SyncContext(on_store, reader, hub, laptop.row, "r-17", means, Progress()))
    assert [one.sha256 for one in done.uploaded] == [by_hand[0].sha256]


def test_an_import_that_lets_go_of_a_file_that_a_sync_just_found_ends_no_sync(tmp_path, team, laptop, reader):
    path = make(tmp_path / "b.zip", [task("t-1")])
    team.publish(path, "r-17")
    team.publish(path, "r-17", tasks=2)  # the same file, assigned once more in other words
    taken = []

    def on_store(work):
        there = waiting_arrivals(laptop.store, PROJECT, "r-17")
        changes = [cell.cell_contents for cell in work.__closure__ or ()]
        if mailbox.mark_fetched in changes and there and not taken:
            taken.append(laptop.take(only=frozenset({there[0].key})))
        return work(laptop.store)

    with team.opened() as hub:
        means = SyncEnvironment(laptop.clock, lambda: 0.5)
        done = sync_with_hub(SyncContext(on_store, reader, hub, laptop.row, "r-17", means, Progress()))
    assert len(taken) == 1
    assert done.stopped is None
    assert laptop.sync().fetched == 1
    assert [one.outcome for one in laptop.take().imported] == ["unchanged"]
