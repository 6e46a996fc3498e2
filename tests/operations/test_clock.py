"""The clock of the laptop jumps: revisions follow each other by their numbers, and results can be checked."""

from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from desktop_rater.format.change import Progress
from desktop_rater.format.rating import SkipReason
from desktop_rater.operations.audit.check_results import check_results
from desktop_rater.operations.rating import save
from desktop_rater.operations.rating.export import export_results
from desktop_rater.operations.rating.open_task import load_bundle, open_task
from desktop_rater.operations.rubrics import bundle_rubric_of
from desktop_rater.store import ratings
from desktop_rater.store.doctor import examine_store
from tests.operations.bundles import RATER, make, take_in, task, writer

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
JUMPS = [timedelta(0), timedelta(days=3_650), timedelta(days=-3_650), timedelta(hours=-1), timedelta(seconds=1)]


def test_a_clock_that_jumps_changes_no_order_and_spoils_no_results(tmp_path):
    with writer(tmp_path / "store") as store:
        take_in(store, make(tmp_path / "november.zip", [task("t1")]))
        bundle = load_bundle(store, "november")
        rubric = bundle_rubric_of(bundle.rubric, bundle.rubric_toml, bundle.id)
        for number, jump in enumerate(JUMPS):
            opened = open_task(store, "november", "t1", RATER)
            skip = SkipReason(reason="other", comment=f"at {number}")
            rating = replace(opened.rating, status="skipped", skipped=skip)
            save.save_rating(
                store, rubric, "november", opened.task, rating, done="skip", now=lambda jump=jump: NOON + jump
            )
        rows = ratings.rating_history(store, "november", "t1", RATER)
        assert [row.revision for row in rows] == [1, 2, 3, 4, 5]
        assert len({row.changed for row in rows}) == len(JUMPS)
        last = open_task(store, "november", "t1", RATER).rating.skipped
        assert last is not None
        assert last.comment == "at 4"
        out = tmp_path / "results.zip"
        assert export_results(store, "november", RATER, out, progress=Progress()).written
        assert check_results(out, Progress()).broken == ()
    assert examine_store(tmp_path / "store").faults == ()
