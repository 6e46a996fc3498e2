"""Under the page: what is chosen on it, for which place of the task, and the two ways to take it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from desktop_rater.model.rating import CONTRADICTING, SUPPORTING
from desktop_rater.ui import moves, shapes, theme
from desktop_rater.ui.form.choice_button import GAP, PADDING, SHAPE, draw_cap
from desktop_rater.ui.form.key_button import KeyButton, Link
from desktop_rater.ui.plain import ElidedLabel, set_tooltip, text_direction
from desktop_rater.ui.separator import line
from desktop_rater.ui.word_choice import words_in

if TYPE_CHECKING:
    from desktop_rater.ui.preview.reader_view import ReaderView
    from desktop_rater.ui.session import Session
    from desktop_rater.ui.theme_tokens import Tone

MOST_COUNTED = 20_000  # characters in which words are counted


class TakeButton(KeyButton):
    """As wide as there is room: the shape of the stance and the words at its start, the key at its end."""

    def __init__(self, label: str, short: str, key: str, shape: str, name: str) -> None:
        super().__init__(label, key)
        self._short = short  # where there is no room for the label
        self.setObjectName(name)
        self.set_look("", shape)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(self._around + self.fontMetrics().horizontalAdvance(self._short), theme.px(30))

    @property
    def _around(self) -> int:
        """What stands beside the words."""
        return 2 * theme.px(PADDING) + theme.px(SHAPE) + 2 + 2 * theme.px(GAP) + self._cap().width()

    def paint_inside(self, painter: QPainter, ink: QColor, look: Tone | None, cap_ink: QColor | None) -> None:
        del look
        cap, pad, gap, side = self._cap(), theme.px(PADDING), theme.px(GAP), theme.px(SHAPE) + 2
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        room = self.width() - self._around
        shape_at, cap_at = (self.width() - pad - side, pad) if mirrored else (pad, self.width() - pad - cap.width())
        left = pad + cap.width() + gap if mirrored else pad + side + gap
        metrics = painter.fontMetrics()
        words = self.label if metrics.horizontalAdvance(self.label) <= room else self._short
        shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, room)
        set_tooltip(self, self.label if shown != self.label else "")
        painter.setLayoutDirection(text_direction(self.label, self.layoutDirection()))
        side_flag = Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft
        flags = Qt.AlignmentFlag.AlignVCenter | side_flag | Qt.AlignmentFlag.AlignAbsolute
        painter.drawText(QRectF(left, 0, room, self.height()), flags, shown)
        sign = ink if not self.isEnabled() else QColor(theme.color(self, "text2"))
        field = QRectF(shape_at, (self.height() - side) / 2, side, side)
        shapes.paint(painter, field, self._shape, sign, theme.color(self, "raised"))
        where = QRectF(cap_at, (self.height() - cap.height()) / 2, cap.width(), cap.height())
        draw_cap(painter, where, self.key, self, ink=cap_ink)


class TakeBar(QWidget):
    """Says for what a passage would be taken; pressing a button does as its key."""

    take_wanted = Signal(str)  # the stance

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("take_bar")
        self.setAccessibleName(self.tr("Take as evidence"))
        self._session = session
        self._reader: ReaderView | None = None
        theme.ground(self, "panel")
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(line())
        column = QVBoxLayout()
        outer.addLayout(column)
        head, row = QHBoxLayout(), QHBoxLayout()
        self.words = ElidedLabel(name="take_words")
        theme.quiet(self.words)
        theme.write(self.words, "small")
        self.extend = Link(self.tr("Extend by a sentence"), "Shift Right")
        self.extend.setObjectName("extend_passage")
        theme.write(self.extend, "small")
        self.extend.clicked.connect(self._grow)
        head.addWidget(self.words, 1)
        head.addWidget(self.extend)
        self.supports = TakeButton(
            self.tr("Take as supporting"), self.tr("Supporting"), "S", "supports", "take_supporting"
        )
        self.supports.clicked.connect(lambda: self.take_wanted.emit(SUPPORTING))
        self.contradicts = TakeButton(
            self.tr("Take as contradicting"), self.tr("Contradicting"), "C", "contradicts", "take_contradicting"
        )
        self.contradicts.clicked.connect(lambda: self.take_wanted.emit(CONTRADICTING))
        row.addWidget(self.supports, 1)
        row.addWidget(self.contradicts, 1)
        column.addLayout(head)
        column.addLayout(row)

        def measure() -> None:
            column.setContentsMargins(theme.px(16), theme.px(4), theme.px(16), theme.px(8))
            column.setSpacing(theme.px(3))
            row.setSpacing(theme.px(5))

        theme.follow(self, measure)
        for told in (session.opened, session.place_changed, session.rating_changed):
            told.connect(self.refresh)
        self.refresh()

    def watch(self, reader: ReaderView) -> None:
        """Follow what is chosen in a reader."""
        self._reader = reader
        reader.passage_changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Say what is chosen, and for what it would be taken."""
        session, reader = self._session, self._reader
        there = session.task is not None and not session.read_only and session.takes_evidence
        self.words.setText(self._said())
        for button in (self.supports, self.contradicts):
            button.setEnabled(there)
        if reader is not None:
            chosen = reader.selected_positions is not None
            self.extend.set_label(self.tr("Extend by a sentence") if chosen else self.tr("Choose a sentence"))
            self.extend.set_key(("Shift Left" if reader.backwards else "Shift Right") if chosen else "Down")

    def _grow(self) -> None:
        if self._reader is not None:
            self._reader.grow()
            self._reader.setFocus()

    def _said(self) -> str:
        session = self._session
        if session.task is None:
            return ""
        if not session.takes_evidence:
            return self.tr("No evidence is asked for here.")
        passage = self._reader.passage if self._reader is not None else None
        if passage is None:
            return self.tr("Nothing selected, for {place}").format(place=self._place())
        count = len(words_in(passage.quote[:MOST_COUNTED]))
        words = self.tr("1 word selected, for {place}") if count == 1 else self.tr("{n} words selected, for {place}")
        return words.format(n=count, place=self._place())

    def _place(self) -> str:
        session = self._session
        names = [claim.id for claim in session.claims]
        if session.place.claim in names:
            return self.tr("claim {n}").format(n=names.index(session.place.claim) + 1)
        if session.place.target is not None:
            number = [stop.target for stop in session.stops if stop.target is not None].index(session.place.target) + 1
            return self.tr("target {n}").format(n=number)
        if session.place.response is not None:
            return self.tr("response {name}").format(name=moves.spoken(session.place.response))
        return self.tr("the task")
