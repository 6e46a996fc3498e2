"""A QA lead reads the report of many raters, or of a scale: sorted, filtered, as one page, with the design's looks."""

import csv
import random

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget

from desktop_rater.audit.charts.drawing import CELL_MAX_STRENGTH, PLAIN_HIGH
from desktop_rater.audit.charts.svg import (
    INKS,
    DotShape,
    Ink,
    LineShape,
    Picture,
    RectShape,
    Shape,
    SymbolShape,
    TextShape,
)
from desktop_rater.audit.compute_report import ReportInputs, make_report
from desktop_rater.audit.html_report import PageColors
from desktop_rater.audit.report import ReportFilter
from desktop_rater.audit.report_format import ENGLISH, Wording
from desktop_rater.audit.report_panels import raters_note, raters_table
from desktop_rater.audit.scale_panels import scale_of
from desktop_rater.operations.audit.report import save_report_page, save_report_tables
from desktop_rater.rubric.load import CHOICE_SHAPES, CHOICE_TONES
from desktop_rater.ui.report.board import ReportBoard
from desktop_rater.ui.report.chart import paint_picture
from desktop_rater.ui.report.heading import ReportHeading
from desktop_rater.ui.report.texts_and_colors import ink_colors
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.menu_chooser import ChoiceList
from desktop_rater.ui.widgets.theme_tokens import DARK, LIGHT, SETS
from tests.audit.digests import audit, digest
from tests.audit.scaled import grades, scaled_store
from tests.ui.rooms import press
from tests.ui.test_theme import contrast

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


LOOKS = {
    "light": theme.Look(theme="light", contrast="normal"),
    "dark": theme.Look(theme="dark", contrast="normal"),
    "high light": theme.Look(theme="light", contrast="high"),
    "high dark": theme.Look(theme="dark", contrast="high"),
}


def mixed(ink, ground, strength):
    one, other = QColor(ink), QColor(ground)
    parts = ((one.red(), other.red()), (one.green(), other.green()), (one.blue(), other.blue()))
    return QColor(*(round(a * strength + b * (1 - strength)) for a, b in parts)).name()


@pytest.mark.parametrize("tokens", [LIGHT, DARK])
@pytest.mark.parametrize("strength", [0, 0.05, 0.2, PLAIN_HIGH, CELL_MAX_STRENGTH])
def test_the_number_in_a_cell_can_be_read_on_any_share(tokens, strength):
    ground = mixed(tokens.accent, tokens.surface, strength)
    assert contrast(tokens.text, ground) >= 4.5


@pytest.mark.parametrize("name", sorted(SETS))
def test_the_page_and_the_window_have_the_same_colours(name):
    found = ink_colors(SETS[name])
    assert set(INKS) <= set(found)
    for tone in CHOICE_TONES:
        assert contrast(found[f"ink {tone}"], found[f"tint {tone}"]) >= 4.5


@pytest.mark.parametrize("name", sorted(LOOKS))
def test_every_shape_is_painted_in_every_look(qtbot, qapp, name):
    theme.apply(qapp, LOOKS[name])
    widget = QWidget()
    qtbot.addWidget(widget)
    shapes: list[Shape] = [
        RectShape(0, 0, 10, 10, Ink("accent", strength=0.5), Ink("line")),
        RectShape(20, 0, 10, 10, None, Ink("edge")),
        RectShape(40, 0, 10, 10, Ink("tint", "disputed"), Ink("ink", "disputed")),
        RectShape(60, 0, 10, 10, Ink("tint", "of a newer program"), Ink("ink", "of a newer program")),
        LineShape(80, 5, 90, 5, Ink("line"), 2),
        LineShape(100, 0, 100, 10, Ink("warn"), 2, dashed=True),
        DotShape(125, 5, 4, Ink("accent")),
        TextShape(140, 5, "9", cleared=10),
    ]
    shapes += [SymbolShape(168 + 20 * at, 5, 14, shape, Ink("text")) for at, shape in enumerate(sorted(CHOICE_SHAPES))]
    image = QImage(168 + 20 * len(CHOICE_SHAPES), 12, QImage.Format.Format_RGB32)
    ground = QColor(theme.tokens().surface)
    image.fill(ground)
    painter = QPainter(image)
    paint_picture(painter, Picture(image.width(), 12, tuple(shapes)), widget)
    painter.end()
    theme.apply(qapp, theme.Look())
    for left in range(0, 160, 20):
        drawn = {image.pixel(x, y) for x in range(max(0, left - 8), left + 12) for y in range(12)}
        assert len(drawn) > 1, f"nothing is drawn at {left}"
    for at, shape in enumerate(sorted(CHOICE_SHAPES)):
        drawn = {image.pixel(160 + 20 * at + x, y) for x in range(16) for y in range(12)}
        assert len(drawn) > 1, f"nothing is drawn for {shape}"
