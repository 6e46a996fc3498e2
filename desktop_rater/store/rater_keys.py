"""Which public keys raters sign with, as hubs showed them. The user's own are known without a hub."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from desktop_rater.model.limits import format_time

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from desktop_rater.store.store import Store

_LOSS = "The keys of raters can't be read."
OWN = ""  # in the place of a project
IN_FILES = "(files)"  # as well: a lead was given the key as a file


class KnownKey(msgspec.Struct, frozen=True, kw_only=True):
    """A public key of a rater, in hexadecimal digits; `project` is that of the hub, `seen` when it was first seen."""

    rater: str
    key: str
    project: str
    seen: str


def see(store: Store, keys: Collection[tuple[str, str]], project: str, *, now: datetime) -> int:
    """Note the keys of raters, (rater, key), as a hub shows them; how many were new. `OWN`: they are the user's."""
    moment = format_time(now)
    query = "INSERT OR IGNORE INTO rater_keys (rater, key, project, seen) VALUES (?, ?, ?, ?)"
    with store.writing("The keys of raters are not noted.") as db:
        return sum(db.execute(query, (rater, key, project, moment)).rowcount for rater, key in keys)


def listed(store: Store, rater: str | None = None) -> list[KnownKey]:
    """All keys, or a rater's, by rater, the first seen first."""
    query = """
        SELECT rater, key, project, seen FROM rater_keys WHERE ? IS NULL OR rater = ? ORDER BY rater, seen, key, project
    """
    with store.reading(_LOSS) as db:
        return [
            KnownKey(rater=whose, key=key, project=project, seen=seen)
            for whose, key, project, seen in db.execute(query, (rater, rater))
        ]


def of_raters(store: Store, projects: Collection[str] = ()) -> dict[str, frozenset[str]]:
    """Rater → all keys that are known of them.

    `projects`: what no hub of these has shown is left out, since r-17 of another project is somebody else.
    """
    found: dict[str, frozenset[str]] = {}
    for one in listed(store):
        if projects and one.project not in {OWN, IN_FILES, *projects}:
            continue
        found[one.rater] = found.get(one.rater, frozenset()) | {one.key}
    return found
