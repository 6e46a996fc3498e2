"""Commands in pipelines: `-` is standard input or output, links are followed, pipes and devices are written to."""

import io
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from desktop_rater.cli.root import main
from desktop_rater.files import STANDARD_OUTPUT, replaced_files, write_durably
from tests.operations.bundles import make, rating, task, write_lines

posix = pytest.mark.posix("Windows has no named pipes and devices among its files")


class Output(NamedTuple):
    status: int
    out: bytes
    err: str


@pytest.fixture
def pipe(capfdbinary, monkeypatch, tmp_path):
    """Run a command with these bytes, or this file, as standard input."""

    def pipe(*arguments: str | Path, stdin: bytes | Path = b"") -> Output:
        capfdbinary.readouterr()
        with stdin.open("rb") if isinstance(stdin, Path) else io.BytesIO(stdin) as source:
            monkeypatch.setattr("sys.stdin", io.TextIOWrapper(source))
            status = main(["--store", str(tmp_path / "store"), *map(str, arguments)])
        written = capfdbinary.readouterr()
        return Output(status, written.out, written.err.decode())

    return pipe


@pytest.fixture
def results(pipe, tmp_path):
    """The results of a bundle with two tasks."""
    pipe("import", make(tmp_path / "b.zip", [task("t-1"), task("t-2")]))
    pipe("rate", "b", "--from", write_lines(tmp_path / "r.jsonl", [rating("t-1"), rating("t-2")]), "--rater", "r")
    pipe("export", "b", "--rater", "r", "--out", tmp_path / "r.zip")
    return tmp_path / "r.zip"


def test_an_engineer_needs_no_file_between_two_commands(pipe, tmp_path):
    tasks = write_lines(tmp_path / "tasks.jsonl", [task("t-1")]).read_bytes()
    moment = ("--id", "b", "--created", "2026-11-20T08:00:00Z")
    bundle = pipe("bundle", "make", *moment, "--out", "-", "-", stdin=tasks)
    assert (bundle.status, bundle.err) == (0, f"{STANDARD_OUTPUT}: 1 tasks, b revision 1\n")
    pipe("bundle", "make", *moment, "--out", tmp_path / "b.zip", tmp_path / "tasks.jsonl")
    assert bundle.out == (tmp_path / "b.zip").read_bytes()
    assert pipe("import", "-", stdin=bundle.out).out == b"standard input: 1 tasks of b revision 1 are in the store.\n"
    ratings = write_lines(tmp_path / "r.jsonl", [rating("t-1")]).read_bytes()
    assert pipe("rate", "b", "--from", "-", "--rater", "r", stdin=ratings).status == 0
    exported = pipe("export", "b", "--rater", "r", "--out", "-")
    assert exported.status == 0
    assert pipe("check", "-", stdin=exported.out).status == 0
    table = pipe("results", "convert", "--to", "jsonl", "--out", "-", "-", stdin=exported.out)
    assert (table.status, table.out[:1], table.err[:11]) == (0, b"{", str(STANDARD_OUTPUT))


def test_a_file_as_standard_input_keeps_its_time(pipe, tmp_path):
    tasks = write_lines(tmp_path / "tasks.jsonl", [task("t-1")])
    os.utime(tasks, (1_000_000_000, 1_000_000_000))
    made = pipe("bundle", "make", "--id", "b", "--out", "-", "-", stdin=tasks)
    pipe("bundle", "make", "--id", "b", "--out", tmp_path / "b.zip", tasks)
    assert (made.status, made.out) == (0, (tmp_path / "b.zip").read_bytes())


def test_records_of_another_tool_come_from_a_pipe_by_their_line(pipe):
    record = b'{"question": "What is kelp?", "answer": "An alga."}\n'
    columns = ("--from", "jsonl", "--columns", "prompt=question,response.a=answer", "--id", "kelp")
    converted = pipe("bundle", "convert", *columns, "--out", "-", "-", stdin=record)
    assert (converted.status, converted.out[:2]) == (0, b"PK")
    without_one = pipe("bundle", "convert", *columns, "--out", "-", "-", stdin=record + b"{\n")
    assert (without_one.status, without_one.out[:2], "line 2" in without_one.err) == (1, b"PK", True)
    broken = pipe("bundle", "convert", *columns, "--skip", "0", "--out", "-", "-", stdin=record + b"{\n")
    assert (broken.status, broken.out) == (2, b"")
    assert "standard input can't be read." in broken.err
    assert "line 2" in broken.err


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("bundle", "make", "--id", "b", "--json", "--out", "-", "-"), "--json prints to standard output"),
        (("bundle", "make", "--id", "b", "--out", "-", "-", "--json"), "--json prints to standard output"),
        (("bundle", "make", "--out", "-", "-"), "give an id with --id."),
        (("bundle", "make", "--out", "b.zip", "--gold", "-", "-"), "Standard input can be read only once."),
        (("import", "-", "-"), "Standard input can be read only once."),
        (("results", "convert", "--to", "label-studio", "--out", "-", "RESULTS"), "Name its file with --config."),
        (("results", "convert", "--to", "label-studio", "--out", "-", "--config", "-", "RESULTS"), "Only one file"),
    ],
)
def test_what_can_not_share_a_stream_is_refused(pipe, results, arguments, reason):
    words = (str(results) if word == "RESULTS" else word for word in arguments)
    refused = pipe(*words, stdin=b'{"id": "t-1", "prompt": {"text": "?"}, "responses": [{"id": "a", "text": "A."}]}')
    assert (refused.status, refused.out) == (2, b"")
    assert reason in refused.err


