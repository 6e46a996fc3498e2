"""Files to be sent to a hub and files received from one: their bytes, named by their SHA-256, and their states."""

import hashlib
import os
import re
import shutil
from collections.abc import Collection, Generator, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import IO, Any, Literal

import msgspec

from desktop_rater.files import (
    file_sha256,
    find_partial_files,
    partial_file,
    remove_leftovers,
    rename_durably,
    retry_while_open,
    sync_folder,
)
from desktop_rater.format.change import CancelCheck
from desktop_rater.format.values import format_time
from desktop_rater.store.connection import row_hash
from desktop_rater.store.errors import NotInStore, StoreError, translate_errors
from desktop_rater.store.sqlite_tools import Database, placeholders, row_struct
from desktop_rater.store.store import Store

Mailbox = Literal["outbox", "inbox"]
MAILBOXES: tuple[Mailbox, ...] = ("outbox", "inbox")

_SHA256 = re.compile("[0-9a-f]{64}")
_CHUNK = 1 << 20  # bytes
_LOSS = {"outbox": "What goes to the hub is not stored.", "inbox": "What came from the hub is not stored."}
# Files are needed while their row is pending; the newest of each kind is also needed in case the hub loses it.
_WANTED: dict[Mailbox, str] = {
    "outbox": """
        SELECT sha256 FROM outbox WHERE state <> 'verified' OR key IN (
            SELECT max(key) FROM outbox GROUP BY project, kind, rater, bundle)
    """,
    "inbox": "SELECT sha256 FROM inbox WHERE state = 'fetched'",
}


class FileReceiver:
    """A file being received."""

    def __init__(self, file: IO[bytes], path: Path, target: Path, loss: str) -> None:
        self._loss = loss
        self._file = file
        self._path = path
        self._target = target
        self._digest = hashlib.sha256()
        self.size = 0

    def write(self, data: bytes) -> None:
        self._digest.update(data)
        self.size += len(data)
        with translate_errors(self._loss):
            self._file.write(data)

    def keep(self) -> bool:
        """Store the file under its name if the SHA-256 matches, else discard it. Return whether it matched."""
        if self._digest.hexdigest() != self._target.name:
            return False
        with translate_errors(self._loss):
            rename_durably(self._file, self._path, self._target)
        return True


@contextmanager
def receive_file(folder: Path, box: Mailbox, sha256: str) -> Generator[FileReceiver]:
    """Receive a file with that SHA-256 on any thread; it is discarded unless kept. Raises `StoreError`."""
    loss, stack = _LOSS[box], ExitStack()
    with translate_errors(loss):
        place = _create_box(folder, box)
        file, path = stack.enter_context(partial_file(place))
    try:
        yield FileReceiver(file, path, place / _validate_sha256(sha256), loss)
    finally:
        with translate_errors(loss):
            stack.close()


def store_file(folder: Path, box: Mailbox, chunks: Iterable[bytes]) -> tuple[str, int]:
    """Store bytes durably; return their SHA-256 and size. Raises `StoreError`."""
    digest, size = hashlib.sha256(), 0
    with translate_errors(_LOSS[box]):
        place = _create_box(folder, box)
        with partial_file(place) as (file, path):
            for chunk in chunks:
                digest.update(chunk)
                size += len(chunk)
                file.write(chunk)
            rename_durably(file, path, place / digest.hexdigest())
    return digest.hexdigest(), size


def mailbox_path(folder: Path, box: Mailbox, sha256: str) -> Path:
    """Return the path for the bytes with that SHA-256, whether or not they exist."""
    return folder / box / _validate_sha256(sha256)


def intact_file(folder: Path, box: Mailbox, sha256: str, check_cancelled: CancelCheck = lambda: None) -> Path | None:
    """Return the file's path; `None` if it is missing or its contents no longer match its name."""
    file = mailbox_path(folder, box, sha256)
    with translate_errors(f"The file {sha256[:12]}… can't be read."):
        if file.is_symlink() or not file.is_file():
            return None
        return file if file_sha256(file, check_cancelled) == sha256 else None


def list_files(folder: Path, box: Mailbox) -> list[Path]:
    """Return the complete files, by name, without unfinished or unrelated ones."""
    if not (folder / box).is_dir():
        return []
    return sorted(file for file in (folder / box).iterdir() if _SHA256.fullmatch(file.name))


