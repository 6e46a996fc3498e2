"""A lead sends ratings back in the review room, and writes them as bundles, one for each rater."""

import zipfile

import pytest

from desktop_rater.operations.audit.load_audit import load_audit
from desktop_rater.operations.audit.review import Lead, RatingAtPlace, VerdictReason, send_back_rating
from tests.operations.bundles import noon, rating, task
from tests.operations.rated import results_of
from tests.ui.leads import lead_review
from tests.ui.reviews import all_said
from tests.ui.rooms import press, press_until

RATERS = ("ann", "ben")


@pytest.fixture
def room(rooms):
    """The review room of a lead, with the results of two raters."""
    given = {rater: [rating("t-1"), rating("t-2")] for rater in RATERS}
    results = results_of(rooms.folder / "raters", [task("t-1"), task("t-2")], given)
    room = lead_review(rooms, results)
    rooms.qtbot.waitUntil(lambda: review(room).desk.task is not None)  # it is read once the list is painted
    return room


def review(room):
    return room.screens.screen("review")


def say_back(room, *raters):
    """As from another window: how it is said by keys is told elsewhere."""
    counting = load_audit(room.reader, "b").ratings
    for rater in raters:
        about = RatingAtPlace("t-1", "targets/s1", rater, counting["t-1", rater].sha256)
        send_back_rating(room.writer, "b", about, VerdictReason("search-too-thin", f"For {rater}."), Lead("Lena", noon))


def written(rooms, room, folder):
    folder.mkdir(exist_ok=True)
    rooms.files.to_open = folder
    with rooms.qtbot.waitSignal(review(room).return_command.ended):
        press("Ctrl+Shift+B")
    return review(room).banners.text("returning")


def test_what_was_sent_back_is_written_for_each_rater(rooms, room):
    say_back(room, *RATERS)
    said = written(rooms, room, rooms.folder / "out")
    assert "2 bundles" in said
    assert "1 task to \u2068ann" in said or "1 task to ann" in said
    for rater in RATERS:
        with zipfile.ZipFile(rooms.folder / "out" / f"b-return-{rater}-1.zip") as opened:
            assert f"For {rater}.".encode() in opened.read("tasks.jsonl")


def test_where_nothing_is_to_go_back_it_says_so(rooms, room):
    assert written(rooms, room, rooms.folder / "out") == "There is nothing to send back."
    assert not list((rooms.folder / "out").iterdir())


def test_without_a_folder_nothing_happens(rooms, room):
    say_back(room, "ann")
    rooms.files.to_open = None
    press("Ctrl+Shift+B")
    assert review(room).banners.text("returning") is None


def test_a_folder_that_is_gone_is_trouble_with_a_name(rooms, room):
    say_back(room, "ann")
    rooms.files.to_open = rooms.folder / "nowhere"
    with rooms.qtbot.waitSignal(review(room).return_command.ended):
        press("Ctrl+Shift+B")
    assert "nowhere" in review(room).banners.text("returning")


def test_the_lead_sees_what_is_still_to_be_sent_and_what_is_still_out(rooms, room):
    assert review(room).status_text == "2 raters, 2 targets"
    say_back(room, *RATERS)
    review(room).desk.read()
    rooms.qtbot.waitUntil(lambda: review(room).status_text == "2 raters, 2 targets · 2 verdicts not sent")
    written(rooms, room, rooms.folder / "back")
    rooms.qtbot.waitUntil(lambda: review(room).status_text == "2 raters, 2 targets · 2 tasks not returned yet")
    review(room).show_results()
    page = review(room).results
    rooms.qtbot.waitUntil(lambda: "1 task not returned yet" in all_said(page.raters.list))


def test_the_page_of_results_follows_what_was_said_meanwhile(rooms, room):
    page = review(room).results
    review(room).show_results()
    rooms.qtbot.waitUntil(lambda: page.status is not None)
    review(room).show_review()
    press_until(rooms.qtbot, lambda: "1 verdict not sent" in review(room).status_text, "B", "4", "Ctrl+Return")
    review(room).show_results()
    rooms.qtbot.waitUntil(lambda: "1 verdict not sent" in all_said(page.raters.list))
    review(room).show_review()
    press_until(rooms.qtbot, lambda: "not sent" not in review(room).status_text, "Ctrl+Z")
    review(room).show_results()
    rooms.qtbot.waitUntil(lambda: "not sent" not in all_said(page.raters.list))
