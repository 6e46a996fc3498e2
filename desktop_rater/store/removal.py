"""Removal of a bundle: all its rows but the event that records it, and the stored pages that nothing else needs."""

import msgspec

from desktop_rater.files import retry_while_open
from desktop_rater.store import ratings, snapshots
from desktop_rater.store.bundle_events import BundleEvent, append_event
from desktop_rater.store.schema import POSITIONS
from desktop_rater.store.sqlite_tools import Database
from desktop_rater.store.store import Store

_LOSS = "The bundle can't be read."
# Pages that came with the bundle or were visited for it, and that no other bundle or results need.
_OWN_PAGES = """
    SELECT sha256 FROM snapshots
    WHERE (sha256 IN (SELECT snapshot FROM visits WHERE bundle = :bundle)
           OR sha256 IN (SELECT snapshot FROM page_origins WHERE bundle = :bundle))
      AND NOT EXISTS (SELECT 1 FROM visits WHERE snapshot = sha256 AND bundle <> :bundle)
      AND NOT EXISTS (SELECT 1 FROM page_origins WHERE snapshot = sha256 AND bundle <> :bundle)
"""


class BundleHoldings(msgspec.Struct, frozen=True, kw_only=True):
    """Contents of the store for a bundle; `ratings` counts rated tasks of all raters, `bytes` texts and pages."""

    revisions: int
    tasks: int
    ratings: int
    pages: int
    bytes: int


class RatingOnHold(msgspec.Struct, frozen=True, kw_only=True):
    """A rating that has not left the store."""

    task: str
    rater: str


def bundle_holdings(store: Store, bundle_id: str) -> BundleHoldings:
    """Return what a removal of the bundle would delete."""
    query = """
        SELECT (SELECT count(*) FROM bundles WHERE id = ?1), (SELECT count(*) FROM heads WHERE bundle = ?1),
               (SELECT count(DISTINCT tasks.id) FROM tasks JOIN bundles ON bundles.key = bundle WHERE bundles.id = ?1),
               (SELECT total(length(line)) FROM tasks JOIN bundles ON bundles.key = bundle WHERE bundles.id = ?1),
               (SELECT total(length(body)) FROM ratings WHERE bundle = ?1)
    """
    with store.reading(_LOSS) as db:
        revisions, ratings, tasks, *texts = db.execute(query, (bundle_id,)).fetchone()
        pages = _own_pages(db, bundle_id)
    files = [path for path in (snapshots.snapshot_path(store.folder, page) for page in pages) if path is not None]
    size = round(sum(texts)) + sum(path.stat().st_size for path in files)
    return BundleHoldings(revisions=revisions, tasks=tasks, ratings=ratings, pages=len(pages), bytes=size)


def ratings_on_hold(store: Store, bundle_id: str) -> list[RatingOnHold]:
    """Return the ratings that are in no results that were exported, or sent to a hub and verified there.

    Results hold the finished ratings up to the last change in them. If they hold fewer, all ratings count as kept.
    """
    query = """
        WITH finished AS (
            SELECT heads.task, heads.rater, heads.status, ratings.changed FROM heads
            JOIN ratings ON ratings.key = heads.rating WHERE heads.bundle = ?1),
        last AS (
            SELECT rater, moment, complete + skipped AS finished, max(key) FROM exports
            WHERE bundle = ?1 AND NOT EXISTS (
                SELECT 1 FROM outbox WHERE outbox.bundle = ?1 AND outbox.rater = exports.rater
                AND outbox.sha256 = exports.sha256 AND state <> 'verified')
            GROUP BY rater),
        gone AS (
            SELECT last.rater, moment FROM last
            WHERE finished >= (SELECT count(*) FROM finished WHERE finished.rater = last.rater
                               AND status <> 'incomplete' AND changed <= moment))
        SELECT finished.task, finished.rater FROM finished LEFT JOIN gone ON gone.rater = finished.rater
        WHERE status = 'incomplete' OR moment IS NULL OR changed > moment ORDER BY finished.rater, finished.task
    """
    with store.reading(_LOSS) as db:
        return [RatingOnHold(task=task, rater=rater) for task, rater in db.execute(query, (bundle_id,))]