def delete_unneeded(store: Store, box: Mailbox, some: Collection[str] | None = None) -> None:
    """Delete files that no row needs, of `some` SHA-256 or of all. For the writer, on the store's queue."""
    with store.reading("Files that are not needed any more are not removed.") as db:
        wanted = {sha256 for (sha256,) in db.execute(_WANTED[box])}
    with translate_errors("Files that are not needed any more are not removed."):
        for file in (
            list_files(store.folder, box) if some is None else (store.folder / box / _validate_sha256(s) for s in some)
        ):
            if file.name not in wanted:
                retry_while_open(file.unlink, missing_ok=True)


def share_box(folder: Path, box: Mailbox, other: Path) -> None:
    """Link the files of a box into another store's folder, or copy them. Raises `OSError`."""
    files = list_files(folder, box)
    if files:
        share_files(files, _create_box(other, box))


def share_files(files: Iterable[Path], place: Path) -> None:
    """Link files that never change into the folder `place`, or copy them; existing ones stay. Raises `OSError`."""
    for file in files:
        if (place / file.name).exists():
            continue
        try:
            os.link(file, place / file.name)
        except OSError:  # FAT and some network shares do not support hard links
            with partial_file(place) as (copy, path), file.open("rb") as source:
                shutil.copyfileobj(source, copy, _CHUNK)
                rename_durably(copy, path, place / file.name)
    sync_folder(place)


def delete_leftovers(store: Store) -> None:
    """Delete the files that a killed process left. For the writer, while nothing is being received."""
    for box in MAILBOXES:
        remove_leftovers(find_partial_files(store.folder / box))
        delete_unneeded(store, box)


def _create_box(folder: Path, box: Mailbox) -> Path:
    place = folder / box
    if not place.is_dir():
        place.mkdir(mode=0o700, exist_ok=True)
        sync_folder(folder)
    return place


def _validate_sha256(sha256: str) -> str:
    if not _SHA256.fullmatch(sha256):
        raise StoreError("The file name is not valid.", f"{sha256[:80]!r} is not a SHA-256.")
    return sha256


ArrivalKind = Literal["assignment", "returned", "results"]
ArrivalState = Literal["seen", "fetched", "taken", "refused"]

# A fetched file is seen again if it was lost, a refused one if the user tries again.
ARRIVAL_TRANSITIONS: dict[ArrivalState, frozenset[ArrivalState]] = {
    "seen": frozenset({"fetched", "refused"}),
    "fetched": frozenset({"taken", "refused", "seen"}),
    "taken": frozenset(),
    "refused": frozenset({"seen"}),
}

_INBOX_LOSS = "The files received from the hub can't be read."
_INBOX_NOT_NOTED = "The state of the files received from the hub was not saved."


class NewArrival(msgspec.Struct, frozen=True, kw_only=True):
    """A file a hub offers to a rater; `name` announces `file` (may be equal), whose `sha256` and `size` these are.

    `signed`: who vouches for the file; empty if it was not verified, as for results.
    """

    project: str
    kind: ArrivalKind
    rater: str
    name: str
    file: str
    sha256: str
    size: int
    bundle: str = ""
    revision: int = 0
    title: str = ""
    tasks: int = 0
    signed: Literal["", "lead", "foreign", "unsigned"] = ""


class Arrival(NewArrival, frozen=True, kw_only=True):
    """The same with its state; `last_error` is a text that says why it was refused."""

    key: int
    state: ArrivalState
    last_error: str
    changed: str


_ARRIVAL = ", ".join(Arrival.__struct_fields__)
_NEW_ARRIVAL = NewArrival.__struct_fields__
_KNOWN_CONTENT = """
    kind <> 'results' AND (project, rater, bundle, revision, sha256) IN (
        SELECT project, rater, bundle, revision, sha256 FROM inbox WHERE kind <> 'results' AND
"""
_SAME_CONTENT = (
    f"""
    UPDATE inbox SET (signed, title, tasks) = (
        SELECT signed, title, tasks FROM inbox AS signed_one
        WHERE signed_one.project = inbox.project AND signed_one.rater = inbox.rater
            AND signed_one.sha256 = inbox.sha256 AND signed_one.signed = 'lead' ORDER BY key LIMIT 1)
    WHERE signed <> 'lead' AND {_KNOWN_CONTENT} signed = 'lead')
    """,  # noqa: S608 - our own names
    f"UPDATE inbox SET state = 'fetched' WHERE state = 'seen' AND {_KNOWN_CONTENT} state = 'taken')",  # noqa: S608
    f"UPDATE inbox SET state = 'taken' WHERE state = 'fetched' AND {_KNOWN_CONTENT} state = 'taken')",  # noqa: S608
)


