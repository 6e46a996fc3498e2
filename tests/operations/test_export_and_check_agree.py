"""What leaves is what a check takes: an export refuses, or keeps back, whatever a check would call altered."""

import re
from pathlib import Path

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.format.strict_json import sha256
from desktop_rater.operations.audit.check_results import check_results
from desktop_rater.operations.rating.export import ExportedResults, export_results
from desktop_rater.operations.rating.open_task import bundle_statuses, open_task
from desktop_rater.paths import resources
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.errors import StoreDamaged
from desktop_rater.store.store import Store

from .bundles import RATER, make, rating, save_ratings, take_in, task, write, writer

TASKS = ("t-1", "t-2", "t-3")


@pytest.fixture
def store(tmp_path):
    with writer(tmp_path / "store") as store:
        yield store


def bring(store: Store, folder: Path, *, revision: int = 1, version: int = 1) -> None:
    """A revision of the bundle, with a rubric of its own of that version."""
    builtin = (resources() / "rubrics" / "span-factuality.toml").read_text(encoding="utf-8")
    own = re.sub(r"^version = \d+$", f"version = {version}", builtin, count=1, flags=re.MULTILINE)
    rubric = write(folder / "own.toml", own.replace('id = "span-factuality"', 'id = "own"', 1))
    place = folder / str(revision)
    place.mkdir()
    tasks = [task(name) for name in TASKS]
    take_in(store, make(place / "b.zip", tasks, rubric=str(rubric), revision=revision))


def rate(store: Store, folder: Path) -> None:
    save_ratings(store, "b", folder / "ratings.jsonl", [rating(name) for name in TASKS])


def export(store: Store, out: Path) -> ExportedResults:
    return export_results(store, "b", RATER, out, progress=Progress())


def alter(store: Store, query: str) -> None:
    """What a disk does: it does not ask the triggers."""
    store.db.execute("PRAGMA foreign_keys = OFF")
    triggers = store.db.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        store.db.execute(f"DROP TRIGGER {name}")
    store.db.execute(query)
    for _, statement in triggers:
        store.db.execute(statement)


ONE = "(SELECT rating FROM heads WHERE task = 't-2')"
SWAPPED = """
    UPDATE ratings SET (body, sha256, leaving_sha256) =
        (SELECT body, sha256, leaving_sha256 FROM ratings AS other WHERE other.task = 't-1')
    WHERE task = 't-2'
"""


@pytest.mark.parametrize(
    "query",
    [
        f"UPDATE ratings SET changed = '2020-01-01T00:00:00Z' WHERE key = {ONE}",
        SWAPPED,
        f"UPDATE heads SET rating = {ONE} WHERE task = 't-3'",
    ],
)
def test_a_rating_that_stands_where_another_was_saved_does_not_leave(store, tmp_path, query):
    bring(store, tmp_path)
    rate(store, tmp_path)
    alter(store, query)
    with pytest.raises(StoreDamaged, match="A stored rating was modified"):
        export(store, tmp_path / "out.zip")
    assert not (tmp_path / "out.zip").exists()
    assert not examine_store(store.folder).sound


def test_a_history_with_a_gap_does_not_leave(store, tmp_path):
    bring(store, tmp_path)
    rate(store, tmp_path)
    save_ratings(store, "b", tmp_path / "more.jsonl", [rating("t-2", note="On second thoughts.")])
    assert check_results(export(store, tmp_path / "good.zip").out, Progress()).complete == 3
    alter(store, "DELETE FROM ratings WHERE task = 't-2' AND revision = 1")
    with pytest.raises(StoreDamaged, match="Only 1 of 2 revisions of .* exist"):
        export(store, tmp_path / "out.zip")
    assert not (tmp_path / "out.zip").exists()


def test_a_form_of_which_the_history_does_not_tell_is_checked_again_and_stays(store, tmp_path):
    bring(store, tmp_path)
    rate(store, tmp_path)
    alter(store, f"UPDATE ratings SET leaving_sha256 = '{'0' * 64}' WHERE key = {ONE}")
    refused = export(store, tmp_path / "out.zip")
    assert not refused.written
    assert [one.task for one in refused.stays] == ["t-2"]
    assert "change an answer" in refused.stays[0].why
    save_ratings(store, "b", tmp_path / "more.jsonl", [rating("t-2", note="On second thoughts.")])
    assert export(store, tmp_path / "out.zip").complete == 3


def test_a_form_that_was_altered_with_its_hash_is_checked_again(store, tmp_path):
    bring(store, tmp_path)
    rate(store, tmp_path)
    before = export(store, tmp_path / "before.zip")
    store.db.create_function("hash", 1, sha256)
    altered = "CAST(replace((SELECT body FROM ratings WHERE key = rating), '\"right\"', '\"wrong\"') AS BLOB)"
    alter(store, f"UPDATE leaving SET form = {altered}, sha256 = hash({altered})")
    assert export(store, tmp_path / "after.zip").sha256 == before.sha256


def test_what_another_rubric_asked_is_to_be_finished_again(store, tmp_path):
    bring(store, tmp_path)
    rate(store, tmp_path)
    bring(store, tmp_path, revision=2, version=2)
    assert bundle_statuses(store)[0].incomplete == 3
    assert open_task(store, "b", "t-1", RATER).rating.status == "incomplete"
    assert not export(store, tmp_path / "out.zip").written
    assert examine_store(store.folder).sound
    rate(store, tmp_path)
    assert check_results(export(store, tmp_path / "out.zip").out, Progress()).complete == 3


def test_another_revision_with_the_same_rubric_leaves_them_finished(store, tmp_path):
    bring(store, tmp_path)
    rate(store, tmp_path)
    bring(store, tmp_path, revision=2)
    assert bundle_statuses(store)[0].complete == 3
    assert check_results(export(store, tmp_path / "out.zip").out, Progress()).complete == 3


def test_rules_that_were_altered_in_the_store_judge_nothing(store, tmp_path):
    bring(store, tmp_path)
    rate(store, tmp_path)
    alter(store, "UPDATE bundles SET rubric_toml = replace(rubric_toml, 'level = \"block\"', 'level = \"warn\"')")
    with pytest.raises(StoreDamaged, match=r"rubric\.toml of the bundle b was modified"):
        export(store, tmp_path / "results.zip")
    assert [fault.check for fault in examine_store(store.folder).faults] == ["bundles"]
