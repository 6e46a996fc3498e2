"""Ten claims researched without a network, in a library, and what a lead who has no library sees of it."""

import socket
import time

import pytest

from desktop_rater.format.archive import open_bundle
from desktop_rater.format.change import Progress
from desktop_rater.format.rating import LibraryName, ResearchEntry
from desktop_rater.format.values import format_time
from desktop_rater.operations.audit.check_results import check_results
from desktop_rater.operations.pages.stored_pages import store_page
from desktop_rater.operations.self_test import sample_bundle_path
from desktop_rater.pages.guard import Guard
from desktop_rater.pages.response import WEB_LIMITS
from desktop_rater.pages.warc import read_snapshot
from desktop_rater.pages.web_client import Web
from desktop_rater.plugins.library.catalogue import Library, list_libraries
from desktop_rater.plugins.library.search import add_library, read_document, search_libraries
from tests.operations.bundles import RATER, make, noon, task
from tests.ui.articles import choose
from tests.ui.reviews import reviewing
from tests.ui.rooms import Rooms, part, press

DOCUMENTS = 300
DATE = "2026-03-01"
NOVEL = "Murder on the Orient Express came out in Britain on 1 January 1934."
NOVEL_QUOTE = "Agatha Christie's novel came out in Britain on 1 January 1934"
NOWHERE = "Zoltar outsold Quendor."


def bridge(number, year):
    return f"The bridge at Holm{number} was opened in {year}"


# Claim → what a page says about it, and the key for that.
CLAIMS = {
    **{f"{bridge(number, 1900 + number)}.": (bridge(number, 1900 + number), "S") for number in range(11, 17)},
    **{f"{bridge(number, 1850)}.": (bridge(number, 1900 + number), "C") for number in (31, 32)},
    NOVEL: (NOVEL_QUOTE, "S"),
    NOWHERE: ("", ""),
}
STANCES = {"S": "supporting", "C": "contradicting"}
ANSWERS = {
    "S": {"factual": "yes", "accuracy": "accurate"},
    "C": {"factual": "yes", "accuracy": "inaccurate", "severity": "minor"},
    "": {"factual": "yes", "common_knowledge": "no", "expected_to_be_found": "no", "accuracy": "unsupported"},
}


@pytest.fixture
def offline():
    """Access to the web that reaches nothing, and the hosts that were asked for."""
    asked: list[str] = []

    def refuse(host, *_more, **_named):
        asked.append(host)
        raise socket.gaierror(socket.EAI_NONAME, "there is no network")

    with Web(Guard(resolve=refuse), WEB_LIMITS, time.monotonic, noon) as web:
        yield web, asked


def documents(folder):
    """The pages that come with the sample, and some hundred that were made for the test."""
    folder.mkdir()
    with open_bundle(sample_bundle_path()) as sample:
        for number, sha256 in enumerate(sample.snapshots):
            file = folder / f"{sha256}.warc.gz"
            file.write_bytes(b"".join(sample.snapshot(sha256)))
            (folder / f"page {number}.html").write_bytes(read_snapshot(file).body)
            file.unlink()
    for number in range(DOCUMENTS):
        text = f"<p>{bridge(number, 1900 + number % 90)}, and has {number % 7 + 2} arches.</p><p>Boats pass below.</p>"
        (folder / f"holm{number}.html").write_text(f"<title>Holm{number}</title><article>{text}</article>")
    return folder


