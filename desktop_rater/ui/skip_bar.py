"""Skipping a task: a reason, and a few words. In the pane, not in a dialog."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.ui.flow import FlowLayout
from desktop_rater.ui.form.choice_button import ChoiceButton
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.form.typed import FieldEdit
from desktop_rater.ui.plain import PlainLabel

if TYPE_CHECKING:
    from desktop_rater.ui.session import Session

REASONS = ("cut_off", "wrong_language", "duplicate", "harmful", "other")


def reason_words(reason: str) -> str:
    """A reason in the language of the window; one of a custom kind as it stands."""
    return {
        "cut_off": QCoreApplication.translate("Skip", "Cut off"),
        "wrong_language": QCoreApplication.translate("Skip", "Wrong language"),
        "duplicate": QCoreApplication.translate("Skip", "Duplicate"),
        "harmful": QCoreApplication.translate("Skip", "Harmful"),
        "other": QCoreApplication.translate("Skip", "Other"),
    }.get(reason, reason)


class SkipBar(QFrame):
    """Digits choose the reason while it is open; "other" needs words."""

    closed = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("skip_bar")
        self._session = session
        self._reason: str | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        title = PlainLabel(self.tr("Why can't this task be rated?"))
        font = QFont(title.font())
        font.setWeight(QFont.Weight.DemiBold)
        title.setFont(font)
        column.addWidget(title)
        row = QWidget()
        flow = FlowLayout(row)
        self.buttons: dict[str, ChoiceButton] = {}
        for number, reason in enumerate(REASONS, 1):
            button = ChoiceButton(reason_words(reason), str(number))
            button.setObjectName(f"skip_{reason}")
            button.clicked.connect(lambda _on=False, chosen=reason: self._choose(chosen))
            flow.addWidget(button)
            self.buttons[reason] = button
        column.addWidget(row)
        self.comment = FieldEdit()
        self.comment.setObjectName("skip_comment")
        self.comment.setAccessibleName(self.tr("In a few words"))
        self.comment.setPlaceholderText(self.tr("In a few words"))
        self.comment.textEdited.connect(lambda _text: self._show())
        column.addWidget(self.comment)
        last = QHBoxLayout()
        last.addStretch(1)
        cancel = KeyButton(self.tr("Keep rating"), "Esc")
        cancel.setObjectName("skip_cancel")
        cancel.clicked.connect(self.shut)
        last.addWidget(cancel)
        self.skip_button = KeyButton(self.tr("Skip the task"), "Enter", primary=True)
        self.skip_button.setObjectName("skip_confirm")
        self.skip_button.clicked.connect(self.confirm)
        last.addWidget(self.skip_button)
        column.addLayout(last)
        self.hide()

    def open(self) -> None:
        """Ask for the reason."""
        self._reason = None
        self.comment.clear()
        self._show()
        self.show()

    def shut(self) -> None:
        """Rate on."""
        self.hide()
        self.closed.emit()

    def take_key(self, key: str) -> bool:
        """Choose the reason of a digit."""
        if not key.isdigit() or not 1 <= int(key) <= len(REASONS):
            return False
        self._choose(REASONS[int(key) - 1])
        return True

    def confirm(self) -> None:
        """Skip the task, once there is a reason."""
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
        words = bool(self.comment.text().strip())
        self.skip_button.setEnabled(self._reason is not None and (self._reason != "other" or words))
