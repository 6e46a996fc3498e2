"""Each worked example can be given the label that the guideline gives it, and no other label is forced on it."""

import tomllib
from pathlib import Path

import pytest

from desktop_rater.format.rating import Rating
from desktop_rater.format.strict_json import read_struct
from desktop_rater.format.task import Task
from desktop_rater.operations.rubrics import builtin_rubric
from desktop_rater.rubric import check_rating
from tests.guidelines.pages import PAGES

EXAMPLES = tomllib.loads((Path(__file__).parent / "worked_examples.toml").read_text(encoding="utf-8"))
WAYS = [(example, way) for example in EXAMPLES["sentences"] for way in example.get("ways", [{}])]
LABELS = ("accurate", "inaccurate", "unsupported", "disputed")
EACH_WAY = pytest.mark.parametrize(("example", "way"), WAYS, ids=lambda row: row.get("text", ""))
PAIRS = ("side-by-side", "side-by-side-3")
COUNTED, OF_TARGET = ("supporting", "contradicting"), ("comment", "claims", "label")


def sentence_task(text):
    targets = [{"id": "s1", "response": "a", "start": 0, "end": len(text), "quote": text}]
    return {"id": "t", "prompt": {"text": "?"}, "responses": [{"id": "a", "text": text}], "targets": targets}


def pages(way, stem, **more):
    """Evidence with as many pages on each side as the example says."""
    return [
        {"id": f"{stem}{side[0]}{at}", "target": "s1", "stance": side, "url": f"https://{stem}.example/{side}/{at}"}
        | {"quote": "…", "snapshot": "0" * 64}
        | more
        for side in COUNTED
        for at in range(way.get(side, 0))
    ]


def answers(way, label):
    return {"accuracy": label} | {name: value for name, value in way.items() if name not in (*COUNTED, *OF_TARGET)}


def rating_of_sentence(example, way):
    """The rating of a rater who takes this way to the example."""
    if example["label"] == "no":
        return {"answers": {"targets": {"s1": {"factual": "no"}}}}
    target = {"factual": "yes", "comment": way.get("comment", "")}
    if "claims" not in way:
        target |= answers(way, example["label"])
    claims = [
        {"id": f"c{at}", "text": f"Claim {at}.", "answers": answers(claim, claim["label"])}
        for at, claim in enumerate(way.get("claims", ()))
    ]
    evidence = pages(way, "whole")
    for at, claim in enumerate(way.get("claims", ())):
        evidence += pages(claim, f"c{at}", claims=[f"c{at}"])
    return {
        "answers": {"targets": {"s1": target}},
        "claims": {"s1": claims} if claims else {},
        "evidence": evidence,
        "time": {"active_seconds": 700, "targets": {"s1": 700}},
    }


def check(rubric, task, rating):
    return check_rating(
        builtin_rubric(rubric), read_struct(task, Task), read_struct({"task": "t", "rater": "r", **rating}, Rating)
    )


def check_sentence(example, way):
    return check("span-factuality", sentence_task(example["text"]), rating_of_sentence(example, way))


def decided(outcome, where="targets/s1"):
    return {name: value.value for name, value in outcome.decided.get(where, {}).items()}


@EACH_WAY
def test_a_rater_gives_a_sentence_the_guideline_s_label(example, way):
    outcome = check_sentence(example, way)
    assert [(problem.rule, problem.where) for problem in outcome.problems] == []
    given = decided(outcome)
    if example["label"] == "no":
        assert given == {}
        assert [item.question.id for item in outcome.asked["targets/s1"]] == ["skipped", "factual"]
    else:
        assert given["accuracy"] == example["label"]
        severity = given.get("severity", way.get("severity"))
        assert severity == example.get("severity")


@EACH_WAY
def test_how_bad_it_is_has_to_be_said_of_everything_inaccurate(example, way):
    if example["label"] != "inaccurate":
        assert check_sentence(example, {**way, "severity": "major"}).problems == ()
        return
    without = {name: value for name, value in way.items() if name != "severity"}
    if "claims" in way:
        without["claims"] = [{k: v for k, v in claim.items() if k != "severity"} for claim in way["claims"]]
    outcome = check_sentence(example, without)
    assert {problem.rule for problem in outcome.problems} == {"required:severity"}
    assert "severity" not in decided(outcome)


ONE_SIDED = {(True, False): "accurate", (False, True): "inaccurate"}


def label_of_pages(way):
    """The label that pages on one side give, until the rater calls it otherwise: their stance is the rater's word."""
    return "" if "covers" in way else ONE_SIDED.get(tuple(bool(way.get(side)) for side in COUNTED), "")


