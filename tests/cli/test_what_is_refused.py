"""What is refused changes nothing, says so in plain words, and does nothing to the terminal."""

import json

import pytest

from desktop_rater.paths import resources
from tests.operations.bundles import make, rating, task, write, write_lines

SAMPLE = "sample-factuality"


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
