"""Files that a hub holds for a user of this store: seen, fetched, then imported or refused."""

from collections.abc import Collection
from datetime import datetime
from pathlib import Path
from typing import Literal

import msgspec

from desktop_rater.model.change import CancelCheck
from desktop_rater.model.values import format_time
from desktop_rater.store import mailbox_files
from desktop_rater.store.errors import NotInStore
from desktop_rater.store.sqlite_tools import placeholders, row_struct
from desktop_rater.store.store import Store

ArrivalKind = Literal["assignment", "returned", "results"]
ArrivalState = Literal["seen", "fetched", "taken", "refused"]

# A fetched file is seen again if it was lost, a refused one if the user tries again.
ARRIVAL_TRANSITIONS: dict[ArrivalState, frozenset[ArrivalState]] = {
    "seen": frozenset({"fetched", "refused"}),
    "fetched": frozenset({"taken", "refused", "seen"}),
    "taken": frozenset(),
    "refused": frozenset({"seen"}),
}

_LOSS = "The files received from the hub can't be read."
_NOT_NOTED = "The state of the files received from the hub was not saved."


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


_COLUMNS = ", ".join(Arrival.__struct_fields__)
_NEW = NewArrival.__struct_fields__
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
        INSERT OR IGNORE INTO inbox ({", ".join(_NEW)}, state, changed)
        VALUES ({placeholders(_NEW)}, 'seen', ?)
    """  # noqa: S608 - our own names
    with store.writing(_NOT_NOTED, lasting=False) as db:
        db.conn.executemany(query, ((*msgspec.structs.astuple(arrival), moment) for arrival in some))
        if any(arrival.kind != "results" for arrival in some):
            for statement in _SAME_CONTENT:
                db.execute(statement)


def known_arrivals(store: Store, project: str, rater: str) -> set[str]:
    """Return the names that were seen for a rater."""
    with store.reading(_LOSS) as db:
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
    query = f"SELECT {_COLUMNS} FROM inbox WHERE project = ? AND (? IS NULL OR rater = ?) ORDER BY key"  # noqa: S608
    with store.reading(_LOSS) as db:
        rows = db.execute(query, (project, rater, rater)).fetchall()
    arrivals = (row_struct(Arrival, row) for row in rows)
    return [
        arrival
        for arrival in arrivals
        if (states is None or arrival.state in states) and (kinds is None or arrival.kind in kinds)
    ]


def arrival_by_name(store: Store, project: str, rater: str, name: str) -> Arrival | None:
    """Return the file that was seen under a name."""
    query = f"SELECT {_COLUMNS} FROM inbox WHERE project = ? AND rater = ? AND name = ?"  # noqa: S608 - our own names
    with store.reading(_LOSS) as db:
        row = db.execute(query, (project, rater, name)).fetchone()
    return None if row is None else row_struct(Arrival, row)


def forget_refused(store: Store, project: str) -> int:
    """Forget refused bundles so that the next sync requests them again; return how many."""
    with store.writing(_NOT_NOTED) as db:
        query = "DELETE FROM inbox WHERE project = ? AND state = 'refused' AND kind <> 'results'"
        return db.execute(query, (project,)).rowcount


def imported_bundles(store: Store, project: str, rater: str) -> set[str]:
    """Return the ids of the imported bundles that came from a hub for a rater."""
    with store.reading(_LOSS) as db:
        query = "SELECT DISTINCT bundle FROM inbox WHERE project = ? AND rater = ? AND state = 'taken'"
        return {bundle for (bundle,) in db.execute(query, (project, rater))}


def bundles_of_other_hubs(store: Store, project: str, rater: str) -> dict[str, str]:
    """Map ids of bundles that came for a rater only from hubs of other projects to the project."""
    query = """
        SELECT bundle, min(project) FROM inbox WHERE rater = ? AND state = 'taken' AND kind <> 'results'
        GROUP BY bundle HAVING NOT max(project = ?)
    """
    with store.reading(_LOSS) as db:
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
    with store.reading(_LOSS) as db:
        projects = ({project for (project,) in db.execute(sql, (bundle,))} for sql in (assigned, query))
        return next(projects) or next(projects)


def signed_assignments(store: Store) -> frozenset[tuple[str, str]]:
    """Return (rater, bundle) of the assignments seen on hubs that the lead has signed."""
    query = "SELECT rater, bundle FROM inbox WHERE kind = 'assignment' AND signed = 'lead'"
    with store.reading(_LOSS) as db:
        return frozenset(db.execute(query))


def arrival_content(store: Store, arrival: NewArrival, check_cancelled: CancelCheck = lambda: None) -> Path | None:
    """Return the path of the fetched bytes; `None` if missing or modified. Any thread may call it."""
    return mailbox_files.intact_file(store.folder, "inbox", arrival.sha256, check_cancelled)


def mark_fetched(store: Store, key: int, *, now: datetime) -> None:
    """Record that its file is in the store's folder. Raises `NotInStore` if it is not, or if the hub was forgotten."""
    _set_state(store, [key], "fetched", now)


def mark_imported(store: Store, keys: Collection[int], *, now: datetime) -> None:
    """Record that it was imported; its file is no longer needed."""
    _set_state(store, keys, "taken", now)


def mark_refused(store: Store, key: int, reason: str, *, now: datetime) -> None:
    """Record that it was refused, with the reason; its file is no longer needed."""
    _set_state(store, [key], "refused", now, reason)


def mark_for_refetch(store: Store, keys: Collection[int], *, now: datetime) -> None:
    """Fetch again what was refused or whose file was lost."""
    _set_state(store, keys, "seen", now)


def _set_state(store: Store, keys: Collection[int], state: ArrivalState, now: datetime, error: str = "") -> None:
    hashes = []
    # The hub shows again what a power cut removes of the other steps; a collector has thousands of them.
    with store.writing(_NOT_NOTED, lasting=state == "taken") as db:
        for key in keys:
            row = db.execute("SELECT state, sha256 FROM inbox WHERE key = ?", (key,)).fetchone()
            if row is None:
                raise NotInStore("This file is no longer in the inbox.", "The hub was forgotten meanwhile.")
            if state not in ARRIVAL_TRANSITIONS[row[0]]:
                raise RuntimeError(f"{row[0]} -> {state}: the inbox knows no such step")
            if state == "fetched" and not mailbox_files.mailbox_path(store.folder, "inbox", row[1]).is_file():
                raise NotInStore(_NOT_NOTED, f"Its file {row[1]} is missing.")
            values = (state, error, format_time(now), key)
            db.execute("UPDATE inbox SET state = ?, last_error = ?, changed = ? WHERE key = ?", values)
            hashes.append(row[1])
    if state != "fetched":
        mailbox_files.delete_unneeded(store, "inbox", hashes)
