"""A check after an edit gives what a check of everything gives, in a time that depends on the edit."""

import itertools
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from desktop_rater.format import edit
from desktop_rater.format.rating import Border, Claim, Evidence, Rating
from desktop_rater.format.strict_json import read_struct
from desktop_rater.format.task import Task
from desktop_rater.format.values import Place
from desktop_rater.rubric import CheckOutcome, Rubric, check_rating, load_rubric
from desktop_rater.rubric.check import SharedParts
from desktop_rater.rubric.evaluation import RatingEvaluation
from tests.rubric.toml_texts import choices, decision, numbers, question, rubric_text, rule

from .test_properties import RUBRICS, URLS, answers, ratings, tasks

# Targets and claims that look outwards, at everything that an edit elsewhere changes.
OUTWARDS = rubric_text(
    "outwards",
    question("whole", "required = false", choices("all", "none"), per="task", ask="Whole?"),
    question("level", 'required = { whole = "all" }', numbers(0, 3), per="response", ask="Level?"),
    question("sound", "relevant = { level = { max = 2 } }", ask="Sound?"),
    question("sure", "required = false", numbers(0, 3), ask="How sure?"),
    question(
        "true",
        'relevant = { any = [{ level = 1 }, { links_unopened = 0 }, { whole = "all" }] }',
        per="claim",
        ask="True?",
    ),
    decision("found", "true", "yes", "when = { supporting = { min = 1 }, level = { min = 1 } }", per="claim"),
    rule(
        "slow",
        'when = { research_seconds = { min = 60 }, some_claim = { true = "yes" } }',
        level="warn",
        message="Slow.",
    ),
    rule("unread", "when = { opened = false, links_differing = 0 }", per="evidence", message="Not opened."),
    rule("twice", "when = { url_repeated = true }", per="evidence", level="warn", message="Twice."),
    rule("unquoted", "when = { quote = { filled = false } }", per="evidence", level="warn", message="No quote."),
    more="""
version = 1
title = "Outwards"
[claims]
relevant = { whole = { not = "none" } }
[evidence]
per = "target"
relevant = { sound = "yes" }
[combine]
true = ["no", "yes"]
""",
)
ALL = {**RUBRICS, "outwards": load_rubric(OUTWARDS)}
PLACES = st.sampled_from(
    [
        Place(),
        Place("a"),
        Place("b"),
        Place("a", "s1"),
        Place("a", "s2"),
        Place("a", "s1", "c0"),
        Place("a", "s2", "c1"),
    ]
)


@st.composite
def edits(draw: st.DrawFn, rubric: Rubric, rating: Rating) -> Rating:
    """A rating after one thing that a rater does."""
    place, target = draw(PLACES), draw(st.sampled_from(["s1", "s2", "gone"]))
    step = draw(st.integers(0, 8))
    if step == 0:
        rating = edit.with_claim(rating, target, Claim(id=draw(st.sampled_from(["c0", "c1"])), text="x"))
    elif step == 1:
        rating = edit.without_claim(rating, target, "c0")
    elif step == 2:
        piece = Evidence(id="e0", target=target, url=draw(URLS), stance="supporting", claims=("c0", "c1"))
        rating = edit.with_evidence(rating, piece)
    elif step == 3:
        rating = edit.without_evidence(rating, "e0")
    elif step == 4:
        rating = replace(rating, links_opened=(*rating.links_opened, draw(URLS)))
    elif step == 5:
        rating = edit.with_seconds(rating, target, 61)
    elif step == 6:
        rating = edit.with_skip(rating, "unsafe", "") if rating.skipped is None else edit.without_skip(rating)
    elif step == 7:
        page = draw(st.sampled_from(["https://a.example/x", "https://b.example"]))
        rating = edit.with_link_verdict(rating, page, draw(st.sampled_from(["dead", None])))
    else:
        given_answers: dict[str, Any] = draw(answers(rubric, "task", "response", "target", "claim"))
        for name, value in given_answers.items():
            rating = edit.with_answer(rating, place, name, value)
    return rating


@st.composite
def sittings(draw: st.DrawFn) -> tuple[Rubric, Task, list[Rating]]:
    """A rating and its states after some edits, with an undo at the end."""
    rubric = ALL[draw(st.sampled_from(sorted(ALL)))]
    states = [draw(ratings(rubric))]
    for _ in range(draw(st.integers(1, 6))):
        states.append(draw(edits(rubric, states[-1])))
    return rubric, draw(tasks()), [*states, states[0]]


def as_dicts(outcome: CheckOutcome) -> list[Any]:
    """Everything that an outcome says, in its order."""
    ordered = [list(part.items()) for part in (outcome.decided, outcome.asked, outcome.places)]
    return [*ordered, outcome.problems, outcome.claims, outcome.evidence, outcome.kept]


@given(sittings())
def test_after_each_edit_the_outcome_is_that_of_a_check_of_everything(sitting):
    rubric, task, states = sitting
    before = None
    for rating in states:
        before = check_rating(rubric, task, rating, before=before)
        assert as_dicts(before) == as_dicts(check_rating(rubric, task, rating))


