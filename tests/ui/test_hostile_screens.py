"""Every screen of the tour, with what would like to be HTML in every field: it is text wherever it is met.

The screens are those of `tour_scenes`, so a new one is walked over without a word here, and a few that the tour has no
picture of.
"""

from dataclasses import dataclass, field, replace

import pytest
from PySide6.QtWidgets import (
    QDialog,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QMessageBox,
    QPushButton,
    QTabBar,
    QTextBrowser,
    QTextEdit,
    QWidget,
)
from pytest_httpserver import HTTPServer

from desktop_rater.format.errors import RaterError
from desktop_rater.ui.store.rescue_page import RescuePage
from desktop_rater.ui.widgets.labels import PlainLabel, set_tooltip, set_window_title
from desktop_rater.ui.window import transfer
from tests.operations.bundles import noon, write
from tests.ui.hostile_sample import PICTURE, HostileSaves, HostileWeb, Lures, hostile_bundle, hostile_ratings, mark
from tests.ui.literal import Met, met_everywhere
from tests.ui.test_hostile_page import Watch
from tools.tour import stage as tour_stage
from tools.tour import tour
from tools.tour.frames import LIGHT, NARROW, ONCE, bring_into
from tools.tour.scenes import PASSES, SCENES, Scene

pytestmark = pytest.mark.slow

OWN_BUNDLES = {"practice", "returned"}  # scenes of bundles that come with the program, which are not here
SMALLEST_PICTURE = b"GIF89a\x01\x00\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x00;"
# What somebody else writes, and the window shows somewhere.
FIELDS = {"prompt", "role", "history", "context title", "context text", "context url", "reference", "response"}
FIELDS |= {"tool name", "tool input", "tool input key", "tool output", "tool output key", "bundle title", "guidelines"}
FIELDS |= {"rubric ask", "rubric hint", "rubric label", "rubric message", "comment", "claim", "rater", "file name"}
FIELDS |= {"evidence title", "evidence quote", "evidence note", "page title", "page site", "page author", "page text"}
FIELDS |= {"page link words", "page picture"}
FIELDS |= {"why there is no page", "final address", "error", "error message", "error hint"}


def _turn_to(number):
    return lambda stage: stage.window.findChild(QTabBar, "prompt_tabs").setCurrentIndex(number)


def _refused_bundle(stage):
    path = write(stage.folder / f"{mark('file name').strip()}.refused.zip", b"no zip")
    stage.transfer.import_bundle(path)
    stage.wait(lambda: stage.window.banners.text("trouble") is not None)


def _whole_page(stage):
    stage.read(lambda: stage.browsing.open(PASSES))
    stage.act("whole_page")
    stage.wait(lambda: stage.window.preview.reader.read.is_whole)


def _search(stage):
    stage.act("find_read")
    search = stage.window.findChild(QWidget, "stored_search")
    search.field.setText("page")
    stage.wait(lambda: search.model.rowCount() > 0)


def _bug(stage):
    stage.perform.crashed.emit(ValueError(mark("exception")))
    stage.wait(lambda: stage.window.banners.banner("crash") is not None)
    stage.window.banners.banner("crash").buttons[0].click()


def _shut_bug(stage):
    stage.window.findChild(QDialog, "crash").reject()


MORE = (
    *(Scene(f"prompt-tab-{number}", _turn_to(number)) for number in (1, 2)),
    Scene("refused-bundle", _refused_bundle),
    Scene("whole-page", _whole_page),
    Scene("search-of-pages", _search, leave=lambda stage: stage.browsing.close()),
    Scene("bug", _bug, leave=_shut_bug),
)


@dataclass
class Walk:
    """What was met on each screen; how often the picture was opened, and what was asked of the server."""

    met: dict[str, list[Met]] = field(default_factory=dict)
    opened: int = 0
    asked: list[str] = field(default_factory=list)

    def over(self, stage, out, only, scenes):
        """In the place of the tour, which takes pictures."""
        at = next(at for at, scene in enumerate(scenes) if scene.name == "tool-output")
        walked = (scene for scene in (*scenes[: at + 1], *MORE, *scenes[at + 1 :]) if scene.name not in OWN_BUNDLES)
        once = tuple(replace(scene, frames=ONCE) for scene in walked)
        for name, _frame in tour._shots(stage, only, once):
            tour.picture_of(stage.window)  # what has too little room gets its tooltip when it is painted
            bring_into(stage.app, stage.window, (NARROW, LIGHT))
            tour.picture_of(stage.window)
            self.met[name] = list(met_everywhere())
        stage.window.close()
        stage.wait(lambda: not stage.window.isVisible())
        return []


