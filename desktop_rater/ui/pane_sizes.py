"""The sizes that the rater gave to panes by hand: they hold over tasks, folds and restarts, each for its own layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_rater.ui import theme

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtWidgets import QSplitter

WHOLE = 1_000  # shares are kept in thousandths


class PaneSizes(QObject):
    """Widths as they are at 100 %, and shares of the room, by layout and pane: "pair page/form"."""

    kept = Signal(object)  # dict[str, int]: all of them
    changed = Signal()  # panes have to take their places anew

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sizes: dict[str, int] = {}

    def take(self, sizes: Mapping[str, int]) -> None:
        """Take up what was kept before."""
        if dict(sizes) != self._sizes:
            self._sizes = dict(sizes)
            self.changed.emit()

    def forget(self) -> None:
        """Give every pane its usual size."""
        self.take({})
        self.kept.emit({})

    def width(self, name: str, usual: float) -> int:
        """How wide a pane is, in the pixels of now; `usual` is at 100 %."""
        return theme.px(self._sizes.get(name, usual))

    def keep_width(self, name: str, pixels: int) -> None:
        """Keep the width of a pane."""
        self._keep(name, round(pixels * 100 / theme.look().zoom))

    def share(self, name: str, usual: float) -> float:
        """The part of the room that something takes."""
        return self._sizes[name] / WHOLE if name in self._sizes else usual

    def keep_share(self, name: str, split: QSplitter, at: int) -> None:
        """Keep the part of a splitter that one of its widgets takes."""
        sizes = split.sizes()
        if sum(sizes):
            self._keep(name, round(WHOLE * sizes[at] / sum(sizes)))

    def _keep(self, name: str, size: int) -> None:
        if size > 0 and self._sizes.get(name) != size:
            self._sizes[name] = size
            self.kept.emit(dict(self._sizes))
