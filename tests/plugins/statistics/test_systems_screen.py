"""A QA lead reads what the systems wrote in the real window, with final labels of three raters: by keyboard."""

import csv
import io
import shutil

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_rater.plugins.statistics.systems import SystemsRequest
from desktop_rater.ui.widgets import theme
from tests.audit.results import GOOD, WRONG, Desk
from tests.operations.bundles import task
from tests.ui.rooms import part, press

EVIL = "<img src=x onerror=alert(1)> \u202e" + "k" * 200
PROMPTS = 12
HERON_2_0, HERON_2_1, KESTREL = range(1, 13), range(13, 25), range(25, 37)
ERRORS = {*range(1, 5), 24, *range(25, 31)}  # tasks whose first sentence is wrong


def tasks_of_three_systems():
    for number in (*HERON_2_0, *HERON_2_1, *KESTREL):
        prompt = (number - 1) % PROMPTS
        names = {"system": EVIL if number in KESTREL else "Heron", "domain": "law" if prompt % 2 else "biology"}
        if number not in KESTREL:
            names["version"] = "2.0" if number in HERON_2_0 else "2.1"
        yield task(
            f"t-{number}",
            f"Kelp {number} is green.",
            "It is an alga.",
            prompt={"text": f"What is kelp {prompt}?"},
            meta=names,
        )


def answers(*also_wrong):
    wrong = ERRORS | {*also_wrong}
    return {f"t{number}": WRONG if number in wrong else GOOD for number in range(1, 3 * PROMPTS + 1)}


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """Three raters who agree but for two tasks, in each of which one of them sees an error."""
    desk = Desk(tmp_path_factory.mktemp("desk"), tasks_of_three_systems())
    sent = [desk.sent("ann", **answers()), desk.sent("bea", **answers(7)), desk.sent("cem", **answers(20))]
    desk.opened(desk.bundle, *sent)
    return desk


@pytest.fixture
def window(rooms, desk, tmp_path, qtbot):
    """A lead's window, in the systems."""
    shutil.copytree(desk.store, tmp_path / "store")
    room = rooms.empty()
    room.preferences.set("role", "lead")
    press("Ctrl+4")
    qtbot.waitUntil(lambda: room.screens.screen("systems").figures.report is not None)
    return room


def systems_of(window):
    return window.screens.screen("systems")


def choose(chooser, *texts):
    """Choose entries of a menu by their texts."""
    menu = chooser.menu()
    for action in menu.actions():
        if action.text() in texts:
            action.trigger()


def texts_of(chooser):
    return [action.text() for action in chooser.menu().actions()]


def against_version_2_0(window, qtbot):
    systems = systems_of(window)
    choose(systems.heading.against, "version: 2.0")
    qtbot.waitUntil(lambda: systems.figures.report.rounds is not None)
    return systems.board.cards["rounds"]


def test_a_lead_sees_what_each_system_wrote_and_what_it_rests_on(window):
    systems = systems_of(window)
    assert systems.title == "kelp: systems"
    assert "seed 1" in systems.status_text
    assert part(window, "systems_rests").text() == "Rests on 36 tasks of 12 prompts, 72 targets, 3 raters"
    heron = systems.board.cards["wrote"].chart.picture.marks
    texts = [mark.text for mark in heron if mark.key[1] == "Heron"]
    assert texts[0].startswith("Heron, Accurate: 89.6 % (")
    assert ", 43 of 48, 12 prompts\nHeron, Accurate: 89.6 %, known only to ± 11.4 points" in texts[0]
    assert systems.board.summary.first.text().startswith("Heron is better than <img")
    assert any("Inaccurate: 10.4 %" in text for text in texts)
    assert QApplication.focusWidget() is systems.board.cards["wrote"].chart
    assert "preferred" not in systems.board.cards, "nothing was compared side by side"


