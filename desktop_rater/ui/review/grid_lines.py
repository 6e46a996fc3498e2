"""Grounds and lines of the comparison, alike in its heads and its cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QPen

from desktop_rater.ui import theme

if TYPE_CHECKING:
    from PySide6.QtCore import QRect
    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import QWidget

SIDE = 2


def paint_column(painter: QPainter, rect: QRect, widget: QWidget, *, chosen: bool, here: bool = False) -> str:
    """The ground of a cell, the line beneath it, and at its side; the name of the ground."""
    ground = "info_back" if chosen else "surface"
    painter.fillRect(rect, theme.color(widget, ground))
    line = theme.color(widget, "line")
    painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, line)
    if chosen:
        side, accent = theme.px(SIDE), theme.color(widget, "accent")
        painter.fillRect(rect.left(), rect.top(), side, rect.height(), accent)
        painter.fillRect(rect.right() + 1 - side, rect.top(), side, rect.height(), accent)
    else:
        painter.fillRect(rect.right(), rect.top(), 1, rect.height(), line)
    if here:
        painter.setPen(QPen(theme.color(widget, "accent"), 1))
        painter.drawRect(rect.adjusted(4, 3, -5, -4))
    return ground


def paint_corner(painter: QPainter, rect: QRect, widget: QWidget) -> None:
    """The field between the heads of rows and columns."""
    painter.fillRect(rect, theme.color(widget, "panel"))
    line = theme.color(widget, "line")
    painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, line)
    painter.fillRect(rect.right(), rect.top(), 1, rect.height(), line)
