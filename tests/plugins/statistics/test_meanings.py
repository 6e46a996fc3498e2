"""Sentences for those who are no statisticians: none says more than the interval of its figure allows."""

import re
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from desktop_rater.audit.report import ReportFigure
from desktop_rater.audit.report_columns import AGREEMENT_FIGURES, SCALE_FIGURES
from desktop_rater.audit.report_format import ENGLISH
from desktop_rater.plugins.statistics.fragility import fewest_removals
from desktop_rater.plugins.statistics.meanings import (
    FIGURES,
    KRIPPENDORFF,
    coefficient_meaning,
    more_units,
    next_step,
    quoted_figure,
    report_meanings,
    result_summary,
)
from desktop_rater.plugins.statistics.result import ErrorResult
from desktop_rater.plugins.statistics.systems import (
    SystemDuel,
    SystemMetric,
    SystemPreferences,
    SystemsBase,
    SystemsReport,
    SystemsRequest,
    SystemStrength,
)
from desktop_rater.plugins.statistics.systems_meanings import PRECISE, figure_sentence, systems_meanings
from tests.audit.reports import figure, picture_report

GOOD = re.compile(r"(?<!not )(good|precise) enough")
ENDS = st.floats(-1, 1)


@st.composite
def figures(draw):
    """Figures as they are reported: with and without a value or an interval, which holds the value."""
    low, value, high = sorted(draw(st.tuples(ENDS, ENDS, ENDS)))
    tasks = draw(st.integers(1, 5_000))
    if draw(st.integers(0, 4)) == 0:
        return ReportFigure(why="no data", tasks=tasks)
    if draw(st.integers(0, 4)) == 0:
        return ReportFigure(value=value, why="rests on 3 tasks: too few for an interval", tasks=tasks)
    return ReportFigure(value=value, low=low, high=high, n=tasks, tasks=tasks)


@given(figures(), st.sampled_from(sorted({*AGREEMENT_FIGURES, *SCALE_FIGURES})))
def test_no_coefficient_is_good_enough_below_its_limit_and_none_without_a_value_pretends(figure, name):
    limits = (FIGURES.get(name) or FIGURES[name.partition(".")[0]])[1]
    text = coefficient_meaning(name, "It", figure, ENGLISH)
    if GOOD.search(text):
        assert limits is not None
        assert figure.low >= limits[1]
        assert ("publish" in text) is (figure.low >= limits[0])
    if figure.value is None:
        assert text == f"It has no value, and nothing follows: {figure.why}."
    elif figure.low is None:
        assert figure.why in text
        assert next_step(figure, limits, (3, 0), ENGLISH).startswith("Have more")


@given(figures(), st.sampled_from([None, 0.001, 0.2]))
def test_no_difference_is_good_enough_to_decide_unless_its_interval_leaves_out_no_difference(figure, p):
    for kind, even in (("difference", 0), ("duel", 0.5)):
        text = figure_sentence(kind, "It", figure, ENGLISH, p=p)
        decides = figure.low is not None and not figure.low <= even <= figure.high and (p is None or p < 0.05)
        assert bool(GOOD.search(text)) is decides
    share = SystemMetric(id="label:yes", kind="label", unit="task")
    if GOOD.search(figure_sentence("figure", "It", figure, ENGLISH, share)):
        assert max(figure.high - figure.value, figure.value - figure.low) <= PRECISE


@pytest.mark.parametrize("state", ["shown", "refuted", "open", ""])
@pytest.mark.parametrize("bound", [0.03, None])
@pytest.mark.parametrize("waiting", [0, 7])
def test_work_is_not_accepted_without_a_bound_nor_while_drawn_ratings_are_not_judged(state, bound, waiting):
    errors = ErrorResult(figure=figure(0.02, 0.01, 0.04), lower=0.01, bound=bound, wrong=3, goal=0.05, state=state,
                         strata=(), waiting=waiting, steps=(), enough=None, mistakes=())  # fmt: skip
    verdict, further = result_summary(errors, ENGLISH)
    assert verdict.startswith("Good enough") is (state == "shown" and bound is not None and not waiting)
    assert further == "First judge the 7 that are drawn." or not waiting


@pytest.mark.parametrize(
    ("value", "low", "high", "step"),
    [
        (0.75, 0.60, 0.85, "320 tasks (960 ratings)"),  # (0.15 / 0.083)² × 141 − 141
        (0.55, 0.45, 0.70, "More tasks do not raise it"),
        (0.50, 0.45, 0.55, "clarify the guidelines"),
        (0.67, 0.50, 0.80, "too close to 0.667"),
        (0.90, 0.85, 0.94, "needs no more ratings; with another 177 tasks (531 ratings) it would be known to ± 0.03"),
    ],
)
def test_the_next_step_follows_from_the_square_root_law(value, low, high, step):
    figure = ReportFigure(value=value, low=low, high=high, tasks=141)
    assert step in next_step(figure, KRIPPENDORFF, (3, 0), ENGLISH)


def test_four_times_the_tasks_halve_an_interval():
    assert more_units(ReportFigure(tasks=50), 0.2, 0.1) == 150


