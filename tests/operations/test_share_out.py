"""Who rates what: everybody gets as much, and every two raters meet as often."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rater.operations.bundles.assign import balanced_teams


@st.composite
def plans(draw):
    raters = draw(st.integers(1, 12))
    return draw(st.integers(0, 120)), raters, draw(st.integers(1, raters))


@given(plans())
def test_each_task_goes_to_so_many_different_raters_and_parts_differ_by_one_at_most(plan):
    tasks, raters, overlap = plan
    given_ = balanced_teams(tasks, raters, overlap)
    assert len(given_) == tasks
    assert all(len(set(team)) == len(team) == overlap for team in given_)
    assert all(0 <= rater < raters for team in given_ for rater in team)
    sizes = Counter(rater for team in given_ for rater in team)
    counts = [sizes[rater] for rater in range(raters)]
    assert max(counts) - min(counts) <= 1


@pytest.mark.parametrize(
    ("tasks", "raters", "overlap", "apart"),
    [(6, 4, 2, 0), (10, 5, 2, 0), (94, 3, 2, 1), (94, 5, 3, 2), (100, 7, 3, 1), (1000, 10, 3, 1), (1000, 12, 4, 2)],
)
def test_every_two_raters_meet_about_as_often(tasks, raters, overlap, apart):
    met = Counter(pair for team in balanced_teams(tasks, raters, overlap) for pair in combinations(team, 2))
    counts = [met[pair] for pair in combinations(range(raters), 2)]
    assert max(counts) - min(counts) <= apart
