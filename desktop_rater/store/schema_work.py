"""Tables of versions 3 (export forms), 10 (progress, removed bundles), 11 and 13; page keys of version 12."""

from desktop_rater.store.sqlite_tools import Database
from desktop_rater.text.urls import page_key

# `task` is the row that the rating was checked against, and rows of tasks never change; `basis` names the rubric and
# engine. `form` and its `sha256` are NULL if the export form equals the stored rating byte for byte.
LEAVING_TABLE = """
    CREATE TABLE leaving (
        rating INTEGER PRIMARY KEY REFERENCES ratings (key),
        task INTEGER NOT NULL,
        basis TEXT NOT NULL,
        sha256 TEXT,
        form BLOB
    ) STRICT
"""

# `task_sizes`: how many targets and responses a task has. `work_done`: how many of its targets, responses or tasks,
# whichever are counted, are done in a revision of a rating.
WORK_TABLES = (
    """
    CREATE TABLE task_sizes (
        key INTEGER PRIMARY KEY REFERENCES tasks (key) ON DELETE CASCADE,
        targets INTEGER NOT NULL,
        responses INTEGER NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE work_done (
        rating INTEGER PRIMARY KEY REFERENCES ratings (key) ON DELETE CASCADE,
        done INTEGER NOT NULL
    ) STRICT
    """,
    "CREATE INDEX heads_by_rating ON heads (rating)",
)

# Replaces the table of version 9: a bundle can be removed. Its ratings may be deleted only after that event, and only
# events before it.
REMOVAL_TABLES = (
    "ALTER TABLE bundle_events RENAME TO earlier_bundle_events",
    """
    CREATE TABLE bundle_events (
        key INTEGER PRIMARY KEY,
        bundle TEXT NOT NULL,
        what TEXT NOT NULL CHECK (what IN ('revision', 'put away', 'brought back', 'removed')),
        revision INTEGER NOT NULL,
        reason TEXT NOT NULL,
        moment TEXT NOT NULL
    ) STRICT
    """,
    """
    INSERT INTO bundle_events (key, bundle, what, revision, reason, moment)
    SELECT key, bundle, what, revision, reason, moment FROM earlier_bundle_events
    """,
    "DROP TABLE earlier_bundle_events",
    "CREATE INDEX bundle_events_by_bundle ON bundle_events (bundle, key)",
    """
    CREATE TRIGGER bundle_events_never_change BEFORE UPDATE ON bundle_events
    BEGIN SELECT RAISE(ABORT, 'events of bundles are never changed'); END
    """,
    """
    CREATE TRIGGER bundle_events_never_go BEFORE DELETE ON bundle_events
    WHEN NOT EXISTS (
        SELECT 1 FROM bundle_events AS later
        WHERE later.bundle = OLD.bundle AND later.key > OLD.key AND later.what = 'removed')
    BEGIN SELECT RAISE(ABORT, 'events of bundles are never deleted'); END
    """,
    "DROP TRIGGER ratings_never_go",
    """
    CREATE TRIGGER ratings_never_go BEFORE DELETE ON ratings
    WHEN (SELECT what FROM bundle_events WHERE bundle = OLD.bundle ORDER BY key DESC LIMIT 1) IS NOT 'removed'
    BEGIN SELECT RAISE(ABORT, 'ratings are never deleted'); END
    """,
)


def _origin_tables(origins: str, columns: str = "") -> tuple[str, ...]:
    """Return the statements that replace the table of origins by one that knows these, with further columns."""
    kept = "key, snapshot, origin, bundle, rater, results, arrived"
    return (
        "ALTER TABLE page_origins RENAME TO earlier_page_origins",
        f"""
        CREATE TABLE page_origins (
            key INTEGER PRIMARY KEY,
            snapshot TEXT NOT NULL,
            origin TEXT NOT NULL CHECK (origin IN ({origins})),
            bundle TEXT NOT NULL,
            rater TEXT NOT NULL,
            results TEXT NOT NULL,
            arrived TEXT NOT NULL,
            {columns}UNIQUE (snapshot, origin, bundle, rater, results)
        ) STRICT
        """,
        f"INSERT INTO page_origins ({kept}) SELECT {kept} FROM earlier_page_origins",  # noqa: S608 - constants
        "DROP TABLE earlier_page_origins",
    )


# A page may have been rendered by the live view since version 10, and read from a library since version 13.
ORIGIN_TABLES = _origin_tables("'fetched', 'rendered', 'bundle', 'results'")
LIBRARY_ORIGINS = _origin_tables(
    "'fetched', 'rendered', 'library', 'bundle', 'results'",
    "library TEXT NOT NULL DEFAULT '', library_date TEXT NOT NULL DEFAULT '', ",
)

# A line that is damaged counts as empty: `doctor` reports it.
COUNT_STORED_TASKS = """
    INSERT INTO task_sizes (key, targets, responses)
    SELECT key,
           CASE WHEN json_valid(placed) THEN coalesce(json_array_length(placed), 0)
                WHEN json_valid(line) THEN coalesce(json_array_length(line, '$.targets'), 0) ELSE 0 END,
           CASE WHEN json_valid(line) THEN coalesce(json_array_length(line, '$.responses'), 0) ELSE 0 END
    FROM (SELECT key, targets AS placed, CAST(line AS TEXT) AS line FROM tasks)
"""

VERSION_10 = (*WORK_TABLES, *REMOVAL_TABLES, *ORIGIN_TABLES, COUNT_STORED_TASKS)

# The places of an audit as the review screen lists them: one row a task, and one without a task for what they have in
# common. `basis` is a hash of all that a row was made of, without the reviews. Each row can be made again at any time.
LISTED_TABLE = """
    CREATE TABLE listed_places (
        key INTEGER PRIMARY KEY,
        bundle TEXT NOT NULL,
        task TEXT NOT NULL,
        basis TEXT NOT NULL,
        row_sha256 TEXT NOT NULL,
        body BLOB NOT NULL,
        UNIQUE (bundle, task)
    ) STRICT
"""

# Bundles whose tasks are not all in the search index yet: those from `position` on are missing.
UNINDEXED_TABLE = """
    CREATE TABLE unindexed (
        bundle INTEGER PRIMARY KEY REFERENCES bundles (key) ON DELETE CASCADE,
        position INTEGER NOT NULL
    ) STRICT
"""

VERSION_13 = (*LIBRARY_ORIGINS, UNINDEXED_TABLE)


def update_page_keys(db: Database) -> None:
    """Update the keys by which two URLs are one page."""
    db.create_function("page_key", 1, lambda url: page_key(url) or url, deterministic=True)
    for table in ("snapshots", "visits"):
        db.execute(
            f"""
            UPDATE {table} SET page = page_key(url), final_page = page_key(final_url)
            WHERE page <> page_key(url) OR final_page <> page_key(final_url)
            """  # noqa: S608 - constants
        )
