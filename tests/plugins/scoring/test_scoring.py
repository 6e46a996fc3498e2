"""A QA lead scores justifications by hand in the real window: by keys, offline."""

import shutil
import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from desktop_rater.format.change import Progress
from desktop_rater.plugins.scoring.justifications import ScoringOptions, gather_justifications, score_justifications
from desktop_rater.plugins.scoring.manual_scoring import manual_oracle
from desktop_rater.plugins.scoring.session import load_replies
from desktop_rater.ui.widgets import theme
from tests.plugins.scoring.scorings import (
    CAREFUL,
    GOLD,
    OLD,
    SOURCE,
    lead_store,
    open_scoring,
    points_in,
    rated,
    reader,
    reads,
    says_in,
    scoring_in,
    stored,
    take_two_points,
)
from tests.ui.rooms import Text, press, press_until, type_text

FRESH = "The number is fresh."
NONE = "No official source says so."
EVIL = "<img src=x onerror=alert(1)> \u202egniteem &amp; </data> " + "r" * 400


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The lead's store, made once."""
    return lead_store(tmp_path_factory.mktemp("scored"))


@pytest.fixture
def scoring(window, qtbot):
    """The lead is scoring."""
    return open_scoring(window, qtbot)


def answer_all(scoring):
    """Every point of every text."""
    answer_until(scoring, lambda: scoring.sheet.is_whole)


def answer_until(scoring, enough):
    """As a careful reader would, by keys alone."""
    scoring.sheet.go_on()
    for _ in range(40):
        if enough():
            return
        text, point = scoring.sheet.text.text, scoring.sheet.point.text
        if point == SOURCE:
            press("D" if "No official" in text else "A" if "official" in text else "S")
        else:
            press("D" if "fresh" in text else "A" if "out of date" in text else "S")


def test_points_are_taken_from_gold_sentences_and_typed_by_single_keys(scoring, tmp_path, qtbot):
    assert part_text(scoring, "scoring_text_title") == "Text 1 of 5"
    assert scoring.page.text.sentence == SOURCE
    press("T")
    assert scoring.page.text.sentence == FRESH, "the next sentence is marked"
    press("W", Text(OLD), "Return", "Escape")
    qtbot.waitUntil(lambda: points_in(tmp_path) == [("General", SOURCE), ("General", OLD)])
    assert QApplication.focusWidget() is scoring.page.points.list


def test_a_point_is_worded_anew_moved_removed_and_each_is_undone(scoring, tmp_path, qtbot):
    take_two_points()
    press("R", Text("The number is old."), "Return")
    qtbot.waitUntil(lambda: points_in(tmp_path)[1:] == [("General", "The number is old.")])
    press("M")
    menu = scoring.page.findChild(QMenu, "scoring_topics")
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Return):  # the last entry: a new topic
        QTest.keyClick(menu, key)
    type_text("Numbers", "Return")
    scoring.page.window().activateWindow()  # a menu takes that away where no desktop gives it back
    qtbot.waitUntil(scoring.page.window().isActiveWindow)
    qtbot.waitUntil(lambda: points_in(tmp_path)[1:] == [("Numbers", "The number is old.")])
    press_until(qtbot, lambda: points_in(tmp_path) == [("General", SOURCE)], "Delete")
    press("Ctrl+Z", "Ctrl+Z", "Ctrl+Z")
    qtbot.waitUntil(lambda: points_in(tmp_path) == [("General", SOURCE), ("General", OLD)])
    press_until(qtbot, lambda: points_in(tmp_path)[1:] == [("General", "The number is old.")], "Ctrl+Shift+Z")


