"""The engine's short ways give what its plain way gives."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from desktop_rater.rubric import condition

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
