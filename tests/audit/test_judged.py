"""What a rubric judges: the label of a place, and every question that raters can agree on."""

import pytest

from desktop_rater.audit.questions import judged_questions, main_question
from desktop_rater.operations import rubrics
from desktop_rater.rubric import load_rubric
from tests.rubric.toml_texts import TEXT, choices, question, rubric_text

OWN = rubric_text(
    "own",
    question("label", "relevant = { closed = { filled = false } }\nrequired = true", choices("b", "a"), ask="Which?"),
    question(
        "closed",
        'choices = [{ id = "y", label = "Yes", tone = "skipped" }, { id = "n", label = "No" }]',
        'kind = "choice"\n',
        ask="Closed?",
    ),
    question("tags", body=choices("x", "z", kind="choices"), per="task", ask="Tags?"),
    question("note", body=TEXT, per="task", ask="Note?"),
)


@pytest.mark.parametrize(
    ("name", "main", "per", "measure"),
    [
        ("span-factuality", "label", "target", "nominal"),
        ("side-by-side", "fulfilment", "response", "nominal"),
        ("response-quality", "coherence", "response", "ordinal"),
    ],
)
def test_what_a_report_begins_with(name, main, per, measure):
    found = main_question(rubrics.find_rubric(name))
    assert found is not None
    assert (found.id, found.per, found.measure) == (main, per, measure)


def test_every_target_that_was_rated_has_one_label():
    label = main_question(rubrics.find_rubric("span-factuality"))
    assert label is not None
    assert [look.label for look in label.looks] == [
        *("Accurate", "Inaccurate", "Unsupported", "Disputed"),
        *("Not factual", "Skipped"),
    ]
    assert label.value({"factual": "yes", "accuracy": "disputed"}) == "disputed"
    assert label.value({"factual": "no"}) == "not factual"
    assert label.value({"skipped": "cut_off"}) == "skipped"
    assert label.value({"factual": "yes"}) is None


def test_what_only_leads_to_a_judgement_is_none():
    judged = {one.id: one.decisive for one in judged_questions(rubrics.find_rubric("span-factuality"))}
    assert [name for name, decisive in judged.items() if decisive] == ["label", "accuracy", "severity"]
    pair = {one.id: one.decisive for one in judged_questions(rubrics.find_rubric("side-by-side"))}
    assert [name for name, decisive in pair.items() if decisive] == ["fulfilment", "factuality", "preference"]


def test_a_rubric_of_ones_own_may_call_a_question_label_too():
    label, own, *rest = judged_questions(load_rubric(OWN, "own"))
    assert (label.id, own.id) == ("label_", "label")
    assert label.value({"label": "a"}) == "a"
    assert label.value({"closed": "y"}) == "skipped"
    assert label.value({"closed": "n"}) is None
    assert [one.id for one in rest] == ["closed", "tags"]


def test_of_several_choices_the_order_is_nobodys_judgement():
    tags = judged_questions(load_rubric(OWN, "own"))[-1]
    assert tags.value({"tags": ["z", "x"]}) == tags.value({"tags": ("x", "z")})
    assert tags.value({"tags": ["z"]}) != tags.value({"tags": ["x"]})


def test_steps_of_a_scale_are_numbers_however_they_are_written():
    scale = main_question(rubrics.find_rubric("response-quality"))
    assert scale is not None
    assert scale.value({"coherence": 3}) == scale.value({"coherence": 3.0}) == 3
    assert scale.value({"coherence": True}) is None
    assert scale.text_of(4.0) == "4 Mostly coherent: well ordered but for a rough place"
