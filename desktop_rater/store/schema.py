"""Tables of a store, and the migrations of older ones."""

from desktop_rater.format.strict_json import sha256
from desktop_rater.store import schema_work
from desktop_rater.store.sqlite_tools import MIGRATIONS, Database, apply_migrations

# `url` holds no secret. `paused` is the reason why nothing is sent, empty if not paused. `verified` is when this store
# last knew that it and the hub agreed. At most one hub is the `current` one.
HUB_TABLES = (
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
    # Files to be sent to a hub. The bytes are in the store's folder `outbox`, under their SHA-256. `made_of` identifies
    # the source of results, so that unchanged ones are not made again. `row_sha256` covers the columns before
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
    # Files that a hub holds for this store's user. Fetched files are in the store's folder `inbox`, under their
    # SHA-256, until they are imported.
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
    # Signatures of received results: `state` is that of the signature itself, independent of trust. Results imported by
    # an older version have no row: their signature was not checked.
    """
    CREATE TABLE signatures (
        results INTEGER PRIMARY KEY REFERENCES received (key) ON DELETE CASCADE,
        state TEXT NOT NULL CHECK (state IN ('signed', 'altered', 'unsigned')),
        key TEXT NOT NULL,
        row_sha256 TEXT NOT NULL
    ) STRICT
    """,
)


