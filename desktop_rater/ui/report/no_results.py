"""The page of the report screen while there are no results."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.labels import PlainLabel, WrappedLabel

WIDTH = 560
translate = QCoreApplication.translate


class NoResultsPage(QWidget):
    """An explanation of the screen, and a button that opens results."""

    def __init__(self, about: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("report_empty")
        theme.set_ground(self, "surface")
        box = QWidget()
        column = QVBoxLayout(box)
        title = PlainLabel(translate("Report", "No results yet"))
        theme.set_type(title, "title", bold=True)
        text = WrappedLabel(
            about
            or translate(
                "Report",
                "This screen compares the results of several raters: how far they agree, where they "
                "differ, and how each of them works.",
            )
        )
        theme.set_type(text, "prompt")
        theme.set_ink(text)
        self.open_button = KeyButton(translate("Report", "Open results…"), "Ctrl O", primary=True, name="report_open")
        for label in (title, text):
            column.addWidget(label)
        row = QHBoxLayout()
        row.addWidget(self.open_button)
        row.addStretch(1)
        column.addSpacing(8)
        column.addLayout(row)
        middle = QHBoxLayout()
        middle.addStretch(1)
        middle.addWidget(box, 3)
        middle.addStretch(1)
        outer = QVBoxLayout(self)
        outer.addStretch(2)
        outer.addLayout(middle)
        outer.addStretch(3)
        self.setFocusProxy(self.open_button)
        theme.follow(self, lambda: box.setMaximumWidth(theme.px(WIDTH)))
