"""The lead sees in the window what counts, what waits and why, and decides by keys; a stranger changes nothing."""

import itertools
import shutil
from typing import get_args

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QLabel

from desktop_rater.audit.report_format import Wording, caution_text
from desktop_rater.audit.results import Caution, CautionKind, QuarantineKind, QuarantineReason, ReceivedResults
from desktop_rater.operations.audit.load_audit import load_audit
from desktop_rater.store.keys import known_keys
from desktop_rater.ui.report.heading import MAX_CAUTIONS, CautionLine
from desktop_rater.ui.review import result_texts
from desktop_rater.ui.review.results_page import ResultsPage
from desktop_rater.ui.window.screens import REPORT, REVIEW
from tests.audit.results import OPINION, renamed
from tests.audit.test_hostile_results import forged, other_text, own_rubric
from tests.audit.test_who_decides import EVE, KEYS, changes, honest_lead, later_revision, replacing, verdict_of
from tests.cli.test_signatures import published
from tests.operations.bundles import make, task
from tests.readers import reader_of
from tests.ui.drawn_keys import CAN_COPY, faults_of_signs
from tests.ui.leads import lead_window, take_in
from tests.ui.rooms import part, press, press_and_settle, press_until, type_text

ALL = {"t1": OPINION, "t2": OPINION, "t3": OPINION}


@pytest.fixture(scope="module")
def given(tmp_path_factory):
    """A lead's desk with two raters' signed results, and the results of a stranger."""
    desk, honest = honest_lead(tmp_path_factory.mktemp("who"))
    return desk, honest, desk.sent("eve", **ALL)


@pytest.fixture
def lead(rooms, given):
    """The window of that lead."""
    shutil.copytree(given[0].store, rooms.folder / "store")
    return lead_window(rooms)


@pytest.fixture
def as_ann(given, tmp_path):
    return renamed(given[2], tmp_path / "as-ann.zip", "ann")


def section_of(room):
    return room.window.findChild(ResultsPage).received


def groups_of(room):
    """What the list shows: heading → what is below it, each row as it is read out."""
    groups = {}
    for row in section_of(room).model.rows:
        if row.heading:
            groups[row.title] = []
        else:
            groups[list(groups)[-1]].append(row.spoken)
    return groups


def review_with(rooms, room, paths):
    press("Ctrl+2")
    take_in(rooms, room, paths)
    rooms.qtbot.waitUntil(lambda: "Waiting for your decision" in groups_of(room))


def decide(rooms, room, key, reason=""):
    """The lead presses a key, writes the reason, and submits it."""
    section = section_of(room)
    before = section.model.rows
    press(key)
    if reason:
        assert section.reason.hasFocus()
        type_text(reason, "Return")
    rooms.qtbot.waitUntil(lambda: section.model.rows != before)


def held_of(rooms):
    with reader_of(rooms.folder / "store") as store:
        return {entry.results.rater: entry for entry in load_audit(store, "kelp").held}


def test_a_forgery_waits_with_its_reason_and_is_admitted_and_taken_out_again_by_keys(lead, rooms, as_ann):
    review_with(rooms, lead, [as_ann])
    (row,) = groups_of(lead)["Waiting for your decision"]
    assert row == "ann, waits, revision 1, 3 tasks, not signed · as-ann.zip"
    assert len(groups_of(lead)["Counting"]) == 3
    assert "They are not signed, although a key of this rater is known." in part(lead, "decision_text").text()
    assert "1 result waits for your decision and counts for nothing." in part(lead, "results_words").text()
    assert part(lead, "results_raters").model().index(0, 0).data().startswith("ann, waits")
    decide(rooms, lead, "C", "She called me.")
    (row,) = groups_of(lead)["Decided by a lead"]
    assert "admitted by r-17 on 20 Nov 2026: She called me." in row
    assert held_of(rooms)["ann"].admitted
    assert "1 result counts by your decision" in part(lead, "results_words").text()
    decide(rooms, lead, "T", "It was not her.")
    assert "taken out by" in part(lead, "decision_text").text().lower()
    assert held_of(rooms)["ann"].decision.reason == "It was not her."
    decide(rooms, lead, "Backspace")
    assert held_of(rooms)["ann"].held
    assert "Decided by a lead" not in groups_of(lead)


