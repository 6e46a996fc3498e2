"""The table of columns is the one that is written."""

from __future__ import annotations

from desktop_rater.bundle.convert.chat import DIALECTS
from desktop_rater.bundle.results_out import FORMATS
from desktop_rater.bundle.results_out.tables import LONG_COLUMNS
from tests.docs import pages

PAGE = pages.text("other-formats.md")
SECTIONS = pages.sections(PAGE)


def test_each_column_stands_in_the_table_in_its_place():
    rows = pages.table(SECTIONS["Tables"], "column")
    assert [(row[0].strip("`"), row[1]) for row in rows] == [(column.name, column.kind) for column in LONG_COLUMNS]


def test_each_format_is_spoken_of():
    assert [name for name in FORMATS if f"`{name}`" not in PAGE] == []


def test_each_dialect_of_chats_has_a_row():
    rows = pages.table(SECTIONS["Recorded chats"], "dialect")
    assert [pages.code(row[0]) for row in rows] == list(DIALECTS)