def is_audited(store: Store, bundle_id: str) -> bool:
    """Return whether the store holds received results or reviews of the bundle."""
    query = "SELECT 1 FROM received WHERE bundle = ?1 UNION ALL SELECT 1 FROM reviews WHERE bundle = ?1 LIMIT 1"
    with store.reading(_LOSS) as db:
        return db.execute(query, (bundle_id,)).fetchone() is not None


def remove_bundle(store: Store, event: BundleEvent) -> None:
    """Delete everything of a bundle in one transaction, and append the event `removed`. Raises `StoreError`.

    What was exchanged with a hub stays recorded: otherwise the hub would offer the bundle again.
    """
    bundle = event.bundle
    with store.writing(f"The bundle {bundle} was not removed.") as db:
        append_event(db, event)
        query = "SELECT max(key) FROM bundle_events WHERE bundle = ?"
        (last,) = db.execute(query, (bundle,)).fetchone()
        db.execute("DELETE FROM bundle_events WHERE bundle = ? AND key < ?", (bundle, last))
        pages = _own_pages(db, bundle)
        db.execute("DELETE FROM leaving WHERE rating IN (SELECT key FROM ratings WHERE bundle = ?)", (bundle,))
        for table in ("heads", "finished_runs", "ratings", "exports"):
            db.execute(f"DELETE FROM {table} WHERE bundle = ?", (bundle,))  # noqa: S608 - the names above
        for (key,) in db.execute("SELECT key FROM bundles WHERE id = ?", (bundle,)).fetchall():
            span = (key << POSITIONS, ((key + 1) << POSITIONS) - 1)
            db.execute("DELETE FROM texts WHERE rowid BETWEEN ? AND ?", span)
        db.execute("DELETE FROM bundles WHERE id = ?", (bundle,))
        named = ratings.evidence_snapshots(store)
        gone = [page for page in pages if page not in named]
        _delete_pages(db, bundle, gone)
        _forget_places(db, bundle)
    for page in gone:
        path = snapshots.snapshot_path(store.folder, page)
        if path is not None:
            retry_while_open(path.unlink, missing_ok=True)


def _own_pages(db: Database, bundle_id: str) -> list[str]:
    return [sha256 for (sha256,) in db.execute(_OWN_PAGES, {"bundle": bundle_id})]


def _delete_pages(db: Database, bundle_id: str, gone: list[str]) -> None:
    """Delete rows of pages. Another bundle keeps a page that was fetched for this one: it belongs to all then."""
    for sha256 in gone:
        row = db.execute("SELECT key, title, text FROM snapshots WHERE sha256 = ?", (sha256,)).fetchone()
        if row[2] is not None:
            db.execute("INSERT INTO page_texts (page_texts, rowid, title, text) VALUES ('delete', ?, ?, ?)", row)
        db.execute("DELETE FROM page_origins WHERE snapshot = ?", (sha256,))
        db.execute("DELETE FROM snapshots WHERE sha256 = ?", (sha256,))
    kept = "UPDATE OR IGNORE page_origins SET bundle = '' WHERE bundle = ? AND origin NOT IN ('bundle', 'results')"
    db.execute(kept, (bundle_id,))
    for table in ("page_origins", "visits"):
        db.execute(f"DELETE FROM {table} WHERE bundle = ?", (bundle_id,))  # noqa: S608 - the names above


def _forget_places(db: Database, bundle_id: str) -> None:
    """Delete remembered places, times and files of the bundle."""
    for key, text in db.execute("SELECT key, value FROM state").fetchall():
        try:
            value = msgspec.json.decode(text)
        except msgspec.DecodeError:
            continue
        kept = value
        if isinstance(value, list):
            kept = [row for row in value if not (isinstance(row, dict) and row.get("bundle") == bundle_id)]
        elif isinstance(value, dict) and isinstance(value.get("spots"), dict):
            spots = {name: spot for name, spot in value["spots"].items() if name != bundle_id}
            kept = {**value, "spots": spots, "bundle": "" if value.get("bundle") == bundle_id else value.get("bundle")}
        if kept != value:
            db.execute("UPDATE state SET value = ? WHERE key = ?", (msgspec.json.encode(kept).decode(), key))
