"""The windows of a QA lead and of a rater, and the results of three raters who disagree: what a whole round needs."""

import json

from desktop_rater import app
from desktop_rater.audit.results import Verdict
from desktop_rater.format.change import Progress
from desktop_rater.operations.rating.export import export_results
from desktop_rater.operations.rating.save import rate_from_file
from desktop_rater.operations.rating.settings_file import SettingsFile
from desktop_rater.operations.self_test import sample_bundle_path, sample_ratings_path
from desktop_rater.settings import Settings
from desktop_rater.store import reviews
from tests.operations.bundles import noon, take_in, write_lines, writer
from tests.readers import reader_of
from tests.ui.rooms import Rooms, Text, loopback_web, part, press

BUNDLE = "sample-factuality"
RIGHT = {"factual": "yes", "common_knowledge": "right", "accuracy": "accurate"}
WRONG = {"factual": "yes", "common_knowledge": "wrong", "accuracy": "inaccurate", "severity": "minor"}
OPINION = {"factual": "no"}
SPLIT, TIE, ODD, BLIND = ("t-0002", "s5"), ("t-0003", "s5"), ("t-0005", "s3"), ("t-0008", "s2")
SAID = {  # what stands in the file of ratings, they say of the rest
    "ana": {},
    "ben": {SPLIT: OPINION, TIE: OPINION, ODD: OPINION},
    "cy": {SPLIT: WRONG, TIE: WRONG},
}


def ratings_of(rater):
    """The ratings of the sample, as one rater gives them."""
    for line in sample_ratings_path().read_text(encoding="utf-8").splitlines():
        rating = json.loads(line)
        for (task, target), answers in SAID[rater].items():
            if task == rating["task"]:
                rating["answers"]["targets"][target] = answers
        yield rating


def sent(folder, rater):
    """The results of a rater, from a store of the rater's own."""
    home = folder / rater
    home.mkdir()
    with writer(home / "store") as store:
        take_in(store, sample_bundle_path())
        lines = write_lines(home / "ratings.jsonl", ratings_of(rater))
        rated = rate_from_file(store, BUNDLE, lines, rater, progress=Progress(), now=noon)
        assert not rated.blocked
        assert export_results(store, BUNDLE, rater, home / f"{rater}.zip", progress=Progress()).written
    return home / f"{rater}.zip"


class Play:
    """The windows of two people, each on a store of their own; files are all that goes between them."""

    def __init__(self, qtbot, folder, clock):
        self.qtbot, self.folder = qtbot, folder
        self.results = [sent(folder, rater) for rater in SAID]
        self.lead = Rooms(qtbot, folder / "lead", clock)
        self.rater = Rooms(qtbot, folder / "cy", clock)
        (folder / "lead").mkdir()
        self.room = self.window(self.lead, Settings(rater="Lena", role="lead"))

    def window(self, rooms, settings):
        kept = SettingsFile(settings=settings)
        web, files = loopback_web(), rooms.files
        room = app.build_application(
            rooms.folder / "store", rater="", now=noon, clock=rooms.clock, files=files, web=web, settings=kept
        )
        rooms.open_now.append(room)
        room.window.resize(1440, 900)
        room.window.show()
        self.to_front(room)
        return room

    def to_front(self, room):
        room.window.activateWindow()
        self.wait(room.window.isActiveWindow)

    def close(self):
        self.lead.close()
        self.rater.close()

    def wait(self, there):
        self.qtbot.waitUntil(there, timeout=15_000)

    def press_until(self, there, *keys):
        press(*keys)
        self.wait(there)

    # -- the lead's window

    @property
    def review(self):
        return self.room.screens.screen("review")

    @property
    def report(self):
        return self.room.screens.screen("report")

    def open(self, *paths):
        """Choose files, by key."""
        self.lead.files.to_import = paths
        with self.qtbot.waitSignal(self.room.lead_screens.context.results.ended, timeout=15_000):
            press("Ctrl+O")

    def go(self, place):
        """To a place, by the words of the list's filter, which is empty again then."""
        press("/", Text(" ".join(place)), "Return")
        self.at(place)
        press("/", "Delete", "Return")
        assert len(self.listed) > 1

    def find_action(self, words):
        """What has no key of its own is found by its words."""
        press("Ctrl+K", Text(words), "Return")

    @property
    def listed(self):
        return self.review.list_pane.model.keys

    @property
    def groups(self):
        return [row.title for row in self.review.list_pane.model.rows if row.heading]

    def at(self, place):
        """Wait until a place is before the lead, with what everybody said there."""
        name = place[0], f"targets/{place[1]}"
        self.wait(lambda: self.review.desk.name == name == self.review.compare.grid.comparison.name)

    def said_of(self, place, rater):
        """The verdict on a rating as the store has it."""
        return self.told(Verdict, "verdict", place[0], f"targets/{place[1]}", rater)

    def told(self, kind, *subject):
        with reader_of(self.lead.folder / "store") as reader:
            found = reviews.newest_review(reader, BUNDLE, subject)
        return None if found is None else found.read(kind) if kind is not None else json.loads(found.body)

    def column(self, rater):
        """All that the comparison says of a rater."""
        shown = self.review.compare.grid.comparison
        cells = shown.columns[shown.column_of(rater)].cells
        return {row.id: cell.spoken for row, cell in zip(shown.rows, cells, strict=True)}

    def text(self, name):
        return part(self.room, name).text()
