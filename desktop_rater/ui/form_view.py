"""The questions of the place at hand, in the rubric's order, with claims and evidence where they belong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QVBoxLayout, QWidget

from desktop_rater.ui import theme
from desktop_rater.ui.claims import Claims, WholeTarget
from desktop_rater.ui.computed import FigureAtQuestion, asks_about_reference
from desktop_rater.ui.evidence.pane import EvidencePane
from desktop_rater.ui.form.kinds import row_for
from desktop_rater.ui.overlay_bar import OverlayBar
from desktop_rater.ui.pair.blocks import Blocks
from desktop_rater.ui.suggestion_bar import SuggestionBar
from desktop_rater.ui.typing_focus import is_typing

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from desktop_rater.model.rubric import Question
    from desktop_rater.rubric import Rubric
    from desktop_rater.ui.form.question import QuestionRow
    from desktop_rater.ui.pair.compact_form import CompactForm
    from desktop_rater.ui.session import Session


ROWS_AFTER_MS = 100  # what was opened is painted first


class Form(QScrollArea):
    """Widgets stay while the rubric stays: only what they show changes, so focus, cursor and scroll stay too."""

    guideline_wanted = Signal(str)  # the heading of a section

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
        self._rows: dict[str, QuestionRow] = {}
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(ROWS_AFTER_MS)
        self._later.timeout.connect(self._make_next_row)
        self._body = QWidget()
        self._body.setObjectName("form_body")
        self._column = QVBoxLayout(self._body)
        theme.pad(self._column, 0, 8, 0, 8)
        self._column.setSpacing(0)
        self.claims = Claims(session)
        self.evidence = EvidencePane(session)
        self.whole = WholeTarget(session)
        self.suggestions = SuggestionBar(session)
        self._blocks = Blocks(session, self.evidence, self.suggestions)
        self.setWidget(self._body)
        theme.ground(self.viewport(), "panel")
        theme.ground(self._body, "panel")
        OverlayBar(self)
        self.verticalScrollBar().rangeChanged.connect(lambda _low, _high: self._show_rail())
        session.opened.connect(self._open)
        session.rating_changed.connect(self.refresh)
        session.place_changed.connect(self._place_changed)
        self._open()

    @property
    def body(self) -> QWidget:
        """What scrolls."""
        return self._body

    @property
    def blocks(self) -> tuple[CompactForm, ...]:
        """The forms that stand in for this one while a pair is shown."""
        return self._blocks.all

    def take_blocks(self, blocks: tuple[CompactForm, ...]) -> None:
        """Have others stand in for it: keys and the focus go to the one where the rater stands."""
        self._blocks.take(blocks)
        self.hide()
        self.refresh()

    def drop_blocks(self) -> None:
        """Be the form again."""
        if self._blocks:
            self._blocks.drop()
            self.setFocusProxy(None)  # ty: ignore[invalid-argument-type]
            self._rebuild()
            self.show()
            self.refresh()

    def row(self, question: str) -> QuestionRow | None:
        """The row of a question that was shown: of a pair, the one where the rater stands."""
        here = self._blocks.here
        return here.row(question) if here is not None else self._rows.get(question)

    def holds(self, widget: QWidget | None) -> bool:
        """Whether something is part of the questions."""
        return self._blocks.holds(widget) or (widget is not None and self.isAncestorOf(widget))

    def field(self, name: str) -> QWidget | None:
        """A field that is shown where the rater stands, by its name."""
        within = self._blocks.here or self
        return next((one for one in within.findChildren(QWidget, name) if one.isVisibleTo(within)), None)

    def show_evidence(self) -> None:
        """Bring the list of evidence into view."""
        if self._blocks:
            self._blocks.show_evidence()
        else:
            self.ensureWidgetVisible(self.evidence, 0, 8)

    def take_key(self, key: str) -> bool:
        """Answer by a key of the rubric, or by a digit where the rail is."""
        if self._session.task is None:
            return False
        if self._blocks:
            return self._blocks.here is not None and self._blocks.here.take_key(key)
        shown = list(self._session.shown)
        shown.sort(key=lambda one: one.question.id != self._session.rail)
        return any(self._rows[one.question.id].take_key(key) for one in shown)

    def write(self) -> None:
        """Put the cursor into the text at the rail, else into the first text of the form."""
        if self._blocks:
            if self._blocks.here is not None:
                self._blocks.here.write()
            return
        texts = [one.question.id for one in self._session.shown if self._rows[one.question.id].is_text]
        if texts:
            name = self._session.rail if self._session.rail in texts else texts[0]
            self._write(name or texts[0])

    def write_open_text(self) -> None:
        """Put the cursor into the text at the rail where it has to be written now."""
        shown = next((one for one in self._session.shown if one.question.id == self._session.rail), None)
        row = self.row(shown.question.id) if shown is not None and shown.open else None
        if row is not None and row.is_text:
            self.write()

    def _write(self, question: str) -> None:
        self._rows[question].control().setFocus()
        self.ensureWidgetVisible(self._rows[question], 0, 8)

    def refresh(self) -> None:
        """Show what is asked now."""
        session = self._session
        if session.task is None or session.rubric is None:
            self._body.hide()
            return
        if self._blocks:
            self.setFocusProxy(self._blocks.here or self._blocks.all[-1])
            self._blocks.refresh()
            return
        self._body.show()
        self._body.setEnabled(not session.read_only)
        self._column.setEnabled(False)  # each part that comes would have all of them laid out anew
        try:
            self._show_parts()
        finally:
            self._column.setEnabled(True)
            self._column.activate()

    def _show_parts(self) -> None:
        session = self._session
        assert session.rubric is not None
        shown = {one.question.id: one for one in session.shown}
        for name in shown:
            if name not in self._rows:
                self._add(session.rubric.questions[name].question)
        suggested = session.suggested(session.stop)
        for name, row in self._rows.items():
            there = shown.get(name)
            row.setVisible(there is not None)
            if there is not None:
                row.show_question(there, current=name == session.rail)
                row.show_suggestion(suggested.get(name))
        self.whole.refresh()
        self.suggestions.refresh()
        self.claims.setVisible(session.takes_claims)
        self.evidence.setVisible(session.takes_evidence)
        if session.takes_claims:
            self.claims.refresh()
        if session.takes_evidence:
            self.evidence.refresh()

    def _place_changed(self) -> None:
        self.refresh()
        # After the layout has settled: rows that have just come have no height yet.
        QTimer.singleShot(0, self, self._show_rail)

    def _open(self) -> None:
        if self._session.rubric is not self._rubric:
            self._rubric = self._session.rubric
            if not self._blocks:
                self._rebuild()
        self.verticalScrollBar().setValue(0)
        self.refresh()

    def _rebuild(self) -> None:
        for row in self._rows.values():
            row.hide()
            row.deleteLater()
        self._rows = {}
        while self._column.count():
            self._column.takeAt(0)
        if self._rubric is None:
            return
        for widget in (self.suggestions, self.claims, self.evidence, self.whole):
            self._column.addWidget(widget)
        self._column.addStretch(1)
        self._later.start()

    def _make_next_row(self) -> None:
        """Make what an answer may bring up before it does, one row at a time: it takes longer than to paint a task."""
        questions = self._rubric.questions.values() if self._rubric is not None and not self._blocks else ()
        missing = next((one.question for one in questions if one.question.id not in self._rows), None)
        if missing is not None:
            self._add(missing)
            self._rows[missing.id].hide()
            self._later.start()

    def _add(self, question: Question) -> None:
        row = row_for(question)
        row.answered.connect(self._session.answer)
        row.typed.connect(lambda name, value: self._session.answer(name, value, typing=True))
        row.left.connect(self._session.pause_typing)
        row.touched.connect(self._session.set_rail)
        row.guideline_wanted.connect(self.guideline_wanted)
        if asks_about_reference(question):
            row.put_beneath(FigureAtQuestion(self._session, question, row))
        self._rows[question.id] = row
        self._column.insertWidget(self._index_of(question), row)

    def _index_of(self, question: Question) -> int:
        """Where a question stands: in the rubric's order, between the parts that are no questions."""
        assert self._rubric is not None
        parts = self._parts(list(self._rubric.questions))
        known: list[QWidget] = [
            self._rows[one] if isinstance(one, str) else one
            for one in parts
            if not isinstance(one, str) or one in self._rows
        ]
        return known.index(self._rows[question.id])

    def _parts(self, names: list[str]) -> list[str | QWidget]:
        """Questions and the rest from top to bottom: claims and evidence come before what is asked of a claim.

        The whole of a target stands behind what is combined from its claims.
        """
        assert self._rubric is not None
        file = self._rubric.file
        split = next((at for at, one in enumerate(file.questions) if one.per == "claim"), len(names))
        combined = [names.index(name) for name in file.combine]
        whole = max(combined, default=len(names) - 1) + 1
        order: list[str | QWidget] = [self.suggestions, *names[:split], self.claims, self.evidence]
        return [*order, *names[split:whole], self.whole, *names[max(split, whole) :]]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The arrows move the rail, not the page: it follows."""
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        if event.key() in steps and not event.modifiers():
            self._session.move_rail(steps[Qt.Key(event.key())])
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Problems that open from below do not hide what is being answered."""
        super().resizeEvent(event)
        QTimer.singleShot(0, self, self._show_rail)

    def _show_rail(self) -> None:
        """Bring the current question into view, unless the rater is typing somewhere else in the form."""
        if self._blocks:
            if self._blocks.here is not None:
                self._blocks.here.show_rail()
            return
        row = self._rows.get(self._session.rail or "")
        focus = QApplication.focusWidget()
        typing = is_typing(focus) and self.isAncestorOf(focus)
        if row is not None and row.isVisible() and not (typing and not row.isAncestorOf(focus)):
            self.ensureWidgetVisible(row, 0, 8)
