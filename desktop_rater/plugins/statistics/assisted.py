"""People and a model together: prediction-powered estimates by clusters, of a file and of the systems of a bundle.

PPI++ (Angelopoulos, Duchi, Zrnic 2023) with the cluster as the unit that is drawn. With H the ratio of people's sums,
and L and U those of the model over the same places and over all others, the estimate is H + λ (U − L).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from math import isfinite, sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from desktop_rater.audit.adjudication import FinalLabel
from desktop_rater.audit.figures import as_figure
from desktop_rater.audit.items import depth_of, label_at, label_questions
from desktop_rater.audit.questions import JudgedQuestion, judged_questions, plain_value
from desktop_rater.audit.report import ReportFigure
from desktop_rater.audit.results import Audit
from desktop_rater.audit.reviews import Reviews
from desktop_rater.format.errors import BundleFault, bundle_errors
from desktop_rater.format.jsonl import cells_of
from desktop_rater.format.manifests import BundleDerivation
from desktop_rater.format.safe_zip import LIMITS
from desktop_rater.operations.bundles.assign import balanced_teams
from desktop_rater.plugins.statistics.result_figures import NO_SAMPLE
from desktop_rater.plugins.statistics.system_figures import (
    PromptSums,
    difference_of,
    group_figures,
    grouped,
    is_compared,
    prompt_sums,
    sums_by_row,
)
from desktop_rater.plugins.statistics.system_responses import (
    FinalValues,
    SystemResponse,
    TaskFacts,
    prompt_of,
    system_responses,
)
from desktop_rater.plugins.statistics.systems import (
    AssistedFigure,
    AssistedFigures,
    MetricSet,
    SystemMetric,
    SystemsReport,
)
from desktop_rater.stats.bootstrap import seed_sort_keys
from desktop_rater.stats.cluster_bootstrap import (
    MIN_CLUSTERS,
    Estimate,
    Floats,
    mean_with_error,
    no_value,
    ratio,
    share,
    share_with_error,
    stdtrit,
)
from desktop_rater.translation import N_, Phrase

JUDGED, MODEL, REST = range(3)  # sums of people, of the model at the same places, and of the model at all others
NO_REST = N_("Report", "people have judged nearly everything: the model adds nothing")
TOO_FEW = N_("Report", "people have judged {n} tasks, and at least {least} are needed to add a model")
UNLIKE = N_("Report", "the model's ratings of the judged tasks differ from those of the others: not a random sample")
BEYOND = N_("Report", "the combined value is out of range: too few tasks are judged")
_UNLIKELY = 0.0005  # on each side; a random sample is refused once in a thousand
_LEAST = 1e-12  # of an error that is not zero
_LEAST_REST = 2  # clusters, which have to differ to show how far others would


class AssistedEstimate(NamedTuple):
    """Estimate by people and a model. `weight`: that of the model, from 0 to 1, λ in the literature.

    `clusters`: all that have values; `labelled`: those in which people judged. `saving`: 0.39 if the variance is that
    of people alone after 39 % more clusters, 0 if it is not smaller.
    """

    estimate: Estimate
    weight: float | None
    clusters: int
    labelled: int
    saving: float | None


def assisted(
    sums: Floats,
    signs: Sequence[float] = (1,),
    *,
    is_share: bool = False,
    within: tuple[float, float] = (-np.inf, np.inf),
    weight: float | None = None,
) -> AssistedEstimate:
    """Combine people's judgements on a random sample with those of a model on everything.

    `sums`: (clusters, ratios, 3, 2), for each ratio the part and whole that people gave, that the model gave at the
    same places, and at all others. The figure is the sum of the ratios times their `signs`. A cluster may be judged in
    part. `weight`: that of the model, by default the one with the smallest variance.
    """
    wholes = sums[..., 1]
    in_model, in_rest = (wholes[..., kind].any(axis=1) for kind in (MODEL, REST))
    clusters = int((in_model | in_rest).sum())
    counts = (wholes != 0).sum(axis=0)
    labelled = int(counts[:, :REST].min())
    why = Phrase(TOO_FEW, n=labelled, least=MIN_CLUSTERS) if labelled < MIN_CLUSTERS else ""
    if not why and counts[:, REST].min() < _LEAST_REST:
        why = NO_REST
    if why:
        return AssistedEstimate(no_value(labelled, why), None, clusters, labelled, None)
    figures = _Figures(sums, np.asarray(signs, dtype=np.float64), weight)
    people, difference, weights = figures.of(np.zeros((1, *sums.shape[1:])))
    without = figures.of(sums[in_model])
    only_rest = figures.residuals_of_rest(np.logical_and(in_rest, ~in_model))

    def error(value: Floats, of_rest: Floats) -> float:
        count, others = len(value), len(of_rest)
        squares = (count - 1) / count * ((value - value.mean()) ** 2).sum()
        return sqrt(float(squares + others / max(others - 1, 1) * (of_rest @ of_rest)))

    if abs(difference[0]) > -float(stdtrit(labelled - 1, _UNLIKELY)) * error(without[1], only_rest):
        return AssistedEstimate(no_value(labelled, UNLIKE), None, clusters, labelled, None)
    weight_of_model, value = float(weights[0]), float(people[0] + weights[0] * difference[0])
    spread = error(without[0] + without[2] * without[1], weight_of_model * only_rest)
    alone = error(without[0], np.zeros(0))
    saving = max(0.0, (alone / spread) ** 2 - 1) if weight_of_model and spread > _LEAST else 0.0
    if weight_of_model and not within[0] <= value <= within[1]:
        estimate = no_value(labelled, BEYOND)
    elif is_share:
        estimate = share_with_error(value, spread, labelled)
    else:
        judged = wholes[..., JUDGED].sum(axis=1)
        estimate = mean_with_error(value, spread, judged[judged > 0], within)._replace(clusters=labelled)
    return AssistedEstimate(estimate, weight_of_model, clusters, labelled, saving)


class _Figures:
    """Figures of all clusters but one at a time, from totals and from the sums of all products of two columns."""

    def __init__(self, sums: Floats, signs: Floats, weight: float | None) -> None:
        self._signs, self._fixed = signs[:, None], weight
        parts, wholes = sums.sum(axis=0)[..., 0], sums.sum(axis=0)[..., 1]
        model = parts[:, MODEL:].sum(axis=1) / wholes[:, MODEL:].sum(axis=1)
        ratios = np.stack([parts[:, JUDGED] / wholes[:, JUDGED], model, model], axis=1)
        self._shift, self._ratios = float(signs @ ratios[:, JUDGED]), ratios
        self._least = (_LEAST * max(1.0, float(np.abs(ratios).max()))) ** 2  # less is rounding
        self._sums = self._centred(sums)  # far from 0, products would lose their last digits
        columns = self._sums.reshape(len(sums), -1)
        self._total, self._products = self._sums.sum(axis=0), columns.T @ columns
        in_model, in_rest = (sums[..., kind, 1].any(axis=1) for kind in (MODEL, REST))
        self._in_part, self._judged = bool((in_model & in_rest).any()), int(in_model.sum())
        self._clusters = int((in_model | in_rest).sum())

    def of(self, removed: Floats) -> tuple[Floats, Floats, Floats]:
        """Return people's figure, the model's elsewhere minus at the same places, and its weight, without each one."""
        left_out = self._centred(removed)
        total = self._total - left_out
        ratios = (self._signs * total[..., 0] / total[..., 1]).sum(axis=1)
        weights = self._weights(total, left_out) if self._fixed is None else np.full(len(removed), self._fixed)
        return ratios[:, JUDGED] + self._shift, ratios[:, REST] - ratios[:, MODEL], weights

    def residuals_of_rest(self, chosen: NDArray[np.bool_]) -> Floats:
        """Return what each cluster adds to the error of the model's figure at places that people did not judge."""
        scales = self._scales(self._total[None])[0, :, REST]
        return np.einsum("gk,cgk->c", scales, self._sums[chosen][:, :, REST])

    def _centred(self, sums: Floats) -> Floats:
        return np.stack([sums[..., 0] - self._ratios * sums[..., 1], sums[..., 1]], axis=-1)

    def _scales(self, total: Floats) -> Floats:
        """Return what sums are multiplied with for the linear effect of a cluster on each ratio."""
        wholes = total[..., 1]
        return np.stack([self._signs / wholes, -self._signs * total[..., 0] / wholes**2], axis=-1)

    def _weights(self, total: Floats, left_out: Floats) -> Floats:
        """Return the weight of the model with the smallest variance, from 0 to 1.

        If no cluster is judged in part, the model's variance is that over all clusters, as in PPI++; otherwise that of
        the difference between places that people judged and others, which clusters have in common.
        """
        people, model = np.zeros_like(total), np.zeros_like(total)
        people[:, :, JUDGED] = self._scales(total)[:, :, JUDGED]
        if self._in_part:
            model[:, :, MODEL:] = self._scales(total)[:, :, MODEL:] * [[1], [-1]]
            scale = 1.0
        else:
            everywhere = total[:, :, MODEL:].sum(axis=2, keepdims=True)
            left = int(left_out.any())
            count, judged = self._clusters - left, self._judged - left
            model[:, :, MODEL:] = self._scales(everywhere) * count
            scale = count / ((count - judged) * (count - 1))
        covariance, variance = self._product(people, model, left_out), scale * self._product(model, model, left_out)
        weights = np.divide(covariance, variance, out=np.zeros_like(variance), where=variance > self._least)
        return np.clip(weights, 0, 1)

    def _product(self, one: Floats, other: Floats, left_out: Floats) -> Floats:
        first, second, gone = (scales.reshape(len(scales), -1) for scales in (one, other, left_out))
        whole = np.einsum("mi,ij,mj->m", first, self._products, second)
        return whole - (first * gone).sum(axis=1) * (second * gone).sum(axis=1)


