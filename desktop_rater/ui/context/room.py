"""Responses and the documents they were written from, in the room of both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter

from desktop_rater.ui import theme

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent
    from PySide6.QtWidgets import QWidget

    from desktop_rater.ui.context.pane import ContextPane
    from desktop_rater.ui.pane_sizes import PaneSizes

COLUMN, SHARE_BELOW = 430, 0.46


class ContextRoom(QSplitter):
    """The documents beside the responses where there is room, else below; a low window folds them.

    A fold that the rater made by hand stays from task to task.
    """

    def __init__(
        self, responses: QSplitter, context: ContextPane, sizes: PaneSizes, parent: QWidget | None = None
    ) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self.setObjectName("context_room")
        self.setChildrenCollapsible(False)
        self.setHandleWidth(1)
        self._responses, self._context, self._sizes = responses, context, sizes
        self._by_hand: bool | None = None
        self._low = False
        self.addWidget(responses)
        self.addWidget(context)
        context.folded.connect(self.toggle)
        context.filled.connect(self._settle)
        self.splitterMoved.connect(self._dragged)
        sizes.changed.connect(self._settle)
        theme.follow(self, self._settle)

    def toggle(self) -> None:
        """Fold the documents, or show them."""
        if self._context.has_documents:
            self._by_hand = not self._context.is_open
            self._settle()

    def set_open(self, wanted: bool) -> None:
        """Have them in view because something in them is wanted."""
        if wanted != self._context.is_open:
            self._by_hand = wanted
            self._settle()

    def fold(self, *, low: bool) -> None:
        """Whether the window is low."""
        if low != self._low:
            self._low = low
            self._settle()

    def _settle(self) -> None:
        self._context.set_open(self._by_hand if self._by_hand is not None else not self._low)
        self._share_out()

    def _share_out(self) -> None:
        """A folded one is a line at the foot, wherever it would stand open."""
        is_open, beside = self._context.is_open, self._has_room_beside()
        orientation = Qt.Orientation.Horizontal if beside else Qt.Orientation.Vertical
        if self.orientation() != orientation:
            self.setOrientation(orientation)
        room = max(1, self.width() if beside else self.height())
        usual = 1 / (self._responses.count() + 1) if beside else SHARE_BELOW
        part = self._sizes.share(self._name, usual)
        share = round(room * part) if is_open else self._context.maximumHeight()
        self.setStretchFactor(0, 1)
        self.setStretchFactor(1, 1 if is_open else 0)
        self.setSizes([room - share, share])

    @property
    def _name(self) -> str:
        beside = self.orientation() == Qt.Orientation.Horizontal
        return f"context {'beside' if beside else 'below'} {self._responses.count()}/context"

    def _dragged(self) -> None:
        if self._context.is_open:
            self._sizes.keep_share(self._name, self, 1)

    def _has_room_beside(self) -> bool:
        return self._context.is_open and self.width() >= theme.px(COLUMN) * (self._responses.count() + 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if (
            self._has_room_beside() is not (self.orientation() == Qt.Orientation.Horizontal)
            or event.oldSize().height() <= 0
        ):
            self._share_out()
