"""Ratings go in, are judged by the rubric, and leave as results that anybody can check from scratch."""

import json
import zipfile
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from desktop_rater.format.change import Cancelled, Progress
from desktop_rater.format.errors import BundleError
from desktop_rater.format.rating import MAX_RESEARCH_ENTRIES
from desktop_rater.format.strict_json import canonical_json, sha256
from desktop_rater.format.values import Answers
from desktop_rater.operations.audit.check_results import check_results
from desktop_rater.operations.rating.export import ExportedResults, export_results
from desktop_rater.operations.rating.open_task import bundle_rubric, bundle_statuses, open_task
from desktop_rater.operations.rating.save import RatedFromFile, rate_from_file, save_rating
from desktop_rater.rubric.check import exported_json_sha256
from desktop_rater.store import ratings
from desktop_rater.store.store import Store
from tests.readers import head_of

from .bundles import NOON, RATER, make, noon, rating, take_in, task, write_lines, writer

NOTHING_SAID: dict[str, Any] = {"factual": "yes"}
NO_FACT = {"factual": "no"}


@pytest.fixture
def store(tmp_path):
    with writer(tmp_path / "store") as store:
        take_in(store, make(tmp_path / "b.zip", [task("t-1"), task("t-2"), task("t-3", "Hello.", "Goodbye.")]))
        yield store


def rate(store: Store, folder: Path, *plain: dict[str, Any], later: int = 0) -> RatedFromFile:
    path = write_lines(folder / "ratings.jsonl", plain)
    return rate_from_file(store, "b", path, RATER, progress=Progress(), now=lambda: NOON + timedelta(minutes=later))


def export(store: Store, out: Path, *, partial: bool = False) -> ExportedResults:
    return export_results(store, "b", RATER, out, progress=Progress(), partial=partial)


def rate_all(store: Store, folder: Path) -> None:
    rate(store, folder, rating("t-1"), rating("t-2"), rating("t-3", NO_FACT, NO_FACT))


def test_a_file_of_ratings_is_counted_and_judged(store, tmp_path):
    skipped = {"task": "t-3", "status": "skipped", "skipped": {"reason": "wrong_language", "comment": ""}}
    rated = rate(store, tmp_path, rating("t-1"), rating("t-2", NOTHING_SAID), skipped, rating("t-9"))
    assert (rated.complete, rated.incomplete, rated.skipped) == (1, 1, 1)
    assert rated.unknown == ("t-9",)
    assert rated.problems == {"required:accuracy": 1, "required:common_knowledge": 1}
    (row,) = bundle_statuses(store)
    assert (row.complete, row.incomplete, row.skipped) == (1, 1, 1)


def test_what_a_rating_says_of_unknown_targets_is_named_and_not_stored(store, tmp_path):
    strange = rating("t-1", claims={"s7": [{"id": "c1"}]}, evidence=[{"id": "e1", "target": "s8"}])
    strange["answers"]["targets"]["s9"] = NO_FACT
    strange["answers"]["responses"] = {"z": {}}
    searched = {"kind": "search", "query": "kelp", "engine": "bing"}
    strange["research"] = [{**searched, "target": "s6"}, {**searched, "response": "y"}, {**searched, "target": "s1"}]
    rated = rate(store, tmp_path, strange)
    assert set(rated.unknown) == {"t-1/s6", "t-1/s7", "t-1/s8", "t-1/s9", "t-1/y", "t-1/z"}
    head = head_of(store, "b", "t-1", RATER)
    assert (set(head.rating.answers.targets), head.rating.claims, head.rating.evidence) == ({"s1"}, {}, ())
    assert [entry.target for entry in head.rating.research] == ["s1"]


def test_research_without_end_is_refused_with_its_line(store, tmp_path):
    endless = rating("t-1", research=[{"kind": "search", "target": "s1"}] * (MAX_RESEARCH_ENTRIES + 1))
    path = write_lines(tmp_path / "endless.jsonl", [rating("t-2"), endless])
    with pytest.raises(BundleError, match=r"endless.jsonl, line 2, task \"t-1\": field `research`.*5000"):
        rate_from_file(store, "b", path, RATER, progress=Progress(), now=noon)


def test_the_same_research_again_makes_no_revision(store, tmp_path):
    entry = {"kind": "page", "target": "s1", "url": "https://a.example/", "seconds": 20, "outcome": "nothing"}
    rate(store, tmp_path, rating("t-1", research=[entry]))
    rate(store, tmp_path, rating("t-1", research=[entry]))
    head = head_of(store, "b", "t-1", RATER)
    assert head.rating.revision == 1
    rate(store, tmp_path, rating("t-1", research=[{**entry, "seconds": 21}]))
    head = head_of(store, "b", "t-1", RATER)
    assert head.rating.revision == 2


