"""Gold comes along with a bundle for practice, is shown nowhere else, and each line of it has to be a good answer."""

import hashlib
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.format.errors import BundleError
from desktop_rater.format.strict_json import to_plain
from desktop_rater.operations.audit.check_results import check_results
from desktop_rater.operations.bundles.inspect_bundle import inspect_bundle
from desktop_rater.operations.bundles.make import BundleOptions, build_bundle
from desktop_rater.operations.rating.export import export_results
from desktop_rater.operations.rating.gold import gold_answer
from desktop_rater.operations.rating.open_task import bundle_statuses
from desktop_rater.operations.rating.save import rate_from_file
from desktop_rater.operations.store.backup import back_up
from desktop_rater.operations.store.salvage import salvage_to
from desktop_rater.store import bundles
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.errors import StoreDamaged
from desktop_rater.store.open_store import open_writer
from tests.readers import reader_of

from .bundles import RATER, make, noon, rating, take_in, task, write_lines, writer

TASKS = [task("t-1"), task("t-2", "Hello.", "Goodbye."), task("t-3")]
NO = {"factual": "no"}
GOLD = [rating("t-1", rater="lead", note="Look it up."), rating("t-2", NO, NO)]


def made(path: Path, lines: list[dict[str, Any]] = GOLD, *, practice: bool = True, **more: Any) -> Path:
    return make(path, TASKS, gold=write_lines(path.with_suffix(".gold.jsonl"), lines), practice=practice, **more)


def rezipped(path: Path, **files: bytes | None) -> Path:
    """The zip with some files replaced, or taken away, behind its maker's back."""
    with zipfile.ZipFile(path) as old:
        content: dict[str, bytes | None] = {name: old.read(name) for name in old.namelist()}
    content |= {name.replace("_", "."): data for name, data in files.items()}
    with zipfile.ZipFile(path, "w") as new:
        for name, data in content.items():
            if data is not None:
                new.writestr(name, data)
    return path


def manifest_of(path: Path) -> dict[str, Any]:
    with zipfile.ZipFile(path) as opened:
        return json.loads(opened.read("manifest.json"))


def test_the_gold_of_practice_is_there_for_each_task_that_has_one(tmp_path):
    found = inspect_bundle(made(tmp_path / "b.zip"), Progress())
    assert (found.practice, found.gold, found.ignored) == (True, 2, ())
    with writer(tmp_path / "store") as store:
        assert take_in(store, tmp_path / "b.zip").ignored == ()
        first = gold_answer(store, "b", "t-1")
        assert first is not None
        assert (first.rater, first.note, first.status) == ("lead", "Look it up.", "complete")
        assert first.decided["targets/s1"]["accuracy"].by == "common-knowledge-right"
        second = gold_answer(store, "b", "t-2")
        assert second is not None
        assert second.rater == "gold"
        assert gold_answer(store, "b", "t-3") is None
        assert [one.practice for one in bundle_statuses(store)] == [True]
        assert [row.practice for row in bundles.list_bundles(store)] == [True]


def test_gold_of_another_bundle_never_comes_into_the_store(tmp_path):
    path = made(tmp_path / "b.zip", practice=False)
    assert "practice" not in manifest_of(path)
    assert "gold.jsonl" in manifest_of(path)["files"]
    found = inspect_bundle(path, Progress())
    assert (found.practice, found.gold) == (False, 0)
    with writer(tmp_path / "store") as store:
        take_in(store, path)
        assert gold_answer(store, "b", "t-1") is None
        assert store.db.execute("SELECT count(*) FROM gold").fetchone() == (0,)
        assert [one.practice for one in bundle_statuses(store)] == [False]


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ([rating("t-1"), rating("t-9")], r'line 2, task "t-9": the bundle has no such task'),
        ([rating("t-1"), rating("t-1", NO)], r'line 2, task "t-1": .*line 1 answers the same task'),
        ([rating("t-1", {})], r'line 1, task "t-1": it does not fit span-factuality@3: it answers no question'),
        ([rating("t-1", {"factual": "perhaps"})], r'"factual" at targets/s1 does not offer .perhaps.'),
        ([rating("t-1", {"fluency": 4})], r'"fluency" at targets/s1 is no question of a target'),
        ([rating("t-2", {"factual": "no", "accuracy": "accurate"})], r'"accuracy" at targets/s1 is not asked after'),
        (
            [rating("t-1", {"factual": "yes", "common_knowledge": "wrong", "accuracy": "accurate"})],
            r"contradicts:common-knowledge-wrong at targets/s1",
        ),
        (
            [
                rating(
                    "t-1", {"accuracy": "accurate"}, claims={"s1": [{"id": "c1", "answers": {"accuracy": "disputed"}}]}
                )
            ],
            r'"accuracy" at targets/s1 is not what its claims come to',
        ),
        ([rating("t-1", NO, NO)], r'task "t-1": the task has no s2'),
        ([rating("t-1", rubric="side-by-side@2")], r"it answers side-by-side@2, but the bundle uses span-factuality@3"),
        ([{"answers": {}}], r"line 1: .*task"),
        ([], r"It contains no gold answers"),
    ],
    ids=[
        *("unknown task", "twice", "no answer", "not offered", "no question", "hidden", "contradiction", "claims"),
        *("unknown target", "other rubric", "no rating", "none"),
    ],
)
def test_a_line_of_gold_that_is_no_good_answer_is_named_and_nothing_is_made(tmp_path, lines, says):
    with pytest.raises(BundleError, match=says) as refused:
        made(tmp_path / "b.zip", lines)
    assert "b.gold.jsonl" in str(refused.value)
    assert not (tmp_path / "b.zip").exists()


