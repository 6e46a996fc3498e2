"""A rater without a network finds passages for a claim in libraries, reads them, and takes them as evidence."""

import time

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.format.rating import CONTRADICTING, SUPPORTING, LibraryName
from desktop_rater.pages.guard import Guard
from desktop_rater.pages.response import WEB_LIMITS
from desktop_rater.pages.web_client import Web
from desktop_rater.plugins.library.catalogue import Library
from desktop_rater.plugins.library.search import add_library
from tests.operations.bundles import noon, task
from tests.ui.rooms import part, press, type_text

BORN = "Andrei Broder was born in Bucharest in 1953."
THESIS = "His doctoral thesis at Stanford was supervised by Donald Knuth in 1985."
LATER = "On 1 May 2026 Andrei Broder received a prize in Haifa."
TASK = task("t1", BORN, THESIS, LATER)
ARTICLES = {
    "broder.html": (
        "Andrei Broder",
        "Andrei Broder was born in Bucharest in 1954, and moved to Israel as a young man.",
        "After a doctoral thesis at Stanford, where his adviser was Donald Knuth, he turned to web search.",
    ),
    "knuth.html": ("Donald Knuth", "Among those whose doctoral thesis he supervised at Stanford is Andrei Broder."),
    "geese.html": ("Geese", "Live geese were bought from the market at Montreuil."),
}
WIKIPEDIA = LibraryName(name="Wikipedia", date="2026-03-01")


def write(folder, articles):
    """Write articles as the HTML files of a folder."""
    folder.mkdir()
    for file, (title, *paragraphs) in articles.items():
        text = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
        page = f"<html lang=en><title>{title}</title><article><h1>{title}</h1>{text}</article></html>"
        (folder / file).write_text(page, "utf-8")
    return folder


def add(store, name, folder, day=""):
    """Add a library of a folder, read and indexed as by the command; one without a day is one of a hub, not signed."""
    wanted = Library(id="", name=name, kind="folder", date=day, sources=(str(folder),), unsigned=not day)
    with Web(Guard(), WEB_LIMITS, time.monotonic, noon) as web:
        return add_library(store, wanted, web, Progress())


@pytest.fixture
def room(rooms, tmp_path):
    """A window with two libraries, at the first of three targets, which is called factual."""
    store, papers = tmp_path / "store", {"minhash.html": ("MinHash", "Scheme invented 1997.")}
    add(store, "Wikipedia", write(tmp_path / "articles", ARTICLES), "2026-03-01")
    add(store, "Papers", write(tmp_path / "papers", papers))
    room = rooms.with_tasks(TASK)
    rooms.qtbot.waitUntil(lambda: bool(room.window.parts["library"].ready))
    press("Y")
    return room


def rows(room):
    return part(room, "library_search_rows").model().rows


def label(room, name):
    shown = part(room, f"library_{name}")
    return shown.text() if shown.isVisible() else ""


def search(room, qtbot):
    press("Alt+L")
    qtbot.waitUntil(lambda: bool(rows(room)) and part(room, "library_field").hasFocus())


def record(room, kind):
    session = room.session
    return [entry for entry in session.research.entries(session.bundle, session.rating) if entry.kind == kind]


def test_one_key_leads_from_the_claim_to_passages_and_the_values_to_look_at(room, qtbot):
    search(room, qtbot)
    assert part(room, "library_field").text() == BORN
    first, second = rows(room)
    assert (first.title, first.end, first.values) == (
        "Andrei Broder",
        "Wikipedia of 1 March 2026",
        "differs: 1953 / 1954",
    )
    assert second.values == "not in this passage: 1953"
    assert second.values in second.spoken
    assert second.values in second.tooltip
    assert not part(room, "preview_view").isVisible(), "no page is shown"
    assert [first.excerpt[slice(*span)] for span in first.words] == ["Andrei", "Broder", "born", "Bucharest"]
    assert label(room, "count") == "2 passages in 2 documents, best first"
    assert label(room, "notes") == "Nothing found in Papers."
    (entry,) = record(room, "search")
    assert (entry.target, entry.query, entry.hits, len(entry.libraries)) == ("s1", BORN, 2, 2)
    press("Esc")
    assert not room.window.preview.is_open
    assert room.window.form_pane.form.hasFocus()


def test_a_document_opens_at_the_passage_and_esc_leads_back_to_the_list_then_to_the_task(room, qtbot):
    search(room, qtbot)
    press("Down", "Return")
    pane = room.window.preview
    qtbot.waitUntil(lambda: pane.shows_reader and room.browsing.page is not None and not room.browsing.is_loading)
    page = room.browsing.page
    assert (page.title, page.library) == ("Donald Knuth", WIKIPEDIA)
    assert pane.reader.hasFocus()
    assert part(room, "preview_view").isVisible()
    assert pane.reader.passage.quote == ARTICLES["knuth.html"][1]
    press("S")
    (piece,) = room.session.rating.evidence
    assert (piece.library, piece.url, piece.snapshot) == (WIKIPEDIA, page.url, page.snapshot)
    room.session.store_research()
    (visit,) = record(room, "page")
    assert (visit.libraries, visit.outcome) == ((WIKIPEDIA,), "taken")
    press("Esc")
    assert pane.page_view is part(room, "library_search")
    assert part(room, "library_field").hasFocus()
    assert part(room, "library_search_rows").currentIndex().row() == 1
    press("Esc")
    assert not pane.is_open


