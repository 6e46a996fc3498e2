"""How received results were signed: what was found in the zip, not who is trusted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop_rater.model.signature import Signature
from desktop_rater.store.sealed import seal
from desktop_rater.store.trouble import NotThere, StoreDamaged

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlite_utils import Database

    from desktop_rater.store.store import Store

_LOSS = "How the results were signed can't be read."


def put(store: Store, results: int, signature: Signature) -> None:
    """Note how results were signed that are on their way in; `results` is their key. Raises `NotThere`."""
    with store.writing("How the results were signed is not stored.", lasting=False) as db:
        row = db.execute("SELECT sha256 FROM received WHERE key = ?", (results,)).fetchone()
        if row is None:
            raise NotThere("The results are not in the store.", "How they were signed is not stored.")
        columns = (signature.state, signature.key)
        query = "INSERT OR REPLACE INTO signatures (results, state, key, row_sha256) VALUES (?, ?, ?, ?)"
        db.execute(query, (results, *columns, seal(row[0], *columns)))


def of_bundle(store: Store, bundle: str) -> dict[str, Signature]:
    """SHA-256 of results → how they were signed. What an older version took in is not among them.

    Raises `StoreDamaged` where one is not what was noted.
    """
    return _read(store, "bundle = ?", bundle)


def of(store: Store, results: str) -> Signature | None:
    """How the results of that SHA-256 were signed; `None` where nobody has looked. Raises `StoreDamaged`."""
    return _read(store, "received.sha256 = ?", results).get(results)


def _read(store: Store, where: str, value: str) -> dict[str, Signature]:
    with store.reading(_LOSS) as db:
        rows = db.execute(f"{_ROWS} WHERE ready AND {where}", (value,)).fetchall()
    found = {}
    for results, state, key, row_sha256, file in rows:
        if not is_intact(results, state, key, row_sha256):
            raise StoreDamaged("How results were signed was altered.", f"It is about {file}.")
        found[results] = Signature(state, key)
    return found


_ROWS = """
    SELECT received.sha256, state, signatures.key, signatures.row_sha256, file
    FROM signatures JOIN received ON received.key = signatures.results
"""


def is_intact(results: str, *row: Any) -> bool:
    """Whether a row, (state, key, hash), is what was written for the results of that SHA-256."""
    *columns, row_sha256 = row
    return seal(results, *columns) == row_sha256


def altered(db: Database) -> Iterator[str]:
    """A sentence for each row that is not what was written; "" now and then, so that the caller can look up."""
    for *row, file in db.execute(_ROWS):
        yield "" if is_intact(*row) else f"How the received results {file!r} were signed was altered."