def record_arrivals(store: Store, some: Collection[NewArrival], *, now: datetime) -> None:
    """Record the files of a hub. Those with a known name are left unchanged.

    What is recorded of a file's content holds for all its names: that the lead vouches for it, and that it was
    imported.
    """
    moment = format_time(now)
    query = f"""
        INSERT OR IGNORE INTO inbox ({", ".join(_NEW_ARRIVAL)}, state, changed)
        VALUES ({placeholders(_NEW_ARRIVAL)}, 'seen', ?)
    """  # noqa: S608 - our own names
    with store.writing(_INBOX_NOT_NOTED, lasting=False) as db:
        db.executemany(query, ((*msgspec.structs.astuple(arrival), moment) for arrival in some))
        if any(arrival.kind != "results" for arrival in some):
            for statement in _SAME_CONTENT:
                db.execute(statement)


def known_arrivals(store: Store, project: str, rater: str) -> set[str]:
    """Return the names that were seen for a rater."""
    with store.reading(_INBOX_LOSS) as db:
        query = "SELECT name FROM inbox WHERE project = ? AND rater = ?"
        return {name for (name,) in db.execute(query, (project, rater))}


def list_arrivals(
    store: Store,
    project: str,
    *,
    rater: str | None = None,
    states: Collection[ArrivalState] | None = None,
    kinds: Collection[ArrivalKind] | None = None,
) -> list[Arrival]:
    """Return the files of a hub, in the order in which they were seen."""
    query = f"SELECT {_ARRIVAL} FROM inbox WHERE project = ? AND (? IS NULL OR rater = ?) ORDER BY key"  # noqa: S608
    with store.reading(_INBOX_LOSS) as db:
        rows = db.execute(query, (project, rater, rater)).fetchall()
    arrivals = (row_struct(Arrival, row) for row in rows)
    return [
        arrival
        for arrival in arrivals
        if (states is None or arrival.state in states) and (kinds is None or arrival.kind in kinds)
    ]


def arrival_by_name(store: Store, project: str, rater: str, name: str) -> Arrival | None:
    """Return the file that was seen under a name."""
    query = f"SELECT {_ARRIVAL} FROM inbox WHERE project = ? AND rater = ? AND name = ?"  # noqa: S608 - our own names
    with store.reading(_INBOX_LOSS) as db:
        row = db.execute(query, (project, rater, name)).fetchone()
    return None if row is None else row_struct(Arrival, row)


def forget_refused(store: Store, project: str) -> int:
    """Forget refused bundles so that the next sync requests them again; return how many."""
    with store.writing(_INBOX_NOT_NOTED) as db:
        query = "DELETE FROM inbox WHERE project = ? AND state = 'refused' AND kind <> 'results'"
        return db.execute(query, (project,)).rowcount


def imported_bundles(store: Store, project: str, rater: str) -> set[str]:
    """Return the ids of the imported bundles that came from a hub for a rater."""
    with store.reading(_INBOX_LOSS) as db:
        query = "SELECT DISTINCT bundle FROM inbox WHERE project = ? AND rater = ? AND state = 'taken'"
        return {bundle for (bundle,) in db.execute(query, (project, rater))}


def bundles_of_other_hubs(store: Store, project: str, rater: str) -> dict[str, str]:
    """Map ids of bundles that came for a rater only from hubs of other projects to the project."""
    query = """
        SELECT bundle, min(project) FROM inbox WHERE rater = ? AND state = 'taken' AND kind <> 'results'
        GROUP BY bundle HAVING NOT max(project = ?)
    """
    with store.reading(_INBOX_LOSS) as db:
        return dict(db.execute(query, (rater, project)).fetchall())


def projects_of_results(store: Store, bundle: str) -> set[str]:
    """Return the projects on whose hubs the lead has assigned a bundle, or else from whose hubs its results came.

    Keys of raters of other projects do not stand for its raters. Empty if no hub is known.
    """
    assigned = "SELECT project FROM inbox WHERE bundle = ? AND kind = 'assignment' AND signed = 'lead'"
    query = """
        SELECT inbox.project FROM inbox JOIN received ON received.sha256 = inbox.sha256
        WHERE received.bundle = ? AND inbox.kind = 'results' AND inbox.state = 'taken'
    """
    with store.reading(_INBOX_LOSS) as db:
        projects = ({project for (project,) in db.execute(sql, (bundle,))} for sql in (assigned, query))
        return next(projects) or next(projects)


