"""Each requirement on the page is shown by a test that exists."""

import ast
import re
from functools import cache

from tests.docs import pages

PAGE = pages.text("guideline-coverage.md")
ROWS = [line.strip("| ").split(" | ") for line in PAGE.splitlines() if re.match(r"\| \d", line)]
EXAMPLES = (pages.ROOT / "tests" / "guidelines" / "worked_examples.toml").read_text(encoding="utf-8")


@cache
def defined_in(path):
    """The tests of a file, none if there is no such file."""
    file = pages.ROOT / path
    tree = ast.parse(file.read_text(encoding="utf-8")) if file.is_file() else ast.Module([], [])
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_test_that_is_named_exists():
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)
    assert len(named) >= len(ROWS)
    assert [f"{path}::{name}" for path, name in named if name not in defined_in(path)] == []


def test_every_requirement_that_is_met_has_a_test():
    assert [int(number) for number, *_ in ROWS] == [number for number in range(1, 94) if number != 22]
    for number, requirement, test in ROWS:
        assert re.fullmatch("none" if requirement.startswith("*No*") else r"`tests/\S+::test_\w+`", test), number


def test_every_sentence_that_is_quoted_is_among_the_worked_examples():
    assert [quote for quote in re.findall("“(.*?)”", PAGE) if quote not in EXAMPLES] == []
