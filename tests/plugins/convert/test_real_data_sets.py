"""The public data sets as they are: what comes in, what finds its place, what is left out."""

import json

import pytest

from desktop_rater.format.archive import open_bundle
from desktop_rater.format.change import Progress
from desktop_rater.format.safe_zip import LIMITS
from desktop_rater.operations.bundles.make import BundleOptions
from desktop_rater.plugins.convert.run import convert_files

COUNTS = ("records", "tasks", "placed", "aligned", "unplaced", "left_out", "cut", "evidence")


@pytest.mark.parametrize(
    ("name", "rubric", "files", "counts"),
    [
        ("azure-qa", "response-quality", "azure/promptflow_data.jsonl", (2, 2, 0, 0, 0, 0, 0, 0)),
        ("azure-qa", "response-quality", "azure/promptflow_monitoring_bom.jsonl", (5, 5, 0, 0, 0, 0, 0, 0)),
        ("azure-qa", "response-quality", "azure/rag_eval_results.jsonl", (200, 200, 0, 0, 0, 0, 0, 0)),
        ("azure-qa", "response-quality", "azure/*.jsonl", (408, 207, 0, 0, 0, 201, 0, 0)),
        ("expertqa", "span-factuality", "expertqa/*.jsonl", (217, 217, 1175, 62, 0, 0, 0, 1212)),
        ("factcheck-bench", "span-factuality", "factcheck-bench/*.jsonl", (94, 94, 281, 29, 1, 0, 0, 1061)),
        ("haluquestqa", "side-by-side", "haluquestqa/*.csv", (698, 698, 1226, 603, 5, 0, 0, 139)),
        ("toolbench", "side-by-side", "toolbench/G*.json", (2, 2, 0, 0, 0, 0, 1, 0)),
        ("toolbench", "side-by-side", "toolbench/*.json", (102, 66, 0, 0, 0, 36, 171, 0)),
    ],
)
def test_what_a_data_set_becomes(shared, tmp_path, name, rubric, files, counts):
    paths = tuple(sorted((shared / "data").glob(files)))
    ratings = tmp_path / "r.jsonl"
    done = convert_files(name, paths, tmp_path / "b.zip", BundleOptions(rubric=rubric), ratings, Progress())
    assert dict.fromkeys(COUNTS, 0) | {key: done.counts.get(key, 0) for key in COUNTS} == dict(
        zip(COUNTS, counts, strict=True)
    )
    assert len(done.left_out) == counts[5]
    assert len(done.unplaced) == counts[4]
    with open_bundle(tmp_path / "b.zip", LIMITS) as bundle:
        tasks = {line.task.id: line.task for line in bundle.tasks() if line.task}
    assert len(tasks) == counts[1]
    for line in ratings.read_text("utf-8").split("\n")[:-1]:
        rating = json.loads(line)
        assert rating["task"] in tasks
        for response in rating["answers"]["responses"]:
            assert tasks[rating["task"]].response(response)


def test_a_conversion_gives_the_same_bytes_every_time(shared, tmp_path):
    paths = tuple(sorted((shared / "data" / "toolbench").glob("*.json")))
    wanted = BundleOptions(rubric="side-by-side", id="tb", created="2026-11-20T08:00:00Z")
    for name in ("one.zip", "two.zip"):
        convert_files("toolbench", paths, tmp_path / name, wanted, None, Progress())
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