def signed_assignments(store: Store) -> frozenset[tuple[str, str]]:
    """Return (rater, bundle) of the assignments seen on hubs that the lead has signed."""
    query = "SELECT rater, bundle FROM inbox WHERE kind = 'assignment' AND signed = 'lead'"
    with store.reading(_INBOX_LOSS) as db:
        return frozenset(db.execute(query))


def arrival_content(store: Store, arrival: NewArrival, check_cancelled: CancelCheck = lambda: None) -> Path | None:
    """Return the path of the fetched bytes; `None` if missing or modified. Any thread may call it."""
    return intact_file(store.folder, "inbox", arrival.sha256, check_cancelled)


def mark_fetched(store: Store, key: int, *, now: datetime) -> None:
    """Record that its file is in the store's folder. Raises `NotInStore` if it is not, or if the hub was forgotten."""
    _set_arrival_states(store, [key], "fetched", now)


def mark_imported(store: Store, keys: Collection[int], *, now: datetime) -> None:
    """Record that it was imported; its file is no longer needed."""
    _set_arrival_states(store, keys, "taken", now)


def mark_refused(store: Store, key: int, reason: str, *, now: datetime) -> None:
    """Record that it was refused, with the reason; its file is no longer needed."""
    _set_arrival_states(store, [key], "refused", now, reason)


def mark_for_refetch(store: Store, keys: Collection[int], *, now: datetime) -> None:
    """Fetch again what was refused or whose file was lost."""
    _set_arrival_states(store, keys, "seen", now)


def _set_arrival_states(
    store: Store, keys: Collection[int], state: ArrivalState, now: datetime, error: str = ""
) -> None:
    hashes = []
    # The hub shows again what a power cut removes of the other steps; a collector has thousands of them.
    with store.writing(_INBOX_NOT_NOTED, lasting=state == "taken") as db:
        for key in keys:
            row = db.execute("SELECT state, sha256 FROM inbox WHERE key = ?", (key,)).fetchone()
            if row is None:
                raise NotInStore("This file is no longer in the inbox.", "The hub was forgotten meanwhile.")
            if state not in ARRIVAL_TRANSITIONS[row[0]]:
                raise RuntimeError(f"{row[0]} -> {state}: the inbox knows no such step")
            if state == "fetched" and not mailbox_path(store.folder, "inbox", row[1]).is_file():
                raise NotInStore(_INBOX_NOT_NOTED, f"Its file {row[1]} is missing.")
            values = (state, error, format_time(now), key)
            db.execute("UPDATE inbox SET state = ?, last_error = ?, changed = ? WHERE key = ?", values)
            hashes.append(row[1])
    if state != "fetched":
        delete_unneeded(store, "inbox", hashes)


OutgoingKind = Literal["results", "key", "bundle", "assignment", "returned"]
OutgoingState = Literal["queued", "uploading", "uploaded", "verified", "failed"]

# A verified item is queued again if the hub has lost it.
OUTBOX_TRANSITIONS: dict[OutgoingState, frozenset[OutgoingState]] = {
    "queued": frozenset({"queued", "uploading", "failed"}),
    "uploading": frozenset({"queued", "uploading", "uploaded", "failed"}),
    "uploaded": frozenset({"queued", "verified", "failed"}),
    "verified": frozenset({"queued"}),
    "failed": frozenset({"queued"}),
}
UNDER_WAY: tuple[OutgoingState, ...] = ("queued", "uploading", "uploaded")
MAX_RETRY_DELAY = timedelta(minutes=15)  # a later next try means that the clock was changed

_OUTBOX_LOSS = "The files queued for the hub can't be read."
_OUTBOX_NOT_NOTED = "The state of the exchange with the hub was not saved."


class NewOutgoing(msgspec.Struct, frozen=True, kw_only=True):
    """A file to be queued. Its bytes are in the store already.

    `name` is that on the hub. `rater` and `bundle` are empty if it has none, and `revision` is 0. `made_of` identifies
    the source of results.
    """

    project: str
    kind: OutgoingKind
    rater: str = ""
    bundle: str = ""
    revision: int = 0
    name: str
    sha256: str
    size: int
    made_of: str = ""


