"""One page speaks of several claims of a target, or decides none of them."""

import json
import zipfile
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from desktop_rater.format.edit import with_claim, with_evidence
from desktop_rater.format.rating import Claim, Evidence, Rating
from desktop_rater.format.strict_json import read_struct
from desktop_rater.format.task import Task
from desktop_rater.format.values import Place
from desktop_rater.operations.rubrics import builtin_rubric
from desktop_rater.rubric import check_rating
from desktop_rater.ui.pages import evidence_pane
from desktop_rater.ui.pages.evidence_pane import EvidenceList, EvidenceRow
from desktop_rater.ui.review.rater_view import evidence_cell, links_cell
from desktop_rater.ui.widgets.list_view import ListRowModel
from tests.operations.bundles import make, rating, task
from tests.operations.rated import results_of
from tests.ui.articles import CLAIM, SECOND, THIRD, choose, pieces, read_and_choose
from tests.ui.rooms import part, press


@pytest.fixture
def room(rooms):
    """A target with the claims c1 and c2, at the first."""
    room = rooms.with_tasks(task("t1", CLAIM, "It lies on the Loire."))
    press("Y")
    for span in ((0, 15), (16, len(CLAIM))):
        room.session.add_claim(*span)
    room.session.go_to(Place("a", "s1", "c1"))
    return room


def spoken(room):
    model = room.window.form_pane.form.evidence.model
    role = Qt.ItemDataRole.AccessibleTextRole
    return [model.index(row).data(role) for row in range(model.rowCount())]


def rules(room):
    return {problem.rule for problem in room.session.outcome.problems}


def test_the_fields_of_a_page_have_their_room_in_every_bundle(room, rooms):
    room.window.resize(1366, 728)
    room.session.add_evidence("https://example.org/a")
    room.transfer.import_bundle(make(rooms.folder / "other.zip", [task("t9", CLAIM)], id="other"))
    rooms.wait_for_task(room, "t9")
    press("Y")
    room.session.add_evidence("https://example.org/a")
    press("Shift+S", "1", "Q")
    evidence = room.window.form_pane.form.evidence
    rooms.qtbot.waitUntil(lambda: evidence.height() >= evidence.heightForWidth(evidence.width()))


def test_alt_and_a_number_switch_the_claims_of_the_selected_page(room, rooms):
    room.session.add_evidence("https://example.org/a")
    press("S", "Alt+2")
    (piece,) = pieces(room)
    assert part(room, "evidence_empty").text() == "for both claims"
    assert (piece.claim, piece.claims, piece.stance) == (None, ("c1", "c2"), "supporting")
    assert "for claims 1, 2" in spoken(room)[0]

    press("Shift+J")
    assert room.session.place.claim == "c2"
    assert len(spoken(room)) == 1, "evidence of all claims is listed at each"
    press("Alt+1")
    assert pieces(room)[0].claims == ("c2",)
    press("Alt+0")
    assert pieces(room)[0].claims == ("c1", "c2")
    press("Ctrl+Z")
    assert pieces(room)[0].claims == ("c2",)
    rooms.wait_until_saved(room)
    assert rooms.stored("t1").evidence == pieces(room)


def test_a_passage_is_taken_for_two_claims_at_once(room, qtbot, page):
    read_and_choose(room, qtbot, page, THIRD)
    press("Alt+2")
    assert part(room, "take_words").text() == "14 words selected, for c1 c2"
    press("S")
    assert [(piece.claims, piece.quote) for piece in pieces(room)] == [(("c1", "c2"), THIRD)]


def test_the_other_stance_for_one_of_its_claims_leaves_the_page_with_the_other(room, qtbot, page):
    read_and_choose(room, qtbot, page, THIRD)
    press("Alt+2", "S")
    press("Alt+2", "C")
    assert [(piece.claims, piece.stance, piece.quote) for piece in pieces(room)] == [
        (("c2",), "supporting", THIRD),
        (("c1",), "contradicting", THIRD),
    ]
    press("Ctrl+Z")
    assert [(piece.claims, piece.stance) for piece in pieces(room)] == [(("c1", "c2"), "supporting")]


def test_a_further_passage_for_one_claim_keeps_the_quote_for_the_other(room, qtbot, page):
    read_and_choose(room, qtbot, page, THIRD)
    press("Alt+2", "S", "Alt+2")
    choose(room, SECOND, "S")
    assert [(piece.claims, piece.quote) for piece in pieces(room)] == [(("c2",), THIRD), (("c1",), SECOND)]
    assert "evidence-url-valid" not in rules(room)


def test_a_page_that_does_not_decide_counts_for_neither_side_and_says_why(room, rooms):
    room.session.add_evidence("https://example.org/a")
    press("Shift+S")
    assert part(room, "neutral_reason").isVisible()
    press("1")

    (piece,) = pieces(room)
    assert (piece.stance, piece.reason) == ("neutral", "copy")
    assert part(room, "neutral_reason").isHidden()
    assert spoken(room)[0].startswith("Does not decide, for claim 1,")
    assert "a copy" in spoken(room)[0]
    assert "common_knowledge" in {question.question.id for question in room.session.form_questions}

    press("C")
    assert (pieces(room)[0].stance, pieces(room)[0].reason) == ("contradicting", None)
    press("Ctrl+Z")
    assert (pieces(room)[0].stance, pieces(room)[0].reason) == ("neutral", "copy")


