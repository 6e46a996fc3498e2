"""The history of the task at hand: what was done, when, and the way back to any point of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.ui import theme
from desktop_rater.ui.bare_rows import BareDelegate
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.plain import ElidedLabel, PlainLabel
from desktop_rater.ui.rows import PAD, Line, LineList, Lines
from desktop_rater.ui.separator import line
from desktop_rater.ui.theme_tokens import PANE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QModelIndex


class HistoryList(LineList):
    """Return shows the state of a row: it does not go on."""

    entered = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("history_list", two_lines=True, parent=parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.line_delegate = BareDelegate(self, two_lines=True, pad=PAD)
        self.setItemDelegate(self.line_delegate)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _shows(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if _shows(event):
            self.entered.emit()
            return
        super().keyPressEvent(event)


def _shows(event: QKeyEvent) -> bool:
    return event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and not event.modifiers()


class HistoryPane(QWidget):
    """Under the response, shut until it is wanted. It knows rows and their ids; what they mean stands elsewhere."""

    show_wanted = Signal()
    back_wanted = Signal()
    shut_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("history")
        self.setAccessibleName(self.tr("History of this task"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(line())
        column.addWidget(self._make_head())
        column.addWidget(line())
        self.model = Lines(self)
        self.list = HistoryList()
        self.list.setAccessibleName(self.tr("What was done, the latest first"))
        self.list.setModel(self.model)
        self.list.entered.connect(self.show_wanted)
        self.list.doubleClicked.connect(lambda _index: self.show_wanted.emit())
        self.list.selectionModel().currentChanged.connect(lambda _now, _before: self._show_ways())
        theme.ground(self.list.viewport(), "surface")
        column.addWidget(self.list, 1)
        self._counts = ""
        self._may_go_back = True
        self.hide()

    def _make_head(self) -> QWidget:
        head = QWidget()
        theme.ground(head, "panel")
        row = QHBoxLayout(head)
        title = PlainLabel(self.tr("History"))
        theme.write(title, bold=True)
        row.addWidget(title)
        self._words = ElidedLabel(name="history_words")
        theme.write(self._words, "small")
        theme.quiet(self._words)
        row.addWidget(self._words, 1)
        self.shows = KeyButton(self.tr("Show"), "Enter", flat=True)
        self.shows.setObjectName("history_show")
        self.shows.clicked.connect(self.show_wanted)
        self.back = KeyButton(self.tr("Go back to here"))
        self.back.setObjectName("history_back")
        self.back.clicked.connect(self.back_wanted)
        shut = KeyButton(self.tr("Close"), "F7", flat=True)
        shut.setObjectName("close_history")
        shut.clicked.connect(self.shut_wanted)
        for button in (self.shows, self.back, shut):
            row.addWidget(button)

        def measure() -> None:
            row.setContentsMargins(theme.px(PANE), 0, theme.px(8), 0)
            row.setSpacing(theme.px(6))
            head.setFixedHeight(theme.px(40))

        theme.follow(head, measure)
        return head

    @property
    def chosen(self) -> str | None:
        """The id of the row that is chosen."""
        index = self.list.currentIndex()
        return self.model.lines[index.row()].id if index.isValid() else None

    def show_rows(self, rows: Sequence[Line], words: str, *, counts: str, may_go_back: bool) -> None:
        """Show the rows, `counts` the id of the state that counts; the chosen one stays chosen."""
        chosen = self.chosen
        self._counts, self._may_go_back = counts, may_go_back
        self._words.setText(words)
        self.model.show(rows)
        at = max(0, self.model.row_of(chosen))
        if rows and self.list.currentIndex() != self.model.index(at):
            self.list.setCurrentIndex(self.model.index(at))
        self._show_ways()

    def choose(self, name: str) -> None:
        """Choose the row of that id."""
        index: QModelIndex = self.model.index(max(0, self.model.row_of(name)))
        self.list.setCurrentIndex(index)

    def _show_ways(self) -> None:
        there = self.chosen is not None
        self.shows.setEnabled(there)
        self.back.setEnabled(there and self._may_go_back and self.chosen != self._counts)
