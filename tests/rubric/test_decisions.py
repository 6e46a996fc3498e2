"""What a rater is told about a target: the decision table, what is asked, and what blocks."""

from typing import Any

import pytest

from desktop_rater.rubric import Rubric, check_rating
from tests.rubric.conftest import broken, check_target, one_target_task, rating_of


def page(number: int, stance: str, **more: Any) -> dict[str, Any]:
    return {
        "id": f"e{number}",
        "target": "s1",
        "stance": stance,
        "url": f"https://page{number}.example/",
        "quote": "so it says",
        "snapshot": "ab" * 32,
        **more,
    }


FOR, AGAINST = page(1, "supporting"), page(2, "contradicting")


def test_a_contradiction_says_which_label_the_guideline_means(factuality):
    outcome = check_target(factuality, {"factual": "yes", "accuracy": "disputed"}, evidence=[FOR])
    (message,) = [problem.message for problem in outcome.problems if problem.rule == "contradicts:supported"]
    assert message is not None
    assert "Accurate" in message


def test_a_target_without_facts_asks_for_nothing_more(factuality):
    outcome = check_target(factuality, {"factual": "no", "accuracy": "inaccurate"}, evidence=[FOR])
    assert [asked.question.id for asked in outcome.asked["targets/s1"]] == ["skipped", "factual"]
    assert outcome.problems == ()
    assert outcome.kept == frozenset()


def test_a_missing_fact_is_the_problem_and_not_the_label(factuality):
    outcome = check_target(factuality, {"factual": "yes", "accuracy": "disputed"}, evidence=[FOR, AGAINST])
    assert broken(outcome) == {("required:consensus", "targets/s1")}
    assert outcome.decided == {}


def test_an_answer_that_the_question_does_not_offer_is_none(factuality):
    for odd in ("Yes", "", True, 1, None, ["yes"], {"yes": 1}):
        assert ("required:factual", "targets/s1") in broken(check_target(factuality, {"factual": odd}))


def test_two_spellings_of_one_page_count_once(factuality):
    again = page(3, "supporting", url="HTTPS://PAGE1.example#top")
    outcome = check_target(factuality, {"factual": "yes", "accuracy": "accurate"}, evidence=[FOR, again])
    assert broken(outcome) == {("evidence-url-valid", "targets/s1/evidence/e3")}


def test_the_worst_claim_labels_the_target(factuality):
    claims = [
        {"id": "c1", "answers": {"common_knowledge": "right", "accuracy": "accurate"}},
        {"id": "c2", "answers": {"accuracy": "disputed", "consensus": "none"}},
    ]
    evidence = [{**FOR, "claim": "c2"}, {**AGAINST, "claim": "c2"}]
    outcome = check_target(factuality, {"factual": "yes"}, claims={"s1": claims}, evidence=evidence)
    assert broken(outcome) == set()
    assert outcome.decided["targets/s1"]["accuracy"].value == "disputed"
    assert outcome.decided["targets/s1"]["accuracy"].by == "claims"


def test_evidence_that_names_a_vanished_claim_counts_for_the_target_again(factuality):
    outcome = check_target(factuality, {"factual": "yes", "accuracy": "accurate"}, evidence=[{**FOR, "claim": "c9"}])
    assert broken(outcome) == set()


def test_in_a_skipped_task_nothing_is_asked(factuality):
    outcome = check_target(
        factuality, {"factual": "yes"}, evidence=[FOR], status="skipped", skipped={"reason": "other"}
    )
    assert (outcome.asked, outcome.problems, outcome.decided, outcome.kept) == ({}, (), {}, frozenset())


def test_two_claims_that_are_not_there_are_two_claims(factuality):
    claims = {"s1": [{"id": "c1", "answers": {"common_knowledge": "right", "accuracy": "accurate"}}]}
    strange = [page(1, "supporting", claim="zz"), page(2, "supporting", url="https://page1.example/", claim="yy")]
    outcome = check_target(factuality, {"factual": "yes"}, claims=claims, evidence=strange)
    assert {rule for rule, _ in broken(outcome)} == {"evidence-names-its-claim"}


@pytest.mark.parametrize(
    "link", ["http://googleusercontent.com/", "http://googleusercontent.com/map/0", "http://GoogleUserContent.com/#a"]
)
def test_a_placeholder_counts_as_opened_however_it_is_spelt(rubrics, link):
    task = one_target_task(responses=[{"id": "a", "text": f"See {link} ."}], targets=[])
    outcome = check_rating(rubrics["side-by-side"], task, rating_of(task))
    assert ("links-unopened", "responses/a") not in broken(outcome)


