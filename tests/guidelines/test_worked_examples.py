"""What the guidelines answer in their worked examples is complete, breaks no rule and raises no warning."""

import pytest

from desktop_rater.format.rating import Rating
from desktop_rater.format.strict_json import read_struct
from desktop_rater.format.task import Task
from desktop_rater.operations.rubrics import builtin_rubric
from desktop_rater.rubric import check_rating
from tests.guidelines.pages import PAGES, RUBRICS, rows, said, worked_examples

PAIRS = worked_examples(PAGES["side-by-side"])
SCALES = worked_examples(PAGES["response-quality"])
NOT_ASKED = ("", "not asked")


def questions(rubric, kinds):
    """The questions of these kinds by their sections."""
    return {one.section: one for one in RUBRICS[rubric].questions if one.kind in kinds}


def problems(rubric, task, answers):
    rating = {"task": "t", "rater": "r", "answers": answers}
    outcome = check_rating(builtin_rubric(rubric), read_struct(task, Task), read_struct(rating, Rating))
    return [(problem.rule, problem.where) for problem in outcome.problems]


def answer_of(question, words):
    """The value that stands behind what a rater reads."""
    if question.kind == "choice":
        return {choice.label: choice.id for choice in question.choices}[words]
    return words


@pytest.mark.parametrize("title", PAIRS)
def test_a_pair_is_answered_as_the_rubric_wants_it(title):
    asked = questions("side-by-side", ("choice", "text"))
    given = {"a": {}, "b": {}}
    for section, *cells in rows(PAIRS[title]):
        for response, words in zip(given, cells, strict=True):
            if words not in NOT_ASKED:
                given[response][asked[section].id] = answer_of(asked[section], words)
    responses = [
        {"id": name, "text": name, "tools": [{"name": "search", "status": status}]}
        for name, status in ((name, "error" if "tool_needed_and_failed" in given[name] else "ok") for name in given)
    ]
    (scale,) = questions("side-by-side", ("scale",)).values()
    steps = {anchor.label: anchor.at for anchor in scale.anchors}
    whole = {scale.id: steps[said(PAIRS[title], "Preference")], "justification": said(PAIRS[title], "Justification")}
    task = {"id": "t", "prompt": {"text": title}, "responses": responses}
    assert problems("side-by-side", task, {"responses": given, "task": whole}) == []


def test_the_pairs_show_every_punt_and_every_fulfilment():
    cells = {tuple(row) for text in PAIRS.values() for row in rows(text)}
    asked = {one.section: {choice.label for choice in one.choices} for one in RUBRICS["side-by-side"].questions}
    for section in ("Punts", "Fulfilment"):
        assert {words for row in cells if row[0] == section for words in row[1:]} == asked[section]


@pytest.mark.parametrize("title", SCALES)
def test_scales_are_answered_as_the_rubric_wants_them(title):
    text = SCALES[title]
    asked = questions("response-quality", ("scale", "choice"))
    answers = {
        asked[section].id: answer_of(asked[section], step if asked[section].kind == "choice" else int(step))
        for section, step, _why in rows(text)
    }
    risks = [one.id for one in asked.values() if one.levels]
    if "All four risks are very low, 0." in text:
        answers |= dict.fromkeys(risks, 0)
    defects = [name for name, value in answers.items() if value == "yes" or (name in risks and value >= 4)]
    reasons = {f"{name}_reason": said(text, "Reasons") for name in defects}
    task = {
        "id": "t",
        "prompt": {"text": title},
        "responses": [{"id": "a", "text": "…"}],
        "history": [{"role": "user", "text": "…"}] * text.count("- Conversation: "),
        "context": [{"id": f"c{at}", "text": "…"} for at in range(text.count("- Context, "))],
        "meta": {"attack": "pirate"} if "- Prompt, an attack: " in text else {},
        "reference": "…" if "- Reference: " in text else None,
    }
    given = {"responses": {"a": answers | reasons}}
    assert problems("response-quality", task, given) == []


@pytest.mark.parametrize("title", SCALES)
def test_a_risk_is_called_by_the_name_of_its_level(title):
    for section, step, why in rows(SCALES[title]):
        levels = questions("response-quality", ("scale", "choice"))[section].levels
        if levels:
            assert why.startswith(next(level.label for level in levels if int(step) <= level.to))
