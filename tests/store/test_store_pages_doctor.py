"""The doctor looks at the stored pages: those that evidence rests on have to be there."""

import hashlib
import sqlite3
from contextlib import closing

import pytest
from msgspec.structs import replace

from desktop_rater.format.change import Progress
from desktop_rater.format.rating import Evidence
from desktop_rater.format.strict_json import sha256
from desktop_rater.format.values import utc_now
from desktop_rater.operations.store.backup import back_up
from desktop_rater.operations.store.salvage import salvage_to
from desktop_rater.pages.response import WebResponse
from desktop_rater.pages.warc import write_snapshot
from desktop_rater.store import pages, ratings, schema, snapshots
from desktop_rater.store.connection import NAME
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.open_store import open_writer
from desktop_rater.store.pages import PageOrigin, SnapshotRow
from desktop_rater.store.sqlite_tools import Database
from tests.readers import reader_of

NAMED, UNNAMED = b"a page that evidence rests on", b"a page that was only read"


def sha(content):
    return hashlib.sha256(content).hexdigest()


def row(content):
    url = "https://kelp.example/"
    return SnapshotRow(
        sha256=sha(content), url=url, final_url=url, fetched="2026-11-20T08:00:00Z", status=200, media_type="text/html"
    )


def name(store, made, *contents):
    """Evidence that names those pages."""
    change = made.change()
    pieces = tuple(Evidence(id=f"e{at}", target="s1", snapshot=sha(one)) for at, one in enumerate(contents))
    ratings.append_revision(store, "november", replace(change, rating=replace(change.rating, evidence=pieces)))


@pytest.fixture
def closed(folder, made):
    with open_writer(folder, command="the window") as store:
        made.imported(store, made.tasks(2))
        for content in (NAMED, UNNAMED):
            snapshots.store_snapshot(folder, sha(content), [content])
            pages.record_visits(store, [], [row(content)], {sha(content): f"It is {content.decode()}."})
        name(store, made, NAMED)
    return folder


def said(report):
    return [finding.text for finding in report.faults], [n.text for n in report.notes if n.check == "pages"]


def test_stored_pages_as_they_should_be_are_sound(closed):
    assert said(examine_store(closed)) == ([], [])


def test_a_page_that_evidence_names_and_that_is_gone_is_a_fault(closed):
    (closed / "snapshots" / f"{sha(NAMED)}.warc.gz").unlink()
    (fault,), notes = said(examine_store(closed))
    assert sha(NAMED) in fault
    assert "https://kelp.example/" in fault
    assert notes == []


def test_a_page_that_evidence_names_and_that_was_altered_is_a_fault(closed):
    (closed / "snapshots" / f"{sha(NAMED)}.warc.gz").write_bytes(b"another page")
    (fault,), _ = said(examine_store(closed))
    assert sha(NAMED) in fault


def test_a_page_that_nothing_rests_on_may_be_thrown_away(closed):
    (closed / "snapshots" / f"{sha(UNNAMED)}.warc.gz").unlink()
    assert said(examine_store(closed)) == ([], ["Missing stored pages that no evidence refers to: 1."])


def test_a_page_of_which_nothing_is_noted_is_good_to_know(closed):
    snapshots.store_snapshot(closed, sha(b"new"), [b"new"])
    faults, (note,) = said(examine_store(closed))
    assert faults == []
    assert "not in the search" in note


def test_evidence_from_another_store_names_pages_that_never_were_here(closed, made):
    with open_writer(closed, command="the window") as store:
        name(store, made, NAMED, b"elsewhere")
    assert said(examine_store(closed)) == ([], ["Pages that evidence refers to and that were never stored here: 1."])


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM page_texts_docsize WHERE id = 1",
        "UPDATE page_texts_data SET block = zeroblob(40) WHERE id > 10",
        "UPDATE snapshots SET text = NULL WHERE key = 1",
        "DELETE FROM snapshots WHERE key = 2",
    ],
)
def test_a_search_that_would_not_find_a_page_is_a_fault(closed, damage, statement):
    damage(statement)
    # Newer versions of SQLite check a full-text index with the database, too.
    assert {"pages"} <= {finding.check for finding in examine_store(closed).faults} <= {"pages", "database"}


