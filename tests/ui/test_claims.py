"""A rater splits a sentence into claims in words of their own, and rates each."""

from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication, QLabel

from desktop_rater.format.rating import Claim, ClaimSpan
from desktop_rater.rubric import check
from desktop_rater.ui.rating.open_rating import rule_claims
from tests.operations.bundles import task
from tests.ui.rooms import Text, banner, part, press, type_text

BORN = "Andrei Broder is a Romanian-born computer scientist."
BRODER = (
    "However, he soon became interested in computer science and information retrieval, and his PhD thesis was on"
    " ‘The Design and Analysis of a Database for Semantic Text Retrieval’."
)
TOWER = "The tower was built in 1352 by monks from Bruges."
TEXT = f"{BORN} {BRODER} {TOWER}"
THESIS = BRODER[BRODER.index("his PhD") : -1]
WORDS = ["he soon became interested in computer science", "he soon became interested in information retrieval", THESIS]


def span(quote):
    start = TEXT.index(quote)
    return {"start": start, "end": start + len(quote), "quote": quote}


SUGGESTED: list[dict[str, Any]] = [
    {"id": "c1", "text": "Andrei Broder became interested in computer science.", "spans": [span(WORDS[0])]},
    {
        "id": "c2",
        "text": "Andrei Broder became interested in information retrieval.",
        "spans": [span("he soon became interested in"), span("information retrieval")],
    },
    {"id": "c3", "text": "Andrei Broder’s PhD thesis was on databases.", "spans": [span(THESIS)]},
]


def opened(rooms, **more):
    """The sentence of three claims, called factual."""
    room = rooms.with_tasks(task("t1", BORN, BRODER, TOWER, **more), task("t2"))
    press("J", "Y")
    return room


@pytest.fixture
def room(rooms):
    return opened(rooms)


@pytest.fixture
def proposed(rooms):
    return opened(rooms, suggestions={"claims": {"s2": SUGGESTED}})


def claims(room):
    return room.session.rating.claims.get("s2", ())


def rows(room):
    model = part(room, "claim_list").model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def copy(url):
    QApplication.clipboard().setText(url)


def test_the_sentence_of_the_guideline_is_rated_in_fifteen_keys(rooms):
    room = rooms.with_tasks(task("t1", BORN, BRODER, TOWER), task("t2"))
    press("J")
    copy("https://en.wikipedia.org/wiki/Andrei_Broder")
    keys = ["Y", "Shift+L", "Shift+Z", "E", "S", "Alt+2", "A", "Return", "A", "Return"]
    press(*keys)
    copy("https://mathgenealogy.org/id.php?id=43127")
    keys += (more := ["E", "C", "I", "7", "Return"])
    press(*more)

    assert len(keys) == 15
    assert room.session.place.target == "s3"
    rooms.wait_until_saved(room)
    stored = rooms.stored("t1")
    assert [claim.text for claim in stored.claims["s2"]] == WORDS
    assert [[TEXT[start:end] for start, end in claim.ranges] for claim in stored.claims["s2"]] == [
        [WORDS[0]],
        ["he soon became interested in", "information retrieval"],
        [THESIS],
    ]
    assert [piece.claim_ids for piece in stored.evidence] == [("c1", "c2"), ("c3",)]
    decided = room.session.outcome.decided["targets/s2"]
    assert {name: (value.value, value.by) for name, value in decided.items()} == {
        "accuracy": ("inaccurate", "claims"),
        "severity": ("major", "claims"),
    }


