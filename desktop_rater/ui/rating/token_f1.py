"""Token F1 of a response and the reference."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop_rater.model.rubric import Question
from desktop_rater.model.task import Response, Task
from desktop_rater.rubric import Rubric
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.widgets import formatting, theme
from desktop_rater.ui.widgets.labels import PlainLabel, set_tooltip

MAX_F1_CHARACTERS = 1_000_000  # characters; no score for longer texts


def asks_about_reference(question: Question) -> bool:
    """Return whether a question is asked only for tasks with a reference."""
    return "reference" in question.relevant


def has_reference_question(rubric: Rubric | None) -> bool:
    """Return whether a response question is about the reference, so that the score is shown next to it."""
    questions = rubric.file.questions if rubric is not None else ()
    return any(question.per == "response" and asks_about_reference(question) for question in questions)


class TokenF1Label(PlainLabel):
    """Label with the token F1 of a response and the reference; hidden without a reference."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__("", parent, name=name)
        self._shown_texts: tuple[str, str | None] | None = None
        # No wider than its text, so that the rest of the row stays at the trailing side, also from right to left.
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        theme.set_type(self, "small")
        theme.set_ink(self)
        why = QCoreApplication.translate("TokenF1", "Overlap of words between both texts: 0 means none, 1 means all.")
        set_tooltip(self, why)
        self.hide()

    def show_for(self, task: Task | None, response: Response | None) -> None:
        """Show the score of a response of a task."""
        applies = task is not None and task.reference is not None and response is not None
        self.setVisible(applies)
        if task is None or response is None or task.reference is None:
            return
        if (response.text, task.reference) != self._shown_texts:
            self._shown_texts = response.text, task.reference
            self.setText(self._words(response.text, task.reference))

    def _words(self, response: str, reference: str) -> str:
        if len(response) + len(reference) > MAX_F1_CHARACTERS:
            return self.tr("Token F1 with the reference: not computed, the texts are too long")
        from desktop_rater.stats.scores import token_f1  # noqa: PLC0415 - only when it is used

        figure = formatting.decimal(token_f1(response, reference), 2)
        return self.tr("Token F1 with the reference: {figure}").format(figure=figure)


class QuestionTokenF1(TokenF1Label):
    """Score beneath the question about the reference; it follows the current response."""

    def __init__(self, session: Session, question: Question, parent: QWidget) -> None:
        super().__init__(f"token_f1_{question.id}", parent)  # without a parent it would be shown as a window
        self._session = session
        session.opened.connect(self._follow)
        session.place_changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        task = self._session.task
        self.show_for(task, task.response(self._session.place.response or "") if task is not None else None)
