"""A sync is killed at any step: the next one ends with one correct object on the hub, and an outbox that is true.

A few steps with the other tests, all of them under `make torture`.
"""

import itertools
import os
import random
import shutil
from pathlib import Path

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.format.hub_names import hash_in_name
from desktop_rater.format.results import open_results
from desktop_rater.format.strict_json import sha256
from desktop_rater.operations.audit.check_results import check_results
from desktop_rater.store import bundles, keys, mailbox, received
from desktop_rater.store.doctor import examine_store
from tests.examples import TIMES
from tests.hub.servers import apache as apache_server
from tests.operations.bundles import make, task
from tests.operations.hubs import PROJECT, Laptop, Team
from tests.operations.sync_killed_at import KEY, RATER, Job, collect, exchange, killer, publish
from tests.readers import reader_of

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")]


class Play:
    """A hub with two bundles for a rater, who has rated the first one; nothing of it has gone yet."""

    def __init__(self, base: Path) -> None:
        self.hub = base / "hub"
        self.store = base / "store"
        team = Team.in_folder(self.hub)
        team.publish(make(base / "b.zip", [task("t-1"), task("t-2")]), RATER, tasks=2)
        laptop = Laptop(self.store, RATER, team)
        laptop.sync()
        laptop.take()
        laptop.rate("b", "t-1", "t-2")
        laptop.close()
        team.publish(make(base / "c.zip", [task("t-3")]), RATER)
        self.bundle = make(base / "d.zip", [task("t-4"), task("t-5")])

    def folder(self, place: Path) -> Job:
        """The play again, in a folder."""
        shutil.copytree(self.hub, place / "hub")
        shutil.copytree(self.store, place / "store")
        return Job(url=f"folder:{place / 'hub'}", folder=str(place / "store"))

    def apache(self, place: Path, served) -> Job:
        """The play again, on Apache."""
        name = f"killed-{next(_numbers)}-{os.getpid()}"
        shutil.copytree(self.hub, served.files / name)
        for path in (served.files / name, *(served.files / name).rglob("*")):
            path.chmod(0o777 if path.is_dir() else 0o644)
        shutil.copytree(self.store, place / "store")
        return Job(
            url=served.url(name), user=apache_server.USER, password=apache_server.PASSWORD, folder=str(place / "store")
        )


_numbers = itertools.count()


@pytest.fixture(scope="module")
def play(tmp_path_factory):
    return Play(tmp_path_factory.mktemp("play"))


@pytest.fixture(scope="module")
def kill():
    with killer() as run:
        yield run


@pytest.fixture(params=["folder", "apache"])
def another(request, play, tmp_path):
    """Gives the play anew each time, and the folder in which the hub's files really lie."""
    served = request.getfixturevalue("apache") if request.param == "apache" else None

    def begin():
        place = tmp_path / f"{next(_numbers)}"
        place.mkdir()
        shutil.copy(play.bundle, place)
        if served is None:
            return play.folder(place), place / "hub"
        job = play.apache(place, served)
        return job, served.files / job.url.rpartition("/")[2]

    return begin


def with_(job, **more):
    return Job(**{name: getattr(job, name) for name in Job.__struct_fields__} | more)


def lies_there(hub):
    """What of the hub has a final name; each file is what its name says."""
    found = {str(path.relative_to(hub)): path.read_bytes() for path in hub.rglob("*") if path.is_file()}
    whole = {name: content for name, content in found.items() if hash_in_name(name) is not None}
    assert all(sha256(content) == hash_in_name(name) for name, content in whole.items())
    return set(whole)


def ends_well(job, hub, wanted):
    """Whatever happened before, the next sync brings everything to its end, and once only."""
    before = lies_there(hub)
    assert before <= wanted, "nothing half or false has a final name"
    done = exchange(with_(job, at=0, seconds=0.0))
    assert done.whole, done
    assert done.forks == done.refused == done.missing == ()
    assert lies_there(hub) == wanted
    with reader_of(Path(job.folder)) as store:
        assert {one.name: one.state for one in mailbox.list_items(store, PROJECT)} == dict.fromkeys(
            (name for name in wanted if name.startswith(("results/", "keys/"))), "verified"
        )
        assert [one.state for one in mailbox.list_arrivals(store, PROJECT)] == ["taken", "taken"]
        assert [one.id for one in bundles.list_bundles(store)] == ["b", "c"]
        assert mailbox.list_files(Path(job.folder), "inbox") == []
    assert examine_store(Path(job.folder)).sound


