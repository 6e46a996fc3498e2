"""A cell is shown by a spreadsheet and never run."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_rater.text.untrusted import escape_formula
from tests.examples import examples

RUNS = [
    "=1+1",
    "+A1",
    "-A1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    ' "=1',
    "\u00a0=1",
    "\ufeff=1",
    "＝1+1",
    "\tx",
    "-1-cmd|' '!A0",
    "\x01=1",
    "\u00ad=1",
    "\u200e\u202e=1",
    "\u3164+A1",
    "\x00\x7f@SUM(A1)",
]


@pytest.mark.parametrize("cell", RUNS)
def test_what_would_run_gets_an_apostrophe(cell):
    assert escape_formula(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", ["", "kelp", "-3", "+4.5", "-1e-3", "1=1", "a@b", "“=1”", "[1]", "– dash"])
def test_everything_else_stays(cell):
    assert escape_formula(cell) == cell


@settings(max_examples=examples(300))
@given(st.text(alphabet="=+-@'\"\t \r\n1a", max_size=12))
def test_taking_one_apostrophe_away_gives_what_there_was(cell):
    safe = escape_formula(cell)
    assert (safe.removeprefix("'") if safe != cell else safe) == cell
    assert safe.startswith("'") or not cell.startswith("'"), "so nobody has to guess which cells have one"
