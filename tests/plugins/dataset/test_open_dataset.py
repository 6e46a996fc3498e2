"""A lead opens a dataset as an audit, and what is decided there comes back into the dataset."""

import pytest

from desktop_rater.audit.report import ReportFilter
from desktop_rater.format.change import Cancelled, Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.operations.audit.load_audit import load_audit, load_task
from desktop_rater.operations.audit.report import REPORT_SEED, load_report
from desktop_rater.operations.audit.review import Lead, RatingAtPlace, VerdictReason, accept_ratings
from desktop_rater.operations.audit.text_scores import (
    OUTDATED_REASON,
    SCORES_SUBJECT,
    ScoredRater,
    StoredScores,
    ratings_sha256,
)
from desktop_rater.plugins.dataset.connect import dataset_tables, parquet_reader
from desktop_rater.plugins.dataset.open_dataset import open_dataset
from desktop_rater.plugins.dataset.parts import REPORT_TABLES, read_dataset_manifest
from desktop_rater.stats.bootstrap import NO_DATA
from desktop_rater.store import reviews
from tests.audit.results import GOOD, WRONG
from tests.operations.bundles import NOON, noon, writer
from tests.plugins.dataset.test_build import ALL, built, content, desk, rows

__all__ = ["desk"]


def opened(store, data, progress=None, **more):
    return open_dataset(store, data, lead="Ana", now=NOON, progress=progress or Progress(), **more)


def test_a_dataset_opens_as_the_audit_of_its_results(desk, tmp_path):
    data = tmp_path / "data"
    files = [desk.sent("ann", "ann-before", **ALL), desk.sent("ann", t1=WRONG), desk.with_page("cy"), desk.bundle]
    built(data, *files)
    desk.opened(*files)
    with writer(desk.store) as by_files, writer(tmp_path / "by-dataset") as by_dataset:
        stopped = Progress()
        stopped.stop()
        with pytest.raises(Cancelled):
            opened(by_dataset, data, stopped)
        done = opened(by_dataset, data, bundle="kelp")
        assert (len(done.took), done.audits, [copy.gold for copy in done.copies]) == (3, {"kelp"}, [1])
        assert {result.known for result in opened(by_dataset, data).took} == {True}
        expected, audit = load_audit(by_files, "kelp"), load_audit(by_dataset, "kelp")
        assert audit.ratings == expected.ratings
        assert (audit.earlier, audit.texts, audit.received) == (expected.earlier, expected.texts, expected.received)
        reports = [load_report(store, "kelp", seed=REPORT_SEED, now=NOON) for store in (by_files, by_dataset)]
        assert reports[0] == reports[1]
        assert load_task(by_dataset, "kelp", "t-1") == load_task(by_files, "kelp", "t-1"), "history and gold too"

        about = RatingAtPlace("t-1", "targets/s1", "ann", audit.ratings["t-1", "ann"].sha256)
        accept_ratings(by_dataset, "kelp", [about], VerdictReason(), Lead("Ana", noon))
        before = content(data)
        again = built(data, store=by_dataset)
        assert (again.added, [row["kind"] for row in rows(data, "verdicts")]) == (0, ["accepted"])
        assert {**content(data), "verdicts": []} == before


def test_scores_of_justifications_come_from_the_store_and_grow_old_there_and_in_the_dataset(desk, tmp_path):
    pytest.importorskip("ibis")
    from desktop_rater.plugins.dataset.figures import dataset_report  # noqa: PLC0415 - loads ibis

    def texts_of_raters(store):
        manifest = built(data, desk.folder, store=store).manifest
        tables = dataset_tables(parquet_reader("duckdb"), data, manifest, REPORT_TABLES)
        of_dataset = dataset_report(tables, "kelp", ReportFilter(), seed=REPORT_SEED, computed="").report
        reports = (load_report(store, "kelp", seed=REPORT_SEED, now=NOON), of_dataset)
        return [{row.rater: row.texts for row in report.raters} for report in reports]

    data, files = tmp_path / "data", [desk.sent("ann", **ALL), desk.sent("bo", **ALL), desk.bundle]
    desk.opened(*files)
    scored = [
        ScoredRater(rater="ann", model=False, written=4, scored=3, scores={"AV": 0.6}, intervals={"AV": (0.5, 0.7)}),
        ScoredRater(rater="bo", model=False, written=1, scored=0, why="nothing to compare with"),
    ]
    with writer(desk.store) as store:
        ratings = ratings_sha256(load_audit(store, "kelp").ratings)
        made = StoredScores(ratings=ratings, oracle="hand", model="", seed=1, raters=tuple(scored))
        reviews.append_review(store, "kelp", SCORES_SUBJECT, "Ana", made, now=NOON)
        laptop, dataset = texts_of_raters(store)
        assert laptop == dataset
        assert (laptop["ann"].value, laptop["bo"].value) == (0.6, None)
    desk.opened(desk.sent("cy", **ALL))
    with writer(desk.store) as store:
        laptop, dataset = texts_of_raters(store)
    assert laptop == dataset
    assert {name: figure.why for name, figure in laptop.items()} == {
        "ann": OUTDATED_REASON,
        "bo": OUTDATED_REASON,
        "cy": NO_DATA,
    }


def test_a_dataset_that_is_damaged_opens_nothing(desk, tmp_path):
    data = tmp_path / "data"
    built(data, desk.sent("ann", t1=GOOD, t2=GOOD, t3=GOOD))
    with writer(tmp_path / "by-dataset") as store:
        with pytest.raises(RaterError, match="no bundle 'sand'"):
            opened(store, data, bundle="sand")
        (file,) = read_dataset_manifest(data).of_table("ratings")
        (data / file.path).write_bytes((data / file.path).read_bytes() + b" ")
        with pytest.raises(RaterError, match="damaged"):
            opened(store, data)
        assert opened_nothing(store)


def opened_nothing(store) -> bool:
    with store.reading("") as db:
        return db.execute("SELECT count(*) FROM received").fetchone() == (0,)
