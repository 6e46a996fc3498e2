"""A rater sees how cases like a claim were decided after the own answer, and what she answered herself before."""

import json

import pytest

from desktop_rater.format.archive import open_bundle
from desktop_rater.format.change import Progress
from desktop_rater.format.manifests import Assistance, is_held_out
from desktop_rater.format.rating import Claim, DecidedCase
from desktop_rater.operations.rating.open_task import open_task
from desktop_rater.plugins.library import precedents_window
from desktop_rater.plugins.library.catalogue import Library
from desktop_rater.plugins.library.search import add_library
from desktop_rater.text.comparison import is_nearly_same
from tests.operations.bundles import RATER, make, save_ratings, take_in, task, write_lines, writer
from tests.ui.rooms import banner, part, press

CLAIM = "The bridge at Holm was opened in 1934 by the mayor Ada Kelp."
OTHER = "The ferry at Holm was sold in 1950."
PAGE = "https://holm.example/bridge"
QUOTE = "The bridge at Holm was opened in 1931."
ANSWERED = {"factual": "yes", "common_knowledge": "wrong", "accuracy": "inaccurate", "severity": "minor"}


def case(number, label, **more):
    """A line of a file of precedents."""
    plain = {
        "text": f"The bridge at Holm was opened in 1931 by its mayor no. {number}.",
        "bundle": "week-40",
        "task": f"t-{number:04}",
        "where": "targets/s1",
        "rubric": "span-factuality@3",
        "question": "accuracy",
        "value": label.lower(),
        "label": label,
        "by": "lead",
        "votes": {label: 2, "Accurate": 1},
        "section": "Consensus",
        "reason": "The year is on the plaque.",
        "evidence": [{"url": PAGE, "title": "The bridge", "quote": QUOTE, "stance": "contradicting"}],
        "decided": "2026-10-02",
    }
    return json.dumps({**plain, **more})


@pytest.fixture(autouse=True)
def _read_at_once(monkeypatch):
    monkeypatch.setattr(precedents_window, "READ_EARLIER_MS", 0)


@pytest.fixture
def team(store, web, tmp_path):
    """A library with three cases like the claim, and one of another rubric."""
    lines = [case(17, "Inaccurate"), case(18, "Unsupported", evidence=[]), case(19, "Inaccurate")]
    file = tmp_path / "team.precedents.jsonl"
    file.write_text("\n".join([*lines, case(20, "Accurate", rubric="other@1")]) + "\n")
    wanted = Library(id="", name="Team", kind="precedents", date="2026-10-02", sources=(str(file),))
    return add_library(store, wanted, web, Progress())


def room_with(rooms, share=0.0, **assistance):
    """A window with a task of the claim and another one, in which cases are shown so."""
    return rooms.with_tasks(task("t1", CLAIM, OTHER), assistance=Assistance(precedents_held_out=share, **assistance))


def line(room, name="cases"):
    shown = part(room, f"{name}_line")
    return shown.label if shown.isVisible() else ""


def plain(text):
    return text.replace("\u2068", "").replace("\u2069", "")


def test_cases_are_shown_after_the_own_answer_and_their_evidence_is_marked_as_reused(rooms, qtbot, team):
    room = room_with(rooms)
    session = room.session
    press("Alt+C")
    assert "after your own answer" in banner(room, "hint")
    assert (line(room), session.rating.precedents) == ("", None)
    press("Y")
    qtbot.waitUntil(lambda: bool(line(room)))
    assert line(room) == "3 cases like it"
    assert plain(part(room, "cases_words").text()) == "2 Inaccurate, 1 Unsupported; § Consensus"
    (record,) = session.rating.precedents
    assert (record.where, record.cases, record.value, record.first) == ("targets/s1", 3, "inaccurate", None)
    assert (record.held_out, record.opened, record.libraries[0].name) == (False, None, "Team")

    press("Alt+C")
    rows = part(room, "cases_rows").model().rows
    assert part(room, "cases_rows").hasFocus()
    assert [row.title for row in rows if not row.heading][:3] == ["Inaccurate", "Reason", "The bridge"]
    assert "1934" in rows[1].values
    assert plain(rows[1].state) == "Votes: 2 Inaccurate, 1 Accurate"
    assert session.rating.precedents[0].opened
    press("S")
    assert "Choose a piece of evidence" in banner(room, "hint")
    press("Down", "Down", "C")
    (piece,) = session.rating.evidence
    assert (piece.url, piece.quote, piece.stance, piece.opened) == (PAGE, QUOTE, "contradicting", None)
    assert piece.reused == DecidedCase(bundle="week-40", task="t-0017", where="targets/s1")
    assert "Taken" in part(room, "cases_rows").currentIndex().data()

    press("Esc")
    assert room.window.form_pane.form.hasFocus()
    press("Ctrl+Z", "Ctrl+Z")
    assert (session.rating.evidence, session.rating.answers.targets.get("s1", {})) == ((), {})
    rooms.wait_until_saved(room)
    (kept,) = rooms.stored("t1").precedents
    assert kept.opened
    room = rooms.reopened(room)
    qtbot.waitUntil(lambda: bool(line(room)))
    press("Ctrl+Shift+Z")
    assert (room.session.rating.precedents, line(room)) == ((kept,), line(room))
    press("J")
    assert line(room) == ""


