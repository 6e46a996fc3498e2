"""Related tables of a bundle's effective ratings: tasks, targets, ratings, evidence and raters, with keys that join."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from desktop_rater.audit.results import Audit
from desktop_rater.files import replaced_files
from desktop_rater.format.bundle_errors import bundle_errors
from desktop_rater.format.change import Progress
from desktop_rater.format.strict_json import read_json_object, read_struct
from desktop_rater.format.task import Task
from desktop_rater.format.write import HINT_UNCHANGED
from desktop_rater.operations.audit.convert_results import RowCount
from desktop_rater.operations.audit.load_audit import TargetPlacements, language_of, load_audit
from desktop_rater.operations.results_tables import TABLES
from desktop_rater.operations.results_tables.relational import (
    RATER_COLUMNS,
    RATERS,
    RELATIONAL,
    meta_columns,
    relational_table,
)
from desktop_rater.operations.results_tables.tables import ExportColumn, RatedTask, Row
from desktop_rater.store import received
from desktop_rater.store.store import Store

_STEP = 200


def save_audit_tables(store: Store, bundle: str, folder: Path, to: str, progress: Progress) -> dict[str, int]:
    """Write the five tables to a folder, all or none; return their numbers of rows. Raises `RaterError`."""
    counts: dict[str, int] = {}
    with store.snapshot_isolation(), bundle_errors(folder, "written", HINT_UNCHANGED):
        audit = load_audit(store, bundle)
        rated = _EffectiveRatings(store, audit, progress)
        folder.mkdir(parents=True, exist_ok=True)
        with replaced_files(folder, tuple(f"{name}.{to}" for name in RELATIONAL)) as part_folder:
            for name in RELATIONAL:
                columns, rows = _table(name, audit, rated)
                counted = RowCount()
                TABLES[to](part_folder / f"{name}.{to}", columns, counted.counted(rows), bom=to == "csv")
                counts[name] = counted.total
    return counts


def _table(name: str, audit: Audit, rated: _EffectiveRatings) -> tuple[tuple[ExportColumn, ...], Iterator[Row]]:
    if name == RATERS:
        return RATER_COLUMNS, _raters(audit)
    meta = meta_columns((row.task.meta for row in rated), ()) if name == "tasks" else ()
    table = relational_table(name, [audit.rubric], meta)
    return table.columns, table.rows(rated)


class _EffectiveRatings:
    """Effective ratings with their tasks, in the order of tasks and raters; read anew for each table."""

    def __init__(self, store: Store, audit: Audit, progress: Progress) -> None:
        self._store, self._audit, self._progress = store, audit, progress
        self._language = language_of(audit)
        self._revisions = {results.sha256: results.revision for results in audit.received}

    def __iter__(self) -> Iterator[RatedTask]:
        audit = self._audit
        done = 0
        for name in audit.tasks:
            raters = [rater for rater in audit.raters if (name, rater) in audit.ratings]
            if not raters:
                continue
            task = read_struct(read_json_object(received.task_text(self._store, audit.texts[name])), Task)
            places = TargetPlacements(task, audit.rubric, self._language)
            for rater in raters:
                filed = audit.ratings[name, rater]
                rating = received.received_rating(self._store, filed.results, name)
                done += 1
                if done % _STEP == 0:
                    self._progress(done, 0)
                yield RatedTask(
                    bundle=audit.bundle,
                    revision=self._revisions[filed.results],
                    rubric=audit.rubric,
                    task=places.of(rating),
                    rating=rating,
                )


def _raters(audit: Audit) -> Iterator[Row]:
    for results in audit.received:
        signing = audit.signings.get(results.sha256)
        yield {
            "bundle": audit.bundle,
            "revision": results.revision,
            "rater": results.rater,
            "rubric": audit.rubric.ref,
            "tasks": results.tasks,
            "complete": results.complete,
            "skipped": results.skipped,
            "partial": results.partial,
            "practice": results.practice,
            "adjudicated": False,
            "model": results.model or None,
            "signature": signing.state if signing is not None else None,
        }
