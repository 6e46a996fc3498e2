"""Scenes of the offline libraries: passages for a claim, a document opened from there, and what was decided before."""

from __future__ import annotations

import json

from desktop_rater.format.change import Progress
from desktop_rater.format.rating import SUPPORTING, Claim
from desktop_rater.plugins.library.catalogue import Library
from desktop_rater.plugins.library.search import add_library
from desktop_rater.ui.pages.reader_view import claim_or_quote
from tools.tour.stage import Stage

ARTICLES: dict[str, tuple[str, ...]] = {
    "Hannibal": (
        "Hannibal set out from New Carthage in the spring of 218 BC and crossed the Pyrenees with a large army.",
        "He crossed the Alps in the autumn of 218 BC with about 30,000 men, 8,000 horses and 37 elephants.",
        "Which pass he took is disputed to this day: Polybius and Livy describe the way differently.",
    ),
    "Second Punic War": (
        "The war began in 218 BC, when Hannibal led his army from Iberia over the Alps into Italy.",
        "Most of the elephants died in the winter after the battle of the Trebia; one carried Hannibal in 217 BC.",
    ),
    "Col de Clapier": (
        "The Col de Clapier is a pass of 2,477 metres between Savoy and Piedmont.",
        "It is one of the passes by which Hannibal may have crossed the Alps, besides the Col de la Traversette.",
    ),
}
CASES_AT = "s2"
PAPERS = {"Deposits of a mire": ("Layers of dung in a mire were dated by radiocarbon to a century around 200 BC.",)}


def play_library(stage: Stage) -> None:
    """Search two libraries for the words of a target, and take a passage from the list."""
    for name, date, documents in (("Wikipedia", "2026-03-01", ARTICLES), ("Project papers", "", PAPERS)):
        folder = stage.folder / name
        folder.mkdir()
        for title, paragraphs in documents.items():
            lines = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
            page = f"<html lang=en><title>{title}</title><article><h1>{title}</h1>{lines}</article></html>"
            (folder / f"{title}.html").write_text(page, encoding="utf-8")
        wanted = Library(id="", name=name, kind="folder", date=date, licence="CC BY-SA 4.0", sources=(str(folder),))
        add_library(stage.folder / "store", wanted, stage.web, Progress())
    commands = stage.window.parts["library"]
    commands.read_libraries()
    stage.wait(lambda: len(commands.ready) == 2)
    stage.go("s2")
    stage.act("search_libraries")
    stage.wait(lambda: commands.view.model.rowCount() > 1)
    taken = len(stage.session.rating.evidence)
    stage.window.parts["pages"].passages.take(SUPPORTING)
    stage.wait(lambda: len(stage.session.rating.evidence) > taken)


def play_document(stage: Stage) -> None:
    """Open the document of the next passage."""
    view = stage.window.parts["library"].view
    view.list.setCurrentIndex(view.model.index(1))
    stage.read(view.open_passage)


def leave_document(stage: Stage) -> None:
    """Close the document, take the evidence back, and remove the libraries."""
    stage.browsing.close()
    stage.act("undo")
    commands = stage.window.parts["library"]
    for library in commands.libraries:
        commands.remove(library)
    stage.wait(lambda: not commands.libraries)


def play_cases(stage: Stage) -> None:
    """List decided cases like a claim, and choose a piece of their evidence."""
    stage.open("t-0001")
    stage.go(CASES_AT)
    file = stage.folder / "team.precedents.jsonl"
    file.write_text("".join(_case(stage, number) for number in (17, 18, 21)), encoding="utf-8")
    wanted = Library(id="", name="Team", kind="precedents", date="2026-10-02", sources=(str(file),))
    add_library(stage.folder / "store", wanted, stage.web, Progress())
    stage.open("t-0002")
    stage.open("t-0001")
    stage.go(CASES_AT)
    commands = stage.window.parts["precedents"]
    stage.wait(lambda: commands.cases is not None)
    stage.act("show_cases")
    rows = stage.window.preview.passage_list.list
    rows.setCurrentIndex(rows.model().index(3))


def _case(stage: Stage, number: int) -> str:
    """Return a line of a file of precedents, about nearly the current claim, decided by its rubric."""
    label = "Accurate" if number == 18 else "Inaccurate"
    plain = {
        "text": f"{claim_or_quote(stage.session)} So says chapter {number}.",
        "bundle": "week-40",
        "task": f"t-{number:04}",
        "where": "targets/s1",
        "rubric": stage.session.rating.rubric,
        "question": "label",
        "value": label.lower(),
        "label": label,
        "by": "lead",
        "votes": {label: 2, "Disputed": 1},
        "title": "How did Hannibal cross the Alps?",
        "section": "Consensus",
        "reason": "Polybius and Livy count differently; a number that is off by more than a tenth is inaccurate.",
        "evidence": [
            {
                "url": "https://history.example/punic/hannibal",
                "title": "Hannibal’s march",
                "quote": "He came down into Italy with 20,000 foot and 6,000 horse.",
                "stance": "contradicting",
            }
        ],
        "decided": "2026-10-02",
    }
    return json.dumps(plain) + "\n"


def leave_cases(stage: Stage) -> None:
    """Close the list, and remove the library."""
    stage.browsing.close()
    commands = stage.window.parts["library"]
    commands.read_libraries()
    stage.wait(lambda: bool(commands.libraries))
    for library in commands.libraries:
        commands.remove(library)
    stage.wait(lambda: not commands.libraries)


def play_earlier_answer(stage: Stage) -> None:
    """Record a claim that was answered in another task."""
    stage.open("t-0002")
    stage.go("s4")
    claim = claim_or_quote(stage.session)
    stage.open("t-0001")
    stage.go("s7")
    stage.session.answer("factual", "yes")
    stage.session.put_claim(Claim(id="c1", text=claim), "add claim")
    stage.session.go_to_claim("c1")
    commands = stage.window.parts["precedents"]
    stage.wait(lambda: commands.offer is not None)


def leave_earlier_answer(stage: Stage) -> None:
    """Take the claim back."""
    stage.act("undo")
    stage.act("undo")