def test_claims_of_the_bundle_are_no_part_of_the_rating_until_they_are_confirmed(proposed):
    assert rows(proposed) == [f"{claim['text']}, proposed" for claim in SUGGESTED]
    assert claims(proposed) == ()
    press("Z")
    assert [claim.id for claim in claims(proposed)] == ["c1"]
    assert rows(proposed)[:2] == [f"c1, {SUGGESTED[0]['text']}, to do", f"{SUGGESTED[1]['text']}, proposed"]
    press("Shift+Z")
    assert [claim.text for claim in claims(proposed)] == [claim["text"] for claim in SUGGESTED]
    assert claims(proposed)[1].spans == tuple(ClaimSpan(**span) for span in SUGGESTED[1]["spans"])
    press("Ctrl+Z", "Ctrl+Z")
    assert claims(proposed) == ()
    assert len(rows(proposed)) == 3


def test_a_target_that_stays_whole_costs_no_extra_key(proposed):
    press("1", "A", "Return")
    assert proposed.session.place.target == "s3"
    assert claims(proposed) == ()


def test_enter_stops_once_at_a_claim_that_is_only_proposed(proposed):
    press("Shift+J", "Z", "1", "A", "Return")
    assert proposed.session.proposal is not None
    assert proposed.session.proposal.id == "c2"
    assert banner(proposed, "hint") == "This claim is only proposed: Z confirms it, Delete takes it out."
    press("Return")
    assert proposed.session.place.target == "s3"


def test_an_answer_about_a_proposed_claim_confirms_it(proposed):
    press("Shift+J", "1")
    (claim,) = claims(proposed)
    assert (claim.id, claim.answers) == ("c1", {"common_knowledge": "right"})
    assert "common_knowledge" not in proposed.session.rating.answers.targets["s2"]


def test_the_form_asks_about_the_proposed_claim_at_hand(proposed):
    press("Shift+J", "1", "A", "Shift+J")
    answers = {question.question.id: question.asked.value for question in proposed.session.form_questions}
    assert answers["factual"] == "yes"
    assert answers["accuracy"] is None
    press("2", "I")
    assert [claim.answers["accuracy"] for claim in claims(proposed)] == ["accurate", "inaccurate"]


def test_a_proposal_is_taken_out_and_comes_back(proposed):
    press("Shift+J", "Shift+J", "Delete")
    assert len(rows(proposed)) == 2
    assert banner(proposed, "undo") == "The proposed claim was taken out."
    press("Shift+Z")
    assert [claim.id for claim in claims(proposed)] == ["c1", "c3"]
    press("Shift+L", "Z")
    assert [claim.id for claim in claims(proposed)] == ["c1", "c2", "c3"]


def test_editing_the_words_touches_neither_spans_nor_label_nor_evidence(room):
    copy("https://example.org/broder")
    press("Shift+L", "Shift+Z", "E", "S", "A", "F2")
    before = room.session.rating
    type_text("Broder took to computing", "Return")
    words, *others = claims(room)
    was, *rest = before.claims["s2"]
    assert words == Claim(id=was.id, text="Broder took to computing", spans=was.spans, answers={"accuracy": "accurate"})
    assert others == rest
    assert room.session.rating.evidence == before.evidence
    press("Ctrl+Z")
    assert claims(room)[0].text == WORDS[0]


def test_a_claim_without_words_is_refused_and_nothing_is_lost(room):
    press("Shift+L", "Shift+Z", "F2", "Delete", "Return")
    assert banner(room, "hint") == "A claim needs words. Its last words are back; Delete removes the claim."
    assert part(room, "claim_words").text() == WORDS[0]
    press("Escape")
    assert [claim.text for claim in claims(room)] == WORDS


def test_the_proposed_words_are_taken_back(proposed):
    press("Z", "F2", Text("Something else"))
    assert claims(proposed)[0].text == "Something else"
    press("Alt+Z")
    assert part(proposed, "claim_words").text() == SUGGESTED[0]["text"]
    assert claims(proposed)[0].text == SUGGESTED[0]["text"]


def test_words_of_an_older_file_come_back_from_the_response(room):
    start = TEXT.index(THESIS)
    room.session.put_claim(Claim(id="c1", text="His thesis", start=start, end=start + len(THESIS)), "add claim")
    press("F2", "Alt+Z")
    assert claims(room)[0].text == THESIS


