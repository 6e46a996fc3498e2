"""A sample is the same for the same seed, and every stratum has its share of it."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from desktop_rater.stats.bootstrap import draw_positions, proportional_counts

IDS = [f"t-{number}" for number in range(200)]
SIZES = st.lists(st.integers(0, 50), min_size=1, max_size=8).filter(any)


@given(SIZES, st.data())
def test_each_stratum_has_its_share_within_one_task(sizes, data):
    count = data.draw(st.integers(1, sum(sizes)))
    given_ = proportional_counts(sizes, count)
    assert sum(given_) == count
    for size, share in zip(sizes, given_, strict=True):
        assert 0 <= share <= size
        assert abs(share - Fraction(size * count, sum(sizes))) < 1


def test_the_largest_remainder_gets_what_is_left():
    assert proportional_counts([50, 30, 20], 3) == [1, 1, 1]  # 1.5, 0.9, 0.6
    assert proportional_counts([5, 5], 1) == [1, 0]
    assert proportional_counts([0, 7], 3) == [0, 3]


def test_a_seed_draws_the_same_tasks_whatever_their_order():
    backwards = IDS[::-1]
    forth = {IDS[at] for at in draw_positions(7, IDS, [range(200)], [20])}
    back = {backwards[at] for at in draw_positions(7, backwards, [range(200)], [20])}
    assert forth == back
    assert {IDS[at] for at in draw_positions(8, IDS, [range(200)], [20])} != forth


def test_a_larger_sample_holds_the_smaller_one():
    assert set(draw_positions(7, IDS, [range(200)], [20])) < set(draw_positions(7, IDS, [range(200)], [50]))


def test_what_a_seed_draws_never_changes_from_version_to_version():
    assert draw_positions(0, IDS[:10], [range(5), range(5, 10)], [2, 1]) == [1, 4, 7]
