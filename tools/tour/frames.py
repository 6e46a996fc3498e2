"""Sizes and themes in which the tour shows a screen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from desktop_rater.ui.widgets import theme


@dataclass(frozen=True)
class Size:
    """Size of the window in pixels, and its zoom."""

    name: str
    width: int
    height: int
    zoom: int = 100


@dataclass(frozen=True)
class View:
    """A theme, and whether the window is mirrored for right-to-left languages."""

    name: str
    theme: Literal["light", "dark"] = "light"
    contrast: Literal["normal", "high"] = "normal"
    mirrored: bool = False


USUAL = Size("1440x900", 1440, 900)
NOTEBOOK = Size("1366x768", 1366, 768)
LAPTOP = Size("1280x720", 1280, 720)
NARROW = Size("960x720", 960, 720)
LARGE = Size("1440x900-at-200", 1440, 900, 200)  # as much room as in 720x450
SIZES = (USUAL, LAPTOP, NARROW, LARGE)

LIGHT = View("light")
DARK = View("dark", theme="dark")
CONTRAST = View("contrast", contrast="high")
MIRRORED = View("mirrored", mirrored=True)
VIEWS = (LIGHT, DARK, CONTRAST, MIRRORED)

Frame = tuple[Size, View]
ONCE: tuple[Frame, ...] = ((USUAL, LIGHT),)
IN_BOTH: tuple[Frame, ...] = ((USUAL, LIGHT), (USUAL, DARK))
AND_LARGE: tuple[Frame, ...] = (*IN_BOTH, (LARGE, LIGHT))
IN_ALL: tuple[Frame, ...] = tuple((size, view) for view in VIEWS for size in SIZES)
AND_NOTEBOOK: tuple[Frame, ...] = (*IN_ALL, (NOTEBOOK, LIGHT))


def bring_into(app: QApplication, window: QWidget, frame: Frame) -> None:
    """Give the window a size and a theme; they apply once pending events have been processed."""
    size, view = frame
    look = theme.Look(view.theme, view.contrast, size.zoom)
    if look != theme.look():
        theme.apply(app, look)
    direction = Qt.LayoutDirection.RightToLeft if view.mirrored else Qt.LayoutDirection.LeftToRight
    if app.layoutDirection() != direction:
        app.setLayoutDirection(direction)
    window.resize(size.width, size.height)
