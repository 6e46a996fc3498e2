"""The right pane: where the rater stands, banners, the form, problems and the footer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_rater.ui import moves
from desktop_rater.ui.banner import Banners
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.form_view import Form
from desktop_rater.ui.plain import ElidedLabel, PlainLabel, WrappedLabel
from desktop_rater.ui.problems import Problems
from desktop_rater.ui.separator import line
from desktop_rater.ui.skip_bar import SkipBar, reason_words
from desktop_rater.ui.tokens import quiet

if TYPE_CHECKING:
    from desktop_rater.ui.session import Session


class FormPane(QWidget):
    """Lays out the parts of the form; what they do stands with them."""

    skip_wanted = Signal()
    go_on_wanted = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("form_pane")
        self._session = session
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._make_head())
        column.addWidget(line())
        self.banners = Banners()
        column.addWidget(self.banners)
        self._skipped = self._make_skipped()
        column.addWidget(self._skipped)
        self.form = Form(session)
        column.addWidget(self.form, 1)
        column.addWidget(line())
        self.skip_bar = SkipBar(session)
        column.addWidget(self.skip_bar)
        self.problems = Problems(session)
        column.addWidget(self.problems)
        column.addWidget(line())
        column.addWidget(self._make_footer())
        session.opened.connect(self._open)
        session.rating_changed.connect(self.refresh)
        session.place_changed.connect(self.refresh)
        self.refresh()

    def _make_head(self) -> QWidget:
        head = QWidget()
        head.setFixedHeight(44)
        row = QHBoxLayout(head)
        row.setContentsMargins(16, 0, 12, 0)
        row.setSpacing(8)
        self._where = PlainLabel(name="where")
        font = QFont(self._where.font())
        font.setWeight(QFont.Weight.DemiBold)
        self._where.setFont(font)
        row.addWidget(self._where)
        self._beside = ElidedLabel(name="where_beside")
        quiet(self._beside)
        row.addWidget(self._beside, 1)
        self._previous = self._step_button("previous", self.tr("Back"), "K", -1)
        self._next = self._step_button("next", self.tr("Next"), "J", 1)
        row.addWidget(self._previous)
        row.addWidget(self._next)
        return head

    def _step_button(self, name: str, text: str, key: str, by: int) -> KeyButton:
        button = KeyButton(text, key, flat=True)
        button.setObjectName(f"{name}_stop")
        button.clicked.connect(lambda: self._session.move(by))
        return button

    def _make_skipped(self) -> QWidget:
        box = QWidget()
        box.setObjectName("skipped_box")
        row = QHBoxLayout(box)
        row.setContentsMargins(16, 12, 12, 12)
        self._skipped_words = WrappedLabel()
        row.addWidget(self._skipped_words, 1)
        again = KeyButton(self.tr("Rate it after all"))
        again.setObjectName("take_up")
        again.clicked.connect(self._session.take_up)
        row.addWidget(again, 0, Qt.AlignmentFlag.AlignTop)
        return box

    def _make_footer(self) -> QWidget:
        footer = QWidget()
        footer.setFixedHeight(46)
        row = QHBoxLayout(footer)
        row.setContentsMargins(16, 0, 16, 0)
        row.setSpacing(12)
        self._skip = KeyButton(self.tr("Skip…"), "X")
        self._skip.setObjectName("skip")
        self._skip.clicked.connect(self.skip_wanted)
        row.addWidget(self._skip)
        self._word = ElidedLabel(name="footer_word")
        self._word.setAlignment(Qt.AlignmentFlag.AlignRight)
        quiet(self._word)
        row.addWidget(self._word, 1)
        self.go_on = KeyButton("", "Enter", primary=True)
        self.go_on.setObjectName("go_on")
        self.go_on.clicked.connect(self.go_on_wanted)
        row.addWidget(self.go_on)
        return footer

    def refresh(self) -> None:
        """Show where the rater stands and what is wrong."""
        session = self._session
        there = session.task is not None
        for part in (self.problems, self._skip, self.go_on, self._previous, self._next):
            part.setVisible(there)
        if not there:
            self._skipped.hide()
            for label in (self._where, self._beside, self._word):
                label.setText("")
            return
        self._show_head()
        self.problems.refresh()
        skipped = session.rating.skipped if session.rating.status == "skipped" else None
        self._skipped.setVisible(skipped is not None)
        self._skip.setEnabled(skipped is None)
        if skipped is not None:
            words = self.tr("Skipped: {reason}.").format(reason=reason_words(skipped.reason))
            self._skipped_words.setText(f"{words} {skipped.comment}".strip())
        self._show_footer()

    def _show_head(self) -> None:
        session = self._session
        stops, stop = session.stops, session.stop
        targets = [one for one in stops if one.target is not None]
        if stop.target is not None:
            words = self.tr("Target {n} of {total}").format(n=targets.index(stop) + 1, total=len(targets))
        elif stop.response is not None:
            several = session.task is not None and len(session.task.responses) > 1
            words = (
                self.tr("Response {name}").format(name=moves.spoken(stop.response)) if several else self.tr("Response")
            )
        else:
            words = self.tr("Whole task")
        self._where.setText(words)
        count = len(session.claims)
        claims = self.tr("{n} claims").format(n=count) if count > 1 else self.tr("1 claim") if count else ""
        self._beside.setText(claims)
        at = stops.index(stop)
        self._previous.setEnabled(at > 0)
        self._next.setEnabled(at + 1 < len(stops))

    def _show_footer(self) -> None:
        session = self._session
        last = session.rating.status == "skipped" or session.is_last
        if last:
            words = self.tr("Next task")
        elif any(one.open for one in session.shown):
            words = self.tr("Go on")
        else:
            words = self.tr("Next target") if session.place.target else self.tr("Go on")
        self.go_on.set_label(words)
        blocked = last and session.outcome.blocking > 0
        self._word.setText(self.tr("Not finished while a problem blocks") if blocked else self._status_word())

    def _status_word(self) -> str:
        status = self._session.rating.status
        complete = status == "complete" and not self._session.outcome.blocking
        return self.tr("Complete") if complete else self.tr("Skipped") if status == "skipped" else ""

    def _open(self) -> None:
        self.skip_bar.hide()
        for key in ("hint", "refused", "undo"):
            self.banners.drop(key)
        self.refresh()
