"""Intervals of 95 % hold the true value in 95 of 100 audits: simulated tasks, whose sentences hang together.

What a rater sees in a sentence is the sum of effects of its task, of the sentence, of the rater, and of chance; above a
bound the rater says yes. A task has one to nine sentences. The true value of a figure is that of 300,000 tasks.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from desktop_rater.stats.agreement import counted_ratings_table
from desktop_rater.stats.agreement_figures import statistics_of, summed
from desktop_rater.stats.cluster_bootstrap import (
    MIN_CLUSTERS,
    Estimate,
    divided,
    draw_sums,
    draw_weights,
    estimate_figure,
    jackknife,
    share,
    with_other_factor,
)
from tests.stats.intervals import ends

RUNS, DRAWS, RATERS, MOST = 2_000, 400, 4, 9
LEANINGS = np.linspace(-0.4, 0.4, RATERS)
KINDS = [((0, yes), (1, RATERS - yes)) for yes in range(RATERS + 1)]  # a sentence: how many said yes, and no
TABLE = counted_ratings_table("ABCD", [tuple((value, n) for value, n in kind if n) for kind in KINDS])
COLUMNS, _ = summed(TABLE, "nominal", range(len(KINDS)), draw_weights(1, [f"{kind}" for kind in KINDS]))
FIGURES = {
    name: statistic
    for name, statistic in statistics_of(COLUMNS, "nominal").items()
    if name in {"krippendorff_alpha", "gwet_ac1", "fleiss_kappa"}
}


def seen(runs, tasks, seed, raters=LEANINGS):
    """What each rater sees, (runs, tasks, sentences, raters), and which sentences there are."""
    random = np.random.default_rng(seed)
    count = random.integers(1, MOST + 1, (runs, tasks))
    there = np.arange(MOST) < count[:, :, None]
    parts = [random.normal(size=(runs, tasks, *shape)) for shape in ((1, 1), (MOST, 1), (MOST, len(raters)))]
    return sum(parts) + raters, there


def sums_of(runs, tasks, seed, bound):
    """Sums over tasks: of agreement, (runs, tasks, columns); yes and all ratings; the sum of a scale's steps."""
    views, there = seen(runs, tasks, seed)
    yes = (views > bound).sum(axis=-1)
    of_kinds = np.stack([((yes == kind) & there).sum(axis=-1) for kind in range(RATERS + 1)], axis=-1)
    steps = (np.clip(np.round(3 + views), 1, 5).sum(axis=-1) * there).sum(axis=-1)
    ratings = RATERS * there.sum(axis=-1)
    shares = np.stack([(yes * there).sum(axis=-1), ratings, steps], axis=-1).astype(float)
    return of_kinds @ COLUMNS.rows, shares


@cache
def bound_for(rate):
    views, there = seen(1, 4_000, 9)
    return np.quantile(views[there], 1 - rate)


@cache
def true_values(rate):
    agreement, shares = (parts.sum(axis=(0, 1))[None] for parts in sums_of(100, 3_000, 8, bound_for(rate)))
    values = {name: statistic(agreement)[0] for name, statistic in FIGURES.items()}
    return values | {"share": shares[0, 0] / shares[0, 1], "mean": shares[0, 2] / shares[0, 1]}


def mean_of(sums):
    return divided(sums[:, 1], sums[:, 0])


def coverage(tasks, rate, runs=RUNS):
    """How often the interval of each figure holds the true value, and whether there always is one."""
    agreement, shares = sums_of(runs, tasks, tasks, bound_for(rate))
    weights, true = draw_weights(1, [f"t{task}" for task in range(tasks)], DRAWS), true_values(rate)
    held: dict[str, list[bool | None]] = {name: [] for name in (*FIGURES, "share", "mean")}
    for of_task, (yes, ratings, steps) in zip(agreement, shares.transpose(0, 2, 1), strict=True):
        draws = draw_sums(of_task, weights)
        estimates = {name: estimate_figure(draws, statistic) for name, statistic in FIGURES.items()}
        estimates["share"] = share(yes, ratings)
        estimates["mean"] = estimate_figure(draw_sums(np.stack([ratings, steps], axis=1), weights), mean_of)
        for name, estimate in estimates.items():
            held[name].append(None if estimate.low is None else estimate.low <= true[name] <= estimate.high)
    return held


@pytest.mark.parametrize("tasks", [20, 100])
def test_the_intervals_hold_the_true_value_in_95_of_100_audits(tasks):
    for name, held in coverage(tasks, 0.4).items():
        assert None not in held
        assert 0.93 <= np.mean(held) <= 0.97, (name, np.mean(held))


def test_with_five_tasks_a_share_has_an_interval_that_holds_and_other_figures_say_that_they_have_none():
    assert MIN_CLUSTERS > 5
    held = coverage(5, 0.4, runs=RUNS)
    shares = held.pop("share")
    assert None not in shares
    assert 0.93 <= np.mean(shares) <= 0.97
    assert all(set(others) == {None} for others in held.values())


def test_a_share_near_nothing_keeps_its_interval():
    """One rating in fifty says yes: in many audits of ten tasks none does."""
    _, shares = sums_of(RUNS, 10, 3, bound_for(0.02))
    true = true_values(0.02)["share"]
    estimates = [share(yes, ratings) for yes, ratings, _ in shares.transpose(0, 2, 1)]
    assert min(ends(estimate)[0] for estimate in estimates) == 0
    assert np.mean([estimate.low <= true <= estimate.high for estimate in estimates]) >= 0.93


def test_with_other_raters_the_interval_covers_what_they_would_have_said():
    """Eight raters are drawn too, who say yes more or less often: over tasks alone the interval is far too narrow."""
    random, held = np.random.default_rng(2), {"tasks": [], "both": []}
    count, tasks = 8, 40
    for run in range(600):
        views, there = seen(1, tasks, 1_000 + run, random.normal(0, 0.7, count))
        yes = ((views > 0) & there[..., None]).sum(axis=2)[0].astype(float)  # tasks, raters
        sentences = there.sum(axis=2)[0].astype(float)
        over_tasks = jackknife(np.stack([sentences * count, yes.sum(axis=1)], axis=1), mean_of)
        totals, every = yes.sum(axis=0), sentences.sum()
        both = with_other_factor(over_tasks, (totals.sum() - totals) / (every * (count - 1)))
        for name, estimate in (("tasks", over_tasks), ("both", both)):
            low, high = ends(estimate)
            held[name].append(low <= 0.5 <= high)
    assert np.mean(held["tasks"]) < 0.85
    assert 0.93 <= np.mean(held["both"]) <= 0.98


def test_two_raters_are_too_few_to_stand_for_others():
    over_tasks = Estimate(0.5, 0.4, 0.6, 40)
    assert with_other_factor(over_tasks, np.array([0.4, 0.6])).why == "rests on 2 raters: too few for an interval"


def test_the_example_of_the_manual():
    hits, judged = np.array([4.0, 5, 2, 5, 3, 5]), np.full(6, 5.0)
    gold = share(hits, judged)
    assert (gold.value, gold.low, gold.high) == pytest.approx((0.8, 0.432, 0.955), abs=5e-4)
