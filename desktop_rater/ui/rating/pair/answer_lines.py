"""Folded questions of a pair: a line each, and the questions about both responses in the footer."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from desktop_rater.model.rubric import Choice, Question
from desktop_rater.model.values import TASK_PLACE
from desktop_rater.rubric.load import format_answer
from desktop_rater.ui.rating import task_stops
from desktop_rater.ui.rating.problem_fixes import question_subject
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.task_stops import FormQuestion
from desktop_rater.ui.widgets import shapes, theme
from desktop_rater.ui.widgets.accessibility import NamedGroup
from desktop_rater.ui.widgets.labels import draw_text, set_tooltip, visible
from desktop_rater.ui.widgets.theme import font_of, smooth_painter
from desktop_rater.ui.widgets.theme_tokens import PANE, TYPE

LINE_HEIGHT, MARK_SIZE, MARK_GAP, COLUMN_GAP = 24, 12, 12, 8
SUBJECT_WIDTH = 148  # of the column of subjects
MAX_ANSWER_LENGTH = 300


def subject_of(question: Question) -> str:
    """Return the subject of a question as the heading of a line."""
    subject = question_subject(question)
    return subject[:1].upper() + subject[1:]


def answer_text(asked: FormQuestion) -> str:
    """Return the answer to a question in one line, empty without one."""
    value = asked.asked.value
    return " ".join(format_answer(asked.question, value).split())[:MAX_ANSWER_LENGTH] if value is not None else ""


def answer_note(asked: FormQuestion) -> str:
    """Return the meaning of the chosen answer; of an optional question without an answer, that it is one."""
    if asked.asked.value is None:
        return "" if asked.asked.required else QCoreApplication.translate("AnswerLine", "optional")
    chosen = next((choice for choice in asked.question.choices if choice.id == asked.asked.value), None)
    return chosen.hint if chosen is not None else ""


def condition_text(question: Question, choices: tuple[Choice, ...]) -> str:
    """Return with which answers to `question` another one is asked."""
    translate = QCoreApplication.translate
    left_out = [choice.label for choice in question.choices if choice not in choices]
    if not left_out:
        return translate("AnswerLine", "asked with any answer")
    if len(left_out) == 1 and len(choices) > 1:
        return translate("AnswerLine", "asked with any answer but {label}").format(label=left_out[0])
    either = translate("AnswerLine", " or ").join(choice.label for choice in choices)
    return translate("AnswerLine", "asked with {labels}").format(labels=either)


class AnswerLine(QAbstractButton):
    """Line of a folded question: its state, subject, answer and a note. A click unfolds the question."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._subject = self._answer = self._note = ""
        self._state = "todo"
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_words(self, subject: str, answer: str, note: str, state: str) -> None:
        """Show a question with its state ("done", "todo" or "coming"), answer and note."""
        if (subject, answer, note, state) != (self._subject, self._answer, self._note, self._state):
            self._subject, self._answer, self._note, self._state = map(visible, (subject, answer, note, state))
            spoken = {"done": "", "todo": self.tr("not answered"), "coming": self.tr("not asked yet")}[state]
            self.setAccessibleName(", ".join(filter(None, (self._subject, self._answer, spoken, self._note))))
            self.setText(self._subject)
            self.setEnabled(state != "coming")
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(theme.px(200), max(theme.px(LINE_HEIGHT), self.fontMetrics().height()))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.px(80), self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        colors, px = theme.tokens(self), theme.px
        painter = QPainter(self)
        if self.underMouse() and self.isEnabled():
            painter.fillRect(self.rect(), QColor(colors.hover))
        mark = self._field(px(PANE), px(MARK_SIZE + 2))
        shape, ink = shapes.STATES["done" if self._state == "done" else "todo"]
        shapes.paint_shape(painter, mark, shape, QColor(getattr(colors, ink)), QColor(colors.panel))
        start = px(PANE + MARK_SIZE + MARK_GAP)
        column = px(SUBJECT_WIDTH + COLUMN_GAP)
        plain = QColor(colors.text if self._state == "done" else colors.text2)
        self._draw(painter, self._subject, start, column - px(COLUMN_GAP), plain)
        start += column
        room = self.width() - px(PANE) - start
        bold = font_of(self.font(), bold=True)
        wide = min(room, QFontMetrics(bold).horizontalAdvance(self._answer) + 2) if self._answer else 0
        painter.setFont(bold)
        self._draw(painter, self._answer, start, wide, QColor(colors.text))
        small = font_of(self.font(), pixels=px(TYPE["small"][0]))
        painter.setFont(small)
        used = wide + px(COLUMN_GAP) if wide else 0
        cut = self._draw(painter, self._note, start + used, room - used, QColor(colors.text2), at_end=True)
        painter.end()
        shown = f"{self._answer}. {self._note}".strip(". ") if cut or wide == room else ""
        if bool(shown) != bool(self.toolTip()):
            set_tooltip(self, shown)

    def _field(self, start: int, width: int) -> QRectF:
        """Return a square field of the line, `start` from its leading edge."""
        left = self.width() - start - width if self.layoutDirection() == Qt.LayoutDirection.RightToLeft else start
        return QRectF(left - 1, (self.height() - width) / 2, width, width)

    def _draw(self, painter: QPainter, text: str, start: int, width: int, ink: QColor, *, at_end: bool = False) -> bool:
        """Draw a text, elided if it is too long; return whether it is."""
        if not text or width <= 0:
            return bool(text)
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        rect = QRectF(self.width() - start - width if mirrored else start, 0, width, self.height())
        elided = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, width)
        side = Qt.AlignmentFlag.AlignRight if mirrored is not at_end else Qt.AlignmentFlag.AlignLeft
        painter.setPen(ink)
        draw_text(painter, rect, side | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute, elided)
        return elided != text