def test_other_final_labels_are_chosen_and_a_system_is_left_out(window, qtbot):
    systems = systems_of(window)
    choose(
        systems.heading.final, *(text for text in texts_of(systems.heading.final) if text.startswith("Dawid–Skene\t"))
    )
    qtbot.waitUntil(lambda: systems.figures.report.request.final == "dawid-skene")
    assert part(window, "systems_final").text() == "Final label by: Dawid–Skene"
    choose(part(window, "systems_column_0"), "Heron (24)")
    qtbot.waitUntil(lambda: len(systems.figures.report.groups) == 1)
    assert systems.figures.report.request.where == (("system", "Heron"),)
    assert part(window, "systems_rests").text() == "Rests on 24 tasks of 12 prompts, 48 targets, 3 raters"


def test_a_filter_that_nothing_matches_says_so_and_is_taken_back(window, qtbot):
    systems = systems_of(window)
    names = [column.name for column in systems.figures.report.columns]
    version = part(window, f"systems_column_{names.index('version')}")
    systems_chooser = part(window, "systems_column_0")
    choose(systems_chooser, *(text for text in texts_of(systems_chooser) if "<img" in text))
    choose(version, "2.0 (12)")
    qtbot.waitUntil(lambda: bool(systems.figures.report.why))
    assert systems.heading.lines[0].label.text() == "No response matches the filter."
    assert not [card for card in systems.board.cards.values() if card.isVisible()]
    choose(version, "2.0 (12)")
    qtbot.waitUntil(lambda: len(systems.figures.report.groups) == 1)
    assert systems.board.cards["wrote"].isVisible()


def test_groups_are_made_by_any_column_of_meta(window, qtbot):
    systems = systems_of(window)
    choose(systems.heading.by, "domain")
    qtbot.waitUntil(lambda: [group.name for group in systems.figures.report.groups] == ["biology", "law"])


def test_from_a_task_that_turned_worse_to_its_sentence_in_the_review(window, qtbot):
    card = against_version_2_0(window, qtbot)
    assert card.title.text() == "Heron 2.1 against Heron 2.0, the same tasks"
    assert card.counts.text() == "4 turned better, 1 worse; sign test, p = 0.38"
    assert "Accurate: +12.5 points" in card.gain.text()
    card.turns["better"].click()
    assert card.places.table_model.rowCount() == 4
    card.setFocus()
    last = len(card.chart.picture.marks)
    press(*["Right"] * last, "Return")
    assert card.turn == "worse"
    assert QApplication.focusWidget() is card.places
    quote, change, where = (card.places.table_model.cell(0, column) for column in range(3))
    assert (quote.text, change.before, change.text, where.text) == (
        "Kelp 24 is green.", "Accurate →", "Inaccurate", "t-24, s1",
    )  # fmt: skip
    press("Return")
    assert window.screens.name == "review"
    review = window.screens.screen("review")
    qtbot.waitUntil(lambda: review.navigator.item is not None and review.navigator.item.task == "t-24")
    press("Ctrl+4")
    assert QApplication.focusWidget() is card.places, "the focus is where it was"


def test_enter_on_a_figure_lists_the_places_that_it_counts(window, qtbot):
    board = systems_of(window).board
    press("Down", "Right")
    assert board.cards["wrote"].chart.mark.key[1:] == ("Heron", "label:inaccurate")
    press("Return")
    qtbot.waitUntil(board.places.isVisible)
    assert board.places.title.text() == "Heron, Inaccurate: the places"
    tasks = [key[0] for key in board.places.table.table_model.table.keys]
    assert tasks == ["t-1", "t-2", "t-3", "t-4", "t-24"]
    press("Down", "Return")
    review = window.screens.screen("review")
    qtbot.waitUntil(lambda: review.navigator.item is not None and review.navigator.item.task == "t-2")
    press("Ctrl+4", "Escape")
    assert board.places.isHidden()
    assert QApplication.focusWidget() is board.cards["wrote"].chart


def test_enter_on_a_difference_lists_the_places_of_both_systems(window, qtbot):
    board = systems_of(window).board
    board.cards["differences"].chart.setFocus()
    press("Return")
    qtbot.waitUntil(board.places.isVisible)
    assert board.places.title.text().endswith(": the places")
    key = board.cards["differences"].chart.mark.key
    report = systems_of(window).figures.report
    main = report.main_metric
    counts = [int(group.figures[main.id].part) for group in report.groups if group.name in key[1:]]
    assert len(board.places.table.table_model.table.rows) == sum(counts)