def test_no_case_is_seen_before_the_label_or_at_a_held_out_place_and_both_are_recorded(rooms, qtbot, team):
    room = room_with(rooms, 1.0, precedents="decided")
    commands, session = room.window.parts["precedents"], room.session
    press("Y", "2")
    assert commands._cases == {}, "nothing is looked for before the label"
    press("I")
    qtbot.waitUntil(lambda: bool(session.rating.precedents))
    (record,) = session.rating.precedents
    assert (record.held_out, record.value, record.first) == (True, "inaccurate", "inaccurate")
    press("Alt+C")
    assert (line(room), banner(room, "hint") is None, room.window.preview.is_open) == ("", False, False)
    assert room.window.parts["library"].ready == ()
    rooms.wait_until_saved(room)
    assert rooms.stored("t1").precedents == (record,)


def test_a_bundle_can_do_without_cases(rooms, qtbot, team):
    room = room_with(rooms, precedents="never")
    press("Y", "2", "I", "6")
    rooms.wait_until_saved(room)
    assert room.window.parts["precedents"]._cases == {}
    assert rooms.stored("t1").precedents is None


def test_the_same_claim_in_another_task_is_offered_with_the_own_answers_which_one_key_takes(rooms, qtbot):
    almost, other_year = CLAIM.replace("opened in", "opened, in"), CLAIM.replace("1934", "1935")
    piece = {"id": "e1", "target": "s1", "stance": "contradicting", "url": PAGE, "quote": QUOTE}
    with writer(rooms.folder / "store") as store:
        take_in(store, make(rooms.folder / "week-46.zip", [task("t-0041", CLAIM)]))
        earlier = {"task": "t-0041", "answers": {"targets": {"s1": ANSWERED}}, "evidence": [piece]}
        save_ratings(store, "week-46", rooms.folder / "earlier.jsonl", [earlier])
    room = rooms.with_tasks(task("t1", almost, other_year))
    session = room.session
    qtbot.waitUntil(lambda: bool(line(room, "offer")))
    assert plain(line(room, "offer")) == "As in t-0041 (week-46): Inaccurate"
    assert part(room, "offer_words").text() == CLAIM
    press("Alt+R")
    case = DecidedCase(bundle="week-46", task="t-0041", where="targets/s1", own=True)
    assert session.rating.answers.targets["s1"] == ANSWERED
    assert session.rating.reused == {"targets/s1": case}
    (taken,) = session.rating.evidence
    assert (taken.url, taken.reused, taken.opened) == (PAGE, case, None)
    assert line(room, "offer") == ""
    press("Ctrl+Z")
    assert (session.rating.answers.targets, session.rating.evidence, session.rating.reused) == ({}, (), None)
    assert line(room, "offer")
    press("J")
    qtbot.waitUntil(lambda: room.window.parts["precedents"]._offers.get(("targets/s2", other_year), ...) is None)
    assert line(room, "offer") == "", "another year is another claim"
    press("Alt+R")
    assert "No earlier answer" in banner(room, "hint")


def test_an_answer_of_this_sitting_is_offered_in_the_next_task(rooms, qtbot):
    room = rooms.with_tasks(task("t1", CLAIM), task("t2", CLAIM))
    press("Y", "2", "I", "6")
    idle, commands = [], room.window.parts["precedents"]
    room.session.opened.connect(lambda: idle.append(commands._perform._jobs.is_idle("net")))
    rooms.press_for_task(room, "t2", "Ctrl+Shift+Return")
    qtbot.waitUntil(lambda: plain(line(room, "offer")) == "As in t1: Inaccurate")
    assert idle == [True], "nothing is looked for before the task is painted"
    press("N")
    rooms.wait_until_saved(room)
    room.session.answer("factual", None)
    qtbot.waitUntil(lambda: bool(line(room, "offer")))  # without an answer it is offered again


