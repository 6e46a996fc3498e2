"""Answers that are lists, shares in conditions, and the rubric that bounds its steps by sentences and by intents."""

import pytest

from desktop_rater.format.strict_json import read_struct
from desktop_rater.format.task import Task
from desktop_rater.operations.rubrics import builtin_rubric
from desktop_rater.rubric import RubricError, check_rating, exported_form, load_rubric
from desktop_rater.rubric.condition import domain_of
from desktop_rater.rubric.load import format_answer

from .conftest import rating_of

RUBRIC = builtin_rubric("groundedness")
INTENTS = RUBRIC.questions["intents"].question
GROUNDED = {"f": {"grounded": "yes"}, "-": {"grounded": "nothing"}} | {
    letter: {"grounded": "no", "ungrounded": why, "reason": "Document 1."}
    for letter, why in {"c": "contradicted", "a": "absent", "u": "undetermined"}.items()
}
YES, NO = {"text": "hours", "choice": "yes", "documents": [1]}, {"text": "price", "choice": "no"}


def check(sentences="f", step=None, intents=(YES,), retrieval=5):
    """The outcome and the rating for sentences, a letter of `GROUNDED` each."""
    names = [f"s{number}" for number in range(len(sentences))]
    plain = {
        "id": "t",
        "prompt": {"text": "?"},
        "responses": [{"id": "a", "text": "x" * len(names)}],
        "targets": [{"id": name, "response": "a", "start": at, "end": at + 1} for at, name in enumerate(names)],
        "context": [{"id": "c1", "text": "."}, {"id": "c2", "text": "."}],
    }
    task = read_struct(plain, Task)
    answers = {
        "targets": {name: GROUNDED[letter] for name, letter in zip(names, sentences, strict=True)},
        "responses": {"a": {"groundedness": step} if step else {}},
        "task": {"intents": list(intents), "retrieval": retrieval},
    }
    rating = rating_of(task, answers=answers)
    return check_rating(RUBRIC, task, rating), rating


def steps_that_pass(sentences, level):
    """The steps at which nothing of that level is broken, where "warn" counts both."""
    levels = {"block"} if level == "block" else {"block", "warn"}
    outcomes = {step: check(sentences, step)[0] for step in range(1, 6)}
    return [step for step, outcome in outcomes.items() if not any(one.level in levels for one in outcome.problems)]


@pytest.mark.parametrize(
    ("sentences", "without_block", "without_warning"),
    [
        ("fff", [5], [5]),
        ("ff-", [5], [5]),
        ("fc", [1, 2], [1, 2]),
        ("ffffc", [1, 2], [1, 2]),
        ("ca", [1, 2], [1, 2]),
        ("c-", [1], [1]),
        ("cu", [1], [1]),
        ("fffa", [1, 2, 3, 4], [3, 4]),
        ("fa", [1, 2, 3, 4], [1, 2, 3, 4]),
        ("faa", [1, 2, 3, 4], [1, 2]),
        ("aaa", [1, 2, 3, 4], [1, 2]),
        ("--", [1, 2, 3, 4, 5], [3, 4, 5]),
    ],
)
def test_the_sentences_bound_the_step(sentences, without_block, without_warning):
    assert steps_that_pass(sentences, "block") == without_block
    assert steps_that_pass(sentences, "warn") == without_warning


def test_only_what_the_guideline_states_is_said_in_its_name():
    said = {problem.rule: problem.message for problem in check("ff", 3)[0].problems}
    assert said["contradicts:all-follows"].endswith("The guideline says All of it follows from the context.")
    assert [RUBRIC.file.rules[at].source for at in range(2)] == ["guideline", "project"]


@pytest.mark.parametrize("count", range(1, 13))
def test_the_share_of_yes_gives_the_nearest_half_step_and_down_to_a_whole_one_below(count):
    for yes in range(count + 1):
        nearest = 1 + round(8 * yes / count) / 2 if yes not in {0, count} else 1 + 4 * yes / count
        nearest = min(4.5, max(1.5, nearest)) if 0 < yes < count else nearest
        halves = [1 + half / 2 for half in range(9)]
        passing = [step for step in halves if not check("f", 5, [YES] * yes + [NO] * (count - yes), step)[0].problems]
        assert passing == [step for step in halves if nearest - 1 <= step <= nearest], (yes, count)


