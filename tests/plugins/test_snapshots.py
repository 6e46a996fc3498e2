"""Eleven screens, pixel by pixel as they were last looked at.

`DESKTOP_RATER_RENEW=1 pytest tests/plugins/test_snapshots.py` (or `make pictures`) takes the pictures anew: look at
them before you keep them. Where one fails, what was drawn and where it differs lie in `build/snapshots/`.
"""

import json
import os
import time
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import qVersion
from PySide6.QtGui import QCursor, QFont, QFontDatabase, QFontMetricsF, QGuiApplication, QImage

from desktop_rater.audit.report_format import Wording
from desktop_rater.plugins.statistics.systems_board import SystemsBoard
from desktop_rater.ui.widgets import theme
from tests.operations.bundles import noon
from tests.plugins.statistics.test_systems import sentences
from tools.tour.frames import CONTRAST, DARK, LIGHT, MIRRORED, Size
from tools.tour.scenes import SCENES
from tools.tour.tour import take_tour

FOLDER = Path(__file__).parents[1] / "ui" / "snapshots"
DRAWN_WITH = FOLDER / "drawn-with.json"
FAILED = Path(__file__).parents[2] / "build" / "snapshots"
RENEW = os.environ.get("DESKTOP_RATER_RENEW") == "1"
MOST_ODD_PIXELS = 12
MOST_BYTES = 1_000_000  # renewed pictures are larger until a program such as zopflipng has packed them again

MIDDLE = Size("1120x720", 1120, 720)  # narrow enough for the rail: the titles in the list need more fonts than Inter
SMALL = Size("960x600", 960, 600)
LARGE = Size("1440x900-at-200", 1440, 900, 200)
FRAMES = {
    "first-run": ((SMALL, LIGHT),),
    "rating": ((MIDDLE, LIGHT), (LARGE, DARK)),
    "problems": ((MIDDLE, DARK), (MIDDLE, CONTRAST), (MIDDLE, MIRRORED)),
    "evidence": ((MIDDLE, LIGHT),),
    "preview": ((MIDDLE, LIGHT),),
    "library": ((SMALL, LIGHT),),
    "skip": ((SMALL, LIGHT),),
}
SYSTEMS, SYSTEMS_HEIGHT = "systems-1120x660-light", 660
NAMES = (*(f"{name}-{size.name}-{view.name}" for name, frames in FRAMES.items() for size, view in frames), SYSTEMS)


def tools():
    """What draws: another Qt or another Inter draws other pixels."""
    font = QFont(theme.FAMILY)
    font.setPixelSize(13)
    wide = QFontMetricsF(font).horizontalAdvance("Quote the passage that decides: 1234567890")
    return {"qt": qVersion(), "inter": round(wide, 3)}


@pytest.fixture(scope="module")
def drawn(qapp, tmp_path_factory):
    """The screens as they are drawn now, by name."""
    if QGuiApplication.platformName() != "offscreen":
        pytest.skip("the pictures are those of the offscreen platform")
    if theme.FAMILY not in QFontDatabase.families():
        pytest.skip("Inter, in which the pictures are drawn, is not installed")
    if not RENEW and json.loads(DRAWN_WITH.read_text("utf-8")) != tools():
        pytest.skip(f"the pictures were drawn with {DRAWN_WITH.read_text('utf-8').strip()}, here is {tools()}")
    folder = tmp_path_factory.mktemp("snapshots")
    systems = coarse(systems_board())
    scenes = tuple(replace(scene, frames=FRAMES.get(scene.name, ())) for scene in SCENES)
    QCursor.setPos(-100, -100)  # where an earlier test left it, it may hover over a button
    zone, flash = os.environ.get("TZ"), qapp.cursorFlashTime()
    os.environ["TZ"] = "UTC"
    time.tzset()
    qapp.setCursorFlashTime(0)
    try:
        taken = take_tour(folder, folder / "out", now=noon, clock=lambda: 0.0, only=tuple(FRAMES), scenes=scenes)
    finally:
        qapp.setCursorFlashTime(flash)
        if zone is None:
            del os.environ["TZ"]
        else:
            os.environ["TZ"] = zone
        time.tzset()
    return {path.stem: coarse(QImage(str(path))) for path in taken} | {SYSTEMS: systems}


def systems_board():
    """The cards of the systems: they need no store, and without their room no seconds are told."""
    board = SystemsBoard()
    board.resize(MIDDLE.width, SYSTEMS_HEIGHT)
    board.show_report(sentences().report(), Wording())
    board.ensurePolished()
    picture = board.grab().toImage()
    board.deleteLater()
    return picture


def coarse(image):
    """With sixteen steps a colour: what the eye does not see is no difference, and the pictures stay small."""
    return image.convertToFormat(QImage.Format.Format_RGB444).convertToFormat(QImage.Format.Format_RGB32)


def odd_pixels(one, other):
    """Where two pictures of one size differ by more than a step, as a byte a pixel."""
    first, second = bytes(one.constBits()), bytes(other.constBits())
    if first == second:
        return b""
    odd = bytearray(len(first) // 4)
    for at in range(0, len(first), 4):
        if first[at : at + 3] != second[at : at + 3]:
            far = max(abs(a - b) for a, b in zip(first[at : at + 3], second[at : at + 3], strict=True))
            odd[at // 4] = 255 * (far > 17)
    return bytes(odd)


def set_aside(name, got, odd):
    FAILED.mkdir(parents=True, exist_ok=True)
    got.save(str(FAILED / f"{name}-got.png"))
    if odd:
        QImage(odd, got.width(), got.height(), got.width(), QImage.Format.Format_Grayscale8).save(
            str(FAILED / f"{name}-difference.png")
        )


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.xdist_group("snapshots")
def test_a_screen_looks_as_it_was_left(drawn, name):
    path, got = FOLDER / f"{name}.png", drawn[name]
    if RENEW:
        got.save(str(path), quality=0)
        DRAWN_WITH.write_text(f"{json.dumps(tools())}\n", encoding="utf-8")
        return
    kept = coarse(QImage(str(path)))
    if kept.size() != got.size():
        set_aside(name, got, b"")
        pytest.fail(f"{name} is {got.size().toTuple()}, was {kept.size().toTuple()}: see {FAILED}")
    odd = odd_pixels(kept, got)
    if odd.count(255) > MOST_ODD_PIXELS:
        set_aside(name, got, odd)
        pytest.fail(f"{odd.count(255)} pixels of {name} differ: see {FAILED}")


def test_the_pictures_are_those_of_the_table_and_small():
    there = sorted(path.stem for path in FOLDER.glob("*.png"))
    assert there == sorted(NAMES)
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < MOST_BYTES
