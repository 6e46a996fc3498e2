"""All keys on one sheet, by where they are good."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from desktop_rater.ui import actions, theme
from desktop_rater.ui.focus_back import FocusBack
from desktop_rater.ui.form.choice_button import cap_size, draw_cap
from desktop_rater.ui.keyboard import keys
from desktop_rater.ui.plain import PlainLabel, WrappedLabel

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from desktop_rater.rubric import Rubric

COLUMNS = ((actions.ALWAYS, actions.PAGES, actions.TEXT), (actions.ANSWERS, actions.MOVING))
GAP = 4


@dataclass(frozen=True)
class Entry:
    """What a key does; `id` is that of an action, or empty."""

    id: str
    text: str
    keys: tuple[str, ...]


class Caps(QWidget):
    """Keys as they look in the window, one beside the other."""

    def __init__(self, shown: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shown = tuple(shown)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(", ".join(self.shown))

    def sizeHint(self) -> QSize:
        widths = list(map(self._width, self.shown))
        return QSize(sum(widths) + GAP * max(0, len(widths) - 1), cap_size(self, "").height())

    def _width(self, key: str) -> int:
        return cap_size(self, key).width()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left = 0
        for key in self.shown:
            wide = self._width(key)
            draw_cap(painter, QRectF(left, 0, wide, self.height()), key, self)
            left += wide + GAP
        painter.end()


class KeySheet(QDialog):
    """Made anew each time: keys and rubric are those of the moment. Esc or F1 closes it."""

    def __init__(self, window: QWidget, own: Mapping[str, str], rubric: Rubric | None, shown: Collection[str]) -> None:
        super().__init__(window)
        self.setObjectName("key_sheet")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("All keys"))
        self._window = window
        self._focus = FocusBack()
        self._focus.remember()
        body = QWidget()
        row = QHBoxLayout(body)
        row.setContentsMargins(24, 16, 24, 16)
        row.setSpacing(32)
        answers = rubric_entries(rubric) if rubric is not None else []
        for wheres in COLUMNS:
            column = QVBoxLayout()
            column.setSpacing(16)
            for where in wheres:
                extra = answers if where == actions.ANSWERS else []
                lines = [*extra, *entries(where, own, shown)]
                if lines:
                    column.addWidget(self._group(where, lines))
            column.addStretch(1)
            row.addLayout(column, 1)
        scroll = QScrollArea()
        scroll.setObjectName("key_sheet_scroll")
        scroll.setAccessibleName(self.windowTitle())
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(body)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)
        self.resize(min(theme.px(960), window.width() - 32), min(theme.px(760), window.height() - 32))

    def _group(self, where: str, rows: Sequence[Entry]) -> QWidget:
        box = QWidget()
        box.setObjectName(f"keys_{where}")
        grid = QGridLayout(box)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(0, 1)
        title = PlainLabel(actions.plain_words(where))
        theme.write(title, bold=True)
        grid.addWidget(title, 0, 0, 1, 2)
        for at, entry in enumerate(rows, 1):
            grid.addWidget(WrappedLabel(entry.text), at, 0)
            grid.addWidget(Caps(keys.all_shown(entry.keys)), at, 1, Qt.AlignmentFlag.AlignRight)
        return box

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_F1:
            self.reject()
            return
        super().keyPressEvent(event)

    def done(self, result: int) -> None:
        """The focus goes back to where it was."""
        super().done(result)
        self._focus.give(self._window)


def entries(where: str, own: Mapping[str, str], shown: Collection[str]) -> list[Entry]:
    """The actions of one place that are good here, and the keys that are no actions."""
    rows = [
        Entry(row.id, actions.plain_words(row.text), actions.keys_of(row, own))
        for row in actions.ROWS
        if row.where == where and row.id in shown
    ]
    return rows + [Entry("", actions.words(one.text), one.keys) for one in actions.FIXED if one.where == where]


def rubric_entries(rubric: Rubric) -> list[Entry]:
    """The keys of the rubric's choices, question by question."""
    return list(_rubric_entries(rubric))


def _rubric_entries(rubric: Rubric) -> Iterator[Entry]:
    for question in rubric.file.questions:
        with_keys = [choice for choice in question.choices if choice.key]
        if with_keys:
            labels = ", ".join(choice.label for choice in with_keys)
            yield Entry("", f"{question.ask} {labels}", tuple(choice.key.upper() for choice in with_keys))
