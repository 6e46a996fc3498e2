"""One question of the form: what is asked, its control, and the rail where it is the current one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QFont, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from desktop_rater.ui import theme
from desktop_rater.ui.form.key_button import Link
from desktop_rater.ui.form.pair import FIRST_LINE, SLACK, PairLayout
from desktop_rater.ui.form.problem_words import ProblemWords
from desktop_rater.ui.plain import ElidedLabel, WrappedLabel, set_tooltip
from desktop_rater.ui.theme_tokens import PANE, UNDER_LABEL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_rater.model.rubric import Question
    from desktop_rater.ui.moves import Shown

RAIL = 3
HALF_BETWEEN = 8  # between two questions stand 16
COLUMN, COMPACT_BETWEEN = 136, 3  # of a compact row: the width of the words, and half of what stands between two


class QuestionRow(QWidget):
    """The frame of every kind of question; the kinds stand beside this module.

    `answered` carries a value that was chosen, `typed` one that is being typed, `left` says that typing paused.
    """

    answered = Signal(str, object)
    typed = Signal(str, object)
    left = Signal()
    touched = Signal(str)
    guideline_wanted = Signal(str)

    def __init__(self, question: Question, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.question = question
        self.setObjectName(f"question_{question.id}")
        self._current = False
        self._required = True
        self._compact = False
        self._tint = ""
        self._folds = question.required is False and question.kind not in {"text", "number"}
        self._box: QWidget | None = None
        self._pair: PairLayout | None = None
        self._column = QVBoxLayout(self)
        self._column.setSpacing(theme.px(UNDER_LABEL))
        theme.follow(self, self._measure)
        self._ask = WrappedLabel(question.ask)
        self._ask.setSizePolicy(self._ask.sizePolicy().horizontalPolicy(), QSizePolicy.Policy.Preferred)
        self._hint = ElidedLabel(question.hint)
        theme.quiet(self._hint)
        theme.write(self._hint, "small")
        set_tooltip(self._ask, question.hint)
        self._link = self._make_link()
        self._problems = ProblemWords(f"problems_{question.id}")
        self._write_ask()

    def _measure(self) -> None:
        side, above = theme.px(PANE), theme.px(HALF_BETWEEN)
        self._column.setContentsMargins(side, above - SLACK, side, above)
        if self._compact:
            above = theme.px(COMPACT_BETWEEN)
            self._column.setContentsMargins(side, above, side, above)
        if self._pair is not None:
            self._pair.column = theme.px(COLUMN) if self._compact else 0
            self._pair.first_line = theme.px(FIRST_LINE)

    def make_compact(self, *, low: bool) -> None:  # noqa: ARG002 - `low` is about texts, which take one line then
        """Stand in one line where there is room: the words in a column of their own, the control beside them."""
        self._compact = True
        self._column.setSpacing(0)
        self._measure()
        self._show_link()

    def put_beneath(self, widget: QWidget) -> None:
        """Something that belongs to this question, under its control."""
        self._column.addWidget(widget)

    def set_tint(self, name: str) -> None:
        """The colour of the ground, by its name; "" for that of the form."""
        if name != self._tint:
            self._tint = name
            self.update()

    def _make_link(self) -> Link:
        """The way to the question's section of the guidelines."""
        link = Link(self.tr("Guideline: {section}").format(section=self.question.section), "G")
        link.setObjectName(f"guideline_{self.question.id}")
        theme.write(link, "small")
        link.clicked.connect(lambda: self.guideline_wanted.emit(self.question.section))
        return link

    def _write_ask(self) -> None:
        """What has to be answered is written bold, and where one can write."""
        font = QFont(self._ask.font())
        bold = self._required or not self._folds
        font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
        self._ask.setFont(font)

    def put(self, control: QWidget) -> None:
        """Place the control, and room for problems beneath it."""
        control.setAccessibleDescription(self.question.ask)
        pair = QWidget()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        pair.setSizePolicy(policy)
        both = self._pair = PairLayout(pair)
        both.addWidget(self._ask)
        both.addWidget(control)
        both.addWidget(self._hint)
        both.addWidget(self._link)
        both.awaits_link = bool(self.question.section)
        self._box = control
        self._measure()
        for widget in (pair, self._problems):
            self._column.addWidget(widget)
        self._show_link()

    def show_question(self, shown: Shown, *, current: bool) -> None:
        """Show the answer that stands in the rating, and whether the rail is here."""
        if current != self._current:
            self._current = current
            self._show_link()
            self.update()
        if shown.asked.required != self._required:
            self._required = shown.asked.required
            self._write_ask()
        self.show_value(shown.asked.value, current=current)
        self._fold(shut=self._folds and not self._compact and not current and shown.asked.value is None)

    def _show_link(self) -> None:
        room = self._pair is not None and not self._pair.stands_beside(self.width() - 2 * theme.px(PANE))
        self._link.setVisible(self._current and room and bool(self.question.section))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_link()

    def _fold(self, *, shut: bool) -> None:
        """What need not be answered is one line until the rail comes or it has an answer."""
        if self._box is None or self._box.isHidden() is shut:
            return
        self._box.setHidden(shut)
        self._hint.setText(self.tr("optional") if shut else self.question.hint)
        theme.quiet(self._ask, "text2" if shut else "text")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._box is not None and self._box.isHidden():
            self.touched.emit(self.question.id)
        super().mousePressEvent(event)

    def show_problems(self, blocking: Sequence[str], warnings: Sequence[str]) -> None:
        """Show what is wrong with this very answer."""
        self._problems.show_words(blocking, warnings)

    def show_suggestion(self, value: Any) -> None:
        """Of the kinds: show what is suggested, which is no answer; `None` where nothing is."""

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
        if self._tint:
            painter = QPainter(self)
            painter.fillRect(self.rect(), theme.color(self, self._tint))
            painter.end()
        if self._current:
            painter = QPainter(self)
            rail = theme.px(RAIL)
            mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
            left = self.width() - rail if mirrored else 0
            painter.fillRect(QRect(left, theme.px(4), rail, self.height() - theme.px(8)), theme.color(self, "accent"))
            painter.end()
