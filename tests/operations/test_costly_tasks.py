"""Tasks that take too many tests are refused at every door, and the check of a large one can be cancelled."""

import pytest

from desktop_rater.format.change import Cancelled, Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.operations.audit.check_results import check_results
from desktop_rater.operations.audit.import_results import import_results
from desktop_rater.rubric import RubricError, check

from .bundles import NOON, make, take_in, task, write, writer
from .rated import results_of

RULES = """
id = "costly"
version = 1
title = "Costly"

[[questions]]
id = "sound"
per = "target"
kind = "choice"
ask = "Sound?"
choices = [{ id = "yes", label = "Yes" }, { id = "no", label = "No" }]
""" + "".join(
    f'\n[[rules]]\nid = "r{n}"\nper = "target"\nlevel = "warn"\nmessage = "No."\nwhen = {{ sound = "no" }}\n'
    for n in range(30)
)


def sentences(count: int) -> list[str]:
    """So many sentences, each a target."""
    return [f"Sentence {n}." for n in range(count)]


@pytest.fixture
def rubric(tmp_path):
    """A rubric with 30 rules for each target."""
    return str(write(tmp_path / "costly.toml", RULES))


@pytest.fixture
def results(tmp_path, rubric):
    """Results of one task with 1,000 targets."""
    answers = {"targets": {f"s{n}": {"sound": "yes"} for n in range(1, 1_001)}}
    rated = {"ana": [{"task": "t1", "answers": answers}]}
    (path,) = results_of(tmp_path, [task("t1", *sentences(1_000))], rated, rubric=rubric)
    return path


def test_a_task_that_takes_too_many_tests_is_left_out_and_a_bundle_of_such_tasks_refused(tmp_path, rubric, monkeypatch):
    monkeypatch.setattr(check, "MAX_TESTS", 100_000)
    large, small = task("large", *sentences(1_000)), task("small")
    why = "152 tests of the rubric x 1,000 targets = 152,000 tests; at most 100,000 can be checked"
    with pytest.raises(RaterError, match=why):
        make(tmp_path / "only.zip", [large], rubric=rubric)
    path = make(tmp_path / "both.zip", [large, small], rubric=rubric)
    with writer(tmp_path / "store") as store:
        (left_out,) = take_in(store, path).left_out
    assert left_out.task == "large"
    assert why in left_out.why


def test_results_that_take_too_many_tests_are_refused_by_check_and_audit(tmp_path, results, monkeypatch):
    assert check_results(results, Progress()).complete == 1
    monkeypatch.setattr(check, "MAX_TESTS", 100_000)
    with pytest.raises(RubricError, match="x 1,000 targets"):
        check_results(results, Progress())
    with writer(tmp_path / "lead") as store:
        (refused,) = import_results(store, [results], lead="Lee", now=NOON, progress=Progress()).refused
    assert refused.file == results.name
    assert "at most 100,000" in refused.message


def test_cancel_is_heard_inside_the_check_of_one_task(tmp_path, results):
    """Progress is reported while a rating is evaluated, and the first report after Cancel ends the work."""
    reports: list[int] = []

    def cancel_at_the_tenth(done: int, _total: int) -> None:
        reports.append(done)
        if len(reports) == 10:
            progress.stop()

    progress = Progress(cancel_at_the_tenth)
    with pytest.raises(Cancelled):
        check_results(results, progress)
    assert len(reports) == 10
    reports.clear()
    progress = Progress(cancel_at_the_tenth)
    with writer(tmp_path / "lead") as store, pytest.raises(Cancelled):
        import_results(store, [results], lead="Lee", now=NOON, progress=progress)
    assert len(reports) == 10