class Outgoing(NewOutgoing, frozen=True, kw_only=True):
    """A queued file. `next_try` is empty or a time; `error_kind` and `last_error` (a text) are of the last attempt."""

    key: int
    state: OutgoingState
    attempts: int
    next_try: str
    error_kind: str
    last_error: str
    queued: str
    changed: str


_OUTGOING = ", ".join(Outgoing.__struct_fields__)
SEALED = ("project", "kind", "rater", "bundle", "revision", "name", "sha256", "size")
_NEW_OUTGOING = (*SEALED, "made_of")


# -- in


def enqueue(store: Store, new: NewOutgoing, *, now: datetime) -> Outgoing:
    """Queue a stored file; one of that name keeps its state and gets the new `made_of`. Raises `StoreError`."""
    if not mailbox_path(store.folder, "outbox", new.sha256).is_file():
        raise NotInStore("The file was not queued for the hub.", f"Its file {new.sha256} is missing.")
    moment = format_time(now)
    with store.writing("The file was not queued for the hub.") as db:
        row = db.execute("SELECT sha256 FROM outbox WHERE project = ? AND name = ?", (new.project, new.name)).fetchone()
        if row is not None and row[0] != new.sha256:
            raise StoreError(
                "Two files can't have the same name.", f"{new.name} is in the outbox with different content."
            )
        insert_item(db, new, moment)
        query = "UPDATE outbox SET made_of = ? WHERE project = ? AND name = ? AND made_of <> ?"
        db.execute(query, (new.made_of, new.project, new.name, new.made_of))
    return _item(store, "project = ? AND name = ?", (new.project, new.name))


def insert_item(db: Database, new: NewOutgoing, moment: str) -> None:
    """Insert a row inside a transaction; does nothing if it exists."""
    values = [getattr(new, column) for column in _NEW_OUTGOING]
    query = f"""
        INSERT OR IGNORE INTO outbox ({", ".join(_NEW_OUTGOING)}, state, queued, changed, row_sha256)
        VALUES ({placeholders(_NEW_OUTGOING)}, 'queued', ?, ?, ?)
    """  # noqa: S608 - our own names
    db.execute(query, (*values, moment, moment, row_hash(*values[: len(SEALED)])))


# -- out


def list_items(store: Store, project: str, states: Collection[OutgoingState] | None = None) -> list[Outgoing]:
    """Return the items of a hub, in the order in which they were queued."""
    rows = _rows(store, "project = ? ORDER BY key", (project,))
    return rows if states is None else [item for item in rows if item.state in states]


def due_items(store: Store, project: str, *, now: datetime) -> list[Outgoing]:
    """Return the items to be sent now, in order; also those with a next try so late that the clock was changed."""
    marks = placeholders(UNDER_WAY)
    where = f"project = ? AND state IN ({marks}) AND (next_try <= ? OR next_try > ?) ORDER BY key"
    values = (project, *UNDER_WAY, format_time(now), format_time(now + MAX_RETRY_DELAY))
    return _rows(store, where, values)


def newest_results(store: Store, project: str, rater: str, bundle: str) -> Outgoing | None:
    """Return the latest results of a rater for a bundle, in any state."""
    where = "project = ? AND kind = 'results' AND rater = ? AND bundle = ? ORDER BY revision DESC, key DESC LIMIT 1"
    return next(iter(_rows(store, where, (project, rater, bundle))), None)


def item_content(store: Store, item: Outgoing, check_cancelled: CancelCheck = lambda: None) -> Path | None:
    """Return the path of an item's bytes; `None` if missing or modified. Any thread may call it."""
    return intact_file(store.folder, "outbox", item.sha256, check_cancelled)


# -- the steps


def mark_uploading(store: Store, key: int, *, now: datetime) -> Outgoing:
    """Record a new attempt before the network is used. Raises `NotInStore`, as all steps do."""
    with store.writing(_OUTBOX_NOT_NOTED) as db:
        _set_state(db, key, "uploading", now, next_try="")
        db.execute("UPDATE outbox SET attempts = attempts + 1 WHERE key = ?", (key,))
    return _item(store, "key = ?", (key,))


def mark_uploaded(store: Store, key: int, *, now: datetime) -> None:
    """Record that the hub has accepted it."""
    with store.writing(_OUTBOX_NOT_NOTED) as db:
        _set_state(db, key, "uploaded", now)


