"""Compute the figures about systems: of each group, and the differences between groups. Draws come from the seed."""

from collections.abc import Sequence
from itertools import combinations
from math import sqrt

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from desktop_rater.audit.report import ReportFigure
from desktop_rater.audit.results import Audit
from desktop_rater.audit.status import natural_key
from desktop_rater.audit.system_preferences import compared_pairs, preferences
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
    MetricSet,
    SystemDifference,
    SystemFigure,
    SystemGroup,
    SystemMetric,
    SystemsReport,
    SystemsRequest,
)
from desktop_rater.stats.cluster_bootstrap import (
    BLOCK,
    MIN_CLUSTERS,
    ClusterDraws,
    Estimate,
    Statistic,
    divided,
    draw_weights,
    estimate_figure,
    few_clusters,
    share,
)
from desktop_rater.stats.permutation import holm, permutation_test

Floats = NDArray[np.float64]
_LEAST = 1e-12  # spread of draws that vary
_BLOCK = 500  # draws computed at a time
ALL_RESPONSES = "all responses"
ALL_ALIKE = "all prompts are alike: no interval"


class PromptSums(Struct, frozen=True, kw_only=True):
    """Parts and wholes of each metric: by prompt (prompts, metrics, 2), and of each draw (draws, metrics, 2)."""

    prompts: tuple[str, ...]
    sums: Floats
    drawn: Floats

    def clusters(self, metric: int) -> int:
        return int(np.count_nonzero(self.sums[:, metric, 1]))


def make_systems_report(
    audit: Audit, tasks: Sequence[TaskFacts], labels: FinalValues, request: SystemsRequest, *, seed: int, computed: str
) -> SystemsReport:
    """Compute all figures but those of rounds. `tasks`: those with effective ratings."""
    rated = system_responses(tasks, labels)
    pair = (request.pair,) if request.pair else ()
    check_columns(rated, (*request.by, *pair, *(name for name, _ in request.where)))
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
        preferences=tuple(
            preferences(compared, request.pair, seed)
            for compared in compared_pairs(audit, groups, labels, request.pair, metrics.comparisons)
        ),
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
    drawn = np.empty((weights.shape[1], flat.shape[1]))
    for start in range(0, len(drawn), _BLOCK):
        drawn[start : start + _BLOCK] = weights[:, start : start + _BLOCK].T.astype(np.float64) @ flat
    return PromptSums(prompts=tuple(rows), sums=sums, drawn=drawn.reshape(len(drawn), -1, 2))


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
    figures: dict[str, SystemFigure] = {}
    for index, metric in enumerate(metrics):
        parts, wholes = sums.sums[:, index].T
        whole = int(wholes.sum())
        if whole:
            if metric.is_share:
                estimate = share(parts, wholes)
            else:
                estimate = _estimate(sums.sums[:, index], sums.drawn[:, index], _ratio)
            figures[metric.id] = SystemFigure(part=float(parts.sum()), whole=whole, figure=figure_of(estimate, whole))
    return figures


def _estimate(sums: Floats, drawn: Floats, statistic: Statistic) -> Estimate:
    used = sums[sums.any(axis=1)]
    draws = ClusterDraws(sums.sum(axis=0, keepdims=True), drawn, len(used), lambda start: used[start : start + BLOCK])
    estimate = estimate_figure(draws, statistic)
    if estimate.low is not None and estimate.low == estimate.high:
        return estimate._replace(low=None, high=None, why=ALL_ALIKE)  # no draw can show how far others would be
    return estimate


def _ratio(sums: Floats) -> Floats:
    return divided(sums[:, 0], sums[:, 1])


def _ratio_difference(sums: Floats) -> Floats:
    return _ratio(sums[:, :2]) - _ratio(sums[:, 2:])


def figure_of(estimate: Estimate, n: int) -> ReportFigure:
    """Return an estimate as a figure with its base."""
    return ReportFigure(
        value=estimate.value, low=estimate.low, high=estimate.high, n=n, tasks=estimate.clusters, why=estimate.why
    )


