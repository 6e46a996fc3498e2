"""At the foot of the review room: what the lead says of the rating of the rater that is chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from desktop_rater.audit.verdicts import REASONS
from desktop_rater.ui import theme
from desktop_rater.ui.direction import isolated
from desktop_rater.ui.flow import FlowLayout
from desktop_rater.ui.form.choice_button import ChoiceButton
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.form.typed import GrowingEdit
from desktop_rater.ui.plain import ElidedLabel, PlainLabel
from desktop_rater.ui.returned.words import reason_words
from desktop_rater.ui.separator import line
from desktop_rater.ui.theme_tokens import CONTROL, PANE

if TYPE_CHECKING:
    from desktop_rater.audit.verdicts import Kind, Verdict

NEEDS_COMMENT = "other"


@dataclass(frozen=True)
class Draft:
    """A verdict that is being written."""

    kind: Kind
    reason: str
    comment: str


class VerdictBar(QWidget):
    """Accept is said at once; what is sent back needs a reason. What it means for the store stands elsewhere."""

    accept_wanted = Signal()
    correct_wanted = Signal()
    draft_wanted = Signal()  # "Send back …" was pressed
    confirmed = Signal(object)  # Draft
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("verdict_bar")
        self.setAccessibleName(self.tr("Verdict"))
        theme.ground(self, "panel")
        self._kind: Kind = "none"
        self._reason = ""
        self._possible = False
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(line())
        body = QWidget()
        outer.addWidget(body)
        column = QVBoxLayout(body)
        column.addLayout(self._make_first())
        self._because = self._make_reasons()
        column.addWidget(self._because)
        self._writing = self._make_writing()
        column.addWidget(self._writing)

        def measure() -> None:
            column.setContentsMargins(theme.px(PANE), theme.px(12), theme.px(PANE), theme.px(12))
            column.setSpacing(theme.px(8))

        theme.follow(body, measure)
        self.shut()

    # -- its rows

    def _make_first(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        self._whose = ElidedLabel(name="verdict_whose")
        self._whose.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        theme.write(self._whose, bold=True)
        row.addWidget(self._whose)
        self.accept = self._button(self.tr("Accept"), "Enter", "verdict_accept", self.accept_wanted.emit)
        self.correct = self._button(self.tr("Correct …"), "M", "verdict_correct", self.correct_wanted.emit)
        self.send_back = self._button(self.tr("Send back …"), "B", "verdict_send_back", self.draft_wanted.emit)
        for button in (self.accept, self.correct, self.send_back):
            row.addWidget(button)
        self._stands = ElidedLabel(name="verdict_stands")
        theme.write(self._stands, "small")
        theme.quiet(self._stands)
        self._stands.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self._stands, 1)
        return row

    def _button(self, words: str, key: str, name: str, pressed: object) -> ChoiceButton:
        button = ChoiceButton(words, key)
        button.setObjectName(name)

        def press() -> None:
            self._show_kind()  # a click would turn it on by itself
            pressed()  # ty: ignore[not-callable]

        button.clicked.connect(lambda _on=False: press())
        return button

    def _make_reasons(self) -> QWidget:
        box = QWidget()
        row = QHBoxLayout(box)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        because = PlainLabel(self.tr("Because"))
        theme.quiet(because)
        theme.follow(because, lambda: because.setContentsMargins(0, theme.px(6), 0, 0))
        row.addWidget(because, 0, Qt.AlignmentFlag.AlignTop)
        reasons = QWidget()
        reasons.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        flow = FlowLayout(reasons, spacing=6, alike=False)
        self.reasons: dict[str, ChoiceButton] = {}
        for reason in REASONS:
            button = ChoiceButton(reason_words(reason.id), reason.key)
            button.setObjectName(f"reason_{reason.id}")
            button.clicked.connect(lambda _on=False, chosen=reason.id: self.choose_reason(chosen))
            flow.addWidget(button)
            self.reasons[reason.id] = button
        row.addWidget(reasons, 1)
        return box

    def _make_writing(self) -> QWidget:
        box = QWidget()
        row = QHBoxLayout(box)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        self.comment = GrowingEdit()
        self.comment.setObjectName("verdict_comment")
        self.comment.least_height = CONTROL
        self.comment.setAccessibleName(self.tr("Comment for the rater"))
        self.comment.typed.connect(lambda _text: self._show_possible())
        row.addWidget(self.comment, 1)
        self.confirm_button = KeyButton(self.tr("Send back"), "Ctrl Enter", primary=True)
        self.confirm_button.setObjectName("verdict_confirm")
        self.confirm_button.clicked.connect(self.confirm)
        row.addWidget(self.confirm_button)
        return box

    # -- what is shown

    @property
    def is_writing(self) -> bool:
        """Whether a reason and a comment are asked for."""
        return self._writing.isVisibleTo(self)

    @property
    def draft(self) -> Draft:
        """What is written so far."""
        return Draft(self._drafted, self._reason, self.comment.text().strip())

    def show_rater(self, rater: str, verdict: Verdict | None, stands: str, *, possible: bool) -> None:
        """The rating of another rater, or another state of it; `stands` says what became of it."""
        self._possible = possible
        whose = self.tr("{rater}’s rating").format(rater=isolated(rater)) if rater else self.tr("No rating")
        self._whose.setText(whose)
        self._stands.setText(stands)
        self._kind = verdict.kind if verdict is not None else "none"
        for button in (self.accept, self.correct, self.send_back):
            button.setEnabled(possible)
        self._show_kind()

    def write(self, kind: Kind, reason: str = "", comment: str = "") -> None:
        """Ask for a reason and a comment: to send back, or beside a correction that was made."""
        self._drafted: Kind = kind
        self._because.show()
        self._writing.show()
        self._reason = reason
        self.comment.show_text(comment)
        words = self.tr("Send back") if kind == "returned" else self.tr("Keep the correction")
        self.confirm_button.set_label(words)
        again, why = self.tr("What should the rater look at again?"), self.tr("Why it is corrected, in a few words")
        self.comment.setPlaceholderText(again if kind == "returned" else why)
        self._show_kind()
        self._show_reason()
        self._show_possible()

    def shut(self) -> None:
        """Ask no more; what was not confirmed is forgotten."""
        self._drafted = "none"
        self._reason = ""
        self._because.hide()
        self._writing.hide()
        self._show_kind()

    def leave(self) -> bool:
        """Esc: out of the comment, then shut; whether there was something to leave."""
        if not self.is_writing:
            return False
        self.shut()
        self.left.emit()
        return True

    def take_key(self, key: str) -> bool:
        """Choose the reason of a key, while one is asked for."""
        found = next((one.id for one in REASONS if one.key == key), None)
        if found is None or not self.is_writing:
            return False
        self.choose_reason(found)
        return True

    def choose_reason(self, reason: str) -> None:
        """Take a reason, and go on to the comment."""
        self._reason = reason
        self._show_reason()
        self._show_possible()
        self.comment.setFocus()

    def confirm(self) -> bool:
        """Say the verdict that was written, once it has all it needs."""
        if not self.is_writing:
            return False
        if not self._is_whole():
            (self.comment if self._reason else next(iter(self.reasons.values()))).setFocus()
            return True
        draft = self.draft
        self.shut()
        self.confirmed.emit(draft)
        return True

    def _is_whole(self) -> bool:
        if self._drafted == "corrected":
            return True
        return bool(self._reason) and (self._reason != NEEDS_COMMENT or bool(self.comment.text().strip()))

    def _show_kind(self) -> None:
        kind = self._drafted if self._drafted != "none" else self._kind
        for button, name in ((self.accept, "accepted"), (self.correct, "corrected"), (self.send_back, "returned")):
            button.setChecked(kind == name)

    def _show_reason(self) -> None:
        for reason, button in self.reasons.items():
            button.setChecked(reason == self._reason)

    def _show_possible(self) -> None:
        self.confirm_button.setEnabled(self._is_whole())
