"""The page of the report screen while there are no results."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.labels import PlainLabel, WrappedLabel
from desktop_rater.ui.widgets.layouts import fill

WIDTH = 560
translate = QCoreApplication.translate


class NoResultsPage(QWidget):
    """An explanation of the screen, and a button that opens results."""

    def __init__(self, about: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("report_empty")
        theme.set_ground(self, "surface")
        box = QWidget()
        title = PlainLabel(translate("Report", "No results yet"), size="title", bold=True)
        text = WrappedLabel(
            about
            or translate(
                "Report",
                "This screen compares the results of several raters: how far they agree, where they "
                "differ, and how each of them works.",
            ),
            size="prompt",
            ink="text2",
        )
        self.open_button = KeyButton(translate("Report", "Open results…"), "Ctrl O", primary=True, name="report_open")
        column = fill(QVBoxLayout(box), title, text)
        row = fill(QHBoxLayout(), self.open_button, 1)
        column.addSpacing(8)
        column.addLayout(row)
        middle = fill(QHBoxLayout(), 1, (box, 3), 1)
        fill(QVBoxLayout(self), 2, middle, 3)
        self.setFocusProxy(self.open_button)
        theme.follow(self, lambda: box.setMaximumWidth(theme.px(WIDTH)))
