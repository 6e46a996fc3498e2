"""The bars at the bottom of the review: the verdict on a rating, and the final label of a place."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from desktop_rater.audit.questions import JudgedQuestion, Value, ValueStyle
from desktop_rater.audit.results import REASONS, Verdict, VerdictKind
from desktop_rater.text.untrusted import is_blank
from desktop_rater.ui.rating.returned_comments import return_reason_text
from desktop_rater.ui.review.items import MAX_DIGIT_KEYS, percent_text
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.buttons import ChoiceButton, KeyButton
from desktop_rater.ui.widgets.fields import GrowingTextEdit
from desktop_rater.ui.widgets.labels import ElidedLabel, PlainLabel, isolated, name_widget, visible
from desktop_rater.ui.widgets.layouts import FlowLayout, NamedGroup, fill, horizontal_line, tight_column, tight_row
from desktop_rater.ui.widgets.theme_tokens import CONTROL, PANE

NEEDS_COMMENT = "other"


class VerdictBar(NamedGroup):
    """Bar of the verdict on a rating: accepting takes effect at once, sending back needs a reason."""

    accept_wanted = Signal()
    correct_wanted = Signal()
    draft_wanted = Signal()  # "Send back …" was pressed
    confirmed = Signal(str, str, str)  # kind, reason, comment
    edited = Signal()  # the reason or the comment
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, name="verdict_bar")
        self.setAccessibleName(self.tr("Verdict"))
        theme.set_ground(self, "panel")
        self._kind: VerdictKind = "none"
        self._reason = ""
        self._has_rating = False
        body = QWidget()
        tight_column(self, horizontal_line(), body, spacing=0)
        self._reason_row = self._make_reasons()
        self._comment_row = self._make_writing()
        column = fill(QVBoxLayout(body), self._make_verdict_row(), self._reason_row, self._comment_row)
        theme.pad(column, PANE, 12, PANE, 12, spacing=8)
        self.shut()

    # -- layout

    def _make_verdict_row(self) -> QHBoxLayout:
        self._title = ElidedLabel(name="verdict_whose", bold=True)
        self._title.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.accept = self._button(self.tr("Accept"), "Enter", "verdict_accept", self.accept_wanted.emit)
        self.correct = self._button(self.tr("Correct …"), "M", "verdict_correct", self.correct_wanted.emit)
        self.send_back = self._button(self.tr("Send back …"), "B", "verdict_send_back", self.draft_wanted.emit)
        self._state_label = ElidedLabel(name="verdict_stands", size="small", ink="text2")
        self._state_label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return tight_row(
            None, self._title, self.accept, self.correct, self.send_back, (self._state_label, 1), spacing=8
        )

    def _button(self, text: str, key: str, name: str, on_pressed: object) -> ChoiceButton:
        button = ChoiceButton(text, key, name=name)

        def press() -> None:
            self._show_kind()  # undo the check state set by the click
            on_pressed()  # ty: ignore[not-callable]

        button.clicked.connect(lambda _on=False: press())
        return button

    def _make_reasons(self) -> QWidget:
        box = QWidget()
        row = tight_row(box, spacing=8)
        because = PlainLabel(self.tr("Because"), ink="text2")
        theme.follow(because, lambda: because.setContentsMargins(0, theme.px(6), 0, 0))
        row.addWidget(because, 0, Qt.AlignmentFlag.AlignTop)
        reasons = QWidget()
        reasons.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        flow = FlowLayout(reasons, spacing=6, alike=False)
        self.reasons: dict[str, ChoiceButton] = {}
        for reason, key in REASONS.items():
            button = ChoiceButton(
                return_reason_text(reason),
                key,
                name=f"reason_{reason}",
                clicked=lambda _on=False, chosen=reason: self.choose_reason(chosen),
            )
            flow.addWidget(button)
            self.reasons[reason] = button
        row.addWidget(reasons, 1)
        return box

    def _make_writing(self) -> QWidget:
        box = QWidget()
        self.comment = GrowingTextEdit(name="verdict_comment")
        self.comment.least_height = CONTROL
        self.comment.setAccessibleName(self.tr("Comment for the rater"))
        self.comment.typed.connect(lambda _text: self._update_confirm())
        self.comment.typed.connect(lambda _text: self.edited.emit())
        self.confirm_button = KeyButton(
            self.tr("Send back"), "Ctrl Enter", primary=True, name="verdict_confirm", clicked=self.confirm
        )
        tight_row(box, (self.comment, 1), self.confirm_button, spacing=8)
        return box

    # -- content

    @property
    def is_writing(self) -> bool:
        """Return whether a reason and a comment are being asked for."""
        return self._comment_row.isVisibleTo(self)

    @property
    def draft(self) -> tuple[VerdictKind, str, str]:
        """Kind, reason and comment of the verdict being written."""
        return self._draft_kind, self._reason, self.comment.text().strip()

    def show_rater(
        self, rater: str, verdict: Verdict | None, state_text: str, *, possible: bool, hidden: bool = False
    ) -> None:
        """Show a rating's verdict and the text on its state; nothing of either if it is `hidden`."""
        self._has_rating = possible
        title = self.tr("{rater}’s rating").format(rater=isolated(rater)) if rater else self.tr("No rating")
        if hidden:
            title, verdict = self.tr("Your answer"), None
        self._title.setText(title)
        self._state_label.setText(state_text)
        self._kind = verdict.kind if verdict is not None else "none"
        for button in (self.accept, self.correct, self.send_back):
            button.setEnabled(possible)
        self._show_kind()

    def write(self, kind: VerdictKind, reason: str = "", comment: str = "") -> None:
        """Ask for a reason and a comment: for sending back, or after a correction."""
        self._draft_kind: VerdictKind = kind
        self._reason_row.show()
        self._comment_row.show()
        self._reason = reason
        self.comment.show_text(comment)
        text = self.tr("Send back") if kind == "returned" else self.tr("Keep the correction")
        self.confirm_button.set_label(text)
        return_hint = self.tr("What should the rater look at again?")
        correction_hint = self.tr("Reason for the correction (optional)")
        self.comment.setPlaceholderText(visible(return_hint if kind == "returned" else correction_hint))
        self._show_kind()
        self._show_reason()
        self._update_confirm()

    def shut(self) -> None:
        """Close the input; what was not confirmed is offered at the next opening."""
        self._draft_kind = "none"
        self._reason = ""
        self._reason_row.hide()
        self._comment_row.hide()
        self._show_kind()

    def leave(self) -> bool:
        """Close the input (Esc); return whether it was open."""
        if not self.is_writing:
            return False
        self.shut()
        self.left.emit()
        return True

    def take_key(self, key: str) -> bool:
        """Choose the reason with that key, while one is asked for."""
        reason_id = next((reason for reason, its_key in REASONS.items() if its_key == key), None)
        if reason_id is None or not self.is_writing:
            return False
        self.choose_reason(reason_id)
        return True

    def choose_reason(self, reason: str) -> None:
        """Choose a reason, and go to the comment."""
        self._reason = reason
        self._show_reason()
        self._update_confirm()
        self.edited.emit()
        self.comment.setFocus()

    def confirm(self) -> bool:
        """Emit the verdict once it is complete; return whether one was being written."""
        if not self.is_writing:
            return False
        if not self._is_complete():
            (self.comment if self._reason else next(iter(self.reasons.values()))).setFocus()
            return True
        draft = self.draft
        self.shut()
        self.confirmed.emit(*draft)
        return True

    def _is_complete(self) -> bool:
        if self._draft_kind == "corrected":
            return True
        return bool(self._reason) and (self._reason != NEEDS_COMMENT or not is_blank(self.comment.text()))

    def _show_kind(self) -> None:
        kind = self._draft_kind if self._draft_kind != "none" else self._kind
        for button, name in ((self.accept, "accepted"), (self.correct, "corrected"), (self.send_back, "returned")):
            button.setChecked(kind == name)

    def _show_reason(self) -> None:
        for reason, button in self.reasons.items():
            button.setChecked(reason == self._reason)

    def _update_confirm(self) -> None:
        self.confirm_button.setEnabled(self._is_complete())


