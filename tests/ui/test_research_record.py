"""The research record: it writes itself, survives, can be corrected, fills the comment, and leaves with the results."""

import json
import zipfile

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication, QWidget

from desktop_rater.format.rating import LibraryName, Rating, ResearchEntry
from desktop_rater.rubric.research import ResearchTotals, entries_without, merged_entries, research_totals
from desktop_rater.ui.pages import page_search
from desktop_rater.ui.rating import research_pane
from desktop_rater.ui.rating.research_commands import LONG_SECONDS, parse_minutes
from desktop_rater.ui.rating.work_time import ActiveTime, ResearchRecord
from tests.operations.bundles import RATER, task
from tests.pages.servers import HostileServer
from tests.ui.rooms import Clock, banner, part, press, type_text


@pytest.fixture
def server(monkeypatch):
    with HostileServer() as server:
        template = server.url("/links?q={words}")
        monkeypatch.setattr(page_search, "ENGINES", {"duckduckgo": template})
        # The pages of the test stand in the reader.
        monkeypatch.setattr(page_search, "live_view_obstacle", lambda _machine: "no engine here")
        yield server


def read(rooms, room, url):
    room.browsing.open(url)
    rooms.wait_for_page(room, url)


def search(rooms, room):
    press("Alt+S")
    rooms.qtbot.waitUntil(lambda: room.browsing.page is not None and not room.browsing.is_loading)


def rows(room):
    """Kind, subject, outcome and seconds of the entries that a view shows."""
    entries = room.session.research.entries(room.session.bundle, room.session.rating)
    return [(entry.kind, entry.query or entry.url or "", entry.outcome, entry.seconds) for entry in entries]


def away(rooms, room, seconds):
    """Work in another window for some time, and come back."""
    other = QWidget()
    rooms.qtbot.addWidget(other)
    other.show()
    other.activateWindow()
    rooms.qtbot.waitUntil(lambda: not room.window.isActiveWindow())
    rooms.clock.seconds += seconds
    other.hide()
    room.window.activateWindow()
    rooms.qtbot.waitUntil(room.window.isActiveWindow)


def test_a_rater_who_finds_nothing_shows_the_search(rooms, qtbot, server):
    claim = "Ada Byron wrote forty novels."
    room = rooms.with_tasks(task("t1", claim))
    press("Y", "3", "5")
    search(rooms, room)
    rooms.let_pass(room, 100)
    read(rooms, room, server.url("/page"))
    room.session.active_time.touch()  # the wheel is turned
    rooms.let_pass(room, 80)
    press("Alt+S")
    rooms.qtbot.waitUntil(lambda: not room.browsing.is_loading)
    read(rooms, room, server.url("/missing"))
    press("Esc")
    press("F4")
    away(rooms, room, 440)
    press("U")
    assert banner(room, "research") == "7:20 min in your browser counted as research."
    press("Shift+W")
    comment = room.session.rating.answers.targets["s1"]["comment"]
    assert comment.startswith(f"Searched DuckDuckGo for “{claim}”: nothing found. Looked at 1 page without result: ")
    assert f"1 page did not load: 127.0.0.1:{server.port}." in comment
    assert comment.endswith("Searched for 7:20 min in my own browser.")
    press("Ctrl+End")
    type_text(" It looks made up.")
    press("Esc")
    rooms.wait_until_saved(room)
    assert room.session.outcome.problems == (), "neither the comment nor the time is missing"
    press("Ctrl+Shift+Return")
    rooms.wait_until_saved(room)
    rooms.files.to_write = rooms.folder / "results.zip"
    press("Ctrl+Shift+E")
    qtbot.waitUntil(rooms.files.to_write.exists)
    with zipfile.ZipFile(rooms.files.to_write) as results:
        rating = json.loads(results.read("ratings.jsonl"))
    kinds = [(entry["kind"], entry.get("outcome"), entry.get("seconds")) for entry in rating["research"]]
    assert ("search", None, None) in kinds
    assert ("page", "nothing", 80) in kinds
    assert ("page", "dead", 0) in kinds
    assert ("outside", None, 440) in kinds
    assert {entry["target"] for entry in rating["research"]} == {"s1"}
    assert rating["answers"]["targets"]["s1"]["comment"].endswith("It looks made up.")


