"""Conditions that look inwards: a response is judged by its targets, a task by its responses."""

import pytest

from desktop_rater.format.rating import Answers, Rating
from desktop_rater.format.task import Prompt, Response, Target, Task
from desktop_rater.rubric import RubricError, check_rating, load_rubric
from desktop_rater.rubric.check import excess_of_rating
from tests.rubric.toml_texts import TEXT, decision, question, rubric_text, rule
from tests.steps import count_steps

POLICY = rubric_text(
    "policy",
    question("breach", "required = true", ask="Does it break a rule of the policy?"),
    question("compliant", "required = true", per="response", ask="Does the response comply?"),
    question(
        "escalate",
        'relevant = { some_response = { compliant = "no" } }\nrequired = true',
        TEXT,
        per="task",
        ask="Who has to see this?",
    ),
    decision(
        "a-target-breaks-it",
        "compliant",
        "no",
        'when = { some_target = { breach = "yes" } }\nmessage = "A target breaks a rule."',
        per="response",
    ),
    decision(
        "no-target-breaks-it",
        "compliant",
        "yes",
        'when = { every_target = { breach = "no" } }\nmessage = "No target breaks a rule."',
        per="response",
    ),
    rule(
        "one-may-stay",
        'when = { every_response = { compliant = "no" } }',
        per="task",
        level="warn",
        message="No response complies: is the task fit to be rated?",
    ),
)
TARGETS = {"s1": "a", "s2": "a", "s3": "b"}
YES, NO = {"breach": "yes"}, {"breach": "no"}
COMPLIES, DOES_NOT = {"compliant": "yes"}, {"compliant": "no"}


@pytest.fixture(scope="module")
def policy():
    return load_rubric(POLICY, "policy.toml")


def task_of(targets):
    """A task with the responses a and b, and these targets: id → response."""
    responses = (Response(id="a", text="One. Two."), Response(id="b", text="Three."))
    places = tuple(Target(id=name, response=response, start=0, end=4) for name, response in targets.items())
    return Task(id="t", prompt=Prompt(text="What is allowed?"), responses=responses, targets=places)


def answered(targets, responses, **of_task):
    return Rating(task="t", answers=Answers(task=of_task, responses=responses, targets=targets))


def judged(outcome):
    decided = {where: {name: value.value for name, value in found.items()} for where, found in outcome.decided.items()}
    return decided, sorted((problem.rule, problem.where) for problem in outcome.problems)


def test_a_response_is_decided_by_its_own_targets_and_the_task_by_its_responses(policy):
    rating = answered({"s1": NO, "s2": YES, "s3": NO}, {"a": DOES_NOT, "b": COMPLIES}, escalate="The lead.")
    decided, problems = judged(check_rating(policy, task_of(TARGETS), rating))
    assert decided == {"responses/a": DOES_NOT, "responses/b": COMPLIES}
    assert problems == []


def test_an_answer_against_a_target_is_a_contradiction_and_the_task_asks_on(policy):
    rating = answered({"s1": NO, "s2": YES, "s3": YES}, {"a": COMPLIES, "b": DOES_NOT})
    assert judged(check_rating(policy, task_of(TARGETS), rating))[1] == [
        ("contradicts:a-target-breaks-it", "responses/a"),
        ("required:escalate", "task"),
    ]


def test_while_a_target_is_open_every_target_is_not_met(policy):
    rating = answered({"s1": NO, "s3": NO}, {"a": COMPLIES, "b": COMPLIES})
    decided, problems = judged(check_rating(policy, task_of(TARGETS), rating))
    assert decided == {"responses/b": COMPLIES}
    assert problems == [("required:breach", "targets/s2")]


def test_every_target_of_none_is_met(policy):
    rating = answered({"s3": NO}, {"a": COMPLIES, "b": COMPLIES})
    assert judged(check_rating(policy, task_of({"s3": "b"}), rating))[0]["responses/a"] == COMPLIES