def mark_verified(store: Store, key: int, *, now: datetime) -> None:
    """Record that the hub's bytes were read back and match. The file that it replaces is no longer needed here."""
    with store.writing(_OUTBOX_NOT_NOTED) as db:
        _set_state(db, key, "verified", now, next_try="", error_kind="", last_error="")


def retry_later(store: Store, key: int, kind: str, error: str, *, next_try: datetime, now: datetime) -> None:
    """Record a failed attempt, to be repeated from `next_try` on."""
    with store.writing(_OUTBOX_NOT_NOTED) as db:
        _set_state(db, key, "queued", now, next_try=format_time(next_try), error_kind=kind, last_error=error)


def requeue_unattempted(store: Store, key: int, kind: str, error: str, *, now: datetime) -> None:
    """Queue it again without counting the attempt, for an unrelated cause; `kind` and `error` are "" if cancelled."""
    with store.writing(_OUTBOX_NOT_NOTED) as db:
        attempts = db.execute("SELECT attempts, state FROM outbox WHERE key = ?", (key,)).fetchone()
        _set_state(db, key, "queued", now, next_try="", error_kind=kind, last_error=error)
        if attempts[1] == "uploading":
            db.execute("UPDATE outbox SET attempts = ? WHERE key = ?", (max(0, attempts[0] - 1), key))


def mark_failed(store: Store, key: int, kind: str, error: str, *, now: datetime) -> None:
    """Record a failure that is only repeated on request."""
    with store.writing(_OUTBOX_NOT_NOTED) as db:
        _set_state(db, key, "failed", now, next_try="", error_kind=kind, last_error=error)


def requeue_missing(store: Store, keys: Collection[int], *, now: datetime) -> None:
    """Queue verified items again that the hub has lost, from the first attempt on."""
    with store.writing(_OUTBOX_NOT_NOTED) as db:
        for key in keys:
            _set_state(db, key, "queued", now, attempts=0, next_try="")


def retry_items(store: Store, project: str, keys: Collection[int] | None = None, *, now: datetime) -> int:
    """Queue failed items and make waiting ones due now: `keys`, or all of a hub's; return how many."""
    with store.writing("It is not tried again.") as db:
        rows = db.execute("SELECT key, state FROM outbox WHERE project = ?", (project,)).fetchall()
        again = [key for key, state in rows if state in {"queued", "failed"} and (keys is None or key in keys)]
        for key in again:
            _set_state(db, key, "queued", now, attempts=0, next_try="")
    return len(again)


def _set_state(db: Database, key: int, state: OutgoingState, now: datetime, **columns: Any) -> None:
    row = db.execute("SELECT state FROM outbox WHERE key = ?", (key,)).fetchone()
    if row is None:
        raise NotInStore("This file is no longer in the outbox.", "The hub was forgotten meanwhile.")
    if state not in OUTBOX_TRANSITIONS[row[0]]:
        raise RuntimeError(f"{row[0]} -> {state}: the outbox knows no such step")
    values = {"state": state, "changed": format_time(now), **columns}
    sets = ", ".join(f"{column} = ?" for column in values)
    db.execute(f"UPDATE outbox SET {sets} WHERE key = ?", (*values.values(), key))  # noqa: S608 - our own names


# -- integrity


def is_intact_row(row: tuple[Any, ...]) -> bool:
    """Tell if the sealed columns of a row, followed by their hash, are unmodified."""
    *columns, row_sha256 = row
    return row_hash(*columns) == row_sha256


def sealed_rows(db: Database) -> Iterator[tuple[Any, ...]]:
    """Yield every row as `is_intact_row` takes it."""
    yield from db.execute(f"SELECT {', '.join(SEALED)}, row_sha256 FROM outbox ORDER BY key")  # noqa: S608 - as above


def _item(store: Store, where: str, values: tuple[object, ...]) -> Outgoing:
    rows = _rows(store, where, values)
    if not rows:
        raise NotInStore("This file is no longer in the outbox.", "The hub was forgotten meanwhile.")
    return rows[0]


def _rows(store: Store, where: str, values: tuple[object, ...]) -> list[Outgoing]:
    with store.reading(_OUTBOX_LOSS) as db:
        rows = db.execute(f"SELECT {_OUTGOING} FROM outbox WHERE {where}", values).fetchall()  # noqa: S608 - as above
    return [row_struct(Outgoing, row) for row in rows]
