"""The questions of one response, or those of the task, as rows of one line; what is wrong stands under each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QVBoxLayout, QWidget

from desktop_rater.ui import moves, theme
from desktop_rater.ui.form.kinds import row_for
from desktop_rater.ui.form.typed import TextQuestion
from desktop_rater.ui.overlay_bar import OverlayBar
from desktop_rater.ui.pair.evidence_line import EvidenceLine
from desktop_rater.ui.pair.problem_lines import ProblemLines
from desktop_rater.ui.typing_focus import is_typing

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent

    from desktop_rater.model.place import Place
    from desktop_rater.model.rating import Evidence
    from desktop_rater.model.rubric import Question
    from desktop_rater.rubric import Rubric
    from desktop_rater.ui.form.question import QuestionRow
    from desktop_rater.ui.moves import Shown
    from desktop_rater.ui.problems.pane import Problems, Stated
    from desktop_rater.ui.session import Session

STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class CompactForm(QScrollArea):
    """Seen whether or not the rater stands here. Whoever answers here stands here from then on."""

    grown = Signal()  # its content needs another height
    guideline_wanted = Signal(str)

    def __init__(
        self, name: str, session: Session, problems: Problems, *, wide: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._session, self._problems, self._wide = session, problems, wide
        self._rubric: Rubric | None = None
        self._rows: dict[str, QuestionRow] = {}
        self._beneath: dict[str, ProblemLines] = {}
        self._body = QWidget()
        self._column = QVBoxLayout(self._body)
        theme.pad(self._column, 0, 6, 0, 6)
        self._column.setSpacing(0)
        self._first = QVBoxLayout()
        self._column.addLayout(self._first)
        self._others = ProblemLines(f"{name}_problems", indent=16)  # of no question in particular
        self._others.way_taken.connect(problems.way_taken)
        self.evidence_line = EvidenceLine()
        for widget in (self._others, self.evidence_line):
            self._column.addWidget(widget)
        self._column.addStretch(1)
        self.setWidget(self._body)
        for part in (self.viewport(), self._body):
            theme.ground(part, "panel")
        OverlayBar(self)
        self._body.installEventFilter(self)
        self.place: Place | None = None

    # -- what is asked from outside

    @property
    def is_current(self) -> bool:
        """Whether the rater stands here."""
        return self._session.task is not None and self._session.stop == self.place

    @property
    def content_height(self) -> int:
        """What is needed to show all of it at this width."""
        height = self._column.totalHeightForWidth(max(1, self.viewport().width()))
        return height if height >= 0 else self._column.totalSizeHint().height()

    @property
    def first_height(self) -> int:
        """What is needed to show the first question alone."""
        row = next((row for row in map(self.row, self._names()) if row is not None), None)
        if row is None or row.isHidden():
            return self.content_height
        wide = max(1, self.viewport().width())
        return self._column.contentsMargins().top() + max(row.heightForWidth(wide), row.minimumSizeHint().height())

    def lead_with(self, widget: QWidget) -> None:
        """Have something stand before the questions."""
        if widget.parentWidget() is not self._body:
            self._first.addWidget(widget)

    def row(self, question: str) -> QuestionRow | None:
        """The row of a question that was shown."""
        return self._rows.get(question)

    def stand_for(self, place: Place, words: str) -> None:
        """Be the questions of a place, which `words` name for those who hear them."""
        if place != self.place:
            self.place = place
            self.verticalScrollBar().setValue(0)
        self.setAccessibleName(words)

    def take_key(self, key: str) -> bool:
        """Answer by a key of the rubric, or by a digit where the rail is."""
        shown = sorted(self._session.shown, key=lambda one: one.question.id != self._session.rail)
        rows = [self._rows[one.question.id] for one in shown if one.question.id in self._rows]
        return any(row.take_key(key) for row in rows)

    def text_at_hand(self) -> QuestionRow | None:
        """The text that is to be written: that at the rail, else the first one."""
        texts = [row for row in map(self.row, self._names()) if row is not None and row.is_text]
        return next((row for row in texts if row.question.id == self._session.rail), next(iter(texts), None))

    def write(self) -> None:
        """Put the cursor into that text."""
        row = self.text_at_hand()
        if row is not None:
            row.control().setFocus()
            self.ensureWidgetVisible(row, 0, 8)

    # -- showing

    def refresh(self) -> None:
        """Show what is asked here now, and what is wrong with the answers."""
        session = self._session
        if session.task is None or session.rubric is None or self.place is None:
            self._body.hide()
            return
        if session.rubric is not self._rubric:
            self._rubric = session.rubric
            self._drop_rows()
        self._body.show()
        self._body.setEnabled(not session.read_only)
        asked = {one.question.id: one for one in self._asked()}
        suggested = session.suggested(self.place)
        for name in asked:
            if name not in self._rows:
                self._add(session.rubric.questions[name].question)
        for name, row in self._rows.items():
            row.setVisible(name in asked)
            if name in asked:
                row.show_question(asked[name], current=self.is_current and name == session.rail)
                row.show_suggestion(suggested.get(name))
        self._show_reach()
        self._show_problems(set(asked))
        takes = moves.where_of(self.place) in session.outcome.evidence
        self.evidence_line.setVisible(takes)
        if takes:
            self.evidence_line.show_pieces(self._evidence(), here=self.is_current)

    def show_rail(self) -> None:
        """Bring the current question into view, unless the rater is typing somewhere else here."""
        row = self._rows.get(self._session.rail or "") if self.is_current else None
        focus = QApplication.focusWidget()
        typing = is_typing(focus) and self.isAncestorOf(focus)
        if row is not None and row.isVisible() and not (typing and not row.isAncestorOf(focus)):
            self.ensureWidgetVisible(row, 0, 8)

    def _asked(self) -> tuple[Shown, ...]:
        session = self._session
        if session.rubric is None or session.task is None or self.place is None:
            return ()
        return moves.shown_at(session.rubric, session.outcome, self.place)

    def _names(self) -> list[str]:
        return [one.question.id for one in self._asked()]

    def _evidence(self) -> list[Evidence]:
        session, place = self._session, self.place
        where = moves.where_of(place) if place is not None else ""
        return [one for one in session.rating.evidence if f"{where}/evidence/{one.id}" in session.outcome.kept]

    def _show_reach(self) -> None:
        at_hand = self.text_at_hand() if self.is_current else None
        for row in self._rows.values():
            if isinstance(row, TextQuestion):
                row.show_reach(in_reach=row is at_hand)

    def _show_problems(self, asked: set[str]) -> None:
        rubric = self._session.rubric
        found: dict[str, list[Stated]] = {}
        if rubric is None or self.place is None:
            return
        for one in self._problems.at(self.place):
            if one.problem.level == "block" and moves.is_about_links(rubric, one.problem):
                continue  # the head of the half says so, with the way to the next link
            about = moves.concerns(rubric, one.problem)
            found.setdefault(about if about in asked else "", []).append(one)
        for name, lines in self._beneath.items():
            lines.show_problems(found.get(name, ()) if name in asked else (), keys=self.is_current)
            self._rows[name].set_tint(lines.tint)
        self._others.show_problems(found.get("", ()), keys=self.is_current)

    def _drop_rows(self) -> None:
        for row in self._rows.values():
            row.hide()
            row.deleteLater()
        self._rows, self._beneath = {}, {}

    def _add(self, question: Question) -> None:
        row = row_for(question, wide=self._wide)
        row.make_compact(low=not self._wide)
        row.answered.connect(self._answer)
        row.typed.connect(lambda name, value: self._answer(name, value, typing=True))
        row.left.connect(self._session.pause_typing)
        row.touched.connect(self._stand_here)
        row.guideline_wanted.connect(self.guideline_wanted)
        lines = ProblemLines(f"wrong_{question.id}")
        lines.way_taken.connect(self._problems.way_taken)
        row.put_beneath(lines)
        order = list(self._session.rubric.questions) if self._session.rubric is not None else []
        before = sum(order.index(name) < order.index(question.id) for name in self._rows)
        self._rows[question.id], self._beneath[question.id] = row, lines
        self._column.insertWidget(1 + before, row)

    # -- what the rater does here

    def _stand_here(self, question: str) -> None:
        if self.place is None:
            return
        if self.is_current:
            self._session.set_rail(question)
        else:
            self._session.go_to(self.place, question)

    def _answer(self, question: str, value: Any, *, typing: bool = False) -> None:
        if not self.is_current:
            self._stand_here(question)
        self._session.answer(question, value, typing=typing)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click beside the questions is enough to stand here."""
        if not self.is_current and self.place is not None and self._session.task is not None:
            self._session.go_to(self.place)
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The arrows move the rail, not the page: it follows."""
        if event.key() in STEPS and not event.modifiers():
            self._session.move_rail(STEPS[Qt.Key(event.key())])
            return
        super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._body and event.type() == QEvent.Type.LayoutRequest:
            self.grown.emit()
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        QTimer.singleShot(0, self, self.show_rail)
