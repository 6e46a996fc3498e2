"""How long a rater's finished tasks took, for what is said of the time that is left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.store import returned_tasks
from desktop_rater.store.current import current

if TYPE_CHECKING:
    from desktop_rater.store.store import Store

LATEST = 30  # as many finished tasks say how fast the rater is now


def seconds_a_task(store: Store, bundle_id: str, rater: str) -> float | None:
    """The mean of the active seconds of the rater's latest complete tasks; `None` where none has any.

    Nor of tasks that were sent back: their seconds go on from those of before.
    """
    query = """
        SELECT avg(seconds) FROM (
            SELECT json_extract(body, '$.time.active_seconds') AS seconds
            FROM heads JOIN ratings ON ratings.key = heads.rating
            WHERE heads.bundle = ? AND heads.rater = ? AND heads.status = 'complete' AND heads.position IS NOT NULL
            ORDER BY heads.rating DESC LIMIT ?
        ) WHERE seconds > 0
    """
    with store.reading("How long tasks took can't be read.") as db:
        if returned_tasks.are_all(db, current(db, bundle_id)):
            return None
        (mean,) = db.execute(query, (bundle_id, rater, LATEST)).fetchone()
    return mean
