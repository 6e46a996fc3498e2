"""Raters who judge alike lie in the band of chance, and one who does not lies outside."""

import numpy as np
import pytest

from desktop_rater.stats.cluster_bootstrap import chance_band, jackknife, mean_intervals, share, share_intervals
from tests.stats.intervals import ends


def test_intervals_of_many_raters_at_once_are_those_of_each():
    random = np.random.default_rng(3)
    wholes = random.integers(1, 6, (30, 24)).astype(float)
    parts = np.round(wholes * random.random((30, 24)))
    parts[0], parts[1] = 0, wholes[1]
    lows, highs = share_intervals(parts, wholes)
    for row in range(30):
        expected = share(parts[row], wholes[row])
        assert (lows[row], highs[row]) == pytest.approx((expected.low, expected.high), abs=1e-12)
    lows, highs = mean_intervals(parts, wholes)
    expected = jackknife(np.stack([parts[5], wholes[5]], axis=1), lambda sums: sums[:, 0] / sums[:, 1])
    assert (lows[5], highs[5]) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_the_band_holds_95_of_100_raters_who_judge_alike_and_not_the_one_who_does_not():
    random = np.random.default_rng(5)
    raters, tasks, per_task = 300, 30, 4
    rates = random.beta(6, 2, (raters, tasks))  # of each task of each rater
    parts = random.binomial(per_task, rates).astype(float)
    wholes = np.full(parts.shape, float(per_task))
    band = chance_band(parts.ravel(), wholes.ravel(), tasks, 1, share=True)
    values = parts.mean(axis=1) / per_task
    assert 0.92 <= ((values >= band.low) & (values <= band.high)).mean() <= 0.98
    assert band.outside < 0.01, "an interval seldom lies wholly outside the band"
    assert band == chance_band(parts.ravel(), wholes.ravel(), tasks, 1, share=True)
    careless = share(random.binomial(per_task, 0.35, tasks), np.full(tasks, per_task))
    assert ends(careless)[1] < band.low
    wider = chance_band(parts.ravel(), wholes.ravel(), 10, 1, share=True)
    assert wider.high - wider.low > band.high - band.low
