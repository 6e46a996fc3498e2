"""A rater who follows docs/user-guide.md finds what it says."""

import json
import re
import subprocess
import sys
import zipfile

import pytest

from desktop_rater.operations.self_test import sample_bundle_path
from desktop_rater.rubric.validate import FREE_KEYS
from desktop_rater.ui.window.actions import FIXED, ROWS
from desktop_rater.ui.window.keys import english_key_text
from tests.docs import key_table, pages
from tests.format import zips
from tests.operations.bundles import make, rating, task, write_lines

PAGE = pages.text("user-guide.md")
SECTIONS = pages.sections(PAGE)


def test_the_table_of_keys_is_that_of_the_window():
    match = key_table.BLOCK.search(PAGE)
    assert match
    assert match[1] == key_table.key_table(), "run `python -m tests.docs.key_table`"


def test_each_shortcut_of_an_action_is_named():
    missing = [
        key for row in (*ROWS, *FIXED) for key in row.keys if f"`{english_key_text(key)}`" not in SECTIONS["Keys"]
    ]
    assert missing == []


def test_each_key_that_the_guide_speaks_of_does_something():
    known = {english_key_text(key) for row in (*ROWS, *FIXED) for key in row.keys} | {key.upper() for key in FREE_KEYS}
    spoken = "".join(SECTIONS[name] for name in SECTIONS if name != "Keys")
    keys = {
        name for name in _names(spoken) if len(name) == 1 or name.split()[0] in {"Ctrl", "Shift", "Enter", "Esc", "F8"}
    }
    assert keys
    assert keys - known == set()


def test_the_letters_of_answers_are_those_that_a_rubric_may_use():
    letters = " ".join(sorted(key.upper() for key in FREE_KEYS if key.isalpha()))
    assert letters in SECTIONS["Keys"]


def test_reading_the_table_of_actions_never_starts_qt():
    script = (
        "import tests.docs.key_table; from PySide6.QtCore import QCoreApplication; "
        "assert QCoreApplication.instance() is None"
    )
    subprocess.run([sys.executable, "-c", script], check=True, cwd=pages.ROOT)


def test_the_commands_of_the_guide_are_understood(run, here):
    write_lines(here / "tasks.jsonl", [task("t-1")])
    write_lines(here / "ratings.jsonl", [rating("t-1")])
    lines = [
        line.strip().split(" ", 1)[1]
        for _, content in pages.fences(_outdented(PAGE))
        for line in content.splitlines()
        if "convert" not in line  # its data set is not at hand
    ]
    assert len(lines) == 5
    for line in lines:
        words = [word.strip('"') for word in line.replace("Kelp, November", "Kelp").split()]
        assert run("--store", "store", *words).status == 0, line
    assert run("check", "kelp.r-17.zip").status == 0


def _outdented(page):
    return "\n".join(line.removeprefix("   ") for line in page.splitlines())


def _names(section):
    """What stands in back-ticks."""
    return set(re.findall(r"`([^`\n]+)`", section))


def test_the_sample_is_as_the_guide_says(run):
    assert run("bundle", "inspect", sample_bundle_path()).out.splitlines()[1].startswith("12 tasks")
    assert "twelve tasks" in SECTIONS["Getting started"]


@pytest.fixture
def refusals(run, here):
    """What is said in the cases that the guide lists, all in one."""
    (here / "bad.zip").write_bytes(b"no zip")
    make(here / "one.zip", [task("t-1")], id="b")
    make(here / "other.zip", [task("t-2")], id="b")
    zips.bundle(here / "new.zip", version=2)
    lost = {"id": "s9", "response": "a", "quote": "It stands nowhere."}
    make(here / "lost.zip", [{**task("t-1"), "targets": [*task("t-1")["targets"], lost]}])
    store = ("--store", "store")
    said = [run(*store, "import", name).all for name in ("bad.zip", "one.zip", "other.zip", "new.zip", "lost.zip")]
    said.append(run(*store, "export", "b", "--rater", "r", "--out", "r.zip").all)
    write_lines(here / "ratings.jsonl", [rating("t-1")])
    run(*store, "rate", "b", "--from", "ratings.jsonl", "--rater", "r")
    run(*store, "export", "b", "--rater", "r", "--out", "r.zip")
    make(here / "hides.zip", [task("t-2")], id="b", revision=2)
    said.append(run(*store, "import", "hides.zip").all)
    said.append(run("check", _altered(here / "r.zip")).all)
    return "\n".join(said)


def _altered(path):
    with zipfile.ZipFile(path) as zip_:
        files = {name: zip_.read(name) for name in zip_.namelist()}
    files["ratings.jsonl"] = files["ratings.jsonl"].replace(
        b'"common_knowledge":"right"', b'"common_knowledge":"wrong"'
    )
    manifest = json.loads(files.pop("manifest.json")) | {"files": zips.listed(files)}
    return zips.pack(path.with_name("altered.zip"), {"manifest.json": json.dumps(manifest).encode(), **files})


# What the bundles above don't bring about.
ELSEWHERE = {"answers may be": "ui/store/store_check.py"}


def test_each_message_of_the_guide_is_one_that_the_program_says(refusals):
    rows = pages.table(SECTIONS["Error messages"], "message")
    assert rows
    for row in rows:
        for words in _names(row[0]):
            elsewhere = next((file for begin, file in ELSEWHERE.items() if words.startswith(begin)), None)
            source = (pages.ROOT / "desktop_rater" / elsewhere).read_text("utf-8") if elsewhere else refusals
            assert words in source, words
