"""Stored pages: snapshots, visits and the search among them."""

from collections.abc import Collection, Iterable

import msgspec

from desktop_rater.model.page import PageState
from desktop_rater.store import tasks
from desktop_rater.store.sqlite_tools import Database, row_struct
from desktop_rater.store.store import Store
from desktop_rater.text.urls import page_key

_LOSS = "The list of stored pages can't be read."
_SNIPPET = 40  # tokens
_TIMES = 4  # snapshots examined for each page shown
_OPEN, _CLOSE = "\x01", "\x02"  # around matches; no stored text contains them
_UNSEEN = str.maketrans(dict.fromkeys("\0\x01\x02", " "))


class VisitRow(msgspec.Struct, frozen=True, kw_only=True):
    """A page that was requested or came with a bundle; `bundle` is empty for one that belongs to all."""

    bundle: str
    url: str
    final_url: str
    state: PageState
    status: int
    fetched: str
    snapshot: str | None = None


class SnapshotRow(msgspec.Struct, frozen=True, kw_only=True):
    """A stored page. `content` is equal for pages with the same content, and empty until the file has been read."""

    sha256: str
    url: str
    final_url: str
    fetched: str
    status: int
    media_type: str
    content: str = ""
    title: str = ""
    site: str = ""


class VisitState(msgspec.Struct, frozen=True):
    """Result of the last visit of a page."""

    state: PageState
    fetched: str
    snapshot: str | None


class PageHit(msgspec.Struct, frozen=True, kw_only=True):
    """A stored page that matches a search; `marks` are (start, end) of the matches in the excerpt, in code points."""

    sha256: str
    url: str
    title: str
    site: str
    fetched: str
    snippet: str
    marks: tuple[tuple[int, int], ...] = ()


def record_visits(
    store: Store, visits: Iterable[VisitRow], snapshots: Iterable[SnapshotRow] = (), texts: dict[str, str] | None = None
) -> None:
    """Record visits and pages in one transaction; a known page only gets a missing text (`texts`: SHA-256 → text)."""
    with store.writing("The fetched pages were not recorded.") as db:
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


def store_page_text(store: Store, row: SnapshotRow, text: str) -> None:
    """Store the text of a page for the search."""
    with store.writing("The text of a stored page was not saved.") as db:
        _put_snapshot(db, row)
        db.execute(
            "UPDATE snapshots SET content = ?, title = ?, site = ? WHERE sha256 = ? AND text IS NULL",
            (row.content, _clean(row.title), _clean(row.site), row.sha256),
        )
        _put_text(db, row.sha256, text)


def snapshots_of_url(store: Store, url: str) -> list[SnapshotRow]:
    """Return the stored pages of a requested or final URL, the one seen last first."""
    page = _key(url)
    query = f"""
        SELECT {_COLUMNS}, (SELECT max(visits.fetched) FROM visits WHERE visits.snapshot = sha256) AS seen,
               (SELECT max(visits.key) FROM visits WHERE visits.snapshot = sha256) AS visit
        FROM snapshots WHERE page = :page OR final_page = :page
        ORDER BY coalesce(seen, fetched) DESC, visit DESC, key DESC
    """  # noqa: S608 - constants
    with store.reading(_LOSS) as db:
        return [row_struct(SnapshotRow, row[:-2]) for row in db.execute(query, {"page": page})]


def find_snapshot_row(store: Store, sha256: str) -> SnapshotRow | None:
    """Return the row of a stored page."""
    query = f"SELECT {_COLUMNS} FROM snapshots WHERE sha256 = ?"  # noqa: S608 - a constant
    with store.reading(_LOSS) as db:
        row = db.execute(query, (sha256,)).fetchone()
    return None if row is None else row_struct(SnapshotRow, row)


def recorded_snapshots(store: Store) -> set[str]:
    """Return the SHA-256 of each stored page that has a row."""
    with store.reading(_LOSS) as db:
        return {sha256 for (sha256,) in db.execute("SELECT sha256 FROM snapshots")}


def unparsed_snapshots(store: Store) -> list[str]:
    """Return the SHA-256 of each stored page without a text."""
    with store.reading(_LOSS) as db:
        return [sha256 for (sha256,) in db.execute("SELECT sha256 FROM snapshots WHERE text IS NULL ORDER BY key")]


def last_states(store: Store, bundle_id: str) -> dict[str, VisitState]:
    """Map the key of each page visited for a bundle, also by a redirect, to the result of its last visit."""
    query = """
        SELECT page, final_page, state, fetched, snapshot FROM visits WHERE bundle IN (?, '') ORDER BY key
    """
    requested: dict[str, VisitState] = {}
    reached: dict[str, VisitState] = {}
    with store.reading(_LOSS) as db:
        for page, final_page, *last in db.execute(query, (bundle_id,)):
            requested[page] = reached[final_page] = VisitState(*last)
    return reached | requested


def last_states_of(store: Store, bundle_id: str, wanted: Collection[str]) -> dict[str, VisitState]:
    """Return `last_states` of a few pages, without reading the others."""
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
        return {page: VisitState(*last) for page, *last in rows}


def search_pages(store: Store, bundle_id: str, text: str, limit: int = 50) -> list[PageHit]:
    """Return the stored pages of a bundle that contain all the words, best first, each in its latest version."""
    query = """
        SELECT final_page, sha256, url, snapshots.title, site, fetched, snippet(page_texts, 1, ?, ?, '', ?)
        FROM page_texts JOIN snapshots ON snapshots.key = page_texts.rowid
        WHERE page_texts MATCH ?
          AND EXISTS (SELECT 1 FROM visits WHERE visits.snapshot = sha256 AND bundle IN (?, ''))
        ORDER BY rank LIMIT ?
    """
    with store.reading("The stored pages can't be searched.") as db:
        phrase = tasks.fts_expression(db, text)
        if phrase is None:
            return []
        rows = db.execute(query, (_OPEN, _CLOSE, _SNIPPET, phrase, bundle_id, limit * _TIMES)).fetchall()
    latest: dict[str, PageHit] = {}
    for page, *row, marked in rows:
        hit = row_struct(PageHit, (*row, *_split_marks(marked)))
        if page not in latest or hit.fetched > latest[page].fetched:
            latest[page] = hit  # at the position of the best match
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


def _visit(visit: VisitRow) -> tuple[object, ...]:
    page, final_page = _key(visit.url), _key(visit.final_url)
    return (
        *(visit.bundle, visit.url, page, visit.final_url, final_page),
        *(visit.state, visit.status, visit.fetched, visit.snapshot),
    )


def _key(url: str) -> str:
    return page_key(url) or url


def _clean(text: str) -> str:
    """Remove characters that SQLite can't store or that serve as marks."""
    return text.translate(_UNSEEN).encode("utf-8", "replace").decode()


def _split_marks(marked: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    plain: list[str] = []
    marks = []
    offset = 0
    for part in marked.split(_OPEN):
        word, closed, rest = part.partition(_CLOSE)
        if closed:
            marks.append((offset, offset + len(word)))
        plain += (word, rest)
        offset += len(word) + len(rest)
    return "".join(plain), tuple(marks)
