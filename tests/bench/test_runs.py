"""A run knows what disturbed it, is kept in a history, and is compared with others by more than its noise."""

import json
import subprocess
import sys

import pytest
from msgspec.structs import replace

pytest.importorskip("resource", reason="the benchmark needs POSIX")
from bench import compare, page
from bench.figures import Samples, figure
from bench.history import Line, Run, add_run, compare_runs, find_run, read_history
from bench.machine import MAX_OTHERS, Disturbance, Machine, Watch

MACHINE = Machine(system="Linux", processor="Test", cores=2, python="3", sqlite="3", pyside6="6")
QUIET = Disturbance(others=0.01, steal=0.0, switches=1.0, load=0.1)
BUSY = replace(QUIET, others=1.5)
SPIN = "import time\nwhile time.process_time() < 0.3: pass\nprint('spun', flush=True)\ninput()"


LINE = Line(
    row="keys", unit="ms", value=1.0, floor=1.0, result=1.0, low=None, high=None, goal=2.0, samples=9, disturbance=QUIET
)
RUN = Run(
    number=0,
    moment="2026-11-20T12:00:00Z",
    revision="abcdef012",
    machine=MACHINE,
    tasks=page.TASKS,
    rows=[],
    skipped=[],
)


def line(result: float, low: float | None = None, high: float | None = None, **named) -> Line:
    return replace(LINE, result=result, low=low, high=high, **named)


def run(*rows: Line, **named) -> Run:
    return replace(RUN, rows=list(rows), **named)


def test_the_ratio_of_a_row_is_that_of_its_statistics_and_its_interval_contains_it():
    samples = Samples(ours=[10.0, 12.0, 11.0, 13.0, 30.0], floor=[5.0, 6.0, 5.5, 6.5, 6.0])
    computed = figure(samples, "median", "ratio")
    assert (computed.value, computed.floor, computed.result) == (12.0, 6.0, 2.0)
    assert computed.low is not None
    assert computed.high is not None
    assert computed.low <= 2.0 <= computed.high <= 30 / 6
    assert figure(samples, "max", "excess").result == pytest.approx(23.5)
    assert figure(samples, "p95", "value").result == 30.0


def test_a_single_sample_has_no_interval():
    computed = figure(Samples(ours=[3.0]), "median", "value")
    assert (computed.result, computed.low, computed.high) == (3.0, None, None)


def test_work_of_another_program_disturbs_a_measurement():
    with subprocess.Popen([sys.executable, "-c", SPIN], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        with Watch() as watch:
            other.stdout.readline()
        disturbance = watch.disturbance
        other.kill()
    if disturbance.others is None:
        pytest.skip("this system does not tell how busy its processors are")
    assert disturbance.others > MAX_OTHERS
    assert not disturbance.quiet


def test_runs_are_kept_in_order_and_found_by_number_and_commit(tmp_path):
    path = tmp_path / "bench.json"
    path.write_text(json.dumps({"machine": {}, "rows": []}), "utf-8")  # of a program before there was a history
    first = add_run(path, run(line(1.0)))
    second = add_run(path, run(line(2.0), revision="123456789"))
    history = read_history(path)
    assert [(kept.number, kept.rows[0].result) for kept in history.runs] == [(1, 1.0), (2, 2.0)]
    assert find_run(history, "1") == first
    assert find_run(history, "12345") == second
    with pytest.raises(LookupError, match="no run 7"):
        find_run(history, "7")


@pytest.mark.parametrize(
    ("before", "after", "moved"),
    [
        (line(2.0, 1.8, 2.2), line(2.3, 2.1, 2.5), False),
        (line(2.0, 1.8, 2.2), line(1.5, 1.4, 1.7), True),
        (line(2.0), line(9.0, 8.0, 10.0), None),
    ],
)
def test_a_row_moved_only_if_the_intervals_do_not_meet(before, after, moved):
    (move,) = compare_runs(run(before), run(after))
    assert move.moved is moved


def test_two_runs_are_compared_by_name(tmp_path, capsys):
    path = tmp_path / "bench.json"
    assert compare.main([], path) == 2
    add_run(path, run(line(2.0, 1.9, 2.1), line(1.0, row="gone")))
    add_run(path, run(line(1.0, 0.9, 1.1, disturbance=BUSY)))
    capsys.readouterr()
    assert compare.main(["1", "2"], path) == 0
    printed = capsys.readouterr().out
    assert "100,000 tasks, quiet" in printed
    assert "beside other work" in printed
    assert "-50.0%  moved" in printed
    assert "gone" not in printed
    assert compare.main(["1", "3"], path) == 2
    assert "no run 3" in capsys.readouterr().err


def test_only_a_quiet_run_of_all_rows_with_all_tasks_is_written_to_the_page(tmp_path):
    whole = run(line(1.0, 0.9, 1.1))
    assert page.unfit(whole, words=[]) == ""
    assert "only the rows that were named" in page.unfit(whole, words=["keys"])
    assert "not 100,000" in page.unfit(replace(whole, tasks=10), words=[])
    assert "keys" in page.unfit(run(line(1.0, disturbance=BUSY)), words=[])
    out = tmp_path / "performance.md"
    out.write_text("before\n<!-- begin of the figures -->\nold\n<!-- end of the figures -->\nafter\n")
    page.write_page(whole, out)
    text = out.read_text("utf-8")
    assert "| keys | ms | 1.00 | 1.00 | 1.00 | 0.90–1.10 | 2 |" in text
    assert "at most 0.01 cores" in text
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert "old" not in text
    page.write_page(whole, out)
    assert out.read_text("utf-8") == text


def test_a_page_without_its_place_is_left_alone(tmp_path):
    out = tmp_path / "performance.md"
    out.write_text("nothing\n")
    with pytest.raises(ValueError, match="no place"):
        page.write_page(run(line(1.0)), out)
    assert out.read_text("utf-8") == "nothing\n"