def test_a_complete_rating_shows_no_proposals_until_they_are_asked_for(proposed):
    press("1", "A", "K", "N", "J", "J", "N", "K")
    proposed.session.change(replace(proposed.session.rating, status="complete"), "finish")
    press("K", "J")
    assert rows(proposed) == []
    press("Shift+L")
    assert len(rows(proposed)) == 3


def test_words_typed_into_a_proposal_confirm_it_in_one_step(proposed):
    press("F2", Text("Broder took to computing"), "Return")
    assert [claim.text for claim in claims(proposed)] == ["Broder took to computing"]
    press("Ctrl+Z", "Ctrl+Z")
    assert claims(proposed) == ()


def test_a_claim_is_typed_that_no_words_of_the_response_make(room):
    press("Ctrl+L", Text("  He was born in Bucharest  "), "Return")
    assert claims(room) == (Claim(id="c1", text="He was born in Bucharest"),)
    assert room.session.place.claim == "c1"


def select(room, quote):
    view = part(room, "response_text_a")
    cursor = view.textCursor()
    cursor.setPosition(TEXT.index(quote))
    cursor.setPosition(TEXT.index(quote) + len(quote), QTextCursor.MoveMode.KeepAnchor)
    view.setTextCursor(cursor)


def test_the_selection_becomes_another_span_of_the_claim_at_hand(room):
    select(room, "his PhD thesis")
    press("L", "F2")
    select(room, "Semantic Text")
    press("Ctrl+L")
    (claim,) = claims(room)
    assert [part.quote for part in claim.spans] == ["his PhD thesis", "Semantic Text"]
    assert claim.text == "his PhD thesis"
    assert part(room, "claim_words").hasFocus()


def test_a_label_that_the_page_does_not_bear_out_leads_to_the_split(room):
    copy("https://en.wikipedia.org/wiki/Andrei_Broder")
    press("E", "S", "9", "I", "3", "6", "3")  # the page speaks of all of it, and the experts are divided
    ways = room.window.form_pane.problems.stated(room.window.form_pane.problems.here[0]).ways
    assert [way.kind for way in ways][:2] == ["split", "change"]
    part(room, "way_split").click()
    assert part(room, "claim_words").hasFocus()
    assert part(room, "claim_words").text() == WORDS[0]
    assert room.session.proposal is not None
    press("Return", "Shift+Z")
    assert [claim.text for claim in claims(room)] == WORDS


def test_splitting_late_loses_nothing_and_the_last_claim_gives_it_back(room):
    copy("https://en.wikipedia.org/wiki/Andrei_Broder")
    press("E", "S", "9", "A")
    whole = room.session.rating
    press("Shift+L", "Shift+Z")
    assert room.session.evidence == whole.evidence
    rules = {problem.rule for problem in room.session.outcome.problems if problem.where == "targets/s2/evidence/e1"}
    assert "evidence-names-its-claim" in rules
    for name in ("c1", "c2", "c3"):
        room.session.remove_claim(name)
    assert room.session.rating.evidence == whole.evidence
    assert room.session.rating.answers == whole.answers
    assert room.session.outcome.decided["targets/s2"]["accuracy"].value == "accurate"


def test_the_target_has_the_worst_of_its_claims_so_far(room):
    press("Shift+L", "Shift+Z", "2", "I", "7")
    assert part(room, "whole_target").text() == "Inaccurate, Major"
    assert part(room, "whole_target_so_far").text() == "so far, 2 are open"
    press("Return", "1", "A", "Return", "1", "A")
    assert part(room, "whole_target").text() == "Inaccurate, Major"
    assert part(room, "whole_target_so_far").text() == ""


