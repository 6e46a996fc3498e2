"""Slopes over time and with practice, and how hard and telling items are, as numpy computes them item by item."""

import numpy as np
import pytest

from desktop_rater.stats.reliability import item_analysis, slope


def test_a_slope_is_that_of_least_squares_and_its_interval_holds_the_true_one():
    random = np.random.default_rng(6)
    inside = 0
    for _ in range(100):
        tasks = np.repeat(np.arange(40), 3)
        weeks = np.repeat(np.sort(random.uniform(0, 8, 40)), 3)
        shares = 0.8 - 0.02 * weeks + np.repeat(random.normal(0, 0.1, 40), 3) + random.normal(0, 0.1, 120)
        figure = slope(weeks, shares, tasks)
        assert figure.value == pytest.approx(np.polyfit(weeks, shares, 1)[0])
        inside += (figure.low or 1) < -0.02 < (figure.high or -1)
    assert 89 <= inside <= 100


def test_there_is_no_slope_at_one_time():
    assert slope(np.full(20, 3.0), np.arange(20.0), np.arange(20)).value is None
    assert slope(np.array([]), np.array([]), np.array([], dtype=np.intp)).value is None


def test_difficulty_and_discrimination_of_a_test_without_gaps():
    random = np.random.default_rng(2)
    skill, hardness = random.normal(0, 1, 60), np.linspace(-1.5, 1.5, 8)
    hits = (skill[:, None] - hardness + random.normal(0, 1, (60, 8)) > 0).astype(float)
    raters, items = np.indices(hits.shape)
    difficulty, discrimination = item_analysis(hits.ravel(), items.ravel(), raters.ravel())
    for item in range(8):
        rest = np.delete(hits, item, axis=1).mean(axis=1)
        assert difficulty[item] == pytest.approx(1 - hits[:, item].mean())
        assert discrimination[item] == pytest.approx(np.corrcoef(hits[:, item], rest)[0, 1])
    assert np.isnan(item_analysis(np.ones(4), np.zeros(4, int), np.arange(4))[1]).all()
