"""What can be seen of a page is what the record says: opened, read, timed, judged and quoted, in either view."""

import random
from collections import Counter
from dataclasses import dataclass
from datetime import timedelta

import pytest
from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QAbstractSlider, QWidget

from desktop_rater.format.rating import PageOutcome
from desktop_rater.pages.response import Rendering
from desktop_rater.text.urls import page_key
from desktop_rater.ui.pages.browser import ShownPage
from desktop_rater.ui.pages.live_support import LiveViewSupport
from tests.operations.bundles import noon, task
from tests.pages.pdf_files import DRAWING, objects, pdf
from tests.ui.articles import HTML
from tests.ui.rooms import banner, part, press

WORDS = "<p>Kelp grows quickly, in cold seas.</p>" * 30
BLANK = "<!doctype html><title>App</title><div id='app'></div><script>document.title = 'x'</script>"
# Path → outcome, and whether the link counts as opened; whether the live view leaves the page to the reader.
PAGES: dict[str, tuple[PageOutcome, bool, bool]] = {
    "/one": ("nothing", True, False),
    "/two": ("nothing", True, False),
    "/file": ("nothing", True, True),
    "/gone": ("dead", True, False),
    "/locked": ("sign_in", True, True),
    "/blank": ("not_shown", False, False),
}
SHOWN = {"nothing"}


class SimulatedLiveView(QWidget):
    """Behaves as the live view does with the pages of the test, without a browser engine.

    `test_live_view` reads the same kinds of pages with the engine.
    """

    page_shown, title_changed, address_changed = Signal(str), Signal(str), Signal(str)
    reader_wanted = Signal(str, str)
    moved, used = Signal(), Signal()

    def __init__(self, parent):
        super().__init__(parent)
        self.url = self.title = self.selected_text = ""
        self.shown = self.page = None
        self.is_loading = self.can_go_back = self.can_go_forward = False

    def open(self, url):
        self.shown, self.is_loading, self._requested = None, True, url
        self.moved.emit()
        QTimer.singleShot(0, self, self._arrive)

    def _arrive(self):
        self.is_loading = False
        outcome, opened, left_to_reader = PAGES["/" + self._requested.rpartition("/")[2]]
        if left_to_reader:
            self.moved.emit()
            self.reader_wanted.emit(self._requested, "It is not shown here.")
            return
        self.url = self._requested
        self.shown = ShownPage(self.url, self.url, "", outcome, outcome in SHOWN, opened, live=True)
        self.moved.emit()

    def capture(self, done):
        html = f"<html><body>{WORDS}</body></html>" if self.shown is not None and self.shown.shows else ""
        done(Rendering(url=self.url, html=html) if html else None)

    def forget(self):
        self.shown, self.is_loading, self.url = None, False, ""


@pytest.fixture
def site(httpserver):
    answers = {"/one": WORDS, "/two": WORDS, "/blank": BLANK}
    for path, body in answers.items():
        httpserver.expect_request(path).respond_with_data(f"<html><body>{body}", content_type=HTML)
    httpserver.expect_request("/file").respond_with_data(pdf(objects(DRAWING)), content_type="application/pdf")
    httpserver.expect_request("/gone").respond_with_data("", 404, content_type=HTML)
    httpserver.expect_request("/locked").respond_with_data("", 401, content_type=HTML)
    return f"http://127.0.0.1:{httpserver.port}"


