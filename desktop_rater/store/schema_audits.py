"""The tables of a QA lead: results of other raters, and what is said of them."""

from __future__ import annotations

# Results that were received, each zip once. A rating's body is its leaving form to the byte; a task's line is
# canonical, without what was sent back with it, so that its SHA-256 names the text. `row_sha256` is over all the rest
# of a row: see `store.sealed`. A digest can be made again from its rating and task.
AUDITS = (
    """
    CREATE TABLE received (
        key INTEGER PRIMARY KEY AUTOINCREMENT,
        sha256 TEXT NOT NULL UNIQUE,
        bundle TEXT NOT NULL,
        rater TEXT NOT NULL,
        supersedes TEXT,
        manifest TEXT NOT NULL,
        rubric_toml TEXT,
        file TEXT NOT NULL,
        arrived TEXT NOT NULL,
        ready INTEGER NOT NULL DEFAULT 0 CHECK (ready IN (0, 1)),
        row_sha256 TEXT NOT NULL
    ) STRICT
    """,
    "CREATE INDEX received_by_bundle ON received (bundle, rater)",
    "CREATE TABLE task_texts (sha256 TEXT PRIMARY KEY, line BLOB NOT NULL) STRICT, WITHOUT ROWID",
    """
    CREATE TABLE received_ratings (
        key INTEGER PRIMARY KEY,
        results INTEGER NOT NULL REFERENCES received (key) ON DELETE CASCADE,
        task TEXT NOT NULL,
        text TEXT NOT NULL REFERENCES task_texts (sha256),
        revision INTEGER NOT NULL,
        sha256 TEXT NOT NULL,
        row_sha256 TEXT NOT NULL,
        digest BLOB NOT NULL,
        history TEXT NOT NULL,
        body BLOB NOT NULL,
        UNIQUE (results, task)
    ) STRICT
    """,
    # Append-only, as ratings are. `subject` is a JSON list: the kind first, then the ids of what it is about.
    """
    CREATE TABLE reviews (
        key INTEGER PRIMARY KEY,
        bundle TEXT NOT NULL,
        subject TEXT NOT NULL,
        lead TEXT NOT NULL,
        revision INTEGER NOT NULL,
        changed TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        body TEXT NOT NULL,
        UNIQUE (bundle, subject, revision)
    ) STRICT
    """,
    """
    CREATE TRIGGER reviews_follow_each_other BEFORE INSERT ON reviews
    WHEN NEW.revision <> 1 + coalesce((
        SELECT max(revision) FROM reviews WHERE bundle = NEW.bundle AND subject = NEW.subject), 0)
    BEGIN SELECT RAISE(ABORT, 'a review may only follow its last revision'); END
    """,
    """
    CREATE TRIGGER reviews_never_change BEFORE UPDATE ON reviews
    BEGIN SELECT RAISE(ABORT, 'reviews are never changed'); END
    """,
    """
    CREATE TRIGGER reviews_never_go BEFORE DELETE ON reviews
    BEGIN SELECT RAISE(ABORT, 'reviews are never deleted'); END
    """,
)
