"""The row over a page: back, forward, its title, and the way out."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop_rater.ui import theme
from desktop_rater.ui.glyph_button import GlyphButton
from desktop_rater.ui.plain import ElidedLabel

HEIGHT = 44
MOST_TITLE = 300


class PreviewHead(QWidget):
    """As high as the heads of the panes beside it."""

    shut_wanted = Signal()
    step_wanted = Signal(int)  # -1 back, 1 forward

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        self._back = self._step("page_back", self.tr("Back"), "Alt Left", forward=False)
        self._back.clicked.connect(lambda: self.step_wanted.emit(-1))
        self._forward = self._step("page_forward", self.tr("Forward"), "Alt Right", forward=True)
        self._forward.clicked.connect(lambda: self.step_wanted.emit(1))
        self._title = ElidedLabel(name="page_title")
        theme.write(self._title, bold=True)
        close = GlyphButton(self.tr("Close the page"), "cross", "Esc", cap=True)
        close.setObjectName("close_preview")
        close.clicked.connect(self.shut_wanted)
        row.setSpacing(0)
        row.addWidget(self._back)
        row.addWidget(self._forward)
        row.addSpacing(4)
        row.addWidget(self._title, 1)
        row.addSpacing(8)
        row.addWidget(close)

        def measure() -> None:
            row.setContentsMargins(theme.px(8), 0, theme.px(8), 0)
            self.setFixedHeight(theme.px(HEIGHT))

        theme.follow(self, measure)

    def _step(self, name: str, words: str, key: str, *, forward: bool) -> GlyphButton:
        on, off = ("chevron-right", "chevron-left") if forward else ("chevron-left", "chevron-right")
        button = GlyphButton(words, on, key, turned=off)
        button.setObjectName(name)
        return button

    @property
    def title(self) -> str:
        return self._title.text()

    def show_title(self, title: str) -> None:
        """The title of the page."""
        self._title.setText(title[:MOST_TITLE])

    def show_ways(self, *, back: bool, forward: bool) -> None:
        """Where one can go from it."""
        self._back.setEnabled(back)
        self._forward.setEnabled(forward)