def test_a_claim_that_a_page_decides_is_open_until_the_rater_labels_it(room):
    press("Shift+L", "Shift+Z")
    room.session.add_evidence("https://example.org/a")
    press("S", "Alt+0", "A")
    assert part(room, "whole_target_so_far").text() == "so far, 2 are open", "not what the evidence implies"
    press("Return", "A", "Return", "A")
    assert part(room, "whole_target_so_far").text() == ""


def test_a_question_names_the_claim_that_it_is_about(room):
    row = part(room, "question_accuracy")
    name = row.findChild(QLabel, "question_claim")
    assert name.isHidden(), "the target is not split"
    press("Shift+L", "Shift+Z")
    assert (room.session.place.claim, name.text(), name.isHidden()) == ("c1", "c1", False)
    press("Shift+J")
    assert (room.session.place.claim, name.text(), name.isHidden()) == ("c2", "c2", False)
    assert row.control().parentWidget().accessibleDescription() == "c2", "heard with the group"
    assert part(room, "question_factual").findChild(QLabel, "question_claim").isHidden()


@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
def test_the_list_shows_all_words_of_the_claim_at_hand_at_any_width(proposed, direction):
    proposed.window.setLayoutDirection(direction)
    shown = part(proposed, "claim_list")
    press("Shift+Z", "Shift+J", "Shift+J", "F2", Text("words and words " * 12), "Escape")
    for width, height in ((1400, 900), (960, 600), (720, 450), (1180, 720)):
        proposed.window.resize(width, height)
        QApplication.processEvents()
        rows = [shown.visualRect(shown.model().index(row, 0)) for row in range(3)]
        assert rows[2].height() > rows[1].height()
        assert shown.viewport().height() == sum(row.height() for row in rows)


def test_only_a_sentence_that_a_rule_fits_offers_a_split(room):
    assert part(room, "split_claims").label == "Split into 3 claims"
    press("J", "Y")
    assert part(room, "split_claims").label == "Split into 2 claims", "the example of the guideline"
    press("K", "K", "Y")
    assert part(room, "split_claims").isHidden()
    assert part(room, "claims_beside").text() == "not split"
    press("Shift+L")
    assert banner(room, "hint").startswith("No split is proposed here.")


def test_claims_beyond_what_can_be_checked_are_refused_with_a_hint(rooms, monkeypatch):
    room = opened(rooms)
    hints = []
    room.session.hinted.connect(hints.append)
    monkeypatch.setattr(check, "MAX_TESTS", 700)  # the three sentences, and one more claim
    press("Shift+L", "Shift+Z")
    assert not claims(room)
    assert hints[-1] == "This task has as many claims and pieces of evidence as can be checked."
    press("Z")
    assert len(claims(room)) == 1


def test_a_task_beyond_what_can_be_checked_is_not_opened_and_a_message_says_so(rooms, monkeypatch):
    room = rooms.with_tasks(task("t1"), task("t2", BORN, BRODER, TOWER))
    monkeypatch.setattr(check, "MAX_TESTS", 300)  # as if the second had been imported by a version without the limit
    room.desk.open_task("t2")
    rooms.qtbot.waitUntil(lambda: room.window.banners.text("trouble") is not None)
    assert 'Task "t2" can\'t be checked' in room.window.banners.text("trouble")
    assert room.session.task.id == "t1"


def test_claims_of_markdown_are_words_without_its_marks(rooms):
    text = BRODER.replace("computer science", "[computer science](http://x.example/a_(b))").replace("PhD", "**PhD**")
    target = {"id": "s1", "response": "a", "start": 0, "end": len(text), "quote": text}
    plain = {"id": "t1", "prompt": {"text": "?"}, "targets": [target]}
    room = rooms.with_tasks({**plain, "responses": [{"id": "a", "text": text, "format": "markdown"}]}, task("t2"))
    press("Y", "Shift+L")
    claims = rule_claims(room.session._current, room.session.target)
    assert claims
    for claim in claims:
        assert not set(claim.text) & set("*`[]"), claim.text
        assert "http" not in claim.text
