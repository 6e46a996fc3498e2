"""What lies on a hub for a rater was put there by others: what can't be trusted is refused by name, the rest comes."""

import hashlib
import json

import pytest

from desktop_rater.format.change import Cancelled
from desktop_rater.format.hub_names import MAX_HUB_ZIP_BYTES, bundle_name
from desktop_rater.operations.hub.receive import waiting_arrivals
from desktop_rater.operations.hub.transfer import retry_all
from desktop_rater.store import bundles, mailbox

from .bundles import make, take_in, task, write
from .hubs import PROJECT, Failing, Laptop, fails, sha256_of
from .sending_back import sent


def assigned(path, **more):
    """What an assignment says of a bundle."""
    bundle = {
        "name": bundle_name(path.stem, 1, sha256_of(path)),
        "sha256": sha256_of(path),
        "bytes": path.stat().st_size,
        "id": path.stem,
        "revision": 1,
        "tasks": 1,
        **more,
    }
    return {"format": "desktop-rater/assignment", "version": 1, "rater": "r-17", "bundle": bundle}


def put(tmp_path, folder, content, ending="json"):
    """A file on the hub whose name is right, whatever it holds."""
    name = f"{folder}/{hashlib.sha256(content).hexdigest()}.{ending}"
    path = tmp_path / "hub" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return name


@pytest.fixture
def good(tmp_path, team):
    """A bundle that comes, whatever else is there."""
    path = make(tmp_path / "good.zip", [task("t-1")])
    team.publish(path, "r-17")
    return path


def plain(value):
    return json.dumps(value).encode()


