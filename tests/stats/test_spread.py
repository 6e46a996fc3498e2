"""Percentiles and the interval of a share: published values, and the figures of other libraries."""

from random import Random

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint

from desktop_rater.stats.bootstrap import percentile, wilson_interval


def test_the_median_lies_between_the_middle_two():
    assert percentile([1, 2, 4, 9], 0.5) == 3
    assert percentile([1, 2, 9], 0.5) == 2
    assert percentile([7], 0.1) == percentile([7], 0.9) == 7


def test_percentiles_are_those_of_numpy():
    random = Random(1)
    for count in range(1, 40):
        numbers = sorted(random.uniform(0, 900) for _ in range(count))
        for share in (0.1, 0.5, 0.9):
            assert percentile(numbers, share) == pytest.approx(np.percentile(numbers, share * 100), abs=1e-9)


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0000, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_published_intervals_of_a_share(hits, of, low, high):
    """Newcombe, "Two-sided confidence intervals for the single proportion" (1998), table I, method 3."""
    assert wilson_interval(hits, of) == pytest.approx((low, high), abs=5e-5)


def test_intervals_are_those_of_statsmodels():
    for of in range(1, 60):
        for hits in range(of + 1):
            theirs = proportion_confint(hits, of, method="wilson")
            assert wilson_interval(hits, of) == pytest.approx(theirs, abs=1e-9)


def test_of_nothing_everything_is_possible():
    assert wilson_interval(0, 0) == (0, 1)
