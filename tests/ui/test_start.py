"""What reads pages is loaded by who reads them: the window starts without it, and a page is taken apart elsewhere."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

PARSERS = {"bs4", "lxml", "nh3", "pypdf", "trafilatura"}


@pytest.fixture(scope="module")
def loaded(tmp_path_factory):
    """Which libraries a window has loaded when it is built, when a task is rated, and when a page is read."""
    command = [sys.executable, "-m", "tests.ui.window_that_reads", str(tmp_path_factory.mktemp("window"))]
    done = subprocess.run(command, check=True, capture_output=True, cwd=Path(__file__).parents[2], timeout=120)
    return json.loads(done.stdout)


def test_a_rater_who_reads_no_page_pays_for_none(loaded):
    assert loaded["built"] == loaded["rating"] == []


def test_the_libraries_that_take_pages_apart_are_never_in_the_window(loaded):
    assert PARSERS.isdisjoint(loaded["reading"])
    assert not [name for name in loaded["reading"] if "WebEngine" in name]
