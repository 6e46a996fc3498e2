"""Stored pages and the log of visits: what was fetched, when, and what it says. The bytes lie in `snapshots`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from desktop_rater.model.page import PageState
from desktop_rater.store import search
from desktop_rater.text.pages import page_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from sqlite_utils import Database

    from desktop_rater.store.store import Store

_LOSS = "The list of stored pages can't be read."
_SNIPPET = 40  # tokens
_TIMES = 4  # as many snapshots are looked at for each page that is shown
_OPEN, _CLOSE = "\x01", "\x02"  # around what was found; no stored text holds them
_UNSEEN = str.maketrans(dict.fromkeys("\0\x01\x02", " "))


class Visit(msgspec.Struct, frozen=True, kw_only=True):
    """A page that was asked for, or came with a bundle; `bundle` is empty for one that belongs to all."""

    bundle: str
    url: str
    final_url: str
    state: PageState
    status: int
    fetched: str
    snapshot: str | None = None


class SnapshotRow(msgspec.Struct, frozen=True, kw_only=True):
    """A stored page. `content` is equal where two showed the same, and empty until the file has been read."""

    sha256: str
    url: str
    final_url: str
    fetched: str
    status: int
    media_type: str
    content: str = ""
    title: str = ""
    site: str = ""


class LastState(msgspec.Struct, frozen=True):
    """How the last visit of a page ended."""

    state: PageState
    fetched: str
    snapshot: str | None


class Hit(msgspec.Struct, frozen=True, kw_only=True):
    """A stored page with the words that were asked for.

    `snippet` stands so in the page's text; `marks` are (start, end) of the words in it, in code points.
    """

    sha256: str
    url: str
    title: str
    site: str
    fetched: str
    snippet: str
    marks: tuple[tuple[int, int], ...] = ()


def record(
    store: Store,
    visits: Iterable[Visit],
    snapshots: Iterable[SnapshotRow] = (),
    texts: dict[str, str] | None = None,
) -> None:
    """Note visits and the pages that they brought, in one transaction; `texts`: SHA-256 → text of those that were read.

    A page that is known already is as it was, but for a text that was missing.
    """
    with store.writing("What was fetched is not noted.") as db:
        for row in snapshots:
            _put_snapshot(db, row)
        for sha256, text in (texts or {}).items():
            _put_text(db, sha256, text)
        db.conn.executemany(
            """
            INSERT INTO visits (bundle, url, page, final_url, final_page, state, status, fetched, snapshot)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            map(_visit, visits),
        )


def put_text(store: Store, row: SnapshotRow, text: str) -> None:
    """Keep what a stored page says, so that it can be found."""
    with store.writing("The text of a stored page is not kept.") as db:
        _put_snapshot(db, row)
        db.execute(
            "UPDATE snapshots SET content = ?, title = ?, site = ? WHERE sha256 = ? AND text IS NULL",
            (row.content, _clean(row.title), _clean(row.site), row.sha256),
        )
        _put_text(db, row.sha256, text)


def newest(store: Store, url: str) -> list[SnapshotRow]:
    """The stored pages of a URL, that was asked for or answered; the one that was seen last comes first."""
    page = _key(url)
    query = f"""
        SELECT {_COLUMNS}, (SELECT max(visits.fetched) FROM visits WHERE visits.snapshot = sha256) AS seen,
               (SELECT max(visits.key) FROM visits WHERE visits.snapshot = sha256) AS visit
        FROM snapshots WHERE page = :page OR final_page = :page
        ORDER BY coalesce(seen, fetched) DESC, visit DESC, key DESC
    """  # noqa: S608 - constants
    with store.reading(_LOSS) as db:
        return [_row(row[: len(SnapshotRow.__struct_fields__)]) for row in db.execute(query, {"page": page})]


def known(store: Store, sha256: str) -> SnapshotRow | None:
    """What is noted of a stored page."""
    query = f"SELECT {_COLUMNS} FROM snapshots WHERE sha256 = ?"  # noqa: S608 - a constant
    with store.reading(_LOSS) as db:
        row = db.execute(query, (sha256,)).fetchone()
    return None if row is None else _row(row)


def noted(store: Store) -> set[str]:
    """The SHA-256 of each stored page of which something is noted."""
    with store.reading(_LOSS) as db:
        return {sha256 for (sha256,) in db.execute("SELECT sha256 FROM snapshots")}


def unread(store: Store) -> list[str]:
    """The SHA-256 of each stored page whose text is not known yet."""
    with store.reading(_LOSS) as db:
        return [sha256 for (sha256,) in db.execute("SELECT sha256 FROM snapshots WHERE text IS NULL ORDER BY key")]


