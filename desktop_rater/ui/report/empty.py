"""What stands in the report room while there are no results."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.ui import theme
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.plain import PlainLabel, WrappedLabel

WIDTH = 560
translate = QCoreApplication.translate


class NoResults(QWidget):
    """What belongs here, and the way to bring it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("report_empty")
        theme.ground(self, "surface")
        box = QWidget()
        column = QVBoxLayout(box)
        title = PlainLabel(translate("Report", "No results yet"))
        theme.write(title, "title", bold=True)
        words = WrappedLabel(
            translate(
                "Report",
                "Here the results of several raters are compared: how far they agree, where they differ, and how each "
                "of them works.",
            )
        )
        theme.write(words, "prompt")
        theme.quiet(words)
        self.way = KeyButton(translate("Report", "Open results…"), "Ctrl O", primary=True)
        self.way.setObjectName("report_open")
        for one in (title, words):
            column.addWidget(one)
        row = QHBoxLayout()
        row.addWidget(self.way)
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
        self.setFocusProxy(self.way)
        theme.follow(self, lambda: box.setMaximumWidth(theme.px(WIDTH)))
