"""Public keys that raters sign with, and the signatures of received results."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from desktop_rater.format.authority import counts
from desktop_rater.format.hub_names import Signature
from desktop_rater.format.values import format_time
from desktop_rater.store.connection import row_hash
from desktop_rater.store.errors import NotInStore, StoreDamaged
from desktop_rater.store.sqlite_tools import Database
from desktop_rater.store.store import Store

if TYPE_CHECKING:
    from desktop_rater.audit.quarantine import KnownKeys


_LOSS = "The keys of raters can't be read."
_NOT_NOTED = "The keys of raters are not noted."
OWN_KEYS = ""  # instead of a project
KEYS_FROM_FILES = "(files)"  # instead of a project: the lead was given the key as a file

KeyEventKind = Literal["introduced", "called back"]
KeyStanding = Literal["introduced", "called back", "waits"]
KeyId = tuple[str, str, str]  # rater, key, project


class RaterKeyRow(msgspec.Struct, frozen=True, kw_only=True):
    """A public key of a rater, in hexadecimal digits; `project` is that of the hub, `seen` when it was first seen."""

    rater: str
    key: str
    project: str
    seen: str


class KeyEvent(msgspec.Struct, frozen=True, kw_only=True):
    """A decision on a rater's key: who made it (`by` is empty for the program, at first sight), and the reason."""

    rater: str
    key: str
    project: str
    kind: KeyEventKind
    by: str = ""
    reason: str = ""
    moment: str = ""


class KeyState(msgspec.Struct, frozen=True, kw_only=True):
    """Standing of a key, and the event that it rests on; of one that `waits`, that which called back its introducer."""

    kind: KeyStanding
    event: KeyEvent


class SeenKey(msgspec.Struct, frozen=True):
    """A key to record.

    `replaces`: the rater's earlier key, which has signed for this one. `lead`: who has chosen the key, if the lead has.
    """

    rater: str
    key: str
    replaces: str = ""
    lead: str = ""


def record_keys(store: Store, keys: Collection[SeenKey], project: str, *, now: datetime) -> int:
    """Record keys shown by a hub or in files, and return how many were new. `OWN_KEYS`: the user's keys.

    The first key of a rater is introduced at first sight; of several that come together, none is. A later one is
    introduced only by the lead, or if a valid key of the rater has signed for it.
    """
    moment = format_time(now)
    scope = {project, KEYS_FROM_FILES}
    with store.writing(_NOT_NOTED) as db:
        rows = db.execute("SELECT rater, project FROM rater_keys").fetchall()
        # A key from a file is valid for all hubs: it is not the first one of a rater whose key any of them has shown.
        first = _first_keys(keys, {rater for rater, place in rows if place in scope or project == KEYS_FROM_FILES})
        query = "INSERT OR IGNORE INTO rater_keys (rater, key, project, seen) VALUES (?, ?, ?, ?)"
        new = sum(db.execute(query, (seen.rater, seen.key, project, moment)).rowcount for seen in keys)
        everywhere = _events(db)
        decided = {(event.rater, event.key) for event in everywhere if event.project == project or event.by}
        valid = _valid(event for event in everywhere if event.project in scope)
        waiting = [seen for seen in keys if (seen.rater, seen.key) not in decided]
        introduced = True
        while introduced:  # a key that was just introduced may have signed for the next one
            introduced = False
            for seen in waiting:
                reason, by = _introduction(seen, first, valid)
                if reason and seen.key not in valid[seen.rater]:
                    _append_event(db, _introduced(seen, project, by=by, reason=reason, moment=moment))
                    valid[seen.rater].add(seen.key)
                    introduced = True
    return new


