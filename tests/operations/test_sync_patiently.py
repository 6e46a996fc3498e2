"""Without a window a sync waits for what mends itself, as long as somebody has patience, and no longer."""

import pytest

from desktop_rater.operations.hub.context import RefusedItem, SentItem, SyncResult
from desktop_rater.operations.hub.sync import sync_until


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