def test_a_page_counts_for_the_target_it_is_read_for(room, rooms, server):
    url = server.url("/page")
    read(rooms, room, url)
    rooms.let_pass(room, 30)
    press("Esc", "J")
    assert rows(room) == [("page", url, "nothing", 30)], "the page was closed before the next target"
    read(rooms, room, url)
    rooms.let_pass(room, 20)
    room.session.move(-1)
    rooms.let_pass(room, 10)
    entries = room.session.research.entries("bundle", room.session.rating)
    assert {(entry.target, entry.seconds) for entry in entries} == {("s1", 40), ("s2", 20)}


def test_a_page_that_is_only_carried_along_is_not_in_the_draft(rooms, server):
    url = server.url("/page")
    room = rooms.with_tasks(task("t1", "Ada Byron wrote forty novels.", "She was born in Oslo."))
    press("Y", "J", "Y", "K")
    read(rooms, room, url)
    room.session.seconds_here()
    rooms.clock.seconds += 8
    room.session.seconds_here()
    room.session.move(1)
    rooms.clock.seconds += 3
    press("Shift+W")
    assert banner(room, "hint") == "There is no research on this target yet."
    entries = room.session.research.entries("bundle", room.session.rating)
    assert {(entry.target, entry.url) for entry in entries} == {("s1", url)}
    rooms.clock.seconds += 3
    press("Shift+W")
    comment = room.session.rating.answers.targets["s2"]["comment"]
    assert comment == f"Looked at 1 page without result: Canberra (127.0.0.1:{server.port})."


# Path → outcome, and whether the link counts as opened.
OUTCOMES = {
    "/page": ("nothing", True),
    "/pdf": ("nothing", True),
    "/chain/3": ("nothing", True),
    "/missing": ("dead", True),
    "/gone": ("dead", True),
    "/error": ("dead", True),
    "/forbidden": ("not_shown", True),
    "/sign-in": ("sign_in", True),
    "/login-form": ("sign_in", True),
    "/paywall": ("sign_in", True),
    "/empty": ("not_shown", False),
    "/image": ("not_shown", False),
    "/zip": ("not_shown", False),
    "/loop": ("dead", True),
    "/to-file": ("not_shown", False),
    "/reset": ("dead", False),
}


def test_each_answer_of_a_site_has_its_outcome_in_the_record(rooms, server):
    urls = {path: server.url(path) for path in OUTCOMES}
    room = rooms.with_tasks(task("t1", f"See {' '.join(urls.values())} for it."))
    found = {}
    for path, url in urls.items():
        read(rooms, room, url)
        room.session.active_time.touch()
        rooms.clock.seconds += 2
        outcomes = {entry.url: entry.outcome for entry in room.session.research.entries("bundle", room.session.rating)}
        final = room.browsing.page.final_url
        found[path] = outcomes.get(url, outcomes.get(final)), url in room.session.rating.links_opened
    assert found == OUTCOMES


def test_evidence_makes_the_page_one_that_something_was_taken_from(room, rooms, server):
    press("Y")
    url = server.url("/page")
    read(rooms, room, url)
    rooms.let_pass(room, 10)
    room.window.preview.focus_page()
    press("S")
    assert rows(room) == [("page", url, "taken", 10)]
    press("Ctrl+Z")
    assert rows(room) == [("page", url, "nothing", 10)], "the evidence is undone, the visit is not"


