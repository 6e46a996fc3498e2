"""Report on the systems that wrote the responses of a bundle, and on two rounds of the same prompts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from desktop_rater.audit.charts.svg import Key
from desktop_rater.audit.final_labels import FinalLabel, PlaceQuestion, labels_for_figures
from desktop_rater.audit.html_report import PageColors, PageSection, render_panels
from desktop_rater.audit.label_rules import LABEL_METHODS
from desktop_rater.audit.questions import Value
from desktop_rater.audit.report_format import Wording
from desktop_rater.audit.results import Audit
from desktop_rater.bundle.errors import BundleError, bundle_errors
from desktop_rater.bundle.results_out import TABLES
from desktop_rater.bundle.results_out.tables import ColumnKind, Row, columns_of_kinds
from desktop_rater.files import replaced_file, replaced_files
from desktop_rater.model.errors import RaterError
from desktop_rater.model.strict_json import canonical_json, read_json_object, read_struct, sha256, to_plain
from desktop_rater.model.task import Task
from desktop_rater.model.values import format_time
from desktop_rater.plugins.statistics.rounds import Round, make_rounds
from desktop_rater.plugins.statistics.system_figures import (
    FigureKey,
    figure_values,
    group_name,
    make_systems_report,
    with_other_raters,
)
from desktop_rater.plugins.statistics.system_responses import FinalValues, SystemResponse, TaskFacts, system_responses
from desktop_rater.plugins.statistics.systems import (
    FigurePlace,
    MetricSet,
    RoundsReport,
    SystemMetric,
    SystemsReport,
    SystemsRequest,
)
from desktop_rater.plugins.statistics.systems_panels import all_panels
from desktop_rater.plugins.statistics.systems_texts import systems_base
from desktop_rater.stats.scores import token_f1
from desktop_rater.store import received
from desktop_rater.store.store import Store
from desktop_rater.work.audit.load_audit import TargetPlacements, language_of, load_audit, rated_in_audit
from desktop_rater.work.audit.report import REPORT_SEED, TRY_AGAIN
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


def facts_of(task: Task, targets: Mapping[str, str], raters: frozenset[str]) -> TaskFacts:
    """Return the facts of a task. `targets`: target → response; `raters`: the people who rated it."""
    prompt: dict[str, Any] = {"prompt": task.prompt.text, "history": [to_plain(turn) for turn in task.history]}
    reference = task.reference
    return TaskFacts(
        id=task.id,
        meta=task.meta,
        prompt=sha256(canonical_json(prompt)),
        language=task.prompt.lang,
        responses=tuple(response.id for response in task.responses),
        targets=dict(targets),
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


MOST_PLACES = 200  # places that are listed, with their texts
CountedPlace = tuple[str, str, Value]  # task, place in it, and final value


class LoadedSystems:
    """Results by bundle and final labels, loaded once. Used on one thread; `forget` may be called on another."""

    def __init__(self) -> None:
        self._data: dict[tuple[str, SystemsRequest], SystemsData] = {}

    def forget(self) -> None:
        """Load anew next time: results or decisions have changed."""
        self._data = {}

    def report(self, store: Store, bundle: str, request: SystemsRequest, now: datetime) -> SystemsReport:
        """Compute the report. Raises `NotInStore`, `StoreDamaged` or `RaterError`."""
        data = self._load(store, bundle, request)
        earlier = self._load(store, request.against_bundle, request) if request.against_bundle else None
        return report_on_systems(store, data, earlier, request, now=now)

    def places(self, store: Store, report: SystemsReport, key: Key) -> tuple[tuple[FigurePlace, ...], int]:
        """Return the first places behind a figure, and the number of all. Raises `StoreDamaged`.

        `key` is that of its mark, as in `places_behind`.
        """
        data = self._load(store, report.bundle, report.request)
        counted = places_behind(data.tasks, data.labels, report, key)
        language = language_of(store, data.audit)
        texts: dict[str, dict[str, str]] = {}
        for task, *_ in counted[:MOST_PLACES]:
            if task not in texts:
                texts[task] = quotes_in(store, data.audit, task, language)
        listed = (
            FigurePlace(task=task, where=where, quote=texts[task].get(where, ""), value=value)
            for task, where, value in counted[:MOST_PLACES]
        )
        return tuple(listed), len(counted)

    def _load(self, store: Store, bundle: str, request: SystemsRequest) -> SystemsData:
        key = bundle, SystemsRequest(final=request.final, threshold=request.threshold)
        data = self._data
        if key not in data:
            data[key] = load_systems_data(store, bundle, replace(request, where=()))
        return data[key]


def _counts(metric: SystemMetric, value: Value) -> bool:
    """Tell if a value is among those that the figure counts; of responses without an error, the errors are."""
    if metric.kind in {"severe", "clean"}:
        return value in metric.values
    if metric.kind == "defect":
        return not isinstance(value, str) and isinstance(metric.value, int | float) and value >= metric.value
    return metric.kind == "mean" or value == metric.value


def places_behind(
    tasks: Sequence[TaskFacts], labels: FinalValues, report: SystemsReport, key: Key
) -> list[CountedPlace]:
    """Return the places behind a figure, of which `key` is that of the mark.

    It is a figure of a group, the difference of two groups in the main figure, the strength of a system in all
    comparisons of a question, or the comparisons of two systems.
    """
    kind, *names = map(str, key)
    by = report.request.by or ((report.system_column,) if report.system_column else ())
    grouped = [
        (group_name(response, by), response)
        for response in system_responses(tasks, labels)
        if response.matches(report.request.where)
    ]
    if kind in {"strength", "duel"}:
        question, *systems = names
        groups: dict[str, set[str]] = {}
        for group, response in grouped:
            groups.setdefault(response.task.id, set()).add(group)
        compared = (task for task, of_task in groups.items() if len(of_task) == 2 and set(systems) <= of_task)
        finals = ((task, labels.get((task, "task", question))) for task in compared)
        return [(task, "task", final.value) for task, final in finals if final is not None and final.value is not None]
    metric = report.main_metric if kind == "difference" else report.metric(names[1])
    wanted = names if kind == "difference" else names[:1]
    return [] if metric is None else _counted([response for group, response in grouped if group in wanted], metric)


def _counted(responses: Sequence[SystemResponse], metric: SystemMetric) -> list[CountedPlace]:
    """Return the places that a figure counts; those of token F1 are whole responses."""
    if metric.kind == "f1":
        facts = ((response.task, response.id) for response in responses)
        return [(task.id, f"responses/{name}", task.f1[name]) for task, name in facts if name in task.f1]
    return [
        (response.task.id, where, value)
        for response in responses
        for where, question, value in response.values
        if question == metric.question and value is not None and _counts(metric, value)
    ]


NARROW = ("preferred", "defects")  # names of panels with two to a row
_KINDS: dict[ColumnKind, str] = {
    "whole": "whole n prompts tasks responses targets raters shared pairs wins ties losses",
    "number": "part value low high p holm log_strength value_before value_after",
    "enum": "kind turn",
    "any": "before after",
    "flag": "better",
}
_FIGURE = "value low high n prompts why"
_METRIC = "metric kind question label"
_COLUMNS = {
    "figures": f"system {_METRIC} part whole {_FIGURE} tasks responses targets raters",
    "differences": f"{_METRIC} one other {_FIGURE} p holm shared",
    "strengths": f"question system pairs {_FIGURE} log_strength",
    "pairs": f"question one other wins ties losses {_FIGURE}",
    "rounds": f"{_METRIC} before after value_before value_after {_FIGURE} p holm",
    "turned_tasks": "task task_before turn value_before value_after",
    "turned_places": "task where task_before where_before quote before after better",
}
_KIND_OF = {name: kind for kind, names in _KINDS.items() for name in names.split()}
COLUMNS = {
    table: columns_of_kinds(**{name: _KIND_OF.get(name, "text") for name in names.split()})
    for table, names in _COLUMNS.items()
}
"""Columns of each table, which is a file."""


def save_systems_tables(report: SystemsReport, folder: Path, to: str) -> None:
    """Write the tables to a folder, created if missing. `to`: csv, jsonl or parquet. Raises `RaterError`."""
    if to not in TABLES:
        raise BundleError(f"{to} is not a table", hint=f"Choose one of {', '.join(TABLES)}.")
    rows = _rows(report) | _round_rows(report)
    names = {name: f"{name}.{to}" for name in COLUMNS}
    with bundle_errors(folder, "written", TRY_AGAIN):
        folder.mkdir(parents=True, exist_ok=True)
        with replaced_files(folder, tuple(names.values())) as part_folder:
            for name, file in names.items():
                TABLES[to](part_folder / file, COLUMNS[name], rows.get(name, iter(())), bom=to == "csv")


def save_systems_page(
    report: SystemsReport, path: Path, wording: Wording, colors: PageColors, *, lead: str, language: str
) -> Path:
    """Write the report as an HTML page. Raises `RaterError`."""
    panels = all_panels(report, wording)
    narrow = [name for name in panels if name.startswith(NARROW)]
    narrow = narrow[: len(narrow) // 2 * 2]
    section = PageSection("", tuple((panel, name not in narrow) for name, panel in panels.items()))
    about = (wording.translate("Report", "Systems"), systems_base(report.base, wording))
    page = render_panels(report, [section], about, wording, colors, lead=lead, language=language)
    with bundle_errors(path, "written", TRY_AGAIN), replaced_file(path) as part_path:
        part_path.write_text(page, encoding="utf-8", newline="\n")
    return path


def _rows(report: SystemsReport) -> dict[str, Iterator[Row]]:
    return {
        "figures": (
            {**asdict(group.base), "system": group.name, **_metric(report, metric), **_row(given)}
            for group in report.groups
            for metric, given in group.figures.items()
        ),
        "differences": ({**_metric(report, row.metric), **_row(row)} for row in report.differences),
        "strengths": (
            {"question": answered.question, "system": row.name, **_row(row)}
            for answered in report.preferences
            for row in answered.strengths
        ),
        "pairs": (
            {"question": answered.question, **_row(row)} for answered in report.preferences for row in answered.duels
        ),
    }


def _round_rows(report: SystemsReport) -> dict[str, Iterator[Row]]:
    rounds = report.rounds
    if rounds is None:
        return {}
    return {
        "rounds": (
            {
                **_row(row), **_metric(report, row.metric), "before": rounds.before, "after": rounds.after,
                "value_before": row.before.figure.value, "value_after": row.after.figure.value,
            }
            for row in rounds.differences
        ),
        "turned_tasks": (
            {**asdict(task), "value_before": task.before, "value_after": task.after} for task in rounds.tasks
        ),
        "turned_places": (asdict(place) for task in rounds.tasks for place in task.places),
    }  # fmt: skip


def _metric(report: SystemsReport, name: str) -> Row:
    metric = report.metric(name)
    more = {} if metric is None else {"kind": metric.kind, "question": metric.question, "label": metric.text or None}
    return {"metric": name, **more}


def _row(row: Struct) -> Row:
    """Return the fields of a row and of its figure, whose tasks are prompts."""
    fields = asdict(row)
    figure = asdict(fields.pop("figure"))
    figure |= {"prompts": figure.pop("tasks"), "why": figure["why"] or None}
    del figure["raters"]
    return {**fields, **figure}