def test_a_decision_without_a_reason_is_refused_in_place_and_esc_discards_it(lead, rooms, as_ann):
    review_with(rooms, lead, [as_ann])
    press("C", "Return")
    refusal = part(lead, "decision_refused")
    rooms.qtbot.waitUntil(refusal.isVisible)
    assert "The decision has no reason." in refusal.text()
    assert held_of(rooms)["ann"].held
    type_text("She called me.", "Esc")
    assert not refusal.isVisible()
    assert not part(lead, "decision_reason").isVisible()
    assert held_of(rooms)["ann"].held


@pytest.mark.skipif(not CAN_COPY, reason="the keys are tried in a copy of the process")
@pytest.mark.parametrize("keys", [(), ("C",)], ids=["a row", "its reason"])
def test_each_key_drawn_beside_the_results_is_heard(lead, rooms, as_ann, keys):
    review_with(rooms, lead, [as_ann])
    press_and_settle(*keys)
    assert faults_of_signs(set()) == []


def test_after_a_decision_the_next_one_that_waits_is_chosen(lead, rooms, given, as_ann, tmp_path):
    later = forged(given[2], tmp_path / "later.zip", later_revision)
    review_with(rooms, lead, [as_ann, later])
    assert part(lead, "decision_text").text().startswith("They are not signed")
    decide(rooms, lead, "T", "It was not her.")
    assert part(lead, "decision_text").text().startswith("They claim revision 99 of the bundle")
    decide(rooms, lead, "T", "I made no such revision.")
    assert "Waiting for your decision" not in groups_of(lead)


def test_all_results_of_a_rater_without_a_key_count_until_the_lead_takes_that_back(lead, rooms, given):
    review_with(rooms, lead, [given[2]])
    assert "No key of this rater is known" in part(lead, "decision_text").text()
    decide(rooms, lead, "Shift+C", "She has no keyring.")
    assert not held_of(rooms)
    (row,) = groups_of(lead)["Decided by a lead"]
    assert "all results of this rater admitted by r-17 on 20 Nov 2026: She has no keyring." in row
    decide(rooms, lead, "Backspace")
    assert held_of(rooms)["eve"].held


def test_an_id_that_looks_like_that_of_another_rater_is_told_from_it_by_its_characters(lead, rooms, given, tmp_path):
    review_with(rooms, lead, [renamed(given[2], tmp_path / "alike.zip", "\u0430nn")])
    assert "These ids look alike: ann, \u0430nn." in part(lead, "results_words").text()
    text = part(lead, "decision_text").text()
    assert "The id of another rater looks like this one. This one has the characters \u0430 (U+0430)." in text


def test_results_by_another_rubric_are_not_offered_to_be_admitted(lead, rooms, given, tmp_path):
    review_with(rooms, lead, [forged(given[2], tmp_path / "own.zip", own_rubric)])
    assert "They can’t be admitted" in part(lead, "decision_text").text()
    press("C")
    assert not part(lead, "decision_reason").isVisible()
    assert not part(lead, "results_admit").isVisible()


def test_another_key_of_a_rater_waits_and_is_introduced_and_called_back(lead, rooms, tmp_path):
    published(tmp_path, "ann", EVE)
    review_with(rooms, lead, [tmp_path])
    (row,) = groups_of(lead)["Waiting for your decision"]
    assert row.startswith("Another key of ann, ")
    assert EVE.public[:4] in row
    assert keys_of_ann(rooms) == {KEYS["ann"].public}
    decide(rooms, lead, "C", "She has told me on the telephone.")
    assert keys_of_ann(rooms) == {KEYS["ann"].public, EVE.public}
    assert "introduced by r-17" in part(lead, "decision_text").text()
    decide(rooms, lead, "T", "Her laptop is lost.")
    assert keys_of_ann(rooms) == {KEYS["ann"].public}
    assert "Her laptop is lost." in part(lead, "decision_text").text()