def _first_keys(keys: Collection[SeenKey], earlier: Collection[str]) -> set[tuple[str, str]]:
    """Return (rater, key) of those that are a rater's only key so far; `earlier`: raters whose keys were seen before.

    Keys that another one of them has signed for are not counted: they follow it.
    """
    by_rater: dict[str, set[str]] = defaultdict(set)
    together = {(seen.rater, seen.key) for seen in keys}
    for seen in keys:
        if seen.rater not in earlier and (seen.rater, seen.replaces) not in together:
            by_rater[seen.rater].add(seen.key)
    return {(rater, key) for rater, several in by_rater.items() if len(several) == 1 for key in several}


def _introduction(
    seen: SeenKey, first: Collection[tuple[str, str]], valid: Mapping[str, Collection[str]]
) -> tuple[str, str]:
    """Return the reason to introduce a key, and by whom; empty if it has to wait for the lead."""
    if seen.lead and counts("key", "named"):
        return "chosen by the lead", seen.lead
    if (seen.rater, seen.key) in first and counts("key", "first"):
        return "first sight", ""
    if seen.replaces in valid.get(seen.rater, ()) and counts("key", "signed"):
        return "signed for by an earlier key", seen.replaces
    return "", ""


def _introduced(seen: SeenKey, project: str, *, by: str, reason: str, moment: str) -> KeyEvent:
    return KeyEvent(
        rater=seen.rater, key=seen.key, project=project, kind="introduced", by=by, reason=reason, moment=moment
    )


def decide_key(store: Store, event: KeyEvent, *, now: datetime) -> None:
    """Introduce or call back a key by the lead's word, for all projects in which it was seen."""
    moment = format_time(now)
    with store.writing(_NOT_NOTED) as db:
        projects = db.execute(
            "SELECT project FROM rater_keys WHERE rater = ? AND key = ?", (event.rater, event.key)
        ).fetchall()
        for (project,) in projects:
            _append_event(db, msgspec.structs.replace(event, project=project, moment=moment))


def list_rater_keys(store: Store, rater: str | None = None) -> list[RaterKeyRow]:
    """Return all keys, or a rater's, by rater, the first seen first; also those that were not introduced."""
    query = """
        SELECT rater, key, project, seen FROM rater_keys WHERE ? IS NULL OR rater = ? ORDER BY rater, seen, key, project
    """
    with store.reading(_LOSS) as db:
        return [
            RaterKeyRow(rater=rater_id, key=key, project=project, seen=seen)
            for rater_id, key, project, seen in db.execute(query, (rater, rater))
        ]


def list_key_events(store: Store) -> list[KeyEvent]:
    """Return all decisions on keys, the oldest first."""
    with store.reading(_LOSS) as db:
        return _events(db)


def known_keys(store: Store, projects: Collection[str] = ()) -> "KnownKeys":
    """Return the valid keys of raters. `projects`: only of their hubs, as r-17 elsewhere is another person.

    Own keys count as valid, but do not make a rater one who signs: other raters would otherwise have to wait.
    """
    from desktop_rater.audit.quarantine import KnownKeys  # noqa: PLC0415 - only when it is used

    scope = {OWN_KEYS, KEYS_FROM_FILES, *projects}
    events = [event for event in list_key_events(store) if not projects or event.project in scope]
    return KnownKeys(
        valid={rater: frozenset(keys) for rater, keys in _valid(events).items()},
        ever=frozenset(event.rater for event in events if event.project != OWN_KEYS),
    )


def keys_by_rater(store: Store, projects: Collection[str] = ()) -> dict[str, frozenset[str]]:
    """Map raters to their valid keys; `projects` as in `known_keys`."""
    return dict(known_keys(store, projects).valid)


def key_states(store: Store) -> dict[KeyId, KeyState]:
    """Return the standing of each key on which there is a decision."""
    return _states(list_key_events(store))


