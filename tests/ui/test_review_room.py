"""A QA lead goes through raters' answers side by side, by keys alone: accept, send back, correct, decide, undo."""

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication

from desktop_rater.ui.review.items import item_place_text
from desktop_rater.ui.window.screens import RATE, REPORT, REVIEW
from tests.operations.bundles import RATER
from tests.ui.leads import results_of
from tests.ui.reviews import HOSTILE, PAGE, QUOTE, all_said, reviewing, said_of, told
from tests.ui.rooms import Text, part, press, press_until, type_text

FIRST = ("t1", "targets/s1")


@pytest.fixture
def lead(rooms, results):
    return reviewing(rooms, results)


def wait(rooms, there):
    rooms.qtbot.waitUntil(there, timeout=15_000)


def verdict_of(review, rater):
    entry = review.desk.item_of(FIRST).entry(rater)
    return entry.verdict.kind if entry.verdict is not None else ""


def in_column(review, rater):
    """All that the comparison says of a rater."""
    shown = review.compare.grid.comparison
    cells = shown.columns[shown.column_of(rater)].cells
    return {row.id: cell.spoken for row, cell in zip(shown.rows, cells, strict=True)}


def test_an_article_is_read_beside_the_answers_as_far_as_they_leave_height(lead, qtbot):
    """It scrolls below that; answers are never cut for it."""
    room, review = lead
    compare, lines = review.compare, []
    prompt, grid = compare.excerpt.prompt, compare.grid
    prompt.show_response("The harbour was closed on Monday. " * 400, [])
    for height in (1_200, 820):
        room.window.resize(1_366, height)
        qtbot.waitUntil(
            lambda: prompt.height() == prompt.sizeHint().height() and not grid.verticalScrollBar().maximum()
        )
        lines.append(prompt.most_lines)
        assert prompt.verticalScrollBar().maximum() > 0
    assert lines[0] > lines[1] > 1


def test_what_raters_judge_differently_stands_first_with_each_ones_answer_beside_the_others(lead):
    _room, review = lead
    heads = [row.title for row in review.list_pane.model.rows if row.heading]
    assert heads == ["3 different labels", "All agree"]
    assert review.desk.name == FIRST
    ana, ben, cy = (in_column(review, rater) for rater in ("ana", "ben", "cy"))
    assert (ana["label"], ben["label"], cy["label"]) == ("Inaccurate", "Not factual", "Accurate")
    assert (ana["severity"], cy["severity"]) == ("Minor", "None")
    assert ana["rests"].startswith("It is common knowledge that it is wrong.")
    assert cy["rests"].startswith("A page supports it and none contradicts it.")
    assert f"“{QUOTE}”" in cy["evidence"]
    assert "page stored" in cy["evidence"]
    assert ana["comment"] == HOSTILE, "what a rater wrote is text, whatever it looks like"
    assert ana["verdict"] == ben["verdict"] == "Not yet"
    labels = review.compare.grid.comparison.rows[0]
    assert (labels.id, labels.note) == ("label", "3 labels"), "values that differ, not raters"
    assert cy["research"] == "1 search, 1 page, 9:40 min of which 3:28 reported, “kelp captain”, Bing"
    assert ana["research"] == "None"
    shown = review.compare.grid.comparison
    (rows,) = (cell.tip for cell in shown.columns[shown.column_of("cy")].cells if "kelp captain" in cell.spoken)
    assert "kelp.example, did not load" in rows


def test_enter_accepts_and_goes_to_the_next_rating_and_then_to_the_next_place(lead, rooms):
    _room, review = lead
    press("Return")
    assert verdict_of(review, "ana") == "accepted", "it is shown at once"
    assert review.compare.grid.chosen == "ben"
    press("Return", "Return")
    assert review.desk.name != FIRST
    wait(rooms, lambda: said_of(rooms, "cy") is not None)
    verdicts = [said_of(rooms, rater) for rater in ("ana", "ben", "cy")]
    assert [(one.kind, one.lead) for one in verdicts] == [("accepted", RATER)] * 3
    assert review.desk.item_of(FIRST).reviewed == "all"
    press_until(rooms.qtbot, lambda: part(_room, "reviewed_of").text().endswith(" 2 reviewed"), "Shift+Return")


