"""Results of other raters in the store: each zip once, with its ratings, their digests and the texts they rate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from desktop_rater.audit.digest import Digest
from desktop_rater.audit.filed import Filed
from desktop_rater.audit.origin import received_of
from desktop_rater.model.canonical import sha256
from desktop_rater.model.kept import from_plain
from desktop_rater.model.manifests import HistoryLine, ResultsManifest
from desktop_rater.model.rating import Rating
from desktop_rater.model.ready import ready
from desktop_rater.store.sealed import seal
from desktop_rater.store.trouble import NotThere, StoreDamaged

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from sqlite_utils import Database

    from desktop_rater.audit.filed import Received
    from desktop_rater.store.store import Store

_LOSS = "The results that were received can't be read."
_NOT_STORED = "The results are not stored."
_AGAIN = "Set the store right (`doctor`), then open the results again."
_RECEIVED = """
    SELECT sha256, bundle, rater, supersedes, manifest, rubric_toml, file, arrived, row_sha256 FROM received
"""
_AT_ONCE = 500  # ratings of one transaction that takes a leftover away


class NewReceived(msgspec.Struct, frozen=True, kw_only=True):
    """Results on their way into the store. `bundle` is the audited one, `manifest` the zip's, to the letter."""

    sha256: str
    bundle: str
    rater: str
    supersedes: str | None
    manifest: str
    rubric_toml: str | None
    file: str
    arrived: str


class NewRating(msgspec.Struct, frozen=True, kw_only=True):
    """A rating on its way. `text` is the SHA-256 of the task's text, `body` the leaving form to the byte.

    `history`: its lines as JSON.
    """

    task: str
    text: str
    revision: int
    sha256: str
    digest: Digest
    history: str
    body: bytes


class Stored(msgspec.Struct, frozen=True, kw_only=True):
    """One rating of received results, whole."""

    rating: Rating
    history: tuple[HistoryLine, ...]


class RubricOf(msgspec.Struct, frozen=True):
    """By which rubric results were rated: its name, and its text where they brought one."""

    ref: str
    toml: str | None


# -- in


def known(store: Store) -> set[str]:
    """The SHA-256 of each results zip that is in the store, whole."""
    with store.reading(_LOSS) as db:
        return {digest for (digest,) in db.execute("SELECT sha256 FROM received WHERE ready")}


def begin(store: Store, new: NewReceived) -> int:
    """Make room for results that nobody sees before `finish`; returns their key.

    What a run that was stopped left of the same ones goes.
    """
    columns = msgspec.structs.astuple(new)
    with store.writing(_NOT_STORED, lasting=False) as db:
        db.execute("DELETE FROM received WHERE sha256 = ? AND NOT ready", (new.sha256,))
        added = db.execute(
            """
            INSERT INTO received (sha256, bundle, rater, supersedes, manifest, rubric_toml, file, arrived, row_sha256)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            (*columns, seal(*columns)),
        )
        assert added.lastrowid is not None, "an INSERT gives a key"
        return added.lastrowid


def add(store: Store, key: int, ratings: Sequence[NewRating], texts: Mapping[str, bytes]) -> None:
    """Take more of their ratings, and the texts that are not in the store yet: SHA-256 → canonical line."""
    encode = msgspec.msgpack.Encoder().encode
    query = "SELECT sha256 FROM received WHERE key = ? AND NOT ready"
    with store.writing(_NOT_STORED, lasting=False) as db:
        found = db.execute(query, (key,)).fetchone()
        if found is None:
            raise NotThere("The results are in the store already.", "These ratings are not stored.")
        db.conn.executemany("INSERT OR IGNORE INTO task_texts (sha256, line) VALUES (?, ?)", texts.items())
        db.conn.executemany(
            """
            INSERT INTO received_ratings (results, task, text, revision, sha256, digest, history, body, row_sha256)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            (_row(key, found[0], one, encode(one.digest)) for one in ratings),
        )


def _row(key: int, results: str, one: NewRating, digest: bytes) -> tuple[object, ...]:
    columns = (one.task, one.text, one.revision, one.sha256, digest, one.history, one.body)
    return (key, *columns, seal(results, *columns))