COLUMNS = ("unit", "cluster", "human", "model")
_MOST = 1e15  # above it, squares lose a value's precision
_CHUNK = 2**20
_NOTHING = "Nothing was computed. Correct this line, then run the command again."


def assisted_of_file(path: Path) -> dict[str, Any]:
    """Return the estimate of a CSV file with `COLUMNS`, and that by people alone. Raises `BundleError` with the line.

    If people's values are 0 and 1 only, it is a share, otherwise a mean.
    """
    with bundle_errors(path, "read", _NOTHING):
        rows = list(_units(path))
        if not rows:
            raise BundleFault("It has no units", "Add a line for each unit, with the model's value.")
    numbers = {name: number for number, name in enumerate(dict.fromkeys(cluster for cluster, *_ in rows))}
    sums = np.zeros((len(numbers), 1, 3, 2))
    for cluster, human, model in rows:
        of_cluster = sums[numbers[cluster], 0]
        of_cluster[REST if human is None else MODEL] += model, 1
        if human is not None:
            of_cluster[JUDGED] += human, 1
    judged = [human for _, human, _ in rows if human is not None]
    is_share = set(judged) <= {0, 1}
    result = assisted(sums, is_share=is_share, within=(0, 1) if is_share else (-np.inf, np.inf))
    parts, wholes = sums[:, 0, JUDGED].T
    alone = share(parts, wholes) if is_share else ratio(parts, wholes)
    estimate = result.estimate
    return {
        "value": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "humans": {"value": alone.value, "low": alone.low, "high": alone.high},
        "lambda": result.weight,
        "clusters": result.clusters,
        "labelled": result.labelled,
        "saving": result.saving,
        "why": estimate.why,
    }