def test_gold_may_answer_only_some_questions_and_is_shown_as_it_is(tmp_path):
    labels = [rating("t-1", {"accuracy": "inaccurate"}), rating("t-2", {}, NO, note="Only the second.")]
    path = made(tmp_path / "b.zip", [*labels, rating("t-3")])
    with writer(tmp_path / "store") as store:
        assert take_in(store, path).ignored == ()
        first, second, third = (gold_answer(store, "b", f"t-{n}") for n in (1, 2, 3))
    assert first is not None
    assert second is not None
    assert third is not None
    assert [gold.status for gold in (first, second, third)] == ["incomplete", "incomplete", "complete"]
    assert (first.answers.targets, first.decided) == ({"s1": {"accuracy": "inaccurate"}}, {})
    assert (second.answers.targets, second.note) == ({"s2": NO}, "Only the second.")
    again = made(tmp_path / "again.zip", [to_plain(first), to_plain(second), to_plain(third)])
    with zipfile.ZipFile(path) as one, zipfile.ZipFile(again) as other:
        assert one.read("gold.jsonl") == other.read("gold.jsonl")


def test_several_people_may_give_gold_that_is_not_for_practice(tmp_path):
    lines = [rating("t-1", rater="one"), rating("t-1", NO, rater="two")]
    made(tmp_path / "b.zip", lines, practice=False)
    with pytest.raises(BundleError, match="answers the same task"):
        made(tmp_path / "b.zip", lines)


def test_practice_without_gold_is_refused_when_made_and_when_read(tmp_path):
    lines = write_lines(tmp_path / "tasks.jsonl", TASKS)
    with pytest.raises(BundleError, match="Add --gold"):
        build_bundle(tmp_path / "b.zip", lines, BundleOptions(rubric="span-factuality", practice=True), Progress())
    for gone in (True, False):
        path = made(tmp_path / "b.zip")
        manifest = manifest_of(path)
        if gone:
            rezipped(path, gold_jsonl=None)
        else:
            del manifest["files"]["gold.jsonl"]
            rezipped(path, manifest_json=json.dumps(manifest).encode())
        with pytest.raises(BundleError, match=r"practice, but there is no gold\.jsonl"):
            inspect_bundle(path, Progress())


def test_an_import_tells_of_gold_that_it_can_t_use_and_takes_the_rest(tmp_path):
    """`bundle make` would not have made such a bundle; others might."""
    path = made(tmp_path / "b.zip")
    manifest = manifest_of(path)
    del manifest["files"]["gold.jsonl"]
    lines = [rating("t-1"), rating("t-2", {"factual": 1}), rating("t-9")]
    raw = "".join(json.dumps(one) + "\n" for one in lines).encode()
    manifest["files"]["gold.jsonl"] = {"sha256": hashlib.sha256(raw).hexdigest(), "bytes": len(raw)}
    rezipped(path, manifest_json=json.dumps(manifest).encode(), gold_jsonl=raw)
    with writer(tmp_path / "store") as store:
        imported = take_in(store, path)
        assert imported.imported == 3
        misfit = 'it does not fit span-factuality@3: "factual" at targets/s1 does not offer'
        assert imported.ignored == (
            f"gold.jsonl, line 2, task \"t-2\": {misfit} '1'",
            'gold.jsonl, line 3, task "t-9": the bundle has no such task',
        )
        assert gold_answer(store, "b", "t-1") is not None
        assert gold_answer(store, "b", "t-2") is None


