"""Questions of the current place with claims and evidence among them, their bars, and the compact forms of a pair."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QWidget

from desktop_rater.format.rating import Evidence
from desktop_rater.format.rubric import Question
from desktop_rater.format.values import Place
from desktop_rater.rubric import Rubric
from desktop_rater.rubric.load import format_answer
from desktop_rater.text.untrusted import is_blank
from desktop_rater.ui.pages.evidence_pane import EvidencePane
from desktop_rater.ui.rating.claims_pane import ClaimsPane, TargetLabelRow
from desktop_rater.ui.rating.form import question_row
from desktop_rater.ui.rating.form.question import QuestionRow
from desktop_rater.ui.rating.research_pane import DraftHint
from desktop_rater.ui.rating.response_pane import QuestionTokenF1, asks_about_reference
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.bars import AskingBar, OverlayScrollBar
from desktop_rater.ui.widgets.buttons import ChoiceButton, KeyButton
from desktop_rater.ui.widgets.callbacks import DelayedCall
from desktop_rater.ui.widgets.fields import FieldEdit
from desktop_rater.ui.widgets.labels import ElidedLabel, WrappedLabel
from desktop_rater.ui.widgets.layouts import (
    FlowLayout,
    ScrollColumn,
    discard,
    fill,
    placed_once,
    tight_column,
    tight_row,
)
from desktop_rater.ui.widgets.shapes import Icon
from desktop_rater.ui.widgets.theme import font_of
from desktop_rater.ui.widgets.theme_tokens import PANE
from desktop_rater.ui.window.focus import is_typing

if TYPE_CHECKING:
    from desktop_rater.ui.rating.pair.compact_form import CompactForm


class SuggestionBar(QWidget):
    """One-line bar, visible while there is a suggestion that is neither confirmed nor answered."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("suggestion_bar")
        self._session = session
        self._label = ElidedLabel(name="suggestion_words", ink="text2")
        self._confirm = KeyButton(
            self.tr("Confirm"), "Z", flat=True, name="confirm_suggestions", clicked=session.confirm_suggestions
        )
        self._all = KeyButton(
            self.tr("Whole task"),
            "Alt Z",
            flat=True,
            name="confirm_all_suggestions",
            clicked=session.confirm_all_suggestions,
        )
        self._all.setAccessibleName(self.tr("Confirm every suggestion of this task"))
        row = tight_row(self, Icon("suggested"), (self._label, 1), self._confirm, self._all, spacing=theme.px(8))
        theme.pad(row, PANE, 4, 8, 4)

    def refresh(self) -> None:
        session = self._session
        suggested = session.suggested(session.stop)
        self.setVisible(bool(suggested) and not session.read_only)
        elsewhere = session.state is not None and session.state.has_suggestions_elsewhere(session.stop)
        self._all.setVisible(elsewhere)
        if suggested and session.rubric is not None:
            questions = session.rubric.questions
            answers = [_shortened(format_answer(questions[name].question, value)) for name, value in suggested.items()]
            self._label.setText(self.tr("Suggested: {answers}").format(answers=", ".join(answers)))


