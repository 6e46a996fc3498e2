"""A rater who practises sees the gold answer of each task, once it is finished and not before."""

import shutil

import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel

from desktop_rater import paths
from desktop_rater.format.values import Place
from desktop_rater.operations.rating import gold
from desktop_rater.paths import SAMPLE_FILES, resources
from tests.operations.bundles import rating, task, write_lines
from tests.readers import reader_of
from tests.ui.rooms import banner, part, press, press_until

RIGHT = {"factual": "yes", "common_knowledge": "right", "accuracy": "accurate"}
WRONG = {"factual": "yes", "common_knowledge": "wrong", "accuracy": "inaccurate", "severity": "major"}
NO = {"factual": "no"}
WHY = "The Loire flows elsewhere: Paris lies on the Seine."
TASKS = (
    task("t1", "Paris is the capital of France.", "It lies on the Loire.", "A fine question!"),
    task("t2", "Good morning!"),
    task("t3", "Good evening!"),
)
GOLD = (rating("t1", RIGHT, {**WRONG, "comment": WHY}, NO, note="Maps help."), rating("t2", NO))
T1_WITH_ONE_WRONG = ("Y", "1", "A", "Return", "Y", "1", "A", "Return", "N")


@pytest.fixture
def room(rooms):
    return rooms.with_tasks(*TASKS, gold=write_lines(rooms.folder / "gold.jsonl", GOLD), practice=True)


def finished(rooms, room, *keys):
    press_until(rooms.qtbot, lambda: room.session.shows_gold, *keys, "Return")
    return part(room, "gold_page")


def rows(page):
    return [(line.title, line.end) for line in page.model.rows]


def texts(page):
    labels = page.details.findChildren(QLabel)
    return [label.text() for label in labels if label.isVisibleTo(page.details)]  # replaced ones wait to be deleted


def test_it_says_at_the_beginning_that_this_is_practice(room):
    assert "practice" in banner(room, "practice")
    press("Y")
    assert not banner(room, "practice")


def test_nothing_of_the_gold_is_read_or_shown_before_the_task_is_finished(rooms, monkeypatch):
    asked = []
    read = gold.gold_answer
    monkeypatch.setattr(gold, "gold_answer", lambda *of: asked.append(of) or read(*of))
    room = rooms.with_tasks(*TASKS, gold=write_lines(rooms.folder / "gold.jsonl", GOLD), practice=True)
    rooms.press_and_save(room, *T1_WITH_ONE_WRONG)
    assert asked == []
    assert part(room, "gold_page").isHidden()
    press_until(rooms.qtbot, lambda: room.session.shows_gold, "Return")
    assert len(asked) == 1


def test_the_gold_answer_stands_beside_the_own_one_at_the_first_difference(rooms, room):
    page = finished(rooms, room, *T1_WITH_ONE_WRONG)
    assert part(room, "gold_score").text() == "2 of 3 targets match the gold answer."
    assert part(room, "gold_note").text() == "Maps help."
    assert rows(page) == [
        ("Target 1 – Accurate", "same as gold"),
        ("Target 2 – Inaccurate", "you: Accurate"),
        ("Target 3 – Facts: No", "same as gold"),
    ]
    assert room.session.stop == Place(response="a", target="s2")
    assert WHY in texts(page)
    assert any("common-knowledge-wrong" in words for words in texts(page))
    assert not room.window.form_pane.form.isVisible()
    assert QApplication.focusWidget() is page.list


def test_the_way_through_it_is_by_keys(rooms, room):
    page = finished(rooms, room, *T1_WITH_ONE_WRONG)
    press("J")
    assert room.session.stop.target == "s3"
    assert page.list.currentIndex().row() == 2
    press("Up", "Up")
    assert room.session.stop.target == "s1"
    press("Down")
    assert page.section == "Accuracy"
    press("G")
    guidelines = room.commands.rating.guidelines
    assert guidelines.isVisible()
    assert guidelines.text.document().find("Accuracy").position() >= 0
    press("G")
    assert QApplication.focusWidget() is page.list
    rooms.press_for_task(room, "t2", "Return")
    assert page.isHidden()
    assert room.window.form_pane.form.isVisible()
    assert not room.session.read_only


