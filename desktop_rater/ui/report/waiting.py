"""The page of the report while its figures are computed: how far that is, and a button that stops or starts it."""

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QWidget

from desktop_rater.ui.report.calculator import FigureCalculator
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.labels import PlainLabel
from desktop_rater.ui.widgets.layouts import tight_column

translate = QCoreApplication.translate


class WaitingPage(QWidget):
    """Shows the progress of figures that take a while; `wanted` is emitted to compute them after `stopped`."""

    wanted = Signal()
    stopped = Signal()

    def __init__(self, figures: FigureCalculator, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.set_ground(self, "win")
        self._figures = figures
        self._share = ""
        self.label = PlainLabel(name="report_waiting")
        self.button = KeyButton(translate("Report", "Cancel"), "", name="report_cancel", clicked=self._press)
        column = tight_column(self, spacing=12)
        column.addStretch(1)
        for widget in (self.label, self.button):
            column.addWidget(widget, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)
        figures.advanced.connect(self._advance)
        self.setFocusProxy(self.button)
        self.clear()

    def clear(self) -> None:
        """Show nothing: the figures may be there in a moment."""
        self._share = ""
        self.label.setText("")
        self.button.hide()

    def show_state(self) -> None:
        """Show that the figures are being computed, or that they are not."""
        running = self._figures.is_running
        text = translate("Report", "Computing the figures")
        stopped = translate("Report", "The figures were not computed.")
        self.label.setText(f"{text}{self._share}" if running else stopped)
        self.button.set_label(translate("Report", "Cancel") if running else translate("Report", "Compute"))
        self.button.show()

    def _advance(self, done: int, total: int) -> None:
        self._share = f": {formatting.number(100 * done // max(total, 1))} %"
        if not self.button.isHidden():
            self.show_state()

    def cancel(self) -> None:
        """Stop the computation."""
        self._figures.cancel()
        self.show_state()
        self.stopped.emit()

    def _press(self) -> None:
        if self._figures.is_running:
            self.cancel()
        else:
            self.wanted.emit()
