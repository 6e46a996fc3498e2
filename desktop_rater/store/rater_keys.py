"""Public keys that raters sign with, as shown by hubs. The user's own keys are known without a hub."""

from collections.abc import Collection
from datetime import datetime

import msgspec

from desktop_rater.model.values import format_time
from desktop_rater.store.store import Store

_LOSS = "The keys of raters can't be read."
OWN_KEYS = ""  # instead of a project
KEYS_FROM_FILES = "(files)"  # instead of a project: the lead was given the key as a file


class RaterKeyRow(msgspec.Struct, frozen=True, kw_only=True):
    """A public key of a rater, in hexadecimal digits; `project` is that of the hub, `seen` when it was first seen."""

    rater: str
    key: str
    project: str
    seen: str


def record_keys(store: Store, keys: Collection[tuple[str, str]], project: str, *, now: datetime) -> int:
    """Record (rater, key) pairs shown by a hub, and return how many were new. `OWN_KEYS`: the user's keys."""
    moment = format_time(now)
    query = "INSERT OR IGNORE INTO rater_keys (rater, key, project, seen) VALUES (?, ?, ?, ?)"
    with store.writing("The keys of raters are not noted.") as db:
        return sum(db.execute(query, (rater, key, project, moment)).rowcount for rater, key in keys)


def list_rater_keys(store: Store, rater: str | None = None) -> list[RaterKeyRow]:
    """Return all keys, or a rater's, by rater, the first seen first."""
    query = """
        SELECT rater, key, project, seen FROM rater_keys WHERE ? IS NULL OR rater = ? ORDER BY rater, seen, key, project
    """
    with store.reading(_LOSS) as db:
        return [
            RaterKeyRow(rater=rater_id, key=key, project=project, seen=seen)
            for rater_id, key, project, seen in db.execute(query, (rater, rater))
        ]


def keys_by_rater(store: Store, projects: Collection[str] = ()) -> dict[str, frozenset[str]]:
    """Map raters to their known keys. `projects`: only of their hubs, as r-17 elsewhere is another person."""
    keys: dict[str, frozenset[str]] = {}
    for known_key in list_rater_keys(store):
        if projects and known_key.project not in {OWN_KEYS, KEYS_FROM_FILES, *projects}:
            continue
        keys[known_key.rater] = keys.get(known_key.rater, frozenset()) | {known_key.key}
    return keys
