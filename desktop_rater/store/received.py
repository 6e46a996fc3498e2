"""Results of other raters in the store, with their signatures."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

import msgspec

from desktop_rater.audit.digest import Digest
from desktop_rater.audit.results import ReceivedRating, ReceivedResults, ResultsRubric, decoded, received_of
from desktop_rater.format.manifests import HistoryLine, ResultsManifest
from desktop_rater.format.rating import Rating
from desktop_rater.format.strict_json import from_plain, prepared_type, sha256
from desktop_rater.store.connection import row_hash
from desktop_rater.store.errors import NotInStore, StoreDamaged
from desktop_rater.store.sqlite_tools import Database
from desktop_rater.store.store import Store
from desktop_rater.text.untrusted import normalised_name

_LOSS = "The results that were received can't be read."
_NOT_STORED = "The results are not stored."
_DIFFERS = "It differs from what was received."
_AGAIN = "Check the store with `doctor`, then open the results again."
_RECEIVED = """
    SELECT sha256, bundle, rater, supersedes, manifest, rubric_toml, file, arrived, row_sha256 FROM received
"""
_AT_ONCE = 500  # ratings deleted in one transaction
_RECENT = 64  # digests: those of the ratings of one task


class NewReceivedResults(msgspec.Struct, frozen=True, kw_only=True):
    """Results to be stored. `bundle` is the audited one, `manifest` the exact JSON text of the zip."""

    sha256: str
    bundle: str
    rater: str
    supersedes: str | None
    manifest: str
    rubric_toml: str | None
    file: str
    arrived: str


class NewReceivedRating(msgspec.Struct, frozen=True, kw_only=True):
    """A received rating; `text`: SHA-256 of the task's text, `body`: exact export form, `history`: lines as JSON."""

    task: str
    text: str
    revision: int
    sha256: str
    digest: Digest
    history: str
    body: bytes


# -- in


def stored_results(store: Store) -> set[str]:
    """Return the SHA-256 of each completely stored results zip."""
    with store.reading(_LOSS) as db:
        return {digest for (digest,) in db.execute("SELECT sha256 FROM received WHERE ready")}


def begin_results(store: Store, new: NewReceivedResults) -> int:
    """Add hidden results, replacing those of an interrupted import; return their key."""
    columns = msgspec.structs.astuple(new)
    with store.writing(_NOT_STORED, lasting=False) as db:
        db.execute("DELETE FROM received WHERE sha256 = ? AND NOT ready", (new.sha256,))
        added = db.execute(
            """
            INSERT INTO received (sha256, bundle, rater, supersedes, manifest, rubric_toml, file, arrived, row_sha256)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            (*columns, row_hash(*columns)),
        )
        assert added.lastrowid is not None, "an INSERT gives a key"
        return added.lastrowid


def add_received_ratings(
    store: Store, key: int, ratings: Sequence[NewReceivedRating], texts: Mapping[str, bytes]
) -> None:
    """Store more of their ratings, and texts that are not in the store yet: SHA-256 → canonical line."""
    encode = msgspec.msgpack.Encoder().encode
    query = "SELECT sha256 FROM received WHERE key = ? AND NOT ready"
    with store.writing(_NOT_STORED, lasting=False) as db:
        row = db.execute(query, (key,)).fetchone()
        if row is None:
            raise NotInStore("The results are in the store already.", "These ratings are not stored.")
        db.executemany("INSERT OR IGNORE INTO task_texts (sha256, line) VALUES (?, ?)", texts.items())
        db.executemany(
            """
            INSERT INTO received_ratings (results, task, text, revision, sha256, digest, history, body, row_sha256)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            (_row(key, row[0], rating, encode(rating.digest)) for rating in ratings),
        )


def _row(key: int, results: str, rating: NewReceivedRating, digest: bytes) -> tuple[object, ...]:
    columns = (rating.task, rating.text, rating.revision, rating.sha256, digest, rating.history, rating.body)
    return (key, *columns, row_hash(results, *columns))


def finish_results(store: Store, keys: Collection[int]) -> None:
    """Make results visible, durably."""
    with store.writing(_NOT_STORED) as db:
        db.executemany("UPDATE received SET ready = 1 WHERE key = ?", ((key,) for key in keys))


