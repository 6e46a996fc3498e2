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
    """The SHA-256 of each stored page that evidence names, in the latest revision of each rating.

    And of each that came with received results and that their evidence names.
    """
    own = """
        SELECT DISTINCT json_extract(piece.value, '$.snapshot')
        FROM heads JOIN ratings ON ratings.key = heads.rating, json_each(ratings.body, '$.evidence') AS piece
    """
    received = """
        SELECT DISTINCT json_extract(piece.value, '$.snapshot')
        FROM received_ratings,
             json_each(CASE WHEN json_valid(CAST(body AS TEXT)) THEN CAST(body AS TEXT) END, '$.evidence') AS piece
        WHERE json_extract(piece.value, '$.snapshot') IN (SELECT sha256 FROM snapshots)
    """
    with store.reading(_LOSS) as db:
        return {sha256 for query in (own, received) for (sha256,) in db.execute(query) if isinstance(sha256, str)}
