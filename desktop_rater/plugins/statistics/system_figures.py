"""Compute the figures about systems: of each group, and the differences between groups. Draws come from the seed."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice, product
from math import comb, hypot, sqrt

import numpy as np
from msgspec import Struct
from msgspec.structs import asdict, replace
from numpy.typing import NDArray

from desktop_rater.audit.adjudication import FinalLabel, PlaceQuestion, final_labels
from desktop_rater.audit.figures import as_figure
from desktop_rater.audit.questions import MODEL_METHODS, judged_questions
from desktop_rater.audit.report import ReportFigure
from desktop_rater.audit.results import Audit, ReceivedRating
from desktop_rater.audit.reviews import Reviews
from desktop_rater.audit.status import natural_key
from desktop_rater.plugins.statistics.fragility import Fragility, fewest_removals
from desktop_rater.plugins.statistics.system_responses import (
    FinalValues,
    SystemResponse,
    TaskFacts,
    base_of,
    check_columns,
    compared_pairs,
    drawn_labels,
    is_measured,
    meta_columns_of,
    outcome_of,
    preferences,
    prompt_of,
    system_column,
    system_responses,
)
from desktop_rater.plugins.statistics.systems import (
    LabelledFigure,
    MetricSet,
    SystemDifference,
    SystemFigure,
    SystemGroup,
    SystemMetric,
    SystemPreferences,
    SystemsReport,
    SystemsRequest,
)
from desktop_rater.plugins.statistics.systems_meanings import LeadingPair, comparisons
from desktop_rater.rubric import Rubric
from desktop_rater.stats.cluster_bootstrap import (
    MIN_OTHERS,
    Estimate,
    Floats,
    correlation,
    difference,
    divided,
    draw_weights,
    ratio,
    share,
    with_other_factor,
)
from desktop_rater.translation import N_

PERMUTATIONS = 5_000
_FEWEST_DRAWS, _MOST_DRAWS, _LABELS, _NORMAL = 5, 20, 400_000, 1.959963984540054
"""Draws of all labels, about how many labels are drawn in all, and the 97.5th percentile."""
PARTS_OF_TASKS = 10  # in each of which every rater is left out
_MOST_CELLS = 20_000_000  # clusters × permutations; above it there are fewer permutations
_FEWEST = 1_000
_BLOCK = 500
_ALL_SIGNS = 12  # clusters up to which every permutation is counted
_TIE = 1e-12


def sign_test(better: int, worse: int) -> float | None:
    """Return the exact two-sided p of a sign test, McNemar's for pairs that differ; `None` without any."""
    total = better + worse
    if not total:
        return None
    tail = sum(comb(total, count) for count in range(min(better, worse) + 1))
    return min(1.0, 2 * tail / 2**total)


def holm(values: Sequence[float | None]) -> list[float | None]:
    """Adjust p values for their number, step by step from the smallest (Holm 1979)."""
    given = sorted((value, index) for index, value in enumerate(values) if value is not None)
    adjusted: list[float | None] = [None] * len(values)
    largest = 0.0
    for rank, (value, index) in enumerate(given):
        largest = max(largest, min(1.0, (len(given) - rank) * value))
        adjusted[index] = largest
    return adjusted


def permutation_test(one: Floats, other: Floats, seed: int) -> Floats:
    """Return the two-sided p of each difference of two ratios, NaN where a ratio is not defined.

    `one`, `other`: (clusters, ratios, 2) with the parts and wholes of two groups; a whole of 0 is none. If the
    groups do not differ, they can be exchanged in each cluster that has both, and clusters with one of them can be
    distributed otherwise (Fisher 1935; Pitman 1937). With at most 12 clusters, all with both, every exchange counts;
    otherwise the observed one and some thousand random ones (Phipson and Smyth 2010).
    """
    patterns: dict[bytes, list[int]] = {}
    for column in range(one.shape[1]):
        has = np.stack([one[:, column, 1] != 0, other[:, column, 1] != 0])
        patterns.setdefault(has.tobytes(), []).append(column)
    chances = np.full(one.shape[1], np.nan)
    for columns in patterns.values():  # a test does not depend on the clusters of another ratio
        chances[columns] = _test_alike(one[:, columns], other[:, columns], seed)
    return chances