def test_answers_stand_still_while_the_gold_is_shown(rooms, room):
    finished(rooms, room, *T1_WITH_ONE_WRONG)
    before = room.session.rating
    press("I", "N", "Z", "Backspace", "Ctrl+Z", "Alt+Z", "L", "X")
    assert room.session.rating == before
    assert room.session.shows_gold


def test_back_to_the_answers_they_can_be_changed_and_finished_again(rooms, room):
    page = finished(rooms, room, *T1_WITH_ONE_WRONG)
    press("Escape")
    assert page.isHidden()
    assert QApplication.focusWidget() is room.window.form_pane.form
    rooms.press_and_save(room, "I")
    assert rooms.stored("t1").status == "incomplete"
    press("Up", "2")
    room.session.answer("severity", "major")
    press_until(rooms.qtbot, lambda: room.session.shows_gold, "Ctrl+Shift+Return")
    assert part(room, "gold_score").text() == "3 of 3 targets match the gold answer."
    rooms.wait_until_saved(room)
    assert rooms.stored("t1").status == "complete"


def test_the_first_try_of_each_task_counts_for_the_sitting(rooms, room):
    finished(rooms, room, *T1_WITH_ONE_WRONG)
    press_until(rooms.qtbot, lambda: room.session.shows_gold, "Escape", "Ctrl+Shift+Return")
    assert part(room, "gold_sitting").isHidden()
    rooms.press_for_task(room, "t2", "Return")
    finished(rooms, room, "N")
    assert part(room, "gold_score").text() == "1 of 1 targets match the gold answer."
    assert part(room, "gold_sitting").text() == "This session: 3 of 4 targets in 2 tasks."


def test_a_task_without_a_gold_answer_goes_on_at_once(rooms, room):
    rooms.open_task(room, "t3")
    rooms.press_for_task(room, "t1", "N", "Return")
    assert part(room, "gold_page").isHidden()


def test_a_skipped_task_shows_what_the_gold_says_all_the_same(rooms, room):
    room.session.skip_task("harmful")
    room.session.finish()
    rooms.qtbot.waitUntil(lambda: room.session.shows_gold)
    assert part(room, "gold_score").text() == "You skipped this task. The gold answer rates it."
    rooms.press_for_task(room, "t2", "Return")


def test_another_task_is_opened_past_it(rooms, room):
    finished(rooms, room, *T1_WITH_ONE_WRONG)
    rooms.press_for_task(room, "t2", "Ctrl+PgDown")
    assert part(room, "gold_page").isHidden()
    assert not room.session.shows_gold
    press("N")
    assert room.session.rating.answers.targets == {"s1": NO}


def test_gold_that_is_not_for_practice_is_nowhere_in_a_rater_s_window(rooms):
    room = rooms.with_tasks(*TASKS, gold=write_lines(rooms.folder / "gold.jsonl", GOLD))
    assert not banner(room, "practice")
    rooms.press_for_task(room, "t2", *T1_WITH_ONE_WRONG, "Return")
    assert room.window.findChild(object, "gold_page") is None
    with reader_of(rooms.folder / "store") as reader:
        assert WHY not in "\n".join(map(str, reader.db.iterdump()))


def test_an_altered_gold_answer_is_said_and_holds_nobody_up(rooms, room):
    room.writer.db.execute("UPDATE gold SET sha256 = 'other'")
    rooms.press_for_task(room, "t2", *T1_WITH_ONE_WRONG, "Return")
    assert part(room, "gold_page").isHidden()
    assert "gold answer" in room.window.banners.text("trouble")


