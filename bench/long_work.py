"""Zoom steps and long texts in a real window: processor time of a step, of an answer among many targets, and gaps.

Each function takes plain arguments and returns plain figures, for `bench.child.measured`.
"""

from __future__ import annotations

import time
from pathlib import Path
from statistics import median

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QTextEdit, QWidget

from bench.window_stage import Stage
from desktop_rater.ui.widgets import theme

ZOOM_STEPS = 12
_LAYOUT_PASSES = 3


def zoom_steps(store: str) -> list[float]:
    """Milliseconds of processor time of a zoom step, and of a layout of the same window by Qt alone; medians."""
    with Stage(Path(store)) as stage:
        ours, bare = [], []
        for number in range(ZOOM_STEPS):
            stage.rest(0.3)
            ours.append(_spent(stage, lambda number=number: _step(stage, "Ctrl+-" if number % 2 else "Ctrl++")))
            stage.rest(0.3)
            bare.append(_spent(stage, lambda number=number: _enlarge_fonts(stage.window, -1 if number % 2 else 1)))
        return [median(ours), median(bare)]


def _step(stage: Stage, key: str) -> None:
    zoom = theme.look().zoom
    stage.press(key)
    stage.until(lambda: theme.look().zoom != zoom)


def _enlarge_fonts(window: QWidget, pixels: int) -> None:
    """Give each visible widget and its document a font of another size, and lay the window out once."""
    window.setUpdatesEnabled(False)
    for widget in [window, *(widget for widget in window.findChildren(QWidget) if widget.isVisible())]:
        font = QFont(widget.font())
        font.setPixelSize(font.pixelSize() + pixels)
        widget.setFont(font)
        if isinstance(widget, QTextEdit):
            document = widget.document()
            font = QFont(document.defaultFont())
            font.setPixelSize(font.pixelSize() + pixels)
            document.setDefaultFont(font)
    for _ in range(_LAYOUT_PASSES):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
    window.setUpdatesEnabled(True)


def _spent(stage: Stage, work: object) -> float:
    """Milliseconds of processor time until the work is done and painted."""
    del stage
    started = time.process_time()
    work()  # ty: ignore[not-callable]
    for _ in range(_LAYOUT_PASSES):
        QApplication.processEvents()
    return (time.process_time() - started) * 1_000