def test_an_open_page_makes_no_revisions_by_itself(room, rooms, server):
    press("Y")
    read(rooms, room, server.url("/page"))
    rooms.wait_until_saved(room)
    before = rooms.stored("t1").revision
    for _ in range(5):
        rooms.let_pass(room, 20)
        room.companions.time_keeping.save()
        rooms.qtbot.waitUntil(lambda: not room.companions.time_keeping.is_busy)
    rooms.wait_until_saved(room)
    assert rooms.stored("t1").revision == before
    press("Ctrl+PgDown")
    rooms.wait_for_task(room, "t2")
    rooms.wait_until_saved(room)
    stored = rooms.stored("t1")
    assert (stored.revision, stored.research[0].seconds) == (before + 1, 100), "leaving the task stores the visit"
    press("Ctrl+PgUp")
    rooms.wait_for_task(room, "t1")
    press("Ctrl+PgDown")
    rooms.wait_for_task(room, "t2")
    rooms.wait_until_saved(room)
    assert rooms.stored("t1").revision == before + 1, "nothing new, no revision"


def test_the_record_of_an_unrated_task_survives_a_killed_window(room, rooms, server, monkeypatch):
    search(rooms, room)
    rooms.let_pass(room, 10)
    assert rows(room)[0][0] == "search"
    keeping = room.companions.time_keeping
    keeping.save()
    rooms.qtbot.waitUntil(lambda: not keeping.is_busy)
    monkeypatch.setattr(keeping, "_grown_research", dict)  # a killed window saves no more
    rooms.close()
    again = rooms.empty()
    rooms.wait_for_task(again)
    assert [row[0] for row in rows(again)] == ["search"]
    press("Y")
    rooms.wait_until_saved(again)
    assert [entry.kind for entry in rooms.stored("t1").research] == ["search"]


def test_a_closed_window_stores_the_record_with_the_rating(room, rooms, server):
    press("Y")
    rooms.wait_until_saved(room)
    read(rooms, room, server.url("/page"))
    rooms.let_pass(room, 50)
    room.window.close()
    rooms.qtbot.waitUntil(lambda: not room.window.isVisible())
    assert [(entry.kind, entry.seconds) for entry in rooms.stored("t1").research] == [("page", 50)]


def test_a_row_left_out_comes_back_with_undo_and_goes_with_redo(room, rooms, server):
    press("Y")
    read(rooms, room, server.url("/missing"))
    press("Esc")
    read(rooms, room, server.url("/gone"))
    press("Esc", "Shift+F4")
    assert QApplication.focusWidget() is part(room, "research_list")
    press("Delete")
    left = [server.url("/gone")]
    assert [row[1] for row in rows(room)] == left
    rooms.wait_until_saved(room)
    assert [entry.url for entry in rooms.stored("t1").research] == left
    press("Ctrl+Z")
    assert {row[1] for row in rows(room)} == {server.url("/missing"), server.url("/gone")}
    press("Ctrl+Shift+Z")
    assert [row[1] for row in rows(room)] == left
    press("Shift+F4")
    assert part(room, "form").isVisible()
    assert not part(room, "research_pane").isVisible()


# -- the stopwatch


def test_the_stopwatch_ends_when_the_rater_works_here_again(room, rooms):
    rooms.let_pass(room, 10)
    press("F4")
    away(rooms, room, 300)
    rooms.clock.seconds += 60
    assert room.window.parts["research"].stopwatch.is_running, "coming back alone ends nothing"
    press("J")
    assert not room.window.parts["research"].stopwatch.is_running
    assert rows(room) == [("outside", "", None, 300)]
    assert room.session.research.entries("bundle", room.session.rating)[0].target == "s1"
    rooms.let_pass(room, 10)
    assert int(room.session.seconds_here()) == 10
    press("K")
    assert int(room.session.seconds_here()) == 10, "no second counts twice"


def test_f4_again_stops_it(room, rooms):
    press("F4")
    rooms.clock.seconds += 45
    press("F4")
    assert rows(room) == [("outside", "", None, 45)]
    press("Ctrl+Z")
    assert rows(room) == []