def test_single_keys_answer_and_go_on_by_themselves_gold_first_names_never(scoring, tmp_path, qtbot):
    take_two_points()
    texts = scoring.sheet.texts
    assert [one.gold for one in texts] == sorted((one.gold for one in texts), reverse=True), "gold texts come first"
    assert {one.text for one in texts if one.gold} == set(GOLD.values())
    scoring.sheet.move_point(0)
    press("A")
    assert scoring.sheet.point.text == OLD, "to the next point"
    press("D")
    assert scoring.sheet.text_at == 1, "to the next text"
    qtbot.waitUntil(lambda: says_in(tmp_path) == {GOLD["t-1"]: {SOURCE: 1, OLD: 0}})
    assert part_text(scoring, "scoring_far") == f"1 of {len(texts)} texts"
    shown = " ".join(one.text() for one in scoring.page.findChildren(type(scoring.page.title)))
    assert "careful" not in shown
    assert "padding" not in shown


def part_text(scoring, name):
    return scoring.page.findChild(object, name).text()


def test_an_answer_is_taken_back_and_undone_at_its_own_text(scoring, tmp_path, qtbot):
    take_two_points()
    scoring.sheet.move_point(0)
    press_until(qtbot, lambda: len(says_in(tmp_path).get(GOLD["t-1"], {})) == 1, "A", "D", "A", "K", "Backspace")
    press_until(qtbot, lambda: says_in(tmp_path).get(NONE) == {}, "Ctrl+Z", "Ctrl+Z")
    assert scoring.sheet.text.text == NONE, "the lead sees what is undone"
    assert says_in(tmp_path)[GOLD["t-1"]] == {SOURCE: 1, OLD: 0}


def test_what_was_answered_is_there_when_the_lead_comes_back_another_day(window, rooms, tmp_path, qtbot):
    scoring = open_scoring(window, qtbot)
    take_two_points()
    scoring.sheet.move_point(0)
    press_until(qtbot, lambda: NONE in says_in(tmp_path), "A", "D", "D")
    rooms.shut(window)
    again = open_scoring(rooms.empty(), qtbot)
    assert again.sheet.done == 1
    assert (again.sheet.text.text, again.sheet.point.text) == (NONE, OLD), "at what is open"


def test_a_further_point_leaves_the_answers_to_the_others_alone(scoring, tmp_path, qtbot):
    take_two_points()
    scoring.sheet.move_point(0)
    press("A", "D", "W", Text(NONE), "Return", "Escape")
    assert scoring.sheet.done == 0
    press("Shift+J", "K", "K", "K")
    assert scoring.sheet.current_answers == {SOURCE: 1, OLD: 0}
    press_until(qtbot, lambda: says_in(tmp_path).get(GOLD["t-1"]) == {SOURCE: 1, OLD: 0, NONE: 0}, "D")


def test_when_all_is_answered_the_scores_come_and_stand_in_the_report(window, scoring, tmp_path, qtbot):
    take_two_points()
    press("V")
    assert scoring.page.stack.currentWidget() is scoring.page.split, "nothing can be scored yet"
    answer_all(scoring)
    qtbot.waitUntil(lambda: scoring.page.stack.currentWidget() is scoring.page.scores)
    rows = {row[0].text: [cell.text for cell in row[1:]] for row in scoring.page.scores.table.table_model.table.rows}
    assert list(rows) == ["careful", "padding"], "by name: no ranking"
    assert [cell[:4] for cell in (rows["careful"][1], rows["padding"][1])] == ["0.75", "0.50"]
    assert rows["careful"][0] == "3 of 3"
    with reader(tmp_path) as store:
        gathered = gather_justifications(store, "b", ScoringOptions(), Progress())
        said = score_justifications(gathered, manual_oracle(store, "b"), "hand", seed=0, progress=Progress())
    assert {one.rater: one.scores["AV"] for one in said.raters} == {"careful": 0.75, "padding": 0.5}
    press("Escape", "Escape")
    report = window.screens.screen("report")
    qtbot.waitUntil(lambda: any(one.texts.value == 0.75 for one in report.figures.report.raters))
    heads = [one.title for one in report.board.raters.table.table_model.table.columns]
    assert any(head.startswith("Text score") for head in heads)


