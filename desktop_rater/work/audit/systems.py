"""Report on the systems that wrote the responses of a bundle, and on two rounds of the same prompts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from desktop_rater.audit.compute_systems import make_systems_report
from desktop_rater.audit.final_labels import FinalLabel, PlaceQuestion, labels_for_figures
from desktop_rater.audit.label_rules import LABEL_METHODS
from desktop_rater.audit.results import Audit
from desktop_rater.audit.system_raters import FigureKey, figure_values, with_other_raters
from desktop_rater.audit.system_responses import SystemResponse, TaskFacts, system_responses
from desktop_rater.audit.system_rounds import Round, make_rounds
from desktop_rater.audit.systems import MetricSet, RoundsReport, SystemsReport, SystemsRequest
from desktop_rater.model.errors import RaterError
from desktop_rater.model.strict_json import canonical_json, read_json_object, read_struct, sha256, to_plain
from desktop_rater.model.task import Task
from desktop_rater.model.values import format_time
from desktop_rater.stats.scores import token_f1
from desktop_rater.store import received
from desktop_rater.store.store import Store
from desktop_rater.work.audit.load_audit import TargetPlacements, language_of, load_audit, rated_in_audit
from desktop_rater.work.audit.report import REPORT_SEED
from desktop_rater.work.audit.review import load_reviews, quotes_in


class SystemsData(Struct, frozen=True, kw_only=True):
    """Results of a bundle as figures about systems need them; kept by the window, so that a filter is quick."""

    audit: Audit
    tasks: tuple[TaskFacts, ...]
    labels: dict[PlaceQuestion, FinalLabel]


def load_systems(
    store: Store, bundle: str, request: SystemsRequest, *, now: datetime, seed: int = REPORT_SEED
) -> SystemsReport:
    """Compute the report. Raises `NotInStore`, `StoreDamaged`, or `RaterError` for a request that matches nothing."""
    data = load_systems_data(store, bundle, request)
    earlier = None
    if request.against_bundle:
        earlier = load_systems_data(store, request.against_bundle, request)
    return report_on_systems(store, data, earlier, request, now=now, seed=seed)


def load_systems_data(store: Store, bundle: str, request: SystemsRequest) -> SystemsData:
    """Load the tasks and their final labels. Raises `NotInStore`, `StoreDamaged` or `RaterError`."""
    with store.snapshot_isolation():
        audit = load_audit(store, bundle)
        return SystemsData(
            audit=audit, tasks=tuple(_task_facts(store, audit)), labels=_final_labels(store, audit, request)
        )


def report_on_systems(
    store: Store,
    data: SystemsData,
    earlier: SystemsData | None,
    request: SystemsRequest,
    *,
    now: datetime,
    seed: int = REPORT_SEED,
) -> SystemsReport:
    """Compute the report from loaded data; `earlier` is that of `request.against_bundle`."""
    report = make_systems_report(data.audit, data.tasks, data.labels, request, seed=seed, computed=format_time(now))
    if request.raters_random:
        if request.against or earlier is not None:
            raise RaterError("Differences between rounds have no intervals over raters.", "Ask for one of the two.")
        return with_other_raters(report, _without_raters(store, data, report))
    if not request.against and earlier is None:
        return report
    return replace(report, rounds=_rounds(store, data, earlier or data, report, seed))


def _final_labels(store: Store, audit: Audit, request: SystemsRequest) -> dict[PlaceQuestion, FinalLabel]:
    if request.final not in LABEL_METHODS:
        raise RaterError(f"There is no method {request.final!r}.", f"Methods: {', '.join(LABEL_METHODS)}.")
    return labels_for_figures(audit, load_reviews(store, audit), request.final, request.threshold)


def _without_raters(store: Store, data: SystemsData, report: SystemsReport) -> Iterator[dict[FigureKey, float]]:
    """Yield the figures without each one rater. Where labels are decided place by place, only that rater's change."""
    audit, by_place = data.audit, report.request.final in {"majority", "median"}
    for rater in audit.raters:
        own = {task for task, name in audit.ratings if name == rater}
        if rater in audit.models or not own:
            continue
        rest = replace(
            audit,
            raters=tuple(name for name in audit.raters if name != rater),
            ratings={key: rating for key, rating in audit.ratings.items() if key[1] != rater},
        )
        changed = replace(rest, tasks=tuple(task for task in audit.tasks if task in own)) if by_place else rest
        kept = {key: label for key, label in data.labels.items() if by_place and key[0] not in own}
        labels = kept | _final_labels(store, changed, report.request)
        yield figure_values(report, rest, data.tasks, labels)


