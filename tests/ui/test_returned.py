"""A rater whose work was sent back sees why at each target, goes from comment to comment, and changes what is wrong."""

import pytest
from PySide6.QtCore import Qt

from desktop_rater.format.change import Progress
from desktop_rater.operations.audit.import_results import import_results
from desktop_rater.operations.audit.load_audit import load_audit
from desktop_rater.operations.audit.review import Lead, RatingAtPlace, VerdictReason, send_back_rating
from desktop_rater.operations.audit.rework import return_work
from desktop_rater.store import received
from desktop_rater.store.open_store import open_writer
from desktop_rater.ui.rating.target_strip import STOP_RETURNED_ROLE
from tests.operations.bundles import NOON, RATER, noon
from tests.ui.rooms import part, press, press_until

LEAD = Lead("Lena", noon)
BACK = f"bundle-return-{RATER}-1"
HOSTILE = "<img src='https://evil.example/x.png'><b>Is it the Seine?</b>"
T1 = ("Y", "1", "A", "Return", "Y", "1", "A", "Return", "N", "Return")
WRONG = {"factual": "yes", "common_knowledge": "wrong", "accuracy": "inaccurate", "severity": "minor"}


class Laptop:
    """The lead's laptop, on which nobody types."""

    def __init__(self, folder):
        self.folder = folder

    def take(self, *results):
        with open_writer(self.folder / "lead", command="test") as store:
            opened = import_results(store, results, lead="Lena", now=NOON, progress=Progress())
            assert not opened.refused

    def send_back(self, *said):
        """(task, where, reason, words) each, and the bundle of them."""
        out = self.folder / "back.zip"
        with open_writer(self.folder / "lead", command="test") as store:
            counting = load_audit(store, "bundle").ratings
            for task, where, reason, words in said:
                about = RatingAtPlace(task, where, RATER, counting[task, RATER].sha256)
                send_back_rating(store, "bundle", about, VerdictReason(reason, words), LEAD)
            assert return_work(store, "bundle", RATER, out, progress=Progress(), now=noon).rework is not None
        return out

    def counting(self, task):
        with open_writer(self.folder / "lead", command="test") as store:
            filed = load_audit(store, "bundle").ratings[task, RATER]
            return received.received_rating(store, filed.results, task)


@pytest.fixture
def lead(rooms):
    return Laptop(rooms.folder)


def exported(rooms, room, name):
    rooms.files.to_write = rooms.folder / name
    rooms.wait_until_saved(room)
    with rooms.qtbot.waitSignal(room.transfer.export_ended):
        press("Ctrl+Shift+E")
    assert rooms.files.to_write.exists(), room.window.banners.text("transfer")
    return rooms.files.to_write


def finish_all(rooms, room):
    rooms.press_for_task(room, "t2", *T1)
    rooms.press_and_save(room, "Y", "1", "A", "Return")


def sent_back(rooms, lead, *said):
    """A window in which a first round lies, at its first comment."""
    room = rooms.with_tasks()
    finish_all(rooms, room)
    lead.take(exported(rooms, room, "first.zip"))
    room.transfer.import_bundle(lead.send_back(*said))
    rooms.qtbot.waitUntil(lambda: not room.transfer.is_running)
    rooms.qtbot.waitUntil(lambda: room.session.bundle == BACK and room.session.task is not None)
    room.window.form_pane.form.setFocus()
    return room


@pytest.fixture
def room(rooms, lead):
    return sent_back(
        rooms,
        lead,
        ("t1", "targets/s2", "label-does-not-follow", HOSTILE),
        ("t1", "targets/s3", "other", "Is it a question at all?"),
        ("t2", "task", "search-too-thin", "Say where you looked."),
    )


def notice(room):
    return part(room, "returned_notice")


def said(room):
    return part(room, "returned_words").text()


def test_it_opens_at_the_first_comment_with_the_answers_of_before(room):
    assert room.session.place.target == "s2"
    assert notice(room).isVisible()
    assert part(room, "returned_head").text() == "Sent back by Lena: Label does not follow"
    assert said(room) == f"“{HOSTILE}”"
    assert part(room, "returned_words").textFormat() == Qt.TextFormat.PlainText
    assert part(room, "returned_state").text() == "not changed yet"
    assert room.session.rating.status == "incomplete"
    assert room.session.rating.answers.targets["s2"]["accuracy"] == "accurate"


def test_it_says_at_other_targets_how_many_comments_there_are(room):
    press("K")
    assert room.session.place.target == "s1"
    assert part(room, "returned_head").text() == "Sent back by Lena, with 2 comments"
    assert part(room, "returned_words").isHidden() or not part(room, "returned_words").isVisible()


