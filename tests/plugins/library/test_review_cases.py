"""A lead sees decided cases beside the votes, lists places decided differently before, and gives reasons for them."""

import pytest

from tests.operations.bundles import make, rating, task, write_lines
from tests.ui.reviews import BUNDLE, PAGE, QUOTE, T1, reviewing, sent, told
from tests.ui.rooms import part, press, type_text

CAPTAIN, ALGA = ("t1", "targets/s1"), ("t1", "targets/s2")
DECISION = ("final", *ALGA, "label")


def decided(task, text, value="inaccurate", **more):
    plain = {
        "bundle": "earlier",
        "where": "targets/s1",
        "rubric": "span-factuality@1",
        "question": "label",
        "by": "lead",
    }
    return {**plain, "task": task, "text": text, "value": value, "label": value.capitalize(), **more}


@pytest.fixture
def lead(rooms, results, add, tmp_path):
    """A lead's window, whose store has decided cases like two places, and the decision on one of them itself."""
    cases = [decided("t-1", T1[1], reason="It is a protist.", section="Algae"), decided("t-2", "Kelp is a green alga.")]
    cases += [decided("t-3", "Kelp is no alga at all.", "accurate")]
    cases += [decided("t1", "Kelp is an alga!", "accurate", bundle="kelp", where="targets/s2")]
    cases += [decided("t-4", "Its captain is Ana Nagy.", "accurate")]
    add("Team", write_lines(tmp_path / "team.precedents.jsonl", cases))
    room, review = reviewing(rooms, results)
    (cases_part,) = review.plugin_parts.values()
    rooms.qtbot.waitUntil(lambda: bool(review.list_pane.filters.marks))
    return room, review, cases_part


def go(rooms, review, name):
    review.navigator.go(name)
    rooms.qtbot.waitUntil(lambda: review.navigator.is_shown and review.desk.name == name)


def texts(panel):
    return [panel.summary.text(), *(line.text() for line in panel.lines if not line.isHidden())]


def test_cases_are_beside_the_votes_but_not_before_a_blind_answer(rooms, lead):
    room, review, cases = lead
    go(rooms, review, ALGA)
    rooms.qtbot.waitUntil(cases.panel.isVisible)
    summary, first, *_rest = texts(cases.panel)
    assert summary == "Decided before: 2 Inaccurate, 1 Accurate; §\u00a0Algae"
    assert first == "Inaccurate (t-1 of earlier) · It is a protist. · “Kelp is an alga.”"
    go(rooms, review, CAPTAIN)
    rooms.qtbot.waitUntil(lambda: texts(cases.panel)[0] == "Decided before: 1 Accurate")
    assert "without Réka Somogyi" in texts(cases.panel)[1]
    room.commands.actions["review_blind"].trigger()
    rooms.qtbot.waitUntil(lambda: review.navigator.is_hidden)
    assert cases.panel.isHidden()
    assert not any("before" in text for section in review.list_pane.filters.sections() for text in section.title)


def test_a_decision_against_the_cases_needs_a_reason(rooms, lead):
    _room, review, _cases = lead
    go(rooms, review, ALGA)
    press("L", "A")
    banners = review.compare.banners
    rooms.qtbot.waitUntil(lambda: banners.text("reason") is not None)
    assert "2 Inaccurate, 1 Accurate" in banners.text("reason")
    assert told(rooms, *DECISION) is None
    press("Ctrl+Return")
    rooms.qtbot.waitUntil(review.compare.decide.because.hasFocus)
    assert told(rooms, *DECISION) is None
    type_text("The rubric of this year counts it.")
    press("Ctrl+Return")
    rooms.qtbot.waitUntil(lambda: told(rooms, *DECISION) is not None)
    assert told(rooms, *DECISION)["comment"] == "The rubric of this year counts it."
    assert (banners.text("reason"), review.compare.decide.is_open) == (None, False)
    press("L", "I")  # as the cases: at once
    rooms.qtbot.waitUntil(lambda: told(rooms, *DECISION)["value"] == "inaccurate")
    assert told(rooms, *DECISION).get("comment", "") == ""


def test_places_decided_differently_before_are_a_filter_that_can_be_removed_at_once(rooms, lead):
    room, review, _cases = lead
    filters = review.list_pane.filters
    wanted = type(filters.filter)(mark="decided differently before")
    filters.set_filter(wanted)
    filters.drop_last()  # stops the comparison before it is done
    assert len(review.list_pane.model.keys) == len(review.desk.items)
    filters.set_filter(wanted)
    rooms.qtbot.waitUntil(lambda: review.list_pane.model.keys == [ALGA])
    assert part(room, "review_chips").text == "decided differently before"
    rooms.qtbot.waitUntil(lambda: review.banners.banner("cases") is None)


def test_with_groups_the_decision_waits_for_the_reason_too(rooms, lead):
    _room, review, cases = lead
    go(rooms, review, ALGA)
    press("G")
    rooms.qtbot.waitUntil(lambda: review.compare.decide.stays and review.compare.decide.is_open)
    rooms.qtbot.waitUntil(lambda: not cases.panel.isHidden())
    press("A", "Ctrl+Return")
    rooms.qtbot.waitUntil(lambda: review.compare.banners.text("reason") is not None)
    assert review.desk.name == ALGA
    assert told(rooms, *DECISION) is None
    assert not cases.panel.isHidden()
    type_text("As the guidelines say.")
    press("Ctrl+Return")
    rooms.qtbot.waitUntil(lambda: told(rooms, *DECISION) is not None)
    assert review.desk.name != ALGA


def test_what_a_rater_took_over_names_its_task(rooms, tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    make(folder / f"{BUNDLE}.zip", [task("t1", *T1[:1])])
    case = {"bundle": "earlier", "task": "t-4", "where": "targets/s1"}
    piece = {"id": "e1", "target": "s1", "stance": "supporting", "url": PAGE, "quote": QUOTE, "reused": case}
    own = {"targets/s1": {**case, "task": "t-0041", "own": True}}
    answers = {"factual": "yes", "accuracy": "accurate"}
    _room, review = reviewing(rooms, [sent(folder, "ana", rating("t1", answers, evidence=[piece], reused=own))])
    (ana,) = review.compare.grid.comparison.columns
    spoken = " | ".join(cell.spoken for cell in ana.cells)
    assert "as in t-4 of earlier, a decided case" in spoken
    assert "as in t-0041 of earlier, their own" in spoken
