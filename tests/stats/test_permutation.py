"""Tests of differences: exact values worked by hand, published ones, and those of other programs."""

from itertools import product

import numpy as np
import pytest

from desktop_rater.stats.permutation import holm, permutation_test, sign_test
from desktop_rater.stats.rare_shares import rare_share_interval

# Darwin's maize, crossed minus self-fertilised in eighths of an inch; Fisher (1935, section 21) counted that 863 of the
# 32,768 sums of signs are at least as far as the observed 314 on that side, and 863 on the other: p = 0.05267.
MAIZE = (49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48)


def sums_of(differences):
    one = np.array([[[100.0 + difference, 1.0]] for difference in differences])
    return one, np.tile([[[100.0, 1.0]]], (len(differences), 1, 1))


def test_the_sign_test_is_exact():
    stats = pytest.importorskip("scipy.stats")
    for better, worse in ((23, 9), (9, 23), (5, 5), (1, 0), (30, 0)):
        assert sign_test(better, worse) == pytest.approx(stats.binomtest(better, better + worse).pvalue, abs=1e-14)
    assert sign_test(0, 0) is None


def test_darwins_maize_has_the_chance_that_fisher_counted():
    one, other = sums_of(MAIZE)
    assert permutation_test(one, other, seed=1)[0] == pytest.approx(2 * 863 / 2**15, abs=0.01)
    few, base = sums_of(MAIZE[:10])
    signs = np.array(list(product((1, -1), repeat=10)))
    exact = np.mean(np.abs(signs @ np.array(MAIZE[:10])) >= abs(sum(MAIZE[:10])))
    assert permutation_test(few, base, seed=1)[0] == pytest.approx(exact, abs=1e-12)


def test_clusters_with_one_group_are_distributed_otherwise_as_another_program_does():
    stats = pytest.importorskip("scipy.stats")
    random = np.random.default_rng(2)
    first, second = random.normal(0.7, 1, 12), random.normal(0, 1, 15)
    one, other = np.zeros((27, 1, 2)), np.zeros((27, 1, 2))
    one[:12, 0] = np.stack([first, np.ones(12)], axis=1)
    other[12:, 0] = np.stack([second, np.ones(15)], axis=1)
    reference = stats.permutation_test(
        (first, second),
        lambda a, b, axis: a.mean(axis=axis) - b.mean(axis=axis),
        vectorized=True,
        n_resamples=5_000,
        rng=np.random.default_rng(3),
    )
    assert permutation_test(one, other, seed=1)[0] == pytest.approx(reference.pvalue, abs=0.02)


def test_holm_is_what_another_program_computes():
    multiple = pytest.importorskip("statsmodels.stats.multitest")
    values = [0.01, 0.04, 0.03, 0.005, 0.9]
    assert holm(values) == pytest.approx(list(multiple.multipletests(values, method="holm")[1]))
    assert holm([None, 0.02]) == [None, 0.02]


def test_a_share_of_none_has_the_interval_of_as_many_units_as_tasks():
    low, high = rare_share_interval(np.zeros(24), np.full(24, 3.0), np.zeros(2_000))
    assert (low, round(high, 4)) == (0, 0.138)  # Wilson: z² / (n + z²)


def test_a_rare_share_in_one_task_counts_as_fewer_units():
    parts, wholes = np.zeros(30), np.full(30, 10.0)
    parts[0] = 6
    drawn = np.random.default_rng(1).poisson(1, (2_000, 30)) @ parts / 300
    independent = rare_share_interval(parts, wholes, np.random.default_rng(1).binomial(300, 0.02, 2_000) / 300)
    clustered = rare_share_interval(parts, wholes, drawn)
    assert clustered[0] < independent[0]
    assert clustered[1] > independent[1]