def _units(path: Path) -> Iterator[tuple[str, float | None, float]]:
    """Yield cluster, people's value or `None`, and the model's value. Raises `BundleFault` with the line."""
    seen: dict[str, int] = {}
    with path.open("rb") as file:
        rows = cells_of(iter(lambda: file.read(_CHUNK), b""), ",", LIMITS)
        names = [name.strip() for name in next(rows, (1, []))[1]]
        wrong = next((column for column in COLUMNS if names.count(column) != 1), None)
        if wrong is not None:
            how = "several columns are" if wrong in names else "no column is"
            raise BundleFault(f"line 1: {how} named {wrong} (needed are {', '.join(COLUMNS)})")
        for line, cells in rows:
            if len(cells) != len(names):
                raise BundleFault(f"line {line}: it has {len(cells):,} cells instead of {len(names):,}")
            unit, cluster, human, model = (cells[names.index(column)].strip() for column in COLUMNS)
            if not unit or not cluster or not model:
                missing = "unit" if not unit else "cluster" if not cluster else "model"
                raise BundleFault(f"line {line}: no {missing} (only human may be empty, where nobody judged)")
            if unit in seen:
                raise BundleFault(f'line {line}: the unit "{unit[:60]}" is on line {seen[unit]:,} already')
            seen[unit] = line
            yield cluster, _number(line, "human", human) if human else None, _number(line, "model", model)


