"""Rows without a mark: the words begin where the row does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rater.ui import theme
from desktop_rater.ui.rows import MARK_ROOM, PAD, Line, LineDelegate, LineList

if TYPE_CHECKING:
    from PySide6.QtCore import QRect
    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import QStyle, QWidget


class BareDelegate(LineDelegate):
    """Gives the room of the mark to the words."""

    def frame(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag, line: Line) -> QRect:
        inner = super().frame(painter, rect, state, line)
        room = theme.px(MARK_ROOM)
        return inner.adjusted(0, 0, room, 0) if self.mirrored else inner.adjusted(-room, 0, 0, 0)


class BareList(LineList):
    """A list of one-line rows without marks."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, two_lines=False, parent=parent)
        self.line_delegate = BareDelegate(self, two_lines=False, pad=PAD)
        self.setItemDelegate(self.line_delegate)
