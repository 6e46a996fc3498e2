"""Agreement: published examples, what must hold for any ratings, and the figures of other libraries."""

from collections import Counter
from itertools import permutations
from random import Random

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics
from statsmodels.stats import inter_rater

from desktop_rater.stats import agreement
from desktop_rater.stats.agreement import counted_ratings_table, ratings_table, strongest_disagreements
from desktop_rater.stats.agreement_figures import (
    AGREEMENT_FIGURES,
    REASON_ALL_EQUAL,
    REASON_MANY_VALUES,
    REASON_NO_PAIR,
    agreement_figures,
    statistics_of,
    summed,
)
from desktop_rater.stats.cluster_bootstrap import draw_kind_sums, draw_weights, draws_for


def by_rater(**lines):
    """Lines of digits, one place a unit; a dot is a missing rating."""
    units = range(len(next(iter(lines.values()))))
    rows = {f"u{at:02}": {rater: float(line[at]) for rater, line in lines.items() if line[at] != "."} for at in units}
    return {unit: row for unit, row in rows.items() if row}


# Krippendorff, "Computing Krippendorff's alpha-reliability" (2011), section C; AC1 of the same data: Gwet, irrCAC.
FOUR = by_rater(A="123321412...", B="1233224125..", C=".33323422513", D="12332441251.")


def test_the_published_example_of_four_raters_with_gaps():
    table = ratings_table(FOUR)
    assert agreement.krippendorff_alpha(table, "nominal") == pytest.approx(0.743, abs=5e-4)
    assert agreement.krippendorff_alpha(table, "ordinal") == pytest.approx(0.815, abs=5e-4)
    assert agreement.krippendorff_alpha(table, "interval") == pytest.approx(0.849, abs=5e-4)
    assert agreement.percent_agreement(table) == pytest.approx(0.818, abs=5e-4)
    assert agreement.gwet_ac1(table) == pytest.approx(0.775, abs=5e-4)


def test_the_published_example_of_fourteen_raters():
    """Fleiss' kappa of ten subjects in five categories."""
    counts = ["0 0 0 0 14", "0 2 6 4 2", "0 0 3 5 6", "0 3 9 2 0", "2 2 8 1 1"]
    counts = [*counts, "7 7 0 0 0", "3 2 6 3 0", "2 5 3 2 2", "6 5 2 1 0", "0 2 2 3 7"]
    data = {}
    for at, line in enumerate(counts):
        values = [float(value) for value, n in enumerate(line.split()) for _ in range(int(n))]
        data[f"u{at}"] = {f"r{place:02}": value for place, value in enumerate(values)}
    assert agreement.fleiss_kappa(ratings_table(data)) == pytest.approx(0.210, abs=5e-4)


def test_two_raters_of_fifty_proposals():
    """20 yes by both, 15 no by both, 5 and 10 apart: kappa 0.4."""
    both = [("yes", "yes")] * 20 + [("yes", "no")] * 5 + [("no", "yes")] * 10 + [("no", "no")] * 15
    table = ratings_table({f"u{at}": {"A": one, "B": other} for at, (one, other) in enumerate(both)})
    assert agreement.cohen_kappa(table) == pytest.approx(0.4)
    assert agreement.percent_agreement(table) == pytest.approx(0.7)


def test_with_two_values_the_weights_make_no_difference():
    table = ratings_table(by_rater(A="1122112", B="1121122"))
    plain = agreement.cohen_kappa(table)
    assert agreement.weighted_kappa(table, "linear") == pytest.approx(plain)
    assert agreement.weighted_kappa(table, "quadratic") == pytest.approx(plain)


def test_a_near_miss_weighs_less_than_a_far_one():
    near, far = ratings_table(by_rater(A="11223", B="11222")), ratings_table(by_rater(A="11223", B="11221"))
    for weights in ("linear", "quadratic"):
        close, wide = (agreement.weighted_kappa(table, weights) for table in (near, far))
        assert close is not None
        assert wide is not None
        assert close > wide


