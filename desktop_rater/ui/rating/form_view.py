"""Questions of the current place in the rubric's order, with claims and evidence among them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QVBoxLayout, QWidget

from desktop_rater.model.rubric import Question
from desktop_rater.rubric import Rubric
from desktop_rater.ui.pages.evidence_pane import EvidencePane
from desktop_rater.ui.rating.claims.claims_pane import ClaimsPane
from desktop_rater.ui.rating.claims.target_label import TargetLabelRow
from desktop_rater.ui.rating.form.question import QuestionRow
from desktop_rater.ui.rating.form.question_kinds import question_row
from desktop_rater.ui.rating.form_bars import SuggestionBar
from desktop_rater.ui.rating.pair.pair_forms import PairForms
from desktop_rater.ui.rating.research.pane import DraftHint
from desktop_rater.ui.rating.response_pane import QuestionTokenF1, asks_about_reference
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.bars import OverlayScrollBar
from desktop_rater.ui.widgets.callbacks import DelayedCall
from desktop_rater.ui.window.focus import is_typing

if TYPE_CHECKING:
    from desktop_rater.ui.rating.pair.compact_form import CompactForm


ROW_CREATION_DELAY_MS = 100  # paint the opened task first


class RatingForm(QScrollArea):
    """Form of the current place. Its widgets live as long as the rubric, so focus, cursor and scroll position stay."""

    guideline_wanted = Signal(str)  # heading of a section
    draft_wanted = Signal()  # a comment drafted from the research
    research_wanted = Signal()
    write_wanted = Signal()  # the comment, while another page is in place of the form
    selection_wanted = Signal(int)  # the next or previous target too

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("form")
        self.setAccessibleName(self.tr("Questions"))
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._session = session
        self._rubric: Rubric | None = None
        self._bar_keys: dict[QObject, str] = {}  # of the bars that take keys now
        self._rows: dict[str, QuestionRow] = {}
        self._row_timer = DelayedCall(self, ROW_CREATION_DELAY_MS, self._make_next_row)
        self._body = QWidget()
        self._body.setObjectName("form_body")
        self._column = QVBoxLayout(self._body)
        theme.pad(self._column, 0, 8, 0, 8)
        self._column.setSpacing(0)
        self.claims = ClaimsPane(session)
        self.evidence = EvidencePane(session)
        self.whole = TargetLabelRow(session)
        self.suggestions = SuggestionBar(session)
        self._pair = PairForms(session, self.evidence, self.suggestions)
        self.setWidget(self._body)
        theme.set_ground(self.viewport(), "panel")
        theme.set_ground(self._body, "panel")
        OverlayScrollBar(self)
        self.verticalScrollBar().rangeChanged.connect(lambda _low, _high: self._show_current_question())
        session.opened.connect(self._open)
        session.updated.connect(self.refresh)
        # After the layout has settled: new rows have no height yet.
        session.place_changed.connect(lambda: QTimer.singleShot(0, self, self._show_current_question))
        self._open()

    @property
    def body(self) -> QWidget:
        return self._body

    @property
    def blocks(self) -> tuple[CompactForm, ...]:
        """Return the compact forms that replace this one while a pair is shown."""
        return self._pair.forms

    def use_pair_forms(self, blocks: tuple[CompactForm, ...]) -> None:
        """Replace this form by blocks; keys and focus go to the block of the current response."""
        self._pair.use(blocks)
        self.hide()
        self.refresh()

    def drop_pair_forms(self) -> None:
        """Show this form again instead of the blocks."""
        if self._pair.forms:
            self._pair.drop()
            self.setFocusProxy(None)  # ty: ignore[invalid-argument-type]
            self._rebuild()
            self.show()
            self.refresh()

    def row(self, question: str) -> QuestionRow | None:
        """Return the row of a question; of a pair, the one of the current response."""
        here = self._pair.current
        return here.row(question) if here is not None else self._rows.get(question)

    def holds(self, widget: QWidget | None) -> bool:
        return self._pair.holds(widget) or (widget is not None and self.isAncestorOf(widget))

    def field(self, name: str) -> QWidget | None:
        """Return a visible field of the current form by its object name."""
        within = self._pair.current or self
        return next((field for field in within.findChildren(QWidget, name) if field.isVisibleTo(within)), None)

    def show_evidence(self) -> None:
        if self._pair.forms:
            self._pair.show_evidence()
        else:
            self.ensureWidgetVisible(self.evidence, 0, 8)

    def take_key(self, key: str) -> bool:
        """Answer by a key of the rubric, or by a digit for the current question."""
        if self._session.task is None:
            return False
        if self._pair.forms:
            return self._pair.current is not None and self._pair.current.take_key(key)
        questions = list(self._session.form_questions)
        questions.sort(key=lambda question: question.question.id != self._session.current_question)
        return any(self._rows[question.question.id].take_key(key) for question in questions)

    def write(self) -> None:
        """Focus the text field of the current question, else the first one of the form."""
        if self._pair.forms:
            if self._pair.current is not None:
                self._pair.current.write()
            return
        if self.isHidden():
            self.write_wanted.emit()
            return
        texts = [
            question.question.id
            for question in self._session.form_questions
            if self._rows[question.question.id].is_text
        ]
        if texts:
            name = self._session.current_question if self._session.current_question in texts else texts[0]
            self._write(name or texts[0])

    def write_open_text(self) -> None:
        """Focus the text field of the current question if it is open."""
        current = next(
            (
                question
                for question in self._session.form_questions
                if question.question.id == self._session.current_question
            ),
            None,
        )
        row = self.row(current.question.id) if current is not None and current.open else None
        if row is not None and row.is_text:
            self.write()

    def give_keys(self, bar: QObject, keys: str) -> None:
        """Show no keys of answers that a bar takes; "" gives them back."""
        if self._bar_keys.get(bar, "") != keys:
            self._bar_keys[bar] = keys
            self.refresh()

    @property
    def _taken_keys(self) -> frozenset[str]:
        return frozenset("".join(self._bar_keys.values()))

    def point_at(self, question: str) -> None:
        """Make a question flash, and scroll to it; where another pane hides the form, show the form."""
        if (self._pair.current or self).visibleRegion().isEmpty():
            self.setFocus()
        row = self.row(question)
        if row is not None:
            row.flash()
            self._show_current_question()

    def _write(self, question: str) -> None:
        self._rows[question].write()
        self.ensureWidgetVisible(self._rows[question], 0, 8)

    def refresh(self) -> None:
        session = self._session
        if session.task is None or session.rubric is None:
            self._body.hide()
            return
        if self._pair.forms:
            self.setFocusProxy(self._pair.current or self._pair.forms[-1])
            self._pair.refresh(self._taken_keys)
            return
        self._body.show()
        self._body.setEnabled(not session.read_only)
        self._column.setEnabled(False)  # otherwise each part shown would cause a new layout
        try:
            self._show_parts()
        finally:
            self._column.setEnabled(True)
            self._column.activate()

    def _show_parts(self) -> None:
        session = self._session
        assert session.rubric is not None
        questions = {question.asked.question.id: question for question in session.form_questions}
        for name in questions:
            if name not in self._rows:
                self._add(session.rubric.questions[name].question)
        suggested = session.suggested(session.stop)
        numbers = {claim.id: number for number, claim in enumerate(session.claims, 1)}
        current = session.current_question
        at_rail = self._rows.get(current or "")
        taken = self._taken_keys | (at_rail.rail_keys if at_rail is not None else frozenset())
        for name, row in self._rows.items():
            asked = questions.get(name)
            row.taken_keys = self._taken_keys if row is at_rail else taken
            row.setVisible(asked is not None)
            if asked is not None:
                row.show_question(asked, current=row is at_rail)
                row.show_claim(numbers.get(asked.place.claim or "", 0))
                row.show_suggestion(suggested.get(name))
        self.whole.refresh()
        self.suggestions.refresh()
        for part, is_asked in ((self.claims, session.accepts_claims), (self.evidence, session.accepts_evidence)):
            part.setVisible(is_asked)
            if is_asked:
                part.refresh()

    def _open(self) -> None:
        if self._session.rubric is not self._rubric:
            self._rubric = self._session.rubric
            if not self._pair.forms:
                self._rebuild()
        self.verticalScrollBar().setValue(0)
        self.refresh()

    def _rebuild(self) -> None:
        parts = (self.suggestions, self.claims, self.evidence, self.whole)
        for widget in (*self._rows.values(), *parts):
            self._column.removeWidget(widget)  # an item that is only taken out keeps the widget's earlier height
        for row in self._rows.values():
            row.hide()
            row.deleteLater()
        self._rows = {}
        while self._column.count():
            self._column.takeAt(0)
        if self._rubric is None:
            return
        for widget in parts:
            self._column.addWidget(widget)
        self._column.addStretch(1)
        self._row_timer.start()

    def _make_next_row(self) -> None:
        """Create the next missing row in idle time, since it takes longer than painting a task."""
        questions = self._rubric.questions.values() if self._rubric is not None and not self._pair.forms else ()
        missing = next((compiled.question for compiled in questions if compiled.question.id not in self._rows), None)
        if missing is not None:
            self._add(missing)
            self._rows[missing.id].hide()
            self._row_timer.start()

    def _add(self, question: Question) -> None:
        row = question_row(question)
        row.answered.connect(self._session.answer)
        row.typed.connect(lambda name, value: self._session.answer(name, value, typing=True))
        row.left.connect(self._session.pause_typing)
        row.touched.connect(self._session.set_current_question)
        row.guideline_wanted.connect(self.guideline_wanted)
        if question.kind == "text":
            hint = DraftHint(self._session, question.id, row)
            hint.draft.clicked.connect(self.draft_wanted)
            hint.wanted.connect(self.research_wanted)
            row.add_beneath(hint)
        if asks_about_reference(question):
            row.add_beneath(QuestionTokenF1(self._session, question, row))
        self._rows[question.id] = row
        self._column.insertWidget(self._index_of(question), row)

    def _index_of(self, question: Question) -> int:
        """Return the layout index of a question: in the rubric's order, between the parts that are not questions."""
        assert self._rubric is not None
        parts = self._ordered_parts(list(self._rubric.questions))
        widgets: list[QWidget] = [
            self._rows[part] if isinstance(part, str) else part
            for part in parts
            if not isinstance(part, str) or part in self._rows
        ]
        return widgets.index(self._rows[question.id])

    def _ordered_parts(self, names: list[str]) -> list[str | QWidget]:
        """Return questions and other parts from top to bottom: claims and evidence before the questions of a claim.

        The label of the whole target comes after the questions combined from its claims.
        """
        assert self._rubric is not None
        file = self._rubric.file
        split = next((index for index, question in enumerate(file.questions) if question.per == "claim"), len(names))
        combined = [names.index(name) for name in file.combine]
        whole = max(combined, default=len(names) - 1) + 1
        order: list[str | QWidget] = [self.suggestions, *names[:split], self.claims, self.evidence]
        return [*order, *names[split:whole], self.whole, *names[max(split, whole) :]]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the current question with the arrow keys; scrolling follows."""
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        if event.key() in steps and not event.modifiers():
            self._session.move_question(steps[Qt.Key(event.key())])
            return
        if event.key() in steps and event.modifiers() == Qt.KeyboardModifier.ShiftModifier:
            self.selection_wanted.emit(steps[Qt.Key(event.key())])
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the current question visible when problems open from below."""
        super().resizeEvent(event)
        QTimer.singleShot(0, self, self._show_current_question)

    def _show_current_question(self) -> None:
        """Scroll to the current question, unless the rater is typing elsewhere in the form."""
        if self._pair.forms:
            if self._pair.current is not None:
                self._pair.current.show_current_question()
            return
        row = self._rows.get(self._session.current_question or "")
        focus = QApplication.focusWidget()
        typing = is_typing(focus) and self.isAncestorOf(focus)
        if row is not None and row.isVisible() and not (typing and not row.isAncestorOf(focus)):
            self.ensureWidgetVisible(row, 0, 8)