def test_each_card_is_a_table_by_one_key_and_everything_is_saved(window, rooms, tmp_path, qtbot):
    against_version_2_0(window, qtbot)
    board = systems_of(window).board
    for name in ("wrote", "differences", "rounds", "answers"):
        card = board.cards[name]
        card.chart.setFocus()
        press("T")
        assert QApplication.focusWidget() is card.table
        assert card.table.table_model.rowCount()
    rooms.files.to_write = tmp_path / "november.csv"
    press("Ctrl+Shift+E")
    qtbot.waitUntil((tmp_path / "november" / "turned_places.csv").exists)
    text = (tmp_path / "november" / "figures.csv").read_text(encoding="utf-8-sig")
    assert {"Heron", EVIL} == {row["system"] for row in csv.DictReader(io.StringIO(text))}
    rooms.files.to_write = tmp_path / "november.html"
    press("Ctrl+S")
    qtbot.waitUntil((tmp_path / "november.html").exists)
    assert "<img" not in (tmp_path / "november.html").read_text(encoding="utf-8")
    qtbot.waitUntil(lambda: "november.html" in (window.window.banners.text("report") or ""))


def test_rounds_without_a_common_prompt_are_refused_and_the_choices_stay(window, qtbot):
    systems = systems_of(window)
    before = systems.figures.report
    systems.heading.wanted.emit(SystemsRequest(against=(("version", "9"),)))
    qtbot.waitUntil(lambda: not systems.figures.is_running)
    assert systems.figures.report is before
    assert part(window, "systems_against").text() == "Against: nothing"


def test_results_that_come_meanwhile_are_counted_when_the_lead_is_back(window, desk, qtbot):
    window.screens.go("rate")
    late = desk.sent("dan", **answers())
    window.lead_screens.context.results.import_files((late,))
    qtbot.waitUntil(lambda: "dan" in window.lead_screens.context.audited.audit.raters)
    assert systems_of(window).figures.report.base.raters == 3, "nobody looks"
    press("Ctrl+4")
    qtbot.waitUntil(lambda: systems_of(window).figures.report.base.raters == 4)


def test_tasks_without_a_system_are_one_group_and_the_room_says_how_to_name_systems(rooms, tmp_path, qtbot):
    (tmp_path / "plain").mkdir()
    desk = Desk(tmp_path / "plain")
    desk.opened(desk.sent("ann", t1=GOOD, t2=WRONG, t3=GOOD))
    shutil.copytree(desk.store, tmp_path / "store")
    room = rooms.empty()
    room.preferences.set("role", "lead")
    room.screens.go("systems")
    systems = room.screens.screen("systems")
    qtbot.waitUntil(lambda: systems.figures.report is not None)
    assert [group.name for group in systems.figures.report.groups] == ["all responses"]
    assert '{"system": "Heron 2.1"}' in systems.heading.lines[0].label.text()
    few = systems.board.cards["wrote"].chart.picture.marks[0].text
    assert "too few for an interval\n" in few


def test_a_system_with_a_name_that_means_harm_pushes_nothing_out_of_its_place_in_any_look(window, qtbot, qapp):
    against_version_2_0(window, qtbot)
    board = systems_of(window).board
    for look in (theme.Look(theme="dark", contrast="high"), theme.Look(zoom=200), theme.Look()):
        theme.apply(qapp, look)
        window.window.grab()
        for card in board.panes():
            assert board.widget().rect().contains(card.geometry()), look
            assert card.chart.picture.width <= card.chart.viewport().width() / theme.look().zoom * 100, look


def test_a_click_on_a_line_of_the_rounds_shows_its_task(window, qtbot):
    card = against_version_2_0(window, qtbot)
    mark = card.chart.picture.marks[0]
    where = QPoint(round(mark.x + mark.width / 2) + 6, round(mark.y + mark.height / 2))
    QTest.mouseClick(card.chart.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert card.turn == "better"
    assert card.places.key[1] == "t-13"
    card.turns["worse"].click()
    assert card.chart.mark.text.startswith("t-24: "), "the chart follows the list"
