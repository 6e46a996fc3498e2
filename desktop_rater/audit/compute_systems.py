"""Compute the figures about systems: of each group, and the differences between groups. Draws come from the seed."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from desktop_rater.audit.report import ReportFigure
from desktop_rater.audit.results import Audit
from desktop_rater.audit.status import natural_key
from desktop_rater.audit.system_metrics import MetricSet
from desktop_rater.audit.system_preferences import preferences
from desktop_rater.audit.system_responses import (
    FinalValues,
    SystemResponse,
    TaskFacts,
    base_of,
    check_columns,
    meta_columns_of,
    prompt_of,
    system_column,
    system_responses,
)
from desktop_rater.audit.systems import (
    SystemDifference,
    SystemFigure,
    SystemGroup,
    SystemMetric,
    SystemsReport,
    SystemsRequest,
)
from desktop_rater.stats.cluster_bootstrap import MIN_CLUSTERS as MIN_PROMPTS
from desktop_rater.stats.cluster_bootstrap import Estimate, divided, draw_weights, estimate_from_draws
from desktop_rater.stats.permutation import holm, permutation_test
from desktop_rater.stats.rare_shares import rare_share_interval

Floats = NDArray[np.float64]
_BLOCK = 500  # draws computed at a time
ALL_RESPONSES = "all responses"


class PromptSums(Struct, frozen=True, kw_only=True):
    """Parts and wholes by prompt (prompts, metrics, 2), and the ratios of each draw (draws, metrics)."""

    prompts: tuple[str, ...]
    sums: Floats
    drawn: Floats

    @property
    def ratios(self) -> Floats:
        totals = self.sums.sum(axis=0)
        return divided(totals[:, 0], totals[:, 1])

    def clusters(self, metric: int) -> int:
        return int(np.count_nonzero(self.sums[:, metric, 1]))


def make_systems_report(
    audit: Audit, tasks: Sequence[TaskFacts], labels: FinalValues, request: SystemsRequest, *, seed: int, computed: str
) -> SystemsReport:
    """Compute all figures but those of rounds. `tasks`: those with effective ratings."""
    rated = system_responses(tasks, labels)
    check_columns(rated, (*request.by, *(name for name, _ in request.where)))
    chosen = [response for response in rated if response.matches(request.where)]
    metrics = MetricSet(audit.rubric, request, has_references=any(task.f1 for task in tasks))
    column = system_column(rated)
    by = request.by or ((column,) if column else ())
    groups = grouped(chosen, by)
    sums = {
        name: prompt_sums(responses, [prompt_of(response, request.pair) for response in responses], metrics, seed)
        for name, responses in groups.items()
    }
    figures = {name: group_figures(sums[name], metrics.metrics) for name in groups}
    return SystemsReport(
        bundle=audit.bundle,
        title=audit.title,
        rubric=audit.rubric.ref,
        seed=seed,
        computed=computed,
        request=request,
        columns=meta_columns_of(rated),
        system_column=column,
        base=base_of(chosen, request.pair),
        metrics=tuple(metric for metric in metrics.metrics if any(metric.id in given for given in figures.values())),
        groups=tuple(
            SystemGroup(
                name=name,
                values=responses[0].columns(by),
                base=base_of(responses, request.pair),
                figures=figures[name],
            )
            for name, responses in groups.items()
        ),
        differences=tuple(_differences(sums, metrics.metrics, seed)),
        preferences=tuple(preferences(audit.rubric, groups, labels, request.pair, metrics.comparisons, seed)),
        open=sum(value is None for response in chosen for *_, value in response.values),
        why="" if chosen else "No response has been rated." if not rated else "No response matches the filter.",
        cautions=audit.cautions,
    )


def grouped(responses: Sequence[SystemResponse], by: Sequence[str]) -> dict[str, list[SystemResponse]]:
    """Return the responses by the values of the columns, in natural order; without columns all are one group."""
    groups: dict[str, list[SystemResponse]] = {}
    for response in responses:
        groups.setdefault(group_name(response, by), []).append(response)
    return dict(sorted(groups.items(), key=lambda group: natural_key(group[0])))


def group_name(response: SystemResponse, by: Sequence[str]) -> str:
    """Return the name of a response's group: its values of the columns."""
    return " ".join(value or "–" for value in response.columns(by)) if by else ALL_RESPONSES


def prompt_sums(
    responses: Sequence[SystemResponse], prompts: Sequence[str], metrics: MetricSet, seed: int
) -> PromptSums:
    """Sum what responses contribute by the prompt of each, and draw."""
    rows = {prompt: row for row, prompt in enumerate(dict.fromkeys(prompts))}
    sums = sums_by_row(responses, [rows[prompt] for prompt in prompts], metrics)
    weights = draw_weights(seed, list(rows))
    flat = sums.reshape(len(rows), -1)
    drawn = np.empty((weights.shape[1], len(metrics.metrics)))
    for start in range(0, len(drawn), _BLOCK):
        block = weights[:, start : start + _BLOCK].T.astype(np.float64) @ flat
        block = block.reshape(len(block), -1, 2)
        drawn[start : start + _BLOCK] = divided(block[..., 0], block[..., 1])
    return PromptSums(prompts=tuple(rows), sums=sums, drawn=drawn)


