"""A QA lead reads the report in the real window, with results of three raters: by keyboard, in every look."""

import csv
import io
import shutil

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from desktop_rater.ui.report.chart import ChartView
from desktop_rater.ui.widgets import theme
from tests.audit.results import GOOD, OPINION, WRONG, Desk, renamed
from tests.ui.rooms import part, press, press_until

EVIL = "<img src=x onerror=alert(1)> & \u202eco " + "r" * 200


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """Three raters who differ on t-2, and one of them on t-3 too."""
    desk = Desk(tmp_path_factory.mktemp("desk"))
    sent = [
        desk.sent("ann", t1=GOOD, t2=GOOD, t3=GOOD),
        desk.sent("bea", t1=GOOD, t2=WRONG, t3=GOOD),
        desk.sent("cem", t1=GOOD, t2=OPINION, t3=WRONG),
        renamed(desk.folder / "bea.zip", desk.folder / "evil.zip", EVIL),
    ]
    desk.opened(*sent[:3])
    return desk


@pytest.fixture
def store(desk, tmp_path):
    """A copy of the lead's store for one test."""
    shutil.copytree(desk.store, tmp_path / "store")
    return tmp_path / "store"


@pytest.fixture
def window(rooms, store, qtbot):
    """A lead's window, in the report."""
    room = rooms.empty()
    room.preferences.set("role", "lead")
    room.screens.go("report")
    report = room.screens.screen("report")
    qtbot.waitUntil(lambda: report.figures.report is not None)
    return room


def report_of(window):
    return window.screens.screen("report")


def board_of(window):
    return report_of(window).board


def test_the_lead_sees_at_once_how_far_three_raters_agree(window):
    report = report_of(window)
    assert report.title == "kelp: report"
    assert "3 results checked" in report.status_text
    assert part(window, "report_rests").text() == "3 tasks, 6 targets with two ratings or more, 18 pairs"
    rows = [mark.text for mark in board_of(window).agreement.chart.picture.marks]
    assert rows[0].splitlines()[0] == (
        "Percent agreement: 0.72 (rests on 3 tasks: too few for an interval), 3 tasks, 6 targets"
    )
    assert "it supports no conclusion" in rows[0]
    assert isinstance(QApplication.focusWidget(), ChartView)


def test_from_a_rater_to_the_target_that_differs_to_the_review_by_enter_alone(window, qtbot):
    board = board_of(window)
    board.raters.setFocus()
    press("Down", "Down")
    assert board.raters.rater == "cem"
    found = [row[0].text for row in board.raters.list.table_model.table.rows]
    press("Return")
    assert QApplication.focusWidget() is board.raters.list
    assert len(found) == 2
    task = board.raters.list.key[0]
    press("Return")
    assert window.screens.name == "review"
    review = window.screens.screen("review")
    qtbot.waitUntil(lambda: review.navigator.item is not None and review.navigator.item.task == task)
    assert review.navigator.entry.rater == "cem"
    press("Ctrl+3")
    assert window.screens.name == "report"
    assert QApplication.focusWidget() is board.raters.list, "the focus is where it was"


def test_escape_goes_back_to_all_raters(window):
    board = board_of(window)
    board.raters.setFocus()
    press("Down", "Return", "Escape")
    assert QApplication.focusWidget() is board.raters.table
    assert board.raters.rater
    press("Escape")
    assert board.raters.rater == ""


def test_each_chart_is_a_table_by_one_key_and_a_chart_again(window):
    board = board_of(window)
    assert board.times not in board.panes(), "no times were recorded"
    for card in (board.agreement, board.confusion, board.shares):
        card.setFocus()
        press("T")
        assert card.as_table
        assert QApplication.focusWidget() is card.table
        assert card.table.table_model.rowCount()
        press("T")
        assert QApplication.focusWidget() is card.chart


def test_a_chart_is_walked_through_with_the_arrows_and_says_where_one_stands(window):
    chart = board_of(window).confusion.chart
    board_of(window).confusion.setFocus()
    assert chart.mark.key[1:] == ("accurate", "accurate")
    press("Right")
    assert chart.mark.key[1] == "accurate"
    assert chart.mark.key[2] != "accurate"
    press("Down", "Left")
    assert chart.mark.key[2] == "accurate"
    assert chart.accessibleDescription() == chart.mark.text
    assert "by the others" in chart.mark.text


