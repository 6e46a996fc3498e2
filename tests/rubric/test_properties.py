"""What must hold for any rating and any rubric: the plain way, the short ways, and what lint says can never happen."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rater.format.rating import Rating
from desktop_rater.format.strict_json import canonical_json, read_struct, to_plain
from desktop_rater.format.task import Task
from desktop_rater.operations.rubrics import builtin_rubric
from desktop_rater.rubric import Rubric, check_rating, condition, exported_form, exported_sha256, load_rubric
from desktop_rater.rubric.condition import Condition
from desktop_rater.rubric.evaluation import RatingEvaluation
from desktop_rater.rubric.validate import holds_for, value_assignments
from tests.rubric.toml_texts import TEXT, choices, question, rubric_text

from .conftest import BUILT_IN

RUBRICS = {name: builtin_rubric(name) for name in BUILT_IN}
URLS = st.sampled_from(
    ["https://a.example/x", "https://A.example/x/#top", "https://b.example", "ftp://c.example", "not a url", ""]
)
ODD = st.sampled_from([None, "", "  ", "maybe", True, 0, -7, 2.5, 1e300, [], ["yes"], {"yes": 1}])
NUMBERS = st.lists(st.integers(0, 2), max_size=2)
WORDS = st.sampled_from(["", "  ", "searched three indexes"])


def values(rubric: Rubric, question: str) -> st.SearchStrategy[Any]:
    """Mostly what the question offers, sometimes what nobody would offer."""
    asked = rubric.questions[question].question
    match asked.kind:
        case "choice":
            offered: st.SearchStrategy[Any] = st.sampled_from([choice.id for choice in asked.choices])
        case "scale":
            offered = st.integers(int(asked.min or 0), int(asked.max or 0))
        case "list":
            row = {"choice": st.sampled_from(["yes", "no", None, "maybe"]), "documents": NUMBERS}
            offered = st.lists(st.fixed_dictionaries({"text": WORDS}, optional=row), max_size=3)
        case _:
            offered = WORDS
    return st.one_of(offered, offered, offered, ODD)


def answers(rubric: Rubric, *scopes: str) -> st.SearchStrategy[dict[str, Any]]:
    """Answers to any of the questions of some scopes, asked or not."""
    names = [name for name, one in rubric.questions.items() if one.question.per in scopes]
    return st.fixed_dictionaries({}, optional={name: values(rubric, name) for name in names})


@st.composite
def tasks(draw: st.DrawFn) -> Task:
    """One or two responses with tools and links, two targets, with and without context, history and reference."""
    text = "The hut was built in 1352 by monks. See https://a.example/x and (https://b.example)! Or not."
    status, output = (
        draw(st.sampled_from(["ok", "error", "empty", "not_recorded"])),
        draw(st.sampled_from([{}, {"u": []}])),
    )
    tools = [{"name": "n", "status": status, "output": output or {"u": ["http://d.example"]}}]
    targets = [("s1", 3), ("s2", text.index(".") + 1)]
    responses = [{"id": name, "text": text, "tools": tools} for name in draw(st.sampled_from(["a", "ab"]))]
    plain = {
        "id": "t",
        "prompt": {"text": "?"},
        "responses": responses,
        "targets": [
            {"id": name, "response": "a", "start": 0, "end": end, "quote": text[:end]} for name, end in targets
        ],
        "context": [{"id": "c1"}] * draw(st.integers(0, 1)),
        "history": [{"role": "user", "text": "hi"}] * draw(st.integers(0, 1)),
        "reference": draw(st.sampled_from([None, " ", "the reference"])),
    }
    return read_struct(plain, Task)


@st.composite
def ratings(draw: st.DrawFn, rubric: Rubric) -> Rating:
    """Anything that a file could say of such a task."""
    targets = ("s1", "s2", "gone")
    claims = {}
    for target in draw(st.sets(st.sampled_from(targets), max_size=2)):
        count = draw(st.integers(0, 2))
        claims[target] = [{"id": f"c{i}", "text": "x", "answers": draw(answers(rubric, "claim"))} for i in range(count)]
    evidence = [
        {
            "id": f"e{index}",
            draw(st.sampled_from(["target", "response"])): draw(st.sampled_from([*targets, "a", "b"])),
            "claim": draw(st.sampled_from([None, "c0", "c1", "c9"])),
            "stance": draw(st.sampled_from([None, "supporting", "contradicting"])),
            "url": draw(URLS),
            "quote": draw(WORDS),
            "snapshot": draw(st.sampled_from([None, "", "ab" * 32])),
        }
        for index in range(draw(st.integers(0, 4)))
    ]
    plain = {
        "task": "t",
        "status": draw(st.sampled_from(["complete", "complete", "incomplete", "skipped"])),
        "answers": {
            "task": draw(answers(rubric, "task", "response")),
            "responses": {name: draw(answers(rubric, "response", "task")) for name in ("a", "b")},
            "targets": {name: draw(answers(rubric, "target", "claim")) for name in targets},
        },
        "claims": claims,
        "evidence": evidence,
        "time": {"targets": {"s1": draw(st.integers(0, 1200))}},
        "links_opened": draw(st.lists(URLS, max_size=3)),
    }
    return read_struct(plain, Rating)


@st.composite
def rated(draw: st.DrawFn) -> tuple[Rubric, Task, Rating]:
    """A rubric, a task and a rating."""
    rubric = RUBRICS[draw(st.sampled_from(BUILT_IN))]
    return rubric, draw(tasks()), draw(ratings(rubric))


@given(rated())
def test_checking_is_total_and_repeatable_and_changes_nothing(case):
    rubric, task, rating = case
    before = canonical_json(to_plain(rating))
    first, second = check_rating(rubric, task, rating), check_rating(rubric, task, rating)
    assert (first.decided, first.problems, first.asked) == (second.decided, second.problems, second.asked)
    assert canonical_json(to_plain(rating)) == before
    pairs = [(problem.rule, problem.where) for problem in first.problems]
    assert len(set(pairs)) == len(pairs)
    assert all(problem.where in first.places for problem in first.problems)


@given(rated())
def test_a_hidden_question_never_blocks_and_a_visible_required_one_always_does(case):
    outcome = check_rating(*case)
    required = {(p.rule.removeprefix("required:"), p.where) for p in outcome.problems if p.rule.startswith("required:")}
    unanswered = {
        (asked.question.id, where) for where, asking in outcome.asked.items() for asked in asking if asked.is_open
    }
    assert required == unanswered


@given(rated())
def test_hidden_answers_never_leave(case):
    rubric, task, rating = case
    outcome = check_rating(rubric, task, rating)
    left = exported_form(rating, outcome)
    shown = {where: {one.question.id for one in asked} for where, asked in outcome.asked.items()}
    assert set(left.answers.task) <= shown.get("task", set())
    for kind, given_answers in (("responses", left.answers.responses), ("targets", left.answers.targets)):
        for name, given_here in given_answers.items():
            assert set(given_here) <= shown.get(f"{kind}/{name}", set())
    for target, claims in left.claims.items():
        for claim in claims:
            assert set(claim.answers) <= shown[f"targets/{target}/claims/{claim.id}"]
    holders = {f"targets/{piece.target}" for piece in left.evidence} | {
        f"responses/{piece.response}" for piece in left.evidence
    }
    assert not left.evidence or holders & outcome.evidence


@given(rated())
def test_what_leaves_is_judged_like_what_stays(case):
    rubric, task, rating = case
    outcome = check_rating(rubric, task, rating)
    left = exported_form(rating, outcome)
    again = check_rating(rubric, task, left)
    assert (again.decided, again.problems) == (outcome.decided, outcome.problems)
    assert exported_sha256(exported_form(left, again)) == exported_sha256(left)


@pytest.mark.parametrize("name", BUILT_IN)
def test_an_empty_rating_is_asked_something(name):
    task = read_struct(
        {
            "id": "t",
            "prompt": {"text": "?"},
            "responses": [{"id": "a", "text": "x"}],
            "targets": [{"id": "s1", "response": "a", "start": 0, "end": 1}],
        },
        Task,
    )
    assert check_rating(RUBRICS[name], task, Rating(task="t")).blocking


VALUES: st.SearchStrategy[Any] = st.sampled_from(
    [None, "", "yes", "no", True, False, 0, 1, 1.0, 2.5, float("nan"), [], ["yes"], ["no", 1], [True], {"yes": 1}]
)
LISTS = st.lists(VALUES, max_size=3).map(tuple)
BOUNDS = st.sampled_from([None, None, 0, 1, 2.5])


@st.composite
def conditions(draw: st.DrawFn) -> condition.ConditionTest:
    """A test with some of its parts."""
    return condition.ConditionTest(
        name="name",
        like=draw(st.one_of(st.none(), LISTS)),
        unlike=draw(st.one_of(st.just(()), LISTS)),
        low=draw(BOUNDS),
        high=draw(BOUNDS),
        filled=draw(st.sampled_from([None, None, True, False])),
    )


@given(conditions(), VALUES)
def test_every_value_passes_or_fails_as_the_plain_way_says(test, value):
    assert test.passes(value) is test._passes(value)


@given(LISTS, VALUES)
def test_a_list_of_values_takes_what_is_the_same_as_one_of_them(like, value):
    test = condition.ConditionTest(name="name", like=like)
    assert test.passes(value) is test._passes(value)


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
