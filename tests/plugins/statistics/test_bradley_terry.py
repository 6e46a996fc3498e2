"""Strengths of systems from comparisons, held against published fits and an independent one."""

import numpy as np

from desktop_rater.plugins.statistics.system_responses import are_connected, fit_pairs, order_is_known

# American League 1987, Agresti, Categorical Data Analysis (2002), table 10.10: wins and losses at home, by row, against
# the other teams in this order. The estimates are those of the R package BradleyTerry2 (Turner and Firth 2012, section
# 2 and 3), against Baltimore, without and with the advantage at home.
TEAMS = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")
AT_HOME = (
    "4-3 4-2 4-3 6-1 4-2 6-0",
    "3-3 4-2 4-3 6-0 6-1 4-3",
    "2-5 4-3 2-4 4-3 4-2 6-0",
    "3-3 5-1 2-5 4-3 4-2 6-1",
    "5-1 2-5 3-3 4-2 5-2 6-0",
    "2-5 3-3 3-4 4-3 4-2 2-4",
    "2-5 1-5 1-6 2-4 1-6 3-4",
)
WITHOUT_HOME = (1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839)
WITH_HOME = (1.6196, 1.4754, 1.3271, 1.2813, 1.1438, 0.7047)
HOME = 0.3023
# Strengths of the first three systems against the fourth, order effect and log of the tie parameter.
FITTED = (0.6236967699, 0.047691233, -0.2094733488, -0.0255421013, -0.4333491302)


def baseball():
    pairs, counts = [], []
    for home, row in enumerate(AT_HOME):
        others = [team for team in range(len(TEAMS)) if team != home]
        for away, result in zip(others, row.split(), strict=True):
            wins, losses = map(int, result.split("-"))
            pairs.append((home, away))
            counts.append((wins, 0, losses))
    return pairs, np.array([counts], dtype=float)


def test_the_league_has_its_published_strengths_without_and_with_the_advantage_at_home():
    pairs, counts = baseball()
    plain = fit_pairs(pairs, counts, order=False)
    assert plain.order is None
    assert plain.ties is None
    np.testing.assert_allclose((plain.strengths[0] - plain.strengths[0, -1])[:-1], WITHOUT_HOME, atol=6e-5)
    at_home = fit_pairs(pairs, counts)
    np.testing.assert_allclose((at_home.strengths[0] - at_home.strengths[0, -1])[:-1], WITH_HOME, atol=6e-5)
    assert at_home.order is not None
    np.testing.assert_allclose(at_home.order, [HOME], atol=6e-5)


def test_ties_and_order_are_those_of_a_log_linear_model_on_random_counts():
    """Davidson's model is a Poisson regression of the counts with a term for each pair: `GLM` of statsmodels 0.15.0."""
    random = np.random.default_rng(7)
    pairs = [(one, other) for one in range(4) for other in range(4) if one != other]
    counts = random.integers(1, 30, (len(pairs), 3)).astype(float)
    model = fit_pairs(pairs, np.stack([counts, 2 * counts]))
    fitted = (model.strengths[0] - model.strengths[0, 3])[:3]
    assert model.order is not None
    assert model.ties is not None
    np.testing.assert_allclose([*fitted, model.order[0], np.log(model.ties[0])], FITTED, atol=1e-9)
    np.testing.assert_allclose(model.strengths[1], model.strengths[0], atol=1e-8)


def test_chances_of_two_systems_are_their_shares_with_ties_as_half():
    model = fit_pairs([(0, 1)], np.array([[[27.0, 14.0, 19.0]]]))
    np.testing.assert_allclose(model.win_chances(), [[34 / 60, 26 / 60]], atol=1e-8)


def test_a_system_that_always_won_has_a_chance_of_nearly_one():
    model = fit_pairs([(0, 1), (1, 0)], np.array([[[9.0, 0.0, 0.0], [0.0, 0.0, 9.0]]]))
    assert model.win_chances()[0, 0] > 0.999


def test_systems_that_always_have_their_side_tell_nothing_about_the_order():
    assert not order_is_known([(0, 1)])
    assert not order_is_known([(0, 1), (1, 2), (0, 2)][:2])
    assert order_is_known([(0, 1), (1, 0)])
    assert are_connected([(0, 1), (1, 2)])
    assert not are_connected([(0, 1), (2, 3)])
