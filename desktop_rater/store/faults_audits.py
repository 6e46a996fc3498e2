"""What is not as it was written of received results and of what a lead said of them. Each yields a text a fault."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.store import received, reviews, signatures

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from desktop_rater.store.store import Store

    Look = Callable[[], None]


def of_received(store: Store, look: Look) -> Iterator[str]:
    """Each row of received results against its hash, and their ratings against the count that they came with."""
    if not _has(store, "received"):
        return
    for fault in received.altered(store.db):
        look()
        if fault:
            yield fault
    query = """
        SELECT file, there, wanted FROM (
            SELECT file, (SELECT count(*) FROM received_ratings WHERE results = received.key) AS there,
                   json_extract(manifest, '$.counts.complete') + json_extract(manifest, '$.counts.skipped') AS wanted
            FROM received WHERE ready AND json_valid(manifest))
        WHERE there IS NOT wanted
    """
    look()
    for file, there, wanted in store.db.execute(query):
        yield f"Of the received results {file!r} {there:,} ratings are there, and {wanted:,} came in."


def of_reviews(store: Store, look: Look) -> Iterator[str]:
    """Each revision of what a lead said against its hash, and whether all of them are there."""
    if not _has(store, "reviews"):
        return
    for row in reviews.rows(store.db):
        look()
        if not reviews.is_intact(row):
            yield f"What was said of {row[0]}, {str(row[1])[:200]}, was altered: it is not what was written."
    query = """
        SELECT bundle, subject, max(revision), count(*) FROM reviews
        GROUP BY bundle, subject HAVING max(revision) <> count(*)
    """
    look()
    for bundle, subject, last, there in store.db.execute(query):
        yield f"Of {last} revisions of what was said of {bundle}, {str(subject)[:200]}, only {there} are there."


def of_signatures(store: Store, look: Look) -> Iterator[str]:
    """How each of the received results was signed, against its hash."""
    if not _has(store, "signatures"):
        return
    for fault in signatures.altered(store.db):
        look()
        if fault:
            yield fault


def _has(store: Store, table: str) -> bool:
    return store.db.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (table,)).fetchone() is not None