def drop_results(store: Store, key: int) -> None:
    """Remove incompletely stored results, in short transactions. Texts that are no longer needed stay."""
    query = """
        DELETE FROM received_ratings WHERE key IN (SELECT key FROM received_ratings WHERE results = ? LIMIT ?)
    """
    left = True
    while left:
        with store.writing("The remains of incomplete results were not removed.") as db:
            if db.execute("SELECT 1 FROM received WHERE key = ? AND NOT ready", (key,)).fetchone() is None:
                return
            left = db.execute(query, (key, _AT_ONCE)).rowcount == _AT_ONCE
            if not left:
                db.execute("DELETE FROM received WHERE key = ?", (key,))


# -- out


def bundles_with_results(store: Store) -> list[str]:
    """Return the ids of the bundles that have results."""
    with store.reading(_LOSS) as db:
        return [name for (name,) in db.execute("SELECT DISTINCT bundle FROM received WHERE ready ORDER BY bundle")]


def list_results(store: Store, bundle: str) -> list[ReceivedResults]:
    """Return the results of a bundle, by rater, regardless of their order of arrival. Raises `StoreDamaged`."""
    with store.reading(_LOSS) as db:
        query = _RECEIVED + "WHERE bundle = ? AND ready ORDER BY rater, sha256"
        rows = db.execute(query, (bundle,)).fetchall()
    return [_received(row) for row in rows]


def get_results(store: Store, digest: str) -> ReceivedResults:
    """Return the results with that SHA-256. Raises `NotInStore` or `StoreDamaged`."""
    with store.reading(_LOSS) as db:
        row = db.execute(_RECEIVED + "WHERE sha256 = ? AND ready", (digest,)).fetchone()
    if row is None:
        raise NotInStore("These results are not in the store.", f"Their SHA-256 is {digest}.")
    return _received(row)


def _received(row: tuple[Any, ...]) -> ReceivedResults:
    *columns, row_sha256 = row
    if row_hash(*columns) != row_sha256:
        raise StoreDamaged("Received results were modified.", f"{columns[6]} differs from what was received.", _AGAIN)
    digest, bundle, _, _, manifest, _, file, _ = columns
    plain = from_plain(msgspec.json.decode(manifest), ResultsManifest)
    return received_of(plain, sha256=digest, bundle=bundle, file=file)


def rubrics_by_results(store: Store, bundle: str) -> dict[str, ResultsRubric]:
    """Map the SHA-256 of results to the rubric by which they were rated."""
    query = "SELECT sha256, json_extract(manifest, '$.rubric'), rubric_toml FROM received WHERE bundle = ? AND ready"
    with store.reading(_LOSS) as db:
        return {digest: ResultsRubric(*rest) for digest, *rest in db.execute(query, (bundle,))}


def results_manifest(store: Store, results: str) -> ResultsManifest:
    """Return the manifest of results. Raises `NotInStore`."""
    with store.reading(_LOSS) as db:
        row = db.execute("SELECT manifest FROM received WHERE sha256 = ? AND ready", (results,)).fetchone()
    if row is None:
        raise NotInStore("Those results are not in the store.", f"Their SHA-256 is {results}.")
    return from_plain(msgspec.json.decode(row[0]), ResultsManifest)


def stream_received(
    store: Store, bundle: str, *, known: Iterable[str] = (), digests: bool = True
) -> Iterator[ReceivedRating]:
    """Yield each rating of a bundle's results with its packed digest, without its body, which is fast.

    `known`: ids and hashes of tasks that the caller holds already. Without `digests`, they are read on demand.
    """
    query = f"""
        SELECT received.sha256, task, rater, text, received_ratings.sha256, revision, {"digest" if digests else "NULL"}
        FROM received JOIN received_ratings ON results = received.key
        WHERE bundle = ? AND ready
    """  # noqa: S608 - a constant
    names: dict[str, str] = {}
    shared = {name: name for name in known}  # of many ratings, each is held once
    read = lru_cache(maxsize=_RECENT)(partial(_digest, store))
    with store.reading(_LOSS) as db:
        for results, task, rater, text, digest_of, revision, digest in db.execute(query, (bundle,)):
            yield ReceivedRating(
                results=shared.setdefault(results, results),
                task=shared.setdefault(task, task),
                rater=names.get(rater) or names.setdefault(rater, normalised_name(rater)),
                text=shared.setdefault(text, text),
                sha256=digest_of,
                revision=revision,
                summary=digest or read,
            )


def _digest(store: Store, results: str, task: str) -> Digest:
    query = """
        SELECT digest FROM received JOIN received_ratings ON results = received.key
        WHERE received.sha256 = ? AND task = ?
    """
    with store.reading(_LOSS) as db:
        return decoded(db.execute(query, (results, task)).fetchone()[0], Digest)