def keys_of_ann(rooms):
    with reader_of(rooms.folder / "store") as store:
        return set(known_keys(store).valid["ann"])


def test_a_folder_of_forged_zips_changes_nothing_in_the_report_but_adds_a_caution(lead, rooms, given, tmp_path):
    desk, _, plain = given
    folder = tmp_path / "forged"
    folder.mkdir()
    with reader_of(desk.store) as store:
        (first, *_) = load_audit(store, "kelp").received
    ways = (other_text, own_rubric, later_revision, replacing(first.sha256))
    for number, steps in enumerate(itertools.combinations(ways, 2)):
        base = plain if number % 2 else renamed(plain, tmp_path / f"{number}.zip", "ann")
        forged(base, folder / f"odd-{number}.zip", changes(*steps))
    labels, _ = verdict_of(rooms.folder / "store")
    before = report_of(rooms, lead)
    assert (before.cautions, part(lead, "report_cautions").isVisible()) == ((), False)
    review_with(rooms, lead, [folder])
    after = report_of(rooms, lead, lambda report: bool(report.cautions))
    changed = {name for name in after.__struct_fields__ if getattr(before, name) != getattr(after, name)}
    assert changed <= {"cautions", "stale"}
    assert verdict_of(rooms.folder / "store")[0] == labels
    (caution,) = lines_of(lead)
    assert caution.text() == "6 results of ann, eve wait for the lead’s decision and count for nothing."
    for size in ((1366, 768), (720, 450)):
        lead.window.resize(*size)
        rooms.qtbot.waitUntil(lambda: caution.height() >= caution.heightForWidth(caution.width()))
        assert caution.visibleRegion().boundingRect() == caution.rect()
        assert inked(caution) > 200


def test_the_review_and_the_report_follow_a_decision(lead, rooms, given):
    before = report_of(rooms, lead).results
    review_with(rooms, lead, [given[2]])
    decide(rooms, lead, "Shift+C", "She has no keyring.")
    desk = lead.screens.screen(REVIEW).desk
    rooms.qtbot.waitUntil(lambda: "eve" in {entry.rater for item in desk.items for entry in item.entries})
    report = report_of(rooms, lead, lambda report: report.results == before + 1)
    assert "eve" in {row.rater for row in report.raters}
    assert lines_of(lead) == []


def report_of(rooms, room, is_wanted=lambda _report: True):
    room.screens.go(REPORT)
    figures = room.screens.screen(REPORT).figures
    rooms.qtbot.waitUntil(lambda: figures.report is not None and not figures.is_running and is_wanted(figures.report))
    return figures.report


def lines_of(room):
    lines = room.screens.screen(REPORT).heading.findChildren(CautionLine)
    return [line.findChild(QLabel) for line in lines if line.isVisible()]


def inked(label):
    """How many pixels of a label are painted in the colour of its text."""
    picture = label.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    ink = label.palette().color(label.foregroundRole()).rgb()
    return sum(picture.pixel(x, y) == ink for x in range(picture.width()) for y in range(picture.height()))


def test_many_cautions_leave_room_for_the_figures(lead, rooms):
    report = report_of(rooms, lead)
    alike = tuple(Caution("look-alike", 2, (f"r{number}", f"R{number}")) for number in range(40))
    heading = lead.screens.screen(REPORT).heading
    fields = {name: getattr(report, name) for name in report.__struct_fields__}
    heading.show_report(type(report)(**{**fields, "cautions": alike}), "", Wording())
    lines = lines_of(lead)
    assert len(lines) == MAX_CAUTIONS + 1
    assert lines[-1].text() == f"And {40 - MAX_CAUTIONS} more: see the results in the review."


