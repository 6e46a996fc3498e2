"""What lint says can never happen does not happen in any rating."""

from typing import Any

import pytest
from hypothesis import given

from desktop_rater.rubric import Rubric, load_rubric
from desktop_rater.rubric.condition import Condition
from desktop_rater.rubric.evaluation import RatingEvaluation
from desktop_rater.rubric.validate import holds_for, value_assignments
from tests.rubric.toml_texts import TEXT, choices, question, rubric_text

from .test_properties import rated

CHOICES = rubric_text(
    "m",
    question("several", body=choices("a", "b", "c", kind="choices"), per="task", ask="Which?"),
    question("both", 'relevant = { several = "a", any = [{ several = "b" }] }', TEXT, per="task", ask="Both?"),
    question("one", 'relevant = { several = { not = "b" } }', TEXT, per="task", ask="Only one?"),
    question("amount", body='kind = "number"\n', per="task", ask="How much?"),
    question("between", "relevant = { amount = { min = 0.25, max = 0.5 } }", TEXT, per="task", ask="Between?"),
)


def values_found(rubric: Rubric, condition: Condition, name: str) -> list[Any]:
    """The values of a name in the worlds that meet a condition."""
    found = value_assignments(rubric, (condition,))
    assert found is not None
    return [world[name] for world in found if holds_for(condition, world)]


@pytest.mark.parametrize(
    ("question", "name", "wanted"),
    [
        ("both", "several", [["a", "b"]]),
        ("one", "several", [["a"]]),
        ("between", "amount", [0.25]),
    ],
)
def test_a_world_is_found_in_which_a_question_is_asked(question, name, wanted):
    rubric = load_rubric(CHOICES)
    assert values_found(rubric, rubric.questions[question].relevant, name)[:1] == wanted


def test_a_hidden_question_has_a_value_in_no_world():
    rubric = load_rubric(CHOICES)
    asked = Condition(tests=rubric.questions["both"].relevant.tests)
    filled = load_rubric(
        CHOICES + '[[rules]]\nid = "r"\nlevel = "warn"\nper = "task"\nwhen = { both = { filled = true } }\n'
    )
    (rule,) = filled.rules_by_scope["task"]
    found = value_assignments(filled, (rule.when, asked))
    assert found is not None
    assert all("b" in world["several"] for world in found if world["both"] is not None)


@given(rated())
def test_each_rating_is_one_of_the_worlds(case):
    rubric, task, rating = case
    reading = RatingEvaluation(rubric, task, rating)
    nodes = [reading.root, *reading.responses, *(unit for target in reading.targets for unit in reading.units(target))]
    for node in nodes:
        for one in rubric.rules_by_scope[node.scope]:
            conditions = [condition for condition in (one.when, one.require) if condition is not None]
            found = value_assignments(rubric, conditions)
            if found is None:
                continue
            here = [reading.holds(condition, node) for condition in conditions]
            assert any([holds_for(condition, world) for condition in conditions] == here for world in found), (
                one.rule.id
            )
