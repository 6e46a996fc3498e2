"""The task as one rater saw it: the panes of rating with that rater's answers, to look at and not to change."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NoReturn

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from desktop_rater.ui import theme
from desktop_rater.ui.active_time import ActiveTime
from desktop_rater.ui.direction import isolated
from desktop_rater.ui.form.key_button import KeyButton
from desktop_rater.ui.form_pane import FormPane
from desktop_rater.ui.moves import stop_of, where_of
from desktop_rater.ui.plain import ElidedLabel
from desktop_rater.ui.saving import Saver
from desktop_rater.ui.separator import line
from desktop_rater.ui.session import Session
from desktop_rater.ui.text_pane import TextPane
from desktop_rater.ui.theme_tokens import PANE

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from PySide6.QtGui import QResizeEvent

    from desktop_rater.audit.audited_task import AuditedTask, OfRater
    from desktop_rater.ui.pane_sizes import PaneSizes
    from desktop_rater.ui.perform import Perform

HEAD, FORM = 44, 440


def _never(*_given: object, **_named: object) -> NoReturn:
    raise AssertionError("what a lead only looks at is never saved")


def _bundle_of(task: AuditedTask) -> str:
    """Never the name of a bundle that the lead rates: what is open here has nothing to do with that."""
    return f"review of {task.bundle}"


class RaterView(QWidget):
    """It has a session of its own, in which nothing can be answered and no time is counted."""

    left = Signal()
    page_wanted = Signal(str)
    moved = Signal(str)  # to another `where` of the task

    def __init__(
        self, perform: Perform, sizes: PaneSizes, now: Callable[[], datetime], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("rater_view")
        self.setAccessibleName(self.tr("The page as the rater saw it"))
        theme.ground(self, "surface")
        active_time = ActiveTime(time.monotonic)
        active_time.set_window_active(False)
        self.session = Session(Saver(perform, _never, now, self), active_time, self)
        self.rater = ""
        self.session.place_changed.connect(lambda: self.moved.emit(where_of(self.session.stop)))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._make_head())
        column.addWidget(line())
        self.text_pane = TextPane(self.session, sizes)
        self.text_pane.page_wanted.connect(self.page_wanted)
        self.form_pane = FormPane(self.session)
        self.form_pane.only_look()
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.setHandleWidth(1)
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(self.text_pane)
        self._split.addWidget(self.form_pane)
        self._split.setStretchFactor(0, 1)
        column.addWidget(self._split, 1)
        theme.follow(self, self._measure)

    def _make_head(self) -> QWidget:
        head = QWidget()
        theme.ground(head, "info_back")
        row = QHBoxLayout(head)
        self._words = ElidedLabel(name="rater_view_words")
        theme.write(self._words, bold=True)
        row.addWidget(self._words, 1)
        back = KeyButton(self.tr("Back to the comparison"), "V", flat=True)
        back.setObjectName("rater_view_back")
        back.clicked.connect(self.left)
        row.addWidget(back)

        def measure() -> None:
            row.setContentsMargins(theme.px(PANE), 0, theme.px(PANE), 0)
            head.setFixedHeight(theme.px(HEAD))

        theme.follow(head, measure)
        return head

    def _measure(self) -> None:
        """The form has its width; where there is no room for both, half of it."""
        wide = self.width()
        form = min(theme.px(FORM), wide // 2)
        self._split.setSizes([wide - form, form])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._measure()

    def shows(self, task: AuditedTask, of: OfRater, where: str) -> bool:
        """Whether that is what stands here."""
        session = self.session
        there = session.task is of.task and self.rater == of.rater and session.bundle == _bundle_of(task)
        return there and where_of(session.stop) == where

    def show_rating(self, task: AuditedTask, of: OfRater, where: str) -> None:
        """Show what a rater answered, at a place."""
        self.rater = of.rater
        words = self.tr("As {rater} rated it: nothing can be changed here.").format(rater=isolated(of.rater))
        self._words.setText(words)
        place = of.outcome.places.get(where)
        session = self.session
        session.open(
            _bundle_of(task),
            of.task,
            of.rating,
            task.rubric,
            at=stop_of(place) if place is not None else None,
            read_only=words,
            outcome=of.outcome,
        )

    def panes(self) -> tuple[QWidget, ...]:
        """What F6 goes round."""
        form = self.form_pane.form
        return (*(pane.view for pane in self.text_pane.panes), *(form.blocks or (form,)))
