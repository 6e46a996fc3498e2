"""The tour takes a picture of each screen, in the sizes and looks that its table names."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QImage
from PySide6.QtWidgets import QBoxLayout

from desktop_rater import app
from desktop_rater.format.errors import RaterError
from desktop_rater.ui.widgets import shapes, theme
from desktop_rater.ui.widgets.labels import ElidedLabel, elided_text
from tests.operations.bundles import noon
from tests.ui.drawn_keys import CAN_COPY, faults_of_signs
from tests.ui.test_window import cut_off
from tools.tour import tour
from tools.tour.frames import LIGHT, NOTEBOOK
from tools.tour.scenes import SCENES
from tools.tour.tour import take_tour

pytestmark = pytest.mark.slow

# Every screen, and three of them in all sizes and looks; `make run` takes the others.
IN_ALL_FRAMES = {"first-run", "rating", "problems"}
# And some also in the size of most notebooks, where their parts are narrow.
ON_A_NOTEBOOK = {"preview", "scales", "pair"}


def frames_of(scene):
    if scene.name in IN_ALL_FRAMES:
        return scene.frames
    return (*scene.frames[:1], *(((NOTEBOOK, LIGHT),) if scene.name in ON_A_NOTEBOOK else ()))


PLAYED = tuple(replace(scene, frames=frames_of(scene)) for scene in SCENES)


def size_of(path):
    image = QImage(str(path))
    return image.width(), image.height()


WITHOUT_STATE = ("chevron-left", "chevron-right", "chevron-down", "chevron-up")
# The words by which a screen says what a shape in it shows, any of them.
WORDS_OF_SHAPES = {
    "ring": ("to do", "not answered", "not asked", "open"),
    "dashed-ring": ("suggested", "counted", "opened"),
    "pie": ("begun", "part"),
    "tick": ("done", "answered", "opened", "saved", "complete", "same", "yes"),
    "double-tick": ("sent", "exported", "on the hub"),
    "arrow-back": ("sent back", "came back", "returned"),
    "circle-exclamation": ("block", "problem", "refused"),
    "triangle-exclamation": ("warning", "no result", "no_results", "missing", "differ"),
    "bar-triangle": ("skip",),
    "two-triangles-bar": ("skip",),
    "ring-plus": ("supports", "agrees", "covers"),
    "square-minus": ("contradicts", "disagrees"),
    "diamond-bar": ("not decid", "does not decide"),
    "ring-cross": ("dead",),
    "cross": ("failed", "error", "differs", "wrong"),
    "dash": ("nothing", "no results", "silent"),
    "circle-tick": ("accurate", "matches", "right"),
    "square-cross": ("inaccurate", "differs", "wrong"),
    "diamond-question": ("unsupported", "can't tell"),
    "half-circle": ("disputed",),
    "ring-bar": ("not factual", "sign", "no"),
}


@pytest.fixture(scope="module")
def shapes_of_screens():
    """The shapes that each screen shows, by its name: filled while the pictures are taken."""
    return {}


def skip_unless_rows_are_read_anew():
    QAccessible.setActive(True)
    if not QAccessible.isActive():
        pytest.skip("the offscreen platform of Qt 6.9 can't be told that a screen reader runs")


@pytest.fixture(scope="module")
def incomplete_texts():
    """The texts that a screen cuts off, or elides beside room, by its name: filled while the pictures are taken."""
    return {}


def row_of(layout, widget):
    """The layout that places a widget, in a layout of layouts."""
    inner = (layout.itemAt(at).layout() for at in range(layout.count()))
    if layout.indexOf(widget) >= 0:
        return layout
    return next((row for one in inner if one is not None and (row := row_of(one, widget)) is not None), None)


def room_beside(label):
    """The pixels in the row of a label that its neighbours do not need."""
    row = row_of(label.parentWidget().layout(), label)
    if not isinstance(row, QBoxLayout) or row.direction() not in {
        QBoxLayout.Direction.LeftToRight,
        QBoxLayout.Direction.RightToLeft,
    }:
        return 0
    beside = [item for at in range(row.count()) if (item := row.itemAt(at)).widget() is not label]
    shown = [item for item in beside if item.spacerItem() is not None or not item.isEmpty()]
    return sum(max(0, item.geometry().width() - item.sizeHint().width()) for item in shown)


@pytest.fixture(scope="module")
def unheard_keys():
    """The faults of the keys that a screen draws, by its name: filled while the pictures are taken."""
    return {}


def texts_elided_with_room(window):
    for label in window.findChildren(ElidedLabel):
        text, metrics = " ".join(label.text().split()), label.fontMetrics()
        lines = label.height() // metrics.lineSpacing()
        if label.visibleRegion().isEmpty() or elided_text(metrics, text, label.width(), lines) == text:
            continue
        if room_beside(label) >= metrics.horizontalAdvance(text) - label.width():
            yield text


@pytest.fixture(scope="module")
def pictures(qapp, tmp_path_factory, shapes_of_screens, incomplete_texts, unheard_keys):
    folder = tmp_path_factory.mktemp("tour")
    before = theme.look(), qapp.layoutDirection()
    painted: list[str] = []
    tried_keys: set[tuple[object, ...]] = set()
    paint, take = shapes.paint_shape, tour._take

    def paint_and_note(painter, rect, shape, *colors):
        painted.append(shapes.STATES[shape][0] if shape in shapes.STATES else shape)
        paint(painter, rect, shape, *colors)

    def take_and_note(stage, out, name, frame):
        painted.clear()
        path = take(stage, out, name, frame)
        if CAN_COPY and name not in shapes_of_screens:
            unheard_keys[name] = faults_of_signs(tried_keys)
        shapes_of_screens.setdefault(name, set(painted))
        incomplete_texts.setdefault(name, []).extend([*texts_elided_with_room(stage.window), *cut_off(stage.window)])
        return path

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(shapes, "paint_shape", paint_and_note)
        patched.setattr(tour, "_take", take_and_note)
        taken = take_tour(folder, folder / "out", now=noon, scenes=PLAYED)
    assert (theme.look(), qapp.layoutDirection()) == before, "the tour leaves the look as it was"
    return {path.stem: path for path in taken}


def test_each_screen_is_drawn_in_each_of_its_frames(pictures):
    wanted = [f"{scene.name}-{size.name}-{view.name}" for scene in PLAYED for size, view in scene.frames]
    assert list(pictures) == wanted
    assert len({path.read_bytes() for path in pictures.values()}) == len(wanted), "no two pictures are the same"


def test_the_name_of_a_picture_says_its_size(pictures):
    assert size_of(pictures["first-run-1440x900-light"]) == (1440, 900)
    assert size_of(pictures["rating-1280x720-dark"]) == (1280, 720)
    assert size_of(pictures["rating-960x720-contrast"]) == (960, 720)
    assert size_of(pictures["problems-1440x900-at-200-mirrored"]) == (1440, 900)


def test_beside_a_picture_stands_what_a_screen_reader_finds_in_it(pictures):
    skip_unless_rows_are_read_anew()
    spoken = (pictures["rating-1440x900-light"].parent / "rating.txt").read_text("utf-8")
    assert "Targets · list\n" in spoken
    assert "4 of 8, current, claim 1 of 2, Disputed · list item · focused · selected" in spoken
    assert "How accurate is it? · panel · current question" in spoken
    assert "Disputed, D, 4 of 4, chosen · radio button" in spoken


def test_each_state_that_a_shape_shows_is_also_said_in_words(pictures, shapes_of_screens):
    skip_unless_rows_are_read_anew()
    folder = next(iter(pictures.values())).parent
    unsaid = {}
    for screen, painted in shapes_of_screens.items():
        spoken = (folder / f"{screen}.txt").read_text("utf-8").lower()
        states = painted - set(WITHOUT_STATE)
        unsaid[screen] = [one for one in states if not any(word in spoken for word in WORDS_OF_SHAPES[one])]
    assert {screen: missing for screen, missing in unsaid.items() if missing} == {}


def test_no_text_is_cut_off_or_elided_beside_room_for_it(pictures, incomplete_texts):
    assert pictures
    assert {screen: texts for screen, texts in incomplete_texts.items() if texts} == {}


@pytest.mark.skipif(not CAN_COPY, reason="the keys are tried in a copy of the process")
def test_each_key_that_a_screen_draws_on_a_button_is_heard(pictures, unheard_keys):
    assert set(unheard_keys) == {scene.name for scene in PLAYED}
    assert {screen: faults for screen, faults in unheard_keys.items() if faults} == {}


def test_one_screen_alone(qapp, tmp_path):
    taken = take_tour(tmp_path, tmp_path / "out", now=noon, only=("first-run", "new-task"))
    assert [path.stem for path in taken] == [
        "first-run-1440x900-light",
        "first-run-1440x900-dark",
        "new-task-1440x900-light",
    ]
    assert qapp.layoutDirection() == Qt.LayoutDirection.LeftToRight


def test_a_screen_that_there_is_not_is_named_with_those_that_there_are(qapp, tmp_path):
    with pytest.raises(RaterError, match="No screen is called cellar.") as caught:
        take_tour(tmp_path, tmp_path / "out", now=noon, only=("cellar",))
    assert "first-run" in str(caught.value.hint)


def test_the_window_is_tried(qapp, tmp_path):
    step = app.try_window(tmp_path, now=noon)
    assert step.passed
    assert "Sample" in step.detail
