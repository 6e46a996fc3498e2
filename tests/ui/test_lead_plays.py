"""A QA lead from the first results to the report, in the real window: every key and every file of the whole round."""

import csv

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from desktop_rater.format.change import Progress
from desktop_rater.operations.audit.check_results import check_results
from desktop_rater.operations.self_test import sample_bundle_path
from desktop_rater.settings import Settings
from tests.ui.lead_plays import BLIND, BUNDLE, ODD, RIGHT, SAID, SPLIT, TIE, WRONG, Play
from tests.ui.rooms import Text, part, press

WHY = "A textbook says it in its first chapter. Have another look."


@pytest.fixture
def play(qtbot, tmp_path, clock):
    """Three raters have rated the sample, and the lead's window is open on a store of nothing."""
    played = Play(qtbot, tmp_path, clock)
    yield played
    played.close()


def test_from_the_first_results_to_the_report(play):
    """Open, disagree, send back, get rework, adjudicate, report: each step in the window and in the store."""
    is_everything_here(play)
    most_disagreement_comes_first(play)
    a_verdict_is_taken_back_and_another_one_said(play)
    a_rating_is_corrected_under_the_same_rules(play)
    one_place_is_answered_blind(play)
    back = what_is_sent_back_is_written(play)
    nothing_is_final_while_something_is_open(play)
    again = the_rater_sees_why_and_answers_anew(play, back)
    the_lead_sees_what_changed_and_accepts(play, again)
    the_tie_is_decided(play)
    the_final_labels_are_saved(play)
    the_report_leads_back_to_the_target(play)
    the_report_is_saved(play)


def is_everything_here(play):
    play.open(*play.results)
    assert play.room.screens.name == "review", "results are not for where tasks are rated"
    play.wait(lambda: "3 raters, 12 tasks, 36 ratings" in play.text("results_words"))
    assert "Open the bundle too" in play.text("results_words")
    play.open(sample_bundle_path())
    everything = "The results are complete: 3 raters, 12 tasks, 36 ratings."
    play.wait(lambda: play.text("results_words") == f"{everything} 1 bundle imported.")
    play.open(*play.results)
    play.wait(lambda: play.text("results_words") == f"{everything} 3 files already present.")


def most_disagreement_comes_first(play):
    press("Return")
    play.at(SPLIT)
    assert play.groups == ["3 different labels", "2 against 1", "All agree", "No label"]
    assert play.listed[:3] == [(task, f"targets/{target}") for task, target in (SPLIT, TIE, ODD)]
    labels = [play.column(rater)["label"] for rater in SAID]
    assert labels == ["Accurate", "Not factual", "Inaccurate"]
    assert QApplication.focusWidget() is play.review.list_pane.list


def a_verdict_is_taken_back_and_another_one_said(play):
    review = play.review
    press("2", "Return")
    play.wait(lambda: play.said_of(SPLIT, "ben") is not None and play.said_of(SPLIT, "ben").kind == "accepted")
    play.press_until(lambda: play.said_of(SPLIT, "ben").kind == "none", "Ctrl+Z")
    play.wait(lambda: review.compare.grid.chosen == "ben")
    play.press_until(lambda: play.said_of(SPLIT, "cy") is not None, "3", "B", "5", Text(WHY), "Ctrl+Return")
    verdict = play.said_of(SPLIT, "cy")
    assert (verdict.kind, verdict.reason, verdict.comment) == ("returned", "label-does-not-follow", WHY)
    assert verdict.lead == "Lena"
    play.wait(lambda: review.desk.item_of((SPLIT[0], f"targets/{SPLIT[1]}")).tied)  # sent back: no vote