def _test_alike(one: Floats, other: Floats, seed: int) -> Floats:
    """Return the p of ratios that are defined in the same clusters."""
    in_one, in_other = one[:, 0, 1] != 0, other[:, 0, 1] != 0
    both, single = in_one & in_other, in_one ^ in_other
    swapped, fixed = (one - other)[both], (one + other)[both].sum(axis=0)
    alone, first = (one + other)[single], int((in_one & ~in_other).sum())
    total = fixed + alone.sum(axis=0)

    def differences(signs: Floats, masks: Floats) -> Floats:
        mine = (fixed + np.tensordot(signs, swapped, axes=1)) / 2 + np.tensordot(masks, alone, axes=1)
        theirs = total - mine
        return divided(mine[..., 0], mine[..., 1]) - divided(theirs[..., 0], theirs[..., 1])

    names = np.compress(single, in_one).astype(np.float64)[None]
    observed = differences(np.ones((1, len(swapped))), names)[0]
    if not len(alone) and len(swapped) <= _ALL_SIGNS:
        signs = np.array(list(product((1.0, -1.0), repeat=len(swapped)))).reshape(2 ** len(swapped), -1)
        drawn = differences(signs, np.zeros((len(signs), 0)))
        return np.where(np.isfinite(observed), _as_far(drawn, observed).mean(axis=0), np.nan)
    random = np.random.Generator(np.random.Philox(seed))
    count = max(_FEWEST, min(PERMUTATIONS, _MOST_CELLS // max(1, len(one))))
    far = np.zeros(len(observed))
    for start in range(0, count, _BLOCK):
        block = min(_BLOCK, count - start)
        signs = random.integers(0, 2, (block, len(swapped))) * 2.0 - 1
        keys = random.random((block, len(alone)))
        masks = (keys.argsort(axis=1).argsort(axis=1) < first).astype(np.float64)
        far += _as_far(differences(signs, masks), observed).sum(axis=0)
    return np.where(np.isfinite(observed), (far + 1) / (count + 1), np.nan)


def _as_far(drawn: Floats, observed: Floats) -> NDArray[np.bool_]:
    """Tell which draws differ at least as much as what was observed."""
    return np.nan_to_num(np.abs(drawn)) >= np.abs(observed) - _TIE


ALL_RESPONSES = "all responses"


class PromptSums(Struct, frozen=True, kw_only=True):
    """Parts and wholes of each metric: by prompt (prompts, metrics, 2), and of each draw (draws, metrics, 2).

    `raters`: the people who rated these responses.
    """

    prompts: tuple[str, ...]
    sums: Floats
    drawn: Floats
    raters: frozenset[str]


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
        why=""
        if chosen
        else N_("Report", "No response has been rated.")
        if not rated
        else N_("Report", "No response matches the filter."),
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
    raters = frozenset[str]().union(*(response.task.raters for response in responses))
    return PromptSums(prompts=tuple(rows), sums=sums, drawn=drawn.reshape(len(drawn), -1, 2), raters=raters)


def sums_by_row(responses: Sequence[SystemResponse], rows: Sequence[int], metrics: MetricSet, count: int = 0) -> Floats:
    """Return the parts and wholes of responses by the row of each, (rows, metrics, 2), with at least `count` rows."""
    sums = np.zeros((max(count, max(rows, default=-1) + 1), len(metrics.metrics), 2))
    for response, row in zip(responses, rows, strict=True):
        for metric, part, whole in metrics.cells(response.values, response.task.f1.get(response.id)):
            sums[row, metric] += part, whole
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
            estimate = figure_of(sums, index, metric)
            figure = as_figure(estimate, whole, len(sums.raters))
            figures[metric.id] = SystemFigure(part=float(parts.sum()), whole=whole, figure=figure)
    return figures


def figure_of(sums: PromptSums, index: int, metric: SystemMetric) -> Estimate:
    """Return the figure of one metric."""
    parts, wholes = sums.sums[:, index].T
    return share(parts, wholes) if metric.is_share else ratio(parts, wholes, metric.ends)


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
            estimate = difference_of(first, second, index, metrics[index])
            if estimate.value is not None:
                rows[index].append(
                    SystemDifference(
                        metric=metrics[index].id,
                        one=name,
                        other=other,
                        figure=as_figure(
                            estimate,
                            int(first.sums[:, index, 1].sum() + second.sums[:, index, 1].sum()),
                            len(first.raters | second.raters),
                        ),
                        p=float(p),
                        shared=shared,
                    )
                )
    return [row for index in compared for row in _adjusted(rows[index])]


def difference_of(first: PromptSums, second: PromptSums, index: int, metric: SystemMetric) -> Estimate:
    """Return the difference of two figures. Their correlation is that of the draws, in which prompts are shared."""
    clusters = len(set(_with_whole(first, index)) | set(_with_whole(second, index)))
    alike = correlation(*(divided(*group.drawn[:, index].T) for group in (first, second)))
    return difference(figure_of(first, index, metric), figure_of(second, index, metric), alike, clusters)


def _with_whole(group: PromptSums, metric: int) -> list[str]:
    return [prompt for prompt, whole in zip(group.prompts, group.sums[:, metric, 1], strict=True) if whole]


def _aligned(group: PromptSums, union: dict[str, int], metrics: Sequence[int]) -> Floats:
    sums = np.zeros((len(union), len(metrics), 2))
    sums[[union[prompt] for prompt in group.prompts]] = group.sums[:, metrics]
    return sums


def _adjusted(rows: Sequence[SystemDifference]) -> list[SystemDifference]:
    adjusted = holm([row.p for row in rows])
    return [replace(row, holm=p) for row, p in zip(rows, adjusted, strict=True)]


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


def _sums_of_two(
    report: SystemsReport, compared: LeadingPair, rubric: Rubric, tasks: Sequence[TaskFacts], labels: FinalValues
) -> dict[str, Floats]:
    """Return by task the part and whole of a figure of the system ahead, and of the one behind; more is better."""
    sums: dict[str, Floats] = {}
    request, metric = report.request, compared.metric
    by = request.by or ((report.system_column,) if report.system_column else ())
    metrics = MetricSet(rubric, request, has_references=any(task.f1 for task in tasks))
    index = {row.id: number for number, row in enumerate(metrics.metrics)}.get(compared.name)
    sides = {compared.ahead: 0, compared.behind: 2}
    named: dict[str, dict[str, str]] = {}
    for response in system_responses(tasks, labels):
        name = group_name(response, by)
        if response.matches(request.where) and name in sides:
            named.setdefault(response.task.id, {})[name] = response.id
            for at, part, whole in metrics.cells(response.values, response.task.f1.get(response.id)):
                if at == index and metric is not None:
                    row = sums.setdefault(response.task.id, np.zeros(4))
                    row[sides[name]] += -part if metric.good == "lower" else part
                    row[sides[name] + 1] += whole
    for task in tasks if metric is None else ():
        label, of_task = labels.get((task.id, "task", compared.name)), named.get(task.id, {})
        outcome = None if label is None else outcome_of(label.value)
        if len(of_task) == len(sides) and outcome is not None:
            first = next(name for name, response in of_task.items() if response == task.responses[0])
            share = (2 - outcome) / 2 if first == compared.ahead else outcome / 2
            sums[task.id] = np.array([share, 1, 1 - share, 1])
    return sums


NO_VOTES = N_("Report", "With a model of the raters each label rests on all ratings: choose the majority to see how "
              "few judgements decide.")  # fmt: skip
NO_RATINGS = N_("Report", "How few judgements decide is not computed over a dataset: open it in a store.")
TOO_MANY = N_("Report", "There are too many ratings to search which of them decide.")
_MOST_RATINGS = 20_000  # squares of the ratings of a task, summed


def systems_fragility(
    audit: Audit, reviews: Reviews, tasks: Sequence[TaskFacts], labels: FinalValues, report: SystemsReport
) -> Iterator[Fragility]:
    """Yield how few judgements and raters decide which system is ahead, in each figure that compares systems."""
    request, facts = report.request, {task.id: task for task in tasks}
    by = request.by or ((report.system_column,) if report.system_column else ())
    ratings: dict[str, dict[str, ReceivedRating]] = {}
    for (task, rater), rating in audit.ratings.items():
        if task in facts and rater in facts[task].raters:
            ratings.setdefault(task, {})[rater] = rating
    named: dict[str, set[str]] = {}
    for response in system_responses(tasks, labels):
        if response.matches(request.where):
            named.setdefault(response.task.id, set()).add(group_name(response, by))
    too_many = sum(len(given) ** 2 for given in ratings.values()) > _MOST_RATINGS
    why = NO_VOTES if request.final in MODEL_METHODS else TOO_MANY if too_many else ""
    for compared in comparisons(report):

        def sums_of(out: Mapping[str, frozenset[str]], compared: LeadingPair = compared) -> dict[str, Floats]:
            rest = {(task, rater): rating for task, raters in out.items()
                    for rater, rating in ratings[task].items() if rater not in raters}  # fmt: skip
            finals = final_labels(replace(audit, tasks=tuple(out), ratings=rest), reviews, threshold=request.threshold)
            return _sums_of_two(report, compared, audit.rubric, [facts[task] for task in out], finals)

        two = {compared.ahead, compared.behind}
        both = {task: ratings[task] for task, names in named.items()
                if two <= names or (compared.metric is not None and two & names)}  # fmt: skip
        row = Fragility(figure=compared.name, ahead=compared.ahead, behind=compared.behind, why=why)
        if not why and compared.figure.value:
            row = replace(
                row,
                judgements=fewest_removals(sums_of, both, whole_raters=False),
                raters=fewest_removals(sums_of, both, whole_raters=True),
            )
        yield row


def with_other_raters(report: SystemsReport, without: Iterable[Sequence[dict[FigureKey, float]]]) -> SystemsReport:
    """Return a report whose intervals are over prompts and raters.

    `without`: of each rater, the figures without this one, then without it in each of several parts of the tasks.
    """
    left_out = list(without)

    def values(key: FigureKey) -> Floats:
        rows = [[figures.get(key, np.nan) for figures in of_rater] for of_rater in left_out]
        return np.array(rows, dtype=np.float64).reshape(len(rows), 1 + PARTS_OF_TASKS)

    def widened(figure: ReportFigure, ends: tuple[float, float], key: FigureKey, *less: FigureKey) -> ReportFigure:
        return _widened(figure, values(key) - sum(map(values, less)), ends)

    return _with_figures(report, widened)


def with_uncertain_labels(
    report: SystemsReport, audit: Audit, tasks: Sequence[TaskFacts], labels: Mapping[PlaceQuestion, FinalLabel]
) -> SystemsReport:
    """Return a report whose figures also have the interval that holds that final labels may be wrong.

    Multiple imputation (Rubin 1987): labels are drawn anew m times, and the interval of each figure follows the mean of
    these draws, and is widened by (1 + 1/m) times their variance; it never leaves out the interval without them.
    Questions whose being asked depends on the answers to others have none.
    """
    request, judged = report.request, judged_questions(audit.rubric)
    drawn = {
        question.id: question
        for question in judged
        if question.main or question.hangs_on.isdisjoint(other.question for other in judged)
    }
    by = request.by or ((report.system_column,) if report.system_column else ())
    chosen = [response for response in system_responses(tasks, labels) if response.matches(request.where)]
    places = [("", response.task.id, "task", name) for response in chosen for name in drawn]
    places += [(group_name(row, by), row.task.id, where, name) for row in chosen for where, name, _ in row.values]
    counts = Counter(
        (group, place[2], is_measured(labels[place]))
        for group, *at in dict.fromkeys(places)
        for place in [(at[0], at[1], at[2])]
        if place in labels and labels[place].value is not None
    )
    finals = drawn_labels(
        labels,
        {(task, where, name): group for group, task, where, name in places},
        drawn,
        np.random.default_rng(report.seed),
        is_model=request.final in MODEL_METHODS,
    )
    values = [
        figure_values(report, audit, tasks, given)
        for given in islice(finals, max(_FEWEST_DRAWS, min(_MOST_DRAWS, _LABELS // max(1, len(labels)))))
    ]

    def uncertain(figure: ReportFigure, ends: tuple[float, float], key: FigureKey, *less: FigureKey) -> ReportFigure:
        metric = report.metric(key[1]) if len(key) == 2 else None
        question = key[0] if metric is None else metric.question
        if question not in drawn:
            return figure
        groups = [""] if metric is None else [group for group, _ in (key, *less)]
        measured, others = (sum(counts[group, question, known] for group in groups) for known in (True, False))
        moved = np.array([of.get(key, np.nan) - sum(of.get(name, np.nan) for name in less) for of in values])
        return _with_labels(figure, moved, ends, measured, measured + others)

    return _with_figures(report, uncertain)


def _with_labels(
    figure: ReportFigure, drawn: Floats, ends: tuple[float, float], measured: int, places: int
) -> LabelledFigure:
    labelled = LabelledFigure(**asdict(figure), measured=measured, places=places)
    if figure.value is None or figure.low is None or figure.high is None or not measured or np.isnan(drawn).any():
        return labelled
    spread = _NORMAL * sqrt((1 + 1 / len(drawn)) * drawn.var(ddof=1))
    low, high = (hypot(end - figure.value, spread) for end in (figure.low, figure.high))
    return replace(
        labelled,
        labels_low=max(ends[0], min(figure.low, float(drawn.mean()) - low)),
        labels_high=min(ends[1], max(figure.high, float(drawn.mean()) + high)),
    )


def _with_figures(report: SystemsReport, change: Callable[..., ReportFigure]) -> SystemsReport:
    """Return a report with changed figures. `change`: from a figure, its ends, its key, and the key of what is less."""
    ends = {metric.id: metric.ends for metric in report.metrics}

    def of_pairs(answered: SystemPreferences) -> SystemPreferences:
        return replace(
            answered,
            first=change(answered.first, (0, 1), (answered.question,)),
            strengths=tuple(
                replace(row, figure=change(row.figure, (0, 1), (answered.question, "strength", row.name)))
                for row in answered.strengths
            ),
            duels=tuple(
                replace(row, figure=change(row.figure, (0, 1), (answered.question, row.one, row.other)))
                for row in answered.duels
            ),
        )

    def of_group(group: SystemGroup) -> SystemGroup:
        figures = {
            name: replace(given, figure=change(given.figure, ends[name], (group.name, name)))
            for name, given in group.figures.items()
        }
        return replace(group, figures=figures)

    return replace(
        report,
        groups=tuple(map(of_group, report.groups)),
        differences=tuple(
            replace(row, figure=change(row.figure, (-np.inf, np.inf), (row.one, row.metric), (row.other, row.metric)))
            for row in report.differences
        ),
        preferences=tuple(map(of_pairs, report.preferences)),
    )


def common_effects(without: Floats) -> Floats:
    """Return what is left of the effects of raters in parts of the tasks (raters, parts) beside those of both alone.

    It is scaled so that without any effect of raters its jackknife's variance is that of leaving out whole raters.
    """
    raters, parts = without.shape
    left = without - without.mean(axis=1, keepdims=True) - without.mean(axis=0) + without.mean()
    return np.nan_to_num(left * sqrt((raters - 1) * parts**2 / ((parts - 1) * (raters * parts - 1)))).ravel()


def _widened(figure: ReportFigure, others: Floats, ends: tuple[float, float]) -> ReportFigure:
    over_tasks = Estimate(figure.value, figure.low, figure.high, figure.tasks, figure.why)
    common = common_effects(others[:, 1:]) if len(others) >= MIN_OTHERS else None
    both = with_other_factor(over_tasks, others[:, 0], common)
    if both.low is None or both.high is None:
        return replace(figure, low=None, high=None, why=both.why)
    return replace(figure, low=max(both.low, ends[0]), high=min(both.high, ends[1]))