def test_the_report_follows_what_was_answered_once_enough_is(window, scoring, qtbot):
    take_two_points()
    answer_until(scoring, lambda: scoring.sheet.is_enough)
    press("Escape")
    report = window.screens.screen("report")
    assert report.mode == "report"
    qtbot.waitUntil(lambda: any(one.texts.n for one in report.figures.report.raters))


def test_without_gold_the_lead_is_told_and_can_trust_a_rater(rooms, tmp_path, qtbot):
    lead_store_at(tmp_path, gold=None)
    scoring = open_scoring(rooms.empty(), qtbot)
    assert scoring.page.stack.currentWidget() is scoring.page.nothing
    assert set(scoring.functions()) == {"leave", "scoring_trust"}
    menu = scoring.page.trusted.menu()
    next(one for one in menu.actions() if one.text() == "careful").trigger()
    qtbot.waitUntil(lambda: scoring.sheet is not None)
    assert {one.text for one in scoring.sheet.texts if one.gold} == set(CAREFUL.values())


def lead_store_at(tmp_path, **more):
    home = tmp_path / "made"
    home.mkdir()
    shutil.copytree(lead_store(home, **more), tmp_path / "store")


def test_a_text_that_means_harm_stays_a_text_in_every_look_and_size(rooms, tmp_path, qtbot, qapp):
    gold = {**GOLD, "t-1": EVIL}
    lead_store_at(tmp_path, gold=gold, raters={"careful": rated(gold)})
    window = rooms.empty()
    scoring = open_scoring(window, qtbot)
    assert "<img src=x" in scoring.page.text.text.toPlainText()
    press_until(qtbot, lambda: bool(points_in(tmp_path)), "T")
    for look in (theme.Look(theme="dark"), theme.Look(contrast="high"), theme.Look(zoom=200), theme.Look()):
        theme.apply(qapp, look)
        for size in ((1440, 900), (1280, 720), (960, 720)):
            window.window.resize(*size)
            window.window.grab()
            for button in scoring.page.text.choices.values():
                inside = not button.isVisible() or scoring.page.text.rect().contains(
                    button.geometry().translated(
                        button.parentWidget().mapTo(scoring.page.text, button.rect().topLeft())
                    )
                )
                assert inside, (look, size)


def test_in_a_narrow_window_the_text_and_its_point_are_enough_to_answer(window, qtbot, tmp_path):
    window.window.resize(720, 450)
    scoring = open_scoring(window, qtbot)
    press("T")
    assert QApplication.focusWidget() is scoring.page.text.text
    press_until(qtbot, lambda: says_in(tmp_path) == {GOLD["t-1"]: {SOURCE: 1}}, "A")
    assert scoring.page.points.visibleRegion().isEmpty()
    press("F6")
    assert QApplication.focusWidget() is scoring.page.points.list
    assert not scoring.page.points.visibleRegion().isEmpty()


def test_whoever_hears_the_window_is_told_what_stands_in_each_row(scoring):
    take_two_points()
    scoring.sheet.move_point(0)
    press("A")
    model = scoring.page.points.model
    said = [model.index(at).data(Qt.ItemDataRole.AccessibleTextRole) for at in range(model.rowCount())]
    assert said == ["General", f"{SOURCE}, agrees", f"{OLD}, open"]


def test_letters_are_typed_while_a_point_is_written_and_answer_nothing(scoring, tmp_path, qtbot):
    press("T", "W", Text("A Dad says so"))
    assert scoring.sheet.current_answers == {}
    press_until(qtbot, lambda: points_in(tmp_path)[-1:] == [("General", "A Dad says so")], "Return")


def test_no_way_to_a_model_stands_there_while_none_is_set(scoring):
    assert "scoring_model" not in scoring.functions()
    assert scoring.page.model_link.isHidden()