def last_states(store: Store, bundle_id: str) -> dict[str, LastState]:
    """The key of each page that was visited for a bundle → how the last visit ended.

    A page that only a redirect led to is there too.
    """
    query = """
        SELECT page, final_page, state, fetched, snapshot FROM visits WHERE bundle IN (?, '') ORDER BY key
    """
    asked: dict[str, LastState] = {}
    reached: dict[str, LastState] = {}
    with store.reading(_LOSS) as db:
        for page, final_page, *last in db.execute(query, (bundle_id,)):
            asked[page] = reached[final_page] = LastState(*last)
    return reached | asked


def last_states_of(store: Store, bundle_id: str, wanted: Collection[str]) -> dict[str, LastState]:
    """As `last_states`, for a few pages, without a look at the others."""
    query = """
        WITH wanted AS (
            SELECT value AS page,
                   (SELECT max(key) FROM visits WHERE bundle IN (:bundle, '') AND page = value) AS asked,
                   (SELECT max(key) FROM visits WHERE bundle IN (:bundle, '') AND final_page = value) AS reached
            FROM json_each(:wanted))
        SELECT wanted.page, state, fetched, snapshot
        FROM wanted JOIN visits ON visits.key = coalesce(asked, reached)
    """
    pages = msgspec.json.encode(sorted(wanted)).decode()
    with store.reading(_LOSS) as db:
        rows = db.execute(query, {"bundle": bundle_id, "wanted": pages})
        return {page: LastState(*last) for page, *last in rows}


def search_pages(store: Store, bundle_id: str, words: str, limit: int = 50) -> list[Hit]:
    """The stored pages of a bundle that hold all the words, the best first, each page once: as it was fetched last."""
    query = """
        SELECT final_page, sha256, url, snapshots.title, site, fetched, snippet(page_texts, 1, ?, ?, '', ?)
        FROM page_texts JOIN snapshots ON snapshots.key = page_texts.rowid
        WHERE page_texts MATCH ?
          AND EXISTS (SELECT 1 FROM visits WHERE visits.snapshot = sha256 AND bundle IN (?, ''))
        ORDER BY rank LIMIT ?
    """
    with store.reading("The stored pages can't be searched.") as db:
        phrase = search.phrase_of(db, words)
        if phrase is None:
            return []
        rows = db.execute(query, (_OPEN, _CLOSE, _SNIPPET, phrase, bundle_id, limit * _TIMES)).fetchall()
    latest: dict[str, Hit] = {}
    for page, *row in rows:
        hit = _hit(*row)
        if page not in latest or hit.fetched > latest[page].fetched:
            latest[page] = hit  # at the place of the best one
    return list(latest.values())[:limit]


_COLUMNS = ", ".join(SnapshotRow.__struct_fields__)


def _put_snapshot(db: Database, row: SnapshotRow) -> None:
    db.execute(
        """
        INSERT INTO snapshots (sha256, url, page, final_url, final_page, fetched, status, media_type, content, title,
                               site)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (sha256) DO NOTHING
        """,
        (
            *(row.sha256, row.url, _key(row.url), row.final_url, _key(row.final_url), row.fetched, row.status),
            *(row.media_type, row.content, _clean(row.title), _clean(row.site)),
        ),
    )


def _put_text(db: Database, sha256: str, text: str) -> None:
    query = "UPDATE snapshots SET text = ? WHERE sha256 = ? AND text IS NULL RETURNING key, title"
    changed = db.execute(query, (_clean(text), sha256)).fetchone()
    if changed is not None:
        db.execute("INSERT INTO page_texts (rowid, title, text) VALUES (?, ?, ?)", (*changed, _clean(text)))


def _visit(one: Visit) -> tuple[object, ...]:
    asked, answered = _key(one.url), _key(one.final_url)
    return (
        *(one.bundle, one.url, asked, one.final_url, answered),
        *(one.state, one.status, one.fetched, one.snapshot),
    )


def _key(url: str) -> str:
    return page_of(url) or url


def _clean(text: str) -> str:
    """Without what SQLite can't hold or what stands for a mark."""
    return text.translate(_UNSEEN).encode("utf-8", "replace").decode()


def _row(row: tuple) -> SnapshotRow:
    return SnapshotRow(**dict(zip(SnapshotRow.__struct_fields__, row, strict=True)))


def _hit(sha256: str, url: str, title: str, site: str, fetched: str, found: str) -> Hit:
    snippet, marks = _marked(found)
    return Hit(sha256=sha256, url=url, title=title, site=site, fetched=fetched, snippet=snippet, marks=marks)


def _marked(found: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """A snippet without its marks, and where they were."""
    plain: list[str] = []
    marks = []
    at = 0
    for part in found.split(_OPEN):
        word, closed, rest = part.partition(_CLOSE)
        if closed:
            marks.append((at, at + len(word)))
        plain += (word, rest)
        at += len(word) + len(rest)
    return "".join(plain), tuple(marks)
