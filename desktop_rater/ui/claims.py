"""The claims recorded for the target at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.model.place import Place
from desktop_rater.model.rating import CONTRADICTING, SUPPORTING
from desktop_rater.rubric.words import label_of
from desktop_rater.ui import moves
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.plain import PlainLabel, WrappedLabel
from desktop_rater.ui.rows import LINE_ROLE, Line, LineList, Lines
from desktop_rater.ui.tokens import quiet

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
        column.setContentsMargins(16, 8, 16, 8)
        column.setSpacing(6)
        head = QHBoxLayout()
        title = PlainLabel(self.tr("Claims"))
        font = QFont(title.font())
        font.setWeight(QFont.Weight.DemiBold)
        title.setFont(font)
        head.addWidget(title)
        head.addStretch(1)
        self.add_button = KeyButton(self.tr("Claim from the selection"), "L", flat=True)
        self.add_button.setObjectName("add_claim")
        self.add_button.clicked.connect(self.wanted)
        head.addWidget(self.add_button)
        self._remove = KeyButton(self.tr("Remove"), flat=True)
        self._remove.setObjectName("remove_claim")
        self._remove.clicked.connect(self.remove)
        head.addWidget(self._remove)
        column.addLayout(head)
        self._empty = WrappedLabel(self.tr("The target is one claim. To split it, select the words of a claim."))
        quiet(self._empty)
        column.addWidget(self._empty)
        self.list = LineList("claim_list", two_lines=False)
        self.list.setAccessibleName(self.tr("Claims of this target"))
        self.model = Lines(self)
        self.list.setModel(self.model)
        self.list.selectionModel().currentChanged.connect(self._chosen)
        column.addWidget(self.list)
        self._whole = PlainLabel(name="whole_target")
        quiet(self._whole)
        column.addWidget(self._whole)

    def refresh(self) -> None:
        """Show the claims of the current place."""
        session = self._session
        claims = session.claims
        self._empty.setVisible(not claims)
        self.list.setVisible(bool(claims))
        self._remove.setVisible(bool(claims))
        self.list.selectionModel().blockSignals(True)
        self.model.show([self._line(at, claim) for at, claim in enumerate(claims)])
        self.list.setCurrentIndex(self.model.index(self.model.row_of(session.place.claim)))
        self.list.selectionModel().blockSignals(False)
        self.list.viewport().update()
        if claims:
            self.list.fit_rows(MOST_ROWS)
        self._show_whole(bool(claims))

    def remove(self) -> None:
        """Remove the current claim."""
        claim = self._session.place.claim
        if claim is not None:
            self._session.remove_claim(claim)
            self.removed.emit(claim)

    def _show_whole(self, several: bool) -> None:
        """What the labels of the claims make of the target: only once the rater has chosen a label for each."""
        session = self._session
        decided = session.outcome.decided.get(moves.where_of(session.stop), {}) if several else {}
        chosen = all(self._label(claim) for claim in session.claims)
        names = [
            label_of(session.rubric.questions[name].question, one.value)
            for name, one in decided.items()
            if session.rubric is not None and one.by == "claims"
        ]
        self._whole.setText(self.tr("Whole target, from its claims: {label}").format(label=", ".join(names)))
        self._whole.setVisible(bool(names) and chosen)

    def _line(self, at: int, claim: Claim) -> Line:
        session = self._session
        here = [one for one in session.rating.evidence if (one.target, one.claim) == (session.place.target, claim.id)]
        pro = sum(one.stance == SUPPORTING for one in here)
        con = sum(one.stance == CONTRADICTING for one in here)
        there = Place(session.place.response, session.place.target, claim.id)
        asked = session.outcome.asked.get(moves.where_of(there), ())
        is_open = any(one.required and one.value is None for one in asked)
        label = self._label(claim)
        counts = self.tr("{pro} for, {con} against").format(pro=pro, con=con) if here else ""
        return Line(
            claim.id,
            f"{at + 1}. {claim.text}",
            end="  ".join(part for part in (counts, label) if part),
            mark="open" if is_open else "done",
            bold=claim.id == session.place.claim,
        )

    def _label(self, claim: Claim) -> str:
        """The label that the rater gave the claim: the answer to what the rubric combines."""
        rubric = self._session.rubric
        if rubric is None:
            return ""
        given = ((name, claim.answers.get(name)) for name in rubric.file.combine)
        return ", ".join(label_of(rubric.questions[name].question, value) for name, value in given if value is not None)

    def _chosen(self, index: QModelIndex) -> None:
        if index.isValid():
            place = self._session.place
            self._session.go_to(Place(place.response, place.target, index.data(LINE_ROLE).id))
