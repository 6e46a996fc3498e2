"""Load the audit's result and the report on systems from a store, and save them as tables and pages."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from desktop_rater.audit.adjudication import FinalLabel, PlaceQuestion, final_labels
from desktop_rater.audit.charts.svg import Key
from desktop_rater.audit.html_report import PageColors, PageSection, render_panels
from desktop_rater.audit.questions import LABEL_METHODS, Value
from desktop_rater.audit.report import ReportFigure
from desktop_rater.audit.report_format import Wording
from desktop_rater.audit.report_panels import summary_panel
from desktop_rater.audit.results import Audit
from desktop_rater.audit.sampling import extend_sample
from desktop_rater.files import replaced_file, replaced_files
from desktop_rater.format.errors import BundleError, RaterError, bundle_errors
from desktop_rater.format.strict_json import canonical_json, read_json_object, read_struct, sha256, to_plain
from desktop_rater.format.task import Task
from desktop_rater.format.values import format_time
from desktop_rater.operations.audit.load_audit import TargetPlacements, language_of, load_audit, rated_in_audit
from desktop_rater.operations.audit.report import REPORT_SEED, TRY_AGAIN, AuditQuotes, SampleChange, report_inputs
from desktop_rater.operations.audit.review import Lead, load_reviews, quotes_in, save_reviews
from desktop_rater.operations.results_tables import TABLES
from desktop_rater.operations.results_tables.tables import ColumnKind, ExportColumn, Row, columns_of_kinds
from desktop_rater.plugins.statistics.assisted import DrawnPlaces, assisted_rows, drawn_places, with_models
from desktop_rater.plugins.statistics.result import AuditResult, ResultRequest, StratumKind
from desktop_rater.plugins.statistics.result_figures import make_result, strata_of_places, with_place_quotes
from desktop_rater.plugins.statistics.result_panels import result_base, result_panels
from desktop_rater.plugins.statistics.rounds import Round, make_rounds
from desktop_rater.plugins.statistics.system_figures import (
    PARTS_OF_TASKS,
    FigureKey,
    figure_values,
    group_name,
    make_systems_report,
    systems_fragility,
    with_other_raters,
    with_uncertain_labels,
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
from desktop_rater.plugins.statistics.systems_meanings import systems_meanings
from desktop_rater.plugins.statistics.systems_panels import all_panels
from desktop_rater.plugins.statistics.systems_texts import systems_base
from desktop_rater.stats.scores import token_f1
from desktop_rater.store import received
from desktop_rater.store.reviews import NewReview
from desktop_rater.store.store import Store


class SystemsData(Struct, frozen=True, kw_only=True):
    """Results of a bundle as figures about systems need them; kept by the window, so that a filter is quick."""

    audit: Audit
    every: tuple[TaskFacts, ...]
    labels: dict[PlaceQuestion, FinalLabel]
    drawn: DrawnPlaces

    @property
    def tasks(self) -> tuple[TaskFacts, ...]:
        """The tasks that people have rated; `every` has those of models alone, too."""
        return tuple(task for task in self.every if task.raters)


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
        labels = _final_labels(store, audit, request)
        drawn = _drawn_places(store, audit, labels) if audit.models else DrawnPlaces()
        return SystemsData(audit=audit, every=tuple(_task_facts(store, audit)), labels=labels, drawn=drawn)


def _drawn_places(store: Store, audit: Audit, labels: FinalValues) -> DrawnPlaces:
    people = (results.sha256 for results in audit.received if results.rater not in audit.models)
    derivations = {name: received.results_manifest(store, name).bundle.derived for name in people}
    return drawn_places(audit, derivations, load_reviews(store, audit), labels)


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
    reviews = load_reviews(store, data.audit)
    report = replace(report, fragility=tuple(systems_fragility(data.audit, reviews, data.tasks, data.labels, report)))
    if request.raters_random:
        if request.against or earlier is not None:
            raise RaterError("Differences between rounds have no intervals over raters.", "Ask for one of the two.")
        return with_other_raters(report, _without_raters(store, data, report))
    report = with_uncertain_labels(report, data.audit, data.tasks, data.labels)
    report = with_models(report, data.audit, data.every, data.drawn)
    if not request.against and earlier is None:
        return report
    return replace(report, rounds=_rounds(store, data, earlier or data, report, seed))


def _final_labels(store: Store, audit: Audit, request: SystemsRequest) -> dict[PlaceQuestion, FinalLabel]:
    if request.final not in LABEL_METHODS:
        raise RaterError(f"There is no method {request.final!r}.", f"Methods: {', '.join(LABEL_METHODS)}.")
    return final_labels(audit, load_reviews(store, audit), request.final, request.threshold)


def _without_raters(store: Store, data: SystemsData, report: SystemsReport) -> Iterator[list[dict[FigureKey, float]]]:
    """Yield the figures without each one rater, then without this one in each of several parts of the tasks."""
    tasks = sorted({task for task, _ in data.audit.ratings})
    parts = (tasks, *(tasks[start::PARTS_OF_TASKS] for start in range(PARTS_OF_TASKS)))
    people = {rater for _, rater in data.audit.ratings} - data.audit.models
    for rater in sorted(people):
        own = (frozenset(task for task in part if (task, rater) in data.audit.ratings) for part in parts)
        yield [_without(store, data, report, rater, of_part) for of_part in own]


def _without(
    store: Store, data: SystemsData, report: SystemsReport, rater: str, tasks: frozenset[str]
) -> dict[FigureKey, float]:
    """Return the figures without a rater in some tasks. Where labels are decided place by place, only theirs change."""
    audit, by_place = data.audit, report.request.final in {"majority", "median"}
    ratings = {key: rating for key, rating in audit.ratings.items() if key[1] != rater or key[0] not in tasks}
    raters = {name for _, name in ratings}
    rest = replace(audit, raters=tuple(name for name in audit.raters if name in raters), ratings=ratings)
    changed = replace(rest, tasks=tuple(task for task in audit.tasks if task in tasks)) if by_place else rest
    kept = {key: label for key, label in data.labels.items() if by_place and key[0] not in tasks}
    return figure_values(report, rest, data.tasks, kept | _final_labels(store, changed, report.request))


def _task_facts(store: Store, audit: Audit) -> Iterator[TaskFacts]:
    language = language_of(audit)
    raters: dict[str, set[str]] = {}
    for (task, rater), rating in audit.ratings.items():
        if rating.digest.status == "complete":
            raters.setdefault(task, set()).update({rater} - audit.models)
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
        prompt=sha256(canonical_json(prompt)) if task.prompt.text.strip() or task.history else "",
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
    language = language_of(data.audit)
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
        language = language_of(data.audit)
        metric = report.metric(str(key[-1])) if key[0] == "figure" else report.main_metric
        question = metric.question if metric is not None else ""
        texts: dict[str, dict[str, str]] = {}
        for task, *_ in counted[:MOST_PLACES]:
            if task not in texts:
                texts[task] = quotes_in(store, data.audit, task, language)
        listed = (
            FigurePlace(task=task, where=where, quote=texts[task].get(where, ""), value=value, question=question)
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
    return metric.kind == "mean" or metric.counts(value)


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
    "whole": "whole n prompts tasks responses targets raters shared pairs wins ties losses labelled clusters measured"
    " places",
    "number": "part value low high labels_low labels_high people_value people_low people_high lambda saving p holm"
    " log_strength value_before value_after",
    "enum": "kind turn",
    "any": "before after",
    "flag": "better",
}
_FIGURE, _LABELS = "value low high n prompts why", "labels_low labels_high measured places"
_METRIC = "metric kind question label"
_COLUMNS = {
    "figures": f"system {_METRIC} part whole {_FIGURE} {_LABELS} tasks responses targets raters",
    "differences": f"{_METRIC} one other {_FIGURE} {_LABELS} p holm shared",
    "assisted": "model metric one other value low high people_value people_low people_high lambda clusters labelled"
    " saving why",
    "strengths": f"question system pairs {_FIGURE} {_LABELS} log_strength",
    "pairs": f"question one other wins ties losses {_FIGURE} {_LABELS}",
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
    charts = [(panel, name not in narrow) for name, panel in panels.items()]
    summary = systems_meanings(report, wording).summary
    section = PageSection("", (*([(summary_panel(summary, wording), True)] if summary else []), *charts))
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
        "assisted": assisted_rows(report),
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


STRATUM_NAMES: dict[StratumKind, str] = {"differ": "Raters differ", "agree": "All agree", "one": "One rating"}


def load_result(
    store: Store, bundle: str, request: ResultRequest, *, now: datetime, seed: int = REPORT_SEED
) -> AuditResult:
    """Compute the result. Raises `NotInStore` or `StoreDamaged`."""
    with store.snapshot_isolation():
        audit = load_audit(store, bundle)
        reviews = load_reviews(store, audit)
        choice = reviews.labels
        method, threshold = (request.final, 0.0) if request.final else (choice.by, choice.threshold)
        result = make_result(
            audit,
            reviews,
            final_labels(audit, reviews, method, threshold),
            report_inputs(store, audit, {}),
            request,
            method=method,
            seed=seed,
            computed=format_time(now),
        )
        return with_place_quotes(result, AuditQuotes(store, audit).quote)


def draw_more(store: Store, bundle: str, counts: Mapping[StratumKind, int], lead: Lead) -> SampleChange:
    """Draw places until each stratum has its count; those drawn before stay. Raises `RaterError`, `NotInStore`."""
    audit = load_audit(store, bundle)
    strata = {place: STRATUM_NAMES[kind] for place, kind in strata_of_places(audit).items()}
    if not strata:
        raise RaterError("No sample was drawn.", "There is no rating with a label.")
    before = load_reviews(store, audit).sample
    sample = extend_sample(before, strata, {STRATUM_NAMES[kind]: count for kind, count in counts.items()})
    sample = replace(sample, lead=lead.name, changed=format_time(lead.now()))
    change = save_reviews(store, bundle, [NewReview(subject=("sample",), body=sample)], lead)
    return SampleChange(audits=change.audits, steps=change.steps, sample=sample)


_RESULT_FIGURE = columns_of_kinds(value="number", low="number", high="number", n="whole", tasks="whole", why="text")
RESULT_COLUMNS: dict[str, tuple[ExportColumn, ...]] = {
    "errors": (
        *columns_of_kinds(stratum="text", places="whole", ratings="whole", drawn="whole", wrong="whole"),
        *_RESULT_FIGURE,
        *columns_of_kinds(lower="number", bound="number", goal="number", state="enum"),
    ),
    "draws": columns_of_kinds(places="whole", differ="whole", agree="whole", one="whole", bound="number"),
    "mistakes": columns_of_kinds(given="any", right="any", count="whole"),
    "raters": (
        *columns_of_kinds(rater="text", tasks="whole", ratings="whole", figure="enum"), *_RESULT_FIGURE,
        *columns_of_kinds(band_low="number", band_high="number", outside="flag"),
    ),
    "weeks": (*columns_of_kinds(rater="text", week="text"), *_RESULT_FIGURE),
    "times": columns_of_kinds(
        rater="text", per="enum", median="number", low="number", high="number", p10="number", p90="number", n="whole",
        tasks="whole", why="text",
    ),
    "places": columns_of_kinds(
        rater="text", task="text", where="text", quote="text", question="text", own="any", final="any", wrong="flag",
        others_alike="whole",
    ),
}  # fmt: skip
"""Columns of each table, which is a file; times are in seconds."""


def save_result_tables(result: AuditResult, folder: Path) -> tuple[Path, ...]:
    """Write the tables as CSV to a folder, created if missing. Raises `RaterError`."""
    names = tuple(f"{name}.csv" for name in RESULT_COLUMNS)
    rows = dict(_result_rows(result))
    with bundle_errors(folder, "written", TRY_AGAIN):
        folder.mkdir(parents=True, exist_ok=True)
        with replaced_files(folder, names) as part_folder:
            for name, columns in RESULT_COLUMNS.items():
                TABLES["csv"](part_folder / f"{name}.csv", columns, list(rows[name]), bom=True)
    return tuple(folder / name for name in names)


def save_result_page(
    result: AuditResult, path: Path, texts: Wording, colors: PageColors, *, lead: str, language: str
) -> Path:
    """Write the result as an HTML page. Raises `RaterError`."""
    section = PageSection("", tuple((panel, True) for panel in result_panels(result, texts).values()))
    about = (texts.translate("Report", "Audit result"), result_base(result, texts))
    page = render_panels(result, [section], about, texts, colors, lead=lead, language=language)
    with bundle_errors(path, "written", TRY_AGAIN), replaced_file(path) as part_path:
        part_path.write_text(page, encoding="utf-8", newline="\n")
    return path


def _result_rows(result: AuditResult) -> Iterator[tuple[str, Iterator[Row]]]:
    errors = result.errors
    all_work: Row = {
        "stratum": None, "places": result.places, "ratings": result.ratings, "drawn": errors.drawn,
        "wrong": errors.wrong, **_figure(errors.figure), "lower": errors.lower, "bound": errors.bound,
        "goal": errors.goal, "state": errors.state or None,
    }  # fmt: skip
    strata: Iterator[Row] = (
        {
            "stratum": row.kind, "places": row.places, "ratings": row.ratings, "drawn": row.drawn, "wrong": row.wrong,
            "value": row.wrong / row.judged if row.judged else None, "n": row.judged,
        }
        for row in errors.strata
    )  # fmt: skip
    yield "errors", iter([all_work, *strata])
    yield "draws", ({"places": step.places, **step.by_stratum, "bound": step.bound} for step in errors.steps)
    yield "mistakes", (_plain(row) for row in errors.mistakes)
    yield "raters", (
        {
            "rater": row.rater, "tasks": row.tasks, "ratings": row.ratings, "figure": name, **_figure(banded.figure),
            "band_low": banded.band[0] if banded.band else None, "band_high": banded.band[1] if banded.band else None,
            "outside": banded.outside if banded.band else None,
        }
        for row in result.raters
        for name, banded in row.figures.items()
    )  # fmt: skip
    yield (
        "weeks",
        ({"rater": row.rater, "week": week, **_figure(figure)} for row in result.raters for week, figure in row.weeks),
    )
    yield "times", (
        {
            "rater": row.rater, "per": "target" if row.per_target else "task", "median": row.time.median,
            "low": row.time.median_low, "high": row.time.median_high, "p10": row.time.low, "p90": row.time.high,
            "n": row.time.n, "tasks": row.time.tasks, "why": row.time.why or None,
        }
        for row in result.raters
        if row.time is not None
    )  # fmt: skip
    yield "places", (
        {"rater": row.rater, **_plain(place), "others_alike": place.alike} for row in result.raters
        for place in row.places
    )  # fmt: skip


def _plain(struct: msgspec.Struct) -> dict[str, Any]:
    return {name: getattr(struct, name) for name in struct.__struct_fields__}


def _figure(figure: ReportFigure) -> Row:
    return {
        "value": figure.value, "low": figure.low, "high": figure.high, "n": figure.n, "tasks": figure.tasks,
        "why": figure.why or None,
    }  # fmt: skip
