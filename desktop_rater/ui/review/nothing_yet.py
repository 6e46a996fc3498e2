"""What stands in the review room before there are results: what belongs here, and the key that brings it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_rater.ui import theme
from desktop_rater.ui.plain import PlainLabel, WrappedLabel

WIDTH = 520


class NothingYet(QWidget):
    """It takes the keys, so that they find their actions."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("nothing_to_review_yet")
        self.setAccessibleName(self.tr("No results yet"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        theme.ground(self, "surface")
        column = QVBoxLayout(self)
        column.addStretch(2)
        head = PlainLabel(self.tr("No results yet"))
        theme.write(head, "title", bold=True)
        column.addWidget(head, 0, Qt.AlignmentFlag.AlignHCenter)
        words = WrappedLabel(
            self.tr(
                "Open the results of your raters with Ctrl O, or drop the files or their folder here. Each is checked, "
                "and what two raters judge differently stands first."
            )
        )
        words.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        theme.quiet(words)
        theme.follow(words, lambda: words.setFixedWidth(theme.px(WIDTH)))
        column.addWidget(words, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)
