"""The list beside the comparison; in a narrow window one of them at a time."""

from PySide6.QtWidgets import QWidget

from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.focus_splitter import FocusSplitter
from desktop_rater.ui.window.pane_layout import FORM_NARROWS, ONE_PANE, PaneSizes

LIST, NARROW_LIST, MIN_LIST_WIDTH = 300, 248, 200
NAME = "review/list"


class ReviewSplit(FocusSplitter):
    """A splitter; moving the focus with F6 or choosing an item shows the folded side."""

    def __init__(self, sizes: PaneSizes, parent: QWidget) -> None:
        super().__init__("review_sides", one_pane_width=ONE_PANE, visible=1, parent=parent)
        self._sizes = sizes
        self._folded_by_user = False
        self.splitter.splitterMoved.connect(lambda _at, _handle: self._store_width())
        sizes.changed.connect(self.arrange)

    def add_panes(self, *panes: QWidget) -> None:
        super().add_panes(*panes)
        self.splitter.setStretchFactor(1, 1)
        theme.follow(self, self.arrange)

    def toggle(self) -> None:
        """Fold or unfold the list."""
        if self.one_pane:
            self._panes[1 - self._visible].setFocus()
        else:
            self._folded_by_user = not self._folded_by_user
            self.arrange()

    def _widths(self) -> tuple[int, int]:
        usual = NARROW_LIST if self.width() < theme.px(FORM_NARROWS) else LIST
        first = 0 if self._folded_by_user else max(theme.px(MIN_LIST_WIDTH), self._sizes.width(NAME, usual))
        return first, self.width() - first

    def _store_width(self) -> None:
        if not self.one_pane and not self._folded_by_user and self.splitter.sizes()[0]:
            self._sizes.store_width(NAME, self.splitter.sizes()[0])

    def _pane_focused(self, index: int) -> None:
        if self.one_pane:
            super()._pane_focused(index)
        elif index == 0 and self._folded_by_user:
            self._folded_by_user = False
            self.arrange()
