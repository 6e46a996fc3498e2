"""The order of work of a task: what comes after what, and how each step stands."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rater.format import edit
from desktop_rater.format.rating import Rating
from desktop_rater.format.task import Task
from desktop_rater.format.values import TASK_PLACE, Place
from desktop_rater.operations.rubrics import builtin_rubric
from desktop_rater.rubric import check_rating, load_rubric
from desktop_rater.ui.rating import task_stops
from tests.rubric import toml_texts as toml

SIDE_BY_SIDE = builtin_rubric("side-by-side")
A, B = Place(response="a"), Place(response="b")
FAILED = {"name": "search", "status": "error", "output": "no route"}
WELL = {"name": "maps", "status": "ok", "output": {"km": 6}}


def pair(tools_a=(), tools_b=(), text="Nothing was found.", **more):
    responses = [{"id": "a", "text": text, "tools": list(tools_a)}, {"id": "b", "text": "No.", "tools": list(tools_b)}]
    return msgspec.convert({"id": "t1", "prompt": {"text": "Which?"}, "responses": responses, **more}, Task)


def rated(task, answers=()):
    rating = Rating(task=task.id, rater="r", rubric=SIDE_BY_SIDE.ref)
    for place, question, value in answers:
        rating = edit.with_answer(rating, place, question, value)
    return rating


def order(task, answers=(), passed=(), rubric=SIDE_BY_SIDE):
    """Each step with how it stands: what is read by its kind, what is asked by its name."""
    outcome = check_rating(rubric, task, rated(task, answers))
    found = task_stops.work_steps(rubric, task, outcome)
    states = task_stops.work_step_states(found, rubric, outcome, passed)
    named = [(one.place.response or "") + ":" + (one.name or one.kind) for one in found]
    return dict(zip(named, states, strict=True))


def test_the_order_is_that_of_the_guideline():
    assert list(order(pair([FAILED], [WELL]))) == [
        "a:prompt",
        "a:response",
        "a:tools",
        "a:fulfilment",
        "a:factuality",
        "b:response",
        "b:tools",
        "b:fulfilment",
        "b:factuality",
        ":Choose",
        ":Justify",
    ]


def test_without_tools_nothing_is_read_of_them_and_with_one_response_nothing_is_chosen():
    assert "a:tools" not in order(pair())
    alone = msgspec.convert({"id": "t1", "prompt": {"text": "?"}, "responses": [{"id": "a", "text": "No."}]}, Task)
    assert list(order(alone)) == ["a:prompt", "a:response", "a:fulfilment", "a:factuality"]


def test_a_tool_that_failed_is_asked_about_where_the_calls_are_read():
    assert order(pair([FAILED]))["a:tools"] == "todo"
    assert order(pair([FAILED]), [(A, "tool_needed_and_failed", "no")])["a:tools"] == "done"
    # Of calls that went well nothing is asked: they are read.
    assert order(pair([WELL]))["a:tools"] == "todo"
    assert order(pair([WELL]), passed={"tools responses/a"})["a:tools"] == "done"


def test_what_is_read_is_done_once_something_behind_it_is_answered():
    found = order(pair([WELL], [WELL]), [(A, "fulfilment", "partially")])
    read = {name: state for name, state in found.items() if name in {"a:prompt", "a:response", "a:tools", "b:response"}}
    assert read == {"a:prompt": "done", "a:response": "done", "a:tools": "done", "b:response": "todo"}


def test_a_step_says_what_blocks_in_it_and_what_warns():
    contradicts = [(A, "tool_needed_and_failed", "yes"), (A, "punt", "none"), (A, "fulfilment", "completely")]
    assert order(pair([FAILED]), contradicts)["a:fulfilment"] == "blocked"
    unexplained = [(A, "punt", "none"), (A, "factuality", "not_accurate")]
    assert order(pair(), unexplained)["a:factuality"] == "warns"
    against = [
        *((place, "punt", "none") for place in (A, B)),
        (A, "fulfilment", "completely"),
        (B, "fulfilment", "partially"),
        *((place, "factuality", "completely_accurate") for place in (A, B)),
        (TASK_PLACE, "preference", 2),
    ]
    assert order(pair(), against)[":Choose"] == "warns"


def test_links_block_where_the_response_is_read_but_not_before_it_was():
    linked = pair(text="See https://example.org/a")
    assert order(linked)["a:response"] == "todo"
    assert order(linked, passed={"response responses/a"})["a:response"] == "blocked"


OWN = toml.rubric_text(
    "own",
    toml.question("one", "required = true", toml.TEXT, per="response", ask="One?"),
    toml.question("more", body=toml.TEXT, per="response", ask="More?"),
    toml.question("two", "required = true", toml.TEXT, per="response", ask="Two?"),
    toml.question("first", body=toml.TEXT, per="task", ask="Anything else?"),
)


def test_rubrics_of_targets_and_single_responses_without_stages_have_no_order():
    alone = msgspec.convert({"id": "t1", "prompt": {"text": "?"}, "responses": [{"id": "a", "text": "No."}]}, Task)
    for rubric in (builtin_rubric("span-factuality"), load_rubric(OWN)):
        assert (
            task_stops.work_steps(
                rubric, alone, check_rating(rubric, alone, Rating(task="t1", rater="r", rubric=rubric.ref))
            )
            == ()
        )


def test_without_stages_each_question_that_must_be_answered_is_a_step():
    rubric = load_rubric(OWN)
    assert [name for name in order(pair(), rubric=rubric) if name.startswith("a")] == [
        "a:prompt",
        "a:response",
        "a:One?",
        "a:Two?",
    ]
    found = task_stops.work_steps(rubric, pair(), check_rating(rubric, pair(), rated(pair())))
    assert found[2].questions == ("one", "more")
    assert found[-1].questions == ("first",)


QUESTIONS = {
    "punt": ("none", "vague"),
    "fulfilment": ("not_at_all", "completely"),
    "factuality": ("completely_accurate", "reasonably_accurate"),
}
answers = st.lists(
    st.one_of(
        *(
            st.tuples(st.sampled_from((A, B)), st.just(name), st.sampled_from(values))
            for name, values in QUESTIONS.items()
        ),
        st.tuples(st.just(TASK_PLACE), st.just("preference"), st.integers(-3, 3)),
    ),
    max_size=8,
)


@given(answers, st.booleans(), st.booleans())
def test_every_question_stands_in_one_step_and_every_problem_in_a_step(given_answers, first, second):
    task = pair([FAILED] if first else [], [WELL] if second else [], text="See https://example.org/a")
    outcome = check_rating(SIDE_BY_SIDE, task, rated(task, given_answers))
    found = task_stops.work_steps(SIDE_BY_SIDE, task, outcome)
    asked = [(where, one.question.id) for where, those in outcome.asked.items() for one in those]
    placed = [(task_stops.place_path(one.place), name) for one in found for name in one.questions]
    assert sorted(asked) == sorted(placed)
    assert len({one.id for one in found}) == len(found)
    states = task_stops.work_step_states(found, SIDE_BY_SIDE, outcome, {one.id for one in found})
    blocking = {
        task_stops.step_of_problem(one, found, SIDE_BY_SIDE, outcome)
        for one in outcome.problems
        if one.level == "block"
    }
    assert None not in blocking
    # Whatever blocks, a step says so or is still to do.
    assert all(states[found.index(one)] in {"todo", "blocked"} for one in blocking if one is not None)


@pytest.mark.parametrize("rail", ["punt", "fulfilment", "nothing", None])
def test_there_is_always_one_step_where_the_rater_is(rail):
    task = pair()
    found = task_stops.work_steps(SIDE_BY_SIDE, task, check_rating(SIDE_BY_SIDE, task, rated(task)))
    for stop in (A, B, TASK_PLACE):
        here = task_stops.current_work_step(found, "response responses/a", stop, rail)
        assert here is not None
        assert here.place == stop
