"""Correlations equal scipy's, with and without ties, and in a draw those of the texts that the draw holds."""

import numpy as np
import pytest
from scipy import stats

from desktop_rater.plugins.scoring.validation import CORRELATIONS, rank_shares

SCIPY = {"spearman": stats.spearmanr, "pearson": stats.pearsonr, "kendall": stats.kendalltau}


@pytest.mark.parametrize("name", list(CORRELATIONS))
@pytest.mark.parametrize("levels", [2, 5, 10, 10_000])
def test_a_correlation_is_that_of_scipy_in_each_draw(name, levels):
    random = np.random.default_rng(levels)
    one = random.integers(0, levels, 60).astype(float)
    other = np.round(one / levels + random.normal(0, 0.4, 60), 1)
    weights = random.poisson(1, (60, 12))
    weights[:, 0] = 1
    drawn = CORRELATIONS[name](one, other, weights)
    for draw in range(12):
        held = np.repeat(np.arange(60), weights[:, draw])
        assert drawn[draw] == pytest.approx(SCIPY[name](one[held], other[held]).statistic, abs=1e-12)


@pytest.mark.parametrize("name", list(CORRELATIONS))
def test_equal_values_have_no_correlation(name):
    same, other = np.full(7, 0.1), np.arange(7.0)
    assert np.isnan(CORRELATIONS[name](same, other, np.ones((7, 1)))).all()
    assert np.isnan(CORRELATIONS[name](other, same, np.zeros((7, 1)))).all()


def test_ranks_are_shares_and_equal_values_share_theirs():
    assert rank_shares([3, 1, 3, 9]) == [0.5, 0.125, 0.5, 0.875]
