"""A rater labels a sentence of several claims without splitting it, and is told whose rule it is."""

import pytest

from desktop_rater.ui.rating.problem_fixes import ProblemRow
from desktop_rater.ui.widgets.labels import SourceBadge
from tests.operations.bundles import task
from tests.ui.rooms import part, press

BORN = "Andrei Broder is a Romanian-born computer scientist."
TOWER = "The tower was built in 1352 by monks from Bruges."


@pytest.fixture
def room(rooms):
    """Two targets, the second of two claims, which is called factual."""
    room = rooms.with_tasks(task("t1", BORN, TOWER))
    press("J", "Y")
    return room


def add_page(room, stance, address="https://town.example/tower"):
    room.session.add_evidence(address)
    (name,) = [piece.id for piece in room.session.evidence if piece.url == address]
    room.session.set_stance(name, {"S": "supporting", "C": "contradicting"}[stance], None)


def shown(room):
    rows = {name: room.window.form_pane.form.row(name) for name in room.session.rubric.questions}
    return {name: row for name, row in rows.items() if row is not None and row.isVisible()}


def contradiction(room):
    """The row of the first problem of the target, which is a contradiction."""
    rows = room.window.form_pane.problems.list.row_widgets()
    row = next(row for row in rows if isinstance(row, ProblemRow) and "says" in row.line.title)
    return row.line.title, [button.objectName() for button in row.buttons], row.findChild(SourceBadge).text()


def test_a_page_for_a_part_leads_to_the_part_without_a_page(room):
    add_page(room, "S")
    assert room.session.current_question == "covers"
    assert shown(room)["covers"].question.ask == "Do your pages speak of every part of it?"
    press("0")
    assert shown(room)["common_knowledge"].question.ask == "Is the part without a page common knowledge?"
    press("3")
    assert shown(room)["expected_to_be_found"].question.ask.startswith("If that part were true")
    press("5", "A")
    words, ways, badge = contradiction(room)
    assert words.endswith("that part is likely made up. This project's rule says Unsupported.")
    assert (ways[:2], badge) == (["way_split", "way_change"], "This project’s rule")
    press("U")
    rules = {problem.rule for problem in room.session.outcome.problems_of("s2") if problem.level == "block"}
    assert rules == {"unsupported-needs-comment"}
    press("9")
    assert "common_knowledge" not in shown(room)


def test_pages_of_different_parts_need_no_consensus(room):
    add_page(room, "S")
    add_page(room, "C", "https://guild.example/masons")
    assert room.session.current_question == "consensus"
    assert [choice.id for choice in shown(room)["consensus"].question.choices] == ["for", "against", "none", "parts"]
    press("4")
    assert "covers" not in shown(room)
    press("D")
    words, ways, badge = contradiction(room)
    assert words == "A page contradicts a part of it that no page supports. This project's rule says Inaccurate."
    assert (ways[0], badge) == ("way_split", "This project’s rule")
    press("I", "6")
    assert [p.rule for p in room.session.outcome.problems_of("s2") if p.level == "block"] == []


def test_different_parts_are_not_offered_where_all_pages_are_on_one_side(room):
    add_page(room, "C")
    assert "consensus" not in shown(room)
    press("A")
    assert [choice.id for choice in shown(room)["consensus"].question.choices] == ["for", "against", "none"]
    assert room.session.current_question == "consensus"
    press("3")
    words, ways, badge = contradiction(room)
    assert words == (
        "A page contradicts it and none supports it. Where virtually all experts agree with it, take a page of theirs."
        " The guideline says Inaccurate."
    )
    assert badge == "Built-in guideline"
    assert "way_neutral" in ways


def test_a_sentence_without_a_joint_is_asked_no_more_and_offers_no_split(room):
    press("K", "Y")
    add_page(room, "S")
    assert set(shown(room)) == {"skipped", "factual", "accuracy", "comment"}
    assert part(room, "claims_beside").text() == "not split"
    press("U")
    words, ways, badge = contradiction(room)
    assert "A page that only copies the response does not decide." in words
    assert ways == ["way_change", "way_neutral", "way_weigh"]
    assert badge == "This project’s rule"


def test_a_page_that_copies_the_response_is_marked_as_not_deciding(room):
    press("K", "Y")
    add_page(room, "S")
    press("U")
    part(room, "way_neutral").click()
    (piece,) = room.session.evidence
    assert piece.stance == "neutral"
    assert room.window.form_pane.form.evidence.reasons.isVisible()
    press("1")
    (piece,) = room.session.evidence
    assert piece.reason == "copy"
    assert "contradicts:supported" not in {problem.rule for problem in room.session.outcome.problems_of("s1")}


def test_of_several_pages_the_rater_selects_the_one_that_does_not_decide(room):
    press("K", "Y")
    add_page(room, "S")
    add_page(room, "S", "https://second.example/")
    press("U")
    part(room, "way_neutral").click()
    assert {piece.stance for piece in room.session.evidence} == {"supporting"}
    press("Shift+S")
    assert [piece.stance for piece in room.session.evidence] == ["neutral", "supporting"]
