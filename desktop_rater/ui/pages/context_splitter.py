"""Splitter with the responses and the context documents."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from desktop_rater.ui.pages.context_pane import ContextPane
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.accessibility import OrderedSplitter
from desktop_rater.ui.window.pane_layout import PaneSizes

COLUMN, SHARE_BELOW = 430, 0.46


class ContextSplitter(OrderedSplitter):
    """Splitter with the documents beside the responses if there is space, otherwise below.

    A low window folds the documents. A fold chosen by the rater applies to later tasks too.
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
        context.filled.connect(self._apply)
        self.splitterMoved.connect(self._store_share)
        sizes.changed.connect(self._apply)
        theme.follow(self, self._apply)

    def toggle(self) -> None:
        """Fold or unfold the documents."""
        if self._context.has_documents:
            self._by_hand = not self._context.is_open
            self._apply()

    def set_open(self, wanted: bool) -> None:
        """Fold or unfold the documents on request of another part of the window."""
        if wanted != self._context.is_open:
            self._by_hand = wanted
            self._apply()

    def fold(self, *, low: bool) -> None:
        """Set whether the window is low."""
        if low != self._low:
            self._low = low
            self._apply()

    def _apply(self) -> None:
        self._context.set_open(self._by_hand if self._by_hand is not None else not self._low)
        self._divide()

    def _divide(self) -> None:
        """Divide the space. Folded, the documents are one line at the bottom."""
        is_open, side_by_side = self._context.is_open, self._fits_beside()
        orientation = Qt.Orientation.Horizontal if side_by_side else Qt.Orientation.Vertical
        if self.orientation() != orientation:
            self.setOrientation(orientation)
        available = max(1, self.width() if side_by_side else self.height())
        default = 1 / (self._responses.count() + 1) if side_by_side else SHARE_BELOW
        proportion = self._sizes.share(self._name, default)
        share = round(available * proportion) if is_open else self._context.maximumHeight()
        self.setStretchFactor(0, 1)
        self.setStretchFactor(1, 1 if is_open else 0)
        self.setSizes([available - share, share])

    @property
    def _name(self) -> str:
        side_by_side = self.orientation() == Qt.Orientation.Horizontal
        return f"context {'beside' if side_by_side else 'below'} {self._responses.count()}/context"

    def _store_share(self) -> None:
        if self._context.is_open:
            self._sizes.store_share(self._name, self, 1)

    def _fits_beside(self) -> bool:
        return self._context.is_open and self.width() >= theme.px(COLUMN) * (self._responses.count() + 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if (
            self._fits_beside() is not (self.orientation() == Qt.Orientation.Horizontal)
            or event.oldSize().height() <= 0
        ):
            self._divide()