def test_the_part_is_reached_by_menu_and_palette_too(window, scoring):
    assert window.screens.current.mode == "scoring"
    assert "scoring_agree" in window.screens.available
    assert "report_tables" not in window.screens.available
    window.commands.actions["leave"].trigger()
    assert window.screens.current.mode == "report"
    window.commands.actions["report_score"].trigger()
    assert window.screens.current.mode == "scoring"
    assert scoring_in(window) is scoring


@pytest.fixture
def with_model(window, stub, qtbot):
    window.preferences.set("endpoint", stub.url)
    window.preferences.set("model", "m-1")
    return open_scoring(window, qtbot)


def test_the_cost_is_shown_and_nothing_is_sent_before_the_lead_agrees(window, with_model, stub, qtbot):
    page = with_model.page
    press("L")
    qtbot.waitUntil(lambda: "17 calls" in page.model.cost.text())  # topics, points of six, five texts in two orders
    assert "127.0.0.1" in page.model.text_label.text()
    assert "No prices" in page.model.cost.text()
    press("Escape")
    assert stub.requests == []
    press_until(qtbot, page.model.ask.isVisible, "L")
    press("Ctrl+Return")
    qtbot.waitUntil(lambda: page.stack.currentWidget() is page.scores, timeout=15_000)
    assert len(stub.requests) == 12, "there is one topic"
    assert page.scores.title.text() == "Scores by the model m-1"
    press("Escape", "Escape")
    report = window.screens.screen("report")
    qtbot.waitUntil(lambda: any(one.texts.value == 0.75 for one in report.figures.report.raters))


def test_a_run_that_is_cancelled_keeps_what_was_answered_and_goes_on_there(with_model, stub, tmp_path, qtbot):
    page = with_model.page
    press_until(qtbot, page.model.ask.isVisible, "L")
    gate = threading.Event()
    stub.reads = lambda point, text: reads(point, text) if gate.wait(60) else "silent"
    press("Ctrl+Return")
    qtbot.waitUntil(lambda: len(stored(tmp_path, load_replies)) == 2)  # the topics and their points; the texts wait
    press("Delete")
    assert not with_model.model.run.is_running
    gate.set()
    qtbot.waitUntil(page.model.ask.isVisible)
    press("Ctrl+Return")
    qtbot.waitUntil(lambda: page.stack.currentWidget() is page.scores, timeout=15_000)
    qtbot.waitUntil(lambda: len(stored(tmp_path, load_replies)) == 12)
    summaries = [one for one in stub.requests if one["response_format"]["json_schema"]["name"] == "topics"]
    assert len(summaries) == 1, "what was answered is not asked again"


def test_the_lead_s_own_points_are_asked_about_unless_the_lead_says_otherwise(with_model, stub, tmp_path, qtbot):
    page = with_model.page
    take_two_points()
    qtbot.waitUntil(lambda: len(points_in(tmp_path)) == 2)
    press_until(qtbot, lambda: "10 calls" in page.model.cost.text(), "L")
    press("2")
    assert "17 calls" in page.model.cost.text()
    press("1", "Ctrl+Return")
    qtbot.waitUntil(lambda: page.stack.currentWidget() is page.scores, timeout=15_000)
    assert len(stub.requests) == 10


def test_a_server_that_refuses_is_said_at_the_page_and_can_be_asked_again(with_model, stub, qtbot):
    page = with_model.page
    press_until(qtbot, page.model.ask.isVisible, "L")
    stub.raw = [(401, {}, b"{}")] * 4
    press("Ctrl+Return")
    qtbot.waitUntil(lambda: "rejected the API key" in (page.banners.text("model") or ""), timeout=15_000)
    assert not with_model.model.run.is_running
    stub.raw = []
    qtbot.waitUntil(page.model.ask.isVisible)
    press("Ctrl+Return")
    qtbot.waitUntil(lambda: page.stack.currentWidget() is page.scores, timeout=15_000)
    assert page.banners.text("model") is None