def test_what_is_sent_back_says_why_in_words_and_can_be_taken_back_step_by_step(lead, rooms):
    room, review = lead
    press("2", "B")
    assert not review.compare.verdict.confirm_button.isEnabled(), "without a reason nothing goes back"
    press("4", Text("Would a village captain be in an index at all?"), "Ctrl+Return")
    wait(rooms, lambda: said_of(rooms, "ben") is not None)
    verdict = said_of(rooms, "ben")
    assert (verdict.kind, verdict.reason) == ("returned", "search-too-thin")
    assert verdict.comment == "Would a village captain be in an index at all?"
    assert verdict.rating == review.desk.item_of(FIRST).entry("ben").rating
    press_until(rooms.qtbot, lambda: said_of(rooms, "ben").kind == "accepted", "2", "Return")
    press("Ctrl+Z")
    wait(rooms, lambda: said_of(rooms, "ben").kind == "returned" and verdict_of(review, "ben") == "returned")
    assert review.compare.grid.chosen == "ben", "the lead stands where it was taken back"
    press_until(rooms.qtbot, lambda: said_of(rooms, "ben").kind == "none" and verdict_of(review, "ben") == "", "Ctrl+Z")
    assert not room.commands.actions["undo"].isEnabled()
    press_until(rooms.qtbot, lambda: said_of(rooms, "ben").kind == "returned", "Ctrl+Shift+Z")
    press_until(rooms.qtbot, lambda: said_of(rooms, "ben").kind == "accepted", "Ctrl+Shift+Z")


def test_another_reason_needs_words(lead, rooms):
    _room, review = lead
    press("B", "8", "Ctrl+Return")
    assert review.compare.verdict.is_writing, "it is not said yet"
    type_text("Look again.", "Ctrl+Return")
    wait(rooms, lambda: said_of(rooms, "ana") is not None)
    assert said_of(rooms, "ana").comment == "Look again."


def test_what_is_being_written_is_gone_with_esc_and_nothing_is_said(lead, rooms):
    room, review = lead
    press("B", "5", Text("No."), "Esc", "Esc")
    assert not review.compare.verdict.is_writing
    press_until(rooms.qtbot, lambda: said_of(rooms, "ana") is not None, "Return")
    assert said_of(rooms, "ana").kind == "accepted"
    assert said_of(rooms, "ana").comment == ""
    assert QApplication.focusWidget() is not None
    assert room.screens.name == REVIEW


def test_a_correction_is_the_leads_own_rating_under_the_same_rules(lead, rooms):
    room, review = lead
    press_until(rooms.qtbot, lambda: review.own_rating.open is not None, "2", "M")
    assert review.mode == RATE
    press_until(rooms.qtbot, lambda: said_of(rooms, "ben") is not None, "Y", "1", "A", "Return")
    assert said_of(rooms, "ben").kind == "corrected"
    own = told(rooms, "own", "t1")
    assert own["rating"]["answers"]["targets"]["s1"]["accuracy"] == "accurate"
    assert own["rating"]["status"] == "complete"
    assert review.mode == REVIEW
    press("5", Text("It names her."), "Ctrl+Return")
    wait(rooms, lambda: said_of(rooms, "ben").reason == "label-does-not-follow")
    wait(rooms, lambda: review.desk.item_of(FIRST).decided)
    assert "Final: Accurate, by you" in part(room, "verdict_stands").text() or review.desk.name != FIRST


def test_blind_no_label_of_a_rater_is_to_be_seen_before_the_lead_has_answered(lead, rooms):
    room, review = lead
    room.commands.actions["review_blind"].trigger()
    everything = all_said(review.compare.grid) + all_said(review.list_pane.list)
    for words in ("Accurate", "Inaccurate", "Not factual", HOSTILE, QUOTE):
        assert words not in everything
    for rater in ("ana", "ben"):
        assert rater not in everything
        assert rater not in part(room, "verdict_whose").text()
    assert not any(row.heading or row.detail_end or row.mark or row.tokens for row in review.list_pane.model.rows)
    press("E")
    offered = [row.title for row in part(room, "palette").model.rows]
    assert offered == ["Places", "Not reviewed yet", "Reviewed", "In the sample"]
    press("Esc")
    assert all(state.kind == "todo" for view in review.compare.excerpt.views for state in view._states.values())
    press_until(rooms.qtbot, lambda: review.own_rating.open is not None, "V")
    press_until(rooms.qtbot, lambda: not review.navigator.is_hidden and review.mode == REVIEW, "N", "Return")
    wait(rooms, lambda: "Inaccurate" in all_said(review.compare.grid))
    own = told(rooms, "own", "t1")
    assert own["blind"]
    assert own["rating"]["answers"]["targets"] == {"s1": {"factual": "no"}}
    wait(rooms, lambda: "Your answer: Not factual" in part(room, "verdict_stands").text())
    press("J")
    assert review.navigator.is_hidden, "each place by itself"
    assert said_of(rooms, "ana") is None