def test_every_response_is_asked_of_all(policy):
    rating = answered({"s1": YES, "s2": NO, "s3": YES}, {"a": DOES_NOT, "b": DOES_NOT}, escalate="The lead.")
    assert judged(check_rating(policy, task_of(TARGETS), rating))[1] == [("one-may-stay", "task")]


def test_an_edit_of_one_target_is_followed_outwards_as_by_a_check_of_all(policy):
    task, before = task_of(TARGETS), answered({"s1": NO, "s2": NO, "s3": NO}, {"a": COMPLIES, "b": COMPLIES})
    outcome = check_rating(policy, task, before)
    for target in TARGETS:
        for answer in (YES, NO):
            targets = {**before.answers.targets, target: answer}
            after = answered(targets, before.answers.responses)
            outcome = check_rating(policy, task, after, before=outcome)
            assert outcome == check_rating(policy, task, after)


@pytest.mark.parametrize(
    ("per", "condition", "why"),
    [
        ("target", 'some_target = { breach = "yes" }', "`some_target` looks inwards from a task or a response"),
        ("response", 'every_response = { compliant = "yes" }', "`every_response` looks inwards from a task"),
        ("task", 'some_target = { compliant = "perhaps" }', "does not offer 'perhaps'"),
        ("task", 'some_target = { breach = "yes", any = [{ breach = "no" }] }', "two values at once"),
    ],
)
def test_a_look_that_is_none_is_refused(per, condition, why):
    rule = f'[[rules]]\nid = "r"\nlevel = "warn"\nper = "{per}"\nwhen = {{ {condition} }}\nmessage = "No."\n'
    with pytest.raises(RubricError, match=why):
        load_rubric(f"{POLICY}\n{rule}", "policy.toml")


def test_two_targets_may_meet_what_one_can_not(policy):
    rule = """
[[rules]]
id = "mixed"
level = "warn"
per = "response"
when = { some_target = { breach = "yes" } }
require = { some_target = { breach = "no" } }
message = "All break it."
"""
    mixed = load_rubric(POLICY + rule, "policy.toml")
    rating = answered({"s1": NO, "s2": YES, "s3": YES}, {"a": DOES_NOT, "b": DOES_NOT}, escalate="The lead.")
    assert ("mixed", "responses/b") in judged(check_rating(mixed, task_of(TARGETS), rating))[1]
    assert ("mixed", "responses/a") not in judged(check_rating(mixed, task_of(TARGETS), rating))[1]


def test_a_question_and_a_look_at_what_it_leads_to_are_a_cycle():
    cycle = POLICY.replace(
        'ask = "Does it break a rule of the policy?"\n',
        'ask = "Does it break a rule of the policy?"\nrelevant = { compliant = { filled = false } }\n',
    ).replace('id = "compliant"\n', 'id = "compliant"\nrelevant = { some_target = { breach = "yes" } }\n')
    with pytest.raises(RubricError, match="a dependency cycle: breach → compliant → breach"):
        load_rubric(cycle, "policy.toml")


def test_responses_find_their_targets_in_work_in_proportion_to_their_number(policy):
    few, many = (
        Task(
            id="t",
            prompt=Prompt(text="What is allowed?"),
            responses=tuple(Response(id=f"r{number}", text="One.") for number in range(count)),
            targets=tuple(Target(id=f"s{number}", response=f"r{number}", start=0, end=4) for number in range(count)),
        )
        for count in (100, 200)
    )
    before, after = (count_steps(check_rating, policy, task, answered({}, {})) for task in (few, many))
    assert after < 2.2 * before


def test_looks_count_towards_the_tests_of_a_task(policy):
    many = task_of({f"s{number}": "a" for number in range(700_000)})
    assert "tests of the rubric x 700,000 targets" in excess_of_rating(policy, many, answered({}, {}))
    assert policy.tests_of_looks["target"].total(1) == 2
