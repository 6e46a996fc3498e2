"""What a model is asked of a rubric: all but what rests on opened pages."""

import pytest

from desktop_rater.operations.rubrics import builtin_rubric
from desktop_rater.rubric.suggest import rubric_for_model, with_questions_before, without_research

LEFT_OUT = {
    "span-factuality": {"consensus", "covers", "common_knowledge", "expected_to_be_found"},
    "side-by-side": set(),
    "response-quality": set(),
}
BLOCKING = {
    "span-factuality": {"unsupported-needs-comment", "skip-other-needs-comment"},
    "side-by-side": {"reasonably-needs-explanation"},
    "response-quality": set(),
}


@pytest.mark.parametrize("name", LEFT_OUT)
def test_nothing_of_a_model_rests_on_pages(name):
    rubric = builtin_rubric(name)
    asked = without_research(rubric)
    assert rubric.questions.keys() - set(asked) == LEFT_OUT[name]
    part = rubric_for_model(rubric, asked)
    assert {rule.id for rule in part.file.rules if rule.level == "block"} == BLOCKING[name]
    assert (part.evidence, part.ref, tuple(part.questions)) == (None, rubric.ref, asked)


def test_one_question_brings_those_that_decide_whether_it_is_asked():
    rubric = builtin_rubric("span-factuality")
    names = with_questions_before(rubric, ["severity"])
    assert names == {"skipped", "factual", "accuracy", "severity"}
    part = rubric_for_model(rubric, names)
    assert set(part.questions) == names
    assert [rule.id for rule in part.file.rules] == []  # the other rules want a comment, which is not asked


def test_without_its_condition_a_question_is_not_asked_either():
    assert tuple(rubric_for_model(builtin_rubric("span-factuality"), ["severity", "comment"]).questions) == ()


def test_without_a_list_all_of_the_rubric_applies():
    rubric = builtin_rubric("span-factuality")
    assert rubric_for_model(rubric, None) is rubric