class Rater:
    """A rater at a window without a network, whose library is searched for each claim."""

    def __init__(self, rooms, room, web):
        self.rooms, self.room, self.web = rooms, room, web
        self.store = rooms.folder / "store"

    def search(self, claim):
        """Search the library for a claim, and note it in the record of research."""
        found = search_libraries(self.store, claim)
        session, library = self.room.session, LibraryName(name="Papers", date=DATE)
        entry = ResearchEntry(
            kind="search", target="s1", query=claim, libraries=(library,), hits=len(found), at=format_time(noon())
        )
        session.research.add(session.bundle, session.task.id, entry)
        return found

    def read(self, found):
        """Store a document like a page, and open it."""
        fetched = read_document(self.store, found.library, found.passage.place, self.web, Progress())
        done = []
        self.room.perform.perform(store_page, fetched, self.room.session.bundle, done=done.append)
        self.rooms.qtbot.waitUntil(lambda: bool(done))
        self.room.browsing.open_stored(fetched.page.url)
        self.rooms.wait_for_page(self.room, fetched.page.url)
        self.room.window.preview.focus_page()

    def answer(self, answers):
        """Answer what is open by the key that its cap shows."""
        session, form = self.room.session, self.room.window.form_pane.form
        while (question := next((asked for asked in session.form_questions if asked.open), None)) is not None:
            choices = [choice.id for choice in question.question.choices]
            if not choices:
                break
            press(form.row(question.question.id).buttons[choices.index(answers[question.question.id])].key)

    def judge(self, claim):
        """Research a claim, take what decides, and answer."""
        quote, key = CLAIMS[claim]
        press("Y")
        found = self.search(claim)
        if key:
            self.read(found[0])
            assert part(self.room, "page_state_words").text() == "From Papers of 1 March 2026, offline library"
            choose(self.room, quote)
            press(key, "Esc")
            (row,) = self.room.window.form_pane.form.evidence.model.rows
            assert "from Papers of 1 March 2026" in row.spoken
        else:
            assert found == []
        self.answer(ANSWERS[key])
        if not key:
            press("Shift+W")  # the comment is drafted from the record
            self.rooms.let_pass(self.room, 600)
        self.rooms.wait_until_saved(self.room)
        press("Ctrl+Shift+Return")


def test_ten_claims_are_judged_offline_and_checked_where_there_is_no_library(rooms, qtbot, offline, run, tmp_path):
    web, asked = offline
    store = rooms.folder / "store"
    wanted = Library(id="", name="Papers", kind="folder", date=DATE, sources=(str(documents(tmp_path / "papers")),))
    library = add_library(store, wanted, web, Progress())
    assert library.documents == DOCUMENTS + 4
    tasks = [task(f"t{number:02}", claim) for number, claim in enumerate(CLAIMS, 1)]
    room = rooms.empty(web=web)
    room.transfer.import_bundle(make(rooms.folder / "kelp.zip", tasks))
    rater = Rater(rooms, room, web)
    for number, claim in enumerate(CLAIMS, 1):
        rooms.wait_for_task(room, f"t{number:02}")
        rater.judge(claim)
    qtbot.waitUntil(lambda: room.window.banners.text("all_done") is not None)
    comment = rooms.stored("t10", "kelp").answers.targets["s1"]["comment"]
    assert comment == f"Searched Papers of 1 March 2026 for “{NOWHERE}”: nothing found."

    results = rooms.files.to_write = tmp_path / "results.zip"
    press("Ctrl+Shift+E")
    qtbot.waitUntil(results.exists)
    rooms.shut(room)
    assert run("check", results).status == 0
    checked = check_results(results, Progress())
    assert (checked.complete, checked.broken, checked.rater) == (len(CLAIMS), (), RATER)
    assert not any("missing" in note for note in checked.notes)

    lead = Rooms(qtbot, tmp_path / "lead", rooms.clock)
    lead.folder.mkdir()
    try:
        look_at_the_results(lead, results)
    finally:
        lead.close()
    assert asked == [], "nothing was looked for on the network"


def look_at_the_results(lead, results):
    """The lead opens a passage from the results alone, and finds in the report what rests on the library."""
    room, review = reviewing(lead, [results])
    assert list_libraries(lead.folder / "store") == []
    review.open("t01", "targets/s1", RATER)
    stored = review.compare.stored
    lead.qtbot.waitUntil(lambda: review.desk.task is not None and review.desk.task.id == "t01")
    cells = review.compare.grid.comparison.columns[0].cells
    assert any("page stored, from the library Papers of 1 March 2026" in cell.spoken for cell in cells)
    press("1", "O")
    lead.qtbot.waitUntil(lambda: stored.reader.page is not None)
    assert part(room, "stored_page_origin").text().startswith("From Papers of 1 March 2026, offline library. From the")
    lead.qtbot.waitUntil(lambda: stored.reader.textCursor().selectedText() == bridge(11, 1911))

    press("Ctrl+3")
    report = room.screens.screen("report")
    lead.qtbot.waitUntil(lambda: report.figures.report is not None and report.board.is_complete)
    evidence, label = report.figures.report.libraries
    assert (evidence.name, evidence.count, evidence.of) == ("Papers", 9, 9)
    assert (label.value, label.count, label.of, label.places) == ("unsupported", 1, 1, (("t10", "targets/s1", RATER),))
    card = report.board.libraries
    card.table.setFocus()
    card.table.choose(len(card.table.table_model.table.keys) - 1)
    press("Return")
    lead.qtbot.waitUntil(lambda: review.desk.name == ("t10", "targets/s1"))