@posix
def test_a_closed_standard_input_is_named():
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m desktop_rater check - <&-"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (2, "Standard input is closed.\n")


@posix
def test_a_closed_stream_is_not_mistaken_for_a_file_of_the_program(results):
    for closed in ("- >&-", "/dev/fd/9"):
        script = f"{sys.executable} -m desktop_rater --store {results.parent}/store backup --out {closed}"
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
        assert (done.returncode, "is not open." in done.stderr) == (2, True)


@posix
def test_a_shell_joins_commands_and_stops_them_early(results):
    program = f"{sys.executable} -m desktop_rater results convert --to csv --out"
    script = f"""
        set -o pipefail
        {program} - <(cat {results}) | wc -l
        {program} - - < {results} | true
        echo $?
        (echo before; {program} /dev/stdout {results}) > {results}.csv; cat {results}.csv | head -n 1
    """
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    lines, status, first = done.stdout.split()
    assert (int(lines) > 2, status, first) == (True, "0", "before")
    assert "Traceback" not in done.stderr
    assert "can't be written" not in done.stderr


@posix
@pytest.mark.parametrize("exists", [True, False])
def test_a_link_stays_and_its_file_is_written(pipe, results, exists):
    folder = results.parent / "real"
    folder.mkdir()
    if exists:
        (folder / "table.csv").write_text("old")
    (results.parent / "second.csv").symlink_to(folder / "table.csv")
    link = results.parent / "first.csv"
    link.symlink_to("second.csv")
    assert pipe("results", "convert", "--to", "csv", "--out", link, results).status == 0
    assert link.readlink() == Path("second.csv")
    assert (folder / "table.csv").read_bytes().startswith(b'"bundle"')
    assert [path.name for path in folder.iterdir()] == ["table.csv"]


@posix
def test_links_of_several_files_and_of_settings_stay(tmp_path):
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "a").symlink_to("real")
    with replaced_files(tmp_path, ["a", "b"]) as folder:
        (folder / "a").write_bytes(b"new")
        (folder / "b").write_bytes(b"new")
    assert ((tmp_path / "a").is_symlink(), (tmp_path / "real").read_bytes()) == (True, b"new")
    write_durably(tmp_path / "a", b"newer")
    assert ((tmp_path / "a").is_symlink(), (tmp_path / "real").read_bytes()) == (True, b"newer")


@posix
def test_pipes_and_devices_are_written_to_and_stay(pipe, results):
    fifo = results.parent / "fifo"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDWR)  # holds both ends, so that no side waits
    converted = pipe("results", "convert", "--to", "jsonl", "--out", fifo, results)
    assert (converted.status, converted.err.splitlines()[0]) == (
        0,
        "fifo is a pipe: the command waits until another program reads from it.",
    )
    assert os.read(reader, 10).startswith(b"{")
    os.close(reader)
    assert fifo.is_fifo()
    for out in ("/dev/null", results.parent / "null"):
        if out != "/dev/null":
            Path(out).symlink_to("/dev/null")
        assert pipe("bundle", "merge", "--id", "m", "--out", out, results.parent / "b.zip").status == 0
        assert pipe("backup", "--out", out).status == 0
    assert Path("/dev/null").is_char_device()
    full = pipe("results", "convert", "--to", "csv", "--out", "/dev/full", results)
    assert (full.status, "No space left on device" in full.err) == (2, True)


def test_quiet_leaves_errors_and_json(pipe, results):
    table = ("results", "convert", "--to", "csv", "--out", results.parent / "t.csv", results)
    assert pipe("--quiet", *table) == (0, b"", "")
    assert pipe(*table, "-q") == (0, b"", "")
    assert pipe("status", "-q", "--json").out.startswith(b"{")
    refused = pipe("check", "-q", results.parent / "r.jsonl")
    assert (refused.status, refused.out, "r.jsonl" in refused.err) == (2, b"", True)
    assert "can't be combined" in pipe("-q", "status", "--verbose").err


def test_verbose_prints_lists_in_full(pipe, tmp_path):
    pipe("import", make(tmp_path / "b.zip", [task(f"t-{number}") for number in range(30)]))
    export = ("export", "b", "--rater", "r", "--out", tmp_path / "r.zip")
    assert "… and 10 more tasks" in pipe(*export).err
    assert pipe(*export, "-v").err.count("it is not rated") == pipe("--verbose", *export).err.count("t-") == 30
