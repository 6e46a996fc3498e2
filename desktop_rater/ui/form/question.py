"""One question of the form: what is asked, its control, and the rail where it is the current one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QRect, Signal
from PySide6.QtGui import QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from desktop_rater.ui.form.pair import PairLayout
from desktop_rater.ui.form.problem_words import ProblemWords
from desktop_rater.ui.plain import WrappedLabel
from desktop_rater.ui.tokens import color, quiet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_rater.model.rubric import Question
    from desktop_rater.ui.moves import Shown

RAIL = 3
MARGIN = 16


class QuestionRow(QWidget):
    """The frame of every kind of question; the kinds stand beside this module.

    `answered` carries a value that was chosen, `typed` one that is being typed, `left` says that typing paused.
    """

    answered = Signal(str, object)
    typed = Signal(str, object)
    left = Signal()
    touched = Signal(str)

    def __init__(self, question: Question, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.question = question
        self.setObjectName(f"question_{question.id}")
        self._current = False
        self._required = True
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(MARGIN, 8, MARGIN, 8)
        self._column.setSpacing(6)
        self._ask = WrappedLabel(question.ask)
        self._ask.setSizePolicy(self._ask.sizePolicy().horizontalPolicy(), QSizePolicy.Policy.Preferred)
        self._hint = WrappedLabel(question.hint)
        quiet(self._hint)
        self._problems = ProblemWords(f"problems_{question.id}")
        self._write_ask()

    def _write_ask(self) -> None:
        """What has to be answered is written bold."""
        font = QFont(self._ask.font())
        font.setWeight(QFont.Weight.DemiBold if self._required else QFont.Weight.Normal)
        self._ask.setFont(font)

    def put(self, control: QWidget) -> None:
        """Place the control, and room for problems beneath it."""
        control.setAccessibleDescription(self.question.ask)
        pair = QWidget()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        pair.setSizePolicy(policy)
        both = PairLayout(pair)
        both.addWidget(self._ask)
        both.addWidget(control)
        for widget in (pair, self._hint, self._problems):
            self._column.addWidget(widget)
        # Only now: what is shown before it has a parent comes up as a window of its own.
        self._hint.setHidden(not self.question.hint)

    def show_question(self, shown: Shown, *, current: bool) -> None:
        """Show the answer that stands in the rating, and whether the rail is here."""
        if current != self._current:
            self._current = current
            self.update()
        if shown.asked.required != self._required:
            self._required = shown.asked.required
            self._write_ask()
        self.show_value(shown.asked.value, current=current)

    def show_problems(self, blocking: Sequence[str], warnings: Sequence[str]) -> None:
        """Show what is wrong with this very answer."""
        self._problems.show_words(blocking, warnings)

    def show_value(self, value: Any, *, current: bool) -> None:
        """Of the kinds: put a value into the control without answering."""
        raise NotImplementedError

    def take_key(self, key: str) -> bool:
        """Of the kinds: take a key of the rubric, or a digit while the rail is here."""
        del key
        return False

    @property
    def is_text(self) -> bool:
        """Whether the answer is typed."""
        return False

    def control(self) -> QWidget:
        """Of the kinds: what takes the focus."""
        raise NotImplementedError

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._current:
            painter = QPainter(self)
            painter.fillRect(QRect(0, 4, RAIL, self.height() - 8), color(self, "accent"))
            painter.end()