class StateChip(QAbstractButton):
    """A question with its state, as wide as both."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._state = "todo"
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def show_words(self, text: str, state: str, *, current: bool) -> None:
        """Show a question; `state` is a name of `shapes.STATES`."""
        spoken = {"done": self.tr("answered"), "blocked": self.tr("blocked"), "warns": self.tr("a warning")}
        unanswered = self.tr("not answered")
        self.setText(visible(" ".join(text.split())))
        self._state = state
        self.setCheckable(True)
        self.setChecked(current)
        self.setAccessibleName(f"{self.text()}, {spoken.get(state, unanswered)}")
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        wide = self.fontMetrics().horizontalAdvance(self.text()) + theme.px(MARK_SIZE + 2 + 6 + 8) + 2
        return QSize(wide, theme.px(LINE_HEIGHT + 2))

    def paintEvent(self, _event: QPaintEvent) -> None:
        colors, px = theme.tokens(self), theme.px
        painter = smooth_painter(self)
        if self.underMouse() or self.isChecked():
            painter.setBrush(QColor(colors.sel if self.isChecked() else colors.hover))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.drawRoundedRect(QRectF(self.rect()), px(4), px(4))
        mirrored, size = self.layoutDirection() == Qt.LayoutDirection.RightToLeft, px(MARK_SIZE + 2)
        left = self.width() - px(4) - size if mirrored else px(4)
        shape, ink = shapes.STATES[self._state]
        field = QRectF(left, (self.height() - size) / 2, size, size)
        shapes.paint_shape(painter, field, shape, QColor(getattr(colors, ink)), QColor(colors.panel))
        before, after = px(4) + size + px(6), px(4)
        rect = self.rect().adjusted(after if mirrored else before, 0, -before if mirrored else -after, 0)
        painter.setPen(QColor(colors.text if self.isChecked() or self._state != "todo" else colors.text2))
        side = Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft
        draw_text(painter, rect, side | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute, self.text())
        painter.end()


class ChipRow(NamedGroup):
    """Chips side by side, as many as fit."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.chips: dict[str, QAbstractButton] = {}
        self.reserved = 0  # pixels at the end

    def keep(self, names: Sequence[str]) -> None:
        """Remove the chips of other names, and put the rest into this order."""
        for name in self.chips.keys() - set(names):
            chip = self.chips.pop(name)
            chip.hide()
            chip.deleteLater()
        self.chips = {name: self.chips[name] for name in names}
        self.updateGeometry()
        self.place()

    def sizeHint(self) -> QSize:
        hints = [chip.sizeHint() for chip in self.chips.values()]
        width = sum(hint.width() for hint in hints) + theme.px(COLUMN_GAP) * max(0, len(hints) - 1)
        return QSize(width, max((hint.height() for hint in hints), default=0))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.place()

    def place(self) -> None:
        """Show the chips that fit."""
        x, mirrored = 0, self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        for chip in self.chips.values():
            hint = chip.sizeHint()
            chip.setGeometry(self.width() - x - hint.width() if mirrored else x, 0, hint.width(), self.height())
            x += hint.width()
            chip.setVisible(x <= self.width() - self.reserved)
            x += theme.px(COLUMN_GAP)


class ComparingQuestions(ChipRow):
    """The questions about both responses with their states; a click goes there."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("comparing_questions")
        self.setAccessibleName(self.tr("Questions about both"))
        self._session = session

    def refresh(self) -> None:
        session = self._session
        if session.task is None or session.rubric is None:
            self.keep(())
            return
        asked = task_stops.form_questions(session.rubric, session.outcome, TASK_PLACE)
        levels: dict[str | None, str] = {}
        for problem in session.outcome.problems:
            if session.outcome.places[problem.where] == TASK_PLACE and not task_stops.is_unanswered(problem):
                about = task_stops.question_of_problem(session.rubric, problem)
                levels[about] = "blocked" if problem.level == "block" else levels.get(about, "warns")
        for question in asked:
            name = question.question.id
            chip = self.chips.get(name)
            if not isinstance(chip, StateChip):
                chip = self.chips[name] = StateChip(f"comparing_{name}", self)
                chip.clicked.connect(lambda _on=False, chosen=name: session.go_to(TASK_PLACE, chosen))
            state = levels.get(name, "done" if question.asked.value is not None else "todo")
            current = session.stop == TASK_PLACE and name == session.current_question
            chip.show_words(question.question.ask, state, current=current)
        self.keep([question.question.id for question in asked])