def test_one_malformed_line_refuses_the_whole_file(store, tmp_path):
    path = write_lines(tmp_path / "bad.jsonl", [rating("t-1")])
    path.write_text(path.read_text("utf-8") + '{"task": "t-2", "answers": 3}\n', "utf-8")
    with pytest.raises(BundleError, match=r"bad.jsonl, line 2, task \"t-2\": field `answers`"):
        rate_from_file(store, "b", path, RATER, progress=Progress(), now=noon)
    assert ratings.rating_head(store, "b", "t-1", RATER) is None


def test_a_rating_equal_to_the_stored_one_makes_no_revision(store, tmp_path):
    rate_all(store, tmp_path)
    assert not rate(store, tmp_path, rating("t-1"), later=5)
    assert head_of(store, "b", "t-1", RATER).rating.revision == 1


def test_nothing_leaves_while_a_rule_blocks(store, tmp_path):
    rate(store, tmp_path, rating("t-1"), rating("t-2", NOTHING_SAID))
    out = tmp_path / "r.zip"
    refused = export(store, out)
    assert not refused.written
    assert not out.exists()
    stays = {one.task: [(it.where, it.rule) for it in one.problems] for one in refused.stays}
    assert stays == {
        "t-2": [("targets/s1", "required:accuracy"), ("targets/s1", "required:common_knowledge")],
        "t-3": [],
    }


SECOND_THOUGHTS = {"accuracy": "disputed", "severity": "minor", "comment": "not asked"}


@pytest.mark.parametrize("forget", ["DELETE FROM leaving", "UPDATE leaving SET basis = 'an older engine'"])
def test_what_was_checked_when_it_was_saved_leaves_as_if_it_were_checked_again(store, tmp_path, forget):
    hidden = {**NO_FACT, **SECOND_THOUGHTS}
    skipped = {"task": "t-2", "status": "skipped", "skipped": {"reason": "other", "comment": "blank"}}
    rate(store, tmp_path, rating("t-1"), skipped, rating("t-3", hidden, NO_FACT))
    kept = "SELECT task, basis, sha256, form FROM leaving ORDER BY rating"
    trusted = store.db.execute(kept).fetchall()
    assert len(trusted) == 3
    export(store, tmp_path / "trusted.zip")
    store.db.execute(forget)
    export(store, tmp_path / "checked.zip")
    assert (tmp_path / "trusted.zip").read_bytes() == (tmp_path / "checked.zip").read_bytes()
    assert store.db.execute(kept).fetchall() == trusted, "what was checked now is trusted the next time"
    assert check_results(tmp_path / "trusted.zip", Progress()).complete == 2


def test_answers_are_heard_while_results_are_packed_and_who_stops_leaves_the_last_ones(store, tmp_path):
    rate_all(store, tmp_path)
    out = tmp_path / "r.zip"
    export(store, out)
    before = out.read_bytes()
    heard = []

    def stop_when_packing(done: int, total: int) -> None:
        heard.append((done, total))
        if len(heard) == 3:
            progress.stop()

    progress = Progress(stop_when_packing)
    with pytest.raises(Cancelled):
        export_results(store, "b", RATER, out, progress=progress)
    assert heard == [(3, 3)] * 3, "once for the tasks, then for each piece that is packed"
    assert out.read_bytes() == before
    assert [path.name for path in tmp_path.glob(".*")] == []


def test_with_partial_what_is_complete_leaves_and_the_rest_is_named(store, tmp_path):
    rate(store, tmp_path, rating("t-1"))
    done = export(store, tmp_path / "r.zip", partial=True)
    assert (done.written, done.complete, [one.task for one in done.stays]) == (True, 1, ["t-2", "t-3"])
    checked = check_results(tmp_path / "r.zip", Progress())
    assert (checked.partial, checked.complete, checked.broken) == (True, 1, ())


def test_the_same_ratings_give_the_same_bytes(store, tmp_path):
    rate_all(store, tmp_path)
    first, second = tmp_path / "first.zip", tmp_path / "second.zip"
    export(store, first)
    export(store, second)
    assert first.read_bytes() == second.read_bytes()