def test_other_gold_is_another_bundle_in_practice_and_the_same_one_elsewhere(tmp_path):
    for practice in (True, False):
        with writer(tmp_path / f"store {practice}") as store:
            take_in(store, made(tmp_path / "b.zip", practice=practice))
            other = made(tmp_path / "b.zip", [rating("t-1", NO)], practice=practice)
            if practice:
                with pytest.raises(BundleError, match="higher revision"):
                    take_in(store, other)
            else:
                assert take_in(store, other).outcome == "unchanged"


def test_a_newer_revision_brings_its_own_gold(tmp_path):
    with writer(tmp_path / "store") as store:
        take_in(store, made(tmp_path / "b.zip"))
        take_in(store, made(tmp_path / "b.zip", [rating("t-3")], revision=2))
        assert gold_answer(store, "b", "t-1") is None
        assert gold_answer(store, "b", "t-3") is not None


def test_results_of_practice_say_so(tmp_path):
    for practice in (True, False):
        out = tmp_path / "out.zip"
        with writer(tmp_path / f"store {practice}") as store:
            take_in(store, made(tmp_path / "b.zip", practice=practice))
            rate_from_file(
                store, "b", write_lines(tmp_path / "r.jsonl", [rating("t-1")]), RATER, progress=Progress(), now=noon
            )
            export_results(store, "b", RATER, out, progress=Progress(), partial=True)
        assert manifest_of(out).get("practice", False) is practice
        assert check_results(out, Progress()).practice is practice
        with zipfile.ZipFile(out) as opened:
            assert "gold.jsonl" not in opened.namelist()


def test_gold_is_in_backups_and_in_what_is_salvaged_and_an_altered_one_is_a_fault(tmp_path):
    folder = tmp_path / "store"
    with writer(folder) as store:
        take_in(store, made(tmp_path / "b.zip"))
        kept = back_up(store, now=noon, progress=Progress())
    assert kept is not None
    assert kept.good
    assert examine_store(folder).sound
    salvage_to(folder, tmp_path / "saved", now=noon(), progress=Progress())
    with reader_of(tmp_path / "saved") as reader:
        found = gold_answer(reader, "b", "t-1")
        assert found is not None
        assert found.note == "Look it up."
        assert gold_answer(reader, "b", "t-3") is None
    with open_writer(folder, command="a test") as store:
        store.db.execute("UPDATE gold SET line = CAST(replace(CAST(line AS TEXT), 'yes', 'noo') AS BLOB)")
        with pytest.raises(StoreDamaged, match="gold answer of 't-1' was modified"):
            bundles.find_gold(store, "b", "t-1")
    (fault,) = examine_store(folder).faults
    assert (fault.check, "'t-1'" in fault.text) == ("gold", True)


def test_the_gold_answer_of_another_task_is_never_shown_for_this_one(tmp_path):
    folder = tmp_path / "store"
    with writer(folder) as store:
        take_in(store, made(tmp_path / "b.zip"))
        keys = [key for (key,) in store.db.execute("SELECT key FROM gold ORDER BY key")]
        store.db.execute("PRAGMA foreign_keys = OFF")
        for old, new in zip((*keys, -1), (-1, *keys), strict=True):  # each row is as it was, at another task
            store.db.execute("UPDATE gold SET key = ? WHERE key = ?", (new, old))
        for name in ("t-1", "t-2"):
            with pytest.raises(StoreDamaged, match=f"gold answer of '{name}' was modified"):
                gold_answer(store, "b", name)
    assert [fault.check for fault in examine_store(folder).faults] == ["gold", "gold"]


def test_an_import_that_is_dropped_leaves_no_gold_behind(tmp_path):
    with writer(tmp_path / "store") as store:
        path = made(tmp_path / "b.zip")
        raw = manifest_of(path)
        raw["tasks"] = 4  # it is found out at the very end
        rezipped(path, manifest_json=json.dumps(raw).encode())
        with pytest.raises(BundleError):
            take_in(store, path)
        assert store.db.execute("SELECT count(*) FROM gold").fetchone() == (0,)
