"""The evidence of a response in one line, which opens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.model.rating import CONTRADICTING, SUPPORTING
from desktop_rater.ui import theme
from desktop_rater.ui.form.key_button import Link
from desktop_rater.ui.form.question import COLUMN
from desktop_rater.ui.plain import ElidedLabel, PlainLabel
from desktop_rater.ui.theme_tokens import PANE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_rater.model.rating import Evidence

NEAR = 8


class EvidenceLine(QWidget):
    """How many pages there are and which way they point; beneath it the list of them, while it is open."""

    wanted = Signal()  # a piece is to be added
    opening = Signal(bool)  # the list is to be seen, or not

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("evidence_line")
        self.is_open = False
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._column = column
        self._head = QWidget()
        row = QHBoxLayout(self._head)
        theme.pad(row, PANE, 3, PANE, 3)
        row.setSpacing(theme.px(NEAR))
        title = PlainLabel(self.tr("Evidence"))
        theme.write(title, bold=True)
        theme.follow(title, lambda: title.setFixedWidth(theme.px(COLUMN - NEAR)))
        row.addWidget(title)
        self._open = Link("")
        self._open.setObjectName("open_evidence")
        self._open.clicked.connect(lambda: self.opening.emit(not self.is_open))
        row.addWidget(self._open)
        self._empty = ElidedLabel(self.tr("No page yet"), name="no_evidence")
        theme.quiet(self._empty)
        row.addWidget(self._empty, 1)
        row.addStretch(1)
        self._add = Link(self.tr("Paste a link"), "E")
        self._add.setObjectName("add_evidence_here")
        self._add.clicked.connect(self.wanted)
        row.addWidget(self._add)
        column.addWidget(self._head)

    def show_pieces(self, pieces: Sequence[Evidence], *, here: bool) -> None:
        """Say how many there are; `here`, where the rater stands, more can be added by their key."""
        self._open.setVisible(bool(pieces))
        self._empty.setVisible(not pieces)
        self._open.set_label(self._words(pieces))
        self._add.set_key("E" if here else "")

    def _words(self, pieces: Sequence[Evidence]) -> str:
        words = [self.tr("1 page") if len(pieces) == 1 else self.tr("{n} pages").format(n=len(pieces))]
        for stance, said in ((SUPPORTING, self.tr("{n} supporting")), (CONTRADICTING, self.tr("{n} contradicting"))):
            count = sum(one.stance == stance for one in pieces)
            words += [said.format(n=count)] if count else []
        return ", ".join(words)

    def hold(self, evidence: QWidget) -> None:
        """Take the list of evidence in, open: it says itself how many there are."""
        if evidence.parentWidget() is not self:
            self._column.addWidget(evidence)
        self.show_open(is_open=True)
        evidence.show()

    def show_open(self, *, is_open: bool) -> None:
        """The one line is there while the list is not."""
        self.is_open = is_open
        self._head.setHidden(is_open)