def test_new_results_name_those_that_they_supersede(store, tmp_path):
    rate_all(store, tmp_path)
    first = export(store, tmp_path / "first.zip")
    rate(store, tmp_path, rating("t-1", NO_FACT), later=5)
    second = export(store, tmp_path / "second.zip")
    third = export(store, tmp_path / "third.zip")
    assert manifest(tmp_path / "first.zip").get("supersedes") is None
    assert manifest(tmp_path / "second.zip")["supersedes"] == first.sha256
    assert third.sha256 == second.sha256


def test_results_hold_the_tasks_to_the_byte_and_a_history_that_can_be_followed(store, tmp_path):
    rate_all(store, tmp_path)
    rate(store, tmp_path, rating("t-1", NO_FACT), later=5)
    export(store, tmp_path / "r.zip")
    with zipfile.ZipFile(tmp_path / "r.zip") as results, zipfile.ZipFile(tmp_path / "b.zip") as bundle:
        assert results.namelist() == sorted(results.namelist())
        assert {info.external_attr >> 16 & 0o777 for info in results.infolist()} == {0o644}
        assert results.read("tasks.jsonl") == bundle.read("tasks.jsonl")
        lines = [json.loads(line) for line in results.read("ratings.jsonl").splitlines()]
        history = [json.loads(line) for line in results.read("history.jsonl").splitlines()]
    last = {line["task"]: line["sha256"] for line in history}
    assert [line["revision"] for line in history if line["task"] == "t-1"] == [1, 2]
    assert {line["task"]: exported_json_sha256(line) for line in lines} == last


def test_hidden_answers_stay_on_the_laptop(store, tmp_path):
    answers = {"factual": "no", "accuracy": "inaccurate", "severity": "major", "comment": "a private thought"}
    evidence = [{"id": "e1", "target": "s1", "stance": "supporting", "url": "https://a.example/"}]
    rate(store, tmp_path, rating("t-1", answers, evidence=evidence))
    export(store, tmp_path / "r.zip", partial=True)
    with zipfile.ZipFile(tmp_path / "r.zip") as results:
        (line,) = results.read("ratings.jsonl").splitlines()
    assert json.loads(line)["answers"]["targets"] == {"s1": {"factual": "no"}}
    assert json.loads(line)["evidence"] == []
    head = head_of(store, "b", "t-1", RATER)
    assert head.rating.answers.targets["s1"]["comment"] == "a private thought"


def test_unknown_keys_of_a_rating_leave_with_it(store, tmp_path):
    rate(store, tmp_path, rating("t-1", mood="good"))
    export(store, tmp_path / "r.zip", partial=True)
    with zipfile.ZipFile(tmp_path / "r.zip") as results:
        assert json.loads(results.read("ratings.jsonl"))["mood"] == "good"


def manifest(path: Path) -> dict[str, Any]:
    with zipfile.ZipFile(path) as results:
        return json.loads(results.read("manifest.json"))


def altered(path: Path, out: Path, change: Any) -> Path:
    """The same results with something changed, and every hash of the manifest made to agree again."""
    with zipfile.ZipFile(path) as results:
        files = {name: results.read(name) for name in results.namelist()}
    plain = json.loads(files.pop("manifest.json"))
    ratings_ = [json.loads(line) for line in files["ratings.jsonl"].splitlines()]
    history = [json.loads(line) for line in files["history.jsonl"].splitlines()]
    change(plain, ratings_, history)
    files["ratings.jsonl"] = b"".join(canonical_json(line) + b"\n" for line in ratings_)
    files["history.jsonl"] = b"".join(canonical_json(line) + b"\n" for line in history)
    plain["files"] = {name: {"sha256": sha256(data), "bytes": len(data)} for name, data in files.items()}
    with zipfile.ZipFile(out, "w") as results:
        for name, data in {**files, "manifest.json": canonical_json(plain)}.items():
            results.writestr(name, data)
    return out


def with_tasks(path: Path, out: Path, change: Any) -> Path:
    """The same results with other task lines, and a manifest that agrees."""
    with zipfile.ZipFile(path) as results:
        files = {name: results.read(name) for name in results.namelist()}
    plain = json.loads(files.pop("manifest.json"))
    data = b"".join(change(files["tasks.jsonl"].splitlines(keepends=True)))
    plain["files"]["tasks.jsonl"] = {"sha256": sha256(data), "bytes": len(data)}
    with zipfile.ZipFile(out, "w") as results:
        for name, content in {**files, "tasks.jsonl": data, "manifest.json": canonical_json(plain)}.items():
            results.writestr(name, content)
    return out


