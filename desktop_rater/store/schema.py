"""The tables of a store, and how older ones become today's."""

from __future__ import annotations

from desktop_rater.model.canonical import sha256
from desktop_rater.store.schema_audits import AUDITS
from desktop_rater.store.schema_hubs import HUBS
from desktop_rater.store.sqlite_tools import Database, Migrations

APPLICATION_ID = 0x44526174  # "DRat", in the header of each store's file
POSITIONS = 32  # a task's key is its bundle's key and, in this many low bits, its position

# Its rowid is the task's key.
SEARCH_INDEX = """
    CREATE VIRTUAL TABLE texts USING fts5 (prompt, responses, tools, tokenize = 'unicode61 remove_diacritics 2')
"""

# It keeps no copy of the texts of stored pages. Its rowid is the snapshot's key.
PAGE_INDEX = """
    CREATE VIRTUAL TABLE page_texts USING fts5 (
        title, text, content = 'snapshots', content_rowid = 'key', tokenize = 'unicode61 remove_diacritics 2')
"""

migrations = Migrations("desktop-rater")


@migrations()
def first(db: Database) -> None:
    """The tables of version 1."""
    for statement in (*_BUNDLES, *_RATINGS, *_HEADS, *_REST):
        db.execute(statement)


@migrations()
def pages(db: Database) -> None:
    """What version 2 adds: the log of visits, and what is in the stored pages."""
    for statement in _PAGES:
        db.execute(statement)


@migrations()
def leaving(db: Database) -> None:
    """What version 3 adds: the forms in which ratings leave, as they were checked."""
    db.execute(_LEAVING)


@migrations()
def blocked(db: Database) -> None:
    """What version 4 adds: what is answered and blocked is found without a look at all that is begun."""
    db.execute(_BLOCKED)


@migrations()
def gold(db: Database) -> None:
    """What version 5 adds: the gold answers of bundles for practice."""
    db.execute(_GOLD)


@migrations()
def placed(db: Database) -> None:
    """What version 6 adds: the hashes of the places of targets. What stands there now is taken for what was stored."""
    db.execute(_PLACED)
    know_hashes(db)
    db.execute(f"INSERT INTO placed (key, sha256) {HASHED_PLACES}")


@migrations()
def audits(db: Database) -> None:
    """What version 7 adds: results of other raters, and what a QA lead says of them."""
    for statement in AUDITS:
        db.execute(statement)


@migrations()
def hubs(db: Database) -> None:
    """What version 8 adds: the exchange with hubs, and how received results were signed."""
    for statement in HUBS:
        db.execute(statement)


def know_hashes(db: Database) -> None:
    """Let statements on this connection use the SHA-256 of bytes."""
    db.conn.create_function("sha256_of", 1, sha256, deterministic=True)


def version() -> int:
    """How many migrations this program knows: the `user_version` of a store that it has written."""
    return len(migrations._migrations)  # noqa: SLF001 - sqlite-utils has no public list of the migrations of a set


def migrate(db: Database, to: int | None = None) -> None:
    """Bring the tables up to date, or to an older version `to`, all of it or nothing."""
    to = version() if to is None else to
    later = [migration.name for migration in migrations._migrations[to:]]  # noqa: SLF001 - as above
    with db.atomic():
        migrations.apply(db, stop_before=later)
        db.execute(f"PRAGMA user_version = {to:d}")  # pragmas take no parameters


