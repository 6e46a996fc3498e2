"""Figures from sums over units are the figures themselves; and one rater beside the others."""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rater.stats import agreement
from desktop_rater.stats.agreement import pair_ratings_table, ratings_table
from desktop_rater.stats.agreement_figures import (
    AGREEMENT_FIGURES,
    REASON_ALL_EQUAL,
    REASON_NO_PAIR,
    agreement_with_others,
)
from desktop_rater.stats.bootstrap import FIGURES_FROM_SUMS, MAX_SUMMED_VALUES, unit_sums

KINDS = ("nominal", "ordinal", "interval")
VALUES = st.sampled_from([0.0, 1.0, 2.5, 7.0])
TABLES = st.dictionaries(
    st.integers(0, 40).map("u{}".format), st.dictionaries(st.sampled_from("ABCD"), VALUES, min_size=1), min_size=2
)


@given(TABLES)
def test_whatever_was_rated_the_sums_give_the_same_figures(data):
    table = ratings_table(data)
    for kind in KINDS:
        sums = unit_sums(table, kind)
        assert sums is not None
        whole = sums.all()
        for figure in AGREEMENT_FIGURES:
            if figure.reason_undefined(table, kind) is None:
                exact = figure.compute(table, kind)
                found = FIGURES_FROM_SUMS[figure.name](whole, sums)
                assert found == (None if exact is None else pytest.approx(exact, abs=1e-7)), figure.name


def test_of_many_values_there_are_no_sums():
    assert (
        unit_sums(ratings_table({f"u{at}": {"A": at, "B": at} for at in range(MAX_SUMMED_VALUES + 1)}), "interval")
        is None
    )


@given(st.dictionaries(st.tuples(VALUES, VALUES), st.integers(1, 9), min_size=1))
def test_two_raters_by_how_often_they_met_are_the_same_table(met):
    units = [pair for pair, times in met.items() for _ in range(times)]
    listed = ratings_table({f"u{at:03}": {"A": one, "B": other} for at, (one, other) in enumerate(units)})
    table = pair_ratings_table(("A", "B"), met)
    for figure in AGREEMENT_FIGURES:
        for kind in KINDS:
            if figure.reason_undefined(listed, kind) is None:
                exact = figure.compute(listed, kind)
                assert figure.compute(table, kind) == (None if exact is None else pytest.approx(exact, abs=1e-9))


def beside(data, rater):
    """What the rater gave, and what the others did, of each unit of both."""
    for row in data.values():
        others = Counter(value for name, value in row.items() if name != rater)
        if rater in row and others:
            yield row[rater], tuple(sorted(others.items()))


def figures_of(data, rater, kind, random=None):
    units = list(beside(data, rater))
    kinds = list(dict.fromkeys(units))
    return agreement_with_others(kinds, kind).figures([kinds.index(one) for one in units], random, 2_000)


@given(st.dictionaries(st.integers(0, 30), st.fixed_dictionaries({"A": VALUES, "B": VALUES}), min_size=1))
def test_beside_one_other_it_is_alpha_itself(data):
    table = ratings_table({f"u{at}": row for at, row in data.items()})
    for kind in KINDS:
        exact = agreement.krippendorff_alpha(table, kind)
        found = figures_of(data, "A", kind).values.get("krippendorff_alpha")
        assert found == (None if exact is None else pytest.approx(exact, abs=1e-7))


def test_of_measurements_that_are_all_different_there_is_alpha_without_an_interval():
    random = Random(5)
    truth = [random.random() for _ in range(80)]
    data = {at: {rater: value + random.random() / 10 for rater in "ABC"} for at, value in enumerate(truth)}
    two = {at: {"A": row["A"], "B": row["B"]} for at, row in data.items()}
    exact = agreement.krippendorff_alpha(ratings_table({f"u{at}": row for at, row in two.items()}), "interval")
    assert figures_of(two, "A", "interval").values["krippendorff_alpha"] == pytest.approx(exact, abs=1e-9)
    found = figures_of(data, "A", "interval", Random(1))
    assert found.values["krippendorff_alpha"] > 0.9
    assert found.intervals == {}


def test_many_values_or_few_the_figure_is_the_same():
    """Seventeen kinds of values take the other way to the same number."""
    few = {at: {"A": float(at % 3), "B": float(at % 2), "C": float(at % 3)} for at in range(30)}
    more = few | {30 + at: {"A": float(at + 3), "B": float(at + 3)} for at in range(14)}
    for kind in KINDS:
        table = ratings_table({f"u{at}": {"A": row["A"], "B": row["B"]} for at, row in more.items()})
        pairs = {at: {"A": row["A"], "B": row["B"]} for at, row in more.items()}
        exact = agreement.krippendorff_alpha(table, kind)
        assert figures_of(pairs, "A", kind).values["krippendorff_alpha"] == pytest.approx(exact, abs=1e-9)


def by_definition(data, rater):
    """Nominal alpha from the coincidences that hold the rater, pair by pair."""
    met = Counter()
    for own, others in beside(data, rater):
        count = sum(n for _, n in others)
        for value, n in others:
            met[own, value] += n / count
            met[value, own] += n / count
    margins = Counter()
    for (one, _), n in met.items():
        margins[one] += n
    total = sum(margins.values())
    seen = sum(n for (one, other), n in met.items() if one != other)
    chance = sum(margins[one] * margins[other] for one, other in product(margins, margins) if one != other)
    return 1 - (total - 1) * seen / chance if chance else None


@given(TABLES)
def test_beside_several_others_it_is_what_its_definition_says(data):
    found = figures_of(data, "A", "nominal")
    exact = by_definition(data, "A")
    assert found.values.get("krippendorff_alpha") == (None if exact is None else pytest.approx(exact, abs=1e-7))


def test_who_goes_against_the_others_has_the_lowest_alpha_and_an_interval_that_says_so():
    random = Random(2)
    truth = [random.choice("xyz") for _ in range(60)]
    data = {at: {"A": random.choice("xyz"), **dict.fromkeys("BCDE", value)} for at, value in enumerate(truth)}
    guessing, careful = (figures_of(data, rater, "nominal", Random(1)) for rater in "AB")
    assert guessing.intervals["krippendorff_alpha"][1] < careful.intervals["krippendorff_alpha"][0]
    assert guessing == figures_of(data, "A", "nominal", Random(1))


def test_alone_or_without_any_difference_there_is_no_alpha_and_it_says_why():
    assert figures_of({}, "A", "nominal").undefined["krippendorff_alpha"] == REASON_NO_PAIR
    same = figures_of({at: {"A": "x", "B": "x"} for at in range(5)}, "A", "nominal")
    assert same.undefined == {"krippendorff_alpha": REASON_ALL_EQUAL}
    assert same.values["percent"] == 1
