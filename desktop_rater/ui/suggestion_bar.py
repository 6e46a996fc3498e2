"""What the bundle suggests for the target at hand, in one line, with the keys that confirm it or all of the task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop_rater.rubric.words import answer_words
from desktop_rater.ui import theme
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.icons import Icon
from desktop_rater.ui.plain import ElidedLabel
from desktop_rater.ui.theme_tokens import PANE

if TYPE_CHECKING:
    from desktop_rater.ui.session import Session


class SuggestionBar(QWidget):
    """Shown while something is suggested that is neither confirmed nor answered."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("suggestion_bar")
        self._session = session
        row = QHBoxLayout(self)
        theme.pad(row, PANE, 4, 8, 4)
        row.setSpacing(theme.px(8))
        row.addWidget(Icon("suggested"))
        self._words = ElidedLabel(name="suggestion_words")
        theme.quiet(self._words)
        row.addWidget(self._words, 1)
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
        """Show what is suggested here."""
        session = self._session
        suggested = session.suggested(session.stop)
        self.setVisible(bool(suggested) and not session.read_only)
        self._all.setVisible(session.suggests_elsewhere)
        if suggested and session.rubric is not None:
            questions = session.rubric.questions
            words = [_short(answer_words(questions[name].question, value)) for name, value in suggested.items()]
            self._words.setText(self.tr("Suggested: {answers}").format(answers=", ".join(words)))


def _short(words: str) -> str:
    flat = " ".join(words.split())
    return flat if len(flat) <= 60 else f"{flat[:59]}…"
