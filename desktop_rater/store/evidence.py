"""What the evidence of all ratings names, whoever rated."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop_rater.store.store import Store

_LOSS = "The evidence can't be read."


def urls(store: Store, bundle_id: str) -> dict[str, list[str]]:
    """Task id → the URLs of its evidence, in the latest revision of each rating."""
    query = """
        SELECT heads.task, json_extract(piece.value, '$.url')
        FROM heads JOIN ratings ON ratings.key = heads.rating, json_each(ratings.body, '$.evidence') AS piece
        WHERE heads.bundle = ? ORDER BY heads.rating, piece.key
    """
    found: dict[str, list[str]] = {}
    with store.reading(_LOSS) as db:
        for task, url in db.execute(query, (bundle_id,)):
            if isinstance(url, str):
                found.setdefault(task, []).append(url)
    return found


def snapshots_named(store: Store) -> set[str]:
    """The SHA-256 of each stored page that evidence names, in the latest revision of each rating."""
    query = """
        SELECT DISTINCT json_extract(piece.value, '$.snapshot')
        FROM heads JOIN ratings ON ratings.key = heads.rating, json_each(ratings.body, '$.evidence') AS piece
    """
    with store.reading(_LOSS) as db:
        return {sha256 for (sha256,) in db.execute(query) if isinstance(sha256, str)}
