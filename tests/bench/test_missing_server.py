"""Rows of the benchmark whose server is not installed are skipped and named."""

import pytest

pytest.importorskip("resource", reason="the benchmark needs POSIX")
from bench import __main__ as bench
from bench.figures import Row, Samples, ServerMissing


def no_server(_workload):
    raise ServerMissing("Apache is not installed")


def other(_workload):
    return {"seconds": Samples([1.0])}


def test_a_row_without_its_server_is_skipped_and_the_others_are_measured(monkeypatch, tmp_path, capsys):
    rows = (
        Row(row="collect", unit="s", goal=1.0, measure=no_server, figure="seconds"),
        Row(row="other", unit="s", goal=2.0, measure=other, figure="seconds", bounds="value"),
    )
    monkeypatch.setattr(bench, "ROWS", rows)
    monkeypatch.setattr(bench, "_BUILD", tmp_path)
    monkeypatch.setenv("BENCH_TASKS", "10")
    bench.main([])
    printed = capsys.readouterr().out
    assert "skipped: collect: Apache is not installed" in printed
    assert "other" in printed
    written = (tmp_path / "bench.json").read_text(encoding="utf-8")
    assert '"skipped"' in written
    assert '"row": "other"' in written
