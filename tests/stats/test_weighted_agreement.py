"""Weighted agreement on scales equals irrCAC 0.4.4 on the tables of Gwet, Handbook of Inter-Rater Reliability, 2014."""

import numpy as np
import pytest

from desktop_rater.stats.cluster_bootstrap import draw_weights
from desktop_rater.stats.weighted_agreement import (
    WEIGHTS,
    ScaleRatings,
    conger_kappa,
    scale_ratings,
    weighted_agreement,
)

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
