"""Intervals of 95 % hold the true value in 95 of 100 audits: simulated tasks, whose sentences hang together.

What a rater sees in a sentence is the sum of effects of its task, of the sentence, of the rater, and of chance; above a
bound the rater says yes. A task has one to nine sentences. The true value of a figure is that of 300,000 tasks.
"""

from functools import cache

import numpy as np
import pytest

from bench import coverage as coverage_of
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
    ratio,
    share,
    with_other_factor,
)
from tests.docs import pages
from tests.stats.intervals import ends

MANUAL = pages.table(pages.sections(pages.text("auditing.md"))["Intervals"], "design", *coverage_of.FIGURES.values())
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
        estimates["mean"] = ratio(steps, ratings, (1, 5))
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


@pytest.mark.slow
@pytest.mark.parametrize("name", coverage_of.DESIGNS)
def test_designs_that_are_nested_unequal_gappy_rare_or_of_a_crowd_are_covered_as_the_manual_says(name):
    """Three hundred of the 2,000 runs: a share of 95 % then has a standard error of 1.3 %."""
    runs = 300
    tally = coverage_of.coverage(coverage_of.DESIGNS[name], runs)
    (said,) = (cells for design, *cells in MANUAL if design == name)
    assert len(said) == len(coverage_of.FIGURES)
    for figure, share_of_runs in zip(coverage_of.FIGURES, said, strict=True):
        expected = float(share_of_runs.removesuffix(" %")) / 100
        error = np.sqrt(max(expected * (1 - expected), 0.01) / runs)
        assert tally.coverage(figure) == pytest.approx(expected, abs=3 * error), figure
        assert tally.given(figure) > (0.9 if name == "rare" else 0.98)
        if figure.startswith("result"):
            assert tally.coverage(figure) >= 0.94


def test_with_other_raters_the_interval_covers_what_they_would_have_said_and_counts_nothing_twice():
    """Over tasks alone it is too narrow; the sum of both variances is too wide where raters have few tasks each."""
    random, widths = np.random.default_rng(2), []
    for _ in range(20):
        count, tasks = 30, 60
        asked = random.random((tasks, count)).argsort(axis=1) < 3  # each task has three of thirty raters
        yes = (
            random.random((tasks, 1)) + random.normal(0, 0.1, count) + random.normal(0, 0.5, asked.shape) > 0.5
        ) & asked
        over_tasks = jackknife(np.stack([asked.sum(axis=1), yes.sum(axis=1)], axis=1).astype(float), mean_of)
        hits, every = yes.sum(), asked.sum()
        raters = (hits - yes.sum(axis=0)) / (every - asked.sum(axis=0))
        cells = (hits - yes[asked]) / (every - 1)
        # Cameron, Gelbach and Miller (2011), from the residuals: tasks + raters - both.
        left = (yes - hits / every) * asked
        variances = [(left.sum(axis=axis) ** 2).sum() for axis in (1, 0)]
        expected = np.sqrt(max(sum(variances) - (left**2).sum(), variances[0])) / every
        both, added = with_other_factor(over_tasks, raters, cells), with_other_factor(over_tasks, raters)
        half = [np.diff(ends(estimate))[0] / 2 for estimate in (over_tasks, both, added)]
        assert half[0] <= half[1] < half[2]
        widths.append(half[1] / 2.02 / expected)
    assert np.mean(widths) == pytest.approx(1, abs=0.05)


def test_two_raters_are_too_few_to_stand_for_others():
    over_tasks = Estimate(0.5, 0.4, 0.6, 40)
    assert with_other_factor(over_tasks, np.array([0.4, 0.6])).why == "rests on 2 raters: too few for an interval"


def test_the_example_of_the_manual():
    hits, judged = np.array([4.0, 5, 2, 5, 3, 5]), np.full(6, 5.0)
    gold = share(hits, judged)
    assert (gold.value, gold.low, gold.high) == pytest.approx((0.8, 0.432, 0.955), abs=5e-4)
