"""What is computed of a response and its reference. It is shown and never typed, and is no part of the rating."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QSizePolicy

from desktop_rater.stats.token_f1 import token_f1
from desktop_rater.ui import spelling, theme
from desktop_rater.ui.plain import PlainLabel, set_tooltip

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop_rater.model.rubric import Question
    from desktop_rater.model.task import Response, Task
    from desktop_rater.rubric import Rubric
    from desktop_rater.ui.session import Session

MOST_COUNTED = 1_000_000  # characters; longer texts have no figure


def asks_about_reference(question: Question) -> bool:
    """Whether a question is asked only where there is a reference."""
    return "reference" in question.relevant


def has_place_in_form(rubric: Rubric | None) -> bool:
    """Whether some question of a response is about the reference: the figure stands with it then."""
    questions = rubric.file.questions if rubric is not None else ()
    return any(one.per == "response" and asks_about_reference(one) for one in questions)


class TokenF1(PlainLabel):
    """The token F1 of a response and the reference; hidden where there is no reference."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__("", parent, name=name)
        self._shown: tuple[str, str | None] | None = None
        # No wider than its words: what is left of a row is on the side where they end, also from right to left.
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        theme.write(self, "small")
        theme.quiet(self)
        why = QCoreApplication.translate("TokenF1", "The words that both have in common: 0 is none of them, 1 is all.")
        set_tooltip(self, why)
        self.hide()

    def show_for(self, task: Task | None, response: Response | None) -> None:
        """Show it for a response of a task."""
        there = task is not None and task.reference is not None and response is not None
        self.setVisible(there)
        if task is None or response is None or task.reference is None:
            return
        if (response.text, task.reference) != self._shown:
            self._shown = response.text, task.reference
            self.setText(self._words(response.text, task.reference))

    def _words(self, response: str, reference: str) -> str:
        if len(response) + len(reference) > MOST_COUNTED:
            return self.tr("Token F1 with the reference: not computed, the texts are too long")
        figure = spelling.decimal(token_f1(response, reference), 2)
        return self.tr("Token F1 with the reference: {figure}").format(figure=figure)


class FigureAtQuestion(TokenF1):
    """Under the question that is about the reference: it follows the response at hand."""

    def __init__(self, session: Session, question: Question, parent: QWidget) -> None:
        super().__init__(f"token_f1_{question.id}", parent)  # shown without a parent it would be a window
        self._session = session
        session.opened.connect(self._follow)
        session.place_changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        task = self._session.task
        self.show_for(task, task.response(self._session.place.response or "") if task is not None else None)