def test_a_very_long_time_counts_only_when_the_rater_says_so(room, rooms):
    press("F4")
    rooms.clock.seconds += 3_000
    press("F4")
    assert rows(room) == [("outside", "", None, LONG_SECONDS)]
    text = banner(room, "research")
    assert text == "You were away for 50:00 min. 30:00 min are counted as research in your browser."
    count_all, _leave_out = room.window.form_pane.banners.banner("research").buttons
    count_all.click()
    assert rows(room) == [("outside", "", None, 3_000)]


def test_the_reported_time_can_be_corrected(room, rooms):
    press("F4")
    rooms.clock.seconds += 45
    press("F4", "Shift+F4", "F2")
    press("Ctrl+A")
    type_text("3:30")
    press("Return")
    assert rows(room) == [("outside", "", None, 210)]
    assert part(room, "research_parts").text().endswith("3:30 in your browser")


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("3:30", 210), ("12", 720), (" 0:05 ", 5), ("-3", None), ("3:77", None), ("²", None), ("", None)],
)
def test_minutes_as_they_are_typed(text, seconds):
    assert parse_minutes(text) == seconds


def test_the_stopwatch_ends_with_the_task(room, rooms):
    press("Y", "F4")
    rooms.clock.seconds += 45
    press("Ctrl+PgDown")
    rooms.wait_for_task(room, "t2")
    rooms.wait_until_saved(room)
    assert [(entry.kind, entry.seconds) for entry in rooms.stored("t1").research] == [("outside", 45)]
    assert rows(room) == []


# -- the pane and the comment


def test_no_key_answers_a_question_that_the_pane_covers(room):
    press("Shift+F4", "N")
    assert "factual" not in room.session.rating.answers.targets.get("s1", {})
    press("Shift+F4", "N")
    assert room.session.rating.answers.targets["s1"]["factual"] == "no"


def test_the_pane_shows_the_time_that_a_rule_asks_for(room, rooms, server):
    read(rooms, room, server.url("/page"))
    rooms.let_pass(room, 100)
    press("Esc", "F4")
    rooms.clock.seconds += 200
    press("F4", "Shift+F4")
    assert part(room, "research_time").text() == "5:00 of 10:00 min before Unsupported"
    assert part(room, "research_parts").text() == "1:40 in this program, 3:20 in your browser"
    assert part(room, "research_counts").text() == "0 searches, 1 page"


def test_drafting_again_replaces_what_was_not_edited(room, rooms, server):
    press("Y")
    read(rooms, room, server.url("/missing"))
    press("Esc", "Shift+W")
    comments = room.session.rating.answers.targets["s1"]
    first = comments["comment"]
    assert first == f"1 page did not load: 127.0.0.1:{server.port}."
    press("Ctrl+End")
    type_text(" Mine.")
    press("Esc", "F4")
    rooms.clock.seconds += 60
    press("F4")
    read(rooms, room, server.url("/gone"))
    press("Esc", "Shift+W")
    text = room.session.rating.answers.targets["s1"]["comment"]
    drafted = f"2 pages did not load: 127.0.0.1:{server.port}. Searched for 1:00 min in my own browser."
    assert text == f"{drafted} Mine."


def test_a_drafted_sentence_that_was_edited_stays():
    first = research_pane.drafted_text("", {}, {"dead": "One page did not load."})
    edited = first.replace("One page", "The archive") + " Mine."
    sentences = {"dead": "Two pages did not load.", "outside": "Searched for 1:00 min."}
    text = research_pane.drafted_text(edited, {"dead": first}, sentences)
    assert text == "The archive did not load. Mine. Searched for 1:00 min."


def test_a_draft_is_offered_where_a_problem_asks_for_a_comment(room, rooms, server):
    press("Y", "3", "5", "U")
    hint = part(room, "draft_hint_comment")
    assert not hint.isVisibleTo(hint.parentWidget()), "there is no research yet"
    read(rooms, room, server.url("/missing"))
    press("Esc", "A", "U")
    assert hint.isVisibleTo(hint.parentWidget())
    assert hint.draft.isVisibleTo(hint)
    press("Shift+W", "Esc")
    assert not hint.draft.isVisibleTo(hint), "the comment is written"