@given(sittings(), tasks())
def test_ratings_that_share_their_parts_are_checked_as_each_alone(sitting, other):
    rubric, task, states = sitting
    shared = SharedParts(rubric)
    for rating, rated in itertools.product(states, (task, other)):
        alone, together = check_rating(rubric, rated, rating), check_rating(rubric, rated, rating, shared=shared)
        assert repr(as_dicts(together)) == repr(as_dicts(alone))


def test_ratings_that_differ_in_one_thing_that_a_rule_reads_share_nothing_there():
    task, rubric = many_targets(1), ALL["outwards"]
    rating = edit.with_answer(edit.with_answer(Rating(task="t"), Place(), "whole", "all"), Place("a"), "level", 1)
    for name, value in {"sound": "yes", "true": "yes", "sure": 1}.items():
        rating = edit.with_answer(rating, Place("a", "s0"), name, value)
    piece = Evidence(id="e1", target="s0", stance="supporting", url="https://a.example/x", quote="A")
    second = Evidence(id="e2", target="s0", stance="contradicting", url="https://b.example", quote="B")
    rating = edit.with_evidence(edit.with_evidence(rating, piece), second)
    others = [
        edit.with_answer(rating, Place("a"), "level", 0),
        edit.with_answer(rating, Place("a", "s0"), "sure", True),  # equals 1 in Python
        edit.with_evidence(rating, replace(piece, stance="contradicting")),
        edit.with_evidence(rating, replace(piece, stance="contradicting", url=second.url)),
        edit.with_evidence(rating, replace(piece, quote=" ")),
        edit.with_claim(rating, "s0", Claim(id="c1", text="A")),
        edit.with_seconds(rating, "s0", 61),
        edit.with_skip(rating, "unsafe", ""),
        replace(rating, links_opened=(piece.url,)),
    ]
    shared = SharedParts(rubric)
    first = repr(as_dicts(check_rating(rubric, task, rating, shared=shared)))
    for other in others:
        alone, together = check_rating(rubric, task, other), check_rating(rubric, task, other, shared=shared)
        assert repr(as_dicts(together)) == repr(as_dicts(alone)) != first


def many_targets(count: int) -> Task:
    """A task with so many targets of two characters."""
    targets = [{"id": f"s{n}", "response": "a", "start": 2 * n, "end": 2 * n + 1, "quote": "A"} for n in range(count)]
    responses = [{"id": "a", "text": "A " * count}]
    return read_struct({"id": "t", "prompt": {"text": "?"}, "responses": responses, "targets": targets}, Task)


def targets_evaluated(task: Task, monkeypatch: Any, edited: Rating, before: CheckOutcome) -> list[str]:
    """Check an edited rating, and return the targets that were looked at."""
    looked_at = []
    make_node = RatingEvaluation.target_node
    with monkeypatch.context() as patch:
        patch.setattr(
            RatingEvaluation,
            "target_node",
            lambda self, target: (looked_at.append(target.id), make_node(self, target))[1],
        )
        check_rating(ALL["outwards"], task, edited, before=before)
    return looked_at


def test_an_answer_for_one_target_evaluates_that_target_only(monkeypatch):
    task, rubric = many_targets(500), ALL["outwards"]
    rating = Rating(task="t")
    before = check_rating(rubric, task, rating)
    answered = edit.with_answer(rating, Place("a", "s77"), "sound", "yes")
    assert targets_evaluated(task, monkeypatch, answered, before) == ["s77"]
    claimed = edit.with_claim(rating, "s78", Claim(id="c1", text="A"))
    assert targets_evaluated(task, monkeypatch, claimed, before) == ["s78"]
    border = Border(start=0, end=1, quote="A", was_start=4, was_end=5)
    moved = replace(rating, borders={"s2": border})
    assert targets_evaluated(edit.with_corrected_targets(task, moved), monkeypatch, moved, before) == ["s2"]


def test_an_answer_for_the_response_evaluates_the_targets_only_if_they_depend_on_it(monkeypatch):
    task, rubric = many_targets(30), ALL["outwards"]
    rating = edit.with_answer(Rating(task="t"), Place("a"), "level", 1)
    before = check_rating(rubric, task, rating)
    again = replace(rating, note="Read twice.")
    assert targets_evaluated(task, monkeypatch, again, before) == []
    raised = edit.with_answer(rating, Place("a"), "level", 2)
    assert len(targets_evaluated(task, monkeypatch, raised, before)) == 30
    # 1 equals True in Python, but no scale has the step True.
    untrue = edit.with_answer(rating, Place("a"), "level", True)
    assert len(targets_evaluated(task, monkeypatch, untrue, before)) == 30


def test_opening_a_page_evaluates_the_targets_with_evidence():
    task, rubric = many_targets(3), ALL["outwards"]
    rating = edit.with_answer(Rating(task="t"), Place("a"), "level", 1)
    rating = edit.with_answer(rating, Place("a", "s1"), "sound", "yes")
    rating = edit.with_evidence(rating, Evidence(id="e1", target="s1", stance="supporting", url="https://a.example/x"))
    before = check_rating(rubric, task, rating)
    assert "unread" in {problem.rule for problem in before.problems}
    opened = replace(rating, links_opened=("https://a.example/x",))
    assert "unread" not in {problem.rule for problem in check_rating(rubric, task, opened, before=before).problems}
