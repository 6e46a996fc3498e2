"""Connections to a store's file, read-only access to older versions, and checksums of rows."""

import hashlib
import os
import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import quote

import msgspec

from desktop_rater.files import retry_while_open, sync_folder
from desktop_rater.format.change import CancelCheck
from desktop_rater.format.strict_json import field_of, sha256
from desktop_rater.store import schema
from desktop_rater.store.errors import StoreDamaged, StoreError, StoreTooNew, primary_code
from desktop_rater.store.sqlite_tools import Database

_STEPS_BETWEEN_CHECKS = 100_000  # virtual-machine steps between two calls


@contextmanager
def interruptible(connection: sqlite3.Connection, check_cancelled: CancelCheck) -> Generator[None]:
    """Call `check_cancelled` regularly inside; an exception in it stops the running statement and is raised here."""
    connection.set_progress_handler(check_cancelled, _STEPS_BETWEEN_CHECKS)
    try:
        yield
    except sqlite3.OperationalError as error:
        if primary_code(error) == sqlite3.SQLITE_INTERRUPT:
            check_cancelled()
        raise
    finally:
        connection.set_progress_handler(None, 0)


NAME = "store.sqlite3"
_NEW = "store.sqlite3.new"
_SMALLEST = 512  # bytes: SQLite's smallest page
_LONGEST_PATH = 1_040 if os.name == "nt" else 512  # bytes in UTF-8
_COMPANIONS = ("", "-wal", "-shm", "-journal")

_SAFE = ("trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0", "busy_timeout = 5000")
_WRITER = ("foreign_keys = ON", "synchronous = FULL")
_READER = ("query_only = ON", "cache_size = -8000")  # kB: a page of a search is read from many places


def stored_version(file: Path) -> int | None:
    """Return the `user_version` of a store's file without modifying it; `None` if there is no file.

    Raises `StoreTooNew`, `StoreDamaged`, `StoreError` for another program's database, or `sqlite3.Error`.
    """
    if not file.exists():
        return None
    if file.stat().st_size < _SMALLEST:
        # To SQLite that is a new database. A store is created under another name, so none of ours is ever so small.
        raise StoreDamaged("The store's file is empty.", f"{file} has no content.")
    # The contents of a WAL count, and only a real connection sees them; without a WAL nothing needs to be written.
    connection = _connect(file, "mode=ro" if has_wal(file) else "mode=ro&immutable=1")
    try:
        ours = connection.execute("PRAGMA application_id").fetchone()[0] == schema.APPLICATION_ID
        version = connection.execute("PRAGMA user_version").fetchone()[0]
    finally:
        connection.close()
    if not ours:
        raise StoreError("This is not a store.", f"{file} belongs to another program.", "Choose another folder.")
    if version > schema.schema_version():
        raise StoreTooNew(
            "The store is from a newer version of this program.",
            f"It has format {version}; this program supports up to {schema.schema_version()}. Nothing was changed.",
            "Use the newer version (`desktop-rater update check` looks for it), or another folder.",
        )
    return version


def create_database(file: Path) -> None:
    """Create an empty store at `file`. It gets its name once complete, so a killed start leaves no partial one."""
    new = file.with_name(_NEW)
    new.touch(mode=0o600)  # SQLite gives its companions the rights of this file
    connection = _connect(new, "mode=rwc")
    try:
        connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID:d}")  # pragmas take no parameters
        _enable_wal(connection)
        schema.migrate_tables(connection)
        # Closing would remove the WAL too, but would not report a failure to do so: the WAL would stay behind under a
        # name that no longer belongs to a store.
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        connection.close()
    retry_while_open(new.replace, file)
    sync_folder(file.parent)


def incomplete_creation(folder: Path) -> list[Path]:
    """Return the files of a store whose creation was never completed."""
    return [path for end in _COMPANIONS if (path := folder / f"{_NEW}{end}").exists()]