def split_target(factuality: Rubric, severities: list[str | None], **more: Any) -> Any:
    """The outcome for a target of which each claim is contradicted by a page, or accurate where it has no severity."""
    claims, evidence = [], []
    for number, severity in enumerate(severities, 1):
        wrong = {"accuracy": "inaccurate"} | ({"severity": severity} if severity != "missing" else {})
        answers = {"accuracy": "accurate"} if severity is None else wrong
        claims.append({"id": f"c{number}", "text": "x", "answers": answers})
        stance = "supporting" if severity is None else "contradicting"
        evidence.append(page(number, stance, claims=[f"c{number}"]))
    return check_target(factuality, {"factual": "yes"}, claims={"s1": claims}, evidence=evidence, **more)


def test_the_severity_of_a_split_target_is_the_worst_of_its_claims(factuality):
    outcome = split_target(factuality, ["minor", None, "critical"])
    assert {name: (label.value, label.by) for name, label in outcome.decided["targets/s1"].items()} == {
        "accuracy": ("inaccurate", "claims"),
        "severity": ("critical", "claims"),
    }
    assert "severity" not in split_target(factuality, ["minor", "missing"]).decided["targets/s1"]
    assert "severity" not in split_target(factuality, [None, None]).decided["targets/s1"]


def test_one_page_speaks_for_several_claims_and_a_neutral_one_for_neither_side(factuality):
    claims = [{"id": name, "text": name, "answers": {"accuracy": "accurate"}} for name in ("c1", "c2")]
    evidence = [page(1, "supporting", claims=["c1", "c2"]), page(2, "neutral", claims=["c1"], reason="copy")]
    outcome = check_target(factuality, {"factual": "yes"}, claims={"s1": claims}, evidence=evidence)
    assert outcome.problems == ()
    assert {where: label["accuracy"].by for where, label in outcome.decided.items()} == {
        "targets/s1/claims/c1": "supported",
        "targets/s1/claims/c2": "supported",
        "targets/s1": "claims",
    }
    again = [*evidence, page(1, "supporting", id="e9", claims=["c2"]), page(3, "supporting", claims=["gone"])]
    outcome = check_target(factuality, {"factual": "yes"}, claims={"s1": claims}, evidence=again)
    assert broken(outcome) == {
        ("evidence-url-valid", "targets/s1/evidence/e9"),
        ("evidence-names-its-claim", "targets/s1/evidence/e3"),
    }


def test_a_page_that_names_a_claim_and_a_vanished_one_counts_for_the_first(factuality):
    claims = {"s1": [{"id": "c1", "text": "x", "answers": {"accuracy": "accurate"}}]}
    evidence = [page(1, "supporting", claims=["c1", "gone"])]
    outcome = check_target(factuality, {"factual": "yes"}, claims=claims, evidence=evidence)
    assert outcome.problems == ()
    assert outcome.decided["targets/s1/claims/c1"]["accuracy"].by == "supported"


def test_minutes_in_the_rater_s_own_browser_count_as_research(factuality):
    answers = {"factual": "yes", "accuracy": "unsupported", "common_knowledge": "no", "expected_to_be_found": "no"}
    outside = {"kind": "outside", "target": "s1", "seconds": 400}
    given = {"time": {"targets": {"s1": 200}}, "research": [outside]}
    outcome = check_target(factuality, answers | {"comment": "searched"}, **given)
    assert outcome.problems == ()
    given["research"] = [outside | {"target": "s2"}]
    outcome = check_target(factuality, answers | {"comment": "searched"}, **given)
    assert broken(outcome) == {("unsupported-research-time", "targets/s1")}


@pytest.mark.parametrize(
    "comment", ["  ", *"\u3000\xa0\u200b\u200d\ufeff\xad\u3164\u2800\U000e0041", "\u200e \u2800\t\u3164", "."]
)
def test_a_comment_that_shows_nothing_is_no_comment(factuality, comment):
    answers = {"factual": "yes", "common_knowledge": "no", "expected_to_be_found": "no", "accuracy": "unsupported"}

    problems = broken(check_target(factuality, {**answers, "comment": comment}))

    assert (("unsupported-needs-comment", "targets/s1") in problems) is (comment != ".")
