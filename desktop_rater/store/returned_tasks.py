"""What tasks say of having been sent back, for lists. All of it is for use inside a transaction of the caller."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from desktop_rater.model.derived import RETURN, derived_in
from desktop_rater.model.ready import ready

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlite_utils import Database

    from desktop_rater.store.current import Current


class _Comment(msgspec.Struct, frozen=True):
    reason: str = ""


class _Returned(msgspec.Struct, frozen=True):
    comments: tuple[_Comment, ...] = ()


class _Line(msgspec.Struct, frozen=True):
    returned: _Returned | None = None


def reasons(db: Database, bundle: Current, positions: Sequence[int]) -> dict[int, tuple[str, ...]]:
    """Position → why the task was sent back, each reason once. Only of a bundle that is made of such tasks."""
    if not are_all(db, bundle):
        return {}
    query = "SELECT line FROM tasks WHERE key = ?"
    found = {at: db.execute(query, (bundle.task_key(at),)).fetchone() for at in positions}
    return {at: _reasons(row[0]) for at, row in found.items() if row is not None}


def are_all(db: Database, bundle: Current) -> bool:
    """Whether a bundle is made of tasks that were sent back."""
    (manifest,) = db.execute("SELECT manifest FROM bundles WHERE key = ?", (bundle.key,)).fetchone()
    derived = derived_in(manifest) if RETURN in manifest else None
    return derived is not None and derived.tool == RETURN


def _reasons(line: bytes) -> tuple[str, ...]:
    """A damaged line says nothing here; whoever opens the task is told."""
    try:
        returned = msgspec.json.decode(line, type=ready(_Line)).returned
    except msgspec.MsgspecError:
        return ()
    return tuple(dict.fromkeys(one.reason for one in returned.comments if one.reason)) if returned is not None else ()
