"""A thin line between two parts of the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFrame

from desktop_rater.ui.tokens import color

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


def line(parent: QWidget | None = None) -> QFrame:
    """One pixel high."""
    made = QFrame(parent)
    made.setFixedHeight(1)
    made.setAutoFillBackground(True)
    palette = made.palette()
    palette.setColor(made.backgroundRole(), color(made, "line"))
    made.setPalette(palette)
    return made