@pytest.fixture
def undisturbed(another, kill):
    """How many steps there are of each kind, and what lies on the hub in the end."""
    job, hub = another()
    counted = kill(job)
    assert counted.status == 0
    names = lies_there(hub)
    assert sum(name.startswith("results/") for name in names) == 1
    return counted.steps, names


def some_of(last, at_least):
    """Steps spread over all of them; under `make torture` all."""
    every = max(1, last // (at_least * TIMES))
    return [*range(1, last + 1, every)]


def test_a_sync_that_is_killed_between_two_calls_to_the_hub_is_finished_by_the_next(another, kill, undisturbed):
    steps, names = undisturbed
    for at in some_of(steps, 6):
        job, hub = another()
        assert kill(with_(job, at=at)).status == -9, at
        ends_well(job, hub, names)


def test_one_that_is_killed_at_a_statement_or_a_file_as_well(another, kill, undisturbed):
    _, names = undisturbed
    job, _ = another()
    steps = kill(with_(job, steps="all")).steps
    for at in some_of(steps, 4):
        job, hub = another()
        assert kill(with_(job, steps="all", at=at)).status == -9, at
        ends_well(job, hub, names)


def test_one_that_is_killed_again_and_again_at_any_time_as_well(another, kill, undisturbed):
    steps, names = undisturbed
    chance = random.Random(20261120)
    for _ in range(TIMES):
        job, hub = another()
        for _ in range(3):
            kill(with_(job, at=chance.randint(1, steps)))
            kill(with_(job, seconds=chance.uniform(0.001, 0.4)))
            assert lies_there(hub) <= names
        ends_well(job, hub, names)


def test_the_results_are_those_that_the_rater_made(another, kill, undisturbed):
    _, names = undisturbed
    (name,) = (one for one in names if one.startswith("results/"))
    job, hub = another()
    kill(with_(job, at=7))
    exchange(job)
    assert check_results(hub / name, Progress()).broken == ()
    with open_results(hub / name) as results:
        assert (results.manifest.rater, results.manifest.counts.complete) == (RATER, 2)
        assert results.signature.state == "signed"


def test_a_bundle_whose_publishing_is_killed_is_given_out_once_and_to_all(another, kill):
    job, hub = another()
    steps = kill(with_(job, doing="publish")).steps
    names = lies_there(hub)
    assert sum(name.startswith("bundles/d/") for name in names) == 1
    for at in some_of(steps, 5):
        job, hub = another()
        assert kill(with_(job, doing="publish", at=at)).status == -9, at
        before = lies_there(hub)
        assert before <= names
        assert any(name.startswith("bundles/d/") for name in before) or before == lies_there_at_first(before)
        publish(job)
        assert lies_there(hub) == names


def lies_there_at_first(names):
    """Without what assigns the new bundle: it comes after the bundle only."""
    return {name for name in names if not name.startswith("assignments/ana/")}


@pytest.mark.parametrize("kind", ["hub", "all"])
def test_results_whose_collecting_is_killed_come_whole_and_once(another, kill, kind):
    job, hub = another()
    exchange(job)
    job = with_(job, doing="collect", steps=kind)
    names = {name for name in lies_there(hub) if name.startswith(("results/", "keys/"))}
    steps = kill(job).steps
    killed = 0
    for at in some_of(steps, 3):
        place = Path(job.folder).parent
        shutil.rmtree(place / "collected")
        shutil.rmtree(place / "lead")
        killed += kill(with_(job, at=at)).status == -9
        if (place / "collected").exists():
            assert lies_there(place / "collected") <= names
        collect(job)
        assert lies_there(place / "collected") == names
        with reader_of(place / "lead") as store:
            assert sorted((one.kind, one.state) for one in mailbox.list_arrivals(store, PROJECT)) == [
                *[("assignment", "seen")] * 2,
                ("results", "taken"),
            ]
            assert [one.rater for one in received.list_results(store, "b")] == [RATER]
            assert keys.keys_by_rater(store) == {RATER: {KEY.public}}
            assert mailbox.list_files(place / "lead", "inbox") == []
    assert killed > 0  # four hands fetch at once, so a late step may not come