def _number(line: int, column: str, cell: str) -> float:
    try:
        number = float(cell.replace("_", " "))  # Python would read 1_5 as 15
    except ValueError:
        number = float("nan")
    if not isfinite(number) or abs(number) > _MOST:
        raise BundleFault(f'line {line}: {column} is "{cell[:60]}", not a number such as 1, 0.25 or 4')
    return number


NOT_ALL = N_("Report", "the model has rated {n} of {of} tasks: it has to rate all")
NOT_ASSIGNED = N_("Report", "nothing records that the tasks of {rater} were drawn at random")
NOT_FINISHED = N_("Report", "{rater} has finished {n} of {of} drawn tasks: those left over may be unlike the others")
NOT_OF_ALL = N_(
    "Report", "the sample is drawn from {n} of {of} places: draw it again, now that the model has rated all"
)
UNEVEN = N_("Report", "the sample has a larger share of some kinds of places than of others")
UNDECIDED = N_("Report", "{n} of {of} drawn places have no final label yet")
_MOST_RATERS = 1_000  # of an assignment that is drawn again to compare it
_WHOLE_RESPONSE = frozenset({"severe", "clean"})  # need all places of a response


class DrawnPlaces(NamedTuple):
    """Places that people judged by chance, all of some tasks or single ones, with their labels; or `why` not."""

    tasks: frozenset[str] = frozenset()
    places: frozenset[tuple[str, str]] = frozenset()
    labels: FinalValues = {}
    why: str = ""

    def has(self, key: tuple[str, str, str]) -> bool:
        """Return whether the place of a label was drawn."""
        return key[0] in self.tasks or key[:2] in self.places


def drawn_places(
    audit: Audit, derivations: Mapping[str, BundleDerivation | None], reviews: Reviews, labels: FinalValues
) -> DrawnPlaces:
    """Return what chance drew for people: the parts of `bundle assign`, otherwise the lead's sample of places.

    `derivations`: SHA-256 of results → how their bundle was made. An assignment is drawn again from its seed.
    """
    (tasks, why), sample = _assigned_tasks(audit, derivations), reviews.sample
    if not why or sample is None or sample.how not in {"share", "stratified"}:
        return DrawnPlaces(tasks, labels={key: label for key, label in labels.items() if key[0] in tasks}, why=why)
    judged = judged_questions(audit.rubric)
    depths = label_questions(judged)
    given = ((rating, where, values) for rating in audit.ratings.values()
             for where, values in rating.digest.values.items())  # fmt: skip
    every = {(rating.task, where) for rating, where, values in given if label_at(depths, where, values) is not None}
    drawn = frozenset(sample.places) & every
    of_sample = _labels_of_lead(drawn, judged, reviews) | {
        key: label for key, label in labels.items() if key[:2] in drawn and label.value is not None
    }
    waiting = len(drawn) - len({key[:2] for key in of_sample})
    share_drawn = len(sample.places) / max(sample.of, 1)
    if sample.of < len(every):
        why = Phrase(NOT_OF_ALL, n=sample.of, of=len(every))
    elif any(abs(stratum.drawn - share_drawn * stratum.places) > 1 for stratum in sample.strata):
        why = UNEVEN
    else:
        why = Phrase(UNDECIDED, n=waiting, of=len(drawn)) if waiting else ""
    return DrawnPlaces(places=drawn, labels=of_sample, why=why)


