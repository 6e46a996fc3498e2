"""Stored pages: snapshots, where they came from, visits, and the search among them."""

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from typing import Literal

import msgspec

from desktop_rater.format.page import PageState
from desktop_rater.store.sqlite_tools import Database, row_struct
from desktop_rater.store.store import Store
from desktop_rater.store.tasks import search_expression
from desktop_rater.text.urls import page_key

_LOSS = "The list of stored pages can't be read."
_SNIPPET = 40  # tokens
_TIMES = 4  # snapshots examined for each page shown
_OPEN, _CLOSE = "\x01", "\x02"  # around matches; no stored text contains them
_UNSEEN = str.maketrans(dict.fromkeys("\0\x01\x02", " "))
_CLOCK_SKEW = timedelta(minutes=5)

OriginKind = Literal["fetched", "rendered", "library", "bundle", "results", "unknown"]
OWN_ORIGINS: frozenset[OriginKind] = frozenset({"fetched", "rendered", "library"})


class PageOrigin(msgspec.Struct, frozen=True, kw_only=True):
    """Origin of a stored page, and the time when it `arrived`.

    `fetched`: this program fetched it at that time, for `bundle` or for all. `rendered`: likewise, as the live view
    rendered it. `library`: likewise, read from that
    library of `library_date`; `arrived` is the time of its document there. `bundle` and `results`: it came with that
    bundle, or with the results of `rater` for it (`results`: the SHA-256 of the zip); who made the file states what it
    holds and when it was fetched. `unknown`: it was stored before origins were recorded.
    """

    kind: OriginKind = "unknown"
    bundle: str = ""
    rater: str = ""
    results: str = ""
    arrived: str = ""
    library: str = ""
    library_date: str = ""

    @property
    def is_own(self) -> bool:
        """Return whether this program got the page itself: from its site, or from a library."""
        return self.kind in OWN_ORIGINS

    def is_plausible(self, fetched: str) -> bool:
        """Return whether a page that arrived then can have been fetched at the stated time."""
        try:
            return datetime.fromisoformat(fetched) <= datetime.fromisoformat(self.arrived) + _CLOCK_SKEW
        except (ValueError, TypeError, OverflowError):
            return False


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


class PageCopy(msgspec.Struct, frozen=True, kw_only=True):
    """A stored page with the origin by which it answers for its URL."""

    row: SnapshotRow
    origin: PageOrigin


class VisitState(msgspec.Struct, frozen=True):
    """Result of the last visit of a page."""

    state: PageState
    fetched: str
    snapshot: str | None


class PageHit(msgspec.Struct, frozen=True, kw_only=True):
    """A stored page that matches a search; `marks` are (start, end) of the matches in the excerpt, in code points.

    `fetched` is empty if the stated time can't be true.
    """

    sha256: str
    url: str
    title: str
    site: str
    fetched: str
    snippet: str
    marks: tuple[tuple[int, int], ...] = ()
    origin: PageOrigin = PageOrigin()


