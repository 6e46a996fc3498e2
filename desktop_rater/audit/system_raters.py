"""Intervals of figures about systems that also cover that other raters might have been asked."""

from collections.abc import Iterable, Sequence

import numpy as np
from msgspec.structs import replace

from desktop_rater.audit.compute_systems import grouped, sums_by_row
from desktop_rater.audit.report import ReportFigure
from desktop_rater.audit.results import Audit
from desktop_rater.audit.system_metrics import MetricSet
from desktop_rater.audit.system_preferences import compared_pairs
from desktop_rater.audit.system_responses import FinalValues, TaskFacts, system_responses
from desktop_rater.audit.systems import SystemsReport
from desktop_rater.stats.cluster_bootstrap import Estimate, with_other_factor

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

    def values(key: FigureKey) -> np.ndarray:
        return np.array([figures.get(key, np.nan) for figures in left_out])

    def widened(figure: ReportFigure, others: np.ndarray, low: float, high: float) -> ReportFigure:
        over_prompts = Estimate(figure.value, figure.low, figure.high, figure.tasks, figure.why)
        both = with_other_factor(over_prompts, others)
        if both.low is not None and both.high is not None:
            both = both._replace(low=max(both.low, low), high=min(both.high, high))
        return replace(figure, low=both.low, high=both.high, why=both.why)

    def of_metric(group: str, metric: str, figure: ReportFigure) -> ReportFigure:
        range_of = report.metric(metric)
        low, high = (-np.inf, None) if range_of is None else (range_of.low, range_of.high)
        return widened(figure, values((group, metric)), low, np.inf if high is None else high)

    return replace(
        report,
        groups=tuple(
            replace(
                group,
                figures={
                    name: replace(given, figure=of_metric(group.name, name, given.figure))
                    for name, given in group.figures.items()
                },
            )
            for group in report.groups
        ),
        differences=tuple(
            replace(
                row,
                figure=widened(
                    row.figure, values((row.one, row.metric)) - values((row.other, row.metric)), -np.inf, np.inf
                ),
            )
            for row in report.differences
        ),
        preferences=tuple(
            replace(
                answered,
                first=widened(answered.first, values((answered.question,)), 0, 1),
                strengths=tuple(
                    replace(row, figure=widened(row.figure, values((answered.question, "strength", row.name)), 0, 1))
                    for row in answered.strengths
                ),
                duels=tuple(
                    replace(row, figure=widened(row.figure, values((answered.question, row.one, row.other)), 0, 1))
                    for row in answered.duels
                ),
            )
            for answered in report.preferences
        ),
    )