@pytest.mark.parametrize(
    ("rows", "gap"),
    [
        ([YES, {"text": "price"}], "Row 2 is not answered."),
        ([{"text": " ", "choice": "no"}], "Row 1 has no text."),
        ([{"text": "hours", "choice": "yes"}], "Row 1 names no document."),
        ([NO | {"documents": [1]}], "Row 1 names documents."),
        ([YES, YES | {"documents": [1, 3]}], "Row 2 names document 3; the task has 2."),
    ],
)
def test_a_list_that_is_not_finished_says_why_stays_and_blocks(rows, gap):
    outcome, rating = check("f", 5, rows)
    (problem,) = (problem for problem in outcome.problems if problem.rule == "required:intents")
    assert problem.message == f"{INTENTS.ask} {gap}"
    assert exported_form(rating, outcome).answers.task["intents"] == rows


@pytest.mark.parametrize(
    "value",
    ["hours", [], ["hours"], [{"choice": "yes"}], [YES | {"note": "x"}], [YES | {"choice": "maybe"}], [YES] * 13,
     [YES | {"documents": [1, 1]}], [YES | {"documents": [0]}], [YES | {"text": "x" * 1_001}], [YES | {"text": 3}]],
)  # fmt: skip
def test_what_is_no_list_of_rows_is_no_answer(value):
    assert not domain_of(INTENTS).offers(value)
    outcome, rating = check("f", 5, value if isinstance(value, list) else [value])
    assert [problem.message for problem in outcome.problems] == [f"Not answered: {INTENTS.ask}"]
    assert "intents" not in exported_form(rating, outcome).answers.task


def test_a_list_reads_as_its_rows():
    assert (
        format_answer(INTENTS, [YES | {"documents": [1, 3]}, NO, {"text": "dog"}])
        == "hours: Yes (1, 3); price: No; dog"
    )


LIST = """
id = "mine"

[[questions]]
id = "rows"
per = "task"
ask = "Which?"
kind = "list"
choices = [{ id = "yes", label = "Yes", key = "y" }, { id = "no", label = "No" }]
"""


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ("max = 51", "numbers of rows from 1 to 50"),
        ("min = 3\nmax = 2", "no number lies between 3 and 2"),
        ("step = 1", "only a scale has `step`"),
        ('documents = ["maybe"]', "`documents`: no choice is called 'maybe'"),
        ('relevant = { rows = { share = "yes", min = 1 } }', "a dependency cycle"),
    ],
)
def test_a_list_that_can_not_be_meant_is_refused(more, why):
    with pytest.raises(RubricError, match=why):
        load_rubric(LIST + more, "mine.toml")


@pytest.mark.parametrize(
    ("per", "when", "why"),
    [
        ("task", 'rows = "yes"', "does not offer 'yes'"),
        ("task", "rows = { min = 1 }", "is not a number"),
        ("task", 'rows = { share = "yes" }', "from 0 to 1"),
        ("task", 'rows = { share = "no", max = 2 }', "from 0 to 1"),
        ("task", 'rows = { share = "maybe", min = 1 }', "is no list that offers 'maybe'"),
        ("task", 'rows = { share = "yes", min = 0.6 }, any = [{ rows = { share = "no", min = 0.6 } }]', "impossible"),
        ("task", "share_of_targets = { min = 1 }", "is a table with `of`"),
        ("response", "share_of_responses = { of = {}, min = 1 }", "`share_of_responses` looks inwards from a task"),
    ],
)
def test_a_share_that_can_not_be_meant_is_refused(per, when, why):
    rule = f'[[rules]]\nid = "r"\nlevel = "warn"\nper = "{per}"\nwhen = {{ {when} }}'
    with pytest.raises(RubricError, match=why):
        load_rubric(LIST + rule, "mine.toml")
