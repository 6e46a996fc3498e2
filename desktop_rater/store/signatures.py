"""Signature records of received results: the state found in the zip, independent of trust."""

from collections.abc import Iterator
from typing import Any

from desktop_rater.model.signature import Signature
from desktop_rater.store.checksums import row_hash
from desktop_rater.store.errors import NotInStore, StoreDamaged
from desktop_rater.store.sqlite_tools import Database
from desktop_rater.store.store import Store

_LOSS = "The signatures of the results can't be read."


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
    with store.reading(_LOSS) as db:
        rows = db.execute(f"{_ROWS} WHERE ready AND {where}", (value,)).fetchall()
    signatures = {}
    for results, state, key, row_sha256, file in rows:
        if not is_intact_signature(results, state, key, row_sha256):
            raise StoreDamaged("The record of a signature was modified.", f"It belongs to {file}.")
        signatures[results] = Signature(state, key)
    return signatures


_ROWS = """
    SELECT received.sha256, state, signatures.key, signatures.row_sha256, file
    FROM signatures JOIN received ON received.key = signatures.results
"""


def is_intact_signature(results: str, *row: Any) -> bool:
    """Tell if a row (state, key, hash) is unmodified for the results of that SHA-256."""
    *columns, row_sha256 = row
    return row_hash(results, *columns) == row_sha256


def altered_signatures(db: Database) -> Iterator[str]:
    """Yield a sentence for each modified row; "" now and then, so that the caller can check for cancellation."""
    for *row, file in db.execute(_ROWS):
        yield (
            ""
            if is_intact_signature(*row)
            else f"The record of the signature of the received results {file!r} was modified."
        )
