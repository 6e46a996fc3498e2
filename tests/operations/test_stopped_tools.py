"""Who stops a tool that makes bundles finds the folder as it was."""

import pytest

from desktop_rater.format.change import Cancelled, Progress
from desktop_rater.operations.bundles.assign import assign_tasks
from desktop_rater.operations.bundles.subsets import BundleSampleOptions, merge_bundles, sample_bundle, split_bundle
from tests.format import zips
from tests.format.zips import names_in


def stopped_after(reports):
    """A progress that is stopped once it has reported so often."""
    count = 0

    def tell(done, total):
        nonlocal count
        count += 1
        if count == reports:
            progress.stop()

    progress = Progress(tell)
    return progress


@pytest.mark.parametrize("reports", [1, 3])  # while it reads, and while it writes
@pytest.mark.parametrize("tool", ["split", "merge", "sample", "assign"])
def test_nothing_is_left_of_what_was_stopped(tmp_path, tool, reports):
    path = zips.bundle(tmp_path / "b.zip", *(zips.task(f"t-{number}") for number in range(700)))
    raters = tmp_path / "raters.txt"
    raters.write_text("a\nb\n")
    (tmp_path / "b-part-2.zip").write_bytes(b"what was there")
    progress = stopped_after(reports)
    with pytest.raises(Cancelled):
        match tool:
            case "split":
                split_bundle(path, 2, tmp_path, "b-part-{n}.zip", progress)
            case "merge":
                merge_bundles(tmp_path / "b-part-2.zip", [path], progress)
            case "sample":
                sample_bundle(tmp_path / "b-part-2.zip", path, BundleSampleOptions(count=600), progress)
            case "assign":
                assign_tasks(path, raters, tmp_path / "new", overlap=2, seed=0, progress=progress)
    assert names_in(tmp_path) == ["b-part-2.zip", "b.zip", "raters.txt"]
    assert (tmp_path / "b-part-2.zip").read_bytes() == b"what was there"
