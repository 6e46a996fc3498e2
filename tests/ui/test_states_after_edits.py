"""What the strip and the margin show after an edit is what they would show if the task were opened anew."""

from hypothesis import given

from desktop_rater.ui.rating.rating_state import RatingState
from tests.rubric.test_edits import sittings


@given(sittings())
def test_after_each_edit_the_states_of_all_targets_are_those_of_a_task_that_is_opened_anew(sitting):
    rubric, task, (first, *states) = sitting
    state = RatingState.of("b", task, rubric, first)
    for rating in states:
        assert state.target_states  # known to the next state
        state = state.with_rating(rating)
        assert state.target_states == RatingState.of("b", task, rubric, rating).target_states
