"""Where pages came from survives an update of an older store and a recovery, and is never made up."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.format.strict_json import sha256
from desktop_rater.format.values import utc_now
from desktop_rater.operations.store.backup import back_up
from desktop_rater.operations.store.salvage import salvage_to
from desktop_rater.pages.response import WebResponse
from desktop_rater.pages.warc import write_snapshot
from desktop_rater.store import pages, schema, snapshots
from desktop_rater.store.connection import NAME, WritingDatabase
from desktop_rater.store.open_store import open_reader, open_writer
from desktop_rater.store.pages import PageOrigin, SnapshotRow

KELP = "https://kelp.example/"
MORNING, NOON = "2026-11-20T08:00:00Z", "2026-11-20T12:00:00Z"


@pytest.fixture
def older(tmp_path):
    """A store of version 8: two pages of one address, of which one was fetched a second time."""
    file = tmp_path / "store" / NAME
    file.parent.mkdir()
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
        connection.execute("PRAGMA journal_mode = WAL")
        db = WritingDatabase(connection, recursive_triggers=False, execute_plugins=False)
        schema.migrate_tables(db, target=8)
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
    reader = open_reader(older)
    assert reader is not None
    with reader:
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
