"""A rater's whole round on each kind of server, and over a network that fails amid it."""

import hashlib

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.format.hub_names import hash_in_name
from desktop_rater.hub.errors import RETRIED_ERROR_KINDS
from desktop_rater.operations.hub.connect import init_hub
from tests.hub.grounds import KINDS, make_ground
from tests.hub.servers.fault_proxy import Fault
from tests.operations.bundles import NOON, make, task
from tests.operations.hubs import PROJECT, Laptop, Team

FAULTS = (
    Fault(upload=100),
    Fault(answer=10),
    Fault(status=500),
    Fault(dropped=True),
    Fault(lost=True),
    Fault(status=503, headers=(("Retry-After", "0"),)),
    Fault(flip_upload=20),
    Fault(answer=0, quiet=True),
)


def team_of(ground):
    team = Team(ground.url, ground.means)
    with team.opened() as hub:
        assert init_hub(hub, PROJECT, "Kelp", NOON, Progress())[1]
        assert not init_hub(hub, PROJECT, "Kelp", NOON, Progress())[1]
    return team


@pytest.mark.parametrize("kind", KINDS)
def test_a_bundle_comes_and_its_results_go_and_stay(tmp_path, request, kind):
    ground = make_ground(kind, request.getfixturevalue, tmp_path)
    team = team_of(ground)
    laptop = Laptop(tmp_path / "store", "Ann Ö", team)
    try:
        laptop.get(make(tmp_path / "b.zip", [task("t-1")]), "t-1")
        (sent,) = laptop.sync().uploaded
        assert hashlib.sha256(ground.found()[sent.name]).hexdigest() == sent.sha256
        again = laptop.sync()
        assert (again.uploaded, again.whole, again.forks) == ((), True, ())
        assert not [name for name in ground.found() if name not in ground.whole()]
    finally:
        laptop.close()


def test_whatever_breaks_on_the_way_the_next_syncs_bring_it_there_once(tmp_path, faulty):
    team = team_of(faulty)
    laptop = Laptop(tmp_path / "store", "r-17", team)
    try:
        laptop.get_all([make(tmp_path / f"{name}.zip", [task("t-1")]) for name in "ab"], "t-1")
        for turn, fault in enumerate(FAULTS):
            # Each time other requests fail: from one on, and every fifth after it.
            faulty.proxy.rule = lambda seen, turn=turn, fault=fault: fault if seen.number % 5 == turn % 5 else None
            faulty.proxy.forget()
            synced = laptop.sync(at_once=True)
            assert synced.stopped is None or synced.stopped.kind in RETRIED_ERROR_KINDS, synced.stopped
        faulty.proxy.rule = None
        syncs = (laptop.sync(at_once=True) for _ in range(3))  # a server may still be at what was broken off
        assert any(synced.whole for synced in syncs)
        found = {name: content for name, content in faulty.whole().items() if name.startswith("results/")}
        assert [hash_in_name(name) for name in found] == [hashlib.sha256(one).hexdigest() for one in found.values()]
        assert len(found) == 2
    finally:
        laptop.close()