def test_the_answer_that_a_target_is_no_fact_is_not_offered_for_a_claim(rooms, qtbot):
    room = rooms.with_tasks(task("t1", OTHER), task("t2", OTHER))
    press("N")
    rooms.press_for_task(room, "t2", "Ctrl+Shift+Return")
    qtbot.waitUntil(lambda: plain(line(room, "offer")) == "As in t1: No")
    assert part(room, "offer_words").text().startswith("Does this sentence")
    press("Y")
    room.session.put_claim(Claim(id="c1", text=OTHER), "add claim")
    room.session.go_to_claim("c1")
    assert line(room, "offer") == ""


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (CLAIM, True),
        (CLAIM.upper(), False),
        (CLAIM.replace("The", "A"), True),
        (CLAIM.replace("1934", "1935"), False),
        (CLAIM.replace("Ada", "Ida"), False),
        (CLAIM.replace("was opened", "was not opened"), False),
        (CLAIM.replace("by the mayor", "by the old mayor"), True),
        ("Something else was built in 1934.", False),
    ],
)
def test_claims_are_nearly_the_same_unless_a_number_a_name_or_a_negation_differs(other, same):
    assert is_nearly_same(CLAIM, other) is is_nearly_same(other, CLAIM) is same


def suggested(name="t1"):
    return task(name, CLAIM, suggestions={"targets": {"s1": {"factual": "yes", "accuracy": "accurate"}}})


def test_held_out_suggestions_are_never_shown_and_stay_in_the_record(rooms, qtbot):
    room = rooms.with_tasks(suggested(), assistance=Assistance(suggestions_held_out=1.0))
    session = room.session
    assert session.rating.suggestions.held_out == ("targets/s1",)
    assert (session.suggested(session.stop), part(room, "suggestion_bar").isHidden()) == ({}, True)
    press("Z", "Alt+Z")
    assert "no unconfirmed suggestions" in banner(room, "hint")
    press("Y", "Ctrl+Z", "Y", "2", "I", "6")
    assert session.rating.suggestions.held_out == ("targets/s1",)
    rooms.wait_until_saved(room)
    stored = rooms.stored("t1").suggestions
    assert (stored.accepted, stored.changed, stored.ignored, stored.held_out) == (0, 0, 0, ("targets/s1",))


def test_a_share_of_the_places_is_held_out_for_the_window_and_none_of_a_ratings_file(rooms, tmp_path):
    names = [f"t{number}" for number in range(40)]
    bundle = make(tmp_path / "b.zip", map(suggested, names), assistance=Assistance(suggestions_held_out=0.5))
    with writer(rooms.folder / "store") as store:
        take_in(store, bundle)
        places = [open_task(store, "b", name, RATER).rating.suggestions.held_out for name in names]
        assert places == [("targets/s1",) if is_held_out(0.5, *place(name)) else None for name in names]
        assert 10 < sum(map(bool, places)) < 30
        save_ratings(store, "b", tmp_path / "r.jsonl", [{"task": name} for name in names])
        assert {open_task(store, "b", name, RATER).rating.suggestions.held_out for name in names} == {None}


def place(name):
    return "suggestions", "b", name, "targets/s1", RATER


def test_the_assistance_of_a_bundle_is_an_option_and_stays_in_its_parts(run, tmp_path):
    lines, bundle = write_lines(tmp_path / "t.jsonl", [task("t1"), task("t2")]), tmp_path / "b.zip"
    shares = ("--precedents-held-out", "0.2", "--suggestions-held-out", "0.3")
    assert run("bundle", "make", "--out", str(bundle), "--precedents", "decided", *shares, str(lines)).status == 0
    assert run("bundle", "split", "2", str(bundle)).status == 0
    for path in (bundle, tmp_path / "b-part-1.zip"):
        with open_bundle(path) as opened:
            assert opened.manifest.assistance == Assistance(
                precedents="decided", precedents_held_out=0.2, suggestions_held_out=0.3
            )
    assert run("bundle", "make", "--out", str(bundle), "--precedents-held-out", "2", str(lines)).status == 2