def _differences(sums: dict[str, PromptSums], metrics: Sequence[SystemMetric], seed: int) -> list[SystemDifference]:
    compared = [index for index, metric in enumerate(metrics) if is_compared(metric)]
    rows: dict[int, list[SystemDifference]] = {index: [] for index in compared}
    for name, other in combinations(sums, 2):
        first, second = sums[name], sums[other]
        union = {prompt: row for row, prompt in enumerate(dict.fromkeys((*first.prompts, *second.prompts)))}
        aligned = [_aligned(group, union, compared) for group in (first, second)]
        chances = permutation_test(*aligned, seed) if compared else ()
        shared = len(set(first.prompts) & set(second.prompts))
        for index, p in zip(compared, chances, strict=True):
            estimate = difference_of(first, second, index, is_share=metrics[index].is_share)
            if estimate.value is not None:
                rows[index].append(
                    SystemDifference(
                        metric=metrics[index].id,
                        one=name,
                        other=other,
                        figure=figure_of(estimate, int(first.sums[:, index, 1].sum() + second.sums[:, index, 1].sum())),
                        p=float(p),
                        shared=shared,
                    )
                )
    return [row for index in compared for row in _adjusted(rows[index])]


def difference_of(first: PromptSums, second: PromptSums, metric: int, *, is_share: bool) -> Estimate:
    """Return the first ratio minus the second; prompts of both are drawn together. Each needs enough of its own."""
    if is_share:
        return _share_difference(first, second, metric)
    union = {prompt: row for row, prompt in enumerate(dict.fromkeys((*first.prompts, *second.prompts)))}
    sums = np.concatenate([_aligned(group, union, [metric])[:, 0] for group in (first, second)], axis=1)
    drawn = np.concatenate([group.drawn[:, metric] for group in (first, second)], axis=1)
    estimate = _estimate(sums, drawn, _ratio_difference)
    fewest = min(first.clusters(metric), second.clusters(metric))
    if fewest < MIN_CLUSTERS and estimate.value is not None:
        return estimate._replace(low=None, high=None, why=few_clusters(fewest))
    return estimate


def _share_difference(first: PromptSums, second: PromptSums, metric: int) -> Estimate:
    """Return the difference of two shares, its ends from those of the shares (Newcombe 1998; Zou and Donner 2008).

    So it is right where one of them is 0, too. Their correlation is that of the draws, in which prompts are shared.
    """
    first_share, second_share = (share(*group.sums[:, metric].T) for group in (first, second))
    clusters = len(set(_with_whole(first, metric)) | set(_with_whole(second, metric)))
    if first_share.value is None or second_share.value is None:
        return Estimate(None, None, None, clusters)
    value = first_share.value - second_share.value
    if first_share.low is None or first_share.high is None or second_share.low is None or second_share.high is None:
        return Estimate(value, None, None, clusters, first_share.why or second_share.why)
    drawn = np.stack([_ratio(group.drawn[:, metric]) for group in (first, second)])
    drawn = drawn[:, np.isfinite(drawn).all(axis=0)]
    alike = float(np.corrcoef(drawn)[0, 1]) if (drawn.std(axis=1) > _LEAST).all() else 0.0
    ends = [
        (first_share.value - first_share.low, second_share.high - second_share.value),
        (first_share.high - first_share.value, second_share.value - second_share.low),
    ]
    low, high = (sqrt(max(0.0, a * a + b * b - 2 * alike * a * b)) for a, b in ends)
    return Estimate(value, value - low, value + high, clusters)


def _with_whole(group: PromptSums, metric: int) -> list[str]:
    return [prompt for prompt, whole in zip(group.prompts, group.sums[:, metric, 1], strict=True) if whole]


def _aligned(group: PromptSums, union: dict[str, int], metrics: Sequence[int]) -> Floats:
    sums = np.zeros((len(union), len(metrics), 2))
    sums[[union[prompt] for prompt in group.prompts]] = group.sums[:, metrics]
    return sums


def _adjusted(rows: Sequence[SystemDifference]) -> list[SystemDifference]:
    adjusted = holm([row.p for row in rows])
    return [replace(row, holm=p) for row, p in zip(rows, adjusted, strict=True)]
