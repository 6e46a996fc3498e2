"""Public data sets that were converted: in the window, and rated by simulated raters."""

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.operations.audit.check_results import check_results
from desktop_rater.operations.bundles.make import BundleOptions
from desktop_rater.plugins.convert.run import FORMATS, convert_files
from tests.ui.rooms import press
from tests.ui.test_context_pane import context_of, passage
from tools.simulate import SimulationOptions, simulate_results


@pytest.mark.parametrize("name", ["rag_eval_results.jsonl", "promptflow_monitoring_bom.jsonl"])
def test_public_test_sets_show_their_context(rooms, shared, name):
    path = rooms.folder / "azure.zip"
    wanted = BundleOptions(rubric="response-quality", created="2026-11-20T08:00:00Z")
    convert_files("azure-qa", (shared / "data" / "azure" / name,), path, wanted, None, Progress())
    room = rooms.with_bundle(path)
    assert context_of(room).view.isVisible()
    press("Shift+D")
    assert passage(room), "a citation of the first task leads to a passage"


def test_raters_made_from_real_labels_hold_too(tmp_path, shared):
    """Sentences whose evidence contradicts their label, claims without labels: all of it is mended."""
    for name, file in (("factcheck-bench", "factcheck-GPT-benchmark.jsonl"), ("expertqa", "rand_val.jsonl")):
        assert name in FORMATS
        bundle, ratings = tmp_path / f"{name}.zip", tmp_path / f"{name}.jsonl"
        convert_files(
            name, (shared / "data" / name / file,), bundle, BundleOptions(rubric="span-factuality"), ratings, Progress()
        )
        done = simulate_results(bundle, ratings, tmp_path / name, SimulationOptions(raters=2, seed=1), Progress())
        for one in done.written:
            assert check_results(one.out, Progress()).broken == ()
            assert one.skipped == 0
