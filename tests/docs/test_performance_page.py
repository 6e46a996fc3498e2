"""The page of figures has each row that is measured, with the goal that it is measured by."""

import pytest

from tests.docs import pages

pytest.importorskip("resource", reason="the benchmark needs POSIX")
from bench.rows import LONG_ROWS, ROWS

PAGE = pages.text("performance.md")


def test_each_row_that_is_measured_stands_in_a_table_with_its_goal():
    sections = pages.sections(PAGE)
    rows = [row for name in ("Figures", "Hostile input", "Growth") for row in pages.table(sections[name], "row")]
    assert {row[0]: float(row[-1].replace(",", "")) for row in rows} == {
        row.row.format(tasks="100,000"): row.goal for row in (*ROWS, *LONG_ROWS)
    }
