"""What is wrong with the answer above: why, and the ways out, in one line where there is room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from desktop_rater.ui import theme
from desktop_rater.ui.flow import FlowLayout
from desktop_rater.ui.form.key_button import LEAST_TARGET, KeyButton
from desktop_rater.ui.form.question import COLUMN
from desktop_rater.ui.icons import Icon
from desktop_rater.ui.plain import WrappedLabel
from desktop_rater.ui.problems.rows import way_words
from desktop_rater.ui.rows import ink_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_rater.model.rating import Problem
    from desktop_rater.ui.problems.pane import Stated
    from desktop_rater.ui.problems.ways_out import WayOut


# A question that could be thought over stands right here, and so does a text that could be written.
NOT_SHOWN = {"reconsider", "write", "answer"}


class Words(WrappedLabel):
    """As wide as they are in one line; where that is too wide, they wrap."""

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self.text()) + 2, max(metrics.height(), self.minimumHeight()))

    def heightForWidth(self, width: int) -> int:
        return max(super().heightForWidth(width), self.minimumHeight())


class WayButton(KeyButton):
    """As low as the words beside it."""

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), theme.px(LEAST_TARGET))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.px(LEAST_TARGET), theme.px(LEAST_TARGET))


class ProblemLine(QWidget):
    """One problem."""

    way_taken = Signal(object, object)  # Problem, WayOut

    def __init__(self, stated: Stated, *, keys: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._problem = stated.problem
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.px(8))
        mark = QVBoxLayout()
        mark.setContentsMargins(0, theme.px(4), 0, 0)
        mark.addWidget(Icon(stated.line.mark, ink=ink_of(stated.line.mark)))
        mark.addStretch(1)
        row.addLayout(mark)
        both = QWidget()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        both.setSizePolicy(policy)
        flow = FlowLayout(both, spacing=theme.px(8), alike=False)
        self.label = Words(stated.line.title)
        self.label.setAlignment(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading)
        self.label.setMinimumHeight(theme.px(24))
        theme.write(self.label, "small")
        flow.addWidget(self.label)
        for way in stated.ways:
            if way.kind not in NOT_SHOWN:
                flow.addWidget(self._button(way, keys=keys))
        row.addWidget(both, 1)

    def _button(self, way: WayOut, *, keys: bool) -> WayButton:
        button = WayButton(way_words(way), way.keys if keys else "")
        button.setObjectName(f"way_{way.kind}")
        theme.write(button, "small")
        button.clicked.connect(lambda: self.way_taken.emit(self._problem, way))
        return button


class ProblemLines(QWidget):
    """All that is wrong with one thing; no room is taken where nothing is."""

    way_taken = Signal(object, object)

    def __init__(self, name: str, *, indent: int = COLUMN, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._shown: tuple[tuple[Stated, bool], ...] = ()
        self._column = QVBoxLayout(self)
        self._column.setSpacing(0)
        theme.pad(self._column, indent, 3, 0, 3)
        self.hide()

    @property
    def tint(self) -> str:
        """The colour of the ground for the worst of them."""
        backs = {stated.line.back for stated, _keys in self._shown}
        return next((name for name in ("block_back", "warn_back") if name in backs), "")

    @property
    def problems(self) -> tuple[Problem, ...]:
        return tuple(stated.problem for stated, _keys in self._shown)

    def show_problems(self, found: Sequence[Stated], *, keys: bool) -> None:
        """Show these; `keys` where the keys of the ways out work, which is where the rater stands."""
        wanted = tuple((one, keys) for one in found)
        if wanted == self._shown:
            return
        self._shown = wanted
        while self._column.count():
            item = self._column.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for stated, with_keys in wanted:
            line = ProblemLine(stated, keys=with_keys)
            line.way_taken.connect(self.way_taken)
            self._column.addWidget(line)
        self.setHidden(not wanted)
