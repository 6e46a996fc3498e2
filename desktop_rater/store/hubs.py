"""The hubs that a store knows, each by its project. What goes there and what came from there hangs on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from desktop_rater.model.limits import format_time
from desktop_rater.store import boxes
from desktop_rater.store.trouble import NotThere, StoreError

if TYPE_CHECKING:
    from datetime import datetime

    from sqlite_utils import Database

    from desktop_rater.store.store import Store

_LOSS = "What is known of the hub can't be read."
_NOT_NOTED = "What is known of the hub is not noted."


class HubRow(msgspec.Struct, frozen=True, kw_only=True):
    """A hub. `url` and `user` hold no secret.

    `connected`: when that was last said. `asked`: when it was last asked for something. `verified`: the end of the
    last sync after which nothing that had been tried was unverified; empty where there was none. `skew`: its clock
    less ours, in seconds. `paused_kind` and `paused` (words): why nothing is sent; empty where all is well.
    `current`: the one that syncs go to.
    """

    project: str
    title: str
    url: str
    user: str
    connected: str
    verified: str
    asked: str
    skew: float | None
    paused_kind: str
    paused: str
    current: bool


_COLUMNS = ", ".join(HubRow.__struct_fields__)


def listed(store: Store) -> list[HubRow]:
    """All hubs, by project."""
    return _rows(store, "ORDER BY project", ())


def by_url(store: Store, url: str) -> HubRow | None:
    """The hub that is known at an address."""
    return next(iter(_rows(store, "WHERE url = ?", (url,))), None)


def by_project(store: Store, project: str) -> HubRow | None:
    """The hub of a project."""
    return next(iter(_rows(store, "WHERE project = ?", (project,))), None)


def current(store: Store) -> HubRow | None:
    """The hub that syncs go to; `None` where there is none."""
    return next(iter(_rows(store, "WHERE current", ())), None)


def connect(store: Store, *, project: str, title: str, url: str, user: str, now: datetime) -> HubRow:
    """Let this be the current hub. One that is known, also under another address, keeps what waits for it.

    It is not paused any more. Raises `StoreError` where another project is known at that address.
    """
    with store.writing("The hub is not connected.") as db:
        _refuse_taken(db, project, url)
        db.execute("UPDATE hubs SET current = 0 WHERE current")
        db.execute(
            """
            INSERT INTO hubs (project, title, url, user, connected, current) VALUES (?, ?, ?, ?, ?, 1)
            ON CONFLICT (project) DO UPDATE SET
                title = excluded.title, url = excluded.url, user = excluded.user, connected = excluded.connected,
                current = 1, paused_kind = '', paused = ''
            """,
            (project, title, url, user, format_time(now)),
        )
    return _there(store, project)


def moved(store: Store, project: str, url: str) -> HubRow:
    """Note that a hub is at another address now. Raises `StoreError` as `connect` does, or `NotThere`."""
    with store.writing(_NOT_NOTED) as db:
        _refuse_taken(db, project, url)
        db.execute("UPDATE hubs SET url = ?, paused_kind = '', paused = '' WHERE project = ?", (url, project))
    return _there(store, project)


def asked(store: Store, project: str, *, now: datetime, skew: float | None = None) -> None:
    """Note that a hub was asked and has answered. A `skew` that is not known leaves the last one."""
    with store.writing(_NOT_NOTED, lasting=False) as db:
        query = "UPDATE hubs SET asked = ?, skew = coalesce(?, skew) WHERE project = ?"
        db.execute(query, (format_time(now), skew, project))


def verified(store: Store, project: str, *, now: datetime) -> bool:
    """Note that a sync ended well, unless something that was tried is not verified; whether it is noted.

    What failed does not count: it is told by itself, and has to be looked at. Results that were made while the sync
    ran and that nobody has tried to send do not count either.
    """
    with store.writing(_NOT_NOTED) as db:
        query = """
            UPDATE hubs SET verified = ?, asked = ?, paused_kind = '', paused = '' WHERE project = ? AND NOT EXISTS (
                SELECT 1 FROM outbox WHERE outbox.project = hubs.project AND (
                    state IN ('uploading', 'uploaded') OR state = 'queued' AND (attempts > 0 OR next_try <> '')))
        """
        moment = format_time(now)
        return db.execute(query, (moment, moment, project)).rowcount == 1


def pause(store: Store, project: str, kind: str, words: str) -> None:
    """Send nothing to this hub until `resume`; `kind` is that of the trouble, and `words` say why."""
    with store.writing(_NOT_NOTED) as db:
        db.execute("UPDATE hubs SET paused_kind = ?, paused = ? WHERE project = ?", (kind, words, project))


def resume(store: Store, project: str) -> None:
    """Let things go to this hub again."""
    pause(store, project, "", "")


def disconnect(store: Store, project: str) -> None:
    """Let syncs not go to this hub any more. What waits for it stays, should it be connected again."""
    with store.writing("The hub is still connected.") as db:
        db.execute("UPDATE hubs SET current = 0 WHERE project = ?", (project,))


def forget(store: Store, project: str) -> None:
    """Forget a hub, what waits for it, and what came from it and was not imported. For who has been asked."""
    with store.writing("The hub is not forgotten.") as db:
        db.execute("DELETE FROM rater_keys WHERE project = ?", (project,))
        db.execute("DELETE FROM hubs WHERE project = ?", (project,))
    for box in boxes.BOXES:
        boxes.let_go(store, box)


def insert(db: Database, row: HubRow) -> None:
    """Inside a transaction: a hub as it was, for who puts a store together; nothing where its place is taken."""
    marks = ", ".join("?" for _ in HubRow.__struct_fields__)
    query = f"INSERT OR IGNORE INTO hubs ({_COLUMNS}) VALUES ({marks})"  # noqa: S608 - our own names
    db.execute(query, msgspec.structs.astuple(row))


def _refuse_taken(db: Database, project: str, url: str) -> None:
    row = db.execute("SELECT project FROM hubs WHERE url = ? AND project <> ?", (url, project)).fetchone()
    if row is not None:
        raise StoreError(
            "Another project is known at that address.",
            f"At {url} there was the project {row[0]}, and now there is {project}. Nothing is sent.",
            "Ask your team which one it is. If the hub is to be another one, forget the first.",
        )


def _there(store: Store, project: str) -> HubRow:
    row = by_project(store, project)
    if row is None:
        raise NotThere("The hub is not known.", f"No hub of the project {project} is connected.")
    return row


def _rows(store: Store, which: str, values: tuple[str, ...]) -> list[HubRow]:
    with store.reading(_LOSS) as db:
        rows = db.execute(f"SELECT {_COLUMNS} FROM hubs {which}", values).fetchall()  # noqa: S608 - constants
    return [row_of(row) for row in rows]


def row_of(columns: tuple[Any, ...]) -> HubRow:
    """A hub of the columns of its row, in the order of the struct."""
    row = HubRow(**dict(zip(HubRow.__struct_fields__, columns, strict=True)))
    return msgspec.structs.replace(row, current=bool(row.current))  # SQLite knows numbers only
