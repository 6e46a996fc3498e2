"""The live view, in a process of its own for each story: what it shows, and what a page gets from it."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from msgspec.structs import replace

from desktop_rater.pages.guard import Guard
from desktop_rater.settings import SETTINGS_BY_ID
from desktop_rater.ui.pages import live_engine, live_view, preview_pane
from desktop_rater.ui.pages.live_support import LiveViewSupport, live_view_obstacle
from desktop_rater.ui.pages.live_view import LiveView
from desktop_rater.ui.pages.page_search import ENGINES, LONGEST, search_url
from tests.operations.bundles import make, task
from tests.ui.rooms import settle

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
ORDINARY = LiveViewSupport(user=1000, environment={}, no_engine="")


def told_by(story, folder):
    """What a story of `live_view_child` saw, and its last words."""
    if find_spec("PySide6.QtWebEngineCore") is None:
        pytest.skip("this installation has no browser engine")
    done = subprocess.run(
        [sys.executable, "-m", "tests.ui.live_view_child", story, str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    assert "Expect troubles" not in done.stderr, "a profile went before its page"
    return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    return told_by("hostile", tmp_path_factory.mktemp("hostile"))


@pytest.fixture(scope="module")
def reading(tmp_path_factory):
    return told_by("reading", tmp_path_factory.mktemp("reading"))


@pytest.fixture(scope="module")
def using(tmp_path_factory):
    return told_by("using", tmp_path_factory.mktemp("using"))


@pytest.fixture(scope="module")
def storing(tmp_path_factory):
    return told_by("storing", tmp_path_factory.mktemp("storing"))


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    return told_by("recording", tmp_path_factory.mktemp("recording"))


# -- a hostile page


def test_a_hostile_page_reaches_nothing_private(hostile):
    assert hostile["private"] == 0, "no connection, for whatever it tried: pictures, frames, sockets, tunnels, beacons"
    assert hostile["at proxy"] == ["rebinding.example:443", "rebinding.example:80"], "what is plain stops before"
    assert set(hostile["looked_up"]) == {"rebinding.example"}, "and nothing is looked up beforehand"


def test_a_hostile_page_reads_no_file(hostile):
    assert hostile["log"]["file fetch"] == "TypeError"
    assert hostile["url"] == "/hostile", "it never got away to file:, data:, blob: or chrome:"


def test_a_hostile_page_opens_no_window(hostile):
    assert hostile["windows"] == ["MainWindow"]
    assert hostile["log"]["window"] == "null"
    assert "/opened" not in hostile["hits"]


def test_a_hostile_page_keeps_nothing(hostile):
    log = hostile["log"]
    assert hostile["cookies"] == [], "neither those that the site sets nor those of its script"
    assert (log["cookie"], log["database"]) == ("", "refused")
    assert log["storage"] != "done"
    assert log["worker"] != "done"
    assert log["caches"] != "done"


def test_a_hostile_page_downloads_nothing(hostile):
    assert hostile["refused"]["download"] >= 1


def test_a_hostile_page_asks_the_rater_nothing(hostile):
    log = hostile["log"]
    assert (log["confirm"], log["prompt"]) == ("false", "null")
    assert hostile["refused"]["dialog"] == 3
    assert hostile["refused"]["permission"] >= 1
    for name in ("camera", "screen", "clipboard", "picker", "key", "full screen", "transport"):
        assert log[name] != "done", name
    assert log["devices"] == "", "no way to ask for devices and headsets either"
    assert log["graphics"] in {"null", "TypeError"}, "and no access to the graphics card"
    assert log["candidates"] == "0", "no address of this computer is told"


def test_the_rater_sees_how_much_was_refused(hostile):
    count = sum(hostile["refused"].values())
    assert hostile["said"] == f"{count} things refused"
    assert count > sum(hostile["before"].values()), "with JavaScript it could try more"


def test_a_site_learns_nothing_of_the_proxy(hostile):
    assert hostile["secrets"] == []


def test_no_picture_of_the_tab_is_asked_for(hostile):
    assert "/icon.png" not in hostile["hits"]


# -- reading


@pytest.mark.parametrize("name", ["plain", "to-plain", "missing"])
def test_what_a_site_answers_is_shown_and_counts_as_opened(reading, name):
    assert len(reading["pages"][name]["shown"]) == 1
    assert f"/{name}" in reading["opened"]


def test_a_page_that_is_not_there_says_so(reading):
    assert "answered with 404" in reading["pages"]["missing"]["said"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("to-private", "port of this computer"),
        ("private", "port of this computer"),
        ("rebinding", "leads to 127.0.0.1"),
        ("rebinding tls", "leads to 127.0.0.1"),
        ("unknown", "was not found"),
        ("certificate", "has no valid certificate"),
        ("sign-in", "requires signing in"),
        ("pdf", "does not download"),
        ("file", "does not download"),
    ],
)
def test_what_is_not_shown_says_why_and_does_not_count(reading, name, words):
    page = reading["pages"][name]
    assert page["shown"] == []
    assert words in page["said"]


def test_only_what_was_shown_is_opened(reading):
    assert reading["opened"] == ["/plain", "/missing", "/to-plain"]
    assert (reading["private"], reading["tls"]) == (0, 0)
    assert reading["sign_ins"] in {1, 2, 3}, "the engine may ask again, and the reader does"


# -- using it


def test_javascript_is_off_until_the_rater_switches_it_on_for_this_page(using):
    assert using["plain"]["title"] == using["script off"] == "plain"
    assert using["state"] is True
    assert using["script after the next page"] is False


def test_a_link_to_a_new_window_opens_in_this_one(using):
    assert using["a link to a new window"] == "plain"
    assert using["back"] is True


def test_keys_type_into_a_field_of_the_page(using):
    assert using["typed"] == "s"


def test_what_is_selected_on_a_live_page_is_taken_and_goes_to_the_reader_with_its_selection(using):
    assert using["evidence"] == {"quote": "Paris is the capital of France.", "stance": "supporting"}
    assert using["chosen"] == "Paris is the capital of France."


# -- a page whose words come from a script


def test_the_reader_of_an_empty_page_offers_the_live_view_and_does_not_say_that_it_was_seen(storing):
    assert storing["why"] == "There is no text on this page"
    assert storing["note"] == "The link does not count as opened: you have not seen what is there."
    assert storing["seen"] == []
    assert storing["offered"] == "show_live", "it has the focus: Space shows the page"
    assert storing["blank"] == [[], "not_shown"], "there is nothing to see before its scripts run"
    assert storing["opened"], "then it counts"


def test_a_passage_of_a_page_that_needs_javascript_is_evidence_with_what_was_shown_stored(storing):
    assert storing["piece"] == [
        True,
        "supporting",
        "The bridge was opened in 1932.",
        "Bridges\n",
        "\nIn a box, by itself",
    ]
    assert storing["said"] == "Taken from the page as the live view shows it. Its text and a picture are stored."
    assert storing["origin"] == ["rendered"]
    assert storing["picture"] == "\x89PNG"


def test_a_page_forges_nothing_into_what_is_stored_beyond_what_it_shows(storing):
    text = storing["reader"][1]
    assert text == "Bridges\nThe bridge was opened in 1932.\nIn a box, by itself", "neither hidden nor by its scripts"


def test_what_was_stored_of_a_live_page_opens_in_the_reader_at_the_selection_and_shows_its_picture(storing):
    assert storing["reader"][0] == "The bridge was opened in 1932."
    assert storing["reader"][2] == "Rendered here by the live view"
    assert storing["shown"] == [True, True]


def test_the_live_view_never_stands_in_for_another_link(recording):
    """Whether a link counts as opened, what the record says of it, and whether the live view shows it."""
    assert recording["/report"] == [True, None, False], "the reader shows the PDF"
    assert recording["evidence"] == ["/report"]
    assert "offers a file" in recording["said"]
    assert recording["/sign-in"] == [True, "sign_in", False]
    assert recording["/scripted"] == [False, "not_shown", True], "its scripts do not run"
    assert recording["/to-plain"] == [True, None, True]


def test_an_error_in_place_of_a_live_page_has_an_outcome_of_its_own(recording):
    assert recording["/missing"] == recording["/removed"] == [True, "dead", True]
    assert recording["/forbidden"] == [True, "not_shown", True]
    assert recording["/failing"] == [True, "dead", True]
    assert recording["research"] == [
        ["/missing", "dead"],
        ["/removed", "dead"],
        ["/forbidden", "not_shown"],
        ["/failing", "dead"],
        ["/sign-in", "sign_in"],
        ["/scripted", "not_shown"],
    ]


def test_the_window_stays_the_one_it_was(using):
    assert using["same window"] is True, "what follows its keys and pointer goes on doing so"


def test_the_next_task_begins_with_nothing(using):
    assert using["after the task"] is True
    assert len(using["first page of the next"]["shown"]) == 1


def test_a_page_whose_process_ends_can_be_loaded_again(tmp_path):
    assert told_by("crash", tmp_path)["said"].startswith("The page has crashed")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a listener can't be shut down")
def test_a_page_is_closed_with_a_message_when_the_proxy_is_gone(tmp_path):
    seen = told_by("cut_off", tmp_path)
    assert "lost its connection to the network" in seen["told"]
    assert seen["page"] is False, "no other page is loaded either"
    assert seen["login"] == [True, "", ""], "whoever has the port now is not told the token"


def test_the_claim_at_hand_is_searched_for(tmp_path):
    assert told_by("search", tmp_path) == {"asked": ["Paris is in France."], "live": True}


# -- without it


def test_the_window_starts_without_the_browser_engine(tmp_path):
    script = """
