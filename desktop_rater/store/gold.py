"""Gold answers: what a rating of a task for practice is compared with once it is finished.

Only a bundle for practice has any here; a QA lead's gold of another bundle never comes into a rater's store.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.model.canonical import sha256
from desktop_rater.store.current import current
from desktop_rater.store.intact import answers
from desktop_rater.store.tasks import STORED, StoredTask
from desktop_rater.store.trouble import StoreDamaged

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop_rater.store.store import Store

_LOSS = "The gold answer can't be read."


def awaiting(store: Store, bundle_key: int, task_id: str) -> StoredTask | None:
    """A task of a bundle whose import has not ended; `None` where it is not in it."""
    with store.reading(_LOSS) as db:
        row = db.execute(STORED + "WHERE bundle = ? AND id = ?", (bundle_key, task_id)).fetchone()
    return None if row is None else StoredTask(*row)


def put(store: Store, bundle_key: int, lines: Iterable[tuple[str, bytes]]) -> int:
    """Keep (task id, line) of a bundle whose import has not ended, in one transaction; returns how many are kept.

    What answers no task of it is not kept.
    """
    query = "INSERT INTO gold (key, sha256, line) SELECT key, ?, ? FROM tasks WHERE bundle = ? AND id = ?"
    kept = 0
    with store.writing("The gold answers are not stored.", lasting=False) as db:
        for task_id, line in lines:
            kept += db.execute(query, (sha256(line), line, bundle_key, task_id)).rowcount
    return kept


def find(store: Store, bundle_id: str, task_id: str) -> bytes | None:
    """The line that answers a task of the bundle's latest revision. Raises `NotThere`, or `StoreDamaged`."""
    with store.reading(_LOSS) as db:
        query = """
            SELECT gold.line, gold.sha256 FROM tasks JOIN gold ON gold.key = tasks.key
            WHERE tasks.bundle = ? AND tasks.id = ?
        """
        row = db.execute(query, (current(db, bundle_id).key, task_id)).fetchone()
    if row is None:
        return None
    line, digest = row
    if not answers(line, digest, task_id):
        raise StoreDamaged(f"The stored gold answer of {task_id!r} was altered.", "It is not what was imported.")
    return line
