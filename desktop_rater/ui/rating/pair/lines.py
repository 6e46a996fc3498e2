"""Lines of a pair: folded questions, the evidence of a response, the problems of an answer, the summary of the task."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QWidget

from desktop_rater.format.rating import CONTRADICTING, NEUTRAL, SUPPORTING, Evidence, Problem
from desktop_rater.format.rubric import Choice, Question
from desktop_rater.format.values import TASK_PLACE
from desktop_rater.rubric.load import format_answer
from desktop_rater.ui.rating import task_stops
from desktop_rater.ui.rating.problem_fixes import ProblemFix, fix_label, question_subject
from desktop_rater.ui.rating.problems_pane import ShownProblem, problem_counts_text
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.rating.task_stops import FormQuestion
from desktop_rater.ui.widgets import shapes, theme
from desktop_rater.ui.widgets.buttons import MIN_TARGET_SIZE, KeyButton, LinkButton, PaintedButton
from desktop_rater.ui.widgets.labels import ElidedLabel, SourceBadge, draw_text, name_widget, set_tooltip, visible
from desktop_rater.ui.widgets.layouts import NamedGroup, fill, tight_column, tight_row
from desktop_rater.ui.widgets.list_view import ink_of
from desktop_rater.ui.widgets.shapes import Icon
from desktop_rater.ui.widgets.theme import font_of, paint_box, smooth_painter
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


class AnswerLine(PaintedButton):
    """Line of a folded question: its state, subject, answer and a note. A click unfolds the question."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent, name=name, wide=QSizePolicy.Policy.Expanding)
        self._subject = self._answer = self._note = ""
        self._state = "todo"

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
        with QPainter(self) as painter:
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
            painter.setFont(font_of(self.font(), pixels=px(TYPE["small"][0])))
            used = wide + px(COLUMN_GAP) if wide else 0
            cut = self._draw(painter, self._note, start + used, room - used, QColor(colors.text2), at_end=True)
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
        draw_text(painter, rect, side | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute, elided, ink=ink)
        return elided != text


class StateChip(PaintedButton):
    """A question with its state, as wide as both."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent, name=name)
        self._state = "todo"

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
        with smooth_painter(self) as painter:
            if self.underMouse() or self.isChecked():
                paint_box(
                    painter, QRectF(self.rect()), px(4), fill=QColor(colors.sel if self.isChecked() else colors.hover)
                )
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
        name_widget(self, "comparing_questions", self.tr("Questions about both"))
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


PROBLEM_LINE_HEIGHT = 30


class SubjectLabel(ElidedLabel):
    """Subject of a line, as wide as the column of subjects unless there is no room."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        theme.follow(self, self.updateGeometry)

    def sizeHint(self) -> QSize:
        return QSize(theme.px(SUBJECT_WIDTH), super().sizeHint().height())


class EvidenceSummaryLine(QWidget):
    """Line with the count of pages by stance; the list of evidence is beneath it while it is open."""

    wanted = Signal()  # emitted to add a piece of evidence
    opening = Signal(bool)  # whether to open or fold the list

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("evidence_line")
        self.is_open = False
        column = tight_column(self, spacing=0)
        self._column = column
        self._head = QWidget()
        self._open = LinkButton("", name="open_evidence", clicked=lambda: self.opening.emit(not self.is_open))
        row = tight_row(self._head, SubjectLabel(self.tr("Evidence")), self._open, spacing=theme.px(COLUMN_GAP))
        theme.pad(row, PANE + MARK_SIZE + MARK_GAP, 0, PANE, 0)
        self._empty = ElidedLabel(self.tr("No pages yet"), name="no_evidence", ink="text2")
        fill(row, (self._empty, 1), 0)
        self._add = LinkButton(self.tr("Paste a link"), "E", name="add_evidence_here", clicked=self.wanted)
        row.addWidget(self._add)
        for button in (self._open, self._add):
            theme.follow(button, lambda button=button: button.setFixedHeight(theme.px(MIN_TARGET_SIZE)))
        column.addWidget(self._head)

    def show_pieces(self, pieces: Sequence[Evidence], *, here: bool) -> None:
        """Show the counts; with `here`, at the current stop, also the key that adds evidence."""
        self._open.setVisible(bool(pieces))
        self._empty.setVisible(not pieces)
        self._open.set_label(self._count_text(pieces))
        self._add.set_key("E" if here else "")

    def _count_text(self, pieces: Sequence[Evidence]) -> str:
        parts = [self.tr("1 page") if len(pieces) == 1 else self.tr("{n} pages").format(n=len(pieces))]
        for stance, template in (
            (SUPPORTING, self.tr("{n} supporting")),
            (CONTRADICTING, self.tr("{n} contradicting")),
            (NEUTRAL, self.tr("{n} not deciding")),
        ):
            count = sum(piece.stance == stance for piece in pieces)
            parts += [template.format(n=count)] if count else []
        return ", ".join(parts)

    def hold(self, evidence: QWidget) -> None:
        """Insert the list of evidence, open; it shows the count itself."""
        if evidence.parentWidget() is not self:
            self._column.addWidget(evidence)
        self.show_open(is_open=True)
        evidence.show()

    def show_open(self, *, is_open: bool) -> None:
        """Show the line while the list is folded."""
        self.is_open = is_open
        self._head.setHidden(is_open)