def record_visits(
    store: Store,
    visits: Iterable[VisitRow],
    snapshots: Iterable[SnapshotRow] = (),
    texts: dict[str, str] | None = None,
    origins: Iterable[tuple[str, PageOrigin]] = (),
) -> None:
    """Record visits and pages in one transaction; a known page only gets a missing text (`texts`: SHA-256 → text).

    `origins`: (SHA-256, origin) of pages. A further fetch replaces the time of the one before, a further arrival of the
    same bundle or results does not.
    """
    with store.writing("The fetched pages were not recorded.") as db:
        for row in snapshots:
            _put_snapshot(db, row)
        for sha256, text in (texts or {}).items():
            _put_text(db, sha256, text)
        db.executemany(
            """
            INSERT INTO visits (bundle, url, page, final_url, final_page, state, status, fetched, snapshot)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            map(_visit, visits),
        )
        db.executemany(
            """
            INSERT INTO page_origins (snapshot, origin, bundle, rater, results, arrived, library, library_date)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (snapshot, origin, bundle, rater, results)
            DO UPDATE SET arrived = max(arrived, excluded.arrived) WHERE origin IN ('fetched', 'rendered')
            """,
            ((sha256, *msgspec.structs.astuple(origin)) for sha256, origin in origins),
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


def copies_of_url(store: Store, url: str, bundle: str, rater: str = "", results: str = "") -> list[PageCopy]:
    """Return the stored pages of a requested or final URL that answer for a bundle, the best first.

    Pages fetched here come first, the one seen last before the others; then those rendered here; then those of
    libraries, the newest edition first; then those that came with the bundle, and those of the rater's results for it,
    if a rater is given; `results` limits these to one zip. Pages of unknown origin come last, without a rater, and only
    if they were visited for the bundle. What another bundle or another rater brought is never returned.
    """
    query = f"""
        SELECT {_COLUMNS}, {_ORIGIN}
        FROM snapshots LEFT JOIN page_origins ON snapshot = sha256
        WHERE (page = :page OR final_page = :page) AND {_ANSWERS}
        ORDER BY (SELECT max(visits.key) FROM visits WHERE visits.snapshot = sha256) DESC, snapshots.key DESC
    """  # noqa: S608 - constants
    with store.reading(_LOSS) as db:
        values = {"page": _key(url), "bundle": bundle, "rater": rater, "results": results}
        rows = db.execute(query, values).fetchall()
    copies = [
        PageCopy(row=row_struct(SnapshotRow, row[:_WIDTH]), origin=row_struct(PageOrigin, row[_WIDTH:])) for row in rows
    ]
    copies.sort(key=lambda copy: _moment(copy.origin, copy.row.fetched), reverse=True)
    copies.sort(key=lambda copy: _ORDER.index(copy.origin.kind))
    best: dict[str, PageCopy] = {}
    for copy in copies:
        best.setdefault(copy.row.sha256, copy)
    return list(best.values())


def origins_of_snapshot(store: Store, sha256: str, bundle: str, rater: str = "") -> list[PageOrigin]:
    """Return all origins of a stored page: those by which it answers for the bundle or the rater first."""
    query = f"SELECT {_ORIGIN} FROM page_origins WHERE snapshot = ?"  # noqa: S608 - a constant
    with store.reading(_LOSS) as db:
        origins = [row_struct(PageOrigin, row) for row in db.execute(query, (sha256,))]

    def rank(origin: PageOrigin) -> tuple[bool, int, str]:
        answers = origin.is_own or (origin.bundle == bundle and origin.rater in {"", rater})
        return not answers, _ORDER.index(origin.kind), origin.arrived

    return sorted(origins, key=rank)


def holders_of_url(store: Store, url: str, bundle: str) -> set[str]:
    """Return whose results for a bundle have a page of this URL; "" stands for the bundle or a fetch of one's own."""
    query = f"""
        SELECT DISTINCT rater FROM snapshots JOIN page_origins ON snapshot = sha256
        WHERE (page = :page OR final_page = :page) AND (origin IN {_OWN} OR bundle = :bundle)
    """  # noqa: S608 - a constant
    with store.reading(_LOSS) as db:
        return {rater for (rater,) in db.execute(query, {"page": _key(url), "bundle": bundle})}


def fetched_contents(store: Store, url: str, content: str) -> list[str]:
    """Return the SHA-256 of each page of a URL with this content that was fetched here, the newest row first."""
    query = """
        SELECT sha256 FROM snapshots WHERE (page = :page OR final_page = :page) AND content = :content
        AND EXISTS (SELECT 1 FROM page_origins WHERE snapshot = sha256 AND origin = 'fetched') ORDER BY key DESC
    """
    with store.reading(_LOSS) as db:
        rows = db.execute(query, {"page": _key(url), "content": content})
        return [sha256 for (sha256,) in rows]


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


def located_snapshots(store: Store) -> set[str]:
    """Return the SHA-256 of each stored page with an origin or a visit."""
    query = "SELECT snapshot FROM page_origins UNION SELECT snapshot FROM visits WHERE snapshot IS NOT NULL"
    with store.reading(_LOSS) as db:
        return {sha256 for (sha256,) in db.execute(query)}


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
    """Return the stored pages of a bundle that contain all the words, best first, each in its latest version.

    Pages of raters' results for the bundle are included; of one page a version of a better origin comes before them.
    """
    query = f"""
        SELECT final_page, sha256, url, snapshots.title, site, fetched, {_ORIGIN},
               snippet(page_texts, 1, :open, :close, '', :size)
        FROM page_texts JOIN snapshots ON snapshots.key = page_texts.rowid
             LEFT JOIN page_origins ON snapshot = sha256
        WHERE page_texts MATCH :phrase AND (origin = 'results' AND bundle = :bundle OR
              {_ANSWERS} AND (origin = 'library' AND bundle IN (:bundle, '') OR
              EXISTS (SELECT 1 FROM visits WHERE visits.snapshot = sha256 AND visits.bundle IN (:bundle, ''))))
        ORDER BY rank LIMIT :most
    """  # noqa: S608 - constants
    from desktop_rater.text.quotes import written_forms  # noqa: PLC0415 - only for a search

    with store.reading("The stored pages can't be searched.") as db:
        expressions = [search_expression(form) for form in written_forms(text)]
        phrase = " OR ".join(f"({form.full})" for form in expressions if form is not None)
        if not phrase:
            return []
        values = {"open": _OPEN, "close": _CLOSE, "size": _SNIPPET, "phrase": phrase, "most": limit * _TIMES}
        rows = db.execute(query, {**values, "bundle": bundle_id, "rater": "", "results": ""}).fetchall()

    def rank(hit: PageHit) -> tuple[int, str]:
        return -_ORDER.index(hit.origin.kind), hit.fetched

    best: dict[str, PageHit] = {}
    for page, sha256, url, title, site, stated, *columns, marked in rows:
        origin = row_struct(PageOrigin, columns)
        fetched = stated if origin.kind == "unknown" else _moment(origin, stated)
        names = {"sha256": sha256, "url": url, "title": title, "site": site, "fetched": fetched}
        snippet, marks = _split_marks(marked)
        hit = PageHit(**names, snippet=snippet, marks=marks, origin=origin)
        if page not in best or rank(hit) > rank(best[page]):
            best[page] = hit  # at the position of the best match
    return list(best.values())[:limit]


def _moment(origin: PageOrigin, fetched: str) -> str:
    """Return the time that orders pages of one origin: one's own, or else the stated one if it can be true."""
    if origin.is_own:
        return origin.arrived
    return fetched if origin.is_plausible(fetched) else ""


_ORDER: tuple[OriginKind, ...] = ("fetched", "rendered", "library", "bundle", "results", "unknown")
_OWN = str(tuple(sorted(OWN_ORIGINS)))
_COLUMNS = ", ".join(SnapshotRow.__struct_fields__)
_WIDTH = len(SnapshotRow.__struct_fields__)
_ORIGIN = """
    coalesce(origin, 'unknown'), coalesce(page_origins.bundle, ''), coalesce(rater, ''), coalesce(results, ''),
    coalesce(arrived, ''), coalesce(library, ''), coalesce(library_date, '')
"""
# Rows of page_origins (all NULL: unknown) by which a snapshot answers for :bundle, and :rater and :results if given.
_ANSWERS = f"""
    (origin IN {_OWN}
     OR page_origins.bundle = :bundle AND (origin = 'bundle' OR
        origin = 'results' AND rater = :rater AND rater <> '' AND :results IN ('', results))
     OR origin IS NULL AND :rater = ''
        AND EXISTS (SELECT 1 FROM visits WHERE visits.snapshot = sha256 AND visits.bundle IN (:bundle, '')))
"""  # noqa: S608 - a constant


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
