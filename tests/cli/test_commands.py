"""The commands, as a project engineer's scripts call them: exit statuses, JSON and words."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import zipfile
from typing import TYPE_CHECKING

import pytest

from desktop_rater.paths import resources
from desktop_rater.work.self_test import sample_bundle, sample_ratings
from tests.work.bundles import make, rating, task, write_lines

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from .conftest import Answer

SAMPLE = "sample-factuality"


def child(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "desktop_rater", *map(str, arguments)]


def test_the_main_job_on_the_sample(run: Callable[..., Answer], tmp_path: Path) -> None:
    results = tmp_path / "results.zip"
    assert run("bundle", "inspect", sample_bundle()).status == 0
    assert run("import", sample_bundle()).status == 0
    assert run("rate", SAMPLE, "--from", sample_ratings(), "--rater", "r-17").status == 0
    (row,) = run("status", "--json").json["bundles"]
    assert row == {
        "id": SAMPLE,
        "revision": 1,
        "title": "Sample: what is true here?",
        "tasks": 12,
        "complete": 11,
        "incomplete": 0,
        "skipped": 1,
    }
    assert run("export", SAMPLE, "--rater", "r-17", "--out", results).status == 0
    assert run("check", results).status == 0
    assert run("doctor", "--json").json["faults"] == []


def test_the_sample_zip_is_made_of_the_tasks_beside_it(run: Callable[..., Answer], tmp_path: Path) -> None:
    made = tmp_path / "span-factuality-sample.zip"
    tasks = resources() / "samples" / "span-factuality" / "tasks.jsonl"
    guidelines = resources() / "guidelines" / "span-factuality.md"
    named = ("--id", SAMPLE, "--title", "Sample: what is true here?", "--language", "en")
    dated = ("--created", "2026-11-20T08:00:00Z", "--guidelines", guidelines)
    answer = run("bundle", "make", "--rubric", "span-factuality", *named, *dated, "--out", made, tasks)
    assert answer.status == 0
    assert run("import", made).status == 0
    # The zips can differ where another zlib packed them; what is in them can't.
    assert run("import", sample_bundle(), "--json").json[0]["outcome"] == "unchanged"


def test_a_store_that_is_not_there_is_sound_and_empty_and_is_not_made(
    run: Callable[..., Answer], tmp_path: Path
) -> None:
    assert run("status", "--json").json == {"bundles": []}
    assert run("doctor").status == 0
    assert not (tmp_path / "store").exists()
    (tmp_path / "store").mkdir()
    assert run("status", "--json").json == {"bundles": []}
    assert list((tmp_path / "store").iterdir()) == []


def test_rating_counts_what_is_unknown_and_what_breaks(run: Callable[..., Answer], tmp_path: Path) -> None:
    run("import", make(tmp_path / "b.zip", [task("t-1"), task("t-2")]))
    path = write_lines(tmp_path / "r.jsonl", [rating("t-1"), rating("t-2", {"factual": "yes"}), rating("t-9")])
    answer = run("rate", "b", "--from", path, "--rater", "r", "--json")
    assert answer.status == 1
    assert answer.json == {
        "complete": 1,
        "incomplete": 1,
        "skipped": 0,
        "unknown": ["t-9"],
        "problems": {"required:accuracy": 1, "required:common_knowledge": 1},
    }


def test_an_export_that_is_refused_writes_nothing_and_names_what_blocks(
    run: Callable[..., Answer], tmp_path: Path
) -> None:
    run("import", make(tmp_path / "b.zip", [task("t-1"), task("t-2")]))
    run("rate", "b", "--from", write_lines(tmp_path / "r.jsonl", [rating("t-1", {"factual": "yes"})]), "--rater", "r")
    out = tmp_path / "out.zip"
    answer = run("export", "b", "--rater", "r", "--out", out)
    assert answer.status == 1
    assert not out.exists()
    assert "t-1" in answer.err
    assert "targets/s1: required:accuracy" in answer.err
    assert "t-2: it is not rated" in answer.err


def test_rubric_check_pairs_lines_and_prints_one_each(run: Callable[..., Answer], tmp_path: Path) -> None:
    tasks = write_lines(tmp_path / "t.jsonl", [task("t-1"), task("t-2")])
    ratings = write_lines(tmp_path / "r.jsonl", [rating("t-1"), rating("t-2", {"factual": "yes"})])
    answer = run("rubric", "check", "span-factuality", tasks, ratings)
    assert answer.status == 1
    first, second = map(json.loads, answer.out.splitlines())
    assert first == {
        "decided": {"targets/s1": {"accuracy": {"is": "accurate", "by": "common-knowledge-right"}}},
        "problems": [],
    }
    assert [set(problem) for problem in second["problems"]] == [{"rule", "level", "where", "message"}] * 2


def test_rubric_check_takes_one_object_each_and_a_rubric_file(run: Callable[..., Answer], tmp_path: Path) -> None:
    one, other = tmp_path / "t.json", tmp_path / "r.json"
    one.write_text(json.dumps(task("t-1"), indent=2))
    other.write_text(json.dumps(rating("t-1", {"factual": "no"}), indent=2))
    rubric = resources() / "rubrics" / "span-factuality.toml"
    assert run("rubric", "check", rubric, one, other).json == {"decided": {}, "problems": []}


@pytest.mark.parametrize(
    ("tasks", "ratings", "said"),
    [
        (["t-1", "t-2"], ["t-1"], "ends before"),
        (["t-1"], ["t-1", "t-2"], "line 2 has no task"),
        (["t-1"], ["t-2"], "rates 't-2'"),
    ],
)
def test_files_that_do_not_pair_are_refused(
    run: Callable[..., Answer], tmp_path: Path, tasks: list[str], ratings: list[str], said: str
) -> None:
    left = write_lines(tmp_path / "t.jsonl", map(task, tasks))
    right = write_lines(tmp_path / "r.jsonl", map(rating, ratings))
    answer = run("rubric", "check", "span-factuality", left, right)
    assert answer.status == 2
    assert said in answer.err


def test_each_bundle_of_an_import_stands_for_itself(run: Callable[..., Answer], tmp_path: Path) -> None:
    good, half = make(tmp_path / "good.zip", [task("t-1")]), tmp_path / "half.zip"
    lost = {"id": "s9", "response": "a", "quote": "It stands nowhere."}
    broken = task("t-1")
    broken["targets"].append(lost)
    make(half, [broken])
    bad = tmp_path / "bad.zip"
    bad.write_bytes(b"no zip")
    assert run("import", half).status == 1
    answer = run("import", "--json", bad, good)
    assert answer.status == 2
    assert [one["outcome"] for one in answer.json] == ["refused", "imported"]
    assert "bad.zip" in answer.err


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
def test_bad_input_ends_with_2_and_plain_words(run: Callable[..., Answer], arguments: list[str]) -> None:
    answer = run(*arguments)
    assert answer.status == 2
    assert answer.err
    assert "Traceback" not in answer.err
    assert "fault of Desktop Rater" not in answer.err


def test_a_bundle_that_names_its_rubric_without_version_goes_all_the_way(
    run: Callable[..., Answer], tmp_path: Path
) -> None:
    path = make(tmp_path / "b.zip", [task("t-1")])
    with zipfile.ZipFile(path) as zip_:
        files = {name: zip_.read(name) for name in zip_.namelist()}
    files["manifest.json"] = files["manifest.json"].replace(b"span-factuality@1", b"span-factuality")
    with zipfile.ZipFile(path, "w") as zip_:
        for name, data in files.items():
            zip_.writestr(name, data)
    assert run("import", path).status == 0
    run("rate", "b", "--from", write_lines(tmp_path / "r.jsonl", [rating("t-1")]), "--rater", "r")
    assert run("export", "b", "--rater", "r", "--out", tmp_path / "out.zip").status == 0
    assert run("check", tmp_path / "out.zip").status == 0


def test_no_command_writes_over_what_it_reads(run: Callable[..., Answer], tmp_path: Path) -> None:
    lines = write_lines(tmp_path / "t.jsonl", [task("t-1")])
    before = lines.read_bytes()
    assert run("bundle", "make", "--out", lines, lines).status == 2
    assert run("bundle", "make", "--guidelines", tmp_path / "x.zip", "--out", tmp_path / "x.zip", lines).status == 2
    source = tmp_path / "s.jsonl"
    source.write_text(json.dumps({"prompt": "p", "response": "r", "sentences": {}}))
    out = tmp_path / "o.zip"
    assert run("bundle", "convert", "--from", "factcheck-bench", "--ratings", out, "--out", out, source).status == 2
    assert lines.read_bytes() == before
    assert not out.exists()


def test_what_is_written_replaces_plain_files_only(run: Callable[..., Answer], tmp_path: Path) -> None:
    run("import", make(tmp_path / "b.zip", [task("t-1")]))
    run("rate", "b", "--from", write_lines(tmp_path / "r.jsonl", [rating("t-1")]), "--rater", "r")
    store = tmp_path / "store" / "store.sqlite3"
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for out in (store, tmp_path / "store" / "new.zip", tmp_path / "pipe", tmp_path / "folder", tmp_path / "no" / "x"):
        assert run("export", "b", "--rater", "r", "--out", out).status == 2
        assert run("bundle", "make", "--out", out, tmp_path / "b.tasks.jsonl").status == 2 or out.name == "new.zip"
    assert (tmp_path / "pipe").is_fifo()
    assert run("export", "b", "--rater", "r", "--out", tmp_path / "good.zip").status == 0


def test_a_bundle_that_is_refused_leaves_the_old_one(run: Callable[..., Answer], tmp_path: Path) -> None:
    out = make(tmp_path / "b.zip", [task("t-1")])
    before = out.read_bytes()
    lost = task("t-1", targets=[{"id": "s1", "response": "a", "quote": "nowhere to be found"}])
    answer = run("bundle", "make", "--out", out, write_lines(tmp_path / "lost.jsonl", [lost]))
    assert answer.status == 2
    assert "lost.jsonl, line 1" in answer.err
    rubric = tmp_path / "own.toml"
    rubric.write_bytes((resources() / "rubrics" / "span-factuality.toml").read_bytes())
    text = rubric.read_bytes()
    assert run("bundle", "make", "--rubric", rubric, "--out", rubric, tmp_path / "b.tasks.jsonl").status == 2
    source = tmp_path / "s.jsonl"
    source.write_text(json.dumps({"prompt": "p", "response": "r", "sentences": {}}))
    (tmp_path / "d").mkdir()
    ratings = ("--ratings", tmp_path / "d")
    assert run("bundle", "convert", "--from", "factcheck-bench", *ratings, "--out", out, source).status == 2
    assert (out.read_bytes(), rubric.read_bytes()) == (before, text)


def test_what_is_refused_makes_no_store(run: Callable[..., Answer], tmp_path: Path) -> None:
    ratings = write_lines(tmp_path / "r.jsonl", [rating("t-1")])
    assert run("rate", "b", "--from", ratings, "--rater", "r").status == 2
    assert run("export", "b", "--rater", "r", "--out", tmp_path / "o.zip").status == 2
    assert not (tmp_path / "store").exists()


def test_a_rating_of_much_repetition_leaves_too(run: Callable[..., Answer], tmp_path: Path) -> None:
    run("import", make(tmp_path / "b.zip", [task("t-1")]))
    path = write_lines(tmp_path / "r.jsonl", [rating("t-1", note="x" * 6_000_000)])
    assert run("rate", "b", "--from", path, "--rater", "r").status == 0
    assert run("export", "b", "--rater", "r", "--out", tmp_path / "o.zip").status == 0
    assert run("check", tmp_path / "o.zip").status == 0


def test_of_two_ratings_of_one_task_the_last_counts(run: Callable[..., Answer], tmp_path: Path) -> None:
    run("import", make(tmp_path / "b.zip", [task("t-1")]))
    path = write_lines(tmp_path / "r.jsonl", [rating("t-1", {"factual": "yes"}), rating("t-1")])
    answer = run("rate", "b", "--from", path, "--rater", "r", "--json")
    assert (answer.status, answer.json["complete"], answer.json["incomplete"]) == (0, 1, 0)


@pytest.mark.skipif(os.name != "posix", reason="a shell closes the streams here")
@pytest.mark.parametrize("closing", [">&-", "2>&-", ">&- 2>&-", "| true"])
def test_streams_that_are_closed_are_no_fault(tmp_path: Path, closing: str) -> None:
    words = " ".join(child("--store", tmp_path, "status"))
    done = subprocess.run(
        ["bash", "-c", f"{words} {closing}; exit ${{PIPESTATUS[0]}}"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert done.stderr == ""


@pytest.mark.skipif(os.name != "posix", reason="signals are a matter of POSIX")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_command_that_is_ended_by_a_signal_leaves_nothing_behind(tmp_path: Path, name: str) -> None:
    lines = write_lines(tmp_path / "t.jsonl", (task(f"t-{number}", *["A sentence."] * 30) for number in range(6000)))
    with subprocess.Popen(child("bundle", "make", "--out", tmp_path / "b.zip", lines), stderr=subprocess.PIPE) as made:
        while not list(tmp_path.glob(".*.part")) and made.poll() is None:
            os.sched_yield()
        made.send_signal(signal.Signals[name])
        _, err = made.communicate(timeout=60)
    assert b"Traceback" not in err
    assert list(tmp_path.glob(".*.part")) == []


def test_a_title_can_do_nothing_to_the_terminal(run: Callable[..., Answer], tmp_path: Path) -> None:
    path = make(tmp_path / "b.zip", [task("t-1")], title="one\ntwo \x1b[2Jred \u202egnirts")
    assert "\\u001b[2Jred \\u202egnirts" in run("bundle", "inspect", path).out
    run("import", path)
    assert "\x1b" not in run("status").out
    assert len(run("status").out.splitlines()) == 1
    for odd in ("", "  ", "a\nb", "\x1b", "\udcff"):
        assert run("export", "b", "--rater", odd, "--out", tmp_path / "o.zip").status == 2


def test_a_store_that_is_a_file_is_refused_by_every_command(run: Callable[..., Answer], tmp_path: Path) -> None:
    (tmp_path / "store").write_text("a file")
    assert run("status").status == 2
    assert run("doctor").status != 0
    assert run("import", make(tmp_path / "b.zip", [task("t-1")])).status == 2


def test_without_a_display_the_window_says_so(tmp_path: Path) -> None:
    bare = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    bare.pop("QT_QPA_PLATFORM", None)
    done = subprocess.run(child("--store", tmp_path), env=bare, capture_output=True, text=True, check=False)
    if sys.platform.startswith("linux"):
        assert done.returncode == 2
        assert "no display" in done.stderr


def test_a_second_writer_is_told_who_has_the_store_and_readers_are_let_in(
    run: Callable[..., Answer], tmp_path: Path
) -> None:
    run("import", make(tmp_path / "b.zip", [task("t-1")]))
    script = (
        "import sys; from pathlib import Path; from desktop_rater.store.opening import open_writer\n"
        "store = open_writer(Path(sys.argv[1]), command='the window'); print('open', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path / "store")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"open\n"
        answer = run("import", tmp_path / "b.zip")
        assert answer.status == 2
        assert "the window" in answer.err
        assert str(holder.pid) in answer.err
        assert run("status", "--json").json["bundles"][0]["tasks"] == 1
        assert run("doctor").status == 0
        holder.kill()
    assert run("import", tmp_path / "b.zip").status == 0


def test_status_loads_no_qt(tmp_path: Path) -> None:
    script = (
        "import sys; from desktop_rater.cli.root import main\n"
        f"main(['--store', {str(tmp_path)!r}, 'status'])\n"
        "print(sorted(name for name in sys.modules if name.split('.')[0] in ('PySide6', 'shiboken6')))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.skipif(os.name != "posix", reason="a console's Ctrl-C is sent as a signal here")
def test_ctrl_c_stops_an_import_cleanly(run: Callable[..., Answer], tmp_path: Path) -> None:
    path = make(
        tmp_path / "b.zip", (task(f"t-{number}", *["A sentence of some length."] * 20) for number in range(4000))
    )
    with subprocess.Popen(child("--store", tmp_path / "store", "import", path), stderr=subprocess.PIPE) as importing:
        while not (tmp_path / "store" / "store.sqlite3").exists():
            assert importing.poll() is None
        importing.send_signal(signal.SIGINT)
        _, err = importing.communicate(timeout=60)
    assert importing.returncode == 130
    assert b"Traceback" not in err
    assert run("status", "--json").json == {"bundles": []}
    assert run("import", path).status == 0


def test_a_reader_of_the_output_that_goes_away_is_no_fault(tmp_path: Path) -> None:
    done = subprocess.run(
        f"{' '.join(child('schema', 'rubric'))} | head -c 1", shell=True, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert done.stdout == "{"


@pytest.mark.parametrize("name", ["bundle-manifest", "task", "rating", "results-manifest", "rubric"])
def test_each_schema_is_printed(run: Callable[..., Answer], name: str) -> None:
    assert run("schema", name).json["title"] == name