def test_a_click_on_a_bar_chooses_its_rater(window):
    board = board_of(window)
    mark = next(one for one in board.shares.chart.picture.marks if one.key[1] == "bea")
    where = QPoint(round(mark.x + mark.width / 2) + 6, round(mark.y + mark.height / 2))
    QTest.mouseClick(board.shares.chart.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert board.raters.rater == "bea"


def test_enter_on_another_question_shows_its_figures(window):
    board, heading = board_of(window), report_of(window).heading
    board.agreement.setFocus()
    last = len(board.agreement.chart.picture.marks) - 1
    press(*["Down"] * last, "Return")
    assert heading.questions.text() == "If it were true, would a search surely find it?"


def test_only_the_ticked_raters_count(window, qtbot):
    report = report_of(window)
    menu = report.heading.raters.menu()
    for action in menu.actions():
        if action.text() in {"ann", "bea"}:
            action.trigger()
    qtbot.waitUntil(lambda: report.figures.report.filter.raters == ("ann", "bea"))
    assert report.heading.raters.text() == "ann, bea"
    assert part(window, "report_rests").text().endswith("6 pairs")


def test_the_figures_are_saved_as_tables_and_as_a_page(window, rooms, tmp_path, qtbot):
    rooms.files.to_write = tmp_path / "november.csv"
    press_until(qtbot, (tmp_path / "november" / "raters.csv").exists, "Ctrl+Shift+E")
    text = (tmp_path / "november" / "raters.csv").read_text(encoding="utf-8-sig")
    assert [row["rater"] for row in csv.DictReader(io.StringIO(text))] == ["ann", "bea", "cem"]
    rooms.files.to_write = tmp_path / "november.html"
    press_until(qtbot, (tmp_path / "november.html").exists, "Ctrl+S")
    page = (tmp_path / "november.html").read_text(encoding="utf-8")
    assert "Percent agreement" in page
    qtbot.waitUntil(lambda: "november" in (window.window.banners.text("report") or ""))


def test_results_that_come_meanwhile_are_counted_when_the_lead_is_back(window, desk, qtbot):
    window.screens.go("rate")
    late = desk.sent("dan", t1=GOOD, t2=GOOD, t3=GOOD)
    window.lead_screens.context.results.import_files((late,))
    qtbot.waitUntil(lambda: "dan" in window.lead_screens.context.audited.audit.raters)
    assert len(report_of(window).figures.report.raters) == 3, "nobody looks"
    window.screens.go("report")
    qtbot.waitUntil(lambda: len(report_of(window).figures.report.raters) == 4)


def test_without_results_the_room_says_what_belongs_here(rooms, qtbot):
    room = rooms.empty()
    room.preferences.set("role", "lead")
    room.screens.go("report")
    qtbot.waitUntil(lambda: room.lead_screens.context.audited.is_listed)
    said = [one.text() for one in room.screens.screen("report").widget.currentWidget().findChildren(QLabel)]
    assert "No results yet" in said
    assert part(room, "report_open").isVisible()


def test_a_rater_with_a_name_that_means_harm_pushes_nothing_out_of_its_place_in_any_look(window, desk, qtbot, qapp):
    report = report_of(window)
    window.lead_screens.context.results.import_files((desk.folder / "evil.zip",))
    qtbot.waitUntil(lambda: len(report.figures.report.raters) == 4)
    for look in (theme.Look(theme="dark"), theme.Look(contrast="high"), theme.Look(zoom=200), theme.Look()):
        theme.apply(qapp, look)
        window.window.grab()
        inside = report.board.widget()
        for card in report.board.panes():
            assert inside.rect().contains(card.geometry()), look


@pytest.mark.parametrize("size", [(1440, 900), (720, 450)])
def test_no_card_lies_over_another_at_any_size(window, size):
    window.window.resize(*size)
    QApplication.processEvents()
    cards = [card for card in board_of(window).cards.values() if not card.isHidden()]
    for at, card in enumerate(cards):
        assert card.width() >= 300
        assert not any(card.geometry().intersects(other.geometry()) for other in cards[at + 1 :])
        assert card.chart.viewport().height() >= 60 if hasattr(card, "chart") else card.table.height() >= 60


def test_whoever_hears_the_window_is_told_what_each_part_is(window):
    for card in board_of(window).panes():
        assert card.accessibleName()
        for inside in card.findChildren(QWidget):
            if inside.isVisible() and inside.focusPolicy() != Qt.FocusPolicy.NoFocus:
                assert inside.accessibleName(), inside.objectName()
    index = board_of(window).raters.table.table_model.index(0, 1)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "Tasks: 3"


def test_f6_goes_round_the_cards_and_the_row_above(window):
    board, seen = board_of(window), []
    board.agreement.setFocus()
    for _ in range(5):
        focus = QApplication.focusWidget()
        assert focus is not None
        seen.append(focus.objectName())
        press("F6")
    assert seen == [
        "report_agreement_chart",
        "report_confusion_chart",
        "report_shares_chart",
        "report_raters_table",
        "report_raters",
    ]
    assert QApplication.focusWidget() is board.agreement.chart


def test_a_computation_is_cancelled_and_started_again(window, qtbot):
    report = report_of(window)
    waiting, figures = report.waiting, report.figures
    before = figures.report
    figures.forget()
    for cancel in (waiting.button.click, lambda: press("Escape")):
        figures.compute("kelp", figures.filter)
        figures.slow.emit()
        assert (waiting.button.label, report.status_text) == ("Cancel", "Computing the figures")
        cancel()
        assert (figures.is_running, waiting.button.label, report.status_text) == (False, "Compute", "")
        assert waiting.label.text() == "The figures were not computed."
    waiting.button.click()
    qtbot.waitUntil(lambda: figures.report is not None)
    assert figures.report.agreement == before.agreement
