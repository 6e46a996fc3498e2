"""Which results have left, so that the next ones can name what they supersede."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from desktop_rater.store.store import Store


class Export(msgspec.Struct, frozen=True, kw_only=True):
    """A results zip: its SHA-256, the time of its last change, and what left: tasks of the bundle, complete, skipped.

    `content` is a hash of all that it holds but `supersedes`, the SHA-256 of the zip that it replaces.
    """

    bundle: str
    rater: str
    sha256: str
    moment: str
    tasks: int
    complete: int
    skipped: int
    content: str = ""
    supersedes: str | None = None


_COLUMNS = ", ".join(Export.__struct_fields__)


def remember(store: Store, export: Export) -> None:
    """Note that results were written. The same ones as last time are noted once."""
    if _same(last(store, export.bundle, export.rater), export):
        return
    with store.writing("The results are written, but the store does not know of them.") as db:
        query = f"INSERT INTO exports ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608 - a constant
        db.execute(query, msgspec.structs.astuple(export))


def last(store: Store, bundle_id: str, rater: str) -> Export | None:
    """The rater's latest results of a bundle."""
    with store.reading("The list of exports can't be read.") as db:
        query = f"SELECT {_COLUMNS} FROM exports WHERE bundle = ? AND rater = ? ORDER BY key DESC LIMIT 1"  # noqa: S608
        row = db.execute(query, (bundle_id, rater)).fetchone()
        return None if row is None else Export(**dict(zip(Export.__struct_fields__, row, strict=True)))


def made(store: Store, bundle_id: str, rater: str) -> frozenset[str]:
    """The SHA-256 of all results of a bundle that this store has made for a rater."""
    with store.reading("The list of exports can't be read.") as db:
        query = "SELECT DISTINCT sha256 FROM exports WHERE bundle = ? AND rater = ?"
        return frozenset(sha256 for (sha256,) in db.execute(query, (bundle_id, rater)))


def _same(known: Export | None, export: Export) -> bool:
    return known is not None and known.sha256 == export.sha256
