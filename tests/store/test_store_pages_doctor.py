"""The doctor looks at the stored pages: those that evidence rests on have to be there."""

import hashlib

import pytest
from msgspec.structs import replace

from desktop_rater.format.rating import Evidence
from desktop_rater.store import pages, ratings, snapshots
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.open_store import open_writer
from desktop_rater.store.pages import SnapshotRow

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