def sums_by_row(responses: Sequence[SystemResponse], rows: Sequence[int], metrics: MetricSet) -> Floats:
    """Return the parts and wholes of responses by the row of each, (rows, metrics, 2)."""
    sums = np.zeros((max(rows, default=-1) + 1, len(metrics.metrics), 2))
    for response, row in zip(responses, rows, strict=True):
        for cell in metrics.cells(response.values, response.task.f1.get(response.id)):
            sums[row, cell.metric] += cell.part, cell.whole
    return sums


def is_compared(metric: SystemMetric) -> bool:
    """Tell if groups are compared by a metric: of distributions, only by the best and the worst value."""
    return metric.kind != "share" or (metric.decisive and bool(metric.good))


def group_figures(sums: PromptSums, metrics: Sequence[SystemMetric]) -> dict[str, SystemFigure]:
    """Return the figure of each metric that the group has."""
    ratios, totals = sums.ratios, sums.sums.sum(axis=0)
    figures: dict[str, SystemFigure] = {}
    for index, metric in enumerate(metrics):
        part, whole = (float(value) for value in totals[index])
        if whole:
            clusters = sums.clusters(index)
            if metric.is_share:
                estimate = _share_estimate(sums, index, clusters)
            else:
                estimate = estimate_from_draws(float(ratios[index]), sums.drawn[:, index], clusters)
            figure = figure_of(estimate, int(whole))
            figures[metric.id] = SystemFigure(part=part, whole=int(whole), figure=figure)
    return figures


def _share_estimate(sums: PromptSums, index: int, clusters: int) -> Estimate:
    parts, wholes = sums.sums[:, index, 0], sums.sums[:, index, 1]
    ordinary = estimate_from_draws(float(sums.ratios[index]), sums.drawn[:, index], clusters)
    if clusters < MIN_PROMPTS or min(np.count_nonzero(parts), np.count_nonzero(wholes - parts)) >= MIN_PROMPTS:
        return ordinary
    low, high = rare_share_interval(parts, wholes, sums.drawn[:, index])
    return Estimate(ordinary.value, low, high, clusters)


def figure_of(estimate: Estimate, n: int) -> ReportFigure:
    """Return an estimate as a figure with its base."""
    return ReportFigure(
        value=estimate.value, low=estimate.low, high=estimate.high, n=n, tasks=estimate.clusters, why=estimate.why
    )


def _differences(sums: dict[str, PromptSums], metrics: Sequence[SystemMetric], seed: int) -> list[SystemDifference]:
    compared = [index for index, metric in enumerate(metrics) if is_compared(metric)]
    rows: dict[int, list[SystemDifference]] = {index: [] for index in compared}
    for one, other in combinations(sums, 2):
        first, second = sums[one], sums[other]
        union = {prompt: row for row, prompt in enumerate(dict.fromkeys((*first.prompts, *second.prompts)))}
        aligned = [_aligned(group, union, compared) for group in (first, second)]
        chances = permutation_test(*aligned, seed) if compared else ()
        shared = len(set(first.prompts) & set(second.prompts))
        for index, p in zip(compared, chances, strict=True):
            estimate = difference_of(first, second, index)
            if estimate.value is not None:
                rows[index].append(
                    SystemDifference(
                        metric=metrics[index].id,
                        one=one,
                        other=other,
                        figure=figure_of(estimate, int(first.sums[:, index, 1].sum() + second.sums[:, index, 1].sum())),
                        p=float(p),
                        shared=shared,
                    )
                )
    return [row for index in compared for row in _adjusted(rows[index])]


def difference_of(first: PromptSums, second: PromptSums, metric: int) -> Estimate:
    """Return the first ratio minus the second; prompts of both are drawn together."""
    clusters = min(first.clusters(metric), second.clusters(metric))
    value = float(first.ratios[metric] - second.ratios[metric])
    if not clusters:
        return Estimate(None, None, None, 0)
    return estimate_from_draws(value, first.drawn[:, metric] - second.drawn[:, metric], clusters)


def _aligned(group: PromptSums, union: dict[str, int], metrics: Sequence[int]) -> Floats:
    sums = np.zeros((len(union), len(metrics), 2))
    sums[[union[prompt] for prompt in group.prompts]] = group.sums[:, metrics]
    return sums


def _adjusted(rows: Sequence[SystemDifference]) -> list[SystemDifference]:
    adjusted = holm([row.p for row in rows])
    return [replace(row, holm=p) for row, p in zip(rows, adjusted, strict=True)]
