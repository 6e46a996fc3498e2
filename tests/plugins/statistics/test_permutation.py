"""Tests of differences: exact values worked by hand, published ones, and those of other programs."""

from itertools import product

import numpy as np
import pytest

from desktop_rater.plugins.statistics.system_figures import holm, permutation_test, sign_test

# Darwin's maize, crossed minus self-fertilised in eighths of an inch; Fisher (1935, section 21) counted that 863 of the
# 32,768 sums of signs are at least as far as the observed 314 on that side, and 863 on the other: p = 0.05267.
MAIZE = (49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48)


def sums_of(differences):
    one = np.array([[[100.0 + difference, 1.0]] for difference in differences])
    return one, np.tile([[[100.0, 1.0]]], (len(differences), 1, 1))


def test_the_sign_test_is_exact():
    """The values are those of `binomtest` of scipy 1.17.1."""
    assert sign_test(23, 9) == sign_test(9, 23) == pytest.approx(0.020061607006937265, abs=1e-15)
    assert sign_test(30, 0) == pytest.approx(1.862645149230957e-09, abs=1e-15)
    assert (sign_test(5, 5), sign_test(1, 0), sign_test(0, 0)) == (1.0, 1.0, None)


def test_darwins_maize_has_the_chance_that_fisher_counted():
    one, other = sums_of(MAIZE)
    assert permutation_test(one, other, seed=1)[0] == pytest.approx(2 * 863 / 2**15, abs=0.01)
    few, base = sums_of(MAIZE[:10])
    signs = np.array(list(product((1, -1), repeat=10)))
    exact = np.mean(np.abs(signs @ np.array(MAIZE[:10])) >= abs(sum(MAIZE[:10])))
    assert permutation_test(few, base, seed=1)[0] == pytest.approx(exact, abs=1e-12)


def test_clusters_with_one_group_are_distributed_otherwise_as_another_program_does():
    """The value is that of `permutation_test` of scipy 1.17.1 with 200,000 draws."""
    random = np.random.default_rng(2)
    first, second = random.normal(0.7, 1, 12), random.normal(0, 1, 15)
    one, other = np.zeros((27, 1, 2)), np.zeros((27, 1, 2))
    one[:12, 0] = np.stack([first, np.ones(12)], axis=1)
    other[12:, 0] = np.stack([second, np.ones(15)], axis=1)
    assert permutation_test(one, other, seed=1)[0] == pytest.approx(0.1037, abs=0.012)


def test_holm_adjusts_step_by_step_from_the_smallest():
    assert holm([0.01, 0.04, 0.03, 0.005, 0.9]) == pytest.approx([0.04, 0.09, 0.09, 0.025, 0.9])
    assert holm([None, 0.02]) == [None, 0.02]
