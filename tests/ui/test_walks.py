"""Parts of the window are made when they are first needed: three ways of a user enter few files of the program."""

import json
import re
import subprocess
import sys
from pathlib import Path

from PySide6.QtWidgets import QWidget

ROOT = Path(__file__).parents[2]
# These may only fall, as the limits of size.
MOST_FILES_ENTERED = {"empty window": 90, "sample to its first task": 122, "key Y": 89}


def test_few_files_are_entered_on_the_ways_of_a_user(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "tests.ui.walk_child", str(tmp_path / "store")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    ways = json.loads(done.stdout.splitlines()[-1])
    counts = {way: len(files) for way, files in ways.items()}
    assert all(counts[way] <= most for way, most in MOST_FILES_ENTERED.items()), (counts, ways)


def test_the_page_of_the_architecture_names_these_numbers():
    walks = (ROOT / "docs" / "architecture.md").read_text("utf-8").partition("## Three walks")[2]
    numbers = re.findall(r"^\*\*.*?\*\* \((?:enters )?(\d+) files\)", walks, re.MULTILINE)
    assert [int(number) for number in numbers] == list(MOST_FILES_ENTERED.values())


def test_each_part_can_be_made_and_has_the_actions_that_it_was_offered_with(rooms):
    parts = rooms.empty().window.parts
    for name, ids in parts.offered.items():
        part = parts[name]
        own = set() if isinstance(part, QWidget) or not hasattr(part, "actions") else set(part.actions())
        assert own == set(ids), name