def _labels_of_lead(
    drawn: Iterable[tuple[str, str]], judged: Sequence[JudgedQuestion], reviews: Reviews
) -> dict[tuple[str, str, str], FinalLabel]:
    """Return the lead's decisions, otherwise own answers, at places that a model alone may have rated."""
    decisions: dict[tuple[str, str], dict[str, Any]] = {}
    for (task, where, name), decision in reviews.finals.items():
        decisions.setdefault((task, where), {})[name] = decision.value
    labels = {}
    for task, where in drawn:
        own = reviews.owns.get(task)
        values = {} if own is None else own.values.get(where, {})
        values = values | decisions.get((task, where), {})
        for question in judged:
            value = plain_value(values[question.id]) if question.id in values else question.value(values)
            if question.per == depth_of(where) and value is not None:
                labels[task, where, question.id] = FinalLabel(value, by="lead")
    return labels


def _assigned_tasks(audit: Audit, derivations: Mapping[str, BundleDerivation | None]) -> tuple[frozenset[str], str]:
    """Return the tasks of all people, or why they are not those that the seed of an assignment draws."""
    own: dict[str, set[str]] = {}
    for (task, rater), rating in audit.ratings.items():
        if rater not in audit.models and rating.digest.status == "complete":
            own.setdefault(rater, set()).add(task)
    for results in audit.received:
        if results.rater in audit.models or results.rework:
            continue
        derived, tasks = derivations.get(results.sha256), own.get(results.rater, set())
        settings = derived.unknown if derived is not None and derived.tool == "assign" else {}
        parts = _assigned_parts(audit.tasks, *(settings.get(name) for name in ("seed", "raters", "overlap")))
        part = next((part for part in parts if tasks <= part), None)
        if part is None:
            return frozenset(), Phrase(NOT_ASSIGNED, rater=results.rater)
        if tasks < part:
            return frozenset(), Phrase(NOT_FINISHED, rater=results.rater, n=len(tasks), of=len(part))
    return frozenset[str]().union(*own.values()), "" if own else NO_SAMPLE


@lru_cache(maxsize=8)
def _assigned_parts(
    tasks: tuple[str, ...], seed: object, raters: object, overlap: object
) -> tuple[frozenset[str], ...]:
    """Return the tasks of each rater as `bundle assign` draws them; nothing for settings that it never writes."""
    if not isinstance(seed, int) or not isinstance(raters, int) or not isinstance(overlap, int):
        return ()
    if not 1 <= overlap <= raters <= min(len(tasks), _MOST_RATERS):
        return ()
    keys = seed_sort_keys(seed, tasks)
    order = sorted(range(len(tasks)), key=keys.__getitem__)
    parts: list[set[str]] = [set() for _ in range(raters)]
    for at, team in zip(order, balanced_teams(len(tasks), raters, overlap), strict=True):
        for number in team:
            parts[number].add(tasks[at])
    return tuple(map(frozenset, parts))


def with_models(report: SystemsReport, audit: Audit, tasks: Sequence[TaskFacts], drawn: DrawnPlaces) -> SystemsReport:
    """Return the report with the figures by people and each model together, where people rated a part of the tasks.

    `tasks`: also those that only a model has rated.
    """
    people = {task.id for task in tasks if task.raters}
    models = sorted(audit.models.intersection(audit.raters)) if people and set(audit.tasks) - people else ()
    judged = judged_questions(audit.rubric)
    made = []
    for model in models:
        rated = [audit.ratings[task, model] for task in audit.tasks if (task, model) in audit.ratings]
        complete = [rating for rating in rated if rating.digest.status == "complete"]
        why = drawn.why
        if len(complete) < len(audit.tasks):
            why = Phrase(NOT_ALL, n=len(complete), of=len(audit.tasks))
        own = {
            (rating.task, where, question.id): FinalLabel(value)
            for rating in complete
            for where, values in rating.digest.values.items()
            for question in judged
            if question.per == depth_of(where) and (value := question.value(values)) is not None
        }
        figures = () if why else tuple(_Systems(report, audit, tasks, own, drawn).figures())
        made.append(AssistedFigures(model=model, why=why, figures=figures))
    return replace(report, assisted=tuple(made))