def rating_of(columns: Sequence[Any]) -> NewRating:
    """A rating of the columns that its row is sealed over, without the results."""
    task, text, revision, digest_of, digest, history, body = columns
    return NewRating(
        task=task,
        text=text,
        revision=revision,
        sha256=digest_of,
        digest=msgspec.msgpack.decode(digest, type=ready(Digest)),
        history=history,
        body=body,
    )


def finish(store: Store, keys: Collection[int]) -> None:
    """Let results be seen, whole, and on disk when it returns."""
    with store.writing(_NOT_STORED) as db:
        db.conn.executemany("UPDATE received SET ready = 1 WHERE key = ?", ((key,) for key in keys))


def unready(store: Store) -> list[int]:
    """The keys of results that came in half."""
    with store.reading(_LOSS) as db:
        return [key for (key,) in db.execute("SELECT key FROM received WHERE NOT ready ORDER BY key")]


def drop(store: Store, key: int) -> None:
    """Remove results that came in half, in short transactions. A text that nothing needs any more stays."""
    query = """
        DELETE FROM received_ratings WHERE key IN (SELECT key FROM received_ratings WHERE results = ? LIMIT ?)
    """
    left = True
    while left:
        with store.writing("What ended results left is not removed.") as db:
            if db.execute("SELECT 1 FROM received WHERE key = ? AND NOT ready", (key,)).fetchone() is None:
                return
            left = db.execute(query, (key, _AT_ONCE)).rowcount == _AT_ONCE
            if not left:
                db.execute("DELETE FROM received WHERE key = ?", (key,))


# -- out


def bundles(store: Store) -> list[str]:
    """The ids of the bundles that have results."""
    with store.reading(_LOSS) as db:
        return [name for (name,) in db.execute("SELECT DISTINCT bundle FROM received WHERE ready ORDER BY bundle")]


def listed(store: Store, bundle: str) -> list[Received]:
    """The results of a bundle, by rater; not in the order in which they came. Raises `StoreDamaged`."""
    with store.reading(_LOSS) as db:
        query = _RECEIVED + "WHERE bundle = ? AND ready ORDER BY rater, sha256"
        rows = db.execute(query, (bundle,)).fetchall()
    return [_received(row) for row in rows]


def of(store: Store, digest: str) -> Received:
    """The results of that SHA-256. Raises `NotThere`, or `StoreDamaged`."""
    with store.reading(_LOSS) as db:
        row = db.execute(_RECEIVED + "WHERE sha256 = ? AND ready", (digest,)).fetchone()
    if row is None:
        raise NotThere("These results are not in the store.", f"Their SHA-256 is {digest}.")
    return _received(row)


def _received(row: tuple[Any, ...]) -> Received:
    *columns, row_sha256 = row
    if seal(*columns) != row_sha256:
        raise StoreDamaged("Received results were altered.", f"{columns[6]} is not what came in.", _AGAIN)
    digest, bundle, _, _, manifest, _, file, _ = columns
    plain = from_plain(msgspec.json.decode(manifest), ResultsManifest)
    return received_of(plain, sha256=digest, bundle=bundle, file=file)


def rubrics(store: Store, bundle: str) -> dict[str, RubricOf]:
    """SHA-256 of results → the rubric by which they were rated."""
    query = "SELECT sha256, json_extract(manifest, '$.rubric'), rubric_toml FROM received WHERE bundle = ? AND ready"
    with store.reading(_LOSS) as db:
        return {digest: RubricOf(*rest) for digest, *rest in db.execute(query, (bundle,))}


def manifest_of(store: Store, results: str) -> ResultsManifest:
    """The first page of results, whole. Raises `NotThere`."""
    with store.reading(_LOSS) as db:
        row = db.execute("SELECT manifest FROM received WHERE sha256 = ? AND ready", (results,)).fetchone()
    if row is None:
        raise NotThere("Those results are not in the store.", f"Their SHA-256 is {results}.")
    return from_plain(msgspec.json.decode(row[0]), ResultsManifest)


