"""Intraclass correlations equal pingouin 0.7.0, and weighted agreement irrCAC 0.4.4, also on published tables."""

import numpy as np
import pytest

from desktop_rater.stats.cluster_bootstrap import draw_weights
from desktop_rater.stats.reliability import (
    classical_interval,
    intraclass_correlations,
    rater_offsets,
    raters_needed,
    raters_reliability,
)
from desktop_rater.stats.weighted_agreement import (
    WEIGHTS,
    ScaleRatings,
    conger_kappa,
    scale_ratings,
    weighted_agreement,
)

SHROUT_FLEISS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]


def crossed(rows: list[list[int]]) -> ScaleRatings:
    return scale_ratings(
        [
            (f"u{unit:02}", f"r{rater}", f"u{unit:02}", float(value))
            for unit, row in enumerate(rows)
            for rater, value in enumerate(row)
        ]
    )


def test_the_table_of_shrout_and_fleiss():
    ratings = crossed(SHROUT_FLEISS)
    figures = intraclass_correlations(ratings)
    assert figures["icc_1"].value == pytest.approx(0.1657417684054755, abs=1e-12)
    assert figures["icc_2_1"].value == pytest.approx(0.28976377952755916, abs=1e-12)
    assert figures["icc_2_k"].value == pytest.approx(0.6200505475989893, abs=1e-12)
    assert [np.round(classical_interval(ratings, k) or (), 2).tolist() for k in (1, 4)] == [[0.02, 0.76], [0.07, 0.93]]
    assert figures["icc_2_1"].why == "rests on 6 tasks: too few for an interval"


def test_thirty_units_and_five_raters_of_a_seeded_random():
    random = np.random.default_rng(20)
    units, raters = random.normal(0, 1, (30, 1)), random.normal(0, 0.6, (1, 5))
    rows = np.round(np.clip((units + raters + random.normal(0, 0.8, (30, 5))) * 1.2 + 3, 1, 5)).astype(int).tolist()
    ratings = crossed(rows)
    figures = intraclass_correlations(ratings)
    assert figures["icc_1"].value == pytest.approx(0.4387141758030392, abs=1e-12)
    assert figures["icc_2_1"].value == pytest.approx(0.45560543345187443, abs=1e-12)
    assert figures["icc_2_k"].value == pytest.approx(0.8071179228719559, abs=1e-12)
    assert [np.round(classical_interval(ratings, k) or (), 2).tolist() for k in (1, 5)] == [[0.27, 0.64], [0.65, 0.9]]


def sparse(random: np.random.Generator, units: int, raters: int) -> tuple[ScaleRatings, np.ndarray]:
    """Ratings of two units a task, each by 4 of the raters, with spreads .7, .5 and .8; and the raters' offsets."""
    offsets = random.normal(0, 0.5, raters)
    rows = [
        (f"u{unit}", f"r{rater:02}", f"t{unit // 2}", level + offsets[rater] + random.normal(0, 0.8))
        for unit, level in enumerate(random.normal(3, 0.7, units))
        for rater in random.choice(raters, 4, replace=False)
    ]
    return scale_ratings(rows), offsets - offsets.mean()


def test_with_gaps_the_spreads_of_units_raters_and_rest_are_found():
    ratings, offsets = sparse(np.random.default_rng(4), 1_000, 40)
    assert classical_interval(ratings, 1) is None
    figures = intraclass_correlations(ratings)
    for name, true in (("unit", 0.7), ("rater", offsets.std(ddof=1)), ("rest", 0.8)):
        figure = figures[name]
        assert (figure.low or 9) < true < (figure.high or 0), name
    found = rater_offsets(ratings)
    inside = [row.offset.low < true < row.offset.high for row, true in zip(found, offsets, strict=True)]
    assert 0.85 <= np.mean(inside) <= 1
    assert np.corrcoef([row.offset.value for row in found], offsets)[0, 1] > 0.97


def test_offsets_are_those_of_least_squares_with_units_and_raters():
    ratings, _offsets = sparse(np.random.default_rng(7), 30, 6)
    design = np.zeros((len(ratings.value), 36))
    design[np.arange(len(ratings.value)), ratings.unit] = 1
    design[np.arange(len(ratings.value)), 30 + ratings.rater] = 1
    solved = np.linalg.lstsq(design, ratings.value, rcond=None)[0][30:]
    found = [row.offset.value for row in rater_offsets(ratings)]
    assert found == pytest.approx((solved - solved.mean()).tolist(), abs=1e-9)


