"""Reviews of a bundle's results by a QA lead: append-only revisions."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, NamedTuple, TypeVar

import msgspec

from desktop_rater.format.strict_json import OpenStruct, canonical_json, from_plain, to_plain
from desktop_rater.format.values import format_time
from desktop_rater.store.connection import row_hash
from desktop_rater.store.errors import StoreDamaged
from desktop_rater.store.sqlite_tools import Database
from desktop_rater.store.store import Store

T = TypeVar("T", bound=msgspec.Struct)

_COLUMNS = "bundle, subject, lead, revision, changed, sha256, body"
_LOSS = "The review can't be read."


class ReviewRevision(msgspec.Struct, frozen=True, kw_only=True):
    """One revision of a subject; `body` is the JSON of the review, `kind` the first entry of the subject."""

    bundle: str
    subject: tuple[str, ...]
    lead: str
    revision: int
    changed: str
    body: bytes

    @property
    def kind(self) -> str:
        return self.subject[0]

    def read(self, shape: type[T]) -> T:
        """Decode the review as the struct that it was written from. Raises `StoreDamaged` if it does not match."""
        try:
            return from_plain(msgspec.json.decode(self.body), shape)  # ty: ignore[invalid-argument-type]
        except msgspec.MsgspecError as error:
            description = f"{' '.join(self.subject)[:200]}: {error}"
            raise StoreDamaged(
                "The review can't be read.", f"It is not a review of this kind: {description}."
            ) from error


class NewReview(msgspec.Struct, frozen=True, kw_only=True):
    """A review to append: `body` is a struct, plain data, or encoded JSON."""

    subject: tuple[str, ...]
    body: Any


def append_review(store: Store, bundle: str, subject: tuple[str, ...], lead: str, body: Any, *, now: datetime) -> int:
    """Append a revision of a subject; return its number. `body`: a struct, plain data, or the bytes of its JSON."""
    return insert_reviews(store, bundle, [NewReview(subject=subject, body=body)], lead, now=now)[0]


def insert_reviews(store: Store, bundle: str, reviews: Iterable[NewReview], lead: str, *, now: datetime) -> list[int]:
    """Append several reviews, all of them or none."""
    changed = format_time(now)
    rows = [(_encoded_subject(review.subject), _encoded_body(review.body)) for review in reviews]
    with store.writing("Your review of the results was not stored.") as db:
        return [append_row(db, (bundle, subject, lead), changed, body) for subject, body in rows]


def append_row(db: Database, key: tuple[str, str, str], changed: str, body: str) -> int:
    """Append the next revision for (bundle, encoded subject, lead) in the current transaction; return its number."""
    bundle, subject, lead = key
    query = "SELECT 1 + coalesce(max(revision), 0) FROM reviews WHERE bundle = ? AND subject = ?"
    (revision,) = db.execute(query, (bundle, subject)).fetchone()
    digest = row_hash(bundle, subject, lead, revision, changed, body)
    db.execute(
        f"INSERT INTO reviews ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)",  # noqa: S608 - a constant
        (bundle, subject, lead, revision, changed, digest, body),
    )
    return revision


def latest_reviews(store: Store, bundle: str, kind: str, *ids: str) -> list[ReviewRevision]:
    """Return the newest revisions of the subjects of a kind that begin with `ids`. Raises `StoreDamaged`."""
    query = f"""
        SELECT {_COLUMNS}, max(revision) FROM reviews
        WHERE bundle = ? AND subject >= ? AND subject < ? GROUP BY subject ORDER BY subject
    """  # noqa: S608 - a constant
    begin = _encoded_subject((kind, *ids)).removesuffix("]")
    with store.reading(_LOSS) as db:
        # After an id comes a comma or the end of the list; both sort before "^".
        rows = db.execute(query, (bundle, begin, f"{begin}^")).fetchall()
    return [_review(row[:-1]) for row in rows]


def newest_review(store: Store, bundle: str, subject: tuple[str, ...]) -> ReviewRevision | None:
    """Return the newest revision of one subject. Raises `StoreDamaged`."""
    return next(reversed(review_history(store, bundle, subject)), None)


def review_history(store: Store, bundle: str, subject: tuple[str, ...]) -> list[ReviewRevision]:
    """Return all revisions of one subject, from the first. Raises `StoreDamaged`."""
    query = f"SELECT {_COLUMNS} FROM reviews WHERE bundle = ? AND subject = ? ORDER BY revision"  # noqa: S608 - as above
    with store.reading(_LOSS) as db:
        rows = db.execute(query, (bundle, _encoded_subject(subject))).fetchall()
    return [_review(row) for row in rows]


def bundles_with_reviews(store: Store) -> list[str]:
    """Return the ids of the bundles that have reviews."""
    with store.reading(_LOSS) as db:
        return [name for (name,) in db.execute("SELECT DISTINCT bundle FROM reviews ORDER BY bundle")]


def reviews_after(store: Store, bundle: str, key: int) -> tuple[list[tuple[str, ...]], int]:
    """Return the subjects of the reviews that were appended after one, and the number of the last one."""
    query = "SELECT key, subject FROM reviews WHERE key > ? AND bundle = ? ORDER BY key"
    with store.reading(_LOSS) as db:
        rows = db.execute(query, (key, bundle)).fetchall()
    subjects = dict.fromkeys(subject for _, subject in rows)
    return [tuple(msgspec.json.decode(subject)) for subject in subjects], rows[-1][0] if rows else key


# -- the places as they were listed last


class ListedPlaces(NamedTuple):
    """The places of a task as they were listed last, made of `basis`; of no task: what all tasks have in common."""

    task: str
    basis: str
    body: bytes


def listed_places(store: Store, bundle: str) -> dict[str, ListedPlaces]:
    """Return task → its places as they were listed last, as far as the rows are unmodified."""
    with store.reading(_LOSS) as db:
        if db.execute("PRAGMA table_info(listed_places)").fetchone() is None:
            return {}  # a store of before version 11
        rows = db.execute("SELECT row_sha256, task, basis, body FROM listed_places WHERE bundle = ?", (bundle,))
        return {row[1]: ListedPlaces(*row[1:]) for row in rows if row_hash(bundle, *row[1:]) == row[0]}


def keep_listed(store: Store, bundle: str, rows: Iterable[ListedPlaces]) -> None:
    """Replace rows by newer ones. If they are lost they are made again, so this does not wait for the disk."""
    query = """
        INSERT INTO listed_places (bundle, task, basis, body, row_sha256) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (bundle, task) DO UPDATE
        SET basis = excluded.basis, body = excluded.body, row_sha256 = excluded.row_sha256
    """
    with store.writing("The list of places was not kept.", lasting=False) as db:
        db.executemany(query, ((bundle, *row, row_hash(bundle, *row)) for row in rows))


def review_rows(db: Database) -> Iterator[tuple[Any, ...]]:
    """Yield every row for an integrity check, with the columns that `is_intact_review` takes."""
    yield from db.execute(f"SELECT {_COLUMNS} FROM reviews ORDER BY key")  # noqa: S608 - a constant


def is_intact_review(row: tuple[Any, ...]) -> bool:
    """Tell if a row is unmodified."""
    *key, changed, digest, body = row
    return row_hash(*key, changed, body) == digest


def _review(row: tuple[Any, ...]) -> ReviewRevision:
    if not is_intact_review(row):
        raise StoreDamaged(
            "A review was modified.", f"A review of the bundle {row[0]} is not what was saved: {row[1]}."
        )
    bundle, subject, lead, revision, changed, _, body = row
    return ReviewRevision(
        bundle=bundle,
        subject=tuple(msgspec.json.decode(subject)),
        lead=lead,
        revision=revision,
        changed=changed,
        body=body.encode(),
    )


def _encoded_subject(subject: tuple[str, ...]) -> str:
    return canonical_json(list(subject)).decode()


def _encoded_body(body: Any) -> str:
    return body.decode() if isinstance(body, bytes) else canonical_json(_plain(body)).decode()


def _plain(value: Any) -> Any:
    """Convert a struct to plain data; structs of the file formats are converted as in their files."""
    if isinstance(value, msgspec.Struct) and not isinstance(value, OpenStruct):
        fields = msgspec.structs.fields(type(value))
        return {field.encode_name: _plain(getattr(value, field.name)) for field in fields}
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(part) for part in value]
    return to_plain(value)
