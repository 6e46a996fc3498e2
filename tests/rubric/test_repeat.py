"""The answers of one target repeated at others: what is copied, and which targets are refused."""

from msgspec.structs import replace

from desktop_rater.format import edit
from desktop_rater.format.values import Place
from desktop_rater.rubric import check_rating
from desktop_rater.rubric.repeat import mirrored, repeat_source, repeated

from .conftest import one_target_task, rating_of

TEXT = "One. Two. Three. Four."
SPANS = {"s1": (0, 4), "s2": (5, 9), "s3": (10, 16), "s4": (17, 22)}
TARGETS = [
    {"id": name, "response": "a", "start": start, "end": end, "quote": TEXT[start:end]}
    for name, (start, end) in SPANS.items()
]
TASK = one_target_task(responses=[{"id": "a", "text": TEXT}], targets=TARGETS)
SUPPORTED = {"factual": "yes", "accuracy": "accurate", "comment": "Seen."}


def page(name, target, url="https://example.org/a", **more):
    return {"id": name, "target": target, "stance": "supporting", "url": url, "quote": "so", **more}


def source_at(rubric, rating, target="s1"):
    return repeat_source(rubric, TASK, rating, check_rating(rubric, TASK, rating), target)


def problems_of(rubric, rating, target):
    outcome = check_rating(rubric, TASK, rating)
    return {(problem.rule, problem.where.replace(target, "")[:8]) for problem in outcome.problems_of(target)}


def test_answers_and_evidence_are_copied_and_judged_alike(factuality):
    rating = rating_of(
        TASK,
        answers={"targets": {"s1": {**SUPPORTED, "severity": "minor"}}},
        evidence=[page("e1", "s1", opened="2026-11-20T12:00:00Z", snapshot="a" * 64)],
        research=[{"kind": "search", "target": "s1", "query": "one", "engine": "bing"}],
        acknowledged=[{"rule": "evidence-never-opened", "where": "targets/s1/evidence/e1"}],
        borders={"s1": {"start": 0, "end": 3, "quote": "One", "was_start": 0, "was_end": 4}},
        time={"active_seconds": 60, "targets": {"s1": 60}},
    )
    copied, refused = repeated(factuality, TASK, rating, source_at(factuality, rating), ["s2", "s3"])
    assert not refused
    assert copied.answers.targets["s2"] == copied.answers.targets["s3"] == SUPPORTED, "a hidden answer is not repeated"
    assert [(piece.id, piece.target) for piece in copied.evidence] == [("e1", "s1"), ("e2", "s2"), ("e3", "s3")]
    assert replace(copied.evidence[2], id="e1", target="s1") == copied.evidence[0]
    for own in ("research", "acknowledged", "borders", "time", "claims"):
        assert getattr(copied, own) == getattr(rating, own), own
    assert problems_of(factuality, copied, "s2") == problems_of(factuality, copied, "s1")
    again, _ = repeated(factuality, TASK, copied, source_at(factuality, rating), ["s2"])
    assert again == copied, "a page is there once"


def test_a_target_with_claims_or_other_evidence_is_refused_and_stays_as_it_was(factuality):
    claims = {"s2": [{"id": "c1", "text": "Two"}]}
    rating = rating_of(
        TASK,
        answers={"targets": {"s1": SUPPORTED, "s2": {"factual": "yes"}}},
        claims=claims,
        evidence=[page("e1", "s1"), page("e2", "s3", stance="contradicting", url="https://example.org/b")],
    )
    copied, refused = repeated(factuality, TASK, rating, source_at(factuality, rating), ["s2", "s3", "s4"])
    assert refused == ("s2", "s3")
    assert copied.answers.targets == {**rating.answers.targets, "s4": SUPPORTED}
    assert [piece.target for piece in copied.evidence] == ["s1", "s3", "s4"]
    assert source_at(factuality, rating, "s2") is None, "claims are in a target's own words"
    assert source_at(factuality, rating, "s4") is None, "nothing is answered there"


def test_a_change_is_made_at_targets_with_equal_facts_that_are_asked_the_same(factuality):
    rating = rating_of(
        TASK,
        answers={"targets": {"s1": {"factual": "yes"}, "s2": {"factual": "yes"}, "s3": {"factual": "no"}}},
        evidence=[page("e1", "s1"), page("e2", "s2")],
    )

    def change(after):
        return mirrored(factuality, TASK, rating, after, check_rating(factuality, TASK, rating), "s1", ["s1", *SPANS])

    answered, refused = change(edit.with_answer(rating, Place(response="a", target="s1"), "accuracy", "accurate"))
    assert refused == ("s3", "s4")
    assert answered.answers.targets["s2"]["accuracy"] == "accurate"
    turned, _ = change(edit.with_evidence(rating, replace(rating.evidence[0], stance="contradicting")))
    assert [piece.stance for piece in turned.evidence] == ["contradicting", "contradicting"]
    removed, _ = change(edit.without_evidence(rating, "e1"))
    assert not removed.evidence
