"""One rater beside the others, and two raters: agreement with intervals over tasks."""

import math
from collections import Counter
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from desktop_rater.stats import agreement
from desktop_rater.stats.agreement import ratings_table
from desktop_rater.stats.agreement_figures import REASON_ALL_EQUAL, REASON_NO_PAIR, REASON_RARE, centred_positions
from desktop_rater.stats.cluster_bootstrap import AGREEMENT_RANGE, jackknife_interval, share
from desktop_rater.stats.rater_agreement import agreement_with_others, pair_figures

KINDS = ("nominal", "ordinal", "interval")
VALUES = st.sampled_from([0.0, 1.0, 2.5, 7.0])
TABLES = st.dictionaries(
    st.integers(0, 40).map("u{}".format), st.dictionaries(st.sampled_from("ABCD"), VALUES, min_size=1), min_size=2
)


def beside(data, rater):
    """What the rater gave, and what the others did, of each unit of both."""
    for row in data.values():
        others = Counter(value for name, value in row.items() if name != rater)
        if rater in row and others:
            yield row[rater], tuple(sorted(others.items()))


def figures_of(data, rater, kind, per_task=1):
    units = list(beside(data, rater))
    kinds = list(dict.fromkeys(units))
    tasks = [at // per_task for at in range(len(units))]
    return agreement_with_others(kinds, kind).figures([kinds.index(one) for one in units], tasks)


def alpha_of(found):
    return found.figures["krippendorff_alpha"].value if "krippendorff_alpha" in found.figures else None


@given(st.dictionaries(st.integers(0, 30), st.fixed_dictionaries({"A": VALUES, "B": VALUES}), min_size=1))
def test_beside_one_other_it_is_alpha_itself_and_so_is_that_of_the_pair(data):
    table = ratings_table({f"u{at}": row for at, row in data.items()})
    values = sorted({value for row in data.values() for value in row.values()})
    one, other = (np.array([values.index(row[rater]) for row in data.values()]) for rater in "AB")
    for kind in KINDS:
        exact = agreement.krippendorff_alpha(table, kind)
        (pair,) = pair_figures(np.zeros_like(one), one, other, np.arange(len(data)), values, kind)
        for found in (figures_of(data, "A", kind), pair):
            assert alpha_of(found) == (None if exact is None else pytest.approx(exact, abs=1e-9))
        kappa = agreement.cohen_kappa(table)
        found = pair.figures["cohen_kappa"].value if "cohen_kappa" in pair.figures else None
        assert found == (None if kappa is None else pytest.approx(kappa, abs=1e-9))


def test_kappa_of_a_pair_is_that_of_scikit_learn():
    random = Random(4)
    one, other = ([random.choice([0, 0, 1, 2]) for _ in range(50)] for _ in range(2))
    same, given, tasks = np.zeros(50, dtype=int), (np.array(one), np.array(other)), np.arange(50) // 5
    (found,) = pair_figures(same, *given, tasks, ["a", "b", "c"], "nominal")
    assert found.figures["cohen_kappa"].value == pytest.approx(metrics.cohen_kappa_score(one, other), abs=1e-12)
    assert found.figures["percent"].value == pytest.approx(metrics.accuracy_score(one, other))
    assert [figure.clusters for figure in found.figures.values()] == [10] * 3


def by_definition_of_a_pair(rows, values, kind):
    """Alpha and kappa, each with its jackknife, of (task, value, value) rows; ranks are those of all rows."""
    totals = Counter(values[number] for _, *both in rows for number in both)
    places = centred_positions(kind, totals)

    def figures(left):
        tables = [
            ratings_table({f"u{at}": dict(zip("AB", map(of, both), strict=True)) for at, (_, *both) in enumerate(left)})
            for of in (lambda number: places.get(values[number], values[number]), lambda number: number)
        ]
        alpha = agreement.krippendorff_alpha(tables[0], "interval" if places else "nominal")
        return [math.nan if figure is None else figure for figure in (alpha, agreement.cohen_kappa(tables[1]))]

    without = [figures([row for row in rows if row[0] != task]) for task in sorted({task for task, *_ in rows})]
    for name, value, others in zip(
        ("krippendorff_alpha", "cohen_kappa"), figures(rows), zip(*without, strict=True), strict=True
    ):
        if math.isfinite(value):
            yield name, jackknife_interval(value, np.array(others), len(others), AGREEMENT_RANGE)


def test_figures_of_many_pairs_at_once_are_those_of_each_by_definition():
    random = Random(7)
    noise = [0, 0, 0.03, *(random.random() for _ in range(9))]  # the first pairs differ nowhere
    for kind, values in zip(KINDS, (["a", "b", "c"], [1.0, 2.0, 5.0], [0.1, 0.2, 0.9]), strict=True):
        pairs = [
            [
                (task, own, random.randrange(3) if random.random() < share else own)
                for task in range(random.choice([2, 9, 12, 15]))
                for own in (random.randrange(3) if number else 1 for _ in range(random.randint(1, 5)))
            ]
            for number, share in enumerate(noise)
        ]
        columns = np.array([(number, *row) for number, rows in enumerate(pairs) for row in rows]).T
        pair, task, first, second = columns
        for rows, found in zip(pairs, pair_figures(pair, first, second, task, values, kind), strict=True):
            tasks = sorted({task for task, *_ in rows})
            equal = [np.array([own == other for at, own, other in rows if at == task]) for task in tasks]
            expected = {"percent": share(np.array([*map(np.sum, equal)]), np.array([*map(len, equal)]))}
            expected |= by_definition_of_a_pair(rows, values, kind)
            assert found.figures.keys() == expected.keys()
            if expected["percent"].value == 1:
                assert all(figure.low is None for name, figure in found.figures.items() if name != "percent")
                continue
            for name, figure in found.figures.items():
                assert figure[:3] == pytest.approx(expected[name][:3], abs=1e-12)
                assert figure[3:] == expected[name][3:]


def test_measurements_that_are_all_different_have_alpha_with_an_interval():
    random = Random(5)
    data = {at: {rater: at / 80 + random.random() / 10 for rater in "ABC"} for at in range(80)}
    found = figures_of(data, "A", "interval").figures["krippendorff_alpha"]
    assert 0.9 < found.low < found.value < found.high < 1


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
    exact = by_definition(data, "A")
    assert alpha_of(figures_of(data, "A", "nominal")) == (None if exact is None else pytest.approx(exact, abs=1e-9))


def test_who_goes_against_the_others_has_the_lowest_alpha_and_an_interval_that_says_so():
    random = Random(2)
    truth = [random.choice("xyz") for _ in range(60)]
    data = {at: {"A": random.choice("xyz"), **dict.fromkeys("BCDE", value)} for at, value in enumerate(truth)}
    guessing, careful = (figures_of(data, rater, "nominal").figures["krippendorff_alpha"] for rater in "AB")
    assert guessing.high < careful.low


@pytest.mark.parametrize("shared", [1, 2])
def test_a_rare_label_that_two_raters_gave_in_one_task_only_gives_no_interval(shared):
    data = {at: {"A": "x", "B": "y" if at % 6 == 1 else "x"} for at in range(30)}
    data |= {at: {"A": "y", "B": "y"} for at in range(30, 30 + shared)}
    alpha = figures_of(data, "A", "nominal").figures["krippendorff_alpha"]
    first, second = (np.array(["xy".index(row[rater]) for row in data.values()]) for rater in "AB")
    (pair,) = pair_figures(np.zeros(len(data), dtype=int), first, second, np.array([*data]), "xy", "nominal")
    for figure in (alpha, pair.figures["krippendorff_alpha"], pair.figures["cohen_kappa"]):
        assert (figure.low is None, figure.why) == ((True, REASON_RARE) if shared == 1 else (False, ""))
    assert pair.figures["percent"].low is not None


def test_many_sentences_of_few_tasks_give_no_interval():
    data = {at: {"A": "xy"[at // 100 % 2], "B": "xy"[at // 200 % 2]} for at in range(400)}
    found = figures_of(data, "A", "nominal", per_task=100)
    assert found.tasks == 4
    assert {figure.why for figure in found.figures.values()} == {"rests on 4 tasks: too few for an interval"}


def test_alone_or_without_any_difference_there_is_no_alpha_and_it_says_why():
    assert figures_of({}, "A", "nominal").undefined["krippendorff_alpha"] == REASON_NO_PAIR
    same = figures_of({at: {"A": "x", "B": "x"} for at in range(5)}, "A", "nominal")
    assert same.undefined == {"krippendorff_alpha": REASON_ALL_EQUAL}
    assert same.figures["percent"].value == 1
