"""A sync that nobody asked for costs a hub next to nothing, and all that was sent is looked for once a day."""

import pytest

from desktop_rater.format.values import format_time
from desktop_rater.operations.hub.context import RefusedItem, SentItem, SyncResult
from desktop_rater.operations.hub.sync import sync_until
from desktop_rater.store import hubs

from .bundles import make, task
from .hubs import Around

DAY = 24 * 60 * 60


def scheduled(laptop):
    """What it came to, and the folders of sent things that were listed."""
    listed = []

    def through(hub):
        return Around(hub, list=lambda folder, *given: listed.append(folder) or hub.list(folder, *given))

    done = laptop.sync(through, scheduled=True)
    return done, [folder for folder in listed if folder.startswith(("results", "keys"))]


def test_what_was_seen_on_the_hub_today_is_not_looked_for_again_by_the_schedule(tmp_path, laptop):
    laptop.get(make(tmp_path / "a.zip", [task("t-1")]), "t-1")
    laptop.sync()
    laptop.clock.seconds = 60
    again, looked = scheduled(laptop)
    assert (again.whole, looked) == (True, [])
    assert laptop.row.verified == format_time(laptop.clock())


def test_new_results_are_looked_for_and_no_others(tmp_path, laptop):
    laptop.get(make(tmp_path / "a.zip", [task("t-1")]), "t-1")
    laptop.sync()
    laptop.get(make(tmp_path / "b.zip", [task("t-1")]), "t-1")
    done, looked = scheduled(laptop)
    assert ([one.bundle for one in done.uploaded], looked) == (["b"], ["results/r-17/b"])


@pytest.mark.parametrize("why", ["asked", "next day", "connected", "paused"])
def test_what_the_hub_lost_is_found_as_soon_as_all_is_looked_for(tmp_path, laptop, why):
    laptop.get(make(tmp_path / "a.zip", [task("t-1")]), "t-1")
    (sent,) = laptop.sync().uploaded
    (tmp_path / "hub" / sent.name).unlink()
    laptop.clock.seconds = 60
    assert scheduled(laptop)[0].missing == ()
    laptop.clock.seconds = 120
    if why == "next day":
        laptop.clock.seconds = DAY / 2  # midnight, by UTC
    elif why == "connected":
        row = laptop.row
        hubs.set_current_hub(
            laptop.store, project=row.project, title="", url=row.url, user=row.user, now=laptop.clock()
        )
    elif why == "paused":
        hubs.pause_hub(laptop.store, laptop.row.project, "gone", "There was no marker.")
    done = laptop.sync() if why == "asked" else scheduled(laptop)[0]
    assert done.missing == (sent.name,)
    laptop.clock.seconds += 10
    again, _ = scheduled(laptop)
    assert [one.name for one in again.uploaded] == [sent.name]
    assert again.whole


class Time:
    """A clock, and the waiting that moves it."""

    def __init__(self):
        self.now = 100.0
        self.waited = []

    def __call__(self):
        return self.now

    def wait(self, seconds):
        self.waited.append(seconds)
        self.now += seconds


def sent(name):
    return SentItem(kind="results", bundle=name, name=name, sha256="0" * 64, revision=1)


def rounds(*agains):
    """Syncs that each say when the next one makes sense, and send one item each."""
    found = iter([SyncResult(project="p", again=again, uploaded=(sent(str(n)),)) for n, again in enumerate(agains)])
    return lambda: next(found)


def test_what_waits_for_nothing_is_done_at_once():
    time = Time()
    done = sync_until(rounds(None), patience=60, clock=time, wait=time.wait)
    assert (len(done.uploaded), time.waited) == (1, [])


def test_what_mends_itself_is_waited_for_and_all_of_it_is_told():
    time = Time()
    done = sync_until(rounds(5, 7, None), patience=60, clock=time, wait=time.wait)
    assert [one.name for one in done.uploaded] == ["0", "1", "2"]
    assert time.waited == [5, 7]
    assert done.again is None


@pytest.mark.parametrize(("patience", "waited"), [(0, []), (9, [5]), (12, [5, 7])])
def test_patience_ends(patience, waited):
    time = Time()
    done = sync_until(rounds(5, 7, 100), patience=patience, clock=time, wait=time.wait)
    assert time.waited == waited
    assert done.again is not None


def test_a_hub_that_never_asks_to_wait_is_not_asked_all_the_time():
    time = Time()
    sync_until(rounds(*[0.0] * 100), patience=600, clock=time, wait=time.wait)
    assert time.waited[:6] == [1, 2, 4, 8, 16, 30]
    assert len(time.waited) < 30


def test_what_was_refused_for_good_is_told_although_the_next_round_does_not_ask_for_it():
    time = Time()
    found = iter(
        [
            SyncResult(
                project="p",
                again=5,
                refused=(RefusedItem(name="bad", why="No.", lasting=True), RefusedItem(name="slow", why="No.")),
            ),
            SyncResult(project="p"),
        ]
    )
    done = sync_until(lambda: next(found), patience=60, clock=time, wait=time.wait)
    assert [one.name for one in done.refused] == ["bad"]
