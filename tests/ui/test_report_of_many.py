"""A QA lead reads the report of thirty raters: those unlike the group first, sorted, filtered, and as one page."""

import random

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from desktop_rater.audit.compute_report import ReportInputs, make_report
from desktop_rater.audit.report import ReportFilter
from desktop_rater.audit.report_format import ENGLISH
from desktop_rater.audit.report_tables import raters_note, raters_table
from desktop_rater.ui.report.board import ReportBoard
from desktop_rater.ui.report.heading import ReportHeading
from desktop_rater.ui.widgets.menu_chooser import ChoiceList
from tests.audit.digests import audit, digest

CARELESS, TASKS, RATERS = {7, 19}, 24, 30


def report_of(visitors=0):
    """Two of thirty raters answer as a coin falls; visitors rate two tasks, and differ from all."""
    chance = random.Random(5)
    labels = ("accurate", "inaccurate")
    given = {}
    for task in range(TASKS):
        truth = [chance.choice(labels) for _ in range(4)]
        for rater in range(RATERS):
            error = 0.5 if rater in CARELESS else 0.05
            own = [chance.choice(labels) if chance.random() < 2 * error else label for label in truth]
            given[f"t-{task:02}", f"rater-{rater:02}"] = digest(*own)
        for visitor in range(visitors if task < 2 else 0):
            given[f"t-{task:02}", f"a-visitor-{visitor}"] = digest(*(labels[label == labels[0]] for label in truth))
    return make_report(audit(given), ReportFilter(), ReportInputs(), seed=1, computed="")


@pytest.fixture(scope="module")
def report():
    return report_of()


@pytest.fixture
def board(report, qtbot):
    board = ReportBoard()
    qtbot.addWidget(board)
    board.resize(1340, 660)
    board.show_report(report, "label", ENGLISH)
    board.show()
    qtbot.waitUntil(lambda: board.is_complete)
    return board


def names(board):
    return [row[0].text for row in board.raters.table.table_model.table.rows]


def test_below_the_raters_stands_on_what_their_list_rests(board, report, qtbot):
    def basis():
        said = [label.text() for label in board.raters.findChildren(QLabel) if label.isVisible()]
        return [text for text in said if "list of raters" in text]

    assert basis() == ["No signed assignments: the list of raters is that of the results received."]
    board.show_report(replace(report, raters_from="assignments"), "label", ENGLISH)
    qtbot.waitUntil(lambda: board.is_complete)
    assert basis() == ["The list of raters is that of the lead’s signed assignments."]


def test_raters_unlike_the_group_come_first_and_are_marked(board, report):
    first = board.raters.table.table_model.table.rows[:2]
    assert [row[0].text for row in first] == sorted(
        ("rater-07", "rater-19"),
        key=lambda name: next(row.others["label"].value for row in report.raters if row.rater == name),
    )
    marks = [row[-1].text for row in board.raters.table.table_model.table.rows]
    assert marks[:2] == ["below", "below"]
    assert "below" not in marks[2:]
    count = RATERS - marks.count("")
    assert board.raters.note.text().endswith(f": {count} of {RATERS}; up to 2 by chance")


def test_raters_of_whom_nothing_can_be_told_come_last_and_their_cells_say_why():
    report = report_of(visitors=2)
    table = raters_table(report, "label", ENGLISH)
    assert [row[0].text for row in table.rows[-2:]] == ["a-visitor-0", "a-visitor-1"]
    assert min(table.rows, key=lambda row: float(row[3].text.replace("−", "-").split()[0])) in table.rows[-2:]
    for row in table.rows[-2:]:
        assert row[3].text.endswith(" (too few: 2 tasks)")
        assert row[-1].text == "too few tasks"
    assert raters_note(report, "label", ENGLISH).endswith(f" of {RATERS}; up to 2 by chance"), "of those compared"


def test_all_rows_stand_on_one_page_that_scrolls_and_follows_the_arrows(board):
    table = board.raters.table
    assert len(names(board)) == RATERS
    assert table.verticalScrollBar().maximum() == 0
    assert board.verticalScrollBar().maximum() > 0
    table.setFocus()
    for _ in range(RATERS):
        QTest.keyClick(table, Qt.Key.Key_Down)
    place = table.viewport().mapTo(board.viewport(), table.visualRect(table.currentIndex()).center())
    assert board.viewport().rect().contains(place)


def test_columns_and_cards_without_any_figure_are_left_out(board):
    titles = [column.title for column in board.raters.table.table_model.table.columns]
    assert titles == ["Rater", "Tasks", "Targets", "α with the others, 24 tasks", "Beside the group"]
    assert board.times.isHidden(), "no times were recorded"


def test_a_heading_sorts_by_its_column_and_the_second_click_turns_it_round(board):
    click = board.raters.table.horizontalHeader().sectionClicked.emit
    click(0)
    assert names(board) == [f"rater-{number:02}" for number in range(RATERS)]
    click(0)
    assert names(board)[0] == "rater-29"
    board.raters.sorting.chosen.emit(())
    assert set(names(board)[:2]) == {"rater-07", "rater-19"}


def test_raters_are_filtered_by_name_and_by_a_figure(board):
    QTest.keyClicks(board.raters.filter, "rater-1")
    assert len(names(board)) == 10
    QTest.keyClick(board.raters.filter, Qt.Key.Key_Escape)
    assert len(names(board)) == RATERS
    QTest.keyClicks(board.raters.filter, "<0.3")
    assert set(names(board)) == {"rater-07", "rater-19"}


def test_the_page_has_the_same_order(report):
    rows = raters_table(report, "label", ENGLISH, whole=True).rows
    assert {row[0].text for row in rows[:2]} == {"rater-07", "rater-19"}


def test_raters_are_chosen_from_a_list_that_is_searched(report, qtbot):
    heading = ReportHeading()
    qtbot.addWidget(heading)
    heading.show_report(report, "label", ENGLISH)
    heading.show()
    wanted = []
    heading.filter_chosen.connect(wanted.append)
    heading.raters.open()
    popup = heading.raters.findChild(ChoiceList, "report_raters_list")
    assert popup is not None
    QTest.keyClicks(popup.field, "19")
    QTest.keyClick(popup.field, Qt.Key.Key_Down)
    QTest.keyClick(popup.list, Qt.Key.Key_Space)
    assert wanted == [], "nothing is computed before the list is closed"
    popup.close()
    assert [filter_.raters for filter_ in wanted] == [("rater-19",)]