import sys
from msgspec.structs import replace
from importlib.util import find_spec
from pathlib import Path
from desktop_rater import app
from tests.ui.rooms import loopback_web
from tests.operations.bundles import noon
LATE = ("PySide6.QtQuick", "PySide6.QtQml", "PySide6.QtSvg")
application = app.application()
room = app.build_application(Path(sys.argv[1]), rater="r", now=noon, web=loopback_web())
room.window.show()
application.processEvents()
loaded = [name for name in sys.modules if "WebEngine" in name or name.startswith(LATE)]
loaded += [name for name in ("desktop_rater.pages.proxy", "desktop_rater.ui.pages.live_view") if name in sys.modules]
assert loaded == [], loaded
assert "QTWEBENGINE_CHROMIUM_FLAGS" not in __import__("os").environ
room.window.close()
room.close()
"""
    environment = {key: value for key, value in os.environ.items() if key != live_engine.VARIABLE}
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "store")],
        cwd=ROOT,
        env=environment | {"QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]


def engine_modules():
    return {name for name in sys.modules if "WebEngine" in name}


@pytest.mark.parametrize(
    ("machine", "words"),
    [
        ({"user": 0}, "runs as root"),
        ({"no_engine": "There is no browser engine."}, "no browser engine"),
        ({"environment": {"QTWEBENGINE_DISABLE_SANDBOX": "1"}}, "QTWEBENGINE_DISABLE_SANDBOX"),
        ({"environment": {"QTWEBENGINE_REMOTE_DEBUGGING": "9222"}}, "QTWEBENGINE_REMOTE_DEBUGGING"),
        ({"environment": {live_engine.VARIABLE: "--lang=de --no-sandbox"}}, "--no-sandbox"),
    ],
)
def test_where_pages_would_not_be_shut_in_there_is_no_live_view(qtbot, machine, words):
    loaded = engine_modules()
    view = LiveView(Guard(), "token", machine=replace(ORDINARY, **machine))
    qtbot.addWidget(view)
    view.open("https://example.org/")
    assert words in view.not_here.text()
    assert "not available here" in view.not_here.text()
    assert view.page is None
    assert engine_modules() == loaded, "the engine is not even loaded"


def test_a_library_that_the_engine_lacks_is_named(qtbot, monkeypatch):
    monkeypatch.setattr(LiveView, "_load_engine", lambda _view: None)
    monkeypatch.setitem(sys.modules, "desktop_rater.ui.pages.live_page", None)  # as if its import failed
    view = LiveView(Guard(), "token", machine=ORDINARY)
    qtbot.addWidget(view)
    for _ in range(2):
        view.open("https://example.org/")
        assert "The browser engine can't be loaded: import of desktop_rater" in view.not_here.text()
    assert view.page is None


def test_an_ordinary_machine_has_one():
    assert live_view_obstacle(ORDINARY) == ""


def test_without_a_live_view_the_reader_shows_what_was_found(rooms):
    room = rooms.with_bundle(make(rooms.folder / "bundle.zip", [task("t1", "Paris is in France.")]))
    asked = []
    room.browsing.loading.connect(asked.append)
    room.commands.actions["search_claim"].trigger()
    assert asked == ["https://html.duckduckgo.com/html/?q=Paris%20is%20in%20France."]


def test_where_the_live_view_shows_nothing_there_is_nothing_to_take(rooms, monkeypatch):
    for module in (live_view, preview_pane):
        monkeypatch.setattr(module, "live_view_obstacle", lambda _machine: "The program runs as root.")
    room = rooms.with_bundle(make(rooms.folder / "bundle.zip", [task("t1", "Paris is in France.")]))
    room.browsing.open("https://example.org/a")
    rooms.wait_for_page(room, "https://example.org/a")
    room.window.preview.toggle_view()
    settle()
    assert room.window.preview.live.view.not_here.isVisible()
    assert not room.window.preview.take_bar.isVisible()


# -- flags and engines


def test_of_a_user_s_own_flags_only_those_for_the_screen_stay():
    own = '--disable-gpu --no-sandbox --proxy-server=http://elsewhere --remote-debugging-port=1 --lang="de"'
    said = live_engine.engine_flags("127.0.0.1", 4711, own)
    assert said.startswith("--disable-gpu --lang=de --proxy-server=http://127.0.0.1:4711 ")
    for word in ("elsewhere", "sandbox", "debugging"):
        assert word not in said


def test_each_engine_that_can_be_chosen_has_an_address():
    assert [name for name, _words in SETTINGS_BY_ID["search_engine"].choices] == list(ENGINES)


@pytest.mark.parametrize("template", ENGINES.values())
def test_words_cannot_leave_the_question(template):
    url = search_url(template, "50 % & more? #1 / ü\n", "de")
    assert url.endswith("=50%20%25%20%26%20more%3F%20%231%20%2F%20%C3%BC")
    Guard().check_url(url)


def test_a_long_claim_loses_its_end_at_a_blank():
    words = "word " * 200
    asked = search_url("{words}", words).replace("%20", " ")
    assert len(asked) <= LONGEST
    assert set(asked.split(" ")) == {"word"}