def assisted_rows(report: SystemsReport) -> Iterator[dict[str, Any]]:
    """Yield a row of the table for each figure, and one for each model without any."""
    for assisted_figures in report.assisted:
        model = assisted_figures.model
        if assisted_figures.why:
            yield {"model": model, "why": assisted_figures.why}
        for row in assisted_figures.figures:
            ends = {f"{of}{name}": getattr(figure, name) for of, figure in (("", row.figure), ("people_", row.people))
                    for name in ("value", "low", "high")}  # fmt: skip
            yield {
                "model": model, "metric": row.metric, "one": row.one, "other": row.other or None, **ends,
                "lambda": row.weight, "clusters": row.clusters, "labelled": row.labelled, "saving": row.saving,
                "why": row.figure.why or None,
            }  # fmt: skip


class _Systems:
    """Sums of people and of a model by prompt, for each system."""

    def __init__(
        self,
        report: SystemsReport,
        audit: Audit,
        tasks: Sequence[TaskFacts],
        own: FinalValues,
        drawn: DrawnPlaces,
    ) -> None:
        request = report.request
        metrics = MetricSet(audit.rubric, request, has_references=any(task.f1 for task in tasks))
        by = request.by or ((report.system_column,) if report.system_column else ())
        kinds: list[dict[str, list[SystemResponse]]] = []
        for values in (
            drawn.labels,
            {key: label for key, label in own.items() if drawn.has(key)},
            {key: label for key, label in own.items() if not drawn.has(key)},
        ):
            chosen = (response for response in system_responses(tasks, values) if response.matches(request.where))
            kinds.append(grouped(list(chosen), by))
        every = (response for groups in kinds for responses in groups.values() for response in responses)
        rows = {prompt: row for row, prompt in enumerate(dict.fromkeys(prompt_of(one, request.pair) for one in every))}
        self._by_place = bool(drawn.places)
        self._metrics = metrics.metrics
        self._people: dict[str, PromptSums] = {}
        self._sums: dict[str, Floats] = {}
        for name, responses in kinds[JUDGED].items():
            prompts = [prompt_of(response, request.pair) for response in responses]
            self._people[name] = prompt_sums(responses, prompts, metrics, report.seed)
            given = [groups.get(name, []) for groups in kinds]
            of_rows = [[rows[prompt_of(response, request.pair)] for response in some] for some in given]
            sums = [sums_by_row(some, at, metrics, len(rows)) for some, at in zip(given, of_rows, strict=True)]
            self._sums[name] = np.stack(sums, axis=2)

    def figures(self) -> Iterator[AssistedFigure]:
        """Yield the figures of each system, then the differences between two."""
        for name, people in self._people.items():
            of_metric = group_figures(people, self._metrics)
            for index, metric in enumerate(self._metrics):
                if metric.id in of_metric and self._is_known(index, name):
                    result = assisted(self._sums[name][:, index, None], is_share=metric.is_share, within=metric.ends)
                    yield self._row(metric, of_metric[metric.id].figure, result, name)
        for one, other in combinations(self._people, 2):
            for index, metric in enumerate(self._metrics):
                if is_compared(metric) and self._is_known(index, one) and self._is_known(index, other):
                    first, second = self._people[one], self._people[other]
                    estimate = difference_of(first, second, index, metric)
                    judged = int(first.sums[:, index, 1].sum() + second.sums[:, index, 1].sum())
                    alone = as_figure(estimate, judged, len(first.raters | second.raters))
                    sums = np.stack([self._sums[name][:, index] for name in (one, other)], axis=1)
                    yield self._row(metric, alone, assisted(sums, (1, -1)), one, other)

    def _is_known(self, index: int, name: str) -> bool:
        """Tell if both people and the model have given a figure, which is not known without them."""
        metric = self._metrics[index]
        if metric.kind == "f1" or (self._by_place and metric.kind in _WHOLE_RESPONSE):
            return False
        return bool(np.all(self._sums[name][:, index, :REST, 1].sum(axis=0)))

    def _row(
        self, metric: SystemMetric, people: ReportFigure, result: AssistedEstimate, one: str, other: str = ""
    ) -> AssistedFigure:
        figure = as_figure(result.estimate, people.n, people.raters)
        return AssistedFigure(
            metric=metric.id, one=one, other=other, people=people, figure=figure, weight=result.weight,
            clusters=result.clusters, labelled=result.labelled, saving=result.saving,
        )  # fmt: skip