def test_a_tie_stays_open_until_the_lead_decides_by_a_key_of_the_rubric(lead, rooms):
    room, review = lead
    assert review.desk.item.tied
    press("L", "Return")
    assert review.compare.banners.text("reason").startswith("No label is chosen.")
    press_until(rooms.qtbot, lambda: review.desk.item.decided, "A")
    assert review.compare.banners.text("reason") is None
    final = told(rooms, "final", "t1", "targets/s1", "label")
    assert (final["value"], final["lead"]) == ("accurate", RATER)
    assert part(room, "verdict_stands").text() == "Final: Accurate, by you"
    press_until(rooms.qtbot, lambda: review.desk.item.tied, "L", "Backspace")
    assert told(rooms, "final", "t1", "targets/s1", "label")["value"] is None


def test_the_page_of_the_evidence_is_the_stored_one_and_its_quote_is_chosen(lead, rooms):
    room, review = lead
    room.browsing.open = None  # nothing may go to the network
    press("3", "O")
    stored = review.compare.stored
    wait(rooms, lambda: stored.reader.page is not None)
    assert stored.reader.page.url == PAGE
    assert stored.reader.page.stored
    assert QUOTE in stored.reader.text
    start, end = stored.reader.selected
    assert stored.reader.text[start:end] == QUOTE
    press("Esc")
    assert not stored.is_open
    press("1", "O")
    assert review.compare.banners.text("page") == "ana gave no evidence here."


def test_the_task_as_a_rater_saw_it_can_be_looked_at_and_not_changed(lead, rooms):
    _room, review = lead
    press("V")
    view = review.navigator.pages.view
    assert view is not None
    assert view.rater == "ana"
    assert view.session.rating.answers.targets["s1"]["accuracy"] == "inaccurate"
    before = view.session.rating
    press("A", "N", "Y")
    assert view.session.rating == before
    press("2")
    assert view.rater == "ben"
    assert view.session.rating.answers.targets["s1"] == {"factual": "no"}
    press_until(rooms.qtbot, lambda: review.desk.name == ("t1", "targets/s2"), "J")
    press("V")
    assert review.navigator.pages.view is None
    assert review.compare.grid.hasFocus()
    assert said_of(rooms, "ana") is None


def test_filters_and_words_narrow_the_list_and_esc_leads_back_to_it(lead, rooms):
    room, review = lead
    names = set(review.list_pane.model.keys)
    assert len(names) == 4
    press("/", Text("captain somogyi"), "Return")
    assert review.list_pane.model.keys == [FIRST]
    assert review.list_pane.list.hasFocus()
    press("/", Text("no such words"), "Return")
    assert part(room, "nothing_to_review").isVisible()
    review.list_pane.clear_filters()
    assert set(review.list_pane.model.keys) == names
    press("E", Text("without a final"), "Return")
    assert part(room, "review_chips").text == "without a final label"
    assert review.list_pane.model.keys == [FIRST]


def test_a_sample_is_drawn_by_a_seed_and_written_down_and_only_it_is_listed(lead, rooms):
    room, review = lead
    press("S", "2")
    part(room, "sample_share_4").click()
    press_until(rooms.qtbot, lambda: told(rooms, "sample") is not None, "Ctrl+Return")
    sample = told(rooms, "sample")
    assert (sample["how"], sample["share"], sample["seed"], len(sample["places"])) == ("share", 0.5, 20261120, 2)
    wait(rooms, lambda: len(review.list_pane.model.keys) == 2)
    assert part(room, "status_room").text() == "3 raters, 2 targets in the sample, seed 20261120"
    press_until(rooms.qtbot, lambda: len(review.list_pane.model.keys) == 4, "Ctrl+Z")