def connect_writer(file: Path, check_cancelled: CancelCheck | None = None) -> Database:
    """Open the process's only writing connection; migrate unless `check_cancelled` raises. Raises `sqlite3.Error`."""
    status = file.stat()
    connection = _connect(file, "mode=rw", _WRITER)
    try:
        _refuse_foreign_triggers(connection, file)
        _enable_wal(connection)
        with interruptible(connection, check_cancelled) if check_cancelled is not None else nullcontext():
            schema.migrate_tables(connection)
    except BaseException:
        connection.close()
        raise
    connection.identity = status.st_dev, status.st_ino
    return connection


def _refuse_foreign_triggers(connection: sqlite3.Connection, file: Path) -> None:
    """Raise `StoreDamaged` if something in the file would act on each write, or show something else than its tables."""
    query = "SELECT type, name, coalesce(sql, '') FROM sqlite_schema WHERE type IN ('trigger', 'view') ORDER BY name"
    own = schema.own_triggers()
    for kind, name, sql in connection.execute(query):
        if schema.normalised_sql(sql) not in own:
            raise StoreDamaged(
                "The store was modified by another program.",
                f"The {kind} {schema.display_name(name)} in {file} does not belong there: "
                "it could change what is saved or shown.",
                "Run `doctor` on it, and recover it from a backup and the journal with `doctor --salvage`.",
            )


def connect_reader(file: Path) -> Database:
    """Open a read-only connection, which sees each commit of a concurrent writer. Raises `sqlite3.Error`."""
    try:
        return _connect(file, "mode=ro", _READER)  # setting the cache reads the schema
    except sqlite3.Error as error:
        # In a read-only folder SQLite can't share a WAL. Without a WAL the file is complete by itself.
        if primary_code(error) not in {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY} or has_wal(file):
            raise
        return _connect(file, "mode=ro&immutable=1", _READER)


def connect_immutable(file: Path) -> Database:
    """Open a file that is not being written, without creating companion files. Raises `sqlite3.Error`."""
    return _connect(file, "mode=ro&immutable=1")


def database_uri(file: PurePath) -> str:
    """Return the URI of a database for SQLite, which accepts no server in it: the path holds it."""
    path = quote(os.fsencode(file.as_posix()), safe="/:")
    return f"file://{path}" if path.startswith("/") else f"file:///{path}"


def refuse_long_path(file: Path) -> None:
    """Raise `StoreError` if SQLite, which adds the name of a journal to it, can't open a path of this length."""
    length = len(os.fsencode(file.absolute())) + len("-journal")
    if length > _LONGEST_PATH:
        raise StoreError(
            "The path of the store is too long.",
            f"With the longest name of a file, {file.parent} has {length} bytes; SQLite takes {_LONGEST_PATH}.",
            "Choose a folder with a shorter path.",
        )


def _connect(file: Path, mode: str, pragmas: tuple[str, ...] = ()) -> Database:
    refuse_long_path(file)
    address = f"{database_uri(file.absolute())}?{mode}"
    # A queue's worker uses what the main thread opened; never two at a time.
    connection = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False, factory=Database)
    try:
        for pragma in (*_SAFE, *pragmas):
            connection.execute(f"PRAGMA {pragma}")
    except BaseException:
        connection.close()
        raise
    return connection


def _enable_wal(connection: sqlite3.Connection) -> None:
    mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
    if mode != "wal":
        raise StoreError(
            "The store can't be used on this disk.",
            f"SQLite uses the journal mode {mode!r} instead of a write-ahead log.",
            "Choose a folder on a local disk, not on a network share.",
        )


def has_wal(file: Path) -> bool:
    """Tell if there is a log beside a database that is not empty."""
    wal = file.with_name(f"{file.name}-wal")
    return wal.exists() and wal.stat().st_size > 0


