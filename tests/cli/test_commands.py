"""The commands, as scripts call them: exit statuses, JSON and words; what is refused changes nothing."""

import hashlib
import json
import zipfile

import pytest

from desktop_rater.operations.self_test import sample_bundle_path, sample_ratings_path
from desktop_rater.paths import resources
from tests.operations.bundles import make, rating, task, write, write_lines

SAMPLE = "sample-factuality"


def sample_revision() -> int:
    with zipfile.ZipFile(sample_bundle_path()) as sample:
        return json.loads(sample.read("manifest.json"))["revision"]


def test_the_main_job_on_the_sample(run, tmp_path):
    results = tmp_path / "results.zip"
    assert run("bundle", "inspect", sample_bundle_path()).status == 0
    assert run("import", sample_bundle_path()).status == 0
    assert run("rate", SAMPLE, "--from", sample_ratings_path(), "--rater", "r-17").status == 0
    (row,) = run("status", "--json").json["bundles"]
    assert row == {
        "id": SAMPLE,
        "revision": sample_revision(),
        "title": "Sample: what is true here?",
        "tasks": 12,
        "complete": 11,
        "incomplete": 0,
        "skipped": 1,
    }
    assert run("export", SAMPLE, "--rater", "r-17", "--out", results).status == 0
    assert run("check", results).status == 0
    assert run("doctor", "--json").json["faults"] == []


def test_the_sample_zip_is_made_of_the_tasks_beside_it(run, tmp_path):
    made = tmp_path / "span-factuality-sample.zip"
    tasks = resources() / "samples" / "span-factuality" / "tasks.jsonl"
    guidelines = resources() / "guidelines" / "span-factuality.md"
    named = ("--id", SAMPLE, "--title", "Sample: what is true here?", "--language", "en")
    dated = ("--created", "2026-11-20T08:00:00Z", "--guidelines", guidelines)
    with zipfile.ZipFile(sample_bundle_path()) as there:
        pages = [there.extract(name, tmp_path) for name in there.namelist() if name.startswith("snapshots/")]
    assert pages
    kept = ("--revision", str(sample_revision()), "--snapshots", tmp_path / "snapshots")
    run("bundle", "make", "--rubric", "span-factuality", *named, *dated, *kept, "--out", made, tasks, status=0)
    assert run("import", made).status == 0
    # The zips can differ where another zlib packed them; what is in them can't.
    assert run("import", sample_bundle_path(), "--json").json[0]["outcome"] == "unchanged"


def test_pages_travel_along_under_the_hash_of_their_bytes(run, tmp_path):
    pages, made = tmp_path / "pages", tmp_path / "b.zip"
    pages.mkdir()
    (pages / "kelp.warc.gz").write_bytes(b"one page")
    (pages / "notes.txt").write_bytes(b"none")
    tasks = write_lines(tmp_path / "t.jsonl", [task("t-1")])
    run("bundle", "make", "--snapshots", pages, "--out", made, tasks, status=0)
    name = f"snapshots/{hashlib.sha256(b'one page').hexdigest()}.warc.gz"
    with zipfile.ZipFile(made) as bundle:
        assert [one for one in bundle.namelist() if one.startswith("snapshots")] == [name]
        assert bundle.read(name) == b"one page"
    assert run("bundle", "inspect", made, "--json").json["snapshots"] == 1


def test_a_folder_without_pages_is_refused(run, tmp_path):
    tasks = write_lines(tmp_path / "t.jsonl", [task("t-1")])
    for folder in (tmp_path, tmp_path / "nowhere", tasks):
        answer = run("bundle", "make", "--snapshots", folder, "--out", tmp_path / "b.zip", tasks)
        assert (answer.status, answer.out) == (2, "")
    assert not (tmp_path / "b.zip").exists()