def test_f9_goes_from_comment_to_comment_and_round_again(room):
    places = []
    for key in ("Ctrl+F8", "Ctrl+F8", "Ctrl+Shift+F8"):
        press(key)
        places.append(room.session.place.target)
    assert places == ["s3", "s2", "s3"]
    press("K", "K", "Ctrl+F8")
    assert room.session.place.target == "s2"


def test_enter_reads_each_comment_before_the_task_is_done(rooms, room):
    press("Return")
    assert room.session.task.id == "t1"
    assert room.session.place.target == "s3"
    rooms.press_for_task(room, "t2", "Return")
    assert said(room) == "To the whole task: “Say where you looked.”"


def test_the_strip_and_the_list_mark_what_was_sent_back(rooms, room):
    stops = room.window.text_pane.strip.stops
    marked = [stops.index(at).data(STOP_RETURNED_ROLE) for at in range(3)]
    assert marked == [False, True, True]
    spoken = stops.index(1).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "sent back: Label does not follow" in spoken
    model = room.window.task_list.model
    rooms.qtbot.waitUntil(lambda: model.rowCount() == 2)
    lines = [model._line(row).detail for row in model._rows]
    assert lines == ["t1: Label does not follow", "t2: Search insufficient"]


def test_a_change_shows_and_undo_takes_it_back_to_what_was_sent_back(rooms, room):
    before = room.session.rating.answers
    press("2", "I", "6")
    assert room.session.rating.answers.targets["s2"] == WRONG
    assert part(room, "returned_state").text() == "changed since"
    rooms.wait_until_saved(room)
    press("Ctrl+Z", "Ctrl+Z", "Ctrl+Z")
    assert room.session.rating.answers == before
    assert part(room, "returned_state").text() == "not changed yet"


def test_after_a_restart_undo_still_ends_at_what_was_sent_back(rooms, room):
    before = room.session.rating.answers
    rooms.press_and_save(room, "2", "I", "6")
    again = rooms.reopened(room, "t1")
    assert again.session.place.target == "s2"
    for _ in range(5):
        press_until(rooms.qtbot, lambda: not again.session.undo_history.earlier, "Ctrl+Z")
    assert again.session.rating.answers == before


def test_what_comes_back_takes_the_place_of_what_was_sent(rooms, room, lead):
    rooms.press_for_task(room, "t2", "2", "I", "6", "Return", "Return")
    rooms.press_and_save(room, "Return")
    rooms.qtbot.waitUntil(lambda: rooms.stored("t2", BACK).status == "complete")
    lead.take(exported(rooms, room, "second.zip"))
    assert lead.counting("t1").answers.targets["s2"] == WRONG
    assert lead.counting("t2").answers.targets == {
        "s1": {"factual": "yes", "common_knowledge": "right", "accuracy": "accurate"}
    }


def test_a_long_comment_scrolls_and_leaves_room_for_the_questions(rooms, lead):
    room = sent_back(rooms, lead, ("t1", "targets/s1", "edge-case", "word " * 3_900))
    passage = part(room, "returned_comments")
    assert passage.height() < 120
    assert passage.verticalScrollBar().maximum() > 0
    assert passage.focusPolicy() is Qt.FocusPolicy.TabFocus
    assert said(room).endswith("…”")
    assert room.window.form_pane.form.height() > 200


def test_a_task_that_was_never_sent_back_shows_nothing_of_it(rooms, qtbot):
    room = rooms.with_tasks()
    assert room.window.findChild(object, "returned_notice") is None
    press("Ctrl+F8")
    assert room.window.form_pane.banners.text("hint") == "This task has no comments from the QA lead."


def test_the_start_page_lists_what_came_back_and_opens_the_first(rooms, room):
    room.desk.open_bundle("bundle")
    rooms.qtbot.waitUntil(lambda: room.session.bundle == "bundle" and room.session.task is not None)
    press("Alt+Home")
    listed = part(room, "start_came_back")
    rooms.qtbot.waitUntil(lambda: len(listed.rows.rows) == 2)
    assert [(row.title, row.detail, row.detail_end) for row in listed.rows.rows] == [
        ("What about t1?", f"“{HOSTILE}”", "Label does not follow"),
        ("What about t2?", "“Say where you looked.”", "Search insufficient"),
    ]
    spoken = [row.spoken for row in part(room, "start_bundles").rows.rows]
    assert [("2 sent back" in text) for text in spoken] == [True, True]
    press_until(rooms.qtbot, lambda: room.session.bundle == BACK and room.session.task is not None, "B")
    assert (room.screens.name, room.session.task.id, room.session.place.target) == ("rate", "t1", "s2")
