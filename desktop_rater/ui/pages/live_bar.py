"""Bar above a live page: JavaScript state, refused requests and loading."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from desktop_rater.ui.pages.live_texts import LiveRefusals
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.buttons import LinkButton
from desktop_rater.ui.widgets.labels import ElidedLabel, PlainLabel, set_tooltip, visible
from desktop_rater.ui.widgets.theme_tokens import PANE

HEIGHT = 30


class LiveBar(QWidget):
    """Bar as high as the reader's banners.

    The count of refusals and the button to stop loading share one place, because a narrow page has no space for both.
    """

    script_wanted = Signal(bool)
    stop_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("live_bar")
        theme.set_ground(self, "panel")
        row = QHBoxLayout(self)
        theme.pad(row, PANE, 0, PANE, 0)
        row.setSpacing(theme.px(8))
        self._script_on = False
        self._state = ElidedLabel(name="live_script_state")
        self._state.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        theme.set_type(self._state, "small")
        theme.set_ink(self._state)
        row.addWidget(self._state)
        self.script = LinkButton(
            "", "Shift R", name="live_script", clicked=lambda: self.script_wanted.emit(not self._script_on)
        )
        row.addWidget(self.script)
        row.addStretch(1)
        self.refused = PlainLabel(name="live_refused", size="small", ink="text2")
        row.addWidget(self.refused)
        self.stop = LinkButton(self.tr("Stop loading"), name="live_stop", clicked=self.stop_wanted)
        self.stop.hide()
        row.addWidget(self.stop)
        theme.follow(self, lambda: self.setFixedHeight(theme.px(HEIGHT)))
        self.show_script(False)

    def show_script(self, on: bool) -> None:
        """Show whether JavaScript is on, and offer to change it."""
        self._script_on = on
        self._state.setText(self.tr("JavaScript is on for this site") if on else self.tr("JavaScript is off"))
        self.script.set_label(self.tr("Switch off") if on else self.tr("Switch on"))
        self.script.setAccessibleName(self.tr("Switch JavaScript off") if on else self.tr("Switch JavaScript on"))

    def show_refused(self, refusals: LiveRefusals) -> None:
        self.refused.setText(refusals.summary)
        set_tooltip(self.refused, refusals.details)

    def show_loading(self, host: str) -> None:
        """Show that a page of that host is loading; "" if none is."""
        self.stop.setVisible(bool(host))
        self.refused.setHidden(bool(host))
        self.stop.setAccessibleName(visible(self.tr("Stop loading {host}").format(host=host) if host else ""))
