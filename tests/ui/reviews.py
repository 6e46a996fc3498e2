"""What the tests of the review room share: raters who disagree, and a lead's window that has their results."""

import hashlib
import json

from PySide6.QtWidgets import QTableView

from desktop_rater.audit.results import Verdict
from desktop_rater.format.change import Progress
from desktop_rater.operations.rating.export import export_results
from desktop_rater.operations.rating.save import rate_from_file
from desktop_rater.pages import warc
from desktop_rater.pages.response import WebResponse
from desktop_rater.store import reviews, snapshots
from desktop_rater.ui.window.screens import REVIEW
from tests.operations import bundles
from tests.readers import reader_of
from tests.ui.leads import lead_window, take_in

RIGHT = {"factual": "yes", "common_knowledge": "right", "accuracy": "accurate"}
WRONG = {"factual": "yes", "common_knowledge": "wrong", "accuracy": "inaccurate", "severity": "minor"}
OPINION = {"factual": "no"}
RESEARCH = [
    {"kind": "search", "target": "s1", "query": "kelp captain", "engine": "bing", "at": "2026-11-18T08:10:00Z"},
    {"kind": "page", "target": "s1", "url": "https://kelp.example/gone", "outcome": "dead", "seconds": 0},
    {"kind": "outside", "target": "s1", "seconds": 208},
]
TIME = {"active_seconds": 372, "targets": {"s1": 372}}
BUNDLE = "kelp"
QUOTE = "Réka Somogyi leads the side for another year."
PAGE = "https://kelp.example/captain"
HOSTILE = "<img src='https://evil.example/x.png'><b>no</b>"
T1 = ("Its captain is Réka Somogyi.", "Kelp is an alga.", "A fine sight!")


def page_file():
    """A page as it was stored, and its SHA-256."""
    body = (
        f"<html lang=en><title>Signed again</title><article><h1>Signed again</h1><p>{QUOTE}</p><p>Kelp.</p></article>"
    )
    headers = (("Content-Type", "text/html; charset=utf-8"),)
    raw = body.encode()
    answer = WebResponse(
        url=PAGE, final_url=PAGE, status=200, headers=headers, raw=raw, body=raw, fetched="2026-11-18T08:14:00Z"
    )
    stored = warc.write_snapshot(answer)
    return stored, hashlib.sha256(stored).hexdigest()


def sent(folder, rater, *ratings, page=b""):
    """The results of a rater who rated so, in a store of the rater's own."""
    home = folder / f"home-{rater}"
    lines = bundles.write_lines(folder / f"{rater}.jsonl", ratings)
    with bundles.writer(home) as store:
        bundles.take_in(store, folder / f"{BUNDLE}.zip")
        if page:
            snapshots.store_snapshot(store.folder, hashlib.sha256(page).hexdigest(), [page])
        rate_from_file(store, BUNDLE, lines, rater, progress=Progress(), now=bundles.noon)
        out = folder / f"{rater}.zip"
        export_results(store, BUNDLE, rater, out, progress=Progress())
    return out


def three_raters(folder):
    """Three raters of two tasks: on the first target of t1 no two agree, and on nothing else do they differ."""
    folder.mkdir()
    bundles.make(folder / f"{BUNDLE}.zip", [bundles.task("t1", *T1), bundles.task("t2")], title="Kelp, November")
    stored, sha256 = page_file()
    piece = {"id": "e1", "target": "s1", "stance": "supporting", "url": PAGE, "quote": QUOTE, "snapshot": sha256}
    supported = {"factual": "yes", "accuracy": "accurate"}
    rating = bundles.rating
    return [
        sent(folder, "ana", rating("t1", {**WRONG, "comment": HOSTILE}, RIGHT, OPINION), rating("t2")),
        sent(folder, "ben", rating("t1", OPINION, RIGHT, OPINION), rating("t2")),
        sent(
            folder,
            "cy",
            rating("t1", supported, RIGHT, OPINION, evidence=[piece], research=RESEARCH, time=TIME),
            rating("t2"),
            page=stored,
        ),
    ]


def reviewing(rooms, results):
    """A lead's window that has those results, with the first place before the lead."""
    room = lead_window(rooms)
    room.screens.go(REVIEW)
    take_in(rooms, room, results)
    review = room.screens.screen(REVIEW)
    rooms.qtbot.waitUntil(lambda: bool(review.desk.items))
    review.show_review()
    rooms.qtbot.waitUntil(lambda: review.desk.task is not None and bool(review.compare.grid.comparison.columns))
    return room, review


def said_of(rooms, rater, task="t1", where="targets/s1"):
    """The verdict on a rating as the store has it, read past the window."""
    with reader_of(rooms.folder / "store") as reader:
        found = reviews.newest_review(reader, BUNDLE, ("verdict", task, where, rater))
    return None if found is None else found.read(Verdict)


def told(rooms, *subject, bundle=BUNDLE):
    """What was said last of a subject, as plain data."""
    with reader_of(rooms.folder / "store") as reader:
        found = reviews.newest_review(reader, bundle, subject)
    return None if found is None else json.loads(found.body)


def all_said(view):
    """All that a list or table says of its rows."""
    model = view.model()
    columns = view.model().columnCount() if isinstance(view, QTableView) else 1
    cells = ((row, column) for row in range(model.rowCount()) for column in range(columns))
    return " | ".join(str(model.index(*cell).data()) for cell in cells)
