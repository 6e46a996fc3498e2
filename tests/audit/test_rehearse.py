"""A lead tries the desk before there are results: made-up raters, whose results are sound and the same each time."""

import json
import zipfile

import pytest
from click.testing import CliRunner

from desktop_rater.format.change import Progress
from desktop_rater.operations.audit.check_results import check_results
from desktop_rater.paths import resources
from tools.simulate import SimulationOptions, main, simulate_results

SAMPLES = resources() / "samples"


def results_of(path):
    with zipfile.ZipFile(path) as zip_:
        return [json.loads(line) for line in zip_.read("ratings.jsonl").splitlines()]


def bytes_in(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.mark.parametrize("sample", [path.stem for path in sorted(SAMPLES.glob("*.zip"))])
def test_results_of_made_up_raters_hold_by_every_rubric(tmp_path, sample):
    done = simulate_results(
        SAMPLES / f"{sample}.zip", None, tmp_path / "out", SimulationOptions(raters=4, seed=3, noise=0.3), Progress()
    )
    assert len(done.written) == 5
    for one in done.written:
        checked = check_results(one.out, Progress())
        assert (checked.rater, checked.complete, checked.broken) == (one.rater, one.complete, ())
        assert one.skipped == 0


def test_the_same_seed_gives_the_same_bytes_and_another_one_others(tmp_path):
    ratings = SAMPLES / "span-factuality-sample.ratings.jsonl"
    for name, seed in (("one", 5), ("again", 5), ("other", 6)):
        simulate_results(
            SAMPLES / "span-factuality-sample.zip",
            ratings,
            tmp_path / name,
            SimulationOptions(raters=4, seed=seed),
            Progress(),
        )
    assert bytes_in(tmp_path / "one") == bytes_in(tmp_path / "again")
    assert bytes_in(tmp_path / "one") != bytes_in(tmp_path / "other")


def test_one_rater_more_changes_nothing_about_the_others(tmp_path):
    for raters in (2, 3):
        simulate_results(
            SAMPLES / "side-by-side-sample.zip",
            None,
            tmp_path / str(raters),
            SimulationOptions(raters=raters, seed=1),
            Progress(),
        )
    few, more = bytes_in(tmp_path / "2"), bytes_in(tmp_path / "3")
    assert few.items() <= more.items()


def labels_of(path):
    return {
        (one["task"], where): part["accuracy"]["is"]
        for one in results_of(path)
        for where, part in one["decided"].items()
        if "accuracy" in part
    }


def test_more_noise_is_more_disagreement_and_without_any_all_say_what_was_said_first(tmp_path):
    ratings = SAMPLES / "span-factuality-sample.ratings.jsonl"
    kinds = {}
    for noise in (0.0, 0.5):
        wanted = SimulationOptions(raters=6, seed=2, noise=noise)
        done = simulate_results(
            SAMPLES / "span-factuality-sample.zip", ratings, tmp_path / str(noise), wanted, Progress()
        )
        found = [labels_of(one.out) for one in done.written if one.supersedes is None and one.complete == 12]
        kinds[noise] = len({tuple(sorted(one.items())) for one in found})
    assert kinds == {0.0: 1, 0.5: len(found)}


def test_each_fourth_had_exported_before_and_says_so(tmp_path):
    done = simulate_results(
        SAMPLES / "span-factuality-sample.zip", None, tmp_path, SimulationOptions(raters=8, seed=1), Progress()
    )
    by_name = {one.out.name: one for one in done.written}
    assert len(by_name) == 10
    for number in (4, 8):
        before, last = by_name[f"made-up-{number:02}-before.zip"], by_name[f"made-up-{number:02}.zip"]
        assert last.supersedes == before.sha256
        assert before.complete < last.complete


def test_gold_that_a_bundle_brings_is_what_they_start_from(tmp_path):
    done = simulate_results(
        SAMPLES / "practice-sample.zip", None, tmp_path, SimulationOptions(raters=1, seed=1, noise=0), Progress()
    )
    assert done.unrated == ()


def test_nothing_is_written_where_the_bundle_is_damaged(tmp_path):
    broken = tmp_path / "b.zip"
    broken.write_bytes((SAMPLES / "side-by-side-sample.zip").read_bytes()[:-100])
    with pytest.raises(Exception, match="b.zip"):
        simulate_results(broken, None, tmp_path / "out", SimulationOptions(raters=2, seed=1), Progress())
    assert not (tmp_path / "out").exists()


def test_the_tool_says_that_they_are_simulated(tmp_path):
    bundle = SAMPLES / "response-quality-sample.zip"
    arguments = [str(bundle), "--raters", "2", "--seed", "9", "--out-dir", str(tmp_path / "out")]
    answer = CliRunner().invoke(main, arguments)
    assert answer.exit_code == 0
    assert answer.output.startswith("2 results of 2 simulated raters of sample-scales.")
    assert sorted(bytes_in(tmp_path / "out")) == ["made-up-01.zip", "made-up-02.zip"]


def test_a_rehearsal_that_is_stopped_reports_each_task_and_leaves_nothing(tmp_path):
    reports = []

    def publish(done, total):
        reports.append((done, total))
        if done == 5:
            raise KeyboardInterrupt

    options, bundle = SimulationOptions(raters=3, seed=1), SAMPLES / "response-quality-sample.zip"
    with pytest.raises(KeyboardInterrupt):
        simulate_results(bundle, None, tmp_path / "raters", options, Progress(publish))
    assert [done for done, _ in reports if done] == [1, 2, 3, 4, 5]
    assert not (tmp_path / "raters").exists()
