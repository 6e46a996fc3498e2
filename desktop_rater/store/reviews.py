"""What a QA lead says of a bundle's results: revisions that are only added to. The newest of a subject holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from desktop_rater.model.canonical import canonical
from desktop_rater.model.kept import Kept, from_plain, to_plain
from desktop_rater.model.limits import format_time
from desktop_rater.store.sealed import seal
from desktop_rater.store.trouble import StoreDamaged

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from sqlite_utils import Database

    from desktop_rater.store.store import Store

T = TypeVar("T", bound=msgspec.Struct)

_COLUMNS = "bundle, subject, lead, revision, changed, sha256, body"
_LOSS = "What the lead said can't be read."


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """One revision of a subject; `body` is the JSON of what was said, `kind` the first entry of the subject."""

    bundle: str
    subject: tuple[str, ...]
    lead: str
    revision: int
    changed: str
    body: bytes

    @property
    def kind(self) -> str:
        """What kind of thing was said, such as `verdict`."""
        return self.subject[0]

    def read(self, shape: type[T]) -> T:
        """What was said, as the struct that it was written from. Raises `StoreDamaged` where it is none."""
        try:
            return from_plain(msgspec.json.decode(self.body), shape)  # ty: ignore[invalid-argument-type]
        except msgspec.MsgspecError as error:
            what = f"{' '.join(self.subject)[:200]}: {error}"
            raise StoreDamaged("What the lead said can't be read.", f"It is no such review: {what}.") from error


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """Something to append: `body` is a struct, plain data, or JSON that is written already."""

    subject: tuple[str, ...]
    body: Any


def append(store: Store, bundle: str, subject: tuple[str, ...], lead: str, body: Any, *, now: datetime) -> int:
    """Add a revision of a subject; its number. `body`: a struct, plain data, or the bytes of its JSON."""
    return append_all(store, bundle, [Said(subject=subject, body=body)], lead, now=now)[0]


def append_all(store: Store, bundle: str, said: Iterable[Said], lead: str, *, now: datetime) -> list[int]:
    """The same for several, all of them or none."""
    changed = format_time(now)
    rows = [(_words(one.subject), _written(one.body)) for one in said]
    with store.writing("What you said of the results is not stored.") as db:
        return [_append(db, (bundle, subject, lead), changed, body) for subject, body in rows]


def _append(db: Database, whose: tuple[str, str, str], changed: str, body: str) -> int:
    bundle, subject, lead = whose
    query = "SELECT 1 + coalesce(max(revision), 0) FROM reviews WHERE bundle = ? AND subject = ?"
    (revision,) = db.execute(query, (bundle, subject)).fetchone()
    digest = seal(bundle, subject, lead, revision, changed, body)
    db.execute(
        f"INSERT INTO reviews ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)",  # noqa: S608 - a constant
        (bundle, subject, lead, revision, changed, digest, body),
    )
    return revision


def put_back(store: Store, said: Iterable[tuple[str, str, str, str, str]]) -> None:
    """What was saved of a damaged store: (bundle, subject, lead, changed, body), each subject's from the first."""
    with store.writing("What was saved is not stored.", lasting=False) as db:
        for bundle, subject, lead, changed, body in said:
            _append(db, (bundle, subject, lead), changed, body)


def latest(store: Store, bundle: str, kind: str, *ids: str) -> list[Review]:
    """The newest revision of each subject of a kind, whose ids begin with `ids`; by subject.

    Raises `StoreDamaged` where one is not what was written.
    """
    query = f"""
        SELECT {_COLUMNS}, max(revision) FROM reviews
        WHERE bundle = ? AND subject >= ? AND subject < ? GROUP BY subject ORDER BY subject
    """  # noqa: S608 - a constant
    begin = _words((kind, *ids)).removesuffix("]")
    with store.reading(_LOSS) as db:
        # After an id comes a comma or the end of the list, and both stand before "^".
        rows = db.execute(query, (bundle, begin, f"{begin}^")).fetchall()
    return [_review(row[:-1]) for row in rows]


def newest(store: Store, bundle: str, subject: tuple[str, ...]) -> Review | None:
    """The newest revision of one subject. Raises `StoreDamaged`."""
    return next(reversed(history(store, bundle, subject)), None)


def history(store: Store, bundle: str, subject: tuple[str, ...]) -> list[Review]:
    """All revisions of one subject, from the first. Raises `StoreDamaged`."""
    query = f"SELECT {_COLUMNS} FROM reviews WHERE bundle = ? AND subject = ? ORDER BY revision"  # noqa: S608 - as above
    with store.reading(_LOSS) as db:
        rows = db.execute(query, (bundle, _words(subject))).fetchall()
    return [_review(row) for row in rows]


def bundles(store: Store) -> list[str]:
    """The ids of the bundles of which something was said."""
    with store.reading(_LOSS) as db:
        return [name for (name,) in db.execute("SELECT DISTINCT bundle FROM reviews ORDER BY bundle")]


def rows(db: Database) -> Iterator[tuple[Any, ...]]:
    """Every row as it stands, for who looks after the store: the columns that `is_intact` takes."""
    yield from db.execute(f"SELECT {_COLUMNS} FROM reviews ORDER BY key")  # noqa: S608 - a constant


def is_intact(row: tuple[Any, ...]) -> bool:
    """Whether a row is what was written."""
    *whose, changed, digest, body = row
    return seal(*whose, changed, body) == digest


def _review(row: tuple[Any, ...]) -> Review:
    if not is_intact(row):
        raise StoreDamaged(
            "What the lead said was altered.", f"A review of the bundle {row[0]} is not what was written: {row[1]}."
        )
    bundle, subject, lead, revision, changed, _, body = row
    return Review(
        bundle=bundle,
        subject=tuple(msgspec.json.decode(subject)),
        lead=lead,
        revision=revision,
        changed=changed,
        body=body.encode(),
    )


def _words(subject: tuple[str, ...]) -> str:
    return canonical(list(subject)).decode()


def _written(body: Any) -> str:
    return body.decode() if isinstance(body, bytes) else canonical(_plain(body)).decode()


def _plain(value: Any) -> Any:
    """Plain data of a struct; the formats' own ones inside it as their files have them."""
    if isinstance(value, msgspec.Struct) and not isinstance(value, Kept):
        fields = msgspec.structs.fields(type(value))
        return {field.encode_name: _plain(getattr(value, field.name)) for field in fields}
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(part) for part in value]
    return to_plain(value)
