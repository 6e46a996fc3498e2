"""The claims recorded for the target at hand, and what their labels make of the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QRectF, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.model.place import Place
from desktop_rater.model.rating import CONTRADICTING, SUPPORTING
from desktop_rater.ui import labels, moves, shapes, theme
from desktop_rater.ui.form.key_button import Link
from desktop_rater.ui.plain import ElidedLabel, PlainLabel
from desktop_rater.ui.rows import LINE_ROLE, Line, LineList, Lines
from desktop_rater.ui.theme_tokens import PANE, UNDER_LABEL

if TYPE_CHECKING:
    from desktop_rater.model.rating import Claim
    from desktop_rater.ui.session import Session

MOST_ROWS = 5


class Claims(QWidget):
    """A row a claim; the selected one is the one that the questions are about."""

    wanted = Signal()  # a claim from the selection
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
        theme.write(title, bold=True)
        head.addWidget(title)
        self._beside = ElidedLabel(name="claims_beside")
        theme.quiet(self._beside)
        theme.write(self._beside, "small")
        head.addWidget(self._beside, 1)
        self.add_button = Link(self.tr("+ Claim from selection"), "L")
        self.add_button.setObjectName("add_claim")
        self.add_button.clicked.connect(self.wanted)
        head.addWidget(self.add_button)
        column.addLayout(head)
        self.list = LineList("claim_list", two_lines=False)
        self.list.setAccessibleName(self.tr("Claims of this target"))
        self.model = Lines(self)
        self.list.setModel(self.model)
        self.list.selectionModel().currentChanged.connect(self._chosen)
        column.addWidget(self.list)

    def refresh(self) -> None:
        """Show the claims of the current place."""
        session = self._session
        claims = session.claims
        several = self.tr("each has its own evidence and label")
        self._beside.setText(several if claims else self.tr("the target is one claim"))
        self.list.setVisible(bool(claims))
        self.list.selectionModel().blockSignals(True)
        self.model.show([self._line(claim) for claim in claims])
        self.list.setCurrentIndex(self.model.index(self.model.row_of(session.place.claim)))
        self.list.selectionModel().blockSignals(False)
        self.list.viewport().update()
        if claims:
            self.list.fit_rows(MOST_ROWS)

    def remove(self) -> None:
        """Remove the current claim."""
        claim = self._session.place.claim
        if claim is not None:
            self._session.remove_claim(claim)
            self.removed.emit(claim)

    def _line(self, claim: Claim) -> Line:
        session = self._session
        assert session.rubric is not None
        here = [one for one in session.rating.evidence if (one.target, one.claim) == (session.place.target, claim.id)]
        pro = sum(one.stance == SUPPORTING for one in here)
        con = sum(one.stance == CONTRADICTING for one in here)
        there = Place(session.place.response, session.place.target, claim.id)
        label = labels.claim_label(session.rubric, session.outcome, there)
        asked = session.outcome.asked.get(moves.where_of(there), ())
        is_open = any(one.required and one.value is None for one in asked)
        return Line(
            claim.id,
            claim.text,
            end=self.tr("{pro} for, {con} against").format(pro=pro, con=con),
            mark=(label[1].shape or "done") if label is not None else "todo" if is_open else "done",
            mark_tone=label[1].tone if label is not None else "",
            bold=claim.id == session.place.claim,
            state=labels.label_words(label) if label is not None else self.tr("to do") if is_open else "",
        )

    def _chosen(self, index: QModelIndex) -> None:
        if index.isValid():
            place = self._session.place
            self._session.go_to(Place(place.response, place.target, index.data(LINE_ROLE).id))


class WholeTarget(QWidget):
    """What the rater's own labels of the claims make of the target: shown, never asked."""

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
        theme.write(self._label, bold=True)
        row.addWidget(self._label)

    def refresh(self) -> None:
        """Show the label, once the rater has chosen one for each claim."""
        session = self._session
        target = session.place.target
        label = session.label_of(target) if target is not None and session.claims else None
        self.setVisible(label is not None)
        if label is not None:
            self._label.setText(labels.label_words(label))
            self._mark.show_label(label[1].tone, label[1].shape)


class LabelMark(QWidget):
    """The shape of a label in its own colour."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = ("", "")
        theme.follow(self, lambda: self.setFixedSize(theme.px(16), theme.px(16)))

    def show_label(self, tone: str, shape: str) -> None:
        """Show the shape of a label; none for a rubric that names none."""
        self._look = tone, shape
        self.setVisible(bool(shape))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        tone = theme.tone(self._look[0])
        ink = QColor(tone.ink) if tone is not None else theme.color(self, "text")
        painter = QPainter(self)
        shapes.paint(painter, QRectF(self.rect()), self._look[1], ink, theme.color(self, "panel"))
        painter.end()
