"""The rows of the table `leaving`, for use inside a transaction of the caller."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.model.canonical import sha256

if TYPE_CHECKING:
    from sqlite_utils import Database


def put(db: Database, rating: int, task: int, basis: str, form: bytes | None) -> None:
    """Keep the form in which a revision leaves, as it was checked; `None` where it is the revision to the byte."""
    digest = None if form is None else sha256(form)
    query = "INSERT OR REPLACE INTO leaving (rating, task, basis, sha256, form) VALUES (?, ?, ?, ?, ?)"
    db.execute(query, (rating, task, basis, digest, form))


def remove(db: Database, rating: int) -> None:
    """Forget a revision that another has followed."""
    db.execute("DELETE FROM leaving WHERE rating = ?", (rating,))
