"""Claims of the current target, their combined label, and the token F1 of a response."""

from PySide6.QtCore import QCoreApplication, QModelIndex, QRectF, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from desktop_rater.model.rating import CONTRADICTING, SUPPORTING, Claim
from desktop_rater.model.rubric import Question
from desktop_rater.model.task import Response, Task
from desktop_rater.model.values import Place
from desktop_rater.rubric import Rubric
from desktop_rater.stats.scores import token_f1
from desktop_rater.ui.rating import target_state, task_stops
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.widgets import formatting, shapes, theme
from desktop_rater.ui.widgets.buttons import LinkButton
from desktop_rater.ui.widgets.labels import ElidedLabel, PlainLabel, set_tooltip
from desktop_rater.ui.widgets.list_view import LIST_ROW_ROLE, ListRow, ListRowModel, RowList
from desktop_rater.ui.widgets.theme_tokens import PANE, UNDER_LABEL

MAX_CLAIM_ROWS = 5


class ClaimsPane(QWidget):
    """List of claims, one per row; the questions are about the selected one."""

    wanted = Signal()  # emitted to ask for a claim from the selection
    removed = Signal(str)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("claims")
        self._session = session
        column = QVBoxLayout(self)
        theme.pad(column, PANE, 4, PANE, 8)
        column.setSpacing(theme.px(UNDER_LABEL))
        head = QHBoxLayout()
        head.setSpacing(theme.px(8))
        title = PlainLabel(self.tr("Claims"))
        theme.set_type(title, bold=True)
        head.addWidget(title)
        self._hint_label = ElidedLabel(name="claims_beside")
        theme.set_ink(self._hint_label)
        theme.set_type(self._hint_label, "small")
        head.addWidget(self._hint_label, 1)
        self.add_button = LinkButton(self.tr("+ Claim from selection"), "L")
        self.add_button.setObjectName("add_claim")
        self.add_button.clicked.connect(self.wanted)
        head.addWidget(self.add_button)
        column.addLayout(head)
        self.list = RowList("claim_list", two_lines=False)
        self.list.setAccessibleName(self.tr("Claims of this target"))
        self.model = ListRowModel(self)
        self.list.setModel(self.model)
        self.list.selectionModel().currentChanged.connect(self._go_to_claim)
        column.addWidget(self.list)

    def refresh(self) -> None:
        session = self._session
        claims = session.claims
        several = self.tr("each with its own evidence and label")
        self._hint_label.setText(several if claims else self.tr("the target is one claim"))
        self.list.setVisible(bool(claims))
        self.model.show([self._line(claim) for claim in claims])
        self.list.select_row(self.model.row_of(session.place.claim))
        if claims:
            self.list.fit_rows(MAX_CLAIM_ROWS)

    def remove(self) -> None:
        claim = self._session.place.claim
        if claim is not None:
            self._session.remove_claim(claim)
            self.removed.emit(claim)

    def _line(self, claim: Claim) -> ListRow:
        session = self._session
        assert session.rubric is not None
        spot = session.place.target, claim.id
        here = [piece for piece in session.rating.evidence if (piece.target, piece.claim) == spot]
        pro = sum(piece.stance == SUPPORTING for piece in here)
        con = sum(piece.stance == CONTRADICTING for piece in here)
        place = Place(session.place.response, session.place.target, claim.id)
        label = target_state.claim_label(session.rubric, session.outcome, place)
        questions = session.outcome.asked.get(task_stops.place_path(place), ())
        is_open = any(question.is_open for question in questions)
        return ListRow(
            claim.id,
            claim.text,
            end=self.tr("{pro} for, {con} against").format(pro=pro, con=con),
            mark=(label[1].shape or "done") if label is not None else "todo" if is_open else "done",
            mark_tone=label[1].tone if label is not None else "",
            bold=claim.id == session.place.claim,
            state=target_state.label_text(label) if label is not None else self.tr("to do") if is_open else "",
        )

    def _go_to_claim(self, index: QModelIndex) -> None:
        if index.isValid():
            place = self._session.place
            self._session.go_to(Place(place.response, place.target, index.data(LIST_ROW_ROLE).id))


class TargetLabelRow(QWidget):
    """Row with the label that the rater's claim labels give the target. It is derived, never asked."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("whole_target_row")
        self._session = session
        row = QHBoxLayout(self)
        theme.pad(row, PANE, 6, PANE, 6)
        row.setSpacing(theme.px(6))
        row.addWidget(PlainLabel(self.tr("Whole target: the worst of its claims")), 1)
        self._mark = LabelMark()
        row.addWidget(self._mark)
        self._label = PlainLabel(name="whole_target")
        theme.set_type(self._label, bold=True)
        row.addWidget(self._label)

    def refresh(self) -> None:
        session = self._session
        target = session.place.target
        state = session.state if session.claims else None
        label = state.label_of(target) if state is not None and target is not None else None
        self.setVisible(label is not None)
        if label is not None:
            self._label.setText(target_state.label_text(label))
            self._mark.show_label(label[1].tone, label[1].shape)


class LabelMark(QWidget):
    """Shape of a label, painted in the label's colour."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = ("", "")
        theme.follow(self, lambda: self.setFixedSize(theme.px(16), theme.px(16)))

    def show_label(self, tone: str, shape: str) -> None:
        """Show the shape of a label; hide the mark if the rubric names none."""
        self._look = tone, shape
        self.setVisible(bool(shape))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        tone = theme.tone(self._look[0])
        ink = QColor(tone.ink) if tone is not None else theme.color(self, "text")
        painter = QPainter(self)
        shapes.paint_shape(painter, QRectF(self.rect()), self._look[1], ink, theme.color(self, "panel"))
        painter.end()


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
