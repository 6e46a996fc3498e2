"""A lead turns results into a dataset: what counts, what is refused, and what a stopped build leaves."""

import subprocess
import sys
from multiprocessing import active_children, get_context
from pathlib import Path
from time import sleep
from typing import Any

import msgspec
import pytest

from desktop_rater.audit.digest import Digest
from desktop_rater.audit.questions import judged_questions, judgements
from desktop_rater.format.change import Cancelled, Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.format.signing import SigningKey
from desktop_rater.operations.audit.load_audit import load_audit
from desktop_rater.operations.audit.review import Lead, RatingAtPlace, VerdictReason, accept_ratings
from desktop_rater.operations.hub.keys import key_file_bytes
from desktop_rater.plugins.dataset import build as building
from desktop_rater.plugins.dataset import judge
from desktop_rater.plugins.dataset.build import BuildOptions, BuiltDataset, build_dataset
from desktop_rater.plugins.dataset.engines import in_processes
from desktop_rater.plugins.dataset.judge import SourceZip, ZipBatch, value_columns
from desktop_rater.plugins.dataset.parts import BY_NAME, TABLES, check_dataset, read_dataset_manifest, read_rows
from tests.audit.results import GOOD, OPINION, WRONG, Desk, renamed
from tests.operations.bundles import NOON, make, noon, rating, save_ratings, take_in, task, write, write_lines, writer
from tests.plugins.dataset.killed_worker import judge_killed_once
from tests.readers import reader_of

ROOT = Path(__file__).resolve().parents[2]
ANN = SigningKey(b"a" * 32)
ALL = {"t1": GOOD, "t2": GOOD, "t3": GOOD}


def built(folder: Path, *paths: Path, bundle: str = "", **more: Any) -> BuiltDataset:
    options = BuildOptions(bundle=bundle, workers=more.pop("workers", 1))
    run = more.pop("run", in_processes(options.workers))
    return build_dataset(folder, paths, run=run, now=NOON, progress=Progress(), options=options, **more)


def rows(folder: Path, table: str) -> list[dict[str, Any]]:
    return list(read_rows(folder, read_dataset_manifest(folder).of_table(table)))


def content(folder: Path) -> dict[str, list[str]]:
    """All rows of the tables that say nothing of the time of the build, in an order of their own."""
    return {table.name: sorted(map(repr, rows(folder, table.name))) for table in TABLES if table.name != "meta"}


def counting(folder: Path) -> dict[tuple[str, str], str]:
    counted = rows(folder, "counted")
    return {(row["task"], row["rater"]): row["results"] for row in counted if row["standing"] == "counts"}


@pytest.fixture
def desk(tmp_path):
    (tmp_path / "desk").mkdir()
    gold = write_lines(tmp_path / "gold.jsonl", [rating("t-1", WRONG, GOOD)])
    given = [task(f"t-{n}", f"Kelp {n} is green.", "It is an alga.") for n in range(1, 4)]
    desk = Desk(tmp_path / "desk", given)
    desk.bundle = make(tmp_path / "desk" / "kelp.zip", given, gold=gold)
    return desk


