"""A line of words for something: a note, why a warning stands, what is wrong with a border. In the pane, no dialog."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.ui import theme
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.line_field import LineField
from desktop_rater.ui.plain import PlainLabel, WrappedLabel
from desktop_rater.ui.theme_tokens import PANE

if TYPE_CHECKING:
    from collections.abc import Callable

LONGEST = 2_000


class WordBar(QFrame):
    """Asks one thing at a time."""

    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("word_bar")
        self._then: Callable[[str], object] | None = None
        self._needed = False
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.px(PANE), theme.px(12), theme.px(PANE), theme.px(12))
        column.setSpacing(theme.px(8))
        self._title = PlainLabel(name="word_bar_title")
        theme.write(self._title, bold=True)
        column.addWidget(self._title)
        self._about = WrappedLabel(name="word_bar_about")
        theme.quiet(self._about)
        column.addWidget(self._about)
        self.field = LineField()
        self.field.setObjectName("word_bar_field")
        self.field.setMaxLength(LONGEST)
        self.field.textChanged.connect(lambda _text: self._show())
        self.field.entered.connect(lambda _by: self.confirm())
        self.field.left.connect(self.shut)
        column.addWidget(self.field)
        last = QHBoxLayout()
        last.addStretch(1)
        cancel = KeyButton(self.tr("Cancel"), "Esc")
        cancel.setObjectName("word_bar_cancel")
        cancel.clicked.connect(self.shut)
        last.addWidget(cancel)
        self._keep = KeyButton("", "Enter", primary=True)
        self._keep.setObjectName("word_bar_keep")
        self._keep.clicked.connect(self.confirm)
        last.addWidget(self._keep)
        column.addLayout(last)
        self.hide()

    def ask(
        self,
        title: str,
        then: Callable[[str], object],
        *,
        about: str = "",
        keep: str = "",
        text: str = "",
        needed: bool = False,
    ) -> None:
        """Ask for words; `then` is called with them. `needed`: not without any."""
        self._then, self._needed = then, needed
        self._title.setText(title)
        self._about.setText(about)
        self._about.setHidden(not about)
        self._keep.set_label(keep or self.tr("Keep"))
        self.field.setText(text)
        self.field.setAccessibleName(title)
        self._show()
        self.show()
        self.field.setFocus()

    def shut(self) -> None:
        """Leave things as they are."""
        self.hide()
        self.closed.emit()

    def confirm(self) -> None:
        """Hand the words over."""
        words = self.field.text().strip()
        if self._then is None or (self._needed and not words):
            return
        then, self._then = self._then, None
        self.shut()
        then(words)

    def _show(self) -> None:
        self._keep.setEnabled(not self._needed or bool(self.field.text().strip()))