def _shortened(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 60 else f"{flat[:59]}…"


TASK_SKIPPED = "task_skipped"  # the shape of a skipped task; that of a skipped target has one triangle
SKIP_DRAFT = "skip"
SKIP_REASONS = ("cut_off", "wrong_language", "duplicate", "harmful", "other")


def skip_reason_text(reason: str) -> str:
    """Return a skip reason in the language of the window; a custom reason unchanged."""
    return {
        "cut_off": QCoreApplication.translate("Skip", "Cut off"),
        "wrong_language": QCoreApplication.translate("Skip", "Wrong language"),
        "duplicate": QCoreApplication.translate("Skip", "Duplicate"),
        "harmful": QCoreApplication.translate("Skip", "Harmful"),
        "other": QCoreApplication.translate("Skip", "Other"),
    }.get(reason, reason)


class SkipBar(AskingBar):
    """Form for the reason of a skip. Digits choose the reason; "other" needs a comment.

    Tab stays within the bar: from the reasons to the comment, then to the buttons.
    """

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__("skip_bar", parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._session = session
        self._draft = session.draft(SKIP_DRAFT)
        self._reason: str | None = None
        title = WrappedLabel(self.tr("Skip the whole task: why can't it be rated?"))
        self.setAccessibleName(title.text())
        title.setFont(font_of(title.font(), bold=True))
        head = tight_row(None, Icon(TASK_SKIPPED), (title, 1), spacing=8)
        row = QWidget()
        flow = FlowLayout(row)
        self.buttons: dict[str, ChoiceButton] = {}
        for number, reason in enumerate(SKIP_REASONS, 1):
            button = ChoiceButton(
                skip_reason_text(reason),
                str(number),
                name=f"skip_{reason}",
                clicked=lambda _on=False, chosen=reason: self._choose(chosen),
            )
            flow.addWidget(button)
            self.buttons[reason] = button
        self.comment = FieldEdit(name="skip_comment", label=self.tr("Comment"), placeholder=self.tr("Comment"))
        self.comment.textEdited.connect(lambda _text: self._show())
        self.comment.textEdited.connect(self._keep_draft)
        self._close = KeyButton(self.tr("Close"), "Esc", name="skip_cancel", clicked=self.shut)
        self.skip_button = KeyButton(
            self.tr("Skip the task"), "Enter", primary=True, name="skip_confirm", clicked=self.confirm
        )
        self.skip_button.set_look("", TASK_SKIPPED)
        last = fill(QHBoxLayout(), 1, self._close, self.skip_button)
        tight_column(self, head, row, self.comment, last, spacing=8, margins=(16, 12, 16, 12))
        self.hide()

    def open(self) -> None:
        """Open the bar with no reason chosen, and with the comment that was begun earlier."""
        self._reason = None
        self._draft = self._session.draft(SKIP_DRAFT)
        self.comment.setText(self._draft.text)
        self._show()
        self.show()
        self.setFocus()

    def _keep_draft(self, text: str) -> None:
        self._draft.keep(text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_W:
            self.comment.setFocus()
        elif not self.take_key(event.text()):
            super().keyPressEvent(event)

    def focusNextPrevChild(self, onward: bool) -> bool:
        reason = self.buttons[self._reason or SKIP_REASONS[0]]
        stops: list[QWidget] = [reason, self.comment, self._close, self.skip_button]
        focus = QApplication.focusWidget()
        if focus is self.comment and onward and self._reason == "other" and not self.comment.text():
            return True  # the digit has led here already, and nothing else can be done before it is filled
        here = stops.index(focus) if focus in stops else 0
        stops = [stop for stop in (*stops[here + 1 :], *stops[:here]) if stop.isEnabled()]
        stops[0 if onward else -1].setFocus(Qt.FocusReason.TabFocusReason)
        return True

    def take_key(self, key: str) -> bool:
        """Choose the reason with this digit."""
        if not key.isdigit() or not 1 <= int(key) <= len(SKIP_REASONS):
            return False
        self._choose(SKIP_REASONS[int(key) - 1])
        return True

    def confirm(self) -> None:
        if self._reason is not None and self.skip_button.isEnabled():
            self.hide()
            self._draft.keep("")
            self._session.skip_task(self._reason, self.comment.text().strip())
            self.closed.emit()

    def _choose(self, reason: str) -> None:
        self._reason = reason
        self._show()
        (self.comment if reason == "other" else self.buttons[reason]).setFocus()

    def _show(self) -> None:
        for reason, button in self.buttons.items():
            button.setChecked(reason == self._reason)
        has_comment = not is_blank(self.comment.text())
        self.skip_button.setEnabled(self._reason is not None and (self._reason != "other" or has_comment))


class PairForms:
    """The compact forms of a pair, if one is shown. The evidence list and suggestions move to the current form."""

    def __init__(self, session: Session, evidence: EvidencePane, suggestions: SuggestionBar) -> None:
        self._session = session
        self._evidence, self._suggestions = evidence, suggestions
        self.forms: tuple[CompactForm, ...] = ()
        self._opened_at: Place | None = None  # the stop at which the list of evidence is open
        self._last_seen: tuple[str, Place | None, tuple[Evidence, ...]] = "", None, ()
        evidence.fold_wanted.connect(lambda: self._fold(open_it=False))

    @property
    def current(self) -> "CompactForm | None":
        return next((block for block in self.forms if block.is_current), None)

    def use(self, forms: "tuple[CompactForm, ...]") -> None:
        self.forms = forms
        self._evidence.set_folding(folds=True)
        for block in forms:
            block.evidence_line.wanted.connect(self._evidence.wanted)
            block.evidence_line.opening.connect(lambda is_open, opened=block: self._open_in(opened, is_open=is_open))

    def drop(self) -> None:
        for block in self.forms:
            block.evidence_line.wanted.disconnect()
            block.evidence_line.opening.disconnect()
            block.evidence_line.show_open(is_open=False)
        self.forms = ()
        self._opened_at = None
        self._evidence.set_folding(folds=False)

    def refresh(self, taken_keys: frozenset[str] = frozenset()) -> None:
        """Show the current state, without keys that a bar takes; open the list when evidence has just changed."""
        session, focus = self._session, QApplication.focusWidget()
        inside = focus if self.holds(focus) else None
        for block in self.forms:
            block.taken_keys = taken_keys
            block.refresh()
        if inside is not None and not inside.isVisibleTo(inside.window()):  # its question has been folded
            (self.current or self.forms[-1]).setFocus()
        assert session.task is not None
        here, pieces = (session.task.id, session.stop), session.evidence
        if self._last_seen[:2] == here and self._last_seen[2] != pieces and pieces:
            self._opened_at = session.stop
        if self._last_seen[:2] != here or not session.accepts_evidence:
            self._opened_at = None
        self._last_seen = *here, pieces
        self._place_shared()

    def show_evidence(self) -> None:
        """Open the list of evidence at the current stop, and scroll to it."""
        self._fold(open_it=True)
        if self.current is not None:
            self.current.ensureWidgetVisible(self._evidence, 0, 8)

    def holds(self, widget: QWidget | None) -> bool:
        return widget is not None and any(block.isAncestorOf(widget) for block in self.forms)

    def _open_in(self, block: "CompactForm", *, is_open: bool) -> None:
        if not block.is_current and block.place is not None:
            self._session.go_to(block.place)
        self._fold(open_it=is_open)

    def _fold(self, *, open_it: bool) -> None:
        if self.forms and self._session.task is not None:
            self._opened_at = self._session.stop if open_it and self._session.accepts_evidence else None
            self._place_shared()

    def _place_shared(self) -> None:
        here, focus = self.current, QApplication.focusWidget()
        inside = focus is not None and self._evidence.isAncestorOf(focus)
        self._evidence.setVisible(self._opened_at is not None)
        for block in self.forms:
            block.evidence_line.show_open(is_open=block is here and self._opened_at is not None)
        if here is not None:
            here.insert_first(self._suggestions)
            if self._opened_at is not None:
                here.evidence_line.hold(self._evidence)
                self._evidence.refresh()
            elif inside:
                here.setFocus()
        self._suggestions.refresh()


ROW_CREATION_DELAY_MS = 100  # paint the opened task first


class RatingForm(ScrollColumn):
    """Form of the current place. Its widgets live as long as the rubric, so focus, cursor and scroll position stay."""

    guideline_wanted = Signal(str)  # heading of a section
    draft_wanted = Signal()  # a comment drafted from the research
    research_wanted = Signal()
    write_wanted = Signal()  # the comment, while another page is in place of the form
    selection_wanted = Signal(int)  # the next or previous target too

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__("form", parent, focus=Qt.FocusPolicy.ClickFocus)
        self.setAccessibleName(self.tr("Questions"))
        self._session = session
        self._rubric: Rubric | None = None
        self._bar_keys: dict[QObject, str] = {}  # of the bars that take keys now
        self._rows: dict[str, QuestionRow] = {}
        self._row_timer = DelayedCall(self, ROW_CREATION_DELAY_MS, self._make_next_row)
        self.body = QWidget()
        self.body.setObjectName("form_body")
        self._column = tight_column(self.body, spacing=0)
        theme.pad(self._column, 0, 8, 0, 8)
        self.claims = ClaimsPane(session)
        self.evidence = EvidencePane(session)
        self.whole = TargetLabelRow(session)
        self.suggestions = SuggestionBar(session)
        self._pair = PairForms(session, self.evidence, self.suggestions)
        self.setWidget(self.body)
        theme.set_ground(self.viewport(), "panel")
        theme.set_ground(self.body, "panel")
        OverlayScrollBar(self)
        self.verticalScrollBar().rangeChanged.connect(lambda _low, _high: self._show_current_question())
        session.opened.connect(self._open)
        session.updated.connect(self.refresh)
        # After the layout has settled: new rows have no height yet.
        session.place_changed.connect(lambda: QTimer.singleShot(0, self, self._show_current_question))
        self._open()

    @property
    def blocks(self) -> "tuple[CompactForm, ...]":
        """Return the compact forms that replace this one while a pair is shown."""
        return self._pair.forms

    def use_pair_forms(self, blocks: "tuple[CompactForm, ...]") -> None:
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
            self.body.hide()
            return
        if self._pair.forms:
            self.setFocusProxy(self._pair.current or self._pair.forms[-1])
            self._pair.refresh(self._taken_keys)
            return
        self.body.show()
        self.body.setEnabled(not session.read_only)
        with placed_once(self._column):
            self._show_parts()
        self._column.activate()

    def _show_parts(self) -> None:
        session = self._session
        assert session.rubric is not None
        assert session.task is not None
        questions = {question.asked.question.id: question for question in session.form_questions}
        for question in questions.values():
            self._add(question.question)
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
                row.documents = session.task.context
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
            discard(row)
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
        """Add the row of a question unless it is there; replace one that offers other choices or has other words."""
        document = self._rubric.file.document if self._rubric is not None else None
        if question.id in self._rows:
            if (self._rows[question.id].question, self._rows[question.id].document) == (question, document):
                return
            discard(self._rows.pop(question.id))
        row = question_row(question, document)
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