def received_rating(store: Store, results: str, task: str) -> Rating:
    """Return one complete rating of received results. Raises `NotInStore` or `StoreDamaged`."""
    return received_with_history(store, results, task)[0]


def received_with_history(store: Store, results: str, task: str) -> tuple[Rating, tuple[HistoryLine, ...]]:
    """Return one complete rating of received results with its history. Raises `NotInStore` or `StoreDamaged`."""
    query = """
        SELECT task, text, revision, received_ratings.sha256, digest, history, body, received_ratings.row_sha256
        FROM received JOIN received_ratings ON results = received.key
        WHERE received.sha256 = ? AND task = ? AND ready
    """
    with store.reading(_LOSS) as db:
        row = db.execute(query, (results, task)).fetchone()
    if row is None:
        raise NotInStore(f"There is no rating of the task {task!r} in those results.", "They are not in the store.")
    *columns, row_sha256 = row
    if row_hash(results, *columns) != row_sha256:
        raise StoreDamaged(f"A received rating of {task!r} was altered.", _DIFFERS, _AGAIN)
    history, body = columns[5:]
    lines = msgspec.json.decode(history, type=prepared_type(tuple[HistoryLine, ...]))
    return from_plain(msgspec.json.decode(body), Rating), lines


def received_lines(store: Store, results: str) -> Iterator[tuple[str, bytes, tuple[HistoryLine, ...]]]:
    """Yield SHA-256 of the text, exact exported form and history of each rating of results, in their order.

    Raises `StoreDamaged`.
    """
    query = """
        SELECT task, text, revision, received_ratings.sha256, digest, history, body, received_ratings.row_sha256
        FROM received JOIN received_ratings ON results = received.key
        WHERE received.sha256 = ? AND ready ORDER BY received_ratings.key
    """
    with store.reading(_LOSS) as db:
        for *columns, row_sha256 in db.execute(query, (results,)):
            if row_hash(results, *columns) != row_sha256:
                raise StoreDamaged(f"A received rating of {columns[0]!r} was altered.", _DIFFERS, _AGAIN)
            history = msgspec.json.decode(columns[5], type=prepared_type(tuple[HistoryLine, ...]))
            yield columns[1], columns[6], history


# -- texts of tasks


def stored_texts(store: Store) -> set[str]:
    """Return the SHA-256 of each text in the store."""
    with store.reading(_LOSS) as db:
        return {digest for (digest,) in db.execute("SELECT sha256 FROM task_texts")}


def store_texts(store: Store, texts: Iterable[tuple[str, bytes]]) -> None:
    """Store texts of tasks, rated or not: (SHA-256, canonical line)."""
    with store.writing("The tasks are not stored.", lasting=False) as db:
        db.executemany("INSERT OR IGNORE INTO task_texts (sha256, line) VALUES (?, ?)", texts)


def task_text(store: Store, digest: str) -> bytes:
    """Return the canonical line of a task. Raises `NotInStore` or `StoreDamaged`."""
    with store.reading(_LOSS) as db:
        row = db.execute("SELECT line FROM task_texts WHERE sha256 = ?", (digest,)).fetchone()
    if row is None:
        raise NotInStore("The text of a task is not in the store.", f"Its SHA-256 is {digest}.", _AGAIN)
    if sha256(row[0]) != digest:
        raise StoreDamaged("The text of a task was modified.", f"Its SHA-256 is not {digest}.", _AGAIN)
    return row[0]


# -- integrity


def altered_received(db: Database) -> Iterator[str]:
    """Yield a sentence for each modified row; "" now and then, so that the caller can check for cancellation."""
    for *columns, row_sha256 in db.execute(_RECEIVED):
        yield "" if row_hash(*columns) == row_sha256 else f"The received results {columns[6]!r} were altered."
    for digest, line in db.execute("SELECT sha256, line FROM task_texts"):
        yield "" if isinstance(line, bytes) and sha256(line) == digest else f"The text {digest} was altered."
    query = """
        SELECT received.sha256, task, text, revision, received_ratings.sha256, digest, history, body,
               received_ratings.row_sha256, rater
        FROM received_ratings JOIN received ON results = received.key
    """
    for *columns, row_sha256, rater in db.execute(query):
        message = f"{rater}'s received rating of {columns[1]!r} was altered: it is not what came in."
        yield "" if row_hash(*columns) == row_sha256 else message