def test_the_review_says_how_many_results_wait_and_leads_to_them(lead, rooms, as_ann):
    review_with(rooms, lead, [as_ann])
    review = lead.screens.screen(REVIEW)
    rooms.qtbot.waitUntil(lambda: bool(review.desk.items))
    press("Return")
    waiting = part(lead, "results_waiting")
    rooms.qtbot.waitUntil(waiting.isVisible)
    assert waiting.text() == "1 result waits for you"
    assert not lead.commands.actions["results_take_out"].isEnabled()
    part(lead, "show_waiting").click()
    assert section_of(lead).isVisible()
    assert section_of(lead).list.hasFocus()
    decide(rooms, lead, "T", "It was not her.")
    press_until(rooms.qtbot, lambda: review.split.isVisible() and not waiting.isVisible(), "Return")


@pytest.mark.parametrize("kind", get_args(QuarantineKind))
def test_each_reason_is_told_in_words_with_the_tasks_it_concerns(qapp, kind):
    results = ReceivedResults(sha256="f" * 64, bundle="kelp", of="kelp", revision=7, rater="eve")
    reason = QuarantineReason(kind, ("t-1", "<b>t</b>") if kind in {"tasks", "text"} else ())
    for text in (result_texts.short_reason(reason), result_texts.whole_reason(reason, results, "a" * 64)):
        assert "{" not in text
        assert (reason.tasks == ()) or "t-1, <b>t</b>" in text


@pytest.mark.parametrize("kind", get_args(CautionKind))
@pytest.mark.parametrize("count", [1, 2])
def test_each_caution_is_told_in_words_for_one_and_for_several(kind, count):
    assert "{" not in caution_text(Caution(kind, count, ("ann", "eve")), Wording())


def test_results_that_count_are_taken_out_from_the_same_list(lead, rooms, given):
    press("Ctrl+2")
    review = lead.screens.screen(REVIEW)
    rooms.qtbot.waitUntil(review.split.isVisible)
    press_until(rooms.qtbot, lambda: "Counting" in groups_of(lead), "R")
    section = section_of(lead)
    section.list.setFocus()
    section.list.setCurrentIndex(section.model.index(1))
    assert "Nothing is against these results." in part(lead, "decision_text").text()
    rater = section.model.rows[1].title
    decide(rooms, lead, "T", "She has left the project.")
    assert held_of(rooms)[rater].taken_out


def test_a_copy_that_makes_all_ratings_outdated_is_put_away_and_brought_back_by_keys(lead, rooms, given, tmp_path):
    before = verdict_of(rooms.folder / "store")
    tasks = [task(f"t-{n}", f"Kelp {n} is red.", "It is an alga.") for n in range(1, 4)]
    press("Ctrl+2")
    take_in(rooms, lead, [make(tmp_path / "kelp.zip", tasks, revision=2**53)])
    section = section_of(lead)
    rooms.qtbot.waitUntil(lambda: "Your copies of the bundle" in groups_of(lead))
    assert "3 tasks lack raters. So far: 2 raters, 3 tasks." in part(lead, "results_words").text()
    first = next(at for at, row in enumerate(section.model.rows) if row.id == ("copy", "1"))
    section.list.select_row(first)
    decide(rooms, lead, "C", "It is not ours.")
    (later, own) = groups_of(lead)["Your copies of the bundle"]
    assert "put away by r-17 on 20 Nov 2026: It is not ours." in later
    assert "brought in by" in own
    assert verdict_of(rooms.folder / "store") == before
    section.list.select_row(first - 1)
    decide(rooms, lead, "Backspace")
    assert verdict_of(rooms.folder / "store") != before
    section.list.select_row(first - 1)
    decide(rooms, lead, "T", "Really not.")
    assert verdict_of(rooms.folder / "store") == before