def _states(events: Iterable[KeyEvent]) -> dict[KeyId, KeyState]:
    """Return the standing of each key: its last event, unless a key in the chain that introduced it was called back."""
    last = {(event.rater, event.key, event.project): event for event in events}
    states = {name: KeyState(kind=event.kind, event=event) for name, event in last.items()}
    gone = {(event.rater, event.key): event for event in last.values() if event.kind == "called back"}
    changed = True
    while changed:
        followers = [
            (name, state.event)
            for name, state in states.items()
            if state.kind == "introduced" and (name[0], state.event.by) in gone
        ]
        for name, event in followers:
            states[name] = KeyState(kind="waits", event=gone[event.rater, event.by])
            gone[event.rater, event.key] = gone[event.rater, event.by]
        changed = bool(followers)
    return states


def _valid(events: Iterable[KeyEvent]) -> dict[str, set[str]]:
    """Map raters to the keys that are introduced in some project."""
    valid: dict[str, set[str]] = defaultdict(set)
    for (rater, key, _), state in _states(events).items():
        if state.kind == "introduced":
            valid[rater].add(key)
    return valid


def _events(db: Database) -> list[KeyEvent]:
    query = "SELECT rater, public, project, what, by, reason, moment FROM key_events ORDER BY key"
    return [
        KeyEvent(rater=rater, key=public, project=project, kind=what, by=by, reason=reason, moment=moment)
        for rater, public, project, what, by, reason, moment in db.execute(query)
    ]


def _append_event(db: Database, event: KeyEvent) -> None:
    db.execute(
        "INSERT INTO key_events (rater, public, project, what, by, reason, moment) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (event.rater, event.key, event.project, event.kind, event.by, event.reason, event.moment),
    )


_SIGNATURES_LOSS = "The signatures of the results can't be read."


def record_signature(store: Store, results: int, signature: Signature) -> None:
    """Record the signature of results being imported; `results` is their key. Raises `NotInStore`."""
    with store.writing("The signature of the results was not stored.", lasting=False) as db:
        row = db.execute("SELECT sha256 FROM received WHERE key = ?", (results,)).fetchone()
        if row is None:
            raise NotInStore("The results are not in the store.", "Their signature was not stored.")
        columns = (signature.state, signature.key)
        query = "INSERT OR REPLACE INTO signatures (results, state, key, row_sha256) VALUES (?, ?, ?, ?)"
        db.execute(query, (results, *columns, row_hash(row[0], *columns)))


def signatures_of_bundle(store: Store, bundle: str) -> dict[str, Signature]:
    """Map the SHA-256 of results to their signature, unless an older version imported them. Raises `StoreDamaged`."""
    return _read(store, "bundle = ?", bundle)


def signature_of(store: Store, results: str) -> Signature | None:
    """Return the signature of the results with that SHA-256; `None` if never checked. Raises `StoreDamaged`."""
    return _read(store, "received.sha256 = ?", results).get(results)


def _read(store: Store, where: str, value: str) -> dict[str, Signature]:
    with store.reading(_SIGNATURES_LOSS) as db:
        rows = db.execute(f"{_SIGNATURES} WHERE ready AND {where}", (value,)).fetchall()
    signatures = {}
    for results, state, key, row_sha256, file in rows:
        if not is_intact_signature(results, state, key, row_sha256):
            raise StoreDamaged("The record of a signature was modified.", f"It belongs to {file}.")
        signatures[results] = Signature(state, key)
    return signatures


_SIGNATURES = """
    SELECT received.sha256, state, signatures.key, signatures.row_sha256, file
    FROM signatures JOIN received ON received.key = signatures.results
"""


def is_intact_signature(results: str, *row: Any) -> bool:
    """Tell if a row (state, key, hash) is unmodified for the results of that SHA-256."""
    *columns, row_sha256 = row
    return row_hash(results, *columns) == row_sha256


def altered_signatures(db: Database) -> Iterator[str]:
    """Yield a sentence for each modified row; "" now and then, so that the caller can check for cancellation."""
    for *row, file in db.execute(_SIGNATURES):
        yield (
            ""
            if is_intact_signature(*row)
            else f"The record of the signature of the received results {file!r} was modified."
        )
