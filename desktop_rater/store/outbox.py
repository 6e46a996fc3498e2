"""What goes to a hub, step by step: queued, uploading, uploaded, verified; or failed, until somebody tries again.

Each step is one transaction, and a trigger refuses every other one. "uploading" is written before the network is
touched, "verified" after the hub's bytes were read back. Items whose process was killed are due as they stand.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from desktop_rater.model.limits import format_time
from desktop_rater.store import boxes
from desktop_rater.store.sealed import seal
from desktop_rater.store.trouble import NotThere, StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from datetime import datetime
    from pathlib import Path

    from sqlite_utils import Database

    from desktop_rater.store.store import Store

Kind = Literal["results", "key", "bundle", "assignment", "returned"]
State = Literal["queued", "uploading", "uploaded", "verified", "failed"]

# A verified item is queued again where the hub has lost it.
MOVES: dict[State, frozenset[State]] = {
    "queued": frozenset({"queued", "uploading", "failed"}),
    "uploading": frozenset({"queued", "uploading", "uploaded", "failed"}),
    "uploaded": frozenset({"queued", "verified", "failed"}),
    "verified": frozenset({"queued"}),
    "failed": frozenset({"queued"}),
}
UNDER_WAY: tuple[State, ...] = ("queued", "uploading", "uploaded")
FARTHEST = timedelta(minutes=15)  # a next try beyond it comes of a clock that was set

_LOSS = "What goes to the hub can't be read."
_NOT_NOTED = "How far the exchange with the hub is, is not noted."


class NewItem(msgspec.Struct, frozen=True, kw_only=True):
    """Something that is to go. Its bytes are in `boxes` already.

    `name` is that on the hub. `rater` and `bundle` are empty where it is about none, `revision` is 0 where it has
    none. `made_of`: what results were made of.
    """

    project: str
    kind: Kind
    rater: str = ""
    bundle: str = ""
    revision: int = 0
    name: str
    sha256: str
    size: int
    made_of: str = ""


class Outgoing(NewItem, frozen=True, kw_only=True):
    """Something that goes. `next_try` is empty or a time; `error_kind` and `last_error` (words) are of the last try."""

    key: int
    state: State
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


def add(store: Store, new: NewItem, *, now: datetime) -> Outgoing:
    """Queue something whose bytes are there. What has that name already stays in its state, and is made of this now.

    Raises `NotThere` without the bytes, or `StoreError`.
    """
    if not boxes.path(store.folder, "outbox", new.sha256).is_file():
        raise NotThere("What goes to the hub is not queued.", f"Its file {new.sha256} is not there.")
    moment = format_time(now)
    with store.writing("What goes to the hub is not queued.") as db:
        known = db.execute(
            "SELECT sha256 FROM outbox WHERE project = ? AND name = ?", (new.project, new.name)
        ).fetchone()
        if known is not None and known[0] != new.sha256:
            raise StoreError("Two files can't have one name.", f"{new.name} is in the outbox with other bytes.")
        insert(db, new, moment)
        query = "UPDATE outbox SET made_of = ? WHERE project = ? AND name = ? AND made_of <> ?"
        db.execute(query, (new.made_of, new.project, new.name, new.made_of))
    return _one(store, "project = ? AND name = ?", (new.project, new.name))


def insert(db: Database, new: NewItem, moment: str) -> None:
    """Inside a transaction: a row for something new, or nothing where there is one."""
    values = [getattr(new, column) for column in _NEW]
    query = f"""
        INSERT OR IGNORE INTO outbox ({", ".join(_NEW)}, state, queued, changed, row_sha256)
        VALUES ({", ".join("?" for _ in _NEW)}, 'queued', ?, ?, ?)
    """  # noqa: S608 - our own names
    db.execute(query, (*values, moment, moment, seal(*values[: len(SEALED)])))


def put_back(store: Store, item: Outgoing) -> None:
    """What was saved of a damaged store: as it was, but for what was under way, which is queued again.

    Its bytes need not be there.
    """
    with store.writing("What was saved is not stored.", lasting=False) as db:
        insert(db, item, item.queued)
        (key,) = db.execute(
            "SELECT key FROM outbox WHERE project = ? AND name = ?", (item.project, item.name)
        ).fetchone()
        steps: dict[str, tuple[State, ...]] = {"verified": ("uploading", "uploaded", "verified"), "failed": ("failed",)}
        for state in steps.get(item.state, ()):
            db.execute("UPDATE outbox SET state = ? WHERE key = ?", (state, key))
        columns = (item.error_kind, item.last_error, item.changed, key)
        db.execute("UPDATE outbox SET error_kind = ?, last_error = ?, changed = ? WHERE key = ?", columns)


# -- out


def listed(store: Store, project: str, states: Collection[State] | None = None) -> list[Outgoing]:
    """What goes to a hub, and what has gone, in the order in which it was queued."""
    rows = _rows(store, "project = ? ORDER BY key", (project,))
    return rows if states is None else [one for one in rows if one.state in states]


def due(store: Store, project: str, *, now: datetime) -> list[Outgoing]:
    """What is to be sent, or sent on, now; in the order in which it was queued.

    A time more than a quarter of an hour ahead was not meant: a clock was set since.
    """
    marks = ", ".join("?" for _ in UNDER_WAY)
    where = f"project = ? AND state IN ({marks}) AND (next_try <= ? OR next_try > ?) ORDER BY key"
    values = (project, *UNDER_WAY, format_time(now), format_time(now + FARTHEST))
    return _rows(store, where, values)


def newest(store: Store, project: str, rater: str, bundle: str) -> Outgoing | None:
    """The latest results of a rater for a bundle, whatever their state."""
    where = "project = ? AND kind = 'results' AND rater = ? AND bundle = ? ORDER BY revision DESC, key DESC LIMIT 1"
    return next(iter(_rows(store, where, (project, rater, bundle))), None)


def content(store: Store, item: Outgoing, look: Callable[[], None] = lambda: None) -> Path | None:
    """The bytes of an item; `None` where they are gone or altered. Touches no connection: any thread may ask."""
    return boxes.intact(store.folder, "outbox", item.sha256, look)


# -- the steps


def uploading(store: Store, key: int, *, now: datetime) -> Outgoing:
    """Before the network is touched: one more attempt. Raises `NotThere`, as all steps do."""
    with store.writing(_NOT_NOTED) as db:
        _move(db, key, "uploading", now, next_try="")
        db.execute("UPDATE outbox SET attempts = attempts + 1 WHERE key = ?", (key,))
    return _one(store, "key = ?", (key,))


def uploaded(store: Store, key: int, *, now: datetime) -> None:
    """The hub has taken it, as it says."""
    with store.writing(_NOT_NOTED) as db:
        _move(db, key, "uploaded", now)


def verified(store: Store, key: int, *, now: datetime) -> None:
    """The hub's bytes were read back, and are those that were sent. What it replaces needs no file here any more."""
    with store.writing(_NOT_NOTED) as db:
        _move(db, key, "verified", now, next_try="", error_kind="", last_error="")


