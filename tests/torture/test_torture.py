"""A process is killed, its disk fails, the power goes: what was acknowledged is there, and nothing half is left.

The same as `make torture`, with a few of its kills.
"""

import pytest

pytest.importorskip("resource", reason="processes are killed and their disk fails by means of POSIX")
from tests.torture.__main__ import SHARES
from tests.torture.campaign import OPERATIONS, Campaign
from tests.torture.destroyed_pages import destroy_pages
from tests.torture.displacing import displace
from tests.torture.endings import AtMoment, Failing
from tests.torture.judging import lost_and_wrong
from tests.torture.power_cuts import ROUNDS, cut_power

pytestmark = pytest.mark.slow

KILLS = {"creating": 3, "answering": 8, "importing": 5, "exporting": 5, "restoring": 4, "migrating": 3, "window": 5}
KILLS |= {"indexing": 5, "backing up": 5, "window importing": 2, "typing": 1}
FAILURES = 1
CUTS = 4
PAGES = 4
VICTIM = "tests.torture.victim"


@pytest.mark.parametrize("work", KILLS)
def test_nothing_acknowledged_is_lost_when_it_is_killed(work, nursery, tmp_path):
    campaign = Campaign(OPERATIONS[work], nursery, tmp_path / "campaign", seed=20261120)
    campaign.kill(KILLS[work])
    tally = campaign.tally
    assert (tally.kills, tally.lost, tally.wrong) == (KILLS[work], [], [])
    assert tally.acknowledged > 0 or work in {"creating", "migrating"}


@pytest.mark.parametrize("work", [work for work, (_kills, failures) in SHARES.items() if failures])
def test_nothing_acknowledged_is_lost_when_the_disk_fails(work, nursery, strace, tmp_path):
    campaign = Campaign(OPERATIONS[work], nursery, tmp_path / "campaign", seed=20261120)
    campaign.fail(FAILURES)
    tally = campaign.tally
    assert (tally.failures, tally.lost, tally.wrong) == (FAILURES, [], [])


@pytest.mark.parametrize("work", ROUNDS)
def test_what_was_acknowledged_was_synced_before(work, nursery, strace, tmp_path):
    tally = cut_power(nursery, tmp_path / "power", CUTS, (work,))
    assert (tally.power_cuts, tally.lost, tally.wrong) == (CUTS, [], [])


def test_nothing_acknowledged_is_lost_with_any_page_of_the_store(nursery, tmp_path):
    tally = destroy_pages(nursery, tmp_path / "pages", PAGES)
    assert (tally.failures, tally.lost, tally.wrong) == (PAGES, [], [])


def test_nothing_acknowledged_is_lost_when_another_program_changes_the_files(nursery, tmp_path):
    tally = displace(nursery, tmp_path / "displaced", 2, seed=20261128)
    assert (tally.lost, tally.wrong) == ([], [])
    assert tally.displacements > 0
    assert tally.acknowledged > 0


@pytest.fixture
def rated(tmp_path):
    OPERATIONS["answering"].prepare(tmp_path)
    return tmp_path


def test_a_sync_that_fails_costs_one_answer_that_was_not_acknowledged(rated, nursery, strace):
    ended = nursery.run(VICTIM, ["answering", str(rated), "1", "6"], Failing("fdatasync", "EIO", 6))
    assert ended.named("refused") == [("The disk failed.",)]
    assert len(ended.named("answer")) == 5, "the store was opened again for the next one"
    assert lost_and_wrong(rated, ended.said) == ([], [])


def test_on_a_full_disk_every_answer_is_refused_and_those_before_are_there(rated, nursery, strace):
    ended = nursery.run(VICTIM, ["answering", str(rated), "1", "6"], Failing("pwrite64", "ENOSPC", 60, once=False))
    refused = ended.named("refused")
    assert refused
    assert set(refused) == {("The disk is full.",)}
    assert 0 < len(ended.named("answer")) < 6
    assert lost_and_wrong(rated, ended.said) == ([], [])


def test_results_whose_name_can_not_be_changed_leave_the_old_ones(rated, nursery, strace):
    nursery.run(VICTIM, ["exporting", str(rated), "1", "1"])
    before = (rated / "out" / "results.zip").read_bytes()
    ended = nursery.run(VICTIM, ["exporting", str(rated), "2", "1"], Failing("rename", "EIO", 3, once=False))
    assert ended.named("export") == []
    assert (rated / "out" / "results.zip").read_bytes() == before
    assert sorted(path.name for path in (rated / "out").iterdir()) == ["results.zip"]


def test_who_says_that_something_is_saved_before_it_is_gets_found_out(rated, nursery):
    ended = nursery.run(VICTIM, ["answering", str(rated), "1", "1000"], AtMoment(0.5))
    assert ended.killed
    lost, _ = lost_and_wrong(rated, [*ended.said, ("answer", "t1", "never saved")])
    assert lost == ["('answer', 't1', 'never saved')"]
