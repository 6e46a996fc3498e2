"""A machine with little memory, or a system that lets a process open few files: it works, or says why it does not."""

import subprocess
import sys

import pytest

from desktop_rater.operations.self_test import sample_bundle_path, sample_ratings_path
from desktop_rater.store import bundles
from desktop_rater.store.doctor import examine_store
from tests.operations.bundles import make, take_in, task, writer

if sys.platform != "linux":
    pytest.skip("limits of a process as Linux sets them", allow_module_level=True)

# The limit comes once the program is there: how much that takes is another matter.
WITH_FILES = """
import resource, sys
from desktop_rater.cli.root import main
resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[1]), int(sys.argv[1])))
sys.exit(main(sys.argv[2:]))
"""
WITH_MEMORY = """
import resource, sys
from pathlib import Path
from desktop_rater.cli.root import main
from desktop_rater.operations.bundles import import_bundle
pages = int(Path("/proc/self/statm").read_text().split()[0])
limit = pages * resource.getpagesize() + int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
sys.exit(main(sys.argv[2:]))
"""


def limited(script, limit, *words):
    return subprocess.run(
        [sys.executable, "-c", script, str(limit), *map(str, words)], capture_output=True, text=True, check=False
    )


def test_with_few_open_files_the_whole_job_is_done(tmp_path):
    store, out = tmp_path / "store", tmp_path / "results.zip"
    name, rater = "sample-factuality", ("--rater", "r-17")
    for words in (
        ("--store", store, "import", sample_bundle_path()),
        ("--store", store, "rate", name, "--from", sample_ratings_path(), *rater),
        ("--store", store, "export", name, "--out", out, *rater, "--partial"),
        ("check", out),
        ("--store", store, "backup"),
        ("--store", store, "doctor"),
    ):
        done = limited(WITH_FILES, 24, *words)
        assert done.returncode in {0, 1}, (words, done.stderr)
    assert out.exists()


def test_without_any_file_to_open_it_says_why(tmp_path):
    done = limited(WITH_FILES, 4, "--store", tmp_path / "store", "import", sample_bundle_path())
    assert done.returncode == 2
    assert "bug in Desktop Rater" not in done.stderr
    assert "can't be" in done.stderr


# Bytes: not even enough to load the command; enough for that, but not to open the store; enough for that, but not to
# read the bundle. Which is which depends on the system: the outcome does not.
@pytest.mark.parametrize("memory", [1_500_000, 3_000_000, 4_200_000, 6_000_000, 8_000_000])
def test_too_little_memory_is_said_and_leaves_nothing_half(memory, tmp_path):
    store = tmp_path / "store"
    large = make(tmp_path / "large.zip", (task(f"t{n}", "A long sentence indeed. " * 40_000) for n in range(3)))
    with writer(store) as opened:
        take_in(opened, sample_bundle_path())
    done = limited(WITH_MEMORY, memory, "--store", store, "import", large)
    assert done.returncode == 2
    assert "not enough memory" in done.stderr
    assert "bug in Desktop Rater" not in done.stderr
    with writer(store) as opened:
        assert [row.id for row in bundles.list_bundles(opened)] == ["sample-factuality"]
    assert examine_store(store).faults == ()