@pytest.mark.parametrize(
    ("measure", "raters", "labels", "quoted", "because"),
    [
        ("nominal", 5, (60, 40), "krippendorff_alpha", "2 labels without an order and 5 raters"),
        ("nominal", 2, (60, 40), "cohen_kappa", "two raters"),
        ("nominal", 5, (95, 5), "gwet_ac1", "95 % of the ratings have one label"),
        ("ordinal", 5, (60, 40), "krippendorff_alpha", "near steps count in part"),
        ("ordinal", 2, (60, 40), "weighted_kappa.quadratic", "Cohen 1968"),
    ],
)
def test_one_coefficient_is_quoted_for_a_reason_that_the_data_give(measure, raters, labels, quoted, because):
    names = ("krippendorff_alpha", "cohen_kappa", "gwet_ac1", "weighted_kappa.quadratic", "percent")
    report = picture_report()
    people = tuple(replace(row, labels={"label": labels}) for row in report.raters)
    agreement = replace(
        report.agreement[0],
        question=replace(report.agreement[0].question, measure=measure),
        figures={name: figure(0.7, 0.6, 0.8) for name in names},
        raters=raters,
    )
    report = replace(report, raters=people, agreement=(agreement,))
    assert quoted_figure(report, agreement)[1] == quoted
    summary = report_meanings(report, "label", ENGLISH).summary
    assert because in summary[1]
    assert len(summary) == 3
    undefined = replace(agreement, figures={"percent": figure(1, 0.9, 1), "gwet_ac1": ReportFigure(why="alike")})
    assert quoted_figure(report, undefined)[1] == "percent", "nothing else has a value"


def test_of_the_two_that_lead_the_one_preferred_directly_is_ahead():
    """Heron has won against others, but loses to Kestrel."""

    def share(value, low, high):
        return ReportFigure(value=value, low=low, high=high, n=60, tasks=60)

    names = ("Heron", "Kestrel", "Plover")
    strengths = [SystemStrength(name=name, pairs=60, figure=share(value, value - 0.1, value + 0.1))
                 for name, value in zip(names, (0.7, 0.6, 0.2), strict=True)]  # fmt: skip
    duels = [SystemDuel(one=one, other=other, wins=1, ties=0, losses=1, figure=share(0.3, 0.1, 0.45))
             for one, other in combinations(names, 2)]  # fmt: skip
    question = SystemPreferences(question="q", ask="Which is better?", base=SystemsBase(), pairs=180, open=0,
                                 strengths=tuple(strengths), duels=tuple(duels), first=ReportFigure())  # fmt: skip
    report = SystemsReport(
        bundle="b", title="b", rubric="r@1", seed=1, computed="", request=SystemsRequest(), columns=(), metrics=(),
        system_column="system", base=SystemsBase(), groups=(), preferences=(question,),
    )  # fmt: skip
    which, sure, _further = systems_meanings(report, ENGLISH).summary
    assert which.startswith("Kestrel is preferred to Heron in 70.0 of 100 pairs (95 % interval 51.7 to 94.4, adjusted")
    assert sure == "That is good enough to decide: the interval leaves out 50."


@pytest.mark.parametrize("seed", range(12))
def test_the_fewest_removals_are_those_of_brute_force(seed):
    """Nine tasks, one to three raters each: a yes of more than half counts, and a tie counts nowhere."""
    random = np.random.default_rng(seed)
    votes = {
        f"t{number}": {f"r{rater}": int(random.random() < 0.6) for rater in range(random.integers(1, 4))}
        for number in range(8)
    }

    def sums(out):
        made = {}
        for task, gone in out.items():
            given_votes = [vote for rater, vote in votes[task].items() if rater not in gone]
            decided = 2 * sum(given_votes) != len(given_votes)
            cells = (float(decided and 2 * sum(given_votes) > len(given_votes)), float(decided))
            made[task] = np.array([*cells, 0, 0] if int(task[1]) % 2 else [0, 0, *cells])
        return made

    def lead(gone):
        total = sum(sums({task: {rater for name, rater in gone if name == task} for task in votes}).values())
        return np.inf if 0 in total[1::2] else total[0] / total[1] - total[2] / total[3]

    if not 0 < lead(()) < np.inf:
        return
    single = [(task, rater) for task, given_votes in votes.items() for rater in given_votes]
    units = {
        False: [(judgement,) for judgement in single],
        True: [tuple(pair for pair in single if pair[1] == rater) for rater in sorted({rater for _, rater in single})],
    }
    for whole_raters, sets in units.items():
        bound = fewest_removals(sums, votes, whole_raters=whole_raters)
        sizes = range(1, len(sets) + 1 if whole_raters else 6)
        fewest = next(
            (
                size
                for size in sizes
                for some in combinations(sets, size)
                if lead([p for part in some for p in part]) < 0
            ),
            None,
        )
        assert bound.of == len(sets)
        if fewest is None:
            assert bound.count is None or bound.count > sizes[-1]
        elif bound.count is not None:
            assert bound.count >= fewest
            assert bound.count == fewest or not bound.exact
