"""A rater sees how cases like a claim were decided after the own answer, and what she answered herself before."""

from __future__ import annotations

import json

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.format.manifests import Assistance, is_held_out
from desktop_rater.format.rating import DecidedCase
from desktop_rater.operations.bundles.inspect_bundle import inspect_bundle
from desktop_rater.plugins.library.catalogue import Library
from desktop_rater.plugins.library.search import add_library
from desktop_rater.text.comparison import is_nearly_same
from tests.operations.bundles import RATER, make, save_ratings, take_in, task, writer
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


@pytest.fixture
def team(store, web, tmp_path):
    """A library with three cases like the claim, and one of another rubric."""
    lines = [case(17, "Inaccurate"), case(18, "Unsupported", evidence=[]), case(19, "Inaccurate")]
    file = tmp_path / "team.precedents.jsonl"
    file.write_text("\n".join([*lines, case(20, "Accurate", rubric="other@1")]) + "\n")
    wanted = Library(id="", name="Team", kind="precedents", date="2026-10-02", sources=(str(file),))
    return add_library(store, wanted, web, Progress())


def room_with(rooms, **assistance):
    """A window with a task of the claim and another one, which is shown cases so."""
    given = Assistance(**{"precedents_held_out": 0.0, **assistance})
    return rooms.with_tasks(task("t1", CLAIM, OTHER), assistance=given)


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
    assert plain(line(room)) == "3 cases like it: 2 Inaccurate, 1 Unsupported; § Consensus"
    (record,) = session.rating.precedents
    assert (record.where, record.cases, record.value, record.first) == ("targets/s1", 3, "inaccurate", None)
    assert (record.held_out, record.opened, record.libraries[0].name) == (False, None, "Team")

    press("Alt+C")
    rows = part(room, "cases_rows").model().rows
    assert part(room, "cases_rows").hasFocus()
    assert [row.title for row in rows if not row.heading][:3] == ["Inaccurate", "Reason", "The bridge"]
    assert rows[1].values == "differs: 1934 / 1931" or "1934" in rows[1].values
    assert plain(rows[1].detail) == "Votes: 2 Inaccurate, 1 Accurate"
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
