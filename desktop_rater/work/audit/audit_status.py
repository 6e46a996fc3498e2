"""Completeness of a bundle's results: tasks and ratings that are still missing."""

import csv
import io
from pathlib import Path

from msgspec.structs import replace

from desktop_rater.audit.results import Audit
from desktop_rater.audit.status import AuditStatus, bundle_status
from desktop_rater.bundle.errors import BundleError
from desktop_rater.bundle.jsonl import read_small_text
from desktop_rater.store.store import Store
from desktop_rater.text.names import normalised_name
from desktop_rater.text.untrusted import restored_cell
from desktop_rater.work.audit.load_audit import load_audit
from desktop_rater.work.audit.rework import pending_rework

_HINT = "Name the table that `bundle assign` has written."


def audit_status(store: Store, bundle: str, assigned: dict[str, list[str]] | None = None) -> AuditStatus:
    """Return the status of an audit. Raises `NotInStore`, `StoreDamaged`, or `RubricError`."""
    return status_of(store, load_audit(store, bundle), assigned)


def status_of(store: Store, audit: Audit, assigned: dict[str, list[str]] | None = None) -> AuditStatus:
    """Return the status of a loaded audit. Raises `StoreDamaged`."""
    status = bundle_status(audit, known=audit.tasks if audit.known else None, assigned=assigned)
    rework = {entry.rater: entry for entry in pending_rework(store, audit)}
    raters = (
        replace(entry, unsent=rework[entry.rater].unsent, out=rework[entry.rater].out)
        if entry.rater in rework
        else entry
        for entry in status.raters
    )
    return replace(status, raters=tuple(raters))


def read_assignment(path: Path) -> dict[str, list[str]]:
    """Read rater → tasks from a table as written by `bundle assign` (columns task, rater). Raises `BundleError`."""
    rows = csv.reader(io.StringIO(read_small_text(path), newline=""), strict=True)
    tasks_by_rater: dict[str, list[str]] = {}
    try:
        head = next(rows, [])
        if not {"task", "rater"} <= set(head):
            raise BundleError(f"{path.name} is no assignment", "Its columns are not task, rater, bundle.", _HINT)
        task, rater = head.index("task"), head.index("rater")
        for row in rows:
            if len(row) != len(head):
                why = f"line {rows.line_num}: it has {len(row):,} cells, and the first line has {len(head):,}."
                raise BundleError(f"{path.name} can't be used", why, _HINT)
            name = normalised_name(restored_cell(row[rater]))
            tasks_by_rater.setdefault(name, []).append(restored_cell(row[task]))
    except csv.Error as error:
        raise BundleError(f"{path.name} can't be used", f"line {rows.line_num}: {error}.", _HINT) from error
    return {rater: list(dict.fromkeys(tasks)) for rater, tasks in tasks_by_rater.items()}
