"""Asks for the pass phrase of the file that keeps a signing key: twice where the file is yet to be made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QLineEdit, QVBoxLayout, QWidget

from desktop_rater.model.secret import Secret
from desktop_rater.ui import theme
from desktop_rater.ui.focus_back import FocusBack
from desktop_rater.ui.focus_ring import FocusRing
from desktop_rater.ui.hub.page import PAD, PAD_TOP, Page, button, say

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

WIDTH, AROUND, FIELD, LONGEST = 460, 32, 30, 1_000


class PassPhrase(QDialog):
    """Enter goes on to the next field and then on, Esc leaves. `given`: what was typed."""

    given = Signal(object)

    def __init__(self, window: QWidget, *, new: bool) -> None:
        super().__init__(window)
        self.setObjectName("pass_phrase")
        self.setWindowTitle(self.tr("Signing key"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._window, self._new = window, new
        self._focus = FocusBack()
        self._focus.remember()
        self._column = QVBoxLayout(self)
        theme.pad(self._column, PAD, PAD_TOP, PAD, PAD)
        self._page = Page("pass_phrase_page")
        self._page.title.setText(self.windowTitle())
        say(self._page.said("pass_phrase_why"), self._why())
        self._column.addWidget(self._page)
        self.field = self._add_field("pass_phrase_field", self.tr("Pass phrase"))
        self.again = self._add_field("pass_phrase_again", self.tr("Pass phrase once more")) if new else None
        self.trouble = self._page.said("pass_phrase_trouble", "block")
        leave = button("pass_phrase_leave", self.tr("Cancel"), self.reject, "Esc")
        words = self.tr("Make the key") if new else self.tr("Sign with it")
        self._go = button("pass_phrase_go", words, self._confirm, "Enter", primary=True)
        self._page.add_foot((), (leave, self._go))
        self._page.column.addStretch(1)
        self._show()
        FocusRing(self)

    def _why(self) -> str:
        if self._new:
            return self.tr(
                "A new signing key is kept in a file beside the settings. Nobody can use it without its pass phrase,"
                " and nobody can find that again: take four words or more, and remember them."
            )
        return self.tr("Your signing key is in a file. Its pass phrase is kept until you close the program.")

    def _add_field(self, name: str, words: str) -> QLineEdit:
        field = QLineEdit()
        field.setObjectName(name)
        field.setAccessibleName(words)
        field.setMaxLength(LONGEST)
        field.setEchoMode(QLineEdit.EchoMode.Password)
        hints = Qt.InputMethodHint.ImhHiddenText | Qt.InputMethodHint.ImhSensitiveData
        field.setInputMethodHints(hints | Qt.InputMethodHint.ImhNoPredictiveText)
        field.textEdited.connect(lambda _text: self._show())
        theme.follow(field, lambda: field.setMinimumHeight(theme.px(FIELD)))
        self._page.section(words, field)
        return field

    def ask(self) -> None:
        """Open."""
        self._fit()
        self.open()
        self._fit()  # as much room as all has that is shown by now
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _fit(self) -> None:
        """Be as high as the words need at this width."""
        width = min(theme.px(WIDTH), self._window.width() - AROUND)
        edges = self.contentsMargins() + self._column.contentsMargins()
        self._page.settle()
        high = self._page.height_at(width - edges.left() - edges.right()) + edges.top() + edges.bottom()
        self.resize(width, min(high, self._window.height() - AROUND))

    def show_trouble(self, words: str) -> None:
        """Say what is wrong; what was typed is gone."""
        for field in filter(None, (self.field, self.again)):
            field.clear()
            field.setEnabled(True)
        say(self.trouble, words)
        self._show()
        self._fit()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show(self) -> None:
        both = self.again is None or bool(self.again.text())
        self._go.setEnabled(self.field.isEnabled() and bool(self.field.text()) and both)

    def _confirm(self) -> None:
        if self.again is not None and self.again.text() != self.field.text():
            self.show_trouble(self.tr("The two are not the same. Type them once more."))
            return
        secret = Secret(self.field.text())
        for field in filter(None, (self.field, self.again)):
            field.clear()
            field.setEnabled(False)  # until it is known whether it was right
        self._show()
        self.given.emit(secret)

    def done(self, result: int) -> None:
        """Close; the focus goes back to where it was."""
        super().done(result)
        self._focus.give(self._window)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            if self.again is not None and not self.again.text():
                self.again.setFocus(Qt.FocusReason.TabFocusReason)
            elif self._go.isEnabled():
                self._confirm()
            return
        super().keyPressEvent(event)