HOSTILE = {
    "no JSON": lambda path: b"<html>Sign in</html>",
    "another format": lambda path: plain({**assigned(path), "format": "x"}),
    "another rater's": lambda path: plain({**assigned(path), "rater": "r-18"}),
    "out of the hub": lambda path: plain(assigned(path, name=f"bundles/../../{sha256_of(path)}.zip")),
    "not among bundles": lambda path: plain(assigned(path, name=f"results/r-18/b/1-{sha256_of(path)}.zip")),
    "another hash": lambda path: plain(assigned(path, sha256="0" * 64)),
    "too large": lambda path: plain(assigned(path, bytes=MAX_HUB_ZIP_BYTES + 1)),
    "a huge number": lambda path: plain(assigned(path, bytes=10**30)),
    "a negative one": lambda path: plain(assigned(path, tasks=-1)),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_an_assignment_that_can_not_be_trusted_is_refused_once_and_the_rest_comes(tmp_path, laptop, good, what):
    name = put(tmp_path, "assignments/r-17", HOSTILE[what](good))
    first = laptop.sync()
    assert [(one.name, bool(one.why)) for one in first.refused] == [(name, True)]
    assert first.fetched == 1
    assert [one.id for one in laptop.take().imported] == ["good"]
    assert laptop.sync().refused == ()


@pytest.mark.parametrize("named", ["other", "good"])
def test_a_bundle_that_is_not_the_one_that_was_assigned_is_refused(tmp_path, laptop, good, named):
    path = make(tmp_path / "x.zip", [task("t-1")], id="evil")
    (tmp_path / "hub" / "bundles" / named).mkdir(exist_ok=True, parents=True)
    name = bundle_name(named, 1, sha256_of(path))
    (tmp_path / "hub" / name).write_bytes(path.read_bytes())
    put(tmp_path, "assignments/r-17", plain(assigned(path, name=name, id=named)))
    assert laptop.sync().fetched == 2
    taken = laptop.take()
    assert [one.id for one in taken.imported] == ["good"]
    assert "evil" in taken.refused[0].why
    assert bundles.find_bundle(laptop.store, "evil") is None


def test_a_bundle_that_is_no_bundle_is_refused_and_its_file_goes(tmp_path, laptop, good):
    junk = write(tmp_path / "junk.zip", b"no zip")
    (tmp_path / "hub" / "bundles" / "junk").mkdir(parents=True)
    (tmp_path / "hub" / bundle_name("junk", 1, sha256_of(junk))).write_bytes(b"no zip")
    put(tmp_path, "assignments/r-17", plain(assigned(junk)))
    laptop.sync()
    taken = laptop.take()
    assert ([one.id for one in taken.imported], len(taken.refused)) == (["good"], 1)
    assert "junk" in taken.refused[0].why
    assert not list((laptop.store.folder / "inbox").iterdir())


def test_a_bundle_that_is_on_its_way_still_comes_later(tmp_path, team, laptop, good):
    name = team.publish(make(tmp_path / "late.zip", [task("t-1")]), "r-17")
    whole = (tmp_path / "hub" / name).read_bytes()
    (tmp_path / "hub" / name).write_bytes(whole[:100])
    first = laptop.sync()
    assert (first.fetched, [one.name for one in first.refused]) == (1, [name])
    (tmp_path / "hub" / name).write_bytes(whole)
    assert laptop.sync().fetched == 1
    assert {one.id for one in laptop.take().imported} == {"good", "late"}


def test_one_bundle_that_can_not_be_had_holds_up_neither_the_others_nor_results(tmp_path, team, laptop, good):
    team.publish(make(tmp_path / "a.zip", [task("t-1")]), "r-17")
    done = laptop.sync(lambda hub: Failing(hub, fails("away", "get", "bundles/a/")))
    assert (done.stopped, done.fetched, len(done.refused)) == (None, 1, 1)


def test_sent_back_work_of_somebody_else_is_not_taken(tmp_path, team, laptop, place):
    back = sent(place).out
    for rater, why in (
        ("r-99", ["It is for another rater."]),
        ("R-17", []),
    ):  # r-17 has the folder of R-17 on some disks
        other = Laptop(tmp_path / rater, rater, team)
        try:
            team.give_back(back, rater)
            done = other.sync()
            assert (done.fetched, [one.why for one in done.refused]) == (0, why)
        finally:
            other.close()


def test_what_was_imported_before_a_kill_is_only_noted(tmp_path, laptop, good):
    laptop.sync()
    (came,) = waiting_arrivals(laptop.store, PROJECT, "r-17")
    take_in(laptop.store, laptop.store.folder / "inbox" / came.sha256)
    (taken,) = laptop.take().imported
    assert taken.outcome == "unchanged"
    assert waiting_arrivals(laptop.store, PROJECT, "r-17") == ()
    assert not list((laptop.store.folder / "inbox").iterdir())


def test_what_was_fetched_and_lost_is_fetched_once_more(tmp_path, laptop, good):
    laptop.sync()
    (came,) = waiting_arrivals(laptop.store, PROJECT, "r-17")
    (laptop.store.folder / "inbox" / came.sha256).write_bytes(b"altered")
    assert laptop.take().lost == 1
    assert laptop.sync().fetched == 1
    assert len(laptop.take().imported) == 1


def test_only_what_is_chosen_is_imported(tmp_path, team, laptop, good):
    team.publish(make(tmp_path / "b.zip", [task("t-1")]), "r-17")
    laptop.sync()
    first, second = waiting_arrivals(laptop.store, PROJECT, "r-17")
    assert [one.id for one in laptop.take(only=frozenset({second.key})).imported] == [second.bundle]
    assert [one.key for one in waiting_arrivals(laptop.store, PROJECT, "r-17")] == [first.key]


def test_a_higher_revision_keeps_what_is_rated(tmp_path, team, laptop, good):
    laptop.sync()
    laptop.take()
    laptop.rate("good", "t-1")
    (tmp_path / "two").mkdir()
    newer = make(tmp_path / "two" / "good.zip", [task("t-1"), task("t-2")], revision=2)
    team.publish(newer, "r-17", revision=2)
    laptop.sync()
    (taken,) = laptop.take().imported
    assert (taken.id, taken.revision) == ("good", 2)
    assert [one.open for one in laptop.sync().not_sent] == [1]


def test_a_fetch_that_is_cancelled_leaves_nothing_half(tmp_path, laptop, good):
    def cancel(verb, name):
        if verb == "get" and name.startswith("bundles/"):
            raise Cancelled

    with pytest.raises(Cancelled):
        laptop.sync(lambda hub: Failing(hub, cancel))
    assert not list((laptop.store.folder / "inbox").iterdir())
    assert laptop.sync().fetched == 1


def test_assignments_that_keep_failing_stop_the_sync_and_not_the_next_one(tmp_path, laptop, good):
    for number in range(3):
        put(tmp_path, "assignments/r-17", plain({**assigned(good), "note": number}))
    stopped = laptop.sync(lambda hub: Failing(hub, fails("away", "get", "assignments/")))
    assert (stopped.stopped.kind, stopped.again is not None) == ("away", True)
    assert {one.state for one in mailbox.list_arrivals(laptop.store, PROJECT)} == set()
    assert laptop.sync().stopped is None


@pytest.mark.parametrize("what", ["a size that is too small", "an assignment without end"])
def test_what_is_larger_than_it_can_be_is_named_and_holds_up_no_results(tmp_path, team, laptop, good, what):
    laptop.get(good, "t-1")
    if what == "an assignment without end":
        name = put(tmp_path, "assignments/r-17", b" " * 70_000)
    else:
        put(tmp_path, "assignments/r-17", plain(assigned(make(tmp_path / "b.zip", [task("t-1")]), bytes=10)))
        name = team.publish(tmp_path / "b.zip")
    done = laptop.sync()
    assert (done.stopped, [one.name for one in done.refused]) == (None, [name])
    assert [one.bundle for one in done.uploaded] == ["good"]
    assert laptop.row.paused_kind == ""


def test_a_bundle_that_the_rater_may_not_read_holds_up_no_results(tmp_path, team, laptop, good):
    laptop.get(good, "t-1")
    name = team.publish(make(tmp_path / "b.zip", [task("t-1")]), "r-17")
    done = laptop.sync(lambda hub: Failing(hub, fails("rights", "get", "bundles/b/")))
    assert (done.stopped, [one.name for one in done.refused]) == (None, [name])
    assert [one.bundle for one in done.uploaded] == ["good"]


def test_what_a_newer_program_assigned_waits_for_a_newer_program(tmp_path, laptop, good):
    name = put(tmp_path, "assignments/r-17", plain({**assigned(good), "version": 2, "bundle": ["another", "shape"]}))
    for _ in range(2):
        assert [(one.name, one.lasting) for one in laptop.sync().refused] == [(name, False)]
    assert name not in mailbox.known_arrivals(laptop.store, PROJECT, "r-17")


def test_what_was_refused_is_asked_for_again_when_somebody_wants_that(tmp_path, laptop, good):
    name = put(tmp_path, "assignments/r-17", b"not JSON")
    assert [(one.name, one.lasting) for one in laptop.sync().refused] == [(name, True)]
    assert laptop.sync().refused == ()
    retry_all(laptop.store, PROJECT, now=laptop.clock())
    again = laptop.sync()
    assert ([one.name for one in again.refused], again.fetched) == ([name], 0)
