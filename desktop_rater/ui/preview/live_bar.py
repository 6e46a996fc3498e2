"""The line above a live page: whether its programs run, what was refused, and what is on its way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from desktop_rater.ui import theme
from desktop_rater.ui.form.key_button import Link
from desktop_rater.ui.plain import ElidedLabel, PlainLabel, set_tooltip
from desktop_rater.ui.theme_tokens import PANE

if TYPE_CHECKING:
    from desktop_rater.ui.preview.live_words import Refusals

HEIGHT = 30


class LiveBar(QWidget):
    """Thirty pixels high, as the banners of the reader are.

    A narrow page has no room for everything: what was refused, and the way to stop a page, share one place.
    """

    script_wanted = Signal(bool)
    stop_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("live_bar")
        theme.ground(self, "panel")
        row = QHBoxLayout(self)
        theme.pad(row, PANE, 0, PANE, 0)
        row.setSpacing(theme.px(8))
        self._runs = False
        self._state = ElidedLabel(name="live_script_state")
        self._state.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        theme.write(self._state, "small")
        theme.quiet(self._state)
        row.addWidget(self._state)
        self.script = Link("")
        self.script.setObjectName("live_script")
        self.script.clicked.connect(lambda: self.script_wanted.emit(not self._runs))
        row.addWidget(self.script)
        row.addStretch(1)
        self.refused = PlainLabel(name="live_refused")
        theme.write(self.refused, "small")
        theme.quiet(self.refused)
        row.addWidget(self.refused)
        self.stop = Link(self.tr("Stop loading"))
        self.stop.setObjectName("live_stop")
        self.stop.clicked.connect(self.stop_wanted)
        self.stop.hide()
        row.addWidget(self.stop)
        theme.follow(self, lambda: self.setFixedHeight(theme.px(HEIGHT)))
        self.show_script(False)

    def show_script(self, on: bool) -> None:
        """Whether the page runs programs, and the way to change that."""
        self._runs = on
        self._state.setText(self.tr("JavaScript is on for this site") if on else self.tr("JavaScript is off"))
        self.script.set_label(self.tr("Switch off") if on else self.tr("Switch on"))
        self.script.setAccessibleName(self.tr("Switch JavaScript off") if on else self.tr("Switch JavaScript on"))

    def show_refused(self, refusals: Refusals) -> None:
        """What the page tried."""
        self.refused.setText(refusals.words)
        set_tooltip(self.refused, refusals.list)

    def show_loading(self, host: str) -> None:
        """A page of that host is on its way; "" where none is."""
        self.stop.setVisible(bool(host))
        self.refused.setHidden(bool(host))
        self.stop.setAccessibleName(self.tr("Stop loading {host}").format(host=host) if host else "")