def test_a_sample_is_drawn_only_from_the_marks_that_are_filtered_by(lead, rooms):
    room, review = lead
    press("E", Text("without research"), "Return")
    marked = len(review.list_pane.model.keys)
    press("S", "1")
    assert part(room, "sample_only").text() == "Drawn only from: Without research"
    press_until(rooms.qtbot, lambda: told(rooms, "sample") is not None, "Ctrl+Return")
    sample = told(rooms, "sample")
    assert (sample["flags"], len(sample["places"]), sample["of"]) == (["without-research"], marked, marked)
    wait(rooms, lambda: review.desk.reviews.sample is not None)
    press("S")
    assert part(room, "sample_was").text().endswith("All. Drawn only from: Without research")


def test_the_report_opens_a_raters_answer_even_where_a_filter_hides_it(lead, rooms):
    room, review = lead
    press("/", Text("captain"), "Return")
    room.screens.go(REPORT)
    room.screens.go(REVIEW)
    review.open("t1", "targets/s2", "cy")
    wait(rooms, lambda: review.desk.name == ("t1", "targets/s2"))
    assert review.compare.grid.chosen == "cy"
    assert review.list_pane.filter.text() == ""


def test_of_many_raters_the_chosen_one_is_in_view(rooms, tmp_path):
    given = results_of(tmp_path / "many", raters=12, tasks=1)
    room, review = reviewing(rooms, given.files)
    room.window.resize(1280, 720)
    grid = review.compare.grid
    press("G")
    for _ in range(11):
        press("Alt+Right")
    assert grid.chosen == grid.comparison.columns[-1].rater
    column = QRect(grid.columnViewportPosition(11), 0, grid.columnWidth(11), 1)
    assert grid.viewport().rect().contains(column), "all of it"
    press("9")
    assert grid.chosen == grid.comparison.columns[8].rater
    assert item_place_text(review.desk.item).startswith("t1")


def test_where_there_is_room_for_one_the_list_comes_when_it_is_wanted(lead, rooms):
    room, review = lead
    room.window.resize(900, 700)
    wait(rooms, lambda: review.split.one_pane)
    review.compare.grid.setFocus()
    wait(rooms, lambda: not review.list_pane.list.visibleRegion().boundingRect().isValid())
    press_until(rooms.qtbot, lambda: review.list_pane.isVisible() and review.list_pane.width() > 600, "Ctrl+B")
    press_until(rooms.qtbot, lambda: review.compare.width() > 600, "Ctrl+B")


def test_esc_leads_out_of_a_filter_that_nothing_is_like(lead, rooms):
    _room, review = lead
    press_until(rooms.qtbot, lambda: not review.list_pane.list.isVisible(), "/", Text("nothing is like this"))
    press("Escape")
    assert QApplication.focusWidget() is review.compare.grid


def test_enter_on_the_page_of_results_is_not_lost_while_the_list_is_still_read(lead, rooms):
    room, review = lead
    bundle = review.desk.bundle
    audited = room.lead_screens.context.audited
    review.show_results()
    audited.bundle = ""
    audited.open(bundle)
    assert not review.desk.items
    press_until(rooms.qtbot, lambda: review.stack.currentWidget() is review.split, "Return")


def test_the_ring_around_a_chooser_is_whole(lead, rooms):
    room, _review = lead
    room.screens.go(REPORT)
    wait(rooms, lambda: part(room, "report_raters").isVisible())
    chooser = part(room, "report_raters")
    chooser.setFocus()
    ring = part(room, "focus_ring")
    wait(rooms, ring.isVisible)
    around = ring.parentWidget().rect()
    assert around.contains(ring.geometry())
    assert ring.height() > chooser.height()


def test_a_verdict_changes_its_row_alone_and_the_list_is_there_at_the_next_start(lead, rooms):
    room, review = lead
    whole, rows = [], []
    review.desk.listed.connect(lambda: whole.append(review.desk.name))
    review.list_pane.model.modelReset.connect(lambda: whole.append("all rows"))
    review.desk.item_changed.connect(lambda item: rows.append((item.task, item.where)))
    others = [item for item in review.desk.items if (item.task, item.where) != FIRST]
    press_until(rooms.qtbot, lambda: review.recorder.is_idle and review.desk.item_of(FIRST).final is not None, "Return")
    assert set(rows) == {FIRST}
    assert not whole
    assert all(review.desk.item_of((item.task, item.where)) is item for item in others)
    kept = "SELECT count(*) FROM listed_places"
    wait(rooms, lambda: room.stores.reader.db.execute(kept).fetchone()[0] > 1)
