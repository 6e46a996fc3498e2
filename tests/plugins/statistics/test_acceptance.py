"""Bounds of an error rate hold what they promise, and equal other programs and published tables."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from desktop_rater.plugins.statistics.acceptance import (
    NOTHING_JUDGED,
    ONE_SIDED,
    STRATUM_UNJUDGED,
    SampledStratum,
    beta_limits,
    draw_plans,
    effective_size,
    error_rate,
    hypergeometric_limits,
)

# Smallest samples without a wrong one that show less than 5 % with 95 % confidence, by the number of all, as tables of
# the hypergeometric distribution have them (Cannon and Roe, Livestock disease surveys, 1982).
ZERO_ERRORS = {100: 45, 200: 51, 500: 56, 1_000: 57}


def alone(name, ratings, judged, wrong, first=0):
    """A stratum with one rating a place and a task."""
    tasks = np.arange(first, first + judged)
    return SampledStratum(name, ratings, ratings, judged, judged, tasks, tasks, np.arange(judged) < wrong)


def test_limits_of_a_share_equal_those_of_statsmodels():
    proportion = pytest.importorskip("statsmodels.stats.proportion")
    random = np.random.default_rng(1)
    for of in random.integers(1, 500, 40):
        hits = int(random.integers(0, of + 1))
        for method, exact in (("jeffreys" if 0 < hits < of else "beta", False), ("beta", True)):
            expected = proportion.proportion_confint(hits, of, method=method)
            assert beta_limits(hits, float(of), 0.025, exact=exact) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("drawn", "of", "wrong"), [(10, 30, 0), (20, 50, 3), (25, 40, 25), (1, 9, 0), (59, 60, 2)])
def test_exact_limits_are_those_of_the_hypergeometric_distribution(drawn, of, wrong):
    def at_most(seen, bad):
        ways = sum(comb(bad, x) * comb(of - bad, drawn - x) for x in range(seen + 1))
        return Fraction(ways, comb(of, drawn))

    possible = range(wrong, of - (drawn - wrong) + 1)
    high = max(bad for bad in possible if at_most(wrong, bad) > Fraction(1, 20))
    low = min(bad for bad in possible if wrong == 0 or 1 - at_most(wrong - 1, bad) > Fraction(1, 20))
    assert hypergeometric_limits(wrong, drawn, of, ONE_SIDED) == (low / of, high / of)


def upper(strata):
    bound = error_rate(strata).upper
    assert bound is not None
    return bound


@pytest.mark.parametrize(("of", "drawn"), ZERO_ERRORS.items())
def test_how_many_without_an_error_show_less_than_five_per_cent_is_as_published(of, drawn):
    shown = [count for count in range(1, of) if hypergeometric_limits(0, count, of, ONE_SIDED)[1] < 0.05]
    assert shown[0] == drawn
    assert upper([alone("all", of, drawn, 0)]) < 0.05
    assert beta_limits(0, 59, ONE_SIDED)[1] < 0.05 < beta_limits(0, 58, ONE_SIDED)[1], "without a number of all"


def test_ratings_of_one_place_that_are_alike_count_as_one_and_tasks_do_not_matter_to_a_draw_of_places():
    places = np.repeat(np.arange(40), 5)
    alike = SampledStratum("all", 10_000, 2_000, 40, 40, places, places, places % 8 == 0)
    apart = alike._replace(wrong=np.arange(200) % 8 == 0)
    assert effective_size(alike, ONE_SIDED) == pytest.approx(40, rel=0.1)
    assert effective_size(apart, ONE_SIDED) > 180
    assert upper([alike]) > upper([apart])
    of_ten_tasks = [stratum._replace(tasks=places // 4) for stratum in (alike, apart)]
    assert [upper([stratum]) for stratum in of_ten_tasks] == [upper([alike]), upper([apart])]
    every = apart._replace(wrong=np.arange(200) % 5 == 0)
    assert effective_size(every, ONE_SIDED) == pytest.approx(600, rel=0.1), "alike, but no proof that all others are"


def test_strata_are_weighted_by_all_their_ratings():
    rate = error_rate([alone("differ", 200, 100, 20), alone("agree", 800, 100, 1, first=100)])
    assert rate.value == pytest.approx(0.2 * 0.2 + 0.8 * 0.01)
    assert (rate.judged, rate.wrong, rate.tasks) == (200, 21, 200)
    ordered = [rate.low, rate.lower, rate.value, rate.upper, rate.high]
    assert ordered == sorted({end for end in ordered if end is not None})
    everything = error_rate([alone("differ", 100, 100, 20), alone("agree", 100, 100, 1, first=100)])
    assert everything.low == everything.upper == everything.value == pytest.approx(0.105), "nothing is left to chance"


def test_what_was_not_judged_is_not_guessed():
    judged, nothing = alone("differ", 100, 50, 4), alone("agree", 900, 0, 0)
    assert error_rate([nothing]).why == NOTHING_JUDGED
    assert error_rate([judged, nothing]).why == STRATUM_UNJUDGED
    assert error_rate([judged, nothing._replace(ratings=3, places=3)]).upper is not None
    two = np.array([0, 0, 0, 1, 1, 1])
    few = SampledStratum("all", 90, 30, 2, 2, two, two, np.zeros(6, dtype=bool))
    assert error_rate([few]).why == "rests on 2 tasks: too few for an interval"


def test_the_bound_covers_the_rate_in_95_of_100_samples():
    """Places are nested in tasks of their own rates, raters of a place err together, strata are drawn unequally."""
    random = np.random.default_rng(7)
    tasks, per_task, raters, runs = 200, 5, 3, 400
    covered = inside = 0
    for _ in range(runs):
        task = np.repeat(np.arange(tasks), per_task)
        differ = random.random(len(task)) < 0.25
        rates = np.where(differ, random.beta(1, 8, tasks)[task], 0.015)
        wrong = random.random((len(task), raters)) < rates[:, None]
        strata = []
        for kind, count in ((differ, 60), (~differ, 90)):
            places = np.flatnonzero(kind)
            drawn = random.permutation(places)[:count]
            strata.append(
                SampledStratum("", raters * len(places), len(places), count, count,
                               np.repeat(task[drawn], raters), np.repeat(drawn, raters), wrong[drawn].ravel())
            )  # fmt: skip
        rate = error_rate(strata)
        covered += rate.upper >= wrong.mean()
        inside += rate.low <= wrong.mean() <= rate.high
    assert covered / runs >= 0.94
    assert inside / runs >= 0.94


def test_the_plan_leads_to_the_bound_that_it_promises():
    now = [alone("differ", 1_212, 180, 21), alone("agree", 4_068, 140, 2, first=180)]
    plans = list(draw_plans(now))
    bounds = [plan.bound for plan in plans]
    assert bounds == sorted(bounds, reverse=True)
    assert plans[0].places == (180, 140)
    assert plans[-1].places == (1_212, 4_068), "up to all work"
    enough = next(plan for plan in plans if plan.bound < 0.05)
    assert enough.places[1] - 140 > enough.places[0] - 180, "the larger stratum says less as yet"
    later = [
        alone("differ", 1_212, enough.places[0], round(enough.places[0] * 21 / 180)),
        alone("agree", 4_068, enough.places[1], round(enough.places[1] * 2 / 140), first=2_000),
    ]
    assert error_rate(later).upper == pytest.approx(enough.bound, abs=0.003)


def test_where_nothing_is_judged_all_may_be_wrong():
    """An unjudged stratum is no draw of chance: its worst case adds in full, not by the root of squares."""
    nothing = [
        SampledStratum(name, 500, 500, 0, 0, *[np.arange(0)] * 2, np.zeros(0, bool)) for name in ("differ", "agree")
    ]
    assert next(draw_plans(nothing)).bound == 1
    half = [alone("differ", 500, 500, 0), nothing[1]]
    assert next(draw_plans(half)).bound == 0.5
    bounds = [plan.bound for plan in draw_plans(nothing)]
    assert bounds == sorted(bounds, reverse=True)