def test_raters_who_share_no_units_are_not_compared():
    rows = [(f"u{unit}", "ab"[unit % 2], f"t{unit}", unit % 5) for unit in range(40)]
    found = rater_offsets(scale_ratings(rows))
    assert {row.offset.why for row in found} == {"shares no places with the others"}


def test_raters_needed_for_a_reliability():
    # "The Spearman-Brown prophecy": 10 raters of reliability .287 for .80, 23 for .90.
    assert [raters_needed(0.287, wanted) for wanted in (0.8, 0.9)] == [10, 23]
    assert raters_reliability(0.287, 10) > 0.8 > raters_reliability(0.287, 9)
    assert raters_needed(0.5, 0.8) == 4
    assert raters_needed(-0.1, 0.8) is None


# `_` is a missing rating.
RAW_4_RATERS = ["123321412___", "1233224125__", "_33323422513", "12332441251_"]
RAW_5_OBSERVERS = ["112_001122_0131", "1130000_2110231", "203000222100221", "_13____0_10022_", "2__0001_2____31"]

# weights: percent, AC2, Fleiss, Brennan-Prediger, Conger, as printed
FOUR = {
    "unweighted": (0.81818, 0.77544, 0.76117, 0.77273, 0.76282),
    "ordinal": (0.96818, 0.89894, 0.85021, 0.88636, 0.84366),
    "linear": (0.93939, 0.85874, 0.81794, 0.84848, 0.81378),
    "quadratic": (0.97538, 0.914, 0.86494, 0.90152, 0.85771),
    "radical": (0.89727, 0.81981, 0.78992, 0.81263, 0.78834),
    "ratio": (0.95411, 0.85737, 0.82134, 0.84024, 0.81197),
    "circular": (0.90246, 0.8302, 0.8072, 0.82355, 0.80535),
    "bipolar": (0.96836, 0.90037, 0.85307, 0.88815, 0.84487),
}
FIVE = {
    "unweighted": (0.61556, 0.49662, 0.45762, 0.48741, 0.46927),
    "ordinal": (0.92481, 0.78534, 0.70122, 0.75941, 0.71312),
    "linear": (0.86074, 0.68964, 0.61185, 0.66578, 0.62405),
    "quadratic": (0.94617, 0.83043, 0.75072, 0.80622, 0.76179),
    "radical": (0.77007, 0.59703, 0.53404, 0.5786, 0.54614),
    "circular": (0.79111, 0.60397, 0.55759, 0.58222, 0.56601),
    "bipolar": (0.92694, 0.79218, 0.71029, 0.76724, 0.72151),
}


def table(columns: list[str]) -> ScaleRatings:
    return scale_ratings(
        [
            (f"u{unit:02}", f"rater {rater}", f"t{unit:02}", float(value))
            for rater, column in enumerate(columns)
            for unit, value in enumerate(column)
            if value != "_"
        ]
    )


@pytest.mark.parametrize(("columns", "published"), [(RAW_4_RATERS, FOUR), (RAW_5_OBSERVERS, FIVE)])
def test_the_published_tables(columns, published):
    ratings = table(columns)
    values, draws = np.unique(ratings.value), draw_weights(1, ratings.clusters, 200)
    for name, printed in published.items():
        weights = WEIGHTS[name](values)
        figures = [*weighted_agreement(ratings, values, weights, draws).values()]
        figures.append(conger_kappa(ratings, values, weights, draws))
        assert [round(figure.value or 0, 5) for figure in figures] == list(printed), name
        assert all((figure.low or 1) <= (figure.value or 0) <= (figure.high or 0) for figure in figures)


def test_ratio_weights_refuse_a_scale_with_zero():
    with pytest.raises(ValueError, match="above 0"):
        WEIGHTS["ratio"](np.array([0.0, 1, 2]))


def test_raters_who_all_give_one_value_have_no_kappa():
    ratings = scale_ratings([(f"u{unit}", rater, f"u{unit}", 3) for unit in range(12) for rater in "ab"])
    values = np.array([1.0, 2, 3, 4, 5])
    figures = weighted_agreement(ratings, values, WEIGHTS["linear"](values), draw_weights(1, ratings.clusters, 100))
    assert figures["fleiss_kappa"].value is None
    assert figures["gwet_ac2"].value == 1