def test_two_responses_stand_beside_their_gold(rooms):
    responses = [{"id": "a", "text": "The ferry sails at nine."}, {"id": "b", "text": "I can't know that."}]
    pair = {"id": "p1", "prompt": {"text": "When does the ferry sail?"}, "responses": responses}
    whole = {"punt": "none", "fulfilment": "completely", "factuality": "completely_accurate"}
    vague = {"punt": "vague", "punt_only": "yes", "fulfilment": "not_at_all", "factuality": "reasonably_accurate"}
    vague["explanation"] = "None."
    answers = {"task": {"preference": -3, "justification": "A answers."}, "responses": {"a": whole, "b": vague}}
    gold = write_lines(rooms.folder / "gold.jsonl", [{"task": "p1", "answers": answers}])
    room = rooms.with_tasks(pair, rubric="side-by-side", gold=gold, practice=True)
    session = room.session
    for place, given in ((Place(response="a"), whole), (Place(response="b"), vague)):
        session.go_to(place)
        for name, value in given.items():
            session.answer(name, value)
    session.go_to(Place())
    session.answer("preference", -1)
    session.answer("justification", "It does.")
    press_until(rooms.qtbot, lambda: session.shows_gold, "Ctrl+Shift+Return")
    page = part(room, "gold_page")
    assert page.isVisible()
    assert part(room, "gold_score").text() == "4 of 5 answers match the gold answer."
    assert session.stop == Place()
    assert len(room.window.text_pane.panes) == 2
    press("Escape")
    assert page.isHidden()
    assert not session.read_only


@pytest.mark.parametrize("name", SAMPLE_FILES)
def test_every_sample_and_practice_opens_from_the_first_page(rooms, name):
    room = rooms.empty()
    rooms.qtbot.waitUntil(lambda: room.window.is_empty)
    part(room, f"first_{name}").click()
    rooms.qtbot.waitUntil(lambda: room.session.task is not None)
    assert room.desk.practice == name.startswith("practice")


def test_every_sample_and_practice_opens_from_the_menu(rooms):
    room = rooms.with_tasks()
    opened = []
    for name in SAMPLE_FILES:
        assert room.commands.actions[name].isVisible()
        room.commands.actions[name].trigger()
        rooms.qtbot.waitUntil(lambda: room.desk.bundle.startswith("sample-") and room.desk.bundle not in opened)
        assert room.desk.practice == name.startswith("practice")
        opened.append(room.desk.bundle)


def test_a_sample_that_is_not_installed_is_not_offered(rooms, monkeypatch, tmp_path):
    whole = resources() / "samples"
    monkeypatch.setattr(paths, "resources", lambda: tmp_path)
    shutil.copytree(whole, tmp_path / "samples", ignore=shutil.ignore_patterns("side-by-side*"))
    room = rooms.empty()
    rooms.qtbot.waitUntil(lambda: room.window.is_empty)
    assert not room.commands.actions["sample_pairs"].isVisible()
    assert room.commands.actions["sample_scales"].isVisible()
    assert room.window.findChild(QAbstractButton, "first_sample_pairs") is None
    part(room, "first_practice_scales").click()
    rooms.qtbot.waitUntil(lambda: room.session.task is not None)


def test_the_practice_that_comes_with_the_program_is_one_click_away(rooms):
    room = rooms.empty()
    rooms.qtbot.waitUntil(lambda: room.window.is_empty)
    part(room, "first_practice").click()
    rooms.wait_for_task(room, "p-1")
    assert room.desk.practice
    finished(rooms, room, "N", "Return", "Y", "1", "A", "Return", "Y", "2", "I", "7", "Return", "N")
    assert part(room, "gold_score").text() == "4 of 4 targets match the gold answer."


def test_gold_of_a_single_label_is_compared_and_shown_with_that_alone(rooms):
    lines = [rating("t1", {}, {"accuracy": "inaccurate"}), rating("t2", {"comment": "Fine."})]
    room = rooms.with_tasks(*TASKS, gold=write_lines(rooms.folder / "gold.jsonl", lines), practice=True)
    page = finished(rooms, room, *T1_WITH_ONE_WRONG)
    score = part(room, "gold_score").text()
    assert score == "The gold answer covers part of the task: 0 of 1 targets match."
    assert rows(page) == [("Target 2 – Inaccurate", "you: Accurate")]
    assert "How accurate is it?" in texts(page)
    assert "Is it common knowledge?" not in texts(page)
    rooms.press_for_task(room, "t2", "Return")
    page = finished(rooms, room, "N")
    assert part(room, "gold_score").text() == "The gold answer has nothing to compare with yours."
    assert rows(page) == [("Target 1", "")]
    assert texts(page) == ["Comment", "Fine."]
    assert part(room, "gold_sitting").text() == ""
