"""Intervals of figures about systems that also cover that other raters might have been asked."""

from collections.abc import Iterable, Sequence

import numpy as np
from msgspec.structs import replace

from desktop_rater.audit.compute_systems import grouped, sums_by_row
from desktop_rater.audit.report import ReportFigure
from desktop_rater.audit.results import Audit
from desktop_rater.audit.system_preferences import compared_pairs
from desktop_rater.audit.system_responses import FinalValues, TaskFacts, system_responses
from desktop_rater.audit.systems import MetricSet, SystemGroup, SystemPreferences, SystemsReport
from desktop_rater.stats.cluster_bootstrap import Estimate, Floats, with_other_factor

FigureKey = tuple[str, ...]
"""Name of a figure of a report: its group and metric, or its question and systems."""


def figure_values(
    report: SystemsReport, audit: Audit, tasks: Sequence[TaskFacts], labels: FinalValues
) -> dict[FigureKey, float]:
    """Return the values of a report's figures by other final labels, without intervals."""
    request = report.request
    metrics = MetricSet(audit.rubric, request, has_references=any(task.f1 for task in tasks))
    chosen = [response for response in system_responses(tasks, labels) if response.matches(request.where)]
    groups = grouped(chosen, request.by or ((report.system_column,) if report.system_column else ()))
    values: dict[FigureKey, float] = {}
    for name, responses in groups.items():
        (totals,) = sums_by_row(responses, [0] * len(responses), metrics)
        for metric, (part, whole) in zip(metrics.metrics, totals, strict=True):
            if whole:
                values[name, metric.id] = part / whole
    for compared in compared_pairs(audit, groups, labels, request.pair, metrics.comparisons):
        question, seen = compared.question.id, compared.seen(report.seed)
        values[question,] = seen.first().value or 0.0
        values |= {(question, "strength", name): chance for name, chance in seen.chances().items()}
        values |= {
            (question, duel.one, duel.other): duel.figure.value or 0.0 for duel in compared.final(report.seed).duels()
        }
    return values


def with_other_raters(report: SystemsReport, without: Iterable[dict[FigureKey, float]]) -> SystemsReport:
    """Return a report whose intervals are over prompts and raters. `without`: its figures without each one rater."""
    left_out = list(without)
    ends = {metric.id: (metric.low, np.inf if metric.high is None else metric.high) for metric in report.metrics}

    def values(*key: str) -> Floats:
        return np.array([figures.get(key, np.nan) for figures in left_out])

    def of_pairs(answered: SystemPreferences) -> SystemPreferences:
        question = answered.question
        return replace(
            answered,
            first=_widened(answered.first, values(question), (0, 1)),
            strengths=tuple(
                replace(row, figure=_widened(row.figure, values(question, "strength", row.name), (0, 1)))
                for row in answered.strengths
            ),
            duels=tuple(
                replace(row, figure=_widened(row.figure, values(question, row.one, row.other), (0, 1)))
                for row in answered.duels
            ),
        )

    def of_group(group: SystemGroup) -> SystemGroup:
        figures = {
            name: replace(given, figure=_widened(given.figure, values(group.name, name), ends[name]))
            for name, given in group.figures.items()
        }
        return replace(group, figures=figures)

    differences = (
        replace(row, figure=_widened(row.figure, values(row.one, row.metric) - values(row.other, row.metric)))
        for row in report.differences
    )
    return replace(
        report,
        groups=tuple(map(of_group, report.groups)),
        differences=tuple(differences),
        preferences=tuple(map(of_pairs, report.preferences)),
    )


def _widened(figure: ReportFigure, others: Floats, ends: tuple[float, float] = (-np.inf, np.inf)) -> ReportFigure:
    both = with_other_factor(Estimate(figure.value, figure.low, figure.high, figure.tasks, figure.why), others)
    if both.low is None or both.high is None:
        return replace(figure, low=None, high=None, why=both.why)
    return replace(figure, low=max(both.low, ends[0]), high=min(both.high, ends[1]))