_BUNDLES = (
    # Keys are never used again, so that a leftover of a dropped bundle can't become a part of a later one.
    """
    CREATE TABLE bundles (
        key INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL,
        revision INTEGER NOT NULL CHECK (revision >= 1),
        title TEXT NOT NULL,
        language TEXT NOT NULL,
        created TEXT,
        rubric TEXT NOT NULL,
        rubric_toml TEXT,
        guidelines TEXT NOT NULL,
        manifest TEXT NOT NULL,
        tasks_sha256 TEXT NOT NULL,
        identity TEXT NOT NULL,
        imported TEXT NOT NULL,
        tasks INTEGER NOT NULL DEFAULT 0,
        ready INTEGER NOT NULL DEFAULT 0 CHECK (ready IN (0, 1)),
        UNIQUE (id, revision)
    ) STRICT
    """,
    # The key holds the order, so neither a list nor a search has to sort. The line comes last: SQLite reads a row
    # from the left, and a list stops before it.
    f"""
    CREATE TABLE tasks (
        key INTEGER PRIMARY KEY CHECK (key >> {POSITIONS} = bundle),
        bundle INTEGER NOT NULL REFERENCES bundles (key) ON DELETE CASCADE,
        position INTEGER NOT NULL GENERATED ALWAYS AS (key & {2**POSITIONS - 1}) VIRTUAL,
        id TEXT NOT NULL,
        title TEXT NOT NULL,
        line_sha256 TEXT NOT NULL,
        targets TEXT,
        line BLOB NOT NULL,
        UNIQUE (bundle, id)
    ) STRICT
    """,
    SEARCH_INDEX,
    # Each small commit of an import adds a segment to the index. Merging eight at once instead of four costs a
    # quarter less in all, and keeps the longest commit as short.
    "INSERT INTO texts (texts, rank) VALUES ('automerge', 8)",
)

_RATINGS = (
    """
    CREATE TABLE ratings (
        key INTEGER PRIMARY KEY,
        bundle TEXT NOT NULL,
        task TEXT NOT NULL,
        rater TEXT NOT NULL,
        revision INTEGER NOT NULL,
        changed TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('complete', 'incomplete', 'skipped')),
        done TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        leaving_sha256 TEXT NOT NULL,
        body TEXT NOT NULL,
        UNIQUE (bundle, task, rater, revision)
    ) STRICT
    """,
    """
    CREATE TRIGGER ratings_follow_each_other BEFORE INSERT ON ratings
    WHEN NEW.revision <> 1 + coalesce((
        SELECT max(revision) FROM ratings WHERE bundle = NEW.bundle AND task = NEW.task AND rater = NEW.rater), 0)
    BEGIN SELECT RAISE(ABORT, 'a rating may only follow its last revision'); END
    """,
    """
    CREATE TRIGGER ratings_never_change BEFORE UPDATE ON ratings
    BEGIN SELECT RAISE(ABORT, 'ratings are never changed'); END
    """,
    """
    CREATE TRIGGER ratings_never_go BEFORE DELETE ON ratings
    BEGIN SELECT RAISE(ABORT, 'ratings are never deleted'); END
    """,
)