def later(store: Store, key: int, kind: str, words: str, *, next_try: datetime, now: datetime) -> None:
    """It did not go, and is tried again from `next_try` on."""
    with store.writing(_NOT_NOTED) as db:
        _move(db, key, "queued", now, next_try=format_time(next_try), error_kind=kind, last_error=words)


def stopped(store: Store, key: int, kind: str, words: str, *, now: datetime) -> None:
    """Something that is not about this item kept it from going: it waits, and that was no attempt.

    Where nothing went wrong, as when the user cancelled, `kind` and `words` are empty.
    """
    with store.writing(_NOT_NOTED) as db:
        attempts = db.execute("SELECT attempts, state FROM outbox WHERE key = ?", (key,)).fetchone()
        _move(db, key, "queued", now, next_try="", error_kind=kind, last_error=words)
        if attempts[1] == "uploading":
            db.execute("UPDATE outbox SET attempts = ? WHERE key = ?", (max(0, attempts[0] - 1), key))


def failed(store: Store, key: int, kind: str, words: str, *, now: datetime) -> None:
    """It does not go before somebody tries again."""
    with store.writing(_NOT_NOTED) as db:
        _move(db, key, "failed", now, next_try="", error_kind=kind, last_error=words)


def missing(store: Store, keys: Collection[int], *, now: datetime) -> None:
    """The hub does not hold any more what was verified: it goes once more, from the first attempt on."""
    with store.writing(_NOT_NOTED) as db:
        for key in keys:
            _move(db, key, "queued", now, attempts=0, next_try="")


def try_again(store: Store, project: str, keys: Collection[int] | None = None, *, now: datetime) -> int:
    """Queue what failed, and let what waits for its time go at once: `keys`, or all of a hub's; how many there are."""
    with store.writing("It is not tried again.") as db:
        rows = db.execute("SELECT key, state FROM outbox WHERE project = ?", (project,)).fetchall()
        again = [key for key, state in rows if state in {"queued", "failed"} and (keys is None or key in keys)]
        for key in again:
            _move(db, key, "queued", now, attempts=0, next_try="")
    return len(again)


def _move(db: Database, key: int, to: State, now: datetime, **columns: Any) -> None:
    row = db.execute("SELECT state FROM outbox WHERE key = ?", (key,)).fetchone()
    if row is None:
        raise NotThere("That is not in the outbox any more.", "The hub was forgotten meanwhile.")
    if to not in MOVES[row[0]]:
        raise RuntimeError(f"{row[0]} -> {to}: the outbox knows no such step")
    values = {"state": to, "changed": format_time(now), **columns}
    sets = ", ".join(f"{column} = ?" for column in values)
    db.execute(f"UPDATE outbox SET {sets} WHERE key = ?", (*values.values(), key))  # noqa: S608 - our own names


# -- for who looks after the store


def is_intact(row: tuple[Any, ...]) -> bool:
    """Whether what never changes of a row is what was written: the sealed columns, then the hash."""
    *columns, row_sha256 = row
    return seal(*columns) == row_sha256


def sealed_rows(db: Database) -> Iterator[tuple[Any, ...]]:
    """Every row, as `is_intact` takes it."""
    yield from db.execute(f"SELECT {', '.join(SEALED)}, row_sha256 FROM outbox ORDER BY key")  # noqa: S608 - as above


def _one(store: Store, where: str, values: tuple[object, ...]) -> Outgoing:
    rows = _rows(store, where, values)
    if not rows:
        raise NotThere("That is not in the outbox any more.", "The hub was forgotten meanwhile.")
    return rows[0]


def _rows(store: Store, where: str, values: tuple[object, ...]) -> list[Outgoing]:
    with store.reading(_LOSS) as db:
        rows = db.execute(f"SELECT {_COLUMNS} FROM outbox WHERE {where}", values).fetchall()  # noqa: S608 - as above
    return [Outgoing(**dict(zip(Outgoing.__struct_fields__, row, strict=True))) for row in rows]
