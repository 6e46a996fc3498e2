"""A lead reads how reliable a scale is, who gives more than the others, and how many raters are needed."""

import csv

import pytest

from desktop_rater.audit.html_report import PageColors
from desktop_rater.audit.report_format import Wording
from desktop_rater.audit.scales.scale_panels import scale_of
from desktop_rater.operations.audit.report import save_report_page, save_report_tables
from tests.audit.scaled import grades, scaled_store
from tests.ui.rooms import press


@pytest.fixture
def window(rooms, tmp_path, qtbot):
    scaled_store(tmp_path, grades(40, 4))
    room = rooms.empty()
    room.preferences.set("role", "lead")
    room.screens.go("report")
    report = room.screens.screen("report")
    qtbot.waitUntil(lambda: report.figures.report is not None)
    return room


def words(table):
    model = table.table_model
    return [[model.cell(row, column).text for column in range(model.columnCount())] for row in range(model.rowCount())]


def test_the_card_of_a_scale_and_its_raters_and_the_same_figures_in_files(window, tmp_path):
    screen = window.screens.screen("report")
    board, scale = screen.board, scale_of(screen.figures.report, "helpful")
    assert scale is not None
    figures = scale.figures
    board.scale.setFocus()
    press("T")
    assert board.scale.as_table
    rows = {row[0]: row[1:] for row in words(board.scale.table)}
    quadratic, needed = figures["gwet_ac2.quadratic"], figures["raters_for.80"]
    *cells, meaning = rows["Gwet’s AC2, quadratic"]
    assert cells == [f"{quadratic.value:.2f}", f"{quadratic.low:.2f}–{quadratic.high:.2f}", "40 tasks"]
    assert "not shown to be enough to publish" in meaning
    assert f"Raters for a reliability of 0.80: {needed.value:g} ({needed.low:g}–{needed.high:g})" in (
        board.scale.foot.text()
    )
    offsets = [float(row[4].split()[0].replace("−", "-")) for row in words(board.scale_raters.table)]
    assert offsets == sorted(offsets)  # as they were made up, from -0.8 to 0.8
    assert offsets[0] < 0 < offsets[-1]

    save_report_tables(screen.figures.report, tmp_path / "tables")
    with (tmp_path / "tables" / "scales.csv").open(encoding="utf-8-sig", newline="") as file:
        written = {row["figure"]: float(row["value"]) for row in csv.DictReader(file)}
    assert written == {name: figure.value for name, figure in figures.items()}
    colors = PageColors(light={}, dark={})
    page = tmp_path / "page.html"
    save_report_page(screen.figures.report, page, Wording(), colors, lead="", language="en")
    text = page.read_text("utf-8")
    assert "Reliability of the scale" in text
    assert "Raters on the scale" in text
