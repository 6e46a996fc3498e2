"""A lead rates a task in the review: as a correction of a rater's rating, or before seeing any."""

import pytest
from PySide6.QtWidgets import QApplication

from desktop_rater.operations.audit.load_audit import load_task
from desktop_rater.ui.review.own_rating import OwnRatingForm
from tests.readers import reader_of
from tests.ui.leads import lead_window, results_of, take_in
from tests.ui.rooms import press, type_text
from tests.ui.window_parts import WindowParts


@pytest.fixture
def lead(rooms, tmp_path):
    """A lead in the review room, with the results of two raters of one bundle."""
    given = results_of(tmp_path / "in", raters=2)
    room = lead_window(rooms)
    press("Ctrl+2")
    take_in(rooms, room, [given.bundle, given.folder])
    rooms.qtbot.waitUntil(lambda: room.lead_screens.context.audited.audit is not None)
    return room


@pytest.fixture
def own(lead):
    """The form for a rating of the lead's own, alone in the window."""
    widget = OwnRatingForm(lead.lead_screens.context)
    WindowParts(lead).pages.addWidget(widget)
    WindowParts(lead).pages.setCurrentWidget(widget)
    return widget


def audited(rooms, task="t1"):
    with reader_of(rooms.folder / "store") as reader:
        return load_task(reader, "facts", task)


def heard(own):
    said = []
    own.kept.connect(lambda task: said.append(("kept", task)))
    own.left.connect(lambda: said.append(("left", "")))
    return said


def answer(own, keys):
    for key in keys:
        own.take_key(key)


def test_a_correction_begins_with_the_rater_s_rating_and_ends_as_the_lead_s(own, rooms):
    task = audited(rooms)
    rater = task.raters[0]
    said = heard(own)
    own.open(task, rater.rater, where="targets/s3")
    assert own.session.place.target == "s3"
    assert own.rating.answers == rater.rating.answers
    assert own.rating.time.active_seconds == 0, "the rater's time is not the lead's"
    answer(own, "N")
    for _ in range(12):
        own.go_on()
        if said:
            break
        answer(own, "N")
    rooms.qtbot.waitUntil(lambda: said == [("kept", "t1")])
    kept = audited(rooms).own
    assert kept is not None
    assert not kept.blind
    assert kept.rating.answers.targets["s3"]["factual"] == "no"
    assert kept.rating.rater == "r-17"
    assert audited(rooms).of(rater.rater).rating == rater.rating, "a rating that was received never changes"


def test_it_follows_the_same_rules_and_is_not_done_while_one_blocks(own, rooms):
    said = heard(own)
    own.open(audited(rooms), None, where="targets/s1")
    answer(own, "Y")
    own.finish()
    assert own.form_pane.banners.text("refused") is not None
    assert own.is_open
    assert said == []


def test_blind_only_the_place_that_was_asked_for_has_to_be_answered(own, rooms):
    said = heard(own)
    own.open(audited(rooms), None, blind=True, where="targets/s2")
    assert not own.rating.answers.targets
    answer(own, "N")
    own.go_on()
    rooms.qtbot.waitUntil(lambda: said == [("kept", "t1")])
    kept = audited(rooms).own
    assert kept.blind
    assert kept.rating.answers.targets == {"s2": {"factual": "no"}}


def test_what_is_left_half_done_is_there_again_at_the_next_opening(own, rooms):
    said = heard(own)
    own.open(audited(rooms), None, where="targets/s2")
    answer(own, "Y")
    own.leave_part()
    assert said == [("left", "")]
    rooms.qtbot.waitUntil(lambda: audited(rooms).own is not None)
    own.open(audited(rooms), audited(rooms).raters[0].rater, where="targets/s2")
    assert own.rating.answers.targets == {"s2": {"factual": "yes"}}


def test_keys_do_there_what_they_do_where_tasks_are_rated(own, rooms):
    own.open(audited(rooms), None, where="targets/s1")
    actions = own.form_actions()
    answer(own, "Y")
    actions["undo"]()
    assert not own.rating.answers.targets
    actions["redo"]()
    actions["next_target"]()
    assert own.session.place.target == "s2"
    actions["evidence"]()
    assert own.rating.answers.targets == {"s1": {"factual": "yes"}}
    actions["write"]()
    assert {"skip", "pause", "note"}.isdisjoint(actions), "a lead's own rating is no task of a rater's day"


def test_a_comment_that_is_half_typed_is_kept_when_the_form_is_left(own, rooms):
    own.open(audited(rooms), None, where="targets/s1")
    answer(own, "YA")
    own.form_actions()["write"]()
    type_text("The Seine, not the Loire")
    own.leave_part()
    assert own.is_open, "the first Esc leaves the field"
    assert QApplication.focusWidget() is own.form_pane.form
    own.leave_part()
    rooms.qtbot.waitUntil(lambda: "The Seine, not the Loire" in str(audited(rooms).own))


def test_only_the_pane_in_use_is_shown_where_there_is_no_room_for_two(own, lead, rooms):
    lead.window.resize(720, 450)
    own.open(audited(rooms), None, where="targets/s1")
    rooms.qtbot.waitUntil(lambda: own.form_pane.width() > 600)
    view = own.text_pane.panes[0].view
    view.setFocus()
    rooms.qtbot.waitUntil(lambda: own.text_pane.width() > 600)
    own.form_pane.form.setFocus()
    rooms.qtbot.waitUntil(lambda: own.form_pane.width() > 600)
