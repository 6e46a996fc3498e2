"""Bars of the form pane: the bundle's suggestions, and the reason for skipping a task."""

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.rubric.load import format_answer
from desktop_rater.text.untrusted import is_blank
from desktop_rater.ui.rating.form.choice_button import ChoiceButton
from desktop_rater.ui.rating.form.typed_questions import FieldEdit
from desktop_rater.ui.rating.session import Session
from desktop_rater.ui.widgets import theme
from desktop_rater.ui.widgets.bars import AskingBar
from desktop_rater.ui.widgets.buttons import KeyButton
from desktop_rater.ui.widgets.icons import Icon
from desktop_rater.ui.widgets.labels import ElidedLabel, WrappedLabel
from desktop_rater.ui.widgets.layouts import FlowLayout
from desktop_rater.ui.widgets.theme import font_of
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
        self._label = ElidedLabel(name="suggestion_words", ink="text2")
        row.addWidget(self._label, 1)
        self._confirm = KeyButton(
            self.tr("Confirm"), "Z", flat=True, name="confirm_suggestions", clicked=session.confirm_suggestions
        )
        row.addWidget(self._confirm)
        self._all = KeyButton(
            self.tr("Whole task"),
            "Alt Z",
            flat=True,
            name="confirm_all_suggestions",
            clicked=session.confirm_all_suggestions,
        )
        self._all.setAccessibleName(self.tr("Confirm every suggestion of this task"))
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
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        title = WrappedLabel(self.tr("Skip the whole task: why can't it be rated?"))
        self.setAccessibleName(title.text())
        font = font_of(title.font(), bold=True)
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
            button = ChoiceButton(
                skip_reason_text(reason),
                str(number),
                name=f"skip_{reason}",
                clicked=lambda _on=False, chosen=reason: self._choose(chosen),
            )
            flow.addWidget(button)
            self.buttons[reason] = button
        column.addWidget(row)
        self.comment = FieldEdit(name="skip_comment", label=self.tr("Comment"), placeholder=self.tr("Comment"))
        self.comment.textEdited.connect(lambda _text: self._show())
        self.comment.textEdited.connect(self._keep_draft)
        column.addWidget(self.comment)
        last = QHBoxLayout()
        last.addStretch(1)
        self._close = KeyButton(self.tr("Close"), "Esc", name="skip_cancel", clicked=self.shut)
        last.addWidget(self._close)
        self.skip_button = KeyButton(
            self.tr("Skip the task"), "Enter", primary=True, name="skip_confirm", clicked=self.confirm
        )
        self.skip_button.set_look("", TASK_SKIPPED)
        last.addWidget(self.skip_button)
        column.addLayout(last)
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