def break_a_rule(_manifest: Any, lines: Any, history: Any) -> None:
    lines[0]["answers"]["targets"]["s1"] = {"factual": "yes", "common_knowledge": "right", "accuracy": "inaccurate"}
    for line in history:
        if line["task"] == lines[0]["task"]:
            line["sha256"] = exported_json_sha256(lines[0])


def test_a_broken_rule_in_a_complete_rating_is_found(store, tmp_path):
    rate_all(store, tmp_path)
    export(store, tmp_path / "r.zip")
    checked = check_results(altered(tmp_path / "r.zip", tmp_path / "x.zip", break_a_rule), Progress())
    ((name, problems),) = checked.broken
    assert name == "t-1"
    assert {problem.rule for problem in problems} == {"contradicts:common-knowledge-right", "required:severity"}


ALTERATIONS = {
    "an answer": lambda m, r, h: r[0]["answers"]["targets"]["s1"].update(factual="no"),
    "a hidden answer": lambda m, r, h: r[2]["answers"]["targets"]["s1"].update(accuracy="accurate"),
    "what was decided": lambda m, r, h: r[0]["decided"]["targets/s1"]["accuracy"].update(by="supported"),
    "the problems": lambda m, r, h: r[0]["problems"].append({"rule": "x", "level": "warn", "where": "task"}),
    "the rater of one rating": lambda m, r, h: r[0].update(rater="somebody"),
    "the count": lambda m, r, h: m["counts"].update(complete=2),
    "a missing rating": lambda m, r, h: r.pop(),
    "a missing revision": lambda m, r, h: h.pop(),
    "the number of a revision": lambda m, r, h: h[0].update(revision=4),
    "a time": lambda m, r, h: r[0].update(changed="2027-01-01T00:00:00Z"),
    "whether it is partial": lambda m, r, h: m.update(partial=True),
    "how many tasks there are": lambda m, r, h: m["counts"].update(tasks=0),
    "a status": lambda m, r, h: r[0].update(status="incomplete"),
}


@pytest.mark.parametrize("change", ALTERATIONS.values(), ids=ALTERATIONS.keys())
def test_results_that_were_altered_are_refused(store, tmp_path, change):
    rate_all(store, tmp_path)
    export(store, tmp_path / "r.zip")
    with pytest.raises(BundleError, match=r"x\.zip"):
        check_results(altered(tmp_path / "r.zip", tmp_path / "x.zip", change), Progress())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda lines: lines[:-1], 'Task "t-3" is not at the same position'),
        (lambda lines: lines[::-1], 'Task "t-1" is not at the same position'),
        (lambda lines: [*lines, json.dumps(task("t-9")).encode() + b"\n"], 'contains task "t-9", which has no rating'),
    ],
    ids=["one missing", "another order", "one more"],
)
def test_each_rating_has_its_task_and_each_task_its_rating(store, tmp_path, change, words):
    rate_all(store, tmp_path)
    export(store, tmp_path / "r.zip")
    with pytest.raises(BundleError, match=words):
        check_results(with_tasks(tmp_path / "r.zip", tmp_path / "x.zip", change), Progress())


def test_what_is_saved_during_an_export_leaves_with_the_next_one(store, tmp_path):
    rate_all(store, tmp_path)
    path = write_lines(tmp_path / "later.jsonl", [rating("t-1", NO_FACT)])
    saved = []

    def save_once(_done: int, _total: int) -> None:
        if not saved:
            saved.append(rate_from_file(store, "b", path, RATER, progress=Progress(), now=noon))

    export_results(store, "b", RATER, tmp_path / "r.zip", progress=Progress(save_once))
    assert saved
    assert check_results(tmp_path / "r.zip", Progress()).complete == 3
    export(store, tmp_path / "r2.zip")
    assert check_results(tmp_path / "r2.zip", Progress()).complete == 3
    assert manifest(tmp_path / "r2.zip")["supersedes"]


def test_a_rating_of_a_text_that_was_replaced_meanwhile_is_not_complete(store, tmp_path):
    opened = open_task(store, "b", "t-1", RATER)
    newer = make(tmp_path / "b2.zip", [task("t-1", "Lyon is the capital of France.")], id="b", revision=2)
    take_in(store, newer)
    given = {"factual": "yes", "common_knowledge": "right", "accuracy": "accurate"}
    late = replace(opened.rating, status="complete", answers=Answers(targets={"s1": given}))
    save_rating(store, bundle_rubric(store, "b"), "b", opened.task, late, done="finish", now=noon)
    (row,) = bundle_statuses(store)
    assert (row.complete, row.incomplete) == (0, 1)
    assert open_task(store, "b", "t-1", RATER).rating.answers.targets["s1"] == given