def test_a_store_that_is_not_there_is_sound_and_empty_and_is_not_made(run, tmp_path):
    assert run("status", "--json").json == {"bundles": []}
    assert run("doctor").status == 0
    assert not (tmp_path / "store").exists()
    (tmp_path / "store").mkdir()
    assert run("status", "--json").json == {"bundles": []}
    assert list((tmp_path / "store").iterdir()) == []


def test_rating_counts_what_is_unknown_and_what_breaks(run, tmp_path):
    run("import", make(tmp_path / "b.zip", [task("t-1"), task("t-2")]))
    path = write_lines(tmp_path / "r.jsonl", [rating("t-1"), rating("t-2", {"factual": "yes"}), rating("t-9")])
    answer = run("rate", "b", "--from", path, "--rater", "r", "--json", status=1)
    assert answer.json == {
        "complete": 1,
        "incomplete": 1,
        "skipped": 0,
        "unknown": ["t-9"],
        "problems": {"required:accuracy": 1, "required:common_knowledge": 1},
    }


def test_an_export_that_is_refused_writes_nothing_and_names_what_blocks(run, tmp_path):
    run("import", make(tmp_path / "b.zip", [task("t-1"), task("t-2")]))
    run("rate", "b", "--from", write_lines(tmp_path / "r.jsonl", [rating("t-1", {"factual": "yes"})]), "--rater", "r")
    out = tmp_path / "out.zip"
    answer = run("export", "b", "--rater", "r", "--out", out, status=1)
    assert not out.exists()
    assert "t-1" in answer.err
    assert "targets/s1: required:accuracy" in answer.err
    assert "t-2: it is not rated" in answer.err


def test_rubric_check_pairs_lines_and_prints_one_each(run, tmp_path):
    tasks = write_lines(tmp_path / "t.jsonl", [task("t-1"), task("t-2")])
    ratings = write_lines(tmp_path / "r.jsonl", [rating("t-1"), rating("t-2", {"factual": "yes"})])
    answer = run("rubric", "check", "span-factuality", tasks, ratings, status=1)
    first, second = map(json.loads, answer.out.splitlines())
    assert first == {
        "decided": {"targets/s1": {"accuracy": {"is": "accurate", "by": "common-knowledge-right"}}},
        "problems": [],
    }
    assert [set(problem) for problem in second["problems"]] == [{"rule", "level", "where", "message"}] * 2


def test_rubric_check_pairs_by_id_in_any_order_and_with_several_raters(run, tmp_path):
    tasks = write_lines(tmp_path / "t.jsonl", [task("t-1"), task("t-2")])
    no, yes = {"factual": "no"}, {"factual": "yes"}
    ratings = write_lines(tmp_path / "r.jsonl", [rating("t-2", no), rating("t-1", yes), rating("t-2", yes)])
    lines = map(json.loads, run("rubric", "check", "span-factuality", tasks, ratings).out.splitlines())
    assert [len(line["problems"]) for line in lines] == [0, 2, 2]


def test_rubric_check_takes_one_object_each_and_a_rubric_file(run, tmp_path):
    one, other = tmp_path / "t.json", tmp_path / "r.json"
    one.write_text(json.dumps(task("t-1"), indent=2), "utf-8")
    other.write_text(json.dumps(rating("t-1", {"factual": "no"}), indent=2), "utf-8")
    rubric = resources() / "rubrics" / "span-factuality.toml"
    assert run("rubric", "check", rubric, one, other).json == {"decided": {}, "problems": []}


@pytest.mark.parametrize(
    ("tasks", "ratings", "said"),
    [
        (["t-1", "t-2"], ["t-1"], "r.jsonl has no rating of t-2."),
        (["t-1"], ["t-1", "t-2"], "line 2 rates 't-2', of which t.jsonl has no task"),
        (["t-1", "t-1"], ["t-1"], "no rating of t-1"),
        (["t-1", "t-1"], ["t-1", "t-1", "t-1"], "line 3 rates 't-1', of which t.jsonl has no other task"),
    ],
)
def test_files_that_do_not_pair_are_refused(run, tmp_path, tasks, ratings, said):
    left = write_lines(tmp_path / "t.jsonl", map(task, tasks))
    right = write_lines(tmp_path / "r.jsonl", map(rating, ratings))
    assert said in run("rubric", "check", "span-factuality", left, right, status=2).err


