"""Figures about systems for the window: the loaded results are kept, and the places behind a figure are found."""

from __future__ import annotations

from datetime import datetime

from msgspec.structs import replace

from desktop_rater.audit.compute_systems import group_name
from desktop_rater.audit.judged_questions import Value
from desktop_rater.audit.system_responses import system_responses
from desktop_rater.audit.systems import FigurePlace, SystemMetric, SystemsReport, SystemsRequest
from desktop_rater.store.store import Store
from desktop_rater.work.audit.load_audit import language_of
from desktop_rater.work.audit.review import quotes_in
from desktop_rater.work.audit.systems import SystemsData, load_systems_data, report_on_systems

MOST_PLACES = 200  # places that are listed, with their texts


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

    def places(
        self, store: Store, report: SystemsReport, group: str, metric: SystemMetric
    ) -> tuple[tuple[FigurePlace, ...], int]:
        """Return the first places that a figure counts, and the number of all. Raises `StoreDamaged`."""
        request, data = report.request, self._load(store, report.bundle, report.request)
        by = request.by or ((report.system_column,) if report.system_column else ())
        counted = [
            (response.task.id, where, value)
            for response in system_responses(data.tasks, data.labels)
            if response.matches(request.where) and group_name(response, by) == group
            for where, question, value in response.values
            if question == metric.question and value is not None and _counts(metric, value)
        ]
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
