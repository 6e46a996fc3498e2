"""The cost of a dataset is measured in parts, and what a cluster would do follows from them."""

import os
from pathlib import Path

import pytest

pytest.importorskip("ibis", reason="datasets need ibis")

pytest.importorskip("resource", reason="the benchmark needs POSIX")
from bench import scale, scale_work
from bench.scale import ScaleRun, Size, Step

ONE = ScaleRun(
    places=1_000_000,
    function="build",
    engine="process",
    workers=1,
    seconds=100.0,
    spread=90.0,
    starting=0.0,
    size=3_000_000,
    megabytes=250.0,
    zips=2_000_000,
)


def variant(**named):
    return scale.msgspec.structs.replace(ONE, **named)


def test_a_call_inside_another_one_counts_once():
    clock = scale_work.Clock()
    assert clock.timed(lambda: list(clock.each("ab"))) == ["a", "b"]
    whole = clock.seconds
    assert list(clock.each("cd")) == ["c", "d"]
    assert clock.seconds > whole > 0


def test_the_page_follows_the_law_of_amdahl():
    runs = [
        variant(places=10_000, seconds=2.0, spread=1.0),
        ONE,
        variant(workers=2, seconds=60.0, spread=50.0),
        variant(function="report", engine="duckdb", seconds=40.0, spread=30.0),
        variant(function="report", engine="spark", workers=2, seconds=50.0, spread=40.0, starting=8.0),
    ]
    text = scale.page_text(runs, ["report of 10 places failed with Spark, 2: no memory"])
    assert "| 1,000,000 | processes, 2 | 60.0 | 83% | 250 | 2.0 | 3.0 |" in text
    assert "| 1,000,000 | DuckDB, 1 | 40.0 | 75% | 250 |  | 3.0 |" in text
    assert "10.0 s of them not shared out" in text
    assert "19.0 s with 10 workers, 10.9 s with 100 workers, and is at most 10.0 times" in text
    assert "2 workers did the shared part 1.80 times as fast as one" in text
    assert "Starting Spark took 8.0 s more" in text
    assert "failed with Spark, 2: no memory" in text


def test_without_spark_the_others_are_measured(tmp_path, monkeypatch):
    monkeypatch.setattr(scale, "_SPARK_PYTHON", tmp_path / "python")
    assert scale.missing_spark() == "build/scale-venv is missing"
    measured = scale.steps(Size(5, 200), scale.missing_spark())
    assert {step.engine for step in measured} == {"process", "duckdb"}
    assert {step.engine for step in scale.steps(Size(5, 200), "")} == {"process", "duckdb", "spark"}
    assert Step("build", "process", 1) in measured


def test_a_step_is_measured_once_for_a_program_and_its_dataset_is_kept(tmp_path, monkeypatch, capsys):
    (tmp_path / "bench").mkdir()
    for name, value in (("_BUILD", tmp_path), ("_RUNS", tmp_path / "runs.json"), ("SIZES", (Size(2, 2),))):
        monkeypatch.setattr(scale, name, value)
    monkeypatch.setattr(scale, "missing_spark", lambda: "not wanted")
    monkeypatch.setenv("BENCH_STEPS", f"40-report-duckdb-{os.cpu_count()}")
    started = []

    def run(step, arguments, folder):
        started.append((step.function, step.engine))
        (kept,) = [Path(word) for word in arguments if "dataset-2-2-" in str(word)]
        kept.mkdir(exist_ok=step.function == "report")
        (kept / "manifest.json").touch()
        return {"seconds": 2.0, "spread": 1.0, "starting": 0.0, "size": 7, "megabytes": 9.0}

    monkeypatch.setattr(scale, "_run", run)
    scale.main([])
    scale.main([])
    assert started == [("build", "process"), *[("report", "duckdb")] * 3], "the second sitting has it already"
    monkeypatch.setenv("BENCH_AGAIN", "1")
    scale.main([])
    assert len(started) == 7
    assert capsys.readouterr().out.count("| 40 | DuckDB") == 5
    assert scale.program_sha256(tmp_path) != scale.program_sha256(Path(scale.__file__).parent)


def test_results_of_further_raters_repeat_those_of_simulated_ones_and_are_judged(tmp_path, monkeypatch):
    monkeypatch.setattr(scale, "_SIMULATED", 2)
    monkeypatch.setattr(scale, "_MOST", 60)
    inbox = scale.made_inbox(Size(3, 2), tmp_path)
    assert scale.made_inbox(Size(3, 2), tmp_path) == inbox
    names = [path.name for path in sorted(inbox.iterdir())]
    assert names == ["bundle.zip", "copy-000.zip", "made-up-01.zip", "made-up-02.zip"]
    phases = scale_work.build(str(inbox), str(tmp_path / "dataset"), "process", 1)
    assert phases.seconds > phases.spread > 0
    assert phases.size == sum(path.stat().st_size for path in (tmp_path / "dataset").rglob("*.parquet"))
