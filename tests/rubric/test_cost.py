"""Checking a rating takes a limited number of tests, and can be cancelled on the way."""

import pytest

from desktop_rater.format.change import Cancelled, Progress
from desktop_rater.format.rating import Rating
from desktop_rater.format.strict_json import read_struct
from desktop_rater.format.task import Task
from desktop_rater.rubric import Rubric, RubricError, check_rating, load_rubric
from desktop_rater.rubric.check import MAX_TESTS, excess_of_rating, excess_of_task
from desktop_rater.rubric.evaluation import TESTS_BETWEEN_CANCEL_CHECKS
from tests.rubric.toml_texts import question, rubric_text

from .conftest import BUILT_IN
from .test_edits import many_targets

QUESTIONS = rubric_text(
    "costly",
    question("sound", "required = false", ask="Sound?"),
    question("true", "required = false", per="claim", ask="True?"),
    more='version = 1\ntitle = "Costly"\n[claims]',
)


def costly(count: int, *conditions: str) -> Rubric:
    """A rubric with so many rules for targets, which have these conditions."""
    rows = "\n".join(conditions)
    return load_rubric(
        QUESTIONS
        + "".join(
            f'[[rules]]\nid = "r{n}"\nper = "target"\nlevel = "warn"\nmessage = "No."\n{rows}\n' for n in range(count)
        )
    )


def with_claims(count: int) -> Rating:
    """A rating with so many claims of the first target."""
    claims = {"s0": [{"id": f"c{n}", "text": "A", "answers": {"true": "yes"}} for n in range(count)]}
    return read_struct({"task": "t", "claims": claims}, Rating)


def test_three_hundred_rules_for_ten_thousand_targets_are_refused_in_numbers():
    rubric, task = costly(300, 'when = { sound = "yes" }'), many_targets(10_000)
    with pytest.raises(RubricError) as refused:
        check_rating(rubric, task, Rating(task="t"))
    assert 'Task "t"' in refused.value.title
    assert f"x 10,000 targets = 15,060,000 tests; at most {MAX_TESTS:,}" in refused.value.message
    assert excess_of_task(rubric, task)
    assert check_rating(rubric, many_targets(100), Rating(task="t")).blocking == 0


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_largest_task_is_within_the_limit_of_each_built_in_rubric(name, rubrics):
    assert not excess_of_task(rubrics[name], many_targets(10_000))


def test_every_alternative_of_a_condition_counts():
    one, many = (", ".join(['{ sound = "yes" }'] * count) for count in (1, 1_000))
    task = many_targets(2_000)
    assert not excess_of_task(costly(1, f"when = {{ any = [{one}] }}"), task)
    assert excess_of_task(costly(1, f"when = {{ any = [{many}] }}"), task)
    nested = f'when = {{ any = [{{ any = [{many}] }}, {{ sound = "yes" }}] }}'
    assert excess_of_task(costly(1, nested), task)


def test_claims_count_once_for_each_rule_that_looks_at_all_of_them():
    task = many_targets(1)
    flat = costly(1, 'when = { sound = "yes" }')
    looking = costly(100, 'when = { some_claim = { true = "no" } }')
    twice = costly(1, 'when = { some_claim = { some_claim = { true = "no" } } }')
    assert not excess_of_rating(flat, task, with_claims(20_000))
    assert excess_of_rating(looking, task, with_claims(20_000))
    assert not excess_of_rating(looking, task, with_claims(1_000))
    assert excess_of_rating(twice, task, with_claims(1_500))


def test_a_task_counts_with_the_claims_that_it_brings_along():
    rubric = costly(100, 'when = { some_claim = { true = "no" } }')
    claims = [{"id": f"c{n}", "text": "A"} for n in range(20_000)]
    plain = {"id": "t", "prompt": {"text": "?"}, "responses": [{"id": "a", "text": "A"}]}
    plain["targets"] = [{"id": "s0", "response": "a", "start": 0, "end": 1, "quote": "A"}]
    suggested = {**plain, "suggestions": {"claims": {"s0": claims}}}
    returned = {
        **plain,
        "returned": {"comments": [{"where": "targets/s0"}], "rating": {"task": "t", "claims": {"s0": claims}}},
    }
    for brought in (suggested, returned):
        assert "20,000 claims" in excess_of_task(rubric, read_struct(brought, Task))
    assert not excess_of_task(rubric, read_struct(plain, Task))


@pytest.mark.parametrize(
    ("rubric", "task", "rating", "tests"),
    [
        (costly(40, 'when = { sound = "yes" }'), many_targets(4_000), Rating(task="t"), 160_000),
        (costly(300, 'when = { some_claim = { true = "no" } }'), many_targets(1), with_claims(900), 270_000),
        (
            costly(2, 'when = { some_claim = { some_claim = { true = "no" } } }'),
            many_targets(1),
            with_claims(300),
            180_000,
        ),
    ],
    ids=["targets", "claims", "claims of claims"],
)
def test_a_check_asks_for_a_cancellation_every_few_thousand_tests(rubric, task, rating, tests):
    asked = []
    check_rating(rubric, task, rating, check_cancelled=lambda: asked.append(1))
    assert len(asked) >= tests / (2 * TESTS_BETWEEN_CANCEL_CHECKS)

    progress = Progress()
    asked.clear()

    def cancel_at_once() -> None:
        asked.append(1)
        progress.stop()
        progress(0, 0)

    with pytest.raises(Cancelled):
        check_rating(rubric, task, rating, check_cancelled=cancel_at_once)
    assert len(asked) == 1