def test_each_bundle_of_an_import_stands_for_itself(run, tmp_path):
    good, half = make(tmp_path / "good.zip", [task("t-1")]), tmp_path / "half.zip"
    lost = {"id": "s9", "response": "a", "quote": "It stands nowhere."}
    broken = task("t-1")
    broken["targets"].append(lost)
    make(half, [broken])
    bad = write(tmp_path / "bad.zip", b"no zip")
    assert run("import", half).status == 1
    answer = run("import", "--json", bad, good, status=2)
    assert [one["outcome"] for one in answer.json] == ["refused", "imported"]
    assert "bad.zip" in answer.err


def test_a_bundle_that_names_its_rubric_without_version_goes_all_the_way(run, tmp_path):
    path = make(tmp_path / "b.zip", [task("t-1")])
    with zipfile.ZipFile(path) as zip_:
        files = {name: zip_.read(name) for name in zip_.namelist()}
    files["manifest.json"] = files["manifest.json"].replace(b"span-factuality@3", b"span-factuality")
    with zipfile.ZipFile(path, "w") as zip_:
        for name, data in files.items():
            zip_.writestr(name, data)
    assert run("import", path).status == 0
    run("rate", "b", "--from", write_lines(tmp_path / "r.jsonl", [rating("t-1")]), "--rater", "r")
    assert run("export", "b", "--rater", "r", "--out", tmp_path / "out.zip").status == 0
    assert run("check", tmp_path / "out.zip").status == 0


def test_a_rating_of_much_repetition_leaves_too(run, tmp_path):
    run("import", make(tmp_path / "b.zip", [task("t-1")]))
    path = write_lines(tmp_path / "r.jsonl", [rating("t-1", note="x" * 6_000_000)])
    assert run("rate", "b", "--from", path, "--rater", "r").status == 0
    assert run("export", "b", "--rater", "r", "--out", tmp_path / "o.zip").status == 0
    assert run("check", tmp_path / "o.zip").status == 0


def test_of_two_ratings_of_one_task_the_last_counts(run, tmp_path):
    run("import", make(tmp_path / "b.zip", [task("t-1")]))
    path = write_lines(tmp_path / "r.jsonl", [rating("t-1", {"factual": "yes"}), rating("t-1")])
    answer = run("rate", "b", "--from", path, "--rater", "r", "--json")
    assert (answer.status, answer.json["complete"], answer.json["incomplete"]) == (0, 1, 0)


@pytest.mark.parametrize("name", ["bundle-manifest", "task", "rating", "results-manifest", "rubric"])
def test_each_schema_is_printed(run, name):
    assert run("schema", name).json["title"] == name


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["import"],
        ["import", "not-there.zip"],
        ["rate", "b", "--from", "not-there.jsonl", "--rater", "r"],
        ["export", "b", "--rater", "r", "--out", "x.zip"],
        ["check", "not-there.zip"],
        ["rubric", "check", "no-such-rubric", "t.json", "r.json"],
        ["rubric", "check", "not-there.toml", "t.json", "r.json"],
        ["schema", "nonsense"],
        ["bundle", "make", "--out", "x.zip", "not-there.jsonl"],
        ["bundle", "make", "--created", "yesterday", "--out", "x.zip", "not-there.jsonl"],
        ["bundle", "convert", "--from", "nonsense", "--out", "x.zip", "f"],
    ],
)
def test_bad_input_ends_with_2_and_plain_words(run, arguments):
    answer = run(*arguments, status=2)
    assert answer.err
    assert "Traceback" not in answer.err
    assert "bug in Desktop Rater" not in answer.err