LEAST_SHOWN = 0.005  # of a probability


class DecideBar(NamedGroup):
    """A bar opened on request; a key or a click decides.

    While the raters are grouped it `stays` open: a key or a click then only chooses the label, and `confirm` decides.
    """

    decided = Signal(object)  # the value; None removes the decision
    chosen = Signal(object)  # the value, where the bar stays
    open_wanted = Signal()  # to leave the label open and go on
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, name="decide_bar")
        self.setAccessibleName(self.tr("Final label"))
        theme.set_ground(self, "panel")
        body = QWidget()
        tight_column(self, horizontal_line(), body, spacing=0)
        self.question = ""
        self.stays = self._is_decided = False
        self._value: Value | None = None  # chosen where the bar stays
        self._head = PlainLabel("", size="interface", bold=True)
        self._choices = QWidget()
        self._choices.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._flow = FlowLayout(self._choices, spacing=6, alike=False)
        self._none = KeyButton(
            self.tr("Leave undecided"), "Backspace", flat=True, name="decide_none", clicked=lambda: self._decide(None)
        )
        self._cancel = KeyButton(self.tr("Cancel"), "Esc", flat=True, name="decide_cancel", clicked=self.leave)
        self._support = ElidedLabel(name="decide_support", size="small", ink="text2")
        self._support.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._support.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        row = tight_row(None, self._head, (self._choices, 1), self._none, self._cancel, self._support, spacing=8)
        self._looks: Sequence[ValueStyle] = ()
        self._buttons: list[tuple[ChoiceButton, Value]] = []
        self._because_row = self._make_because_row()
        column = fill(QVBoxLayout(body), row, self._because_row)
        theme.pad(column, PANE, 10, PANE, 10, spacing=8)
        self.hide()

    def _make_because_row(self) -> QWidget:
        box = QWidget()
        self.because = QLineEdit()
        name_widget(self.because, "decide_because", self.tr("Because"))
        self._confirm = KeyButton("", "Ctrl Enter", primary=True, name="decide_confirm", clicked=self.confirm)
        tight_row(
            box,
            PlainLabel(self.tr("Because"), size="interface", bold=True),
            (self.because, 1),
            KeyButton(self.tr("Leave open"), "Shift X", name="decide_open", clicked=self.open_wanted.emit),
            self._confirm,
            spacing=8,
        )
        return box

    @property
    def is_open(self) -> bool:
        return not self.isHidden()

    def open(
        self,
        keys: Mapping[Value, str],
        judged: JudgedQuestion,
        final: Value | None,
        *,
        decided: bool,
        title: str,
        probabilities: Mapping[Value, float],
        stays: bool = False,
    ) -> None:
        """Offer the values of a question; `final` is the present one, `decided`: the lead has decided it.

        `keys`: the keys of the values; unless the bar `stays`, those without one get the digit of their number.
        """
        self.question, self.stays, self._is_decided = judged.id, stays, decided
        self._head.setText(title)
        self._confirm.set_label(self.tr("Decide, next") if stays else self.tr("Decide"))
        if self._looks != judged.looks:
            self._make_buttons(judged.looks)
        for number, ((button, _value), look) in enumerate(zip(self._buttons, judged.looks, strict=True), 1):
            button.set_key(keys.get(look.id, "") or (str(number) if number <= MAX_DIGIT_KEYS and not stays else ""))
            share = probabilities.get(look.id, 0)
            button.set_label(f"{look.label} {percent_text(share)}" if share >= LEAST_SHOWN else look.label)
        self._none.setVisible(decided and not stays)
        for part, visible_now in ((self._cancel, not stays), (self._support, stays), (self._because_row, stays)):
            part.setVisible(visible_now)
        self._choose(final)
        self.show()

    def _make_buttons(self, looks: Sequence[ValueStyle]) -> None:
        """Make a button for each value; the same values keep theirs from place to place."""
        for button, _value in self._buttons:
            self._flow.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._looks, self._buttons = looks, []
        for number, look in enumerate(looks, 1):
            button = ChoiceButton(
                look.label,
                parent=self._choices,
                name=f"decide_{number}",
                clicked=lambda _on=False, value=look.id: self._decide(value),
            )
            button.set_look(look.tone, look.shape)
            button.set_place(number, len(looks))
            self._flow.addWidget(button)
            self._buttons.append((button, look.id))

    def show_support(self, text: str) -> None:
        """Show how many raters gave the chosen label."""
        self._support.setText(text)

    def _choose(self, value: Value | None) -> None:
        self._value = value
        for button, own in self._buttons:
            button.setChecked(own == value)
        self._confirm.setEnabled(value is not None)

    def set_low(self, *, low: bool) -> None:
        """Show only the choices where the window is low."""
        self._support.setHidden(low or not self.stays)

    def choose(self, value: Value | None) -> None:
        """Choose a label where the bar stays."""
        if self.is_open and self.stays:
            self._choose(value)

    def confirm(self) -> bool:
        """Decide for the chosen label; return whether there was one."""
        if not self.is_open or self._because_row.isHidden() or self._value is None:
            return False
        self.setHidden(not self.stays)
        self.decided.emit(self._value)
        return True

    def ask_reason(self, value: Value | None, written: str) -> None:
        """Ask for a reason before a value is decided; `written` is one that was begun."""
        self.show()
        self._choose(value)
        self._because_row.show()
        self.because.setText(written)
        self.because.setFocus()

    def take_key(self, key: str) -> bool:
        choice = next((value for button, value in self._buttons if button.key == key), None)
        if not self.is_open or choice is None:
            return False
        self._decide(choice)
        return True

    def take_back(self) -> None:
        """Remove the decision, if there is one."""
        if self._is_decided:
            self._decide(None)

    def leave(self) -> bool:
        """Close without a decision; return whether it was open."""
        was_open = self.is_open and not self.stays
        if was_open:
            self.hide()
            self.left.emit()
        return was_open

    def _decide(self, value: Value | None) -> None:
        if self.stays and value is not None:
            self._choose(value)
            self.chosen.emit(value)
            return
        self.hide()
        self.left.emit()
        self.decided.emit(value)
