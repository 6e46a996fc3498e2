"""What the page on reliability says of tests and kills is so."""

from __future__ import annotations

import ast
import re

import pytest

from desktop_rater.ui.rating.rating_saver import SAVE_RETRY_MS
from tests.docs import pages

pytest.importorskip("resource", reason="the campaign that stops the program needs POSIX")
from tests.torture.__main__ import KILLS
from tests.torture.campaign import OPERATIONS

PAGE = pages.text("reliability.md")
SECTIONS = pages.sections(PAGE)
FAULTS = pages.table(SECTIONS["Faults and their tests"], "#", "fault")
TRIED = pages.table(SECTIONS["Malicious bundles"], "case", "behaviour")
AT_THE_DESK = pages.table(SECTIONS["Results of many raters"], "case", "behaviour")
ON_SERVERS = pages.table(SECTIONS["Hub servers"], "case", "behaviour")
KILLED = pages.table(SECTIONS["Test method"], "work", "kills")


@pytest.fixture(scope="module")
def written():
    """The names of all tests that there are."""
    names = set()
    for path in (pages.ROOT / "tests").rglob("test_*.py"):
        tree = ast.parse(path.read_bytes())
        names |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    return names


def test_each_fault_of_store_bundles_and_window_stands_there_once():
    hub = 23
    assert [int(row[0]) for row in FAULTS] == [n for n in (*range(1, 37), 42, 54, 57) if n != hub]


@pytest.mark.parametrize("row", [*FAULTS, *TRIED, *AT_THE_DESK, *ON_SERVERS], ids=lambda row: row[0])
def test_each_test_that_is_named_is_there(row, written):
    names = re.findall("`(test_[a-z0-9_]+)`", row[-1])
    assert names
    assert set(names) <= written


def test_the_kills_were_those_that_are_promised_and_nothing_was_lost():
    counted = {row[0]: [int(cell.replace(",", "")) for cell in row[1:]] for row in KILLED}
    whole = counted.pop("all")
    assert set(counted) == {*OPERATIONS, "destroyed pages", "power cuts"}
    assert [sum(column) for column in zip(*counted.values(), strict=True)] == whole
    assert whole[0] >= KILLS
    assert whole[-2:] == [0, 0]


def test_it_is_tried_again_as_often_as_is_said():
    assert f"tried again every {SAVE_RETRY_MS // 1_000} s" in " ".join(PAGE.split())
