"""Bars of the form pane: the bundle's suggestions, and the reason for skipping a task."""

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.rubric.wording import format_answer
from desktop_rater.text.unseen_characters import is_blank
from desktop_rater.ui.rating.form.choice_button import ChoiceButton
from desktop_rater.ui.rating.form.typed_questions import FieldEdit
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.icons import Icon
from desktop_rater.ui.widgets.labels import ElidedLabel, PlainLabel
from desktop_rater.ui.widgets.layouts import FlowLayout
from desktop_rater.ui.widgets.theme_tokens import PANE


class SuggestionBar(QWidget):
    """One-line bar, visible while there is a suggestion that is neither confirmed nor answered."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("suggestion_bar")
        self._session = session
        row = QHBoxLayout(self)
        theme.pad(row, PANE, 4, 8, 4)
        row.setSpacing(theme.px(8))
        row.addWidget(Icon("suggested"))
        self._label = ElidedLabel(name="suggestion_words")
        theme.set_ink(self._label)
        row.addWidget(self._label, 1)
        self._confirm = KeyButton(self.tr("Confirm"), "Z", flat=True)
        self._confirm.setObjectName("confirm_suggestions")
        self._confirm.clicked.connect(session.confirm_suggestions)
        row.addWidget(self._confirm)
        self._all = KeyButton(self.tr("Whole task"), "Alt Z", flat=True)
        self._all.setObjectName("confirm_all_suggestions")
        self._all.setAccessibleName(self.tr("Confirm every suggestion of this task"))
        self._all.clicked.connect(session.confirm_all_suggestions)
        row.addWidget(self._all)

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


class SkipBar(QFrame):
    """Form for the reason of a skip. Digits choose the reason; "other" needs a comment."""

    closed = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("skip_bar")
        self._session = session
        self._reason: str | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        title = PlainLabel(self.tr("Skip the whole task: why can't it be rated?"))
        font = QFont(title.font())
        font.setWeight(QFont.Weight.DemiBold)
        title.setFont(font)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(Icon(TASK_SKIPPED))
        head.addWidget(title, 1)
        column.addLayout(head)
        row = QWidget()
        flow = FlowLayout(row)
        self.buttons: dict[str, ChoiceButton] = {}
        for number, reason in enumerate(SKIP_REASONS, 1):
            button = ChoiceButton(skip_reason_text(reason), str(number))
            button.setObjectName(f"skip_{reason}")
            button.clicked.connect(lambda _on=False, chosen=reason: self._choose(chosen))
            flow.addWidget(button)
            self.buttons[reason] = button
        column.addWidget(row)
        self.comment = FieldEdit()
        self.comment.setObjectName("skip_comment")
        self.comment.setAccessibleName(self.tr("Comment"))
        self.comment.setPlaceholderText(self.tr("Comment"))
        self.comment.textEdited.connect(lambda _text: self._show())
        column.addWidget(self.comment)
        last = QHBoxLayout()
        last.addStretch(1)
        cancel = KeyButton(self.tr("Cancel"), "Esc")
        cancel.setObjectName("skip_cancel")
        cancel.clicked.connect(self.shut)
        last.addWidget(cancel)
        self.skip_button = KeyButton(self.tr("Skip the task"), "Enter", primary=True)
        self.skip_button.setObjectName("skip_confirm")
        self.skip_button.set_look("", TASK_SKIPPED)
        self.skip_button.clicked.connect(self.confirm)
        last.addWidget(self.skip_button)
        column.addLayout(last)
        self.hide()

    def open(self) -> None:
        """Open the bar with no reason chosen."""
        self._reason = None
        self.comment.clear()
        self._show()
        self.show()

    def shut(self) -> None:
        """Close the bar without skipping."""
        self.hide()
        self.closed.emit()

    def take_key(self, key: str) -> bool:
        """Choose the reason with this digit."""
        if not key.isdigit() or not 1 <= int(key) <= len(SKIP_REASONS):
            return False
        self._choose(SKIP_REASONS[int(key) - 1])
        return True

    def confirm(self) -> None:
        if self._reason is not None and self.skip_button.isEnabled():
            self.hide()
            self._session.skip_task(self._reason, self.comment.text().strip())
            self.closed.emit()

    def _choose(self, reason: str) -> None:
        self._reason = reason
        self._show()
        if reason == "other":
            self.comment.setFocus()

    def _show(self) -> None:
        for reason, button in self.buttons.items():
            button.setChecked(reason == self._reason)
        has_comment = not is_blank(self.comment.text())
        self.skip_button.setEnabled(self._reason is not None and (self._reason != "other" or has_comment))