# Received results, each zip once. A rating's body is its export form byte for byte; a task's line is canonical, without
# return comments, so that its SHA-256 identifies the text. `row_sha256` is over all the rest of a row: see
# `store.sealed`. A digest can be recomputed from its rating and task. `task_texts` also has the pictures of guidelines,
# of audited and of imported bundles.
AUDIT_TABLES = (
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
    # Append-only, as ratings are. `subject` is a JSON list: the kind first, then the ids of its subject.
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


# Who vouches for what. `key_events`: which public key stands for a rater of a project, the last event of a key counts.
# `bundle_events`: the revision of a bundle that is current, and bundles put away. `page_origins`: where a stored page
# came from; `rater` and `results` are empty unless it came with results. All but the last are append-only.
TRUST_TABLES = (
    """
    CREATE TABLE key_events (
        key INTEGER PRIMARY KEY,
        rater TEXT NOT NULL,
        public TEXT NOT NULL,
        project TEXT NOT NULL,
        what TEXT NOT NULL CHECK (what IN ('introduced', 'called back')),
        by TEXT NOT NULL,
        reason TEXT NOT NULL,
        moment TEXT NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE bundle_events (
        key INTEGER PRIMARY KEY,
        bundle TEXT NOT NULL,
        what TEXT NOT NULL CHECK (what IN ('revision', 'put away', 'brought back')),
        revision INTEGER NOT NULL,
        reason TEXT NOT NULL,
        moment TEXT NOT NULL
    ) STRICT
    """,
    "CREATE INDEX bundle_events_by_bundle ON bundle_events (bundle, key)",
    *(
        f"""
        CREATE TRIGGER {table}_never_{verb} BEFORE {event} ON {table}
        BEGIN SELECT RAISE(ABORT, '{name} are never {done}'); END
        """
        for table, name in (("key_events", "events of keys"), ("bundle_events", "events of bundles"))
        for verb, event, done in (("change", "UPDATE", "changed"), ("go", "DELETE", "deleted"))
    ),
    """
    CREATE TABLE page_origins (
        key INTEGER PRIMARY KEY,
        snapshot TEXT NOT NULL,
        origin TEXT NOT NULL CHECK (origin IN ('fetched', 'bundle', 'results')),
        bundle TEXT NOT NULL,
        rater TEXT NOT NULL,
        results TEXT NOT NULL,
        arrived TEXT NOT NULL,
        UNIQUE (snapshot, origin, bundle, rater, results)
    ) STRICT
    """,
    # The lead's public key, pinned when the hub is first connected.
    "ALTER TABLE hubs ADD COLUMN lead_key TEXT NOT NULL DEFAULT ''",
    # Who signed a file for this store's user: the pinned lead's key, somebody else's, or nobody.
    """
    ALTER TABLE inbox
    ADD COLUMN signed TEXT NOT NULL DEFAULT '' CHECK (signed IN ('', 'lead', 'foreign', 'unsigned'))
    """,
)


APPLICATION_ID = 0x44526174  # "DRat", in the header of each store's file
POSITIONS = 32  # a task's key is its bundle's key and, in this many low bits, its position

TOKENIZER = "unicode61 remove_diacritics 2"

# Its rowid is the task's key.
SEARCH_INDEX = f"""
    CREATE VIRTUAL TABLE texts USING fts5 (prompt, responses, tools, tokenize = '{TOKENIZER}')
"""

# It holds no copy of the texts of stored pages. Its rowid is the snapshot's key.
PAGE_INDEX = """
    CREATE VIRTUAL TABLE page_texts USING fts5 (
        title, text, content = 'snapshots', content_rowid = 'key', tokenize = 'unicode61 remove_diacritics 2')
"""


def first(db: Database) -> None:
    """Create the tables of version 1."""
    for statement in (*_BUNDLES, *_RATINGS, *_HEADS, *_REST):
        db.execute(statement)


def pages(db: Database) -> None:
    """Version 2: add the log of visits and the table of stored pages."""
    for statement in _PAGES:
        db.execute(statement)


def leaving(db: Database) -> None:
    """Version 3: add the checked export forms of ratings."""
    db.execute(schema_work.LEAVING_TABLE)


def blocked(db: Database) -> None:
    """Version 4: add an index of answered tasks that are blocked, to avoid a scan of all tasks in progress."""
    db.execute(_BLOCKED)


def gold(db: Database) -> None:
    """Version 5: add the gold answers of practice bundles."""
    db.execute(_GOLD)


def placed(db: Database) -> None:
    """Version 6: add the hashes of placed targets, computed from the stored ones."""
    db.execute(_PLACED)
    register_sha256(db)
    db.execute(f"INSERT INTO placed (key, sha256) {TARGET_HASHES_QUERY}")


def audits(db: Database) -> None:
    """Version 7: add received results of other raters, and reviews by a QA lead."""
    for statement in AUDIT_TABLES:
        db.execute(statement)


def hubs(db: Database) -> None:
    """Version 8: add the exchange with hubs, and the signatures of received results."""
    for statement in HUB_TABLES:
        db.execute(statement)


def trust(db: Database) -> None:
    """Version 9: add the events of keys and bundles, the origins of pages, and the lead's key of a hub."""
    for statement in TRUST_TABLES:
        db.execute(statement)
    db.execute(
        """
        INSERT INTO key_events (rater, public, project, what, by, reason, moment)
        SELECT rater, key, project, 'introduced', '', 'first sight', seen FROM rater_keys ORDER BY seen, rater, key
        """
    )
    # Only a fetch of one's own records another time than the file states. The origin of other pages stays unknown.
    db.execute(
        """
        INSERT INTO page_origins (snapshot, origin, bundle, rater, results, arrived)
        SELECT snapshot, 'fetched', bundle, '', '', max(visits.fetched)
        FROM visits JOIN snapshots ON sha256 = snapshot
        WHERE visits.fetched > snapshots.fetched GROUP BY snapshot, bundle
        """
    )


def work(db: Database) -> None:
    """Version 10: add progress within tasks and the sizes of tasks, let bundles be removed, and pages be rendered."""
    for statement in schema_work.VERSION_10:
        db.execute(statement)


def listed(db: Database) -> None:
    """Version 11: add the places of an audit as the review screen lists them."""
    db.execute(schema_work.LISTED_TABLE)


def page_keys(db: Database) -> None:
    """Version 12: update the keys of pages, which have normalised percent-encoding and no default port since then."""
    schema_work.update_page_keys(db)


def libraries(db: Database) -> None:
    """Version 13: let pages be read from libraries, and add the bundles whose search index is still being built."""
    for statement in schema_work.VERSION_13:
        db.execute(statement)


_MIGRATIONS = (first, pages, leaving, blocked, gold, placed, audits, hubs, trust, work, listed, page_keys, libraries)


def register_sha256(db: Database) -> None:
    """Register the SQL function `sha256_of` on this connection."""
    db.create_function("sha256_of", 1, sha256, deterministic=True)


def normalised_sql(statement: str) -> str:
    """Return a statement of the schema in the form in which two of them are compared."""
    return " ".join(statement.split())


def display_name(name: str) -> str:
    """Return a name from the schema of a file of unknown origin for a message: short, and with nothing invisible."""
    return (name if name.isprintable() else ascii(name))[:200]


def own_triggers() -> frozenset[str]:
    """Return the normalised statements of the triggers of any version."""
    groups = (_RATINGS, AUDIT_TABLES, HUB_TABLES, TRUST_TABLES, schema_work.REMOVAL_TABLES)
    statements = (normalised_sql(statement) for group in groups for statement in group)
    return frozenset(statement for statement in statements if statement.startswith("CREATE TRIGGER "))


def schema_version() -> int:
    """Return the number of migrations: the `user_version` of a store written by this program."""
    return len(_MIGRATIONS)


def migrate_tables(db: Database, target: int | None = None) -> None:
    """Migrate the tables to the current version, or to an older version `target`, all or nothing."""
    migrations = _MIGRATIONS[:target]
    if db.execute("PRAGMA user_version").fetchone()[0] == len(migrations):
        query = "SELECT name FROM _sqlite_migrations WHERE migration_set = ? ORDER BY rowid"
        if [name for (name,) in db.execute(query, (MIGRATIONS,))] == [migration.__name__ for migration in migrations]:
            return
    with db.atomic():
        apply_migrations(db, migrations)
        db.execute(f"PRAGMA user_version = {len(migrations):d}")  # pragmas take no parameters


_BUNDLES = (
    # Keys are never reused, so that a remnant of a dropped bundle can't become a part of a later one.
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
    # The key holds the order, so neither a list nor a search has to sort. The line comes last: SQLite reads a row from
    # the left, and a list stops before it.
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
    # Each small commit of an import adds a segment to the index. Merging eight at once instead of four costs a quarter
    # less in total, and keeps the longest commit as short.
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
    # `position` is that in the bundle's current revision, and NULL if the task is no longer in it. `line_sha256` is the
    # line that was rated: if it differs from the task's, the task has to be reviewed again.
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
    # Runs of complete or skipped tasks, both ends included. The next open task is at the end of a run: no scan.
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
    # A stored page. The files are authoritative: a row can be recreated from its file. `page` and `final_page` are the
    # keys by which two URLs are one page; `content` is equal for pages with the same content, and empty, as `text` is
    # NULL, until the file has been read. The text comes last, as a task's line does.
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
    # Each request of a page, or arrival with a bundle. `bundle` is empty for one that belongs to all.
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

# The placed targets are covered by no hash of the bundle's. The key is the task's.
_PLACED = """
    CREATE TABLE placed (
        key INTEGER PRIMARY KEY REFERENCES tasks (key) ON DELETE CASCADE,
        sha256 TEXT NOT NULL
    ) STRICT
"""
TARGET_HASHES_QUERY = "SELECT key, sha256_of(CAST(targets AS BLOB)) AS sha256 FROM tasks WHERE targets IS NOT NULL"

# Only of practice bundles. The key is the task's: the line answers that very row, and is deleted with it.
_GOLD = """
    CREATE TABLE gold (
        key INTEGER PRIMARY KEY REFERENCES tasks (key) ON DELETE CASCADE,
        sha256 TEXT NOT NULL,
        line BLOB NOT NULL
    ) STRICT
"""
