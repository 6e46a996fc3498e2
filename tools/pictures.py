"""Take the pictures of the documents again, at one fixed time: `make pictures`."""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"  # before anything loads Qt
os.environ["TZ"] = "UTC"

from PySide6.QtGui import QImage

from tools.tour import end_process
from tools.tour.colors import with_few_colors
from tools.tour.frames import Frame
from tools.tour.scenes import SCENES, Scene
from tools.tour.tour import take_tour

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"
MORNING = datetime(2026, 11, 20, 9, 41, tzinfo=UTC)
MOST_BYTES = 200_000
# The screens of the tour, and what they are called in the pages.
WANTED = {
    "first-run-1440x900-light": "first-run",
    "rating-1440x900-light": "rating",
    "rating-1440x900-dark": "rating-dark",
    "problems-1440x900-light": "problems",
    "evidence-1440x900-light": "evidence",
    "preview-1440x900-light": "preview",
    "history-1440x900-light": "history",
    "right-to-left-1440x900-light": "right-to-left",
    "practice-1440x900-light": "practice",
    "scales-1440x900-light": "scales",
    "pair-1440x900-light": "pair",
    "results-1440x900-light": "results",
    "review-1440x900-light": "review",
    "report-1440x900-light": "report",
    "systems-1440x900-light": "systems",
    "returned-1440x900-light": "returned",
    "start-1440x900-light": "start",
    "tool-values-1440x900-light": "tool-output",
    "formulas-1440x900-light": "formulas",
    "page-window-1440x900-light": "page-window",
    "hub-arrivals-1440x900-light": "hub",
    "mapping-1440x900-light": "mapping",
}

SPOKEN = {"rating": "rating-spoken.txt"}  # what a screen reader finds in the picture


def main() -> int:
    """Take the pictures that the documents show; return 1 if one of them is too large."""
    FOLDER.mkdir(exist_ok=True)
    names = {name.partition("-1440")[0] for name in WANTED}
    scenes = tuple(replace(scene, frames=_wanted(scene)) for scene in SCENES)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        taken = take_tour(place, place / "out", now=lambda: MORNING, clock=lambda: 0.0, only=names, scenes=scenes)
        for path in taken:
            picture = FOLDER / f"{WANTED[path.stem]}.png"
            with_few_colors(QImage(str(path))).save(str(picture), quality=0)
        for screen, name in SPOKEN.items():
            shutil.copy(place / "out" / f"{screen}.txt", FOLDER / name)
    sizes = {path.name: path.stat().st_size for path in sorted(FOLDER.glob("*.png"))}
    print("\n".join(f"{name}: {size // 1000} kB" for name, size in sizes.items()))
    return int(max(sizes.values()) > MOST_BYTES)


def _wanted(scene: Scene) -> tuple[Frame, ...]:
    """Return the frames of a scene that the documents show."""
    return tuple(frame for frame in scene.frames if f"{scene.name}-{frame[0].name}-{frame[1].name}" in WANTED)


if __name__ == "__main__":
    end_process(main())