hostile_names = pytest.mark.posix("Windows refuses the names of these files and folders")


@pytest.fixture(scope="module")
def own_server():
    """A server that nobody asks but the walk: the one of the other tests still hears from their windows."""
    with HTTPServer() as server:
        yield server


@pytest.fixture(scope="module")
def walk(qapp, tmp_path_factory, own_server):
    folder = tmp_path_factory.mktemp("hostile")
    picture = write(folder / PICTURE, SMALLEST_PICTURE)
    lures = Lures(picture, own_server.url_for("").rstrip("/"))
    bundle, ratings = hostile_bundle(folder, lures), hostile_ratings(folder, lures)
    walk = Walk()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(tour, "tour", walk.over)
        # Scenes wait in vain for what the sample has and this bundle lacks, such as finished tasks.
        patch.setattr(tour_stage.Stage, "wait", lambda stage, there: tour_stage.wait_until(stage.app, there))
        patch.setattr(tour, "RATER", mark("rater"))
        patch.setattr(tour, "SampleWeb", HostileWeb)
        patch.setattr(tour, "Saves", HostileSaves)
        patch.setattr(tour_stage, "sample_ratings_path", lambda: ratings)
        patch.setattr(transfer, "sample_bundle_path", lambda _name: bundle)
        watch = Watch(picture)
        tour.take_tour(folder, folder / "out", now=noon)
        walk.opened = watch.opened()
        watch.close()
    walk.asked = [request.path for request, _answer in own_server.log]
    return walk


@hostile_names
def test_every_screen_of_the_tour_was_walked_over(walk):
    assert set(walk.met) == {scene.name for scene in (*SCENES, *MORE)} - OWN_BUNDLES
    assert all(
        "bundle title" in {one for met in met_there for one in met.fields}
        for name, met_there in walk.met.items()
        if name != "first-run"
    )


@hostile_names
def test_what_others_wrote_stands_on_every_screen_as_it_stands_in_the_file(walk):
    faults = {fault: name for name, met_there in walk.met.items() for met in met_there for fault in met.faults}
    assert faults == {}


@hostile_names
def test_the_text_of_every_field_was_met_somewhere(walk):
    seen = {one for met_there in walk.met.values() for met in met_there for one in met.fields}
    assert seen == FIELDS


@hostile_names
def test_nothing_was_loaded(walk):
    assert walk.opened == 0
    assert walk.asked == []


@hostile_names
def test_the_page_for_a_damaged_store_shows_folder_and_trouble_as_they_are(qtbot, tmp_path):
    folder = tmp_path / mark("folder").strip()
    folder.mkdir()
    page = RescuePage(folder, RaterError(mark("title"), mark("message"), mark("hint")), noon)
    qtbot.addWidget(page)
    page.show()
    met = list(met_everywhere())
    assert [fault for one in met for fault in one.faults] == []
    assert "message" in {one for here in met for one in here.fields}


def _label():
    return QLabel(mark("label"))


def _tooltip():
    widget = QWidget()
    widget.setToolTip(mark("tooltip"))
    return widget


def _title():
    widget = QWidget()
    widget.setWindowTitle(mark("title") + "its end")
    widget.show()
    return widget


def _message():
    return QMessageBox(QMessageBox.Icon.Information, "Title", mark("message"))


def _rows():
    shown = QListWidget()
    row = QListWidgetItem("A row")
    row.setToolTip(mark("tooltip of a row"))
    shown.addItem(row)
    return shown


def _menu():
    menu = QMenu()
    menu.addAction(mark("action"))
    return menu


@pytest.mark.parametrize(
    "make",
    [_label, _tooltip, _title, _message, _rows, _menu, QTextBrowser, QTextEdit, lambda: QPushButton(mark("button"))],
)
def test_the_walk_notices_a_widget_that_takes_a_text_for_more_than_it_is(qtbot, make):
    widget = make()
    qtbot.addWidget(widget)
    assert [fault for met in met_everywhere() for fault in met.faults]


def test_the_walk_is_content_with_what_the_door_for_plain_text_made(qtbot):
    label, window = PlainLabel(mark("label")), QWidget()
    set_tooltip(label, mark("tooltip"))
    set_window_title(window, mark("title"))
    for widget in (label, window):
        qtbot.addWidget(widget)
        widget.show()
    met = list(met_everywhere())
    assert [fault for one in met for fault in one.faults] == []
    assert {"label", "tooltip", "title"} <= {one for here in met for one in here.fields}