def test_the_rows_are_those_that_an_audit_of_the_same_files_counts(desk, tmp_path):
    before = desk.sent("ann", "ann-before", **ALL)
    after = desk.sent("ann", t1=WRONG)
    files = [before, after, desk.sent("bo", partial=True, t1=OPINION), desk.with_page("cy"), desk.bundle]
    desk.opened(*files)
    done = built(tmp_path / "data", *files)
    assert (done.added, done.judged_before, done.refused) == (4, 0, ())
    with reader_of(desk.store) as store:
        audit = load_audit(store, "kelp").unpacked()
    assert counting(tmp_path / "data") == {key: rating.results for key, rating in audit.ratings.items()}
    standings = [row["standing"] for row in rows(tmp_path / "data", "counted")]
    assert (standings.count("earlier"), standings.count("stale")) == (len(audit.earlier), len(audit.stale))

    stored = {(row["results"], row["task"]): row for row in rows(tmp_path / "data", "ratings")}
    for received in (*audit.ratings.values(), *audit.earlier):
        row = stored[received.results, received.task]
        assert msgspec.json.decode(row["digest"], type=Digest) == received.digest
        assert (row["sha256"], row["text"]) == (received.sha256, received.text)
        assert (row["seconds"], row["evidence"]) == (received.digest.seconds, sum(received.digest.evidence.values()))
    questions = judged_questions(audit.rubric)
    for name, judged in (("answers", lambda values: values), ("labels", lambda values: judgements(values, questions))):
        expected = {
            (received.results, received.task, place, question, *value_columns(value).values())
            for received in (*audit.ratings.values(), *audit.earlier)
            for place, values in received.digest.values.items()
            for question, value in judged(values).items()
        }
        keys = ("results", "task", "place", "question", "value", "number")
        assert {tuple(row[key] for key in keys) for row in rows(tmp_path / "data", name)} == expected

    (row,) = rows(tmp_path / "data", "audits")
    assert (row["rubric"], row["known"], row["stale"]) == (audit.rubric.ref, True, 0)
    tasks = rows(tmp_path / "data", "audited_tasks")
    assert [(row["position"], row["task"], row["text"]) for row in tasks] == [
        (number, name, audit.texts[name]) for number, name in enumerate(audit.tasks)
    ]
    assert [row["task"] for row in rows(tmp_path / "data", "tasks")] == list(audit.tasks), "each text once"
    assert [(row["task"], row["revision"]) for row in rows(tmp_path / "data", "gold")] == [("t-1", 1)]
    (piece,) = rows(tmp_path / "data", "evidence")
    assert (piece["rater"], piece["url"], piece["target"]) == ("cy", "https://kelp.example/", "s1")


def test_members_that_a_file_adds_to_evidence_do_not_change_whose_it_is(desk, tmp_path):
    added = {"results": "0" * 64, "bundle": "sand", "task": "t-2", "rater": "bo", "bucket": "all"}
    piece = {"id": "e1", "target": "s1", "stance": "supporting", "url": "https://kelp.example/", **added}
    lines = [rating(f"t-{n}", GOOD, GOOD, evidence=[piece] if n == 1 else []) for n in (1, 2, 3)]
    with writer(desk.folder / "home-ann") as store:
        take_in(store, desk.bundle)
        save_ratings(store, "kelp", tmp_path / "ratings.jsonl", lines, "ann")
    assert built(tmp_path / "data", desk.exported("ann")).refused == ()
    (row,) = rows(tmp_path / "data", "evidence")
    (results,) = rows(tmp_path / "data", "results")
    expected = {"results": results["results"], "bundle": "kelp", "task": "t-1", "rater": "ann"}
    assert {name: row[name] for name in expected} == expected


def test_a_second_build_adds_what_is_new_and_newer_results_replace_earlier_ones(desk, tmp_path):
    data = tmp_path / "data"
    first, other = desk.sent("ann", **ALL), desk.sent("bo", **ALL)
    built(data, first, other)
    parts = {file.path for file in read_dataset_manifest(data).files if BY_NAME[file.table].source == "part"}
    later = desk.sent("ann", "ann-later", t1=WRONG)
    done = built(data, desk.bundle, desk.folder, bundle="kelp")
    assert (done.added, done.judged_before, done.refused) == (1, 2, ())
    assert parts < {file.path for file in done.manifest.files}, "what was judged stays as it is"
    assert set(counting(data).values()) == {
        row["results"] for row in rows(data, "results") if row["file"] != first.name
    }
    again = built(data, later)
    assert (again.added, again.judged_before, again.manifest.results) == (0, 1, 3)
    whole = tmp_path / "whole"
    built(whole, desk.bundle, desk.folder)
    assert content(data) == content(whole), "in one run or in several"
    checked = check_dataset(data, Progress())
    assert checked["faults"] == checked["extra"] == []


