"""Choices that are offered at times, other words, decisions that wait, and questions that depend on each other."""

from typing import Any

from desktop_rater.rubric import CheckOutcome, check_rating, load_rubric
from desktop_rater.rubric.suggest import rubric_for_model, without_research
from tests.rubric.conftest import broken, one_target_task, rating_of

RUBRIC = """
id = "parts"
[evidence]
per = "target"
[claims]
several = { kind = "mixed" }
[[questions]]
id = "kind"
per = "claim"
ask = "What kind is it?"
kind = "choices"
choices = [
  { id = "plain", label = "Plain" },
  { id = "mixed", label = "Mixed", relevant = { claims = 0, supporting = { min = 1 } } },
]
required = true
[[questions]]
id = "before"
per = "claim"
ask = "Before?"
kind = "choice"
choices = [{ id = "yes", label = "Yes" }, { id = "no", label = "No" }]
relevant = { any = [{ supporting = 0 }, { supporting = { min = 1 }, after = "yes" }] }
required = true
wording = { when = { after = "yes" }, ask = "And before?" }
[[questions]]
id = "after"
per = "claim"
ask = "After?"
kind = "choice"
choices = [{ id = "yes", label = "Yes" }, { id = "no", label = "No" }]
relevant = { any = [{ supporting = { min = 1 } }, { supporting = 0, before = "yes" }] }
required = { kind = "mixed" }
[[questions]]
id = "label"
per = "claim"
ask = "Which?"
kind = "choice"
choices = [{ id = "good", label = "Good" }, { id = "bad", label = "Bad" }]
[[decide]]
id = "all-good"
per = "claim"
sets = "label"
when = { any = [{ before = "yes" }, { supporting = { min = 1 } }] }
needs = ["after"]
then = "good"
source = "guideline"
guideline = "Page 3"
message = "It is good."
"""
PAGE = {"id": "e1", "target": "s1", "stance": "supporting", "url": "https://a.example/"}


def checked(answers: dict[str, Any], *, pages: int = 0, claims: bool = False) -> CheckOutcome:
    task = one_target_task()
    parts: dict[str, Any] = {"evidence": [{**PAGE, "claims": ["c1"]} if claims else PAGE][:pages]}
    if claims:
        parts["claims"] = {"s1": [{"id": "c1", "text": "x", "answers": answers}]}
    return check_rating(
        load_rubric(RUBRIC), task, rating_of(task, answers={"targets": {"s1": {} if claims else answers}}, **parts)
    )


def asked(outcome: CheckOutcome, where: str = "targets/s1") -> dict[str, Any]:
    return {item.question.id: item.question for item in outcome.asked[where]}


def test_a_choice_is_offered_only_while_its_condition_holds():
    offered = {pages: [choice.id for choice in asked(checked({}, pages=pages))["kind"].choices] for pages in (0, 1)}
    assert offered == {0: ["plain"], 1: ["plain", "mixed"]}
    split = checked({}, pages=1, claims=True)
    assert [choice.id for choice in asked(split, "targets/s1/claims/c1")["kind"].choices] == ["plain"]


def test_an_answer_that_is_not_offered_is_none_also_among_several():
    for answer in (["mixed"], ["plain", "mixed"]):
        required = {("required:kind", "targets/s1")}
        assert required <= broken(checked({"kind": answer}))
        assert not required & broken(checked({"kind": answer}, pages=1))


def test_two_questions_depend_on_each_other_where_a_fact_keeps_them_apart():
    assert set(asked(checked({}))) == {"kind", "before", "label"}
    assert set(asked(checked({"before": "yes"}))) == {"kind", "before", "after", "label"}
    assert set(asked(checked({}, pages=1))) == {"kind", "after", "label"}
    both = asked(checked({"after": "yes", "before": "no"}, pages=1))
    assert set(both) == {"kind", "before", "after", "label"}
    assert (both["before"].ask, asked(checked({}))["before"].ask) == ("And before?", "Before?")


def test_a_decision_waits_while_a_question_that_it_needs_is_open():
    mixed = {"kind": ["mixed"], "label": "bad"}
    assert checked(mixed, pages=1).decided == {}
    assert ("required:after", "targets/s1") in broken(checked(mixed, pages=1))
    assert checked({**mixed, "after": "no"}, pages=1).decided["targets/s1"]["label"].by == "all-good"
    plain = {"kind": ["plain"], "label": "bad"}
    assert checked(plain, pages=1).decided["targets/s1"]["label"].by == "all-good", "it is not required"


def test_a_target_that_holds_several_claims_is_judged_in_the_projects_name():
    said = {}
    for kind in ("plain", "mixed"):
        outcome = checked({"kind": [kind], "after": "no", "label": "bad"}, pages=1)
        (said[kind],) = [problem.message for problem in outcome.problems if problem.rule == "contradicts:all-good"]
    assert said == {
        "plain": "It is good. The guideline says Good.",
        "mixed": "It is good. This project's rule says Good.",
    }


def test_a_model_is_asked_without_what_depends_on_pages():
    rubric = load_rubric(RUBRIC)
    part = rubric_for_model(rubric, without_research(rubric))
    outcome = check_rating(part, one_target_task(), rating_of(one_target_task()))
    assert [choice.id for choice in asked(outcome)["kind"].choices] == ["plain"]
    assert set(part.questions) == {"kind", "label"}
    assert part.file.decide == ()


def test_the_tools_that_brought_nothing_are_counted(rubrics):
    outputs = [("ok", []), ("ok", {"flights": []}), ("ok", {"flights": {}}), ("empty", None), ("no_results", "none")]
    full = [("ok", {"flights": [], "at": "noon"}), ("ok", ""), ("not_recorded", None), ("ok", [[]]), ("error", "down")]
    for calls, warns in ((outputs, True), (full, False)):
        for status, output in calls:
            tools = [{"name": "t", "status": status, "output": output}]
            task = one_target_task(responses=[{"id": "a", "text": "There is one.", "tools": tools}], targets=[])
            answers = {"punt": "none", "fulfilment": "completely", "factuality": "completely_accurate"}
            for rubric in ("side-by-side", "side-by-side-3"):
                outcome = check_rating(rubrics[rubric], task, rating_of(task, answers={"responses": {"a": answers}}))
                problems = [(p.rule, p.level) for p in outcome.problems if p.rule == "empty-output-no-punt"]
                assert problems == ([("empty-output-no-punt", "warn")] if warns else []), (status, output)
            punts = {"responses": {"a": answers | {"punt": "fabricated"}}}
            rules = broken(check_rating(rubrics["side-by-side"], task, rating_of(task, answers=punts)))
            assert ("empty-output-no-punt", "responses/a") not in rules


def test_a_call_whose_output_was_not_recorded_counts_as_a_good_one(rubrics):
    asked_about = {}
    for status in ("ok", "not_recorded", "missing"):
        tools = [{"name": "t", "status": status}]
        task = one_target_task(responses=[{"id": "a", "text": "There is one.", "tools": tools}], targets=[])
        outcome = check_rating(rubrics["side-by-side"], task, rating_of(task))
        asked_about[status] = "tool_needed_and_failed" in asked(outcome, "responses/a")
    assert asked_about == {"ok": False, "not_recorded": False, "missing": True}