def stream(store: Store, bundle: str) -> Iterator[Filed]:
    """Each rating of a bundle's results with its digest, without its body: as many as there are, quickly."""
    query = """
        SELECT received.sha256, task, rater, text, received_ratings.sha256, revision, digest
        FROM received JOIN received_ratings ON results = received.key
        WHERE bundle = ? AND ready ORDER BY received_ratings.key
    """
    decode = msgspec.msgpack.Decoder(ready(Digest)).decode
    with store.reading(_LOSS) as db:
        try:
            for results, task, rater, text, digest_of, revision, digest in db.execute(query, (bundle,)):
                yield Filed(
                    results=results,
                    task=task,
                    rater=rater,
                    text=text,
                    sha256=digest_of,
                    revision=revision,
                    digest=decode(digest),
                )
        except msgspec.MsgspecError as error:
            raise StoreDamaged(
                "A received rating was altered.", f"Its digest can't be read: {error}.", _AGAIN
            ) from error


def get(store: Store, results: str, task: str) -> Stored:
    """One rating, with its history. Raises `NotThere`, or `StoreDamaged`."""
    query = """
        SELECT task, text, revision, received_ratings.sha256, digest, history, body, received_ratings.row_sha256
        FROM received JOIN received_ratings ON results = received.key
        WHERE received.sha256 = ? AND task = ? AND ready
    """
    with store.reading(_LOSS) as db:
        row = db.execute(query, (results, task)).fetchone()
    if row is None:
        raise NotThere(f"There is no rating of the task {task!r} in those results.", "They are not in the store.")
    *columns, row_sha256 = row
    if seal(results, *columns) != row_sha256:
        raise StoreDamaged(f"A received rating of {task!r} was altered.", "It is not what came in.", _AGAIN)
    history, body = columns[5:]
    return Stored(
        rating=from_plain(msgspec.json.decode(body), Rating),
        history=msgspec.json.decode(history, type=ready(tuple[HistoryLine, ...])),
    )


# -- texts of tasks


def texts_known(store: Store) -> set[str]:
    """The SHA-256 of each text that is in the store."""
    with store.reading(_LOSS) as db:
        return {digest for (digest,) in db.execute("SELECT sha256 FROM task_texts")}


def put_texts(store: Store, texts: Iterable[tuple[str, bytes]]) -> None:
    """Keep texts of tasks that nobody may have rated: (SHA-256, canonical line)."""
    with store.writing("The tasks are not stored.", lasting=False) as db:
        db.conn.executemany("INSERT OR IGNORE INTO task_texts (sha256, line) VALUES (?, ?)", texts)


def text(store: Store, digest: str) -> bytes:
    """The canonical line of a task. Raises `NotThere`, or `StoreDamaged`."""
    with store.reading(_LOSS) as db:
        row = db.execute("SELECT line FROM task_texts WHERE sha256 = ?", (digest,)).fetchone()
    if row is None:
        raise NotThere("The text of a task is not in the store.", f"Its SHA-256 is {digest}.", _AGAIN)
    if sha256(row[0]) != digest:
        raise StoreDamaged("The text of a task was altered.", f"Its SHA-256 is not {digest}.", _AGAIN)
    return row[0]


# -- for who looks after the store


def altered(db: Database) -> Iterator[str]:
    """A sentence for each row that is not what came in; "" now and then, so that the caller can look up."""
    for *columns, row_sha256 in db.execute(_RECEIVED):
        yield "" if seal(*columns) == row_sha256 else f"The received results {columns[6]!r} were altered."
    for digest, line in db.execute("SELECT sha256, line FROM task_texts"):
        yield "" if isinstance(line, bytes) and sha256(line) == digest else f"The text {digest} was altered."
    query = """
        SELECT received.sha256, task, text, revision, received_ratings.sha256, digest, history, body,
               received_ratings.row_sha256, rater
        FROM received_ratings JOIN received ON results = received.key
    """
    for *columns, row_sha256, rater in db.execute(query):
        what = f"{rater}'s received rating of {columns[1]!r} was altered: it is not what came in."
        yield "" if seal(*columns) == row_sha256 else what
