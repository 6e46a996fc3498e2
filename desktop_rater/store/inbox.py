"""What a hub holds for somebody of this store: seen there, fetched, then taken into the store or refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from desktop_rater.model.limits import format_time
from desktop_rater.store import boxes
from desktop_rater.store.trouble import NotThere

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from datetime import datetime
    from pathlib import Path

    from desktop_rater.store.store import Store

Kind = Literal["assignment", "returned", "results"]
State = Literal["seen", "fetched", "taken", "refused"]

# What was fetched is seen again where its file was lost; what was refused, where somebody tries again.
MOVES: dict[State, frozenset[State]] = {
    "seen": frozenset({"fetched", "refused"}),
    "fetched": frozenset({"taken", "refused", "seen"}),
    "taken": frozenset(),
    "refused": frozenset({"seen"}),
}

_LOSS = "What came from the hub can't be read."
_NOT_NOTED = "What came from the hub is not noted."


class NewArrival(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a hub has for a rater. `name` is what says so, `file` what is to be fetched; they may be equal.

    `sha256` and `size` are of the file.
    """

    project: str
    kind: Kind
    rater: str
    name: str
    file: str
    sha256: str
    size: int
    bundle: str = ""
    revision: int = 0
    title: str = ""
    tasks: int = 0


class Arrival(NewArrival, frozen=True, kw_only=True):
    """The same, with how far it is; `last_error` says in words why it was refused."""

    key: int
    state: State
    last_error: str
    changed: str


_COLUMNS = ", ".join(Arrival.__struct_fields__)
_NEW = NewArrival.__struct_fields__


def seen(store: Store, some: Collection[NewArrival], *, now: datetime) -> None:
    """Note what a hub has. What is known by that name already stays as it is."""
    moment = format_time(now)
    query = f"""
        INSERT OR IGNORE INTO inbox ({", ".join(_NEW)}, state, changed)
        VALUES ({", ".join("?" for _ in _NEW)}, 'seen', ?)
    """  # noqa: S608 - our own names
    with store.writing(_NOT_NOTED, lasting=False) as db:
        db.conn.executemany(query, ((*msgspec.structs.astuple(one), moment) for one in some))


def known(store: Store, project: str, rater: str) -> set[str]:
    """The names that were seen for a rater."""
    with store.reading(_LOSS) as db:
        query = "SELECT name FROM inbox WHERE project = ? AND rater = ?"
        return {name for (name,) in db.execute(query, (project, rater))}


def listed(
    store: Store,
    project: str,
    *,
    rater: str | None = None,
    states: Collection[State] | None = None,
    kinds: Collection[Kind] | None = None,
) -> list[Arrival]:
    """What a hub has, in the order in which it was seen."""
    query = f"SELECT {_COLUMNS} FROM inbox WHERE project = ? AND (? IS NULL OR rater = ?) ORDER BY key"  # noqa: S608
    with store.reading(_LOSS) as db:
        rows = db.execute(query, (project, rater, rater)).fetchall()
    found = (Arrival(**dict(zip(Arrival.__struct_fields__, row, strict=True))) for row in rows)
    return [one for one in found if (states is None or one.state in states) and (kinds is None or one.kind in kinds)]


def named(store: Store, project: str, rater: str, name: str) -> Arrival | None:
    """What was seen under a name."""
    query = f"SELECT {_COLUMNS} FROM inbox WHERE project = ? AND rater = ? AND name = ?"  # noqa: S608 - our own names
    with store.reading(_LOSS) as db:
        row = db.execute(query, (project, rater, name)).fetchone()
    return None if row is None else Arrival(**dict(zip(Arrival.__struct_fields__, row, strict=True)))


def ask_anew(store: Store, project: str) -> int:
    """Let bundles that were refused be asked for with the next sync, as if they had never been seen; how many."""
    with store.writing(_NOT_NOTED) as db:
        query = "DELETE FROM inbox WHERE project = ? AND state = 'refused' AND kind <> 'results'"
        return db.execute(query, (project,)).rowcount


def taken_bundles(store: Store, project: str, rater: str) -> set[str]:
    """The ids of the bundles that came from a hub for a rater and are in the store."""
    with store.reading(_LOSS) as db:
        query = "SELECT DISTINCT bundle FROM inbox WHERE project = ? AND rater = ? AND state = 'taken'"
        return {bundle for (bundle,) in db.execute(query, (project, rater))}


def taken_elsewhere(store: Store, project: str, rater: str) -> dict[str, str]:
    """The ids of the bundles that came for a rater from the hubs of other projects alone, each with its project."""
    query = """
        SELECT bundle, min(project) FROM inbox WHERE rater = ? AND state = 'taken' AND kind <> 'results'
        GROUP BY bundle HAVING NOT max(project = ?)
    """
    with store.reading(_LOSS) as db:
        return dict(db.execute(query, (rater, project)).fetchall())


def collected_from(store: Store, bundle: str) -> set[str]:
    """The projects from whose hubs results of a bundle came; empty where all of them came in another way."""
    query = """
        SELECT DISTINCT inbox.project FROM inbox JOIN received ON received.sha256 = inbox.sha256
        WHERE received.bundle = ? AND inbox.kind = 'results' AND inbox.state = 'taken'
    """
    with store.reading(_LOSS) as db:
        return {project for (project,) in db.execute(query, (bundle,))}


def content(store: Store, arrival: NewArrival, look: Callable[[], None] = lambda: None) -> Path | None:
    """The bytes that were fetched; `None` where they are gone or altered. Any thread may ask."""
    return boxes.intact(store.folder, "inbox", arrival.sha256, look)


def fetched(store: Store, key: int, *, now: datetime) -> None:
    """Its file is in the store's folder. Raises `NotThere` where it is not, or the hub was forgotten."""
    _move(store, [key], "fetched", now)


def taken(store: Store, keys: Collection[int], *, now: datetime) -> None:
    """It is in the store now, and its file is not needed any more."""
    _move(store, keys, "taken", now)


def refused(store: Store, key: int, words: str, *, now: datetime) -> None:
    """It was not taken in; `words` say why. Its file is not needed any more."""
    _move(store, [key], "refused", now, words)


def again(store: Store, keys: Collection[int], *, now: datetime) -> None:
    """Fetch once more what was refused, or whose file was lost."""
    _move(store, keys, "seen", now)


def _move(store: Store, keys: Collection[int], to: State, now: datetime, words: str = "") -> None:
    done = []
    # What a power cut takes of the other steps the hub shows again; a collector has thousands of them.
    with store.writing(_NOT_NOTED, lasting=to == "taken") as db:
        for key in keys:
            row = db.execute("SELECT state, sha256 FROM inbox WHERE key = ?", (key,)).fetchone()
            if row is None:
                raise NotThere("That is not in the inbox any more.", "The hub was forgotten meanwhile.")
            if to not in MOVES[row[0]]:
                raise RuntimeError(f"{row[0]} -> {to}: the inbox knows no such step")
            if to == "fetched" and not boxes.path(store.folder, "inbox", row[1]).is_file():
                raise NotThere(_NOT_NOTED, f"Its file {row[1]} is not there.")
            values = (to, words, format_time(now), key)
            db.execute("UPDATE inbox SET state = ?, last_error = ?, changed = ? WHERE key = ?", values)
            done.append(row[1])
    if to != "fetched":
        boxes.let_go(store, "inbox", done)
