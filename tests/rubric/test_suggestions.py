"""What a bundle suggests is no answer, becomes one by the rater's hand, and is counted by what is answered."""

from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_rater.format import edit
from desktop_rater.format.values import Place
from desktop_rater.operations.rubrics import builtin_rubric
from desktop_rater.rubric import check_rating, exported_form
from desktop_rater.rubric.suggest import (
    count_suggestions,
    ignored_suggestions,
    open_suggestions,
    places_of_task,
    same_answer,
    usable_suggestions,
    with_confirmed_suggestions,
)
from tests.examples import examples

from .conftest import one_target_task, rating_of

S1 = Place(response="a", target="s1")
GOOD = {"factual": "yes", "common_knowledge": "right", "accuracy": "accurate"}


def counts(rubric, task, rating):
    found = count_suggestions(rubric, task, rating, check_rating(rubric, task, rating))
    return found.accepted, found.changed, found.ignored


def suggesting(**targets):
    return one_target_task(suggestions={"targets": targets})


def test_nothing_is_answered_by_a_suggestion(factuality):
    task = suggesting(s1=GOOD)
    outcome = check_rating(factuality, task, rating_of(task))
    assert outcome.decided == {}
    assert open_suggestions(factuality, task, rating_of(task), outcome, S1) == GOOD
    assert counts(factuality, task, rating_of(task)) == (0, 0, 3)


def test_confirming_a_target_also_takes_what_comes_up_with_it(factuality):
    task = suggesting(s1=GOOD)
    rating = with_confirmed_suggestions(factuality, task, rating_of(task), [S1])
    assert rating.answers.targets == {"s1": GOOD}
    assert counts(factuality, task, rating) == (3, 0, 0)


def test_one_question_can_be_confirmed_alone(factuality):
    task = suggesting(s1=GOOD)
    rating = with_confirmed_suggestions(factuality, task, rating_of(task), [S1], "factual")
    assert rating.answers.targets == {"s1": {"factual": "yes"}}
    assert with_confirmed_suggestions(factuality, task, rating, [S1], "severity") is rating
    assert counts(factuality, task, rating) == (1, 0, 2)


def test_an_answer_of_ones_own_is_never_overwritten(factuality):
    task = suggesting(s1=GOOD)
    own = edit.with_answer(rating_of(task), S1, "factual", "no")
    assert with_confirmed_suggestions(factuality, task, own, places_of_task(task)) == own
    assert counts(factuality, task, own) == (0, 1, 2)


def test_what_is_hidden_is_not_counted_as_answered(factuality):
    """The figures are those of what leaves: hidden answers do not."""
    task = suggesting(s1=GOOD)
    rating = with_confirmed_suggestions(factuality, task, rating_of(task), [S1])
    hidden = edit.with_answer(rating, S1, "factual", "no")
    left = exported_form(hidden, check_rating(factuality, task, hidden))
    assert counts(factuality, task, hidden) == counts(factuality, task, left) == (0, 1, 2)


def test_claims_leave_a_suggestion_for_the_whole_unanswered(factuality):
    task = suggesting(s1=GOOD)
    claim = {"id": "c1", "text": "Broder studied", "answers": {"common_knowledge": "right", "accuracy": "accurate"}}
    rating = rating_of(task, answers={"targets": {"s1": {"factual": "yes"}}}, claims={"s1": [claim]})
    assert open_suggestions(factuality, task, rating, check_rating(factuality, task, rating), S1) == {}
    assert counts(factuality, task, rating) == (1, 0, 2)


def test_a_skipped_task_has_taken_none(factuality):
    task = suggesting(s1=GOOD)
    rating = edit.with_skip(with_confirmed_suggestions(factuality, task, rating_of(task), [S1]), "other", "no")
    assert open_suggestions(factuality, task, rating, check_rating(factuality, task, rating), S1) == {}
    assert counts(factuality, task, rating) == (0, 0, 3)


def test_responses_and_the_task_are_suggested_for_too():
    rubric = builtin_rubric("side-by-side")
    responses = [{"id": "a", "text": "One."}, {"id": "b", "text": "Two."}]
    suggested = {
        "task": {"preference": 2, "justification": "B is whole."},
        "responses": {"a": {"punt": "none", "fulfilment": "partially"}, "b": {"punt": "none"}},
    }
    task = one_target_task(responses=responses, targets=None, suggestions=suggested)
    assert {(place.response, question) for place, question, _ in usable_suggestions(rubric, task)} == {
        (None, "preference"), (None, "justification"), ("a", "punt"), ("a", "fulfilment"), ("b", "punt"),
    }  # fmt: skip
    rating = with_confirmed_suggestions(rubric, task, rating_of(task), places_of_task(task))
    assert rating.answers.task == suggested["task"]
    assert rating.answers.responses == suggested["responses"]
    assert counts(rubric, task, rating) == (5, 0, 0)


def test_what_the_rubric_does_not_offer_is_named_and_counts_for_nothing(factuality):
    suggested = {
        "task": {"factual": "yes"},
        "responses": {"z": {"x": 1}},
        "targets": {"s1": {"factual": "maybe", "colour": "red", "accuracy": ["accurate"]}, "s9": {"factual": "yes"}},
    }
    task = one_target_task(suggestions=suggested)
    assert list(usable_suggestions(factuality, task)) == []
    assert [one.why for one in ignored_suggestions(factuality, task)] == [
        '"factual" is suggested, and is no question of a task',
        'target "s1": "maybe" is suggested for "factual", which does not offer it',
        'target "s1": "colour" is suggested, and is no question of a target',
        """target "s1": "['accurate']" is suggested for "accuracy", which does not offer it""",
        'suggestions for the target "s9", which is not there',
        'suggestions for the response "z", which is not there',
    ]
    assert counts(factuality, task, rating_of(task, answers={"targets": {"s1": GOOD}})) == (0, 0, 0)


def test_numbers_are_alike_as_in_json_and_lists_in_any_order():
    assert same_answer(1, 1.0)
    assert not same_answer(1, True)
    assert same_answer(["a", "b"], ["b", "a"])
    assert not same_answer(["a"], ["a", "b"])
    assert not same_answer(["a", "a"], ["a", "b"])


VALUES = st.one_of(
    st.sampled_from(["yes", "no", "right", "wrong", "accurate", "inaccurate", "minor", "other", "why"]),
    st.none(),
    st.booleans(),
    st.integers(-3, 9),
    st.lists(st.text(max_size=3), max_size=2),
)
QUESTIONS = st.sampled_from(["factual", "accuracy", "severity", "common_knowledge", "comment", "skipped", "nothing"])
ANSWERS = st.dictionaries(QUESTIONS, VALUES, max_size=6)


@settings(max_examples=examples(100))
@given(suggested=ANSWERS, own=ANSWERS)
def test_each_usable_suggestion_is_counted_once_and_confirming_never_takes_one_back(suggested, own):
    rubric = builtin_rubric("span-factuality")
    task = suggesting(s1=suggested)
    before = rating_of(task, answers={"targets": {"s1": own}})
    after = with_confirmed_suggestions(rubric, task, before, places_of_task(task))
    assert {name: after.answers.targets["s1"][name] for name in own} == own
    outcome = check_rating(rubric, task, after)
    asked = {one.question.id for one in outcome.asked.get("targets/s1", ())}
    assert not asked & open_suggestions(rubric, task, after, outcome, S1).keys()
    one, other = counts(rubric, task, before), counts(rubric, task, after)
    assert sum(one) == sum(other) == len(list(usable_suggestions(rubric, task)))
    assert with_confirmed_suggestions(rubric, task, after, places_of_task(task)) == after