@pytest.fixture
def room(rooms, site):
    """A task of three targets with all links in the first; the clock of the day never shows a time twice."""
    moments = iter(range(1_000_000))
    rooms.now = lambda: noon() + timedelta(seconds=next(moments) // 4)
    links = " ".join(f"{site}{path}" for path in PAGES)
    room = rooms.with_tasks(task("t1", f"See {links} for it.", "Paris is a town.", "Oslo is a town."))
    room.window.preview.machine = LiveViewSupport(user=1000, environment={}, no_engine="")
    room.window.preview.live._make = lambda: SimulatedLiveView(room.window.preview.views)
    for stop in room.session.stops:
        room.session.go_to(stop)
        room.session.answer("factual", "yes")
    room.session.go_to(room.session.stops[0])
    return room


def settle_page(room, qtbot):
    live = room.window.preview.live
    qtbot.waitUntil(lambda: not room.browsing.is_loading and not (live.is_on and live.view.is_loading))


@dataclass
class Visit:
    """A page at a target. `now`: seconds since it came into view there, which count from `least` on."""

    target: str
    path: str
    counts: bool
    seconds: int = 0
    now: int = 0
    least: int = 1

    def count(self):
        self.counts = True
        self.seconds, self.now = self.seconds + self.now, 0


class Model:
    """What a rater does, and what the record has to say about it."""

    def __init__(self) -> None:
        self.target, self.path, self.live = "s1", "", False
        self.opened: set[str] = set()
        self.verdicts: dict[str, str] = {}
        self.evidence: set[tuple[str, str, str]] = set()
        self.visits: list[Visit] = []
        self.visit: Visit | None = None
        self._visits_here: dict[str, Visit] = {}  # of the page in view, by target
        self._opened_at = ""

    def open(self, path):
        outcome, counts, left_to_reader = PAGES[path]
        if path != self.path:
            self._visits_here = {}
        self.path, self._opened_at = path, self.target
        self.live = self.live and not left_to_reader
        if counts:
            self.opened.add(path)
        self._begin(carried=False, shows=outcome in SHOWN)

    def toggle(self):
        self.live = not self.live
        if self.live:
            self.open(self.path)

    def go_to(self, target):
        self.target = target
        if self.path:
            self._begin(carried=target != self._opened_at, shows=PAGES[self.path][0] in SHOWN)

    def _begin(self, *, carried, shows):
        visit = self._visits_here.get(self.target)
        if visit is None and (shows or not carried):
            visit = self._visits_here[self.target] = Visit(self.target, self.path, counts=not shows)
            self.visits.append(visit)
        self.visit = visit if shows else None
        if self.visit is not None:
            self.visit.now, self.visit.least = 0, 5 if carried and not self.visit.counts else 1

    def stay(self, seconds):
        if self.visit is not None:
            self.visit.now += seconds
            if self.visit.counts or self.visit.now >= self.visit.least:
                self.visit.count()

    def use(self):
        if self.visit is not None:
            self.visit.count()

    @property
    def can_take(self):
        return self.path != "" and PAGES[self.path][0] in SHOWN

    def take(self, stance):
        if self.can_take:
            self.use()
            self.evidence.add((self.target, self.path, stance))

    @property
    def research(self):
        taken = {(target, path) for target, path, _stance in self.evidence}
        rows = Counter()
        for visit in self.visits:
            if visit.counts:
                outcome = "taken" if (visit.target, visit.path) in taken else PAGES[visit.path][0]
                rows[visit.target, visit.path, outcome, visit.seconds] += 1
        return rows


class Rater:
    """Does the same in the window."""

    def __init__(self, room, rooms, qtbot, site):
        self.room, self.rooms, self.qtbot, self.site = room, rooms, qtbot, site
        self.pane, self.session = room.window.preview, room.session

    def open(self, path):
        self.room.browsing.open(self.site + path)
        settle_page(self.room, self.qtbot)

    def toggle(self):
        press("R")
        settle_page(self.room, self.qtbot)

    def go_to(self, target):
        self.session.go_to(next(stop for stop in self.session.stops if stop.target == target))

    def stay(self, seconds):
        self.session.active_time.touch()
        self.rooms.clock.seconds += seconds
        self.session.seconds_here()

    def use(self):
        view = self.pane.live.view
        if self.pane.live.is_on:
            view.used.emit()
        else:
            self.pane.reader.verticalScrollBar().triggerAction(QAbstractSlider.SliderAction.SliderSingleStepAdd)

    def judge(self, verdict):
        press({"matches": "Shift+M", "differs": "Shift+V", "dead": "Shift+X", "sign_in": "Shift+G"}[verdict])

    def take(self, stance, *, works):
        self.pane.focus_page()
        before = self.session.rating.evidence
        press("S" if stance == "supporting" else "C")
        if works:
            has = {(piece.target, piece.url, piece.stance) for piece in before}
            here = self.session.place.target, self.pane.in_view.now.url, stance
            self.qtbot.waitUntil(lambda: here in has or self.session.rating.evidence != before)


def play(model, rater, chance):
    """Take one step at random, in the model and in the window."""
    step = chance.choice(["open", "open", "toggle", "go", "go", "stay", "stay", "use", "judge", "take"])
    if step == "open":
        path = chance.choice(list(PAGES))
        model.open(path)
        rater.open(path)
    elif step == "toggle" and model.path:
        model.toggle()
        rater.toggle()
    elif step == "go":
        target = chance.choice([name for name in ("s1", "s2", "s3") if name != model.target])
        model.go_to(target)
        rater.go_to(target)
    elif step == "stay":
        seconds = chance.choice([1, 2, 6])
        model.stay(seconds)
        rater.stay(seconds)
    elif step == "use" and model.visit is not None:
        model.use()
        rater.use()
    elif step == "judge" and model.path:
        verdict = chance.choice(["matches", "differs", "dead", "sign_in"])
        if model.verdicts.get(model.path) == verdict:
            del model.verdicts[model.path]
        else:
            model.verdicts[model.path] = verdict
        rater.judge(verdict)
    elif step == "take" and model.path:
        stance = chance.choice(["supporting", "contradicting"])
        rater.take(stance, works=model.can_take)
        model.take(stance)


@pytest.mark.parametrize("seed", [2, 14, 16, 38])
def test_the_stored_record_agrees_with_what_was_done(room, rooms, qtbot, site, seed):
    model, rater, chance = Model(), Rater(room, rooms, qtbot, site), random.Random(seed)
    for _step in range(30):
        play(model, rater, chance)
        assert room.window.preview.live.is_on is model.live
    room.session.close()
    rooms.wait_until_saved(room)
    stored = rooms.stored("t1")
    assert set(stored.links_opened) == {site + path for path in model.opened}
    assert stored.link_verdicts == {page_key(site + path): verdict for path, verdict in model.verdicts.items()}
    evidence = {(piece.target, piece.url.removeprefix(site), piece.stance) for piece in stored.evidence}
    assert evidence == model.evidence
    rows = Counter(
        (entry.target, entry.url.removeprefix(site), entry.outcome, entry.seconds) for entry in stored.research
    )
    assert rows == model.research


# -- single steps


def test_nothing_is_taken_while_a_page_is_loading_and_the_window_says_so(room, rooms, qtbot, site):
    rater = Rater(room, rooms, qtbot, site)
    rater.open("/one")
    room.window.preview.focus_page()
    for key in ("S", "C", "Q", "Shift+S"):
        room.browsing.open(f"{site}/two")
        press(key)
        assert banner(room, "hint") == "The page is still loading. Take the passage once it is shown."
    settle_page(room, qtbot)
    assert room.session.rating.evidence == ()
    press("S")
    assert [piece.url for piece in room.session.rating.evidence] == [f"{site}/two"]


def test_an_address_that_is_not_opened_here_does_not_count_and_says_so(rooms, qtbot):
    room = rooms.with_tasks(task("t1", "See http://10.1.2.3/ for it."))
    room.browsing.open("http://10.1.2.3/")
    rooms.wait_for_page(room, "http://10.1.2.3/")
    assert room.browsing.page.state == "blocked"
    note = part(room, "no_page_note")
    assert note.text() == "The link does not count as opened: you have not seen what is there."
    assert room.session.rating.links_opened == ()
    part(room, "count_as_opened").click()
    assert note.text() == "You count the link as opened. The results say that it was not."


def test_a_page_behind_another_view_is_not_in_view(room, rooms, qtbot, site):
    rater = Rater(room, rooms, qtbot, site)
    rater.open("/one")
    in_view = room.window.preview.in_view
    assert in_view.now.url == f"{site}/one"
    press("Ctrl+Shift+F")
    assert in_view.now is None
    rater.stay(9)
    press("Esc")
    qtbot.waitUntil(lambda: in_view.now is not None)
    rater.stay(2)
    entries = room.session.research.entries(room.session.bundle, room.session.rating)
    assert [(entry.outcome, entry.seconds) for entry in entries] == [("nothing", 2)]
