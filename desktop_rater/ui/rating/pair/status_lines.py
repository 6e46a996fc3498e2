"""Lines of a pair: the evidence of a response, the problems of an answer, and the summary of the task."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from desktop_rater.model.rating import CONTRADICTING, NEUTRAL, SUPPORTING, Evidence, Problem
from desktop_rater.ui.rating import task_stops
from desktop_rater.ui.rating.pair.answer_lines import COLUMN_GAP, MARK_GAP, MARK_SIZE, SUBJECT_WIDTH
from desktop_rater.ui.rating.problem_fixes import ProblemFix, fix_label, question_subject
from desktop_rater.ui.rating.problems_pane import ShownProblem, problem_counts_text
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.accessibility import NamedGroup
from desktop_rater.ui.widgets.buttons import MIN_TARGET_SIZE, KeyButton, LinkButton
from desktop_rater.ui.widgets.icons import Icon
from desktop_rater.ui.widgets.labels import ElidedLabel, visible
from desktop_rater.ui.widgets.layouts import tight_column, tight_row
from desktop_rater.ui.widgets.list_view import ink_of
from desktop_rater.ui.widgets.source_badge import SourceBadge
from desktop_rater.ui.widgets.theme_tokens import PANE

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
        row = QHBoxLayout(self._head)
        theme.pad(row, PANE + MARK_SIZE + MARK_GAP, 0, PANE, 0)
        row.setSpacing(theme.px(COLUMN_GAP))
        row.addWidget(SubjectLabel(self.tr("Evidence")))
        self._open = LinkButton("", name="open_evidence", clicked=lambda: self.opening.emit(not self.is_open))
        row.addWidget(self._open)
        self._empty = ElidedLabel(self.tr("No pages yet"), name="no_evidence", ink="text2")
        row.addWidget(self._empty, 1)
        row.addStretch(0)
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
        self.label = ElidedLabel(stated.line.title)
        theme.set_type(self.label, "small")
        if answer:
            chosen = ElidedLabel(answer)
            theme.set_type(chosen, bold=True)
            chosen.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
            row.addWidget(chosen)
        row.addWidget(self.label, 1)
        badge = SourceBadge(stated.source)
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
            painter = QPainter(self)
            painter.fillRect(self.rect(), theme.color(self, tint))
            painter.end()
        super().paintEvent(event)


class ProblemSummary(QWidget):
    """Number of blocking problems and warnings with the first place, else of open questions."""

    wanted = Signal()  # emitted to go to the next problem

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pair_summary")
        self._session = session
        self.is_short = False  # without space for the name of the first place
        row = tight_row(self, spacing=theme.px(8))
        self._mark = Icon("done", ink="ok")
        row.addWidget(self._mark)
        self._count = ElidedLabel(name="summary_count")
        self._count.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        theme.set_type(self._count, bold=True)
        row.addWidget(self._count)
        self._first = ElidedLabel(name="summary_first")
        self._first.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        row.addWidget(self._first)
        self._go = LinkButton("", "F8", name="summary_go", clicked=self.wanted)
        self._go.set_meaning(self.tr("Go there"))
        row.addWidget(self._go)
        row.addStretch(0)

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
