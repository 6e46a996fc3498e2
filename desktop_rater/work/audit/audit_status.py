"""Completeness of a bundle's results: tasks and ratings that are still missing."""

import csv
import io
from pathlib import Path

import msgspec
from msgspec.structs import replace

from desktop_rater.audit.results import Audit
from desktop_rater.audit.status import AuditStatus, bundle_status
from desktop_rater.bundle.errors import BundleError
from desktop_rater.bundle.jsonl import read_small_text
from desktop_rater.model.change import NO_CHANGE, Change
from desktop_rater.model.strict_json import prepared_type
from desktop_rater.store import state
from desktop_rater.store.store import Store
from desktop_rater.text.names import normalised_name
from desktop_rater.text.untrusted import restored_cell
from desktop_rater.work.audit.load_audit import audited_bundles, load_audit
from desktop_rater.work.audit.rework import pending_rework

_KEY = "assignment of {}"
_HINT = "Name the table that `bundle assign` has written."


def audit_status(store: Store, bundle: str, assigned: dict[str, list[str]] | None = None) -> AuditStatus:
    """Return the status of an audit. Raises `NotInStore`, `StoreDamaged`, or `RubricError`."""
    return status_of(store, load_audit(store, bundle), assigned)


def status_of(store: Store, audit: Audit, assigned: dict[str, list[str]] | None = None) -> AuditStatus:
    """Return the status of a loaded audit; by default with the stored assignment. Raises `StoreDamaged`."""
    assigned = assigned if assigned is not None else stored_assignment(store, audit.bundle)
    status = bundle_status(audit, known=audit.tasks if audit.known else None, assigned=assigned)
    rework = {entry.rater: entry for entry in pending_rework(store, audit)}
    raters = (
        replace(entry, unsent=rework[entry.rater].unsent, out=rework[entry.rater].out)
        if entry.rater in rework
        else entry
        for entry in status.raters
    )
    return replace(status, raters=tuple(raters))


def stored_assignment(store: Store, bundle: str) -> dict[str, list[str]] | None:
    """Return rater → tasks as the lead gave it; `None` if there is none, or it can't be read."""
    try:
        given = state.get_state(store, _KEY.format(bundle))
        return None if given is None else msgspec.convert(given, prepared_type(dict[str, list[str]]))
    except msgspec.ValidationError:
        return None


def store_assignment(store: Store, bundle: str, path: Path) -> Change:
    """Keep the table of who rates what, by which missing ratings are counted. Raises `BundleError`, `StoreError`."""
    state.put_state(store, _KEY.format(bundle), read_assignment(path))
    return Change(audits=frozenset({bundle}))


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


class LeadStart(msgspec.Struct, frozen=True, kw_only=True):
    """Audits in a store that may have no tasks to rate. `answered`: its user has said whether they are a QA lead."""

    audits: tuple[str, ...]
    answered: bool


_ROLE_KEY = "role was asked"


def lead_start(store: Store) -> LeadStart:
    """Return the audits of a store, and whether the role was asked."""
    return LeadStart(audits=tuple(audited_bundles(store)), answered=bool(state.get_state(store, _ROLE_KEY)))


def record_role_answer(store: Store) -> Change:
    """Record that the user was asked for the role. Raises `StoreError`."""
    state.put_state(store, _ROLE_KEY, value=True)
    return NO_CHANGE