def test_the_reason_may_be_left_open(room):
    room.session.add_evidence("https://example.org/a")
    press("Shift+S", "Esc")
    assert part(room, "neutral_reason").isHidden()
    assert "no reason given" in spoken(room)[0]
    press("2")
    assert pieces(room)[0].reason is None, "the digit is an answer again"


def test_a_passage_is_taken_as_not_deciding_and_the_reason_is_one_more_key(room, qtbot, page):
    read_and_choose(room, qtbot, page, THIRD)
    press("Shift+S", "3")
    assert [(piece.stance, piece.reason, piece.quote) for piece in pieces(room)] == [("neutral", "off_topic", THIRD)]
    assert room.window.preview.has_focus, "the keys read the page again"


def test_a_sentence_that_is_split_late_asks_what_its_pages_speak_of(rooms):
    room = rooms.with_tasks(task("t1", CLAIM))
    press("Y")
    room.session.add_evidence("https://example.org/a")
    press("S")
    assert "evidence-names-its-claim" not in rules(room)

    for span in ((0, 15), (16, len(CLAIM))):
        room.session.add_claim(*span)

    assert "evidence-names-its-claim" in rules(room)
    assert "Which claims?" in spoken(room)[0]
    room.session.go_to(Place("a", "s1", "c1"), "accuracy")
    press("F8", "Alt+2")
    assert pieces(room)[0].claim_ids == ("c2",)
    assert "evidence-names-its-claim" not in rules(room)
    assert "Which claims?" not in spoken(room)[0]


def test_evidence_of_a_claim_that_is_gone_is_shown_and_asked_about(room):
    gone = Evidence(id="e1", target="s1", claims=("c1", "c9"), stance="supporting", url="https://example.org/a")
    room.session.change(with_evidence(room.session.rating, gone), "test")
    assert "Which claims?" in spoken(room)[0]
    press("Alt+2")
    assert pieces(room)[0].claims == ("c1", "c2")
    assert "evidence-names-its-claim" not in rules(room)


def test_an_older_rating_with_one_claim_for_each_page_is_read_and_changed(room):
    old = Evidence(id="e1", target="s1", claim="c1", stance="supporting", url="https://example.org/a")
    rating = with_claim(room.session.rating, "s1", Claim(id="c3", text="More."))
    room.session.change(with_evidence(rating, old), "test")
    press("Alt+3")
    assert (pieces(room)[0].claim, pieces(room)[0].claims) == (None, ("c1", "c3"))


def test_a_link_of_one_claim_may_say_the_opposite_of_another(room):
    QApplication.clipboard().setText("https://example.org/a")
    press("E", "S", "Shift+J", "E", "C")
    assert [(piece.claims, piece.stance, piece.url) for piece in pieces(room)] == [
        (("c1",), "supporting", "https://example.org/a"),
        (("c2",), "contradicting", "https://example.org/a"),
    ]


def test_the_lead_sees_what_does_not_decide_and_which_links_differ(tmp_path):
    link = "https://example.org/a"
    neutral = {"id": "e1", "target": "s1", "stance": "neutral", "reason": "copy", "url": link}
    given = rating("t-1", evidence=[neutral], link_verdicts={link: "differs"}, links_counted=[link])
    bundle = [task("t-1", f"It is so, see {link}.")]
    with zipfile.ZipFile(results_of(tmp_path, bundle, {"r": [given]})[0]) as archive:
        stored = read_struct(json.loads(archive.read("ratings.jsonl")), Rating)
        of_task = read_struct(json.loads(archive.read("tasks.jsonl")), Task)
    rubric = builtin_rubric("span-factuality")
    of: Any = SimpleNamespace(rating=stored, task=of_task, outcome=check_rating(rubric, of_task, stored))
    parts = evidence_cell(of, "targets/s1").parts
    assert (parts[0].text, parts[0].mark) == ("Does not decide: a copy, example.org/a", "neutral")
    links = [(part.text, part.mark) for part in links_cell(of, "targets/s1").parts]
    assert links == [("Differs: example.org/a", "differs"), ("Counted, not opened: example.org/a", "counted")]


def test_the_title_of_evidence_takes_the_width_that_stance_and_time_leave(qtbot, monkeypatch):
    painted = []
    monkeypatch.setattr(evidence_pane, "draw_text", lambda *_given: painted.append(_given[-1]))
    view, model = EvidenceList("evidence"), ListRowModel()
    qtbot.addWidget(view)
    view.setModel(model)
    title, quote = "Largest cities of Asia", "“Delhi has 33 million inhabitants”"
    model.show([EvidenceRow("e1", title, detail=quote, mark="ring-plus", stance="Supports", stored_text="08:38")])
    view.resize(340, 60)
    view.grab()
    assert {title, quote} <= set(painted), "neither is elided"