def test_nothing_is_drafted_without_research(room):
    press("Y", "Shift+W")
    assert banner(room, "hint") == "There is no research on this target yet."


# -- totals


def test_totals_keep_reported_time_apart():
    entries = (
        ResearchEntry(kind="search", target="s1", query="a", engine="bing"),
        ResearchEntry(kind="page", target="s1", url="https://example.org/a", seconds=30, outcome="nothing"),
        ResearchEntry(kind="page", target="s1", url="https://example.org/a#b", seconds=30, outcome="nothing"),
        ResearchEntry(kind="outside", target="s1", seconds=208),
        ResearchEntry(kind="outside", target="s2", seconds=1),
    )
    rating = Rating(task="t", rater=RATER, research=entries)
    totals = research_totals(rating, "s1", None)
    assert totals == ResearchTotals(searches=1, pages=1, measured=0, reported=208)
    assert research_pane.summary_text(totals) == "1 search, 1 page, 3:28 min of which 3:28 reported"


# -- nothing twice, nothing lost

STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("read"), st.floats(0, 100)),
        st.tuples(st.just("open"), st.sampled_from(["a", "b"])),
        st.tuples(
            st.sampled_from(["search", "close", "answer", "rating is stored", "sums are sent", "sums are stored"])
        ),
        st.tuples(st.sampled_from(["leave out", "killed"])),
    ),
    max_size=60,
)


class Life:
    """A rater at a window that is killed now and then; what is on its way to the store comes in any order."""

    def __init__(self) -> None:
        self.stored = Rating(task="t")
        self.kept: tuple[ResearchEntry, ...] = ()
        self.visits: dict[str, float] = {}
        self.minute = 0
        self.start()

    def start(self) -> None:
        self.clock = Clock()
        self.active = ActiveTime(self.clock)
        self.active.move(("b", "t", "s1"))
        self.record = ResearchRecord(self.active)
        self.rating = self.stored
        self.record.register_task("b", self.rating, self.kept)
        self.ratings: list[Rating] = []
        self.sums: list[tuple[ResearchEntry, ...]] = []
        self.visit = ""

    def entry(self, **fields) -> ResearchEntry:
        self.minute += 1
        at = f"2026-11-20T{self.minute // 60:02d}:{self.minute % 60:02d}:00Z"
        return ResearchEntry(target="s1", at=at, **fields)

    def entries(self) -> dict[str | None, ResearchEntry]:
        return {entry.at: entry for entry in self.record.entries("b", self.rating)}

    def do(self, step: str, argument: str | float = "") -> None:
        match step:
            case "read":
                self.active.touch()
                self.clock.seconds += float(argument)
                if self.visit:
                    self.visits[self.visit] += float(argument)
            case "open":
                entry = self.entry(kind="page", url=f"https://{argument}.example/", outcome="nothing")
                self.record.open_page("b", self.rating, entry)
                self.visit = entry.at or ""
                self.visits[self.visit] = 0.0
            case "close":
                self.record.close_page()
                self.visit = ""
            case "search":
                entry = self.entry(kind="search", query="kelp", engine="bing")
                self.record.add("b", "t", entry)
                self.visits[entry.at or ""] = 0.0
            case "answer":
                self.rating = self.record.added_to(self.rating, "b")
                self.ratings.append(self.rating)
            case "rating is stored" if self.ratings:
                self.stored, self.ratings = self.ratings[-1], []
            case "sums are sent":
                known = self.rating == self.stored
                self.sums.append(
                    self.record.waiting([("b", "t")])["b", "t"] if known else self.record.entries("b", self.rating)
                )
            case "sums are stored" if self.sums:
                self.kept = self.sums.pop(0)
            case "leave out":
                self.leave_out()
            case "killed":
                known = merged_entries(self.stored.research, self.kept)
                self.start()
                assert self.record.entries("b", self.rating) == known, "what was not stored is lost, and nothing else"
                self.visits = {entry.at or "": float(entry.seconds or 0) for entry in known}

    def leave_out(self) -> None:
        """Leave the first entry out, and wait until both the rating and the sums are stored."""
        self.do("answer")
        if not self.rating.research:
            return
        entry = self.rating.research[0]
        self.record.forget("b", "t", entry)
        self.rating = msgspec.structs.replace(self.rating, research=entries_without(self.rating, [entry]))
        self.visits.pop(entry.at or "")
        if self.visit == entry.at:
            self.visit = ""
        self.sums = []
        for step in ("answer", "rating is stored", "sums are sent", "sums are stored"):
            self.do(step)

    def check(self) -> None:
        entries = self.entries()
        for at, seconds in self.visits.items():
            known = entries[at].seconds or 0 if at in entries else 0
            assert known <= seconds + 1e-6, "no second twice"
            assert known > seconds - 1 - 1e-6, "none is lost but a fraction"
        assert set(entries) <= set(self.visits), "what was left out stays out"


