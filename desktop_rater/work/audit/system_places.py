"""Figures about systems for the window: the loaded results are kept, and the places behind a figure are found."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace

from desktop_rater.audit.charts.svg import Key
from desktop_rater.audit.compute_systems import group_name
from desktop_rater.audit.questions import Value
from desktop_rater.audit.system_responses import FinalValues, SystemResponse, TaskFacts, system_responses
from desktop_rater.audit.systems import FigurePlace, SystemMetric, SystemsReport, SystemsRequest
from desktop_rater.store.store import Store
from desktop_rater.work.audit.load_audit import language_of
from desktop_rater.work.audit.review import quotes_in
from desktop_rater.work.audit.systems import SystemsData, load_systems_data, report_on_systems

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