def test_no_command_writes_over_what_it_reads(run, tmp_path):
    lines = write_lines(tmp_path / "t.jsonl", [task("t-1")])
    before = lines.read_bytes()
    assert run("bundle", "make", "--out", lines, lines).status == 2
    assert run("bundle", "make", "--guidelines", tmp_path / "x.zip", "--out", tmp_path / "x.zip", lines).status == 2
    source = write(tmp_path / "s.jsonl", json.dumps({"prompt": "p", "response": "r", "sentences": {}}))
    out = tmp_path / "o.zip"
    assert run("bundle", "convert", "--from", "factcheck-bench", "--ratings", out, "--out", out, source).status == 2
    assert lines.read_bytes() == before
    assert not out.exists()


def test_output_replaces_plain_files_outside_the_store_only(run, tmp_path):
    run("import", make(tmp_path / "b.zip", [task("t-1")]))
    run("rate", "b", "--from", write_lines(tmp_path / "r.jsonl", [rating("t-1")]), "--rater", "r")
    store = tmp_path / "store" / "store.sqlite3"
    (tmp_path / "folder").mkdir()
    for out in (store, tmp_path / "store" / "new.zip", tmp_path / "folder", tmp_path / "no" / "x"):
        assert run("export", "b", "--rater", "r", "--out", out).status == 2
        assert run("bundle", "make", "--out", out, tmp_path / "b.tasks.jsonl").status == 2 or out.name == "new.zip"
    assert run("export", "b", "--rater", "r", "--out", tmp_path / "good.zip").status == 0


def test_a_bundle_that_is_refused_leaves_the_old_one(run, tmp_path):
    out = make(tmp_path / "b.zip", [task("t-1")])
    before = out.read_bytes()
    lost = task("t-1", targets=[{"id": "s1", "response": "a", "quote": "nowhere to be found"}])
    answer = run("bundle", "make", "--out", out, write_lines(tmp_path / "lost.jsonl", [lost]), status=2)
    assert "lost.jsonl, line 1" in answer.err
    rubric = write(tmp_path / "own.toml", (resources() / "rubrics" / "span-factuality.toml").read_bytes())
    text = rubric.read_bytes()
    assert run("bundle", "make", "--rubric", rubric, "--out", rubric, tmp_path / "b.tasks.jsonl").status == 2
    source = write(tmp_path / "s.jsonl", json.dumps({"prompt": "p", "response": "r", "sentences": {}}))
    (tmp_path / "d").mkdir()
    ratings = ("--ratings", tmp_path / "d")
    assert run("bundle", "convert", "--from", "factcheck-bench", *ratings, "--out", out, source).status == 2
    assert (out.read_bytes(), rubric.read_bytes()) == (before, text)


def test_what_is_refused_makes_no_store(run, tmp_path):
    ratings = write_lines(tmp_path / "r.jsonl", [rating("t-1")])
    assert run("rate", "b", "--from", ratings, "--rater", "r").status == 2
    assert run("export", "b", "--rater", "r", "--out", tmp_path / "o.zip").status == 2
    assert not (tmp_path / "store").exists()


def test_a_title_can_do_nothing_to_the_terminal(run, tmp_path):
    path = make(tmp_path / "b.zip", [task("t-1")], title="one\ntwo \x1b[2Jred \u202egnirts")
    assert "\\u001b[2Jred \\u202egnirts" in run("bundle", "inspect", path).out
    run("import", path)
    assert "\x1b" not in run("status").out
    assert len(run("status").out.splitlines()) == 1
    for odd in ("", "  ", "a\nb", "\x1b", "\udcff"):
        assert run("export", "b", "--rater", odd, "--out", tmp_path / "o.zip").status == 2


def test_a_store_that_is_a_file_is_refused_by_every_command(run, tmp_path):
    (tmp_path / "store").write_text("a file")
    assert run("status").status == 2
    assert run("doctor").status != 0
    assert run("import", make(tmp_path / "b.zip", [task("t-1")])).status == 2
