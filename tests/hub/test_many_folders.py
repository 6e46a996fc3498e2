"""A hub with the folders of many raters is listed some at a time; trouble with one of them is not passed over."""

import hashlib

import pytest

from desktop_rater.format.change import Cancelled, Progress
from desktop_rater.format.hub_names import RESULTS, results_name
from desktop_rater.hub.errors import HubError
from tests.hub.grounds import make_ground
from tests.hub.servers.fault_proxy import Fault

pytestmark = pytest.mark.slow

RATERS = 40


@pytest.fixture
def ground(request, tmp_path):
    made = make_ground("apache-proxy", request.getfixturevalue, tmp_path)
    names = [results_name(f"r-{at}", "b", 1, hashlib.sha256(b"x").hexdigest()) for at in range(RATERS)]
    for name in names:
        made.lay(name, b"x")
    yield made
    made.close()


def test_all_files_are_found_and_each_folder_is_asked_for_once(ground):
    found = ground.open().list(RESULTS, Progress())
    assert sorted(ground.found()) == [one.name for one in found]
    assert len(found) == RATERS
    asked = [one.target for one in ground.proxy.requests]
    assert len(asked) == len(set(asked)) == 1 + RATERS + RATERS


def test_one_folder_that_can_not_be_listed_is_no_empty_folder(ground):
    ground.proxy.rule = lambda seen: Fault(status=503) if "r-17/b" in seen.target else None
    with pytest.raises(HubError) as trouble:
        ground.open().list(RESULTS, Progress())
    assert trouble.value.kind == "busy"


def test_cancelled_in_the_middle_it_asks_for_no_more(ground):
    def stop(_done, _total):
        if ground.proxy.count() > RATERS // 2:
            progress.stop()

    progress = Progress(stop)
    with pytest.raises(Cancelled):
        ground.open().list(RESULTS, progress)
    assert ground.proxy.count() < 2 * RATERS


def test_a_folder_that_may_not_be_looked_into_is_told_and_the_others_are_listed(ground):
    ground.proxy.rule = lambda seen: Fault(status=403) if "/r-17" in seen.target else None
    closed = []
    found = ground.open().list(RESULTS, Progress(), lambda *one: closed.append(one))
    assert len(found) == RATERS - 1
    assert [(name, trouble.kind) for name, trouble in closed] == [("results/r-17", "rights")]
    with pytest.raises(HubError):
        ground.open().list(RESULTS, Progress())


def test_a_folder_of_all_that_may_not_be_looked_into_is_no_empty_hub(ground):
    ground.proxy.rule = lambda seen: Fault(status=403)
    with pytest.raises(HubError):
        ground.open().list(RESULTS, Progress(), lambda *_: None)
