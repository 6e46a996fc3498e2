"""Is everything here of a bundle's results? Of the audit as it stands in the store."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from msgspec.structs import replace

from desktop_rater.audit.status import Status, status_of
from desktop_rater.bundle.plain_files import text_of
from desktop_rater.bundle.trouble import BundleError
from desktop_rater.work.audit_desk import lead_copy, load_audit
from desktop_rater.work.return_work import what_is_on_the_way

if TYPE_CHECKING:
    from pathlib import Path

    from desktop_rater.store.store import Store

_HINT = "Name the table that `bundle assign` has written."


def audit_status(store: Store, bundle: str, assigned: dict[str, list[str]] | None = None) -> Status:
    """Raises `NotThere`, `StoreDamaged`, or `RubricError`."""
    audit = load_audit(store, bundle)
    copy = lead_copy(store, bundle)
    known = None
    if copy is not None:
        # Of a later revision than the copy it is not known which tasks are gone and which are new.
        latest = all(one.revision <= copy.revision for one in audit.received)
        known = [task for task, _ in copy.tasks] if latest else audit.tasks
    status = status_of(audit, known=known, assigned=assigned)
    ways = {one.rater: one for one in what_is_on_the_way(store, audit)}
    raters = (
        replace(one, unsent=ways[one.rater].unsent, out=ways[one.rater].out) if one.rater in ways else one
        for one in status.raters
    )
    return replace(status, raters=tuple(raters))


def assignment(path: Path) -> dict[str, list[str]]:
    """Rater → tasks of a table with the columns task and rater, as `bundle assign` writes it. Raises `BundleError`."""
    rows = csv.reader(io.StringIO(text_of(path), newline=""), strict=True)
    given: dict[str, list[str]] = {}
    try:
        head = next(rows, [])
        if not {"task", "rater"} <= set(head):
            raise BundleError(f"{path.name} is no assignment", "Its columns are not task, rater, bundle.", _HINT)
        task, rater = head.index("task"), head.index("rater")
        for row in rows:
            if len(row) != len(head):
                why = f"line {rows.line_num}: it has {len(row):,} cells, and the first line has {len(head):,}."
                raise BundleError(f"{path.name} can't be used", why, _HINT)
            given.setdefault(_meant(row[rater]), []).append(_meant(row[task]))
    except csv.Error as error:
        raise BundleError(f"{path.name} can't be used", f"line {rows.line_num}: {error}.", _HINT) from error
    return {rater: list(dict.fromkeys(tasks)) for rater, tasks in given.items()}


def _meant(cell: str) -> str:
    """Without the apostrophe that keeps a spreadsheet from running it."""
    return cell.removeprefix("'")