def test_passages_are_taken_in_the_list_with_their_snapshots(room, rooms, qtbot):
    search(room, qtbot)
    press("Tab")
    results = part(room, "library_search_rows")
    assert results.hasFocus()
    press("C", "Down", "S")  # faster than a document is read
    qtbot.waitUntil(lambda: len(room.session.rating.evidence) == 2)
    assert results.hasFocus()
    against, supporting = sorted(room.session.rating.evidence, key=lambda piece: piece.stance)
    assert (against.stance, against.quote, against.title) == (
        CONTRADICTING,
        ARTICLES["broder.html"][1],
        "Andrei Broder",
    )
    assert (supporting.stance, supporting.library, against.suffix) == (
        SUPPORTING,
        WIKIPEDIA,
        "\nAfter a doctoral thesis at Stan",
    )
    assert [row.state for row in rows(room)] == ["Contradicts", "Supports"]
    assert {visit.title for visit in record(room, "page")} == {"Andrei Broder", "Donald Knuth"}
    rooms.wait_until_saved(room)
    assert rooms.stored("t1").evidence == room.session.rating.evidence
    assert (room.reader.folder / "snapshots").rglob(f"{against.snapshot}*")
    press("Return")
    qtbot.waitUntil(lambda: room.browsing.page is not None and not room.browsing.is_loading)
    rooms.let_pass(room, 20)
    press("Esc", "C")
    qtbot.waitUntil(lambda: {piece.stance for piece in room.session.rating.evidence} == {CONTRADICTING})
    visits = [(visit.title, visit.outcome, visit.seconds) for visit in record(room, "page")]
    assert sorted(visits) == [("Andrei Broder", "taken", 0), ("Donald Knuth", "taken", 20)], "no page has two entries"


def test_typed_words_are_searched_the_last_ones_count_and_quotation_marks_are_exact(room, qtbot):
    search(room, qtbot)
    type_text("scheme")
    qtbot.waitUntil(lambda: [row.title for row in rows(room)] == ["MinHash"])
    assert label(room, "notes") == "Nothing found in Wikipedia of 1 March 2026."
    part(room, "library_field").selectAll()
    type_text('"doctoral thesis he"')
    qtbot.waitUntil(lambda: [row.title for row in rows(room)] == ["Donald Knuth"])
    part(room, "library_field").selectAll()
    type_text("zeppelin")
    qtbot.waitUntil(lambda: label(room, "count") == "Nothing found")
    press("Down")
    assert [(entry.query, entry.hits) for entry in record(room, "search")] == [(BORN, 2), ("zeppelin", 0)]
    press("Esc", "Shift+F4")
    lines = [(row.title, row.detail) for row in part(room, "research_list").model().rows]
    assert lines[-1] == ("“zeppelin”", "nothing found in Papers and Wikipedia of 1 March 2026")


def test_a_library_is_switched_off_and_one_that_ends_before_the_claim_says_so(room, qtbot):
    press("J", "J", "Y")
    search(room, qtbot)
    assert label(room, "late") == "The claim is about 1 May 2026; Wikipedia ends on 1 Mar 2026."
    chip = part(room, "library_wikipedia")
    assert part(room, "library_papers").text() == "Papers, not signed"
    assert chip.text() == "Wikipedia of 1 March 2026"
    chip.setFocus()
    press("Space")
    qtbot.waitUntil(lambda: label(room, "count") == "Nothing found")
    assert label(room, "late") == ""
    assert label(room, "notes") == "Nothing found in Papers."


def test_the_next_targets_are_searched_ahead_and_nothing_is_taken(room, qtbot):
    commands, line = room.window.parts["library"], part(room, "library_line")
    ready = commands.ready
    qtbot.waitUntil(lambda: all(commands.known_answer(text, text, ready) for text in (BORN, THESIS, LATER)))
    assert line.isVisible()
    assert line.label == "Passages in the libraries: 2"
    assert not room.window.preview.is_open
    press("J")
    search(room, qtbot)
    assert rows(room)[0].title == "Donald Knuth"
    press("Tab", "J")
    qtbot.waitUntil(lambda: part(room, "library_field").text() == LATER)
    assert [entry.query for entry in record(room, "search")] == [THESIS], "what only stands there is no search"
    assert not room.session.rating.evidence
    room.session.close()
    assert commands.known_answer(BORN, BORN, ready) is None