@settings(max_examples=200, deadline=None)
@given(STEPS)
def test_no_visit_counts_twice_whatever_is_stored_first(steps):
    life = Life()
    for step in steps:
        life.do(*step)
    life.check()
    life.do("killed")
    life.check()


def test_a_corrected_time_that_was_begun_is_offered_again_after_esc_and_in_another_task(room, rooms):
    press("F4")
    rooms.clock.seconds += 45
    press("F4", "Shift+F4", "F2", "Ctrl+A")
    type_text("3:3")
    commit = QInputMethodEvent()
    commit.setCommitString("0")
    QApplication.sendEvent(part(room, "research_bar_field"), commit)
    press("Esc", "F2")
    assert part(room, "research_bar_field").text() == "3:30"
    room.desk.move(1)
    rooms.wait_for_task(room, "t2")
    assert not part(room, "research_bar").isVisible()
    room.desk.move(-1)
    rooms.wait_for_task(room, "t1")
    press("Shift+F4") if room.window.parts["research"].pane.isHidden() else None
    press("F2")
    assert part(room, "research_bar_field").text() == "3:30"


WIKIPEDIA, PAPERS = LibraryName(name="Wikipedia", date="2026-03-01"), LibraryName(name="Papers")


def test_searches_of_libraries_are_drafted_with_their_dates_and_outcomes():
    def search(query, hits, *libraries):
        return ResearchEntry(kind="search", target="s1", query=query, hits=hits, libraries=libraries or (WIKIPEDIA,))

    page = ResearchEntry(
        kind="page", target="s1", url="https://a.example/x", title="Kelp", outcome="nothing", libraries=(WIKIPEDIA,)
    )
    entries = (
        *(search("kelp", 14), search("its thesis", 0), search("its title", 0), search("kelp", 1, WIKIPEDIA, PAPERS)),
        *(page, ResearchEntry(kind="search", target="s1", query="kelp", engine="duckduckgo")),
    )
    assert list(research_pane.draft_sentences(Rating(task="t", research=entries), "s1", None).values()) == [
        "Searched Wikipedia of 1 March 2026 for “kelp”: 14 passages.",
        "Searched Wikipedia of 1 March 2026 for “its thesis” and “its title”: nothing found.",
        "Searched Wikipedia of 1 March 2026 and Papers for “kelp”: 1 passage.",
        "Searched DuckDuckGo for “kelp”: nothing found.",
        "Looked at 1 page without result: Kelp (Wikipedia of 1 March 2026).",
    ]
    assert [research_pane.entry_text(entry, timed=False) for entry in entries[:3:2] + entries[4:5]] == [
        "“kelp”, 14 passages, Wikipedia of 1 March 2026",
        "“its title”, nothing found in Wikipedia of 1 March 2026",
        "Kelp, Wikipedia of 1 March 2026, nothing taken",
    ]