KELP = "https://kelp.example/"
MORNING, NOON = "2026-11-20T08:00:00Z", "2026-11-20T12:00:00Z"


@pytest.fixture
def older(tmp_path):
    """A store of version 8: two pages of one address, of which one was fetched a second time."""
    file = tmp_path / "store" / NAME
    file.parent.mkdir()
    with closing(sqlite3.connect(file, isolation_level=None, factory=Database)) as connection:
        connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
        connection.execute("PRAGMA journal_mode = WAL")
        schema.migrate_tables(connection, target=8)
        page, where = "https://kelp.example", "url, page, final_url, final_page, status, fetched"
        shared = (KELP, page, KELP, page, 200)
        for name in "ab":
            connection.execute(
                f"INSERT INTO snapshots ({where}, sha256, media_type, content, title, site) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, '', '', '', '')",
                (*shared, MORNING, name * 64),
            )
        for name, fetched in (("a", MORNING), ("b", MORNING), ("a", NOON)):
            connection.execute(
                f"INSERT INTO visits ({where}, snapshot, bundle, state) VALUES (?, ?, ?, ?, ?, ?, ?, 'november', 'ok')",
                (*shared, fetched, name * 64),
            )
    return file.parent


def answering(store, bundle, rater=""):
    copies = pages.copies_of_url(store, KELP, bundle, rater)
    return [(copy.row.sha256[0], copy.origin.kind) for copy in copies]


def test_of_an_older_store_only_a_page_that_was_fetched_again_is_known_as_fetched(older):
    """A second visit at another time than the file states is a fetch; of a first one nobody knows."""
    with open_writer(older, command="test") as store:
        assert answering(store, "november") == [("a", "fetched"), ("b", "unknown")]
        assert answering(store, "december") == [("a", "fetched")]
        assert answering(store, "november", "r-17") == [("a", "fetched")]
        (origin,) = pages.origins_of_snapshot(store, "a" * 64, "november")
        assert origin == PageOrigin(kind="fetched", bundle="november", arrived=NOON)


def test_an_older_store_that_is_only_read_answers_for_its_own_bundles(older):
    with reader_of(older) as reader:
        assert {kind for _, kind in answering(reader, "november")} == {"unknown"}
        assert answering(reader, "december") == []


def test_a_recovered_store_knows_where_its_pages_came_from(tmp_path):
    content = write_snapshot(
        WebResponse(url=KELP, final_url=KELP, status=200, headers=(("Content-Type", "text/html"),), fetched=MORNING)
    )
    name = sha256(content)
    brought = PageOrigin(kind="bundle", bundle="november", arrived=NOON)
    claimed = PageOrigin(kind="results", bundle="november", rater="r-17", results="f" * 64, arrived=NOON)
    read = PageOrigin(kind="library", bundle="october", arrived=MORNING, library="Papers", library_date="2026-03-01")
    row = SnapshotRow(sha256=name, url=KELP, final_url=KELP, fetched=MORNING, status=200, media_type="text/html")
    with open_writer(tmp_path / "store", command="test") as store:
        snapshots.store_snapshot(store.folder, name, [content])
        pages.record_visits(store, [], [row], origins=[(name, brought), (name, claimed), (name, read)])
        back_up(store, now=utc_now, progress=Progress())
    salvage_to(tmp_path / "store", tmp_path / "saved", progress=Progress(), now=utc_now())
    with open_writer(tmp_path / "saved", command="test") as store:
        assert pages.origins_of_snapshot(store, name, "november", "r-17") == [read, brought, claimed]
        assert answering(store, "november") == [(name[0], "library")]
        assert answering(store, "december") == [(name[0], "library")]
        assert pages.last_states(store, "december") == {}
