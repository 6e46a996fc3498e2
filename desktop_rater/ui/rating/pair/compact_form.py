"""Compact form of one response, or of the task: the current question in full, the others folded to a line each."""

from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.format.rating import Evidence
from desktop_rater.format.rubric import Question
from desktop_rater.format.values import Place
from desktop_rater.rubric import Rubric
from desktop_rater.ui.rating import task_stops
from desktop_rater.ui.rating.form import question_row
from desktop_rater.ui.rating.form.question import QuestionRow
from desktop_rater.ui.rating.pair.lines import (
    LINE_HEIGHT,
    AnswerLine,
    EvidenceSummaryLine,
    ProblemLines,
    answer_note,
    answer_text,
    condition_text,
    subject_of,
)
from desktop_rater.ui.rating.problems_pane import ProblemsPane, ShownProblem
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.task_stops import FormQuestion
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.bars import OverlayScrollBar
from desktop_rater.ui.widgets.buttons import BUTTON_PADDING, LinkButton
from desktop_rater.ui.widgets.labels import visible
from desktop_rater.ui.widgets.layouts import NamedGroup, ScrollColumn, discard, fill, tight_column
from desktop_rater.ui.widgets.theme_tokens import PANE
from desktop_rater.ui.window.focus import is_typing

QUESTION_KEYS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class CompactForm(ScrollColumn):
    """Form of one stop, visible whether or not the stop is current. A click on a line goes to its question."""

    grown = Signal()  # the content needs another height
    hidden_key = Signal()  # a key that answers was pressed while the form is hidden
    guideline_wanted = Signal(str)

    def __init__(
        self, name: str, session: Session, problems: ProblemsPane, *, wide: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(name, parent, focus=Qt.FocusPolicy.ClickFocus)
        self._session, self._problems, self._wide = session, problems, wide
        self._rubric: Rubric | None = None
        self._rows: dict[str, QuestionRow] = {}
        self._lines: dict[str, AnswerLine] = {}
        self._problem_lines: dict[str, ProblemLines] = {}
        self._body = NamedGroup()
        self._first = QVBoxLayout()
        self._other_problems = ProblemLines(f"{name}_problems")  # problems not about a question
        self._other_problems.fix_chosen.connect(problems.fix_chosen)
        self.evidence_line = EvidenceSummaryLine()
        self._has_way = False
        self._way_here = LinkButton("", name=f"{name}_way", clicked=self._go_here)
        theme.follow(self._way_here, lambda: self._way_here.setFixedHeight(theme.px(LINE_HEIGHT)))
        self._column = tight_column(self._body, self._first, self._other_problems, self.evidence_line, spacing=0)
        theme.follow(self._way_here, lambda: self._column.setContentsMargins(0, theme.px(4), 0, theme.px(4)))
        foot = QHBoxLayout()
        foot.addSpacing(theme.px(PANE - BUTTON_PADDING))
        fill(foot, self._way_here, 1)
        fill(self._column, foot, 1)
        self.setWidget(self._body)
        for part in (self.viewport(), self._body):
            theme.set_ground(part, "panel")
        OverlayScrollBar(self)
        self._body.installEventFilter(self)
        self.place: Place | None = None
        self.taken_keys: frozenset[str] = frozenset()  # by a bar that is open

    # -- interface

    @property
    def is_current(self) -> bool:
        return self._session.task is not None and self._session.stop == self.place

    @property
    def content_height(self) -> int:
        """Return the height that shows all content at this width, without the way here."""
        height = self._column.totalHeightForWidth(max(1, self.viewport().width()))
        height = height if height >= 0 else self._column.totalSizeHint().height()
        return height - (0 if self._way_here.isHidden() else theme.px(LINE_HEIGHT))

    def insert_first(self, widget: QWidget) -> None:
        if widget.parentWidget() is not self._body:
            self._first.addWidget(widget)

    def row(self, question: str) -> QuestionRow | None:
        return self._rows.get(question)

    def bind_place(self, place: Place, name: str) -> None:
        """Show the questions of a place; `words` is its accessible name."""
        if place != self.place:
            self.place = place
            self.verticalScrollBar().setValue(0)
        self.setAccessibleName(visible(name))
        self._body.setAccessibleName(visible(name))

    def take_key(self, key: str) -> bool:
        """Answer by a key of the rubric, or by a digit for the current question; a hidden form is shown instead."""
        if not self.isVisible():
            self.hidden_key.emit()
            return True
        questions = sorted(
            self._session.form_questions, key=lambda question: question.question.id != self._session.current_question
        )
        rows = [self._rows[question.question.id] for question in questions if question.question.id in self._rows]
        return any(row.take_key(key) for row in rows)

    def current_text_row(self) -> QuestionRow | None:
        """Return the row of the text field that W focuses: the current question's, else the first one."""
        texts = [row for row in map(self.row, self._names()) if row is not None and row.is_text]
        return next(
            (row for row in texts if row.question.id == self._session.current_question), next(iter(texts), None)
        )

    def write(self) -> None:
        row = self.current_text_row()
        if row is not None:
            self.hidden_key.emit()
            self._make_current(row.question.id)
            row.write()
            self.ensureWidgetVisible(row, 0, 8)

    # -- showing

    def refresh(self) -> None:
        """Show the questions asked here now, and the problems of the answers."""
        session = self._session
        if session.task is None or session.rubric is None or self.place is None:
            self._body.hide()
            return
        if session.rubric is not self._rubric:
            self._rubric = session.rubric
            for widget in (*self._rows.values(), *self._lines.values(), *self._problem_lines.values()):
                discard(widget)
            self._rows, self._lines, self._problem_lines = {}, {}, {}
        self._body.show()
        self._body.setEnabled(not session.read_only)
        questions = {question.question.id: question for question in self._questions()}
        current = session.current_question if self.is_current else None
        coming = self._coming(current)
        for name in (*questions, *coming):
            self._add(questions[name].question if name in questions else session.rubric.questions[name].question)
        suggested = session.suggested(self.place)
        for name, row in self._rows.items():
            row.setVisible(name in questions and name == current)
            if name in questions:
                row.taken_keys, row.documents = self.taken_keys, session.task.context
                row.show_question(questions[name], current=name == current)
                row.show_suggestion(suggested.get(name))
        self._show_problems(questions, current)
        for name, line in self._lines.items():
            asked = questions.get(name)
            folded = asked is not None and name != current and not self._problem_lines[name].problems
            line.setVisible(folded or name in coming)
            subject = subject_of(session.rubric.questions[name].question)
            if asked is not None and folded:
                answer = answer_text(asked)
                line.show_words(subject, answer, answer_note(asked), "done" if answer else "todo")
            elif name in coming:
                line.show_words(subject, "", coming[name], "coming")
        self._show_way_here(bool(questions))
        takes = task_stops.place_path(self.place) in session.outcome.evidence
        self.evidence_line.setVisible(takes)
        if takes:
            self.evidence_line.show_pieces(self._evidence(), here=self.is_current)

    def show_current_question(self) -> None:
        """Scroll to the current question, unless the rater is typing elsewhere in this form."""
        row = self._rows.get(self._session.current_question or "") if self.is_current else None
        focus = QApplication.focusWidget()
        typing = is_typing(focus) and self.isAncestorOf(focus)
        if row is not None and row.isVisible() and not (typing and not row.isAncestorOf(focus)):
            self.ensureWidgetVisible(row, 0, 8)
            if not typing and row.height() > self.viewport().height():
                self.verticalScrollBar().setValue(row.y())  # its text rather than its last choices

    def _questions(self) -> tuple[FormQuestion, ...]:
        session = self._session
        if session.rubric is None or session.task is None or self.place is None:
            return ()
        return task_stops.form_questions(session.rubric, session.outcome, self.place)

    def _names(self) -> list[str]:
        return [question.question.id for question in self._questions()]

    def _evidence(self) -> list[Evidence]:
        session, place = self._session, self.place
        where = task_stops.place_path(place) if place is not None else ""
        return [piece for piece in session.rating.evidence if f"{where}/evidence/{piece.id}" in session.outcome.kept]

    def _coming(self, current: str | None) -> dict[str, str]:
        """Return the questions that an answer to the current one would add, and with which answers."""
        state = self._session.state
        if state is None or current is None or self.place is None:
            return {}
        question = state.rubric.questions[current].question
        coming = state.coming_questions(self.place, current)
        return {name: condition_text(question, choices) for name, choices in coming.items()}

    def _show_problems(self, questions: dict[str, FormQuestion], current: str | None) -> None:
        rubric = self._session.rubric
        by_question: dict[str, list[ShownProblem]] = {}
        if rubric is None or self.place is None:
            return
        for stated in self._problems.at(self.place):
            if stated.problem.level == "block" and task_stops.is_about_links(rubric, stated.problem):
                continue  # shown at the head of the half, with the button for the next link
            about = task_stops.question_of_problem(rubric, stated.problem)
            by_question.setdefault(about if about in questions else "", []).append(stated)
        for name, lines in self._problem_lines.items():
            folded = ("", "")
            if name in questions and name != current:
                folded = subject_of(questions[name].question), answer_text(questions[name])
            lines.show_problems(by_question.get(name, ()), keys=self.is_current, question=folded)
        self._other_problems.show_problems(by_question.get("", ()), keys=self.is_current)

    def _show_way_here(self, has_questions: bool) -> None:
        """Show the key that goes to this form from the current one next to it."""
        stops, place = self._session.stops, self.place
        by = 0
        if place is not None and place.response is not None and place in stops and self._session.stop in stops:
            by = stops.index(place) - stops.index(self._session.stop)
        self._has_way = has_questions and by in {1, -1}
        self._way_here.set_key({1: "J", -1: "K"}.get(by, ""))
        name = task_stops.response_letter(place.response or "") if place is not None else ""
        self._way_here.set_label(self.tr("Go to a question of {name}: click its line, or").format(name=name))
        self._place_way()

    def _place_way(self) -> None:
        """Show the way here where nothing has to scroll for it."""
        needed = self.content_height + theme.px(LINE_HEIGHT)
        self._way_here.setVisible(self._has_way and self.viewport().height() >= needed)

    def _go_here(self) -> None:
        if self.place is not None:
            self._session.go_to(self.place)

    def _add(self, question: Question) -> None:
        """Add the row of a question unless it is there; replace one that offers other choices or has other words."""
        document = self._session.rubric.file.document if self._session.rubric is not None else None
        if question.id in self._rows:
            if (self._rows[question.id].question, self._rows[question.id].document) == (question, document):
                return
            for parts in (self._rows, self._lines, self._problem_lines):
                discard(parts.pop(question.id))
        row = question_row(question, document, wide=self._wide)
        row.make_low()
        row.answered.connect(self._answer)
        row.typed.connect(lambda name, value: self._answer(name, value, typing=True))
        row.left.connect(self._session.pause_typing)
        row.touched.connect(self._make_current)
        row.guideline_wanted.connect(self.guideline_wanted)
        line, problems = AnswerLine(f"line_{question.id}"), ProblemLines(f"wrong_{question.id}")
        line.clicked.connect(lambda: self._make_current(question.id))
        problems.wanted.connect(lambda: self._make_current(question.id))
        problems.fix_chosen.connect(self._problems.fix_chosen)
        order = list(self._session.rubric.questions) if self._session.rubric is not None else []
        before = sum(order.index(name) < order.index(question.id) for name in self._rows)
        self._rows[question.id], self._lines[question.id] = row, line
        self._problem_lines[question.id] = problems
        for offset, widget in enumerate((line, row, problems), 1 + 3 * before):
            self._column.insertWidget(offset, widget)

    # -- input

    def _make_current(self, question: str) -> None:
        if self.place is None:
            return
        if self.is_current:
            self._session.set_current_question(question)
        else:
            self._session.go_to(self.place, question)

    def _answer(self, question: str, value: Any, *, typing: bool = False) -> None:
        if not self.is_current:
            self._make_current(question)
        self._session.answer(question, value, typing=typing)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Make this the current stop after a click beside the questions."""
        if not self.is_current and self.place is not None and self._session.task is not None:
            self._session.go_to(self.place)
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the current question with the arrow keys; scrolling follows."""
        if event.key() in QUESTION_KEYS and not event.modifiers():
            self._session.move_question(QUESTION_KEYS[Qt.Key(event.key())])
            return
        super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._body and event.type() == QEvent.Type.LayoutRequest:
            self.grown.emit()
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_way()
        QTimer.singleShot(0, self, self.show_current_question)