def _task_facts(store: Store, audit: Audit) -> Iterator[TaskFacts]:
    language = language_of(store, audit)
    raters: dict[str, set[str]] = {}
    for (task, rater), rating in audit.ratings.items():
        if rater not in audit.models and rating.digest.status == "complete":
            raters.setdefault(task, set()).add(rater)
    for name in audit.tasks:
        if name not in raters or name not in audit.texts:
            continue
        task = read_struct(read_json_object(received.task_text(store, audit.texts[name])), Task)
        rated = rated_in_audit(audit, name)
        targets = task.targets or ()
        if len(task.responses) == 1:
            places = dict.fromkeys(rated, task.responses[0].id)
        else:
            if rated:
                targets = TargetPlacements(task, audit.rubric, language).all_for(rated).targets or ()
            places = {target.id: target.response for target in targets}
        yield facts_of(task, places, frozenset(raters[name]))


def facts_of(task: Task, targets: dict[str, str], raters: frozenset[str]) -> TaskFacts:
    """Return the facts of a task. `targets`: target → response; `raters`: the people who rated it."""
    prompt: dict[str, Any] = {"prompt": task.prompt.text, "history": [to_plain(turn) for turn in task.history]}
    reference = task.reference
    return TaskFacts(
        id=task.id,
        meta=task.meta,
        prompt=sha256(canonical_json(prompt)),
        language=task.prompt.lang,
        responses=tuple(response.id for response in task.responses),
        targets=targets,
        f1={}
        if reference is None
        else {response.id: token_f1(response.text, reference) for response in task.responses},
        raters=raters,
    )


def _rounds(
    store: Store, data: SystemsData, earlier: SystemsData, report: SystemsReport, seed: int
) -> RoundsReport | None:
    """Compare the chosen responses with those of the earlier round. Raises `RaterError` if no prompt is in both."""
    request = report.request
    replaced = {name for name, _ in request.against}
    where = tuple(row for row in request.where if row[0] not in replaced) + request.against
    before = [response for response in system_responses(earlier.tasks, earlier.labels) if response.matches(where)]
    after = [response for response in system_responses(data.tasks, data.labels) if response.matches(request.where)]
    if earlier is data:
        after = [response for response in after if not response.matches(request.against)]
    by = request.by or ((report.system_column,) if report.system_column else ())
    names = tuple(dict.fromkeys((*by, *(name for name, _ in (*request.where, *request.against)))))
    metrics = MetricSet(data.audit.rubric, request, has_references=any(task.f1 for task in data.tasks))
    rounds = make_rounds(
        _round(store, earlier, before, names),
        _round(store, data, after, names),
        data.audit.rubric,
        metrics,
        tuple(name for name in by if name not in replaced and _has(before, name) and _has(after, name)),
        request.pair,
        seed,
    )
    if rounds is None:
        raise RaterError(
            "There is no prompt in both rounds.",
            f"{len(after):,} responses are later, {len(before):,} earlier.",
            "Name the column whose equal values are one prompt with --pair.",
        )
    return rounds


def _has(responses: list[SystemResponse], column: str) -> bool:
    return any(response.column(column) for response in responses)


def _round(store: Store, data: SystemsData, responses: list[SystemResponse], columns: tuple[str, ...]) -> Round:
    language = language_of(store, data.audit)
    texts: dict[str, dict[str, str]] = {}

    def quote(task: str, where: str) -> str:
        if task not in texts:
            texts[task] = quotes_in(store, data.audit, task, language)
        return texts[task].get(where, "")

    return Round(data.audit.bundle, columns, responses, quote)
