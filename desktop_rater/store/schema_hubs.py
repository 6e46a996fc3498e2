"""The tables of the exchange with hubs: what goes, what came, and whose keys are known."""

from __future__ import annotations

# `url` holds no secret. `paused` says why nothing is sent, and is empty where all is well. `verified` is when this
# store last knew that what it had sent and what the hub held were the same. One hub at most is the `current` one.
HUBS = (
    """
    CREATE TABLE hubs (
        project TEXT PRIMARY KEY,
        title TEXT NOT NULL,
        url TEXT NOT NULL UNIQUE,
        user TEXT NOT NULL,
        connected TEXT NOT NULL,
        verified TEXT NOT NULL DEFAULT '',
        asked TEXT NOT NULL DEFAULT '',
        skew REAL,
        paused_kind TEXT NOT NULL DEFAULT '',
        paused TEXT NOT NULL DEFAULT '',
        current INTEGER NOT NULL DEFAULT 0 CHECK (current IN (0, 1))
    ) STRICT
    """,
    "CREATE UNIQUE INDEX hubs_current ON hubs (current) WHERE current",
    # What goes to a hub. The bytes lie in the store's folder `outbox`, under their SHA-256. `made_of` says what
    # results were made of, so that nothing is made again that has not changed. `row_sha256` covers the columns before
    # `made_of`, which never change.
    """
    CREATE TABLE outbox (
        key INTEGER PRIMARY KEY,
        project TEXT NOT NULL REFERENCES hubs (project) ON DELETE CASCADE,
        kind TEXT NOT NULL CHECK (kind IN ('results', 'key', 'bundle', 'assignment', 'returned')),
        rater TEXT NOT NULL,
        bundle TEXT NOT NULL,
        revision INTEGER NOT NULL,
        name TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        size INTEGER NOT NULL,
        made_of TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('queued', 'uploading', 'uploaded', 'verified', 'failed')),
        attempts INTEGER NOT NULL DEFAULT 0,
        next_try TEXT NOT NULL DEFAULT '',
        error_kind TEXT NOT NULL DEFAULT '',
        last_error TEXT NOT NULL DEFAULT '',
        queued TEXT NOT NULL,
        changed TEXT NOT NULL,
        row_sha256 TEXT NOT NULL,
        UNIQUE (project, name)
    ) STRICT
    """,
    "CREATE INDEX outbox_by_state ON outbox (project, state)",
    """
    CREATE TRIGGER outbox_begins_queued BEFORE INSERT ON outbox WHEN NEW.state <> 'queued'
    BEGIN SELECT RAISE(ABORT, 'what goes to a hub is queued first'); END
    """,
    """
    CREATE TRIGGER outbox_goes_step_by_step BEFORE UPDATE OF state ON outbox
    WHEN (OLD.state, NEW.state) NOT IN (VALUES
        ('queued', 'queued'), ('queued', 'uploading'), ('queued', 'failed'),
        ('uploading', 'queued'), ('uploading', 'uploading'), ('uploading', 'uploaded'), ('uploading', 'failed'),
        ('uploaded', 'queued'), ('uploaded', 'verified'), ('uploaded', 'failed'),
        ('verified', 'queued'), ('failed', 'queued'))
    BEGIN SELECT RAISE(ABORT, 'the outbox knows no such step'); END
    """,
    """
    CREATE TRIGGER outbox_items_never_change
    BEFORE UPDATE OF key, project, kind, rater, bundle, revision, name, sha256, size, row_sha256 ON outbox
    BEGIN SELECT RAISE(ABORT, 'what goes to a hub is never changed'); END
    """,
    # What a hub holds for this store's user. Fetched files lie in the store's folder `inbox`, under their SHA-256,
    # until they are imported.
    """
    CREATE TABLE inbox (
        key INTEGER PRIMARY KEY,
        project TEXT NOT NULL REFERENCES hubs (project) ON DELETE CASCADE,
        kind TEXT NOT NULL CHECK (kind IN ('assignment', 'returned', 'results')),
        rater TEXT NOT NULL,
        name TEXT NOT NULL,
        file TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        size INTEGER NOT NULL,
        bundle TEXT NOT NULL,
        revision INTEGER NOT NULL,
        title TEXT NOT NULL,
        tasks INTEGER NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('seen', 'fetched', 'taken', 'refused')),
        last_error TEXT NOT NULL DEFAULT '',
        changed TEXT NOT NULL,
        UNIQUE (project, rater, name)
    ) STRICT
    """,
    """
    CREATE TRIGGER inbox_goes_step_by_step BEFORE UPDATE OF state ON inbox
    WHEN (OLD.state, NEW.state) NOT IN (VALUES
        ('seen', 'fetched'), ('seen', 'refused'), ('fetched', 'taken'), ('fetched', 'refused'), ('fetched', 'seen'),
        ('refused', 'seen'))
    BEGIN SELECT RAISE(ABORT, 'the inbox knows no such step'); END
    """,
    # Keys that a hub showed for a rater; `project` is empty for the user's own.
    """
    CREATE TABLE rater_keys (
        rater TEXT NOT NULL,
        key TEXT NOT NULL,
        project TEXT NOT NULL,
        seen TEXT NOT NULL,
        PRIMARY KEY (rater, key, project)
    ) STRICT, WITHOUT ROWID
    """,
    # How received results were signed: `state` is that of the signature itself, not of who is trusted. Results that
    # were taken in by an older version have no row: nobody looked.
    """
    CREATE TABLE signatures (
        results INTEGER PRIMARY KEY REFERENCES received (key) ON DELETE CASCADE,
        state TEXT NOT NULL CHECK (state IN ('signed', 'altered', 'unsigned')),
        key TEXT NOT NULL,
        row_sha256 TEXT NOT NULL
    ) STRICT
    """,
)