_HEADS = (
    # `position` is that in the bundle's latest revision, and NULL where the task is not in it any more.
    # `line_sha256` is the line that was rated: where it is not the task's, the task has to be looked at again.
    """
    CREATE TABLE heads (
        bundle TEXT NOT NULL,
        task TEXT NOT NULL,
        rater TEXT NOT NULL,
        rating INTEGER NOT NULL REFERENCES ratings (key),
        revision INTEGER NOT NULL,
        position INTEGER,
        status TEXT NOT NULL CHECK (status IN ('complete', 'incomplete', 'skipped')),
        line_sha256 TEXT,
        blocking INTEGER NOT NULL,
        warnings INTEGER NOT NULL,
        answered INTEGER NOT NULL,
        total INTEGER NOT NULL,
        PRIMARY KEY (bundle, task, rater)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX heads_by_status ON heads (bundle, rater, status, position)",
    # Runs of complete or skipped tasks, both ends included. The next open task is where a run ends: no scan.
    """
    CREATE TABLE finished_runs (
        bundle TEXT NOT NULL,
        rater TEXT NOT NULL,
        first INTEGER NOT NULL,
        last INTEGER NOT NULL CHECK (last >= first),
        PRIMARY KEY (bundle, rater, first)
    ) STRICT, WITHOUT ROWID
    """,
)

_REST = (
    """
    CREATE TABLE exports (
        key INTEGER PRIMARY KEY,
        bundle TEXT NOT NULL,
        rater TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        moment TEXT NOT NULL,
        tasks INTEGER NOT NULL,
        complete INTEGER NOT NULL,
        skipped INTEGER NOT NULL,
        content TEXT NOT NULL,
        supersedes TEXT
    ) STRICT
    """,
    "CREATE INDEX exports_by_rater ON exports (bundle, rater)",
    "CREATE TABLE state (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
)

_PAGES = (
    # A stored page. The files are what counts: a row can be made again from its file. `page` and `final_page` are the
    # keys by which two URLs are one page; `content` is equal where two showed the same, and empty, as `text` is NULL,
    # until the file has been read. The text comes last, as a task's line does.
    """
    CREATE TABLE snapshots (
        key INTEGER PRIMARY KEY,
        sha256 TEXT NOT NULL UNIQUE,
        url TEXT NOT NULL,
        page TEXT NOT NULL,
        final_url TEXT NOT NULL,
        final_page TEXT NOT NULL,
        fetched TEXT NOT NULL,
        status INTEGER NOT NULL,
        media_type TEXT NOT NULL,
        content TEXT NOT NULL,
        title TEXT NOT NULL,
        site TEXT NOT NULL,
        text TEXT
    ) STRICT
    """,
    "CREATE INDEX snapshots_by_page ON snapshots (page, fetched)",
    "CREATE INDEX snapshots_by_final_page ON snapshots (final_page, fetched)",
    "CREATE INDEX snapshots_unread ON snapshots (key) WHERE text IS NULL",
    PAGE_INDEX,
    # Each time that a page was asked for, or came with a bundle. `bundle` is empty for one that belongs to all.
    """
    CREATE TABLE visits (
        key INTEGER PRIMARY KEY,
        bundle TEXT NOT NULL,
        url TEXT NOT NULL,
        page TEXT NOT NULL,
        final_url TEXT NOT NULL,
        final_page TEXT NOT NULL,
        state TEXT NOT NULL,
        status INTEGER NOT NULL,
        fetched TEXT NOT NULL,
        snapshot TEXT
    ) STRICT
    """,
    "CREATE INDEX visits_by_page ON visits (bundle, page)",
    "CREATE INDEX visits_by_final_page ON visits (bundle, final_page)",
    "CREATE INDEX visits_by_snapshot ON visits (snapshot, bundle)",
)

_BLOCKED = """
    CREATE INDEX heads_blocked ON heads (bundle, rater, position)
    WHERE status = 'incomplete' AND total > 0 AND answered = total AND blocking > 0
"""

# `task` is the row that the rating was checked against, and rows of tasks never change; `basis` says by which rubric
# and engine. `form` and its `sha256` are NULL where what leaves is the stored rating to the byte.
_LEAVING = """
    CREATE TABLE leaving (
        rating INTEGER PRIMARY KEY REFERENCES ratings (key),
        task INTEGER NOT NULL,
        basis TEXT NOT NULL,
        sha256 TEXT,
        form BLOB
    ) STRICT
"""

# What the import made of a task's targets is covered by no hash of the bundle's. The key is the task's.
_PLACED = """
    CREATE TABLE placed (
        key INTEGER PRIMARY KEY REFERENCES tasks (key) ON DELETE CASCADE,
        sha256 TEXT NOT NULL
    ) STRICT
"""
HASHED_PLACES = "SELECT key, sha256_of(CAST(targets AS BLOB)) AS sha256 FROM tasks WHERE targets IS NOT NULL"

# Only of bundles for practice. The key is the task's: the line answers that very row, and goes with it.
_GOLD = """
    CREATE TABLE gold (
        key INTEGER PRIMARY KEY REFERENCES tasks (key) ON DELETE CASCADE,
        sha256 TEXT NOT NULL,
        line BLOB NOT NULL
    ) STRICT
"""
