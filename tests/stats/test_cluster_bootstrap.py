"""Intervals of figures over tasks."""

import numpy as np
import pytest

from desktop_rater.stats.cluster_bootstrap import (
    AGREEMENT_RANGE,
    ALL_ALIKE,
    MIN_CLUSTERS,
    draw_weights,
    estimate,
    jackknife,
    paired_difference,
    ratio,
    share,
)
from tests.stats.intervals import ends, width

TASKS = [f"t-{number}" for number in range(60)]


def test_a_task_has_the_same_weights_in_any_order_and_company():
    weights = draw_weights(1, TASKS)
    assert weights.shape == (60, 2_000)
    assert (draw_weights(1, TASKS[::-1]) == weights[::-1]).all()
    assert (draw_weights(1, TASKS[7:8]) == weights[7]).all()
    assert (draw_weights(2, TASKS) != weights).mean() > 0.5


def test_the_weights_are_poisson_and_independent():
    weights = draw_weights(1, [f"t-{number}" for number in range(500)]).astype(float)
    assert abs(weights.mean() - 1) < 0.005
    assert abs(weights.var() - 1) < 0.01
    assert np.abs(np.corrcoef(weights[:40]) - np.eye(40)).max() < 0.12


def test_the_same_sentence_a_hundred_times_makes_no_figure_surer():
    """Each task all right or all wrong: 100 sentences a task say no more than one."""
    right = np.array([number % 3 > 0 for number in range(60)], float)
    mean = ratio(right, np.ones(60))
    assert mean == pytest.approx(ratio(right * 100, np.full(60, 100.0)))
    low, high = ends(mean)
    assert low < 0.56
    assert high > 0.76


def test_a_task_without_data_is_no_cluster():
    parts, wholes = np.array([*[1.0, 0.0] * 10, *[0.0] * 40]), np.array([*[1.0] * 20, *[0.0] * 40])
    assert ratio(parts, wholes) == ratio(parts[:20], wholes[:20])
    assert ratio(parts, wholes).clusters == 20


def test_few_tasks_give_a_value_and_say_why_there_is_no_interval():
    few = MIN_CLUSTERS - 1
    share = ratio(np.ones(few), np.full(few, 2.0))
    assert (share.value, share.low, share.high) == (0.5, None, None)
    assert share.why == f"rests on {few} tasks: too few for an interval"
    assert estimate(np.zeros((60, 2)), draw_weights(1, TASKS), lambda sums: sums[:, 0] / sums[:, 1]).value is None


def test_two_systems_on_the_same_tasks_are_compared_task_by_task():
    first, wholes = np.array([1.0 + number % 3 for number in range(60)]), np.full(60, 4.0)
    fewer = first - np.array([0, 1] * 30)
    paired = paired_difference(first, fewer, wholes)
    assert paired.value == pytest.approx(0.125)
    both = np.array([share(hits, wholes)[:3] for hits in (first, fewer)], float)
    (one, low, high), (other, least, most) = both
    alike = np.corrcoef(first, fewer)[0, 1]
    apart = (
        np.sqrt(a * a + b * b - 2 * alike * a * b) for a, b in ((one - low, most - other), (high - one, other - least))
    )
    assert (0.125 - ends(paired)[0], ends(paired)[1] - 0.125) == pytest.approx(tuple(apart))
    assert width(paired) < width(paired_difference(first, fewer[::-1], wholes))
    assert paired_difference(0 * first, fewer, wholes).low is not None, "of none, too"


def test_no_agreement_is_said_to_be_above_one():
    sums = np.array([[2.0, 1.0 if number % 5 else 0.0] for number in range(12)])
    low, high = ends(jackknife(sums, lambda rows: 2 * rows[:, 1] / rows[:, 0] + 0.1, AGREEMENT_RANGE))
    assert high == 1
    assert 0.5 < low < 0.6


def test_a_mean_over_tasks_of_one_size_has_t_of_the_tasks_less_one_and_few_large_tasks_widen_it():
    steps = np.array([1.0, 2, 4, 5] * 5)
    ones = np.ones(20)
    low, high = ends(ratio(steps, ones))
    assert (high - low) / 2 == pytest.approx(2.093 * steps.std(ddof=1) / 20**0.5, rel=1e-3)
    uneven = np.where(np.arange(20) < 4, 30.0, 1.0)
    sums = np.stack([uneven, steps * uneven], axis=1)
    assert width(ratio(steps * uneven, uneven)) > 1.2 * width(jackknife(sums, lambda rows: rows[:, 1] / rows[:, 0]))


@pytest.mark.parametrize(
    ("within", "distances"),
    [((1, 5), lambda y: np.log((y - 1) / (5 - y))), ((0, np.inf), np.log), ((-np.inf, np.inf), lambda y: y)],
)
def test_the_interval_of_a_mean_stays_within_its_scale_and_is_symmetric_in_the_distances_from_its_ends(
    within, distances
):
    wholes = np.array([40.0, 1, 2] * 4)
    parts = wholes * np.where(np.arange(12) < 2, 4.0, 1.1)
    mean = ratio(parts, wholes, within)
    low, high = ends(mean)
    middle = parts.sum() / wholes.sum()
    assert mean.value == middle
    assert within[0] < low < middle < high < within[1]
    assert distances(high) - distances(middle) == pytest.approx(distances(middle) - distances(low))
    assert ratio(wholes, wholes, (1, 5)).why == ALL_ALIKE
