"""Files to be sent to a hub and their state."""

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal

import msgspec

from desktop_rater.model.change import CancelCheck
from desktop_rater.model.values import format_time
from desktop_rater.store import mailbox_files
from desktop_rater.store.checksums import row_hash
from desktop_rater.store.errors import NotInStore, StoreError
from desktop_rater.store.sqlite_tools import Database, placeholders, row_struct
from desktop_rater.store.store import Store

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

_LOSS = "The files queued for the hub can't be read."
_NOT_NOTED = "The state of the exchange with the hub was not saved."


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


_COLUMNS = ", ".join(Outgoing.__struct_fields__)
SEALED = ("project", "kind", "rater", "bundle", "revision", "name", "sha256", "size")
_NEW = (*SEALED, "made_of")


# -- in


def enqueue(store: Store, new: NewOutgoing, *, now: datetime) -> Outgoing:
    """Queue a stored file; one of that name keeps its state and gets the new `made_of`. Raises `StoreError`."""
    if not mailbox_files.mailbox_path(store.folder, "outbox", new.sha256).is_file():
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
    values = [getattr(new, column) for column in _NEW]
    query = f"""
        INSERT OR IGNORE INTO outbox ({", ".join(_NEW)}, state, queued, changed, row_sha256)
        VALUES ({placeholders(_NEW)}, 'queued', ?, ?, ?)
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
    return mailbox_files.intact_file(store.folder, "outbox", item.sha256, check_cancelled)


# -- the steps


def mark_uploading(store: Store, key: int, *, now: datetime) -> Outgoing:
    """Record a new attempt before the network is used. Raises `NotInStore`, as all steps do."""
    with store.writing(_NOT_NOTED) as db:
        _set_state(db, key, "uploading", now, next_try="")
        db.execute("UPDATE outbox SET attempts = attempts + 1 WHERE key = ?", (key,))
    return _item(store, "key = ?", (key,))


def mark_uploaded(store: Store, key: int, *, now: datetime) -> None:
    """Record that the hub has accepted it."""
    with store.writing(_NOT_NOTED) as db:
        _set_state(db, key, "uploaded", now)


def mark_verified(store: Store, key: int, *, now: datetime) -> None:
    """Record that the hub's bytes were read back and match. The file that it replaces is no longer needed here."""
    with store.writing(_NOT_NOTED) as db:
        _set_state(db, key, "verified", now, next_try="", error_kind="", last_error="")


def retry_later(store: Store, key: int, kind: str, error: str, *, next_try: datetime, now: datetime) -> None:
    """Record a failed attempt, to be repeated from `next_try` on."""
    with store.writing(_NOT_NOTED) as db:
        _set_state(db, key, "queued", now, next_try=format_time(next_try), error_kind=kind, last_error=error)


def requeue_unattempted(store: Store, key: int, kind: str, error: str, *, now: datetime) -> None:
    """Queue it again without counting the attempt, for an unrelated cause; `kind` and `error` are "" if cancelled."""
    with store.writing(_NOT_NOTED) as db:
        attempts = db.execute("SELECT attempts, state FROM outbox WHERE key = ?", (key,)).fetchone()
        _set_state(db, key, "queued", now, next_try="", error_kind=kind, last_error=error)
        if attempts[1] == "uploading":
            db.execute("UPDATE outbox SET attempts = ? WHERE key = ?", (max(0, attempts[0] - 1), key))


def mark_failed(store: Store, key: int, kind: str, error: str, *, now: datetime) -> None:
    """Record a failure that is only repeated on request."""
    with store.writing(_NOT_NOTED) as db:
        _set_state(db, key, "failed", now, next_try="", error_kind=kind, last_error=error)


def requeue_missing(store: Store, keys: Collection[int], *, now: datetime) -> None:
    """Queue verified items again that the hub has lost, from the first attempt on."""
    with store.writing(_NOT_NOTED) as db:
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
    with store.reading(_LOSS) as db:
        rows = db.execute(f"SELECT {_COLUMNS} FROM outbox WHERE {where}", values).fetchall()  # noqa: S608 - as above
    return [row_struct(Outgoing, row) for row in rows]
