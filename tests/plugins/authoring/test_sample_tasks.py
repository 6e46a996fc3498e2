"""Whoever looks at a rubric's form sees each of its questions."""

import pytest

from desktop_rater.format.rating import Rating
from desktop_rater.format.strict_json import read_struct, to_plain
from desktop_rater.format.task import Task
from desktop_rater.operations.rubrics import builtin_ids, builtin_rubric
from desktop_rater.paths import resources
from desktop_rater.plugins.authoring.preview import SampleTask, sample_tasks
from desktop_rater.rubric import Rubric, check_rating, load_rubric

HEAD = 'id = "mine"\n'


def question(name: str, per: str, more: str = "", body: str = 'kind = "text"') -> str:
    return f'[[questions]]\nid = "{name}"\nper = "{per}"\nask = "{name}?"\n{body}\n{more}\n'


YES_NO = 'kind = "choice"\nchoices = [{ id = "yes", label = "Yes" }, { id = "no", label = "No" }]'
ODD = {
    "of tools that fail": question("failed", "response", "relevant = { tools_not_ok = { min = 2 } }"),
    "of much context": question("much", "response", "relevant = { context = { min = 3 } }")
    + question("none", "response", "relevant = { context = 0 }"),
    "of a conversation": question("turns", "task", "relevant = { history = { min = 2 } }"),
    "of a reference": question("like_it", "response", "relevant = { reference = { filled = true } }"),
    "of one response or three": question("alone", "task", "relevant = { responses = 1 }")
    + question("three", "task", "relevant = { responses = 3 }"),
    "of links": question("links", "response", "relevant = { links_unopened = { min = 2 } }"),
    "of pages on both sides": '[evidence]\nper = "target"\n'
    + question("both", "claim", "relevant = { supporting = { min = 2 }, contradicting = { min = 1 } }"),
    "of recorded claims": "[claims]\n" + question("claimed", "target", "relevant = { claims = { min = 2 } }"),
    "of a long search": question("long", "target", "relevant = { research_seconds = { min = 600 } }"),
    "of some claim": "[claims]\n"
    + question("sure", "claim", "", YES_NO)
    + question("why", "target", 'relevant = { some_claim = { sure = "no" } }'),
    "of alternatives": question("a", "task", "", YES_NO)
    + question("b", "response", "", YES_NO)
    + question("c", "target", 'relevant = { any = [{ a = "no", b = "yes" }, { a = "yes", b = "no" }] }'),
    "of a chain": question("q1", "target", "", YES_NO)
    + "".join(
        question(f"q{at}", "target", f'relevant = {{ q{at - 1} = "{("yes", "no")[at % 2]}" }}', YES_NO)
        for at in range(2, 9)
    ),
    "of several choices": question(
        "which",
        "response",
        "required = true",
        'kind = "choices"\nchoices = [{ id = "a", label = "A" }, { id = "b", label = "B" }]',
    )
    + question("without", "response", 'relevant = { which = { not = "a" } }'),
    "of numbers": question("amount", "response", "required = true", 'kind = "number"\nmin = 3\nmax = 3.5')
    + question("odd", "response", "relevant = { amount = 3.25 }"),
    "without a question": "",
}
RUBRICS = {
    **{name: builtin_rubric(name) for name in builtin_ids()},
    **{
        f"new {path.stem}": load_rubric(path.read_text("utf-8")) for path in (resources() / "new_rubric").glob("*.toml")
    },
    **{name: load_rubric(HEAD + tables) for name, tables in ODD.items()},
}


@pytest.fixture(params=list(RUBRICS.values()), ids=list(RUBRICS))
def rubric(request: pytest.FixtureRequest) -> Rubric:
    return request.param


def asked_in(rubric: Rubric, samples: tuple[SampleTask, ...]) -> set[str]:
    outcomes = [check_rating(rubric, one.task, one.rating) for one in samples]
    return {one.question.id for outcome in outcomes for asked in outcome.asked.values() for one in asked}


def test_each_question_is_asked_somewhere(rubric: Rubric) -> None:
    assert asked_in(rubric, sample_tasks(rubric)) == set(rubric.questions)


def test_the_tasks_are_good_ones_and_the_last_is_still_to_do(rubric: Rubric) -> None:
    samples = sample_tasks(rubric)
    assert len({one.task.id for one in samples}) == len(samples) <= 9
    for one in samples:
        assert read_struct(to_plain(one.task), Task) == one.task
        for target in one.task.targets or ():
            response = one.task.response(target.response)
            assert response is not None
            assert response.text[target.start : target.end] == target.quote
    assert samples[-1].rating == Rating(task=samples[-1].task.id)


def test_made_up_answers_are_ones_that_the_questions_offer(rubric: Rubric) -> None:
    for one in sample_tasks(rubric):
        given = [one.rating.answers.task, *one.rating.answers.responses.values(), *one.rating.answers.targets.values()]
        given += [claim.answers for claims in one.rating.claims.values() for claim in claims]
        for answers in given:
            assert all(rubric.questions[name].domain.offers(value) for name, value in answers.items())
