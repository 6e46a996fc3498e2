"""Row with the label that the rater's claims give their target."""

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop_rater.ui.rating import target_state
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.widgets import shapes, theme
from desktop_rater.ui.widgets.labels import ElidedLabel, PlainLabel
from desktop_rater.ui.widgets.source_badge import SourceBadge
from desktop_rater.ui.widgets.theme_tokens import PANE


class TargetLabelRow(QWidget):
    """Row with the worst of the answers that claims have: worked out, never asked. "So far" while a claim is open."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("whole_target_row")
        self._session = session
        row = QHBoxLayout(self)
        theme.pad(row, PANE, 6, PANE, 6)
        row.setSpacing(theme.px(6))
        row.addWidget(ElidedLabel(self.tr("Whole target: the worst of its claims")), 1)
        self._badge = SourceBadge()
        row.addWidget(self._badge)
        self._so_far = PlainLabel(name="whole_target_so_far")
        theme.set_type(self._so_far, "small")
        theme.set_ink(self._so_far)
        row.addWidget(self._so_far)
        self._mark = LabelMark()
        row.addWidget(self._mark)
        self._label = PlainLabel(name="whole_target")
        theme.set_type(self._label, bold=True)
        row.addWidget(self._label)

    def refresh(self) -> None:
        session = self._session
        state = session.state if session.claims else None
        labels = target_state.worst_labels(state.rubric, state.outcome, session.stop, session.claims) if state else ()
        self.setVisible(bool(labels))
        if state is None or not labels:
            return
        first = labels[0]
        self._label.setText(", ".join([target_state.label_text(first), *(choice.label for _, choice in labels[1:])]))
        self._mark.show_label(first[1].tone, first[1].shape)
        self._badge.show_source(state.rubric.file.claims)
        decided = state.outcome.decided.get(f"targets/{session.place.target}", {})
        names = [
            f"c{number}"
            for number, claim in enumerate(session.claims, 1)
            if state.is_open_claim(session.place, claim.id)
        ]
        is_open = names or session.open_proposals or any(question.id not in decided for question, _choice in labels)
        self._so_far.setText(self._open_text(names) if is_open else "")

    def _open_text(self, names: list[str]) -> str:
        session = self._session
        if session.open_proposals:
            return self.tr("so far, not all are confirmed")
        if not names:
            return self.tr("so far")
        if len(names) == 1:
            return self.tr("so far, {claim} is open").format(claim=names[0])
        return self.tr("so far, {n} are open").format(n=len(names))


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