def attach_missing_tables(db: Database) -> None:
    """Let statements find today's tables and columns in an older store that is only read. Raises `sqlite3.Error`."""
    with closing(sqlite3.connect(":memory:", isolation_level=None, factory=Database)) as connection:
        schema.migrate_tables(connection)
        # Older stores have no hashes of targets: those found are the only source.
        connection.execute("DROP TABLE placed")
        empty = connection.serialize()
    db.execute("PRAGMA query_only = OFF")
    db.execute("ATTACH ':memory:' AS later")
    db.deserialize(empty, name="later")
    if db.execute("SELECT 1 FROM main.sqlite_schema WHERE name = 'placed'").fetchone() is None:
        schema.register_sha256(db)
        db.execute(f"CREATE TEMP VIEW placed AS {schema.TARGET_HASHES_QUERY}")
    query = """
        SELECT tables.name, group_concat(columns.dflt_value || ' AS ' || columns.name, ', ')
        FROM main.sqlite_schema AS tables JOIN pragma_table_info(tables.name, 'later') AS columns
        WHERE tables.type = 'table' AND columns.dflt_value IS NOT NULL
              AND columns.name NOT IN (SELECT name FROM pragma_table_info(tables.name, 'main'))
        GROUP BY tables.name
    """
    for name, added in db.execute(query).fetchall():
        db.execute(f"CREATE TEMP VIEW {name} AS SELECT *, {added} FROM main.{name}")  # noqa: S608 - our own names
    db.execute("PRAGMA query_only = ON")


_BOM = b"\xef\xbb\xbf"  # stored texts lack it, but the hash in the manifest includes it


def matches_sha256(content: object, digest: object) -> bool:
    """Tell if `digest` is the SHA-256 of `content`. A damaged row may hold anything, so both may be of any type."""
    return isinstance(content, bytes) and sha256(content) == digest


def is_intact_rating(line: object, digest: object, task_id: str) -> bool:
    """Tell if `line` is an unmodified rating of this very task: whole rows can be exchanged."""
    if not isinstance(line, bytes) or not matches_sha256(line, digest):
        return False
    try:
        return field_of(line, "task", str) == task_id
    except msgspec.MsgspecError:
        return False


def altered_bundle_files(manifest: str, tasks_sha256: str, rubric_toml: str | None, guidelines: str) -> list[str]:
    """Return the names of the files of a stored bundle that do not match its manifest."""
    try:
        files = _listed_files(manifest)
    except msgspec.MsgspecError:
        return ["manifest.json"]
    altered = []
    if "tasks.jsonl" in files and files["tasks.jsonl"] != tasks_sha256:
        altered.append("tasks.jsonl")
    for name, text in (("rubric.toml", rubric_toml), ("guidelines.md", guidelines)):
        listed = files.get(name)
        data = (text or "").encode("utf-8", "surrogatepass")
        if listed is not None and listed not in {sha256(data), sha256(_BOM + data)}:
            altered.append(name)
    return altered


def files_in_manifest(manifest: str) -> dict[str, str]:
    """Return name → SHA-256 of the files in a stored manifest; nothing if it can't be read."""
    try:
        return _listed_files(manifest)
    except msgspec.MsgspecError:
        return {}


def _listed_files(manifest: str) -> dict[str, str]:
    files = field_of(manifest, "files", dict[str, dict[str, Any]], {})
    return {name: str(entry.get("sha256", "")) for name, entry in files.items()}


def is_practice_manifest(manifest: str) -> bool:
    """Tell if a stored manifest is that of a practice bundle; one that can't be read is not."""
    try:
        return field_of(manifest, "practice", bool, default=False)
    except msgspec.MsgspecError:
        return False


def row_hash(*columns: object) -> str:
    """Return the SHA-256 over a row's columns with type and length; different rows never give the same bytes."""
    digest = hashlib.sha256()
    for column in columns:
        data = column if isinstance(column, bytes) else str(column).encode("utf-8", "surrogateescape")
        digest.update(b"%s%d:" % (type(column).__name__[:1].encode(), len(data)))
        digest.update(data)
    return digest.hexdigest()
