"""Scenes of the offline libraries: passages for a claim, and a document that was opened from there."""

from __future__ import annotations

from desktop_rater.format.change import Progress
from desktop_rater.format.rating import SUPPORTING
from desktop_rater.plugins.library.catalogue import Library
from desktop_rater.plugins.library.search import add_library
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