def test_what_is_refused_is_a_row_and_the_rest_is_in(desk, tmp_path):
    files = [desk.folder / "not-a.zip", desk.folder / "gone.zip", desk.folder / "altered.zip"]
    files[0].write_bytes(b"junk")
    good = desk.sent("ann", **ALL)
    files[2].write_bytes(good.read_bytes()[:-200])
    (tmp_path / "other").mkdir()
    foreign = Desk(tmp_path / "other")
    foreign.bundle = make(tmp_path / "other" / "algae.zip", foreign.tasks)
    strange = renamed(good, tmp_path / "strange.zip", "bo")
    data = tmp_path / "data"
    done = built(data, good, *files, strange, bundle="sand")
    titles = {row["file"]: row["title"] for row in rows(data, "refusals")}
    assert titles["ann.zip"] == "ann.zip belongs to another bundle"
    assert len(done.refused) == len(titles) == 5
    done = built(data, good, *files, strange, bundle="kelp")
    assert (done.added, done.judged_before) == (2, 2), "what another bundle refused is judged; what is damaged is not"
    with pytest.raises(RaterError, match="not empty"):
        built(desk.folder, good)
    with pytest.raises(RaterError, match="not UTF-8"):
        built(tmp_path / "data\udcff", good)
    imported = {refused.file: refused.title for refused in desk.opened(*files).refused}
    assert {row["file"]: row["title"] for row in rows(data, "refusals")} == imported, "refused in the same words"


@pytest.mark.parametrize("error", [MemoryError(), OSError(24, "Too many open files")])
def test_results_that_could_not_be_read_are_judged_by_the_next_build(desk, tmp_path, monkeypatch, error):
    data, results = tmp_path / "data", desk.sent("ann", **ALL)

    def failing(*_arguments):
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(judge, "make_digest", failing)
        done = built(data, results)
    assert (done.added, [refused.file for refused in done.refused]) == (0, ["ann.zip"])
    assert built(data, results).added == 1
    assert rows(data, "refusals") == []


def test_a_value_that_no_column_holds_refuses_its_zip_alone(desk, tmp_path, monkeypatch):
    """No file can hold such a value today: the guard is for formats to come."""
    good, odd = desk.sent("ann", **ALL), desk.sent("bo", **ALL)
    digest = judge.make_digest

    def too_large(rating, *arguments):
        return msgspec.structs.replace(digest(rating, *arguments), claims=2**70 if rating.rater == "bo" else 0)

    monkeypatch.setattr(judge, "make_digest", too_large)
    done = built(tmp_path / "data", good, odd)
    assert (done.added, [refused.file for refused in done.refused]) == (1, ["bo.zip"])
    assert "does not fit into the table ratings" in done.refused[0].message
    assert {row["rater"] for name in ("ratings", "answers", "history") for row in rows(tmp_path / "data", name)} == {
        "ann"
    }


def test_a_build_that_was_stopped_leaves_the_dataset_as_it_was(desk, tmp_path, monkeypatch):
    data = tmp_path / "data"
    built(data, desk.sent("ann", **ALL))
    before = content(data)

    def stopped(*_arguments):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(building, "write_dataset_manifest", stopped)
        built(data, desk.sent("bo", **ALL))
    assert content(data) == before
    (data / ".building").mkdir()
    (data / ".building" / "answers-1.parquet").write_bytes(b"PAR1")
    write(data / "results" / "of-the-lead.parquet", b"PAR1")
    checked = check_dataset(data, Progress())
    assert checked["faults"] == []
    assert checked["extra"], "the parts of the stopped build are no part of the dataset"
    built(data, desk.folder)
    whole = tmp_path / "whole"
    built(whole, desk.folder)
    assert content(data) == content(whole)
    assert not (data / ".building").exists()
    assert check_dataset(data, Progress())["extra"] == ["results/of-the-lead.parquet"], "a file of somebody else stays"