def figures_of(data, kind="ordinal", per_task=1):
    """Figures with so many units a task."""
    tasks = [at // per_task for at in range(len(data))]
    return agreement_figures(ratings_table(data), kind, tasks, draw_weights(1, [f"t{at}" for at in set(tasks)]))


@pytest.mark.parametrize(
    ("data", "name", "why"),
    [
        (by_rater(A="111", B="111"), "krippendorff_alpha", REASON_ALL_EQUAL),
        (by_rater(A="111", B="111"), "cohen_kappa", REASON_ALL_EQUAL),
        (by_rater(A="111", B="111"), "gwet_ac1", REASON_ALL_EQUAL),
        (by_rater(A="12.", B="..1"), "percent", REASON_NO_PAIR),
        (by_rater(A="12.", B="..1"), "krippendorff_alpha", REASON_NO_PAIR),
        ({}, "percent", REASON_NO_PAIR),
        (by_rater(A="12", B="12", C="12"), "cohen_kappa", "it compares two raters, and there are 3"),
        (by_rater(A="12", B="1."), "fleiss_kappa", "the units have different numbers of ratings"),
    ],
)
def test_what_can_not_be_computed_says_why(data, name, why):
    found = figures_of(data)
    assert found.undefined[name] == why
    assert name not in found.figures


def test_the_units_that_disagree_most_stand_first():
    assert strongest_disagreements(FOUR)[:3] == [("u05", 1.0), ("u01", 0.5), ("u07", 0.5)]
    assert [unit for unit, _share in strongest_disagreements(FOUR)] == ["u05", "u01", "u07"]


def test_intervals_hold_the_value_and_are_the_same_each_time():
    one, other = (figures_of(FOUR) for _ in range(2))
    assert one == other
    assert one.tasks == 11
    for name, found in one.figures.items():
        assert found.low <= found.value <= found.high, name
        assert found.clusters == 11, name


def test_more_tasks_make_the_interval_narrower_and_more_sentences_of_a_task_do_not():
    many = {f"{unit} {time}": row for unit, row in FOUR.items() for time in range(20)}
    few, tasks, nested = (
        figures_of(data, "nominal", per_task).figures["krippendorff_alpha"]
        for data, per_task in ((FOUR, 1), (many, 1), (many, 20))
    )
    assert tasks.high - tasks.low < (few.high - few.low) / 2
    assert nested.high - nested.low > (few.high - few.low) * 0.9


def test_a_value_that_is_nearly_never_given_leaves_no_interval_beyond_chance():
    """Of sixty tasks three have a no: how often raters agree is known, how far beyond chance is not."""
    data = {f"u{at:02}": {"A": "no" if at < 3 else "yes", "B": "no" if at == 1 else "yes"} for at in range(60)}
    found = figures_of(data, "nominal").figures
    assert found["percent"].low > 0.8
    assert found["krippendorff_alpha"].low is None
    assert found["krippendorff_alpha"].why == "only 3 tasks have another value than the most frequent"


RATINGS = st.dictionaries(
    st.integers(0, 30).map("u{}".format),
    st.dictionaries(st.sampled_from("ABC"), st.sampled_from([1.0, 2.0, 4.0]), min_size=1),
    min_size=1,
)


@given(RATINGS)
def test_no_figure_is_above_one_and_names_do_not_matter(data):
    renamed = {f"x{unit}": {{"A": "C", "B": "A", "C": "B"}[rater]: value for rater, value in row.items()}
               for unit, row in data.items()}  # fmt: skip
    table, other = ratings_table(data), ratings_table(renamed)
    for kind in ("nominal", "ordinal", "interval"):
        alpha = agreement.krippendorff_alpha(table, kind)
        assert alpha is None or alpha <= 1 + 1e-12
        assert alpha == pytest.approx(agreement.krippendorff_alpha(other, kind), abs=1e-9)
    for figure in (agreement.percent_agreement, agreement.gwet_ac1):
        value = figure(table)
        assert value is None or value <= 1 + 1e-12
        assert value == pytest.approx(figure(other), abs=1e-9)


def two_by_two(data, kind):
    """Alpha as it is defined, over every pair of ratings."""
    units = [list(row.values()) for row in data.values() if len(row) > 1]
    every = [value for unit in units for value in unit]
    total = Counter(every)

    def distance(one, other):
        if kind == "ordinal":
            low, high = sorted((one, other))
            between = sum(n for value, n in total.items() if low <= value <= high)
            return (between - (total[one] + total[other]) / 2) ** 2
        return (one - other) ** 2 if kind == "interval" else float(one != other)

    seen = sum(distance(*pair) / (len(unit) - 1) for unit in units for pair in permutations(unit, 2))
    chance = sum(distance(*pair) for pair in permutations(every, 2))
    return 1 - (len(every) - 1) * seen / chance if chance else None


@given(RATINGS)
def test_alpha_is_what_its_definition_says(data):
    for kind in ("nominal", "ordinal", "interval"):
        assert agreement.krippendorff_alpha(ratings_table(data), kind) == pytest.approx(
            two_by_two(data, kind), abs=1e-9
        )


def test_measurements_of_which_no_two_are_equal_take_no_longer_than_they_must():
    """A sum over pairs of 8,000 values, a thousand times over, would take hours."""
    random = Random(3)
    data = {f"u{at}": {"A": (value := random.random()), "B": value + random.random() / 10} for at in range(4_000)}
    found = figures_of(data).figures
    alpha = found["krippendorff_alpha"]
    assert alpha.value == pytest.approx(0.98, abs=0.02)
    assert alpha.low < alpha.value < alpha.high < alpha.low + 0.02
    assert found["gwet_ac1"].why == REASON_MANY_VALUES


def test_many_raters_who_each_rate_a_little_take_no_more_room_than_their_ratings():
    data = {f"u{at}": {f"r{at + more}": float(more % 2) for more in range(5)} for at in range(20_000)}
    table = ratings_table(data)
    assert (len(table.raters), len(table.rows)) == (20_004, 1)
    assert agreement.percent_agreement(table) == pytest.approx(0.4)


def test_thirty_thousand_raters_of_one_unit():
    table = ratings_table({"u": {f"r{at}": float(at) for at in range(30_000)}})
    assert agreement.krippendorff_alpha(table, "interval") == pytest.approx(0)
    assert agreement.fleiss_kappa(table) == pytest.approx(0, abs=1e-3)


def test_values_so_near_that_their_squares_vanish_still_differ():
    near = ratings_table({"u1": {"A": 1e-200, "B": 1e-200}, "u2": {"A": 2e-200, "B": 3e-200}})
    same = ratings_table({"u1": {"A": 1.0, "B": 1.0}, "u2": {"A": 2.0, "B": 3.0}})
    assert agreement.krippendorff_alpha(near, "interval") == pytest.approx(
        agreement.krippendorff_alpha(same, "interval")
    )


def random_tables():
    random = Random(7)
    for _ in range(150):
        raters = "AB" if random.random() < 0.5 else "ABCD"
        gaps = random.choice([0, 0.3])
        values = [float(value) for value in sorted(random.sample(range(12), random.randint(2, 5)))]
        rows = {
            f"u{at}": {rater: random.choice(values) for rater in raters if random.random() >= gaps} for at in range(30)
        }
        table = ratings_table({unit: row for unit, row in rows.items() if row})
        if len(table.values) > 1 and table.pairable_units > 1:
            yield table, [[rows[unit].get(rater) for unit in rows] for rater in raters], bool(gaps)


def test_a_table_of_counted_kinds_is_that_of_its_units():
    random = Random(8)
    rows = [{rater: random.choice("xyz") for rater in "ABCD" if random.random() < 0.7} for _ in range(60)]
    units = {f"u{at}": row for at, row in enumerate(row for row in rows if row)}
    counts = [tuple(sorted(Counter(row.values()).items())) for row in units.values()]
    assert counted_ratings_table("DCBA", counts) == ratings_table(units)


def test_alpha_is_that_of_the_library_krippendorff():
    for table, lines, _gaps in random_tables():
        data = np.array([[np.nan if value is None else value for value in line] for line in lines])
        for kind in ("nominal", "ordinal", "interval"):
            theirs = krippendorff.alpha(reliability_data=data, level_of_measurement=kind)
            assert agreement.krippendorff_alpha(table, kind) == pytest.approx(theirs, abs=1e-9)


def test_kappa_is_that_of_scikit_learn():
    """Over the units of both, where one of them has left some out."""
    for table, all_lines, _gaps in random_tables():
        both = [pair for pair in zip(*all_lines, strict=True) if None not in pair]
        lines = list(zip(*both, strict=True))
        given = sorted({value for pair in both for value in pair})
        if len(lines) == 2 and len(given) > 1:
            for weights, mine in (
                (None, agreement.cohen_kappa(table)),
                ("linear", agreement.weighted_kappa(table, "linear")),
                ("quadratic", agreement.weighted_kappa(table, "quadratic")),
            ):
                theirs = metrics.cohen_kappa_score(*lines, weights=weights, labels=given)
                assert mine == pytest.approx(theirs, abs=1e-9)


def test_fleiss_kappa_is_that_of_statsmodels():
    for table, lines, gaps in random_tables():
        if not gaps:
            counts, _values = inter_rater.aggregate_raters(np.array(lines).T)
            assert agreement.fleiss_kappa(table) == pytest.approx(inter_rater.fleiss_kappa(counts), abs=1e-9)


def counted(counts):
    """Units of which only is told how often each value was given."""
    rows = [[float(value) for value, n in enumerate(line) for _ in range(n)] for line in counts]
    return {f"u{at}": {f"r{place}": value for place, value in enumerate(row)} for at, row in enumerate(rows)}


def crossed(matrix):
    """Two raters by how often one gave the row and the other the column."""
    both = [(row, column) for row, line in enumerate(matrix) for column, n in enumerate(line) for _ in range(n)]
    return ratings_table({f"u{at}": {"A": float(one), "B": float(other)} for at, (one, other) in enumerate(both)})


# Fleiss, "Measuring nominal scale agreement among many raters" (1971): 30 patients, five diagnoses, six psychiatrists.
PATIENTS = """
    00060 03003 01401 00006 03030 20400 00402 20310 20040 00006 10050 11040 03300 10050 02031
    00501 30012 51000 02040 10203 00006 01050 02013 20040 10041 05010 40002 02040 10500 00006
"""


def test_the_thirty_patients_of_fleiss():
    data = counted([[int(n) for n in line] for line in PATIENTS.split()])
    table = ratings_table(data)
    assert agreement.percent_agreement(table) == pytest.approx(0.556, abs=5e-4)
    assert agreement.fleiss_kappa(table) == pytest.approx(0.430, abs=5e-4)


def test_the_two_hundred_patients_of_cohen():
    """Cohen, "Weighted kappa" (1968), table 1: two judges, three kinds of disorder."""
    table = crossed([[88, 14, 18], [10, 40, 10], [2, 6, 12]])
    assert agreement.percent_agreement(table) == pytest.approx(0.70)
    assert agreement.cohen_kappa(table) == pytest.approx(0.492, abs=5e-4)


def test_where_nearly_all_is_one_value_kappa_falls_and_ac1_stays():
    """Gwet, "Kappa statistic is not satisfactory for assessing the extent of agreement" (2002): 125 subjects."""
    table = crossed([[118, 5], [2, 0]])
    assert agreement.percent_agreement(table) == pytest.approx(0.944)
    assert agreement.cohen_kappa(table) == pytest.approx(-0.0234, abs=5e-5)
    assert agreement.gwet_ac1(table) == pytest.approx(0.9408, abs=5e-5)


@pytest.mark.parametrize(
    ("lines", "alpha"),
    [
        ({"Ben": "0100000010", "Gerry": "1110010000"}, 0.095),
        ({"Ben": "112243335441", "Gerry": "212223335444"}, 0.692),
    ],
)
def test_the_two_observers_of_krippendorff(lines, alpha):
    """Krippendorff, "Computing Krippendorff's alpha-reliability" (2011), sections A and B."""
    assert agreement.krippendorff_alpha(ratings_table(by_rater(**lines)), "nominal") == pytest.approx(alpha, abs=5e-4)


def test_figures_from_sums_over_tasks_are_the_figures():
    """Intervals are computed from sums, values from the table: both are the same figure."""
    for table, _lines, _gaps in random_tables():
        clusters, weights = [at // 2 for at in range(len(table.kinds))], draw_weights(1, [f"t{at}" for at in range(15)])
        for kind in ("nominal", "ordinal", "interval"):
            columns, sums = summed(table, kind, clusters, weights)
            for name, statistic in statistics_of(columns, kind).items():
                figure = next(figure for figure in AGREEMENT_FIGURES if figure.name == name)
                if figure.reason_undefined(table, kind) is None:
                    exact = figure.compute(table, kind)
                    assert statistic(sums.total)[0] == pytest.approx(
                        np.nan if exact is None else exact, abs=1e-9, nan_ok=True
                    ), name


def test_a_draw_is_the_figure_of_the_tasks_that_were_drawn():
    """Each task stands in the table as often as it was drawn."""
    random = np.random.default_rng(3)
    values = np.clip(np.round(random.normal(3, 1, (20, 1, 1)) + random.normal(0, 0.9, (20, 4, 3))), 1, 5)
    data = {f"u{at:02}": dict(zip("ABC", map(float, row), strict=True)) for at, row in enumerate(values.reshape(-1, 3))}
    table, weights = ratings_table(data), draw_weights(1, [f"t{at}" for at in range(20)], 25)
    for kind in ("nominal", "ordinal", "interval"):
        columns, sums = summed(table, kind, [at // 4 for at in range(80)], weights)
        drawn = statistics_of(columns, kind)["krippendorff_alpha"](draw_kind_sums(sums, weights).drawn)
        theirs = [
            krippendorff.alpha(np.repeat(values, times, axis=0).reshape(-1, 3).T, level_of_measurement=kind)
            for times in weights.T
        ]
        assert drawn == pytest.approx(theirs, abs=1e-9)


def test_of_many_tasks_the_jackknife_gives_the_interval_of_the_draws():
    """Above 20,000 tasks nothing is drawn. Of 4,000 both intervals end within a tenth of their width of each other."""
    random = np.random.default_rng(11)
    usual = random.choice(4, 4_000, p=[0.5, 0.3, 0.15, 0.05])
    given = np.where(random.random((3, 4_000, 3)) < 0.75, usual[:, None], random.integers(0, 4, (3, 4_000, 3)))
    units = [tuple(sorted(Counter(map(float, row)).items())) for row in given.reshape(-1, 3).tolist()]
    table, tasks = counted_ratings_table("ABC", units), np.tile(np.arange(4_000), 3)
    assert [draws_for(20_000), draws_for(20_001)] == [2_000, 0]
    names = [f"t-{number}" for number in range(4_000)]
    for kind in ("nominal", "ordinal", "interval"):
        drawn, not_drawn = (
            agreement_figures(table, kind, tasks, draw_weights(1, names, draws)).figures for draws in (2_000, 0)
        )
        assert drawn.keys() == not_drawn.keys() >= {"krippendorff_alpha", "gwet_ac1", "fleiss_kappa"}
        for name, figure in drawn.items():
            assert figure.low is not None
            assert figure.high is not None
            other, tenth = not_drawn[name], (figure.high - figure.low) / 10
            assert (other.value, other.clusters) == (figure.value, 4_000)
            assert [other.low, other.high] == pytest.approx([figure.low, figure.high], abs=tenth), (kind, name)
