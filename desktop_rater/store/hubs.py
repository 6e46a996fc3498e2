"""Hubs known to a store."""

from datetime import datetime
from typing import Any

import msgspec

from desktop_rater.format.values import format_time
from desktop_rater.store.errors import NotInStore, StoreError
from desktop_rater.store.sqlite_tools import Database, row_struct
from desktop_rater.store.store import Store

_LOSS = "The data about the hub can't be read."
_NOT_NOTED = "The data about the hub was not saved."


class HubRow(msgspec.Struct, frozen=True, kw_only=True):
    """A hub. `url` and `user` hold no secret.

    `connected`: time of the last connect. `asked`: time of the last response. `verified`: end of the last sync after
    which everything tried was verified; empty if there was none. `skew`: its clock minus ours, in seconds.
    `paused_kind` and `paused` (a text): why nothing is sent; empty if not paused. `current`: syncs use this hub.
    `lead_key`: the public key of the lead, whose assignments are trusted; empty if the hub has named none yet.
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
    lead_key: str = ""


_COLUMNS = ", ".join(HubRow.__struct_fields__)


def list_hubs(store: Store) -> list[HubRow]:
    """Return all hubs, by project."""
    return _rows(store, "ORDER BY project", ())


def hub_by_url(store: Store, url: str) -> HubRow | None:
    """Return the hub with that address."""
    return next(iter(_rows(store, "WHERE url = ?", (url,))), None)


def hub_by_project(store: Store, project: str) -> HubRow | None:
    """Return the hub of a project."""
    return next(iter(_rows(store, "WHERE project = ?", (project,))), None)


def current_hub(store: Store) -> HubRow | None:
    """Return the hub that syncs use; `None` if there is none."""
    return next(iter(_rows(store, "WHERE current", ())), None)


def set_current_hub(store: Store, *, project: str, title: str, url: str, user: str, now: datetime) -> HubRow:
    """Make this the current hub, not paused. Raises `StoreError` if another project is known at that address."""
    with store.writing("The hub is not connected.") as db:
        _refuse_duplicate_url(db, project, url)
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
    return _required(store, project)


def record_response(store: Store, project: str, *, now: datetime, skew: float | None = None) -> None:
    """Record that a hub has responded. An unknown `skew` leaves the last one."""
    with store.writing(_NOT_NOTED, lasting=False) as db:
        query = "UPDATE hubs SET asked = ?, skew = coalesce(?, skew) WHERE project = ?"
        db.execute(query, (format_time(now), skew, project))


def record_verified_sync(store: Store, project: str, *, now: datetime) -> bool:
    """Record a successful sync, unless something that was tried is not verified; return whether it was recorded.

    Failed files do not count: they are reported separately. Results that were exported during the sync and not tried
    yet do not count either.
    """
    with store.writing(_NOT_NOTED) as db:
        query = """
            UPDATE hubs SET verified = ?, asked = ?, paused_kind = '', paused = '' WHERE project = ? AND NOT EXISTS (
                SELECT 1 FROM outbox WHERE outbox.project = hubs.project AND (
                    state IN ('uploading', 'uploaded') OR state = 'queued' AND (attempts > 0 OR next_try <> '')))
        """
        moment = format_time(now)
        return db.execute(query, (moment, moment, project)).rowcount == 1


def pause_hub(store: Store, project: str, kind: str, reason: str) -> None:
    """Send nothing to this hub until `resume_hub`; `kind` is that of the error, and `reason` explains it."""
    with store.writing(_NOT_NOTED) as db:
        db.execute("UPDATE hubs SET paused_kind = ?, paused = ? WHERE project = ?", (kind, reason, project))


def resume_hub(store: Store, project: str) -> None:
    """Allow sending to this hub again."""
    pause_hub(store, project, "", "")


def pin_lead_key(store: Store, project: str, key: str) -> None:
    """Trust this key of the lead from now on. Files that are not imported yet are looked at anew by the next sync."""
    with store.writing("The lead's key was not stored.") as db:
        if db.execute("UPDATE hubs SET lead_key = ? WHERE project = ?", (key, project)).rowcount == 0:
            raise NotInStore("The hub is unknown.", f"No hub of the project {project} is connected.")
        query = "DELETE FROM inbox WHERE project = ? AND kind <> 'results' AND state <> 'taken'"
        db.execute(query, (project,))


def unset_current_hub(store: Store, project: str) -> None:
    """Disconnect the current hub. Its queued files stay in case it is connected again."""
    with store.writing("The hub is still connected.") as db:
        db.execute("UPDATE hubs SET current = 0 WHERE project = ?", (project,))


def _refuse_duplicate_url(db: Database, project: str, url: str) -> None:
    row = db.execute("SELECT project FROM hubs WHERE url = ? AND project <> ?", (url, project)).fetchone()
    if row is not None:
        raise StoreError(
            "This address belongs to another project.",
            (f"{url} was the hub of the project {row[0]}, and is now that of {project}. Nothing is sent."),
            "Ask your team which project is right. To use the new one, forget the old hub first.",
        )


def _required(store: Store, project: str) -> HubRow:
    row = hub_by_project(store, project)
    if row is None:
        raise NotInStore("The hub is unknown.", f"No hub of the project {project} is connected.")
    return row


def _rows(store: Store, condition: str, values: tuple[str, ...]) -> list[HubRow]:
    with store.reading(_LOSS) as db:
        rows = db.execute(f"SELECT {_COLUMNS} FROM hubs {condition}", values).fetchall()  # noqa: S608 - constants
    return [hub_of_row(row) for row in rows]


def hub_of_row(columns: tuple[Any, ...]) -> HubRow:
    """Return a hub from the columns of its row, in the order of the struct."""
    row = row_struct(HubRow, columns)
    return msgspec.structs.replace(row, current=bool(row.current))  # SQLite has no booleans