def a_rating_is_corrected_under_the_same_rules(play):
    play.go(ODD)
    assert [play.column(rater)["label"] for rater in SAID] == ["Accurate", "Not factual", "Accurate"]
    play.press_until(lambda: play.review.own_rating.open is not None, "2", "M")
    press("Y", "Return")
    assert play.review.own_rating.open is not None, "while something is asked it is not done"
    play.press_until(lambda: play.said_of(ODD, "ben") is not None, "1", "A", "Return")
    assert play.said_of(ODD, "ben").kind == "corrected"
    assert play.told(None, "own", "t-0005")["rating"]["answers"]["targets"]["s3"] == RIGHT
    press("5", Text("It is in every schoolbook."), "Ctrl+Return")
    play.wait(lambda: play.said_of(ODD, "ben").reason == "label-does-not-follow")
    play.wait(lambda: play.review.desk.item_of(("t-0005", "targets/s3")).decided)


def one_place_is_answered_blind(play):
    review = play.review
    play.find_action("Answer first")
    assert review.navigator.blind
    play.go(BLIND)
    assert "Accurate" not in str([play.column(rater) for rater in SAID])
    play.press_until(lambda: review.own_rating.open is not None, "Return")
    press("Y", "1", "A", "Return")
    play.wait(lambda: not review.navigator.is_hidden and play.column("ana")["label"] == "Accurate")
    assert play.told(None, "own", BLIND[0])["blind"]
    assert "Your answer: Accurate" in play.text("verdict_stands")
    play.press_until(lambda: all(play.said_of(BLIND, rater) is not None for rater in SAID), "Shift+Return")
    play.find_action("Answer first")
    assert not review.navigator.is_hidden


def what_is_sent_back_is_written(play):
    folder = play.folder / "back"
    folder.mkdir()
    play.lead.files.to_open = folder
    with play.qtbot.waitSignal(play.review.return_command.ended):
        press("Ctrl+Shift+B")
    (back,) = folder.iterdir()
    assert back.name == f"{BUNDLE}-return-cy-1.zip"
    assert "1 task to" in play.review.banners.text("returning")
    return back


def nothing_is_final_while_something_is_open(play):
    saved(play, "too-soon.zip")
    assert not play.lead.files.to_write.exists()
    assert play.review.banners.text("final") == "Nothing was saved. Without a final label: 2 targets."


def saved(play, name):
    """What became of the final labels, under that name."""
    play.lead.files.to_write = play.folder / name
    with play.qtbot.waitSignal(play.review.final_labels.ended, timeout=15_000) as ended:
        press("Ctrl+S")
    return ended.args[0]


def the_rater_sees_why_and_answers_anew(play, back):
    room = play.window(play.rater, Settings(rater="cy"))
    play.rater.wait_for_task(room)
    play.rater.files.to_import = back
    play.press_until(lambda: room.session.bundle == back.stem and room.session.task is not None, "Ctrl+O")
    assert room.session.place.target == SPLIT[1]
    assert part(room, "returned_head").text() == "Sent back by Lena: Label does not follow"
    assert part(room, "returned_words").text() == f"“{WHY}”"
    assert room.session.rating.answers.targets[SPLIT[1]] == WRONG
    play.press_until(lambda: room.session.rating.status == "complete", "1", "A", "Return")
    again = play.rater.files.to_write = play.folder / "again.zip"
    play.rater.wait_until_saved(room)
    with play.qtbot.waitSignal(room.transfer.export_ended, timeout=15_000):
        press("Ctrl+Shift+E")
    assert again.exists(), room.window.banners.text("transfer")
    play.rater.shut(room)
    return again


def the_lead_sees_what_changed_and_accepts(play, again):
    play.to_front(play.room)
    play.open(again)
    everything = "The results are complete: 3 raters, 12 tasks, 36 ratings."
    play.wait(lambda: play.text("results_words") == f"{everything} 1 new result.")
    assert play.review.banners.text("final") is None, "what was open then may not be open now"
    press("Return")
    play.go(SPLIT)
    play.wait(lambda: play.column("cy")["label"] == "Accurate")
    said = play.column("cy")
    assert said["changed"].startswith("Accuracy: Accurate, before: Inaccurate, ")
    assert play.review.desk.item.entry("cy").outdated
    play.press_until(lambda: play.said_of(SPLIT, "cy").kind == "accepted", "3", "Return")
    play.wait(lambda: play.text("verdict_stands") == "Final: Accurate" or play.review.desk.name[0] != SPLIT[0])