@EACH_WAY
def test_no_other_label_passes_by_the_same_facts(example, way):
    """Every other label is refused, or needs an answer that the rater has not given."""
    if example["label"] == "no":
        return
    spoken = {**way, "comment": "Searched for it.", "severity": "minor"}
    for label in set(LABELS) - {example["label"]}:
        if "claims" not in way and label != label_of_pages(way):
            assert check_sentence({**example, "label": label}, spoken).blocking > 0
        for at, claim in enumerate(way.get("claims", ())):
            if label not in {claim["label"], label_of_pages(claim)}:
                claims = [*way["claims"][:at], {**claim, "label": label, "severity": "minor"}, *way["claims"][at + 1 :]]
                assert check_sentence(example, {**spoken, "claims": claims}).blocking > 0


def test_a_page_for_a_part_of_a_sentence_leads_to_splitting_it_and_then_to_the_right_label():
    example, way = EXAMPLES["sentences"][0], {"supporting": 1, "common_knowledge": "no", "severity": "major"}
    assert {problem.rule for problem in check_sentence(example, way).problems} == {
        "required:covers",
        "required:consensus",
    }
    (problem,) = check_sentence(example, way | {"covers": "yes", "consensus": "none"}).problems
    assert problem.rule == "contradicts:supported"
    assert problem.message == (
        "A page supports it and none contradicts it. A page that only copies the response does not decide."
        " This project's rule says Accurate."
    )
    assert decided(check_sentence(example, example["ways"][0]))["accuracy"] == "inaccurate"
    claims = [
        {"label": "inaccurate", "supporting": 1, "common_knowledge": "no", "consensus": "none", "severity": "minor"}
    ]
    (problem,) = check_sentence(example, {"claims": claims}).problems
    assert problem.message.startswith("A page supports it and none contradicts it.")


def test_each_label_is_the_guideline_s_for_some_sentence_split_and_unsplit():
    reached = {(example["label"], "claims" in way) for example, way in WAYS}
    assert reached == {(label, split) for label in LABELS for split in (True, False)} | {("no", False)}


@pytest.mark.parametrize("rubric", PAIRS)
@pytest.mark.parametrize("example", EXAMPLES["responses"], ids=lambda example: example["text"])
def test_a_rater_gives_a_response_the_guideline_s_labels(rubric, example):
    tools = [{"name": "tool", "status": status} for status in example["calls"]]
    task = {"id": "t", "prompt": {"text": "?"}, "responses": [{"id": "a", "text": example["text"], "tools": tools}]}
    given = example["answers"]
    outcome = check(rubric, task, {"answers": {"responses": {"a": given}}})
    warned = {"inaccurate-needs-explanation"} if given["factuality"] in {"not_accurate", "cant_assess"} else set()
    assert {problem.rule for problem in outcome.problems} == warned
    assert outcome.blocking == 0
    assert decided(outcome, "responses/a").items() <= given.items()


@pytest.mark.parametrize("rubric", PAIRS)
def test_a_reasonably_accurate_response_is_never_without_an_explanation(rubric):
    answered = {"punt": "none", "fulfilment": "completely", "factuality": "reasonably_accurate"}
    task = {"id": "t", "prompt": {"text": "?"}, "responses": [{"id": "a", "text": "x"}]}
    outcome = check(rubric, task, {"answers": {"responses": {"a": answered}}})
    assert [problem.rule for problem in outcome.problems] == ["reasonably-needs-explanation"]


@pytest.mark.parametrize("rubric", PAIRS)
@pytest.mark.parametrize("pair", EXAMPLES["pairs"])
def test_a_rater_prefers_a_response_or_neither(rubric, pair):
    scale = builtin_rubric(rubric).questions["preference"].question
    step = next(anchor.at for anchor in scale.anchors if anchor.label == pair["better"])
    task = {"id": "t", "prompt": {"text": "?"}, "responses": [{"id": "a", "text": "x"}, {"id": "b", "text": "y"}]}
    responses = {name: pair[name] | {"explanation": "It is unclear."} for name in ("a", "b")}
    whole = {"preference": step, "justification": "It names the fare."}
    assert check(rubric, task, {"answers": {"responses": responses, "task": whole}}).problems == ()


@pytest.mark.parametrize("rubric", PAIRS)
def test_a_preference_for_the_weaker_response_is_a_warning_however_many_steps_there_are(rubric):
    scale = builtin_rubric(rubric).questions["preference"].question
    task = {"id": "t", "prompt": {"text": "?"}, "responses": [{"id": "a", "text": "x"}, {"id": "b", "text": "y"}]}
    right = {"punt": "none", "fulfilment": "completely", "factuality": "completely_accurate"}
    responses = {"a": right, "b": right | {"fulfilment": "partially"}}
    warned = {}
    for step in (anchor.at for anchor in scale.anchors):
        whole = {"preference": step, "justification": "It names the fare."}
        outcome = check(rubric, task, {"answers": {"responses": responses, "task": whole}})
        warned[step] = [problem.rule for problem in outcome.problems]
    assert warned == {step: ["preference-against-ratings"] if step > 0 else [] for step in warned}


def test_the_examples_of_our_own_texts_are_there():
    texts = "".join(PAGES.values())
    ours = [example["text"] for kind in ("sentences", "responses") for example in EXAMPLES[kind] if "ours" in example]
    assert [text for text in ours if text not in texts] == []
