"""A rater without a network finds passages for a claim in libraries, reads them, and takes them as evidence."""

from __future__ import annotations

import time

import pytest
from PySide6.QtWidgets import QApplication

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


def add(store, folder, name, articles, day=""):
    """Add a library of those articles, read and indexed as by the command."""
    folder.mkdir()
    for file, (title, *paragraphs) in articles.items():
        text = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
        page = f"<html lang=en><title>{title}</title><article><h1>{title}</h1>{text}</article></html>"
        (folder / file).write_text(page, "utf-8")
    wanted = Library(id="", name=name, kind="folder", date=day, sources=(str(folder),))
    with Web(Guard(), WEB_LIMITS, time.monotonic, noon) as web:
        return add_library(store, wanted, web, Progress())


@pytest.fixture
def room(rooms, tmp_path):
    """A window with two libraries, at the first of three targets, which is called factual."""
    add(tmp_path / "store", tmp_path / "articles", "Wikipedia", ARTICLES, "2026-03-01")
    add(tmp_path / "store", tmp_path / "papers", "Papers", {"minhash.html": ("MinHash", "A scheme of 1997.")})
    room = rooms.with_tasks(TASK)
    rooms.qtbot.waitUntil(lambda: bool(room.window.parts["library"].ready))
    press("Y")
    return room


def rows(room):
    return part(room, "library_results").model().rows


def search(room, qtbot):
    press("Alt+L")
    qtbot.waitUntil(lambda: rows(room) and part(room, "library_field").hasFocus())


def searches(room):
    return [entry for entry in room.session.research.entries(room.session.bundle, room.session.rating)]


def test_one_key_leads_from_the_claim_to_passages_and_their_values(room, qtbot):
    search(room, qtbot)
    assert part(room, "library_field").text() == BORN
    first = rows(room)[0]
    assert (first.title, first.end) == ("Andrei Broder", "Wikipedia of 1 March 2026")
    print(rows(room), part(room, "library_count").text(), part(room, "library_notes").text(), searches(room))
    assert first.values == "differs: 1953 / 1954"
