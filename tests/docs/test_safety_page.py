"""Each promise of the page on safety names tests that exist, and the page stays short enough to be read."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.docs import pages

ROOT = Path(__file__).parents[2]
PAGE = pages.text("safety.md")
ROWS = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith(("| promise", "|---"))]
TWO_PAGES = 1_000  # words


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[2:60])
def test_each_promise_names_its_tests(row):
    names = re.findall(r"`((?:tests/[\w/]+\.py)?(?:::\w+)?)`", row.rpartition(" | ")[2])
    assert names
    file = ""
    for name in names:
        given, _, test = name.partition("::")
        file = given or file
        assert (ROOT / file).is_file(), file
        assert not test or test in functions(ROOT / file), name


def functions(path):
    tree = ast.parse(path.read_text("utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_the_page_has_at_most_two_pages():
    assert len(re.sub(r"`[^`]*`", "", PAGE).split()) <= TWO_PAGES
