"""A cell is shown by a spreadsheet and never run."""

import csv
import io
import re

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


@pytest.mark.parametrize(
    ("cell", "safe"),
    [
        ("a;=1+1;b", "a;'=1+1;b"),
        ("a; +A1", "a;' +A1"),
        ("kelp\n=1+1", "kelp\n'=1+1"),
        ("kelp\r\n\u200b@SUM(A1)", "kelp\r\n'\u200b@SUM(A1)"),
        ("10;-3;x", "10;-3;x"),
    ],
)
def test_what_would_run_where_the_semicolon_separates_cells_gets_an_apostrophe(cell, safe):
    assert escape_formula(cell) == safe
    row = io.StringIO()
    csv.writer(row).writerow(["t-1", escape_formula(cell), "2"])
    read = [one for line in csv.reader(io.StringIO(row.getvalue()), delimiter=";") for one in line]
    assert not any(one.lstrip("\u200b ").startswith(("=", "+", "@")) for one in read)


@settings(max_examples=examples(300))
@given(st.text(alphabet="=+-@'\"\t \r\n1a;", max_size=12))
def test_taking_one_apostrophe_of_every_part_away_gives_what_there_was(cell):
    parts, safe = re.split("[;\n]", cell), re.split("[;\n]", escape_formula(cell))
    assert [
        is_safe.removeprefix("'") if is_safe != part else part for part, is_safe in zip(parts, safe, strict=True)
    ] == parts
    assert all(is_safe.startswith("'") or not part.startswith("'") for part, is_safe in zip(parts, safe, strict=True))