def test_two_builds_of_one_dataset_exclude_each_other(desk, tmp_path):
    data, results = tmp_path / "data", desk.sent("ann", **ALL)

    def meanwhile(batches, progress):
        with pytest.raises(RaterError, match="being built"):
            built(data, results)
        yield from in_processes(1)(batches, progress)

    assert built(data, results, run=meanwhile).added == 1


@pytest.mark.posix("Windows has no signals to send to a process")
def test_a_worker_that_is_killed_costs_nothing_but_time(desk, tmp_path):
    for rater in ("ann", "bo"):
        desk.sent(rater, **ALL)
    whole, data = tmp_path / "whole", tmp_path / "sub" / "data"
    data.parent.mkdir()
    built(whole, desk.folder)

    def one_by_one(batches, progress):
        (batch,) = batches
        split = [msgspec.structs.replace(batch, zips=(source,)) for source in batch.zips]
        yield from in_processes(2, judge_killed_once)(split, progress)

    built(data, desk.folder, run=one_by_one)
    assert (tmp_path / "sub" / "killed").exists()
    assert content(data) == content(whole)
    assert check_dataset(data, Progress())["extra"] == []


@pytest.mark.posix("Windows has no signals to send to a process")
def test_workers_end_with_a_build_that_is_killed():
    words = [sys.executable, "-c", "from tests.plugins.dataset.killed_worker import build_forever; build_forever()"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, cwd=ROOT) as build:
        assert build.stdout is not None
        assert [build.stdout.readline() for _ in range(2)] == [b"judging\n"] * 2
        build.kill()
        assert build.communicate(timeout=60) == (b"", None), "it ends when no worker holds its output any more"


def test_a_build_that_is_cancelled_ends_its_own_workers_alone(desk, tmp_path):
    neighbour = get_context("spawn").Process(target=sleep, args=(600,))
    neighbour.start()
    zips = [SourceZip(path=str(desk.sent(rater, **ALL)), file="", sha256="", bytes=0) for rater in ("ann", "bo")]
    stopped = Progress()
    stopped.stop()
    try:
        with pytest.raises(Cancelled):
            list(in_processes(2)([ZipBatch(zips=(source,), folder=str(tmp_path)) for source in zips], stopped))
        assert active_children() == [neighbour]
    finally:
        neighbour.kill()
        neighbour.join()


def test_keys_decisions_and_verdicts_of_the_lead_come_from_the_store(desk, tmp_path):
    key = write(desk.folder / "ann.json", key_file_bytes("ann", ANN.public))
    files = [desk.sent("ann", key=ANN, **ALL), desk.bundle, key]
    forgery = renamed(desk.sent("eve", t1=OPINION, t2=OPINION, t3=OPINION), tmp_path / "as-ann.zip", "ann")
    desk.opened(*files, forgery)
    data, with_files = tmp_path / "data", tmp_path / "with-files"
    built(with_files, *files, forgery)
    assert len(counting(with_files)) == 3, "unsigned results in the name of a rater who signs are held back"
    with writer(desk.store) as store:
        audit = load_audit(store, "kelp")
        about = RatingAtPlace("t-1", "targets/s1", "ann", audit.ratings["t-1", "ann"].sha256)
        accept_ratings(store, "kelp", [about], VerdictReason(), Lead("Ana", noon))
        built(data, *files[:1], forgery, store=store)
    assert counting(data) == counting(with_files)
    (verdict,) = rows(data, "verdicts")
    assert (verdict["task"], verdict["place"], verdict["rater"], verdict["kind"]) == (
        "t-1",
        "targets/s1",
        "ann",
        "accepted",
    )
    built(data, desk.folder)
    assert rows(data, "verdicts") == [verdict], "a build without the store keeps what the lead knows"
