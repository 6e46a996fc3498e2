"""A floor is honest: it takes what the program takes, and leaves what the program leaves."""

import json
import sqlite3
import zipfile
from contextlib import closing
from typing import Any

import pytest

pytest.importorskip("resource", reason="the benchmark needs POSIX")
from pathlib import Path

from bench import __main__ as table
from bench import bundles, engine, floors, sqlite_alone
from bench.workload import SENTENCES, Workload, tasks

TASKS = 30
TASK_BYTES = range(3_300, 3_900)


@pytest.fixture(scope="module")
def workload(tmp_path_factory):
    return Workload(tmp_path_factory.mktemp("bench"), TASKS)


def rows(file: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(file)) as db:
        return db.execute(query).fetchall()


def targets(text: str) -> list[dict[str, Any]]:
    return [{key: value for key, value in target.items() if key != "unknown"} for target in json.loads(text)]


def lines(path: Path, name: str) -> list[Any]:
    with zipfile.ZipFile(path) as zip_:
        return [json.loads(line) for line in zip_.read(name).splitlines()]


def test_the_tasks_are_as_large_as_they_are_said_to_be_and_the_same_each_time():
    made = [json.dumps(task) for task in tasks(TASKS)]
    assert made == [json.dumps(task) for task in tasks(TASKS)]
    assert len(set(made)) == TASKS
    assert [len(task) for task in made if len(task) not in TASK_BYTES] == []


def test_the_floor_imports_what_the_program_imports(workload, tmp_path):
    bundle = str(workload.bundle)
    assert bundles.import_all(bundle, str(tmp_path / "ours")) == TASKS
    assert bundles.import_floor(bundle, str(tmp_path / "floor")) == TASKS
    query = "SELECT id, title, line_sha256, targets, line FROM tasks ORDER BY key"
    ours = rows(tmp_path / "ours" / "store.sqlite3", query)
    floor = rows(tmp_path / "floor", query)
    assert [(*row[:3], targets(row[3]), row[4]) for row in ours] == [
        (*row[:3], targets(row[3]), row[4]) for row in floor
    ]
    assert {len(targets(row[3])) for row in ours} == {SENTENCES}
    texts = "SELECT prompt, responses, tools FROM texts ORDER BY rowid"
    for what, compared in (("tasks", query), ("index", texts)):
        sqlite_alone.insert_rows(str(tmp_path / "ours"), str(tmp_path / what), what)
        alone = rows(tmp_path / what / "store.sqlite3", compared)
        assert alone == rows(tmp_path / "ours" / "store.sqlite3", compared)


def test_the_floor_exports_what_the_program_exports(workload, tmp_path):
    store = str(workload.rated)
    assert bundles.export_all(store, str(tmp_path / "ours.zip")) == TASKS
    assert bundles.export_floor(store, str(tmp_path / "floor.zip")) == TASKS
    for name in ("ratings.jsonl", "tasks.jsonl", "history.jsonl"):
        assert lines(tmp_path / "ours.zip", name) == lines(tmp_path / "floor.zip", name)
    assert bundles.check_all(str(tmp_path / "ours.zip")) == TASKS


@pytest.mark.parametrize(
    "line", [b'{"a": 1, "a": 2}', rb'{"a": "\u0000"}', rb'{"a": "\ud800"}', b'{"a": 9007199254740993}', b"[" * 65]
)
def test_the_floor_refuses_what_the_formats_refuse(line):
    with pytest.raises(ValueError):  # noqa: PT011 - of several kinds
        floors.strict(line)


def test_a_run_prints_a_table_and_writes_it_down(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(table, "_BUILD", tmp_path)
    monkeypatch.setattr(engine, "_RATINGS", 20)
    monkeypatch.setenv("BENCH_TASKS", str(TASKS))
    table.main(["rubric.check"])
    written = json.loads((tmp_path / "bench.json").read_text("utf-8"))
    (run,) = written["runs"]
    (row,) = run["rows"]
    assert (row["unit"], row["goal"], row["floor"], row["samples"]) == ("ms", 1, None, 20)
    assert row["low"] <= row["result"] == row["value"] <= row["high"]
    assert run["tasks"] == TASKS
    assert row["row"] in capsys.readouterr().out
