"""The lead's decision on the label of a place, with the keys of the rubric."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from desktop_rater.ui import theme
from desktop_rater.ui.flow import FlowLayout
from desktop_rater.ui.form.choice_button import ChoiceButton
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.plain import PlainLabel
from desktop_rater.ui.separator import line
from desktop_rater.ui.theme_tokens import PANE

if TYPE_CHECKING:
    from desktop_rater.audit.judged import Judged, Value
    from desktop_rater.rubric import Rubric

MOST_BY_KEY = 9


class DecideBar(QWidget):
    """Open only while it is asked for; a key or a click decides."""

    decided = Signal(object)  # the value; None takes the decision back
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("decide_bar")
        self.setAccessibleName(self.tr("Final label"))
        theme.ground(self, "panel")
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(line())
        body = QWidget()
        outer.addWidget(body)
        row = QHBoxLayout(body)
        self._head = PlainLabel(self.tr("The final label is"))
        theme.write(self._head, bold=True)
        row.addWidget(self._head)
        self._choices = QWidget()
        self._choices.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._flow = FlowLayout(self._choices, spacing=6, alike=False)
        row.addWidget(self._choices, 1)
        self._none = KeyButton(self.tr("Leave it open"), "Backspace", flat=True)
        self._none.setObjectName("decide_none")
        self._none.clicked.connect(lambda: self._decide(None))
        row.addWidget(self._none)
        shut = KeyButton(self.tr("Cancel"), "Esc", flat=True)
        shut.setObjectName("decide_cancel")
        shut.clicked.connect(self.leave)
        row.addWidget(shut)
        self._buttons: list[tuple[ChoiceButton, Value]] = []

        def measure() -> None:
            row.setContentsMargins(theme.px(PANE), theme.px(10), theme.px(PANE), theme.px(10))
            row.setSpacing(theme.px(8))

        theme.follow(body, measure)
        self.hide()

    @property
    def is_open(self) -> bool:
        return not self.isHidden()

    def open(self, rubric: Rubric, judged: Judged, final: Value | None, *, decided: bool) -> None:
        """Offer the labels of a question; `final` is the one that stands now, `decided` by the lead."""
        for button, _value in self._buttons:
            self._flow.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._buttons = []
        keys = {choice.id: choice.key.upper() for choice in rubric.questions[judged.question].question.choices}
        for at, look in enumerate(judged.looks, 1):
            key = keys.get(str(look.id), "") or (str(at) if at <= MOST_BY_KEY else "")
            button = ChoiceButton(look.label, key)
            button.setObjectName(f"decide_{at}")
            button.set_look(look.tone, look.shape)
            button.setChecked(look.id == final)
            button.set_place(at, len(judged.looks))
            button.clicked.connect(lambda _on=False, value=look.id: self._decide(value))
            self._flow.addWidget(button)
            self._buttons.append((button, look.id))
        self._none.setVisible(decided)
        self.show()

    def take_key(self, key: str) -> bool:
        """Decide by the key of a label."""
        found = next((value for button, value in self._buttons if button.key == key), None)
        if not self.is_open or found is None:
            return False
        self._decide(found)
        return True

    def take_back(self) -> None:
        """Leave it open, where it was decided."""
        if self._none.isVisibleTo(self):
            self._decide(None)

    def leave(self) -> bool:
        """Shut it, and decide nothing; whether it was open."""
        was = self.is_open
        if was:
            self.hide()
            self.left.emit()
        return was

    def _decide(self, value: Value | None) -> None:
        self.hide()
        self.decided.emit(value)
        self.left.emit()