HIDDEN_FIXES = {"reconsider", "answer"}  # the question itself is at hand
MAX_FIXES = 2  # in a line


class FixButton(KeyButton):
    """Button as low as the text beside it."""

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), theme.px(MIN_TARGET_SIZE))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.px(MIN_TARGET_SIZE), theme.px(MIN_TARGET_SIZE))


class ProblemLine(NamedGroup):
    """Line with one problem and its fixes; of a folded question, its subject and answer come first."""

    fix_chosen = Signal(object, object)  # Problem, ProblemFix
    wanted = Signal()  # a click beside the fixes

    def __init__(
        self, stated: ShownProblem, question: tuple[str, str], *, keys: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._problem = stated.problem
        row = self._row = QHBoxLayout(self)
        theme.pad(row, PANE, 2, PANE, 2)
        row.setSpacing(theme.px(COLUMN_GAP))
        row.addWidget(Icon(stated.line.mark, size=MARK_SIZE + MARK_GAP - COLUMN_GAP, ink=ink_of(stated.line.mark)))
        subject, answer = question
        if subject:
            row.addWidget(SubjectLabel(subject))
        self.label = ElidedLabel(stated.line.title, size="small")
        if answer:
            chosen = ElidedLabel(answer, bold=True)
            chosen.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
            row.addWidget(chosen)
        row.addWidget(self.label, 1)
        badge = SourceBadge(stated.source, document=stated.document)
        badge.setMinimumHeight(theme.px(MIN_TARGET_SIZE))
        row.addWidget(badge)
        hidden = HIDDEN_FIXES if subject else HIDDEN_FIXES | {"write"}
        buttons = [self._button(way, keys=keys) for way in stated.ways if way.kind not in hidden][:MAX_FIXES]
        for button in buttons:
            row.addWidget(button)
        self._extras = (*buttons[:0:-1], *([badge] if stated.source is not None else []))
        spoken = (*map(visible, question), self.label.text(), stated.line.detail_end)
        self.setAccessibleName(", ".join(filter(None, spoken)))
        theme.follow(self, lambda: self.setFixedHeight(theme.px(PROBLEM_LINE_HEIGHT)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the second fix, then the badge, where the reason would not fit beside them: F8 offers all fixes."""
        super().resizeEvent(event)
        widgets = [item.widget() for item in (self._row.itemAt(at) for at in range(self._row.count())) if item]
        sizes = {widget: widget.sizeHint().width() + theme.px(COLUMN_GAP) for widget in widgets if widget is not None}
        missing = sum(sizes.values()) - (self.width() - 2 * theme.px(PANE))
        for extra in self._extras:
            extra.setHidden(missing > 0)
            missing -= sizes[extra] if extra.isHidden() else 0

    def _button(self, way: ProblemFix, *, keys: bool) -> FixButton:
        button = FixButton(fix_label(way), way.keys if keys else "")
        button.setObjectName(f"way_{way.kind}")
        theme.set_type(button, "small")
        button.clicked.connect(lambda: self.fix_chosen.emit(self._problem, way))
        return button

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.wanted.emit()
        super().mousePressEvent(event)


class ProblemLines(QWidget):
    """Problems of one field, a line each; takes no space without problems."""

    fix_chosen = Signal(object, object)
    wanted = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._shown: tuple[tuple[ShownProblem, ...], tuple[str, str], bool] = (), ("", ""), False
        self._column = tight_column(self, spacing=0)
        self.hide()

    @property
    def problems(self) -> tuple[Problem, ...]:
        return tuple(stated.problem for stated in self._shown[0])

    def show_problems(
        self, problems: Sequence[ShownProblem], *, keys: bool, question: tuple[str, str] = ("", "")
    ) -> None:
        """Show problems; with `keys`, at the current stop, also the keys of their fixes.

        `question` is the subject and the answer of a folded question.
        """
        wanted = tuple(problems), question, keys
        if wanted == self._shown:
            return
        self._shown = wanted
        while self._column.count():
            item = self._column.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for number, stated in enumerate(problems):
            line = ProblemLine(stated, question if number == 0 else (question[0], ""), keys=keys)
            line.fix_chosen.connect(self.fix_chosen)
            line.wanted.connect(self.wanted)
            self._column.addWidget(line)
        self.setHidden(not problems)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Fill the background in the colour of the worst problem."""
        backs = {stated.line.back for stated in self._shown[0]}
        tint = next((name for name in ("block_back", "warn_back") if name in backs), "")
        if tint:
            with QPainter(self) as painter:
                painter.fillRect(self.rect(), theme.color(self, tint))
        super().paintEvent(event)


class ProblemSummary(QWidget):
    """Number of blocking problems and warnings with the first place, else of open questions."""

    wanted = Signal()  # emitted to go to the next problem

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pair_summary")
        self._session = session
        self.is_short = False  # without space for the name of the first place
        self._mark = Icon("done", ink="ok")
        self._count = ElidedLabel(name="summary_count", bold=True)
        self._count.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._first = ElidedLabel(name="summary_first")
        self._first.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._go = LinkButton("", "F8", name="summary_go", clicked=self.wanted)
        self._go.set_meaning(self.tr("Go there"))
        tight_row(self, self._mark, self._count, self._first, self._go, 0, spacing=theme.px(8))

    def refresh(self) -> None:
        session = self._session
        if session.task is None or session.rubric is None:
            self.hide()
            return
        self.show()
        rating, problems = session.rating, session.outcome.problems
        problems = [problem for problem in problems if not task_stops.is_acknowledged(rating, problem)]
        problems.sort(key=self._rank)
        wrong = [problem for problem in problems if not task_stops.is_unanswered(problem)]
        still_open = [problem for problem in problems if task_stops.is_unanswered(problem)]
        early = session.state.still_to_do if session.state is not None else frozenset()
        wrong = [problem for problem in wrong if (problem.rule, problem.where) not in early]
        first = next(iter((*wrong, *still_open)), None)
        blocks = any(problem.level == "block" for problem in wrong)
        mark, ink = ("blocked", "block") if blocks else ("warns", "warn") if wrong else ("done", "ok")
        self._mark.show_icon("todo" if not wrong and still_open else mark, "text2" if not wrong and still_open else ink)
        open_words = self._open_words(len(still_open)) if still_open or not wrong else ""
        self._count.setText(", ".join(filter(None, (self._wrong_words(wrong) if wrong else "", open_words))))
        self._first.setText(self._place_text(first) if first is not None else "")
        self._first.setHidden(self.is_short)
        self._go.setVisible(first is not None and not self.is_short)

    def _rank(self, problem: Problem) -> tuple[bool, int, int]:
        """Return the sort key of a problem: blocking ones first, then the order of work."""
        session = self._session
        assert session.rubric is not None
        stops, names = session.stops, list(session.rubric.questions)
        stop = task_stops.stop_of(session.outcome.places[problem.where])
        about = task_stops.question_of_problem(session.rubric, problem)
        index = names.index(about) if about is not None else -1
        return problem.level != "block", stops.index(stop) if stop in stops else len(stops), index

    def _wrong_words(self, wrong: Sequence[Problem]) -> str:
        """Return the count of blocking problems and warnings; there is no heading that says "problems"."""
        blocking = sum(problem.level == "block" for problem in wrong)
        if not blocking:
            return problem_counts_text(tuple(wrong), 0)
        blocks = self.tr("1 problem blocks") if blocking == 1 else self.tr("{n} problems block").format(n=blocking)
        warnings = tuple(problem for problem in wrong if problem.level != "block")
        return ", ".join(filter(None, (blocks, problem_counts_text(warnings, 0))))

    def _open_words(self, count: int) -> str:
        if not count:
            return self.tr("No problems")
        return self.tr("1 question open") if count == 1 else self.tr("{n} questions open").format(n=count)

    def _place_text(self, problem: Problem) -> str:
        """Return the place of a problem, as in "Response A, fulfilment"."""
        session = self._session
        assert session.rubric is not None
        place = session.outcome.places[problem.where]
        name = task_stops.response_letter(place.response) if place.response is not None else ""
        parts = [self.tr("Response {name}").format(name=name)] if name else []
        about = task_stops.question_of_problem(session.rubric, problem)
        if about is not None:
            parts.append(question_subject(session.rubric.questions[about].question))
        return ", ".join(parts)