def the_tie_is_decided(play):
    play.go(TIE)
    assert play.text("verdict_stands") == "No final label. Press L to decide."
    play.press_until(lambda: play.review.desk.item.decided, "L", "A")
    final = play.told(None, "final", TIE[0], f"targets/{TIE[1]}", "label")
    assert (final["value"], final["lead"]) == ("accurate", "Lena")
    assert play.text("verdict_stands") == "Final: Accurate, by you"


def the_final_labels_are_saved(play):
    done = saved(play, "final.zip")
    assert (done.written, done.open, done.stays, done.ratings) == (True, (), (), 12)
    assert play.review.banners.text("final") == f"12 tasks were saved to {play.folder / 'final.zip'}."
    checked = check_results(play.folder / "final.zip", progress=Progress())
    assert not checked.broken
    assert saved(play, "final.csv").written
    with (play.folder / "final.csv").open(encoding="utf-8", newline="") as opened:
        rows = [row for row in csv.DictReader(opened) if row["is_label"] == "true"]
    found = {(row["task"], row["target"]): (row["value"], row["source"], row["how"]) for row in rows}
    assert found[SPLIT] == ("accurate", "lead", "accepted")
    assert found[TIE] == ("accurate", "lead", "decided")
    assert found[ODD] == ("accurate", "lead", "corrected")
    assert {source for place, (_, source, _) in found.items() if place not in {SPLIT, TIE, ODD, BLIND}} == {"unanimous"}


def the_report_leads_back_to_the_target(play):
    play.press_until(lambda: play.report.figures.report is not None and not play.report.figures.is_running, "Ctrl+3")
    assert play.report.title.endswith(": report")
    board = play.report.board
    press("/")
    tick(play, "ana", "ben")
    play.wait(lambda: play.report.figures.report.filter.raters == ("ana", "ben"))
    play.wait(lambda: board.raters.table.table_model.rowCount() == 2)
    board_to(play, board.raters.table)
    press("Down", "Down")
    assert board.raters.rater == "ben"
    press("Return", "Return")
    assert play.room.screens.name == "review"
    differing = play.review.desk.name
    assert differing in {(task, f"targets/{target}") for task, target in (SPLIT, TIE, ODD)}
    play.wait(lambda: play.review.compare.grid.comparison.name == differing)
    assert play.review.navigator.entry.rater == "ben"
    press("Ctrl+3")
    assert QApplication.focusWidget() is board.raters.list, "the lead is back where the way began"


def tick(play, *raters):
    """Tick raters in the menu that is open, by its keys, and shut it."""
    play.wait(lambda: QApplication.activePopupWidget() is not None)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    for action in menu.actions():
        if action.text() in raters:
            menu.setActiveAction(action)
            QTest.keyClick(menu, Qt.Key.Key_Space)
    QTest.keyClick(menu, Qt.Key.Key_Escape)
    play.wait(lambda: QApplication.activePopupWidget() is None)
    QApplication.processEvents()
    play.to_front(play.room)  # no window system does it here


def board_to(play, pane):
    """Round the panes by F6 until that one has the focus."""
    for _ in range(8):
        if QApplication.focusWidget() is pane:
            return
        press("F6")
    pytest.fail("F6 does not lead there")


def the_report_is_saved(play):
    page = play.lead.files.to_write = play.folder / "report.html"
    play.press_until(page.exists, "Ctrl+S")
    play.wait(lambda: "report.html" in (play.room.window.banners.text("report") or ""))
    words = page.read_text(encoding="utf-8")
    assert "Percent agreement" in words
    assert "ben" in words
    assert "<script" not in words
    play.lead.files.to_write = play.folder / "tables.csv"
    press("Ctrl+Shift+E")
    raters = play.folder / "tables" / "raters.csv"
    play.wait(lambda: "tables" in (play.room.window.banners.text("report") or ""))
    with raters.open(encoding="utf-8-sig", newline="") as opened:
        assert [row["rater"] for row in csv.DictReader(opened)] == ["ana", "ben"]
